package tests_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// TestClassifierFields: if a field makes no sense, training and saving return an error, and what was
// learned before does not change.
func TestClassifierFields(t *testing.T) {
	X := [][]float64{{1, 2}, {3, -4}}
	rows, labels := sparse(X), []string{"a", "b"}
	scaling := func(mean, scale []float64) func(c *dense) {
		return func(c *dense) { c.Scaling = perceptron.Scaling{Mean: mean, Scale: scale} }
	}
	for what, change := range map[string]func(c *dense){
		"a negative scale":  scaling([]float64{1, 1}, []float64{1, -1}),
		"a scale of 0":      scaling([]float64{1, 1}, []float64{0, 1}),
		"an infinite scale": scaling([]float64{1, 1}, []float64{math.Inf(1), 1}),
		"a NaN scale":       scaling([]float64{1, 1}, []float64{1, math.NaN()}),
		"a NaN mean":        scaling([]float64{math.NaN(), 1}, []float64{1, 1}),
		"an infinite mean":  scaling([]float64{1, math.Inf(-1)}, []float64{1, 1}),
		"a Width":           func(c *dense) { c.Width = 2 },
		"a negative Width":  func(c *dense) { c.Width = -1 },
		"a foreign model":   func(c *dense) { c.Model = struct{ *perceptron.Online }{new(perceptron.Online)} },
		"a foreign pointer": func(c *dense) { c.Model = &struct{ perceptron.Multiclass }{} },
		"a negative rate":   func(c *dense) { c.Model = &perceptron.Online{Rate: -1} },
		"a negative Count":  func(c *dense) { c.Waves.Count = -1 },
	} {
		wrong(t, what, change, X, labels, perceptron.ErrConfig)
	}
	wrong(t, "a scale too few", scaling([]float64{1, 1}, []float64{1}), X, labels, perceptron.ErrDimension)
	for what, change := range map[string]func(c *texts){
		"a Scaling":        func(c *texts) { c.Scaling = perceptron.Scaling{Mean: []float64{0, 0}, Scale: []float64{1, 1}} },
		"a Scale":          func(c *texts) { c.Scaling.Scale = []float64{1, 1} },
		"Waves":            func(c *texts) { c.Waves.Count = 1 },
		"a negative Width": func(c *texts) { c.Width = -1 },
		"a Width too wide": func(c *texts) { c.Width = math.MaxInt },
	} {
		wrong(t, "sparse rows with "+what, change, rows, labels, perceptron.ErrConfig)
	}
	c := dense{Scaling: perceptron.Scaling{Mean: []float64{}}} // is zero
	must(c.Fit(X, labels))(t)
	exactly(t, "the label", must(c.Predict(X[0]))(t), "a")
}

// wrong trains and saves a Classifier whose fields change has made senseless, before and after training.
func wrong[R []float64 | perceptron.Sparse](t *testing.T, what string, change func(c *perceptron.Classifier[R]), X []R, labels []string, kind error) {
	t.Helper()
	var c, trained perceptron.Classifier[R]
	change(&c)
	must(trained.Fit(X, labels))(t)
	before := must(trained.MarshalBinary())(t)
	change(&trained)
	_, errFit := c.Fit(X, labels)
	_, errUpdate := c.Update(X[0], "a")
	_, errLearn := c.Learn(perceptron.Examples(X, labels))
	_, errSave := c.MarshalBinary()
	_, errJSON := c.MarshalJSON()
	_, errTrained := trained.Fit(X, labels)
	for i, err := range []error{errFit, errUpdate, errLearn, errSave, errJSON, errTrained} {
		if !errors.Is(err, kind) {
			t.Errorf("%s: call %d: %v, want %v", what, i, err, kind)
		}
	}
	for e, err := range c.Epochs(X, labels) {
		if !errors.Is(err, kind) {
			t.Errorf("%s: Epochs: %v, %v", what, e, err)
		}
	}
	_, errPredict := c.Predict(X[0])
	_, errScores := c.Scores(nil, X[0])
	for _, err := range []error{errPredict, errScores} {
		if !errors.Is(err, perceptron.ErrUntrained) {
			t.Errorf("%s: a read: %v", what, err)
		}
	}
	exactly(t, what+": what was learned", string(must(trained.MarshalBinary())(t)), string(before))
	must(trained.Update(X[0], "a"))(t)
}

// TestClassifierOptions: training reads the fields when it begins, and never changes them or what they point
// to. Later calls keep what it began with, until Fit.
func TestClassifierOptions(t *testing.T) {
	X, labels := irisNames(t)
	pattern := &perceptron.OneVsRest{Binary: &perceptron.Online{Seed: 3, Order: perceptron.Shuffled, MaxEpochs: 5}}
	scaling := must(perceptron.Standardize(X[:60]))(t)
	began := func() *dense {
		return &dense{Model: pattern, Scaling: scaling, Waves: perceptron.Waves{Count: 8, Seed: 5}}
	}
	for name, begin := range map[string]func(c *dense){
		"Fit":    func(c *dense) { must(c.Fit(X, labels))(t) },
		"Epochs": func(c *dense) { epoch(t, c, X, labels) },
		"Learn":  func(c *dense) { must(c.Learn(perceptron.Examples(X, labels)))(t) },
		"Update": func(c *dense) { must(c.Update(X[0], labels[0]))(t) },
	} {
		c, want := began(), began()
		begin(c)
		begin(want)
		if c.Model != perceptron.Model(pattern) || pattern.Seen() != 0 || pattern.Binary.(*perceptron.Online).Seen() != 0 {
			t.Errorf("%s trained the pattern", name)
		}
		exactly(t, name+": the fields", dense{Model: c.Model, Scaling: c.Scaling, Waves: c.Waves}, *began())
		*c.Model.(*perceptron.OneVsRest) = perceptron.OneVsRest{Binary: new(perceptron.Margin)}
		c.Model, c.Scaling.Mean[0], c.Raw, c.Waves, c.Width = new(perceptron.Batch), -7, true, perceptron.Waves{Count: 1, Seed: 9}, 5
		for _, d := range []*dense{c, want} {
			must(d.Update(X[70], "new"))(t)
			must(d.Learn(perceptron.Examples(X, labels)))(t)
			epoch(t, d, X, labels)
			_ = must(d.Scores(nil, X[3]))(t)
		}
		exactly(t, name+": after other fields", string(must(c.MarshalBinary())(t)), string(must(want.MarshalBinary())(t)))
		*pattern = perceptron.OneVsRest{Binary: &perceptron.Online{Seed: 3, Order: perceptron.Shuffled, MaxEpochs: 5}}
		scaling = must(perceptron.Standardize(X[:60]))(t)
	}
}

// epoch runs one epoch.
func epoch(t *testing.T, c *dense, X [][]float64, labels []string) {
	for _, err := range c.Epochs(X, labels) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

// TestClassifierLoadedFields: loading sets the fields to those with which the saved training began. So Fit
// gives the same result before saving and after loading.
func TestClassifierLoadedFields(t *testing.T) {
	X, labels := irisNames(t)
	scaling := must(perceptron.Standardize(X[:60]))(t)
	for i, fields := range []dense{
		{}, {Raw: true}, {Scaling: scaling}, {Scaling: scaling, Raw: true}, {Waves: perceptron.Waves{Count: 8, Width: 2, Seed: 5}},
		{Model: &perceptron.Margin{Seed: 4, MaxEpochs: 3}}, {Model: &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Pocket}}},
	} {
		for _, trained := range []bool{false, true} {
			c, loaded := fields, dense{Model: new(perceptron.Batch), Width: 7, Waves: perceptron.Waves{Count: 1}}
			if trained {
				must(c.Fit(X[:100], labels[:100]))(t)
			}
			must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
			exactly(t, fmt.Sprint("fields ", i), dense{Model: loaded.Model, Scaling: loaded.Scaling, Waves: loaded.Waves, Raw: loaded.Raw, Width: loaded.Width}, fields)
			must(c.Fit(X[20:90], labels[20:90]))(t)
			must(loaded.Fit(X[20:90], labels[20:90]))(t)
			exactly(t, fmt.Sprint("Fit ", i), string(must(loaded.MarshalBinary())(t)), string(must(c.MarshalBinary())(t)))
		}
	}
	rows := sparse(X)
	var c, loaded texts
	must(c.Fit(rows[:100], labels[:100]))(t)
	must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
	exactly(t, "Width", loaded.Width, 0)
}

// TestClassifierParts: what was learned comes out as copies, and goes in, and makes the same Classifier.
func TestClassifierParts(t *testing.T) {
	X, labels := irisNames(t)
	var c, d dense
	m, names, s, w := c.Parts()
	exactly(t, "nothing", []any{m, names, s, w}, []any{perceptron.Model(nil), []string(nil), perceptron.Scaling{}, perceptron.Waves{}})
	must(c.Fit(X, labels))(t)
	before := must(c.MarshalBinary())(t)
	m, names, s, w = c.Parts()
	must(0, d.SetParts(m, names, s, w))(t)
	must(m.Fit(X[:70], []int(naive.Iris(t).Y[:70])))(t)
	names[0], s.Mean[0] = "other", 99
	exactly(t, "the fields", dense{Model: d.Model, Scaling: d.Scaling}, dense{})
	for _, x := range X {
		exactly(t, "scores", must(d.Scores(nil, x))(t), must(c.Scores(nil, x))(t))
		exactly(t, "label", must(d.Predict(x))(t), must(c.Predict(x))(t))
	}
	exactly(t, "the original", string(must(c.MarshalBinary())(t)), string(before))
	var loaded dense
	must(0, loaded.UnmarshalBinary(must(d.MarshalBinary())(t)))(t)
	exactly(t, "loaded", must(loaded.Scores(nil, X[1]))(t), must(c.Scores(nil, X[1]))(t))

	two := [][]float64{{1, 2}, {3, -4}}
	binary, many, gap := new(perceptron.Online), new(perceptron.Multiclass), new(perceptron.Multiclass)
	must(binary.Fit(two, []int{1, -1}))(t)
	must(many.Fit(two, []int{0, 1}))(t)
	must(gap.Fit(two, []int{0, 2}))(t)
	ab := []string{"a", "b"}
	unit := perceptron.Scaling{Mean: []float64{0, 0}, Scale: []float64{1, 1}}
	for i, test := range []struct {
		c      dense
		m      perceptron.Model
		labels []string
		s      perceptron.Scaling
		waves  int
		want   error
	}{
		{dense{}, nil, ab, unit, 0, perceptron.ErrConfig},
		{dense{}, struct{ *perceptron.Online }{binary}, ab, unit, 0, perceptron.ErrConfig},
		{dense{}, new(perceptron.Online), nil, unit, 0, perceptron.ErrUntrained},
		{dense{}, binary, nil, unit, 0, perceptron.ErrConfig},
		{dense{}, binary, []string{"a", "b", "c"}, unit, 0, perceptron.ErrConfig},
		{dense{}, many, ab[:1], unit, 0, perceptron.ErrConfig},
		{dense{}, many, []string{"a", "b", "c"}, unit, 0, perceptron.ErrConfig},
		{dense{}, gap, ab, unit, 0, perceptron.ErrConfig},
		{dense{}, many, []string{"a", "a"}, unit, 0, perceptron.ErrConfig},
		{dense{}, many, []string{"a", "\xff"}, unit, 0, perceptron.ErrLabel},
		{dense{}, many, ab, perceptron.Scaling{Mean: []float64{0}, Scale: []float64{1}}, 0, perceptron.ErrDimension},
		{dense{}, many, ab, perceptron.Scaling{Mean: []float64{0, 0}, Scale: []float64{1, 0}}, 0, perceptron.ErrConfig},
		{dense{}, many, ab, perceptron.Scaling{}, 2, perceptron.ErrDimension},
		{dense{}, many, ab, unit, -2, perceptron.ErrConfig},
		{dense{}, many, ab, unit, 0, nil},
		{dense{Raw: true}, binary, ab[:1], perceptron.Scaling{}, 0, nil},
	} {
		before := test.c
		if err := test.c.SetParts(test.m, test.labels, test.s, perceptron.Waves{Count: test.waves}); !errors.Is(err, test.want) || err != nil && !reflect.DeepEqual(before, test.c) {
			t.Errorf("%d: %v, want %v", i, err, test.want)
		}
	}
	for _, test := range []struct {
		width int
		s     perceptron.Scaling
		w     perceptron.Waves
	}{{3, perceptron.Scaling{}, perceptron.Waves{}}, {2, unit, perceptron.Waves{}}, {2, perceptron.Scaling{}, perceptron.Waves{Count: 1}}} {
		c := texts{Width: test.width}
		if err := c.SetParts(many, ab, test.s, test.w); err == nil {
			t.Errorf("%+v: no error", test)
		}
	}
}

// TestClassifierLearnScales: the first Learn computes a Scaling from the first 1000 rows, or from those
// before a bad row. Then it learns as a Classifier with that Scaling does. The iterator may reuse its buffer.
func TestClassifierLearnScales(t *testing.T) {
	r := rand.New(rand.NewPCG(79, 1))
	var X [][]float64
	var labels []string
	for range 1300 {
		X, labels = append(X, []float64{1e5 + 1e4*r.NormFloat64(), r.NormFloat64()}), append(labels, string(rune('a'+r.IntN(3))))
	}
	bad := []float64{1, math.Inf(1)}
	for _, test := range []struct {
		n      int       // good rows
		row    []float64 // after them, or nil
		label  string
		first  int // the rows of the Scaling
		err    error
		fields dense
	}{
		{n: 1, first: 1}, {n: 7, first: 7}, {n: 999, first: 999}, {n: 1000, first: 1000}, {n: 1001, first: 1000}, {n: 1300, first: 1000},
		{n: 40, first: 40, fields: dense{Waves: perceptron.Waves{Count: 9}}},
		{n: 1100, first: 1000, fields: dense{Model: &perceptron.OneVsRest{Binary: &perceptron.Online{Keep: perceptron.Pocket}}}},
		{n: 0, row: bad, err: perceptron.ErrNotFinite}, {n: 5, row: bad, first: 5, err: perceptron.ErrNotFinite},
		{n: 1000, row: bad, first: 1000, err: perceptron.ErrNotFinite}, {n: 1100, row: bad, first: 1000, err: perceptron.ErrNotFinite},
		{n: 5, row: []float64{1}, first: 5, err: perceptron.ErrDimension},
		{n: 0, row: []float64{}, err: perceptron.ErrEmpty}, {n: 5, row: []float64{}, first: 5, err: perceptron.ErrEmpty},
		{n: 5, row: X[5], label: "\xff", first: 9, err: perceptron.ErrLabel},
	} {
		Z, names := X[:test.n], labels[:test.n]
		if test.row != nil { // three rows more, which a bad one hides
			Z, names = append(append(Z[:test.n:test.n], test.row), X[6:9]...), append(append(names[:test.n:test.n], test.label), "x", "y", "z")
		}
		ended, row := 0, make([]float64, 2)
		stream := func(yield func([]float64, string) bool) {
			defer func() { ended++ }()
			for i, z := range Z {
				if !yield(row[:copy(row, z)], names[i]) {
					return
				}
			}
		}
		c, want := test.fields, test.fields
		e, err := c.Learn(stream)
		at := (*perceptron.ExampleError)(nil)
		if !errors.Is(err, test.err) || e.Examples != test.n || ended != 1 || err != nil && (!errors.As(err, &at) || at.Index != test.n) {
			t.Errorf("%+v: %v, %v, ended %d times", test, e, err, ended)
		}
		if test.n == 0 {
			exactly(t, "nothing learned", c, dense{})
			continue
		}
		want.Scaling = must(perceptron.Standardize(Z[:test.first]))(t)
		_, _ = want.Learn(stream)
		m, names, s, _ := c.Parts()
		n, others, scaling, _ := want.Parts()
		exactly(t, fmt.Sprint(test.n, " rows: scaling and labels"), fmt.Sprint(s, names), fmt.Sprint(scaling, others))
		exactly(t, fmt.Sprint(test.n, " rows: the model"), string(must(json.Marshal(m))(t)), string(must(json.Marshal(n))(t)))
		must(c.Learn(perceptron.Examples(X[7:9], labels[7:9])))(t)
		_, _, again, _ := c.Parts()
		exactly(t, "a later Learn keeps the scaling", again, s)
	}
	var c dense
	if _, err := c.Learn(nil); !errors.Is(err, perceptron.ErrEmpty) {
		t.Error(err)
	}
	if _, err := c.Learn(perceptron.Examples([][]float64{{1.7e308}, {-1.7e308}, {-1.7e308}}, labels[:3])); !errors.Is(err, perceptron.ErrNotFinite) {
		t.Error(err)
	}
	c = dense{}
	_, err := c.Learn(func(yield func([]float64, string) bool) {
		must(c.Fit(X[:9], labels[:9]))(t)
		yield(X[0], "a")
	})
	if !errors.Is(err, perceptron.ErrConfig) || c.Seen() == 0 || c.Seen()%9 != 0 {
		t.Errorf("Fit in the iterator: %v, %d seen", err, c.Seen())
	}
	for _, c := range []dense{{}, {Model: new(perceptron.Online)}, {Waves: perceptron.Waves{Count: 3}}} {
		if _, err := c.Update(X[0], "a"); !errors.Is(err, perceptron.ErrConfig) || !strings.Contains(err.Error(), "set Scaling, or Raw if") || c.Labels() != nil {
			t.Error(err)
		}
	}
}
