package perceptron_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

func must[T any](v T, err error) func(testing.TB) T { return naive.Must(v, err) }

type dense = perceptron.Classifier[[]float64]

// TestClassifierRecipe: the zero value is Standardize and the recommended model, bit for bit.
func TestClassifierRecipe(t *testing.T) {
	set := perceptron.Iris(t)
	X, labels := perceptron.IrisNames(t)
	var c dense
	res := must(c.Fit(X, labels))(t)
	scaling := must(perceptron.Standardize(X))(t)
	m := &perceptron.Multiclass{Binary: &perceptron.Margin{Threshold: 5, Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}}
	if want := must(m.Fit(must(scaling.ApplyAll(X))(t), set.Y))(t); res != want {
		t.Errorf("%+v, want %+v", res, want)
	}
	for _, x := range X {
		z := must(scaling.Apply(nil, x))(t)
		if got, want := must(c.Predict(x))(t), perceptron.Species[must(m.Predict(z))(t)]; got != want {
			t.Errorf("%v, want %v", got, want)
		}
		if got, want := must(c.Scores(nil, x))(t), must(m.Scores(nil, z))(t); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	table := must(perceptron.Evaluate(&c, X, labels))(t)
	if !slices.Equal(table.Classes, perceptron.Species) || table.Recall("setosa") != 1 || !strings.Contains(table.String(), "versicolor") {
		t.Error(table)
	}
}

// TestClassifierUpdate: labels may arrive in a stream, also to a Classifier that was loaded.
func TestClassifierUpdate(t *testing.T) {
	X, labels := perceptron.IrisNames(t)
	var c dense
	order := rand.New(rand.NewPCG(1, 0))
	for range 20 {
		for _, i := range order.Perm(len(X)) {
			must(c.Update(X[i], labels[i]))(t)
		}
	}
	if a := must(perceptron.Accuracy(&c, X, labels))(t); a < 0.9 || len(c.Labels) != 3 || c.Scaling.Mean != nil {
		t.Error(a, c.Labels)
	}
	must(c.Fit(X[:100], labels[:100]))(t)
	d := c // a copy by value
	must(c.Update(X[149], "virginica"))(t)
	if got := c.Labels; !slices.Equal(got, perceptron.Species) || len(d.Labels) != 2 {
		t.Error(got, d.Labels)
	}
	_ = must(c.Predict(X[149]))(t)
	if _, err := d.Predict(X[149]); !errors.Is(err, perceptron.ErrConfig) { // Model has a third class
		t.Error(err)
	}
}

// TestClassifierOneLabel: a binary model that has seen one label predicts it, whatever the score.
func TestClassifierOneLabel(t *testing.T) {
	c := dense{Model: new(perceptron.Online)}
	must(c.Update([]float64{1, 2}, "only"))(t)
	for _, x := range [][]float64{{1, 2}, {-9, -9}} {
		perceptron.Diff(t, "the label", must(c.Predict(x))(t), "only")
	}
	if scores := must(c.Scores(nil, []float64{-9, -9}))(t); scores[0] < 0 {
		t.Errorf("%v: the other case is untested", scores)
	}
}

// classifierCalls are all that may fail, for rows that are right.
func classifierCalls[R []float64 | perceptron.Sparse](c *perceptron.Classifier[R], x, other R) map[string]func() error {
	return map[string]func() error{
		"Fit":           func() error { _, err := c.Fit([]R{x, other}, []string{"a", "b"}); return err },
		"Update":        func() error { _, err := c.Update(x, "a"); return err },
		"Predict":       func() error { _, err := c.Predict(x); return err },
		"Scores":        func() error { _, err := c.Scores(nil, x); return err },
		"MarshalBinary": func() error { _, err := c.MarshalBinary(); return err },
		"MarshalJSON":   func() error { _, err := c.MarshalJSON(); return err },
		"Save":          func() error { return c.Save(filepath.Join("no such directory", "c")) },
	}
}

// wrong calls everything on c, whose fields contradict each other, and compares the errors.
func wrong[R []float64 | perceptron.Sparse](t *testing.T, what string, c *perceptron.Classifier[R], x, other R, except string, want error) {
	t.Helper()
	for name := range classifierCalls(c, x, other) {
		d := c.Clone()
		err := classifierCalls(d, x, other)[name]()
		if name != except {
			perceptron.Diff(t, what+": the model after "+name, string(must(json.Marshal(d.Model))(t)), string(must(json.Marshal(c.Model))(t)))
		}
		if name != except && !errors.Is(err, want) || name == except && err != nil {
			t.Errorf("%s: %s: %v, want %v but for %q", what, name, err, want, except)
		}
	}
}

// TestClassifierFields: fields that contradict each other are an error of every call.
func TestClassifierFields(t *testing.T) {
	X := [][]float64{{1, 2}, {3, -4}}
	rows := []perceptron.Sparse{{Index: []uint32{0, 1}, Value: X[0]}, {Index: []uint32{0, 1}, Value: X[1]}}
	labels := []string{"a", "b"}
	for what, change := range map[string]func(c *dense){
		"a negative scale":       func(c *dense) { c.Scaling.Scale[1] = -1 },
		"a scale of 0":           func(c *dense) { c.Scaling.Scale[0] = 0 },
		"an infinite scale":      func(c *dense) { c.Scaling.Scale[0] = math.Inf(1) },
		"a NaN scale":            func(c *dense) { c.Scaling.Scale[1] = math.NaN() },
		"a NaN mean":             func(c *dense) { c.Scaling.Mean[1] = math.NaN() },
		"an infinite mean":       func(c *dense) { c.Scaling.Mean[1] = math.Inf(-1) },
		"a label too many":       func(c *dense) { c.Labels = append(c.Labels, "c") },
		"a label too few":        func(c *dense) { c.Labels = c.Labels[:1] },
		"labels without a model": func(c *dense) { c.Model = nil },
		"labels of an untrained": func(c *dense) { c.Model = new(perceptron.OneVsRest) },
		"other classes":          func(c *dense) { c.Model = new(perceptron.Multiclass); must(c.Model.Fit(X, []int{0, 2}))(t) },
		"no label of a binary": func(c *dense) {
			c.Model = new(perceptron.Online)
			must(c.Model.Fit(X, []int{1, -1}))(t)
			c.Labels = nil
		},
		"three labels of a binary": func(c *dense) {
			c.Model = new(perceptron.Online)
			must(c.Model.Fit(X, []int{1, -1}))(t)
			c.Labels = perceptron.Species
		},
	} {
		var c dense
		must(c.Fit(X, labels))(t)
		change(&c)
		wrong(t, what, &c, X[0], X[1], "Fit", perceptron.ErrConfig)
	}
	for what, change := range map[string]func(c *dense){
		"a Width":           func(c *dense) { c.Width = 2 },
		"a negative Width":  func(c *dense) { c.Width = -1 },
		"a foreign model":   func(c *dense) { c.Model = struct{ *perceptron.Online }{new(perceptron.Online)} },
		"a foreign pointer": func(c *dense) { c.Model = &struct{ perceptron.Multiclass }{} },
	} {
		var c dense
		must(c.Fit(X, labels))(t)
		change(&c)
		wrong(t, what, &c, X[0], X[1], "", perceptron.ErrConfig)
	}
	var s perceptron.Classifier[perceptron.Sparse]
	must(s.Fit(rows, labels))(t)
	s.Scaling = perceptron.Scaling{Mean: []float64{0, 0}, Scale: []float64{1, 1}}
	wrong(t, "sparse rows with a Scaling", &s, rows[0], rows[1], "", perceptron.ErrConfig)
	s.Scaling.Mean = nil
	wrong(t, "sparse rows with a Scale", &s, rows[0], rows[1], "", perceptron.ErrConfig)
	s.Width, s.Scaling = 3, perceptron.Scaling{}
	wrong(t, "another Width", &s, rows[0], rows[1], "Fit", perceptron.ErrDimension)
	for _, width := range []int{-1, math.MaxInt} {
		u := perceptron.Classifier[perceptron.Sparse]{Width: width}
		wrong(t, "an illegal Width", &u, rows[0], rows[1], "", perceptron.ErrConfig)
	}
	var c dense
	must(c.Fit(X, labels))(t)
	c.Scaling.Scale = c.Scaling.Scale[:1]
	wrong(t, "a scale too few", &c, X[0], X[1], "Fit", perceptron.ErrDimension)
	c = dense{}
	must(c.Fit([][]float64{{1}, {2}}, labels))(t)
	c.Scaling.Mean = nil
	wrong(t, "a mean too few", &c, []float64{1}, []float64{2}, "Fit", perceptron.ErrDimension)
	c = dense{Model: new(perceptron.Batch)}
	must(c.Fit(X, labels))(t)
	if _, err := c.Update(X[0], "a"); !errors.Is(err, perceptron.ErrConfig) {
		t.Error(err)
	}
	c = dense{Scaling: perceptron.Scaling{Mean: []float64{}}} // is zero
	must(c.Update(X[0], "a"))(t)
	perceptron.Diff(t, "the label", must(c.Predict(X[0]))(t), "a")
	for _, name := range []string{"Predict", "Scores"} {
		if err := classifierCalls(new(dense), X[0], X[1])[name](); !errors.Is(err, perceptron.ErrUntrained) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestClassifierClone: a clone shares nothing.
func TestClassifierClone(t *testing.T) {
	X, labels := perceptron.IrisNames(t)
	var c dense
	perceptron.Diff(t, "the zero value's", *c.Clone(), c)
	must(c.Fit(X[:100], labels[:100]))(t)
	before, d := must(c.MarshalJSON())(t), c.Clone()
	perceptron.Diff(t, "the clone", string(must(d.MarshalJSON())(t)), string(before))
	d.Labels[0], d.Scaling.Mean[0], d.Scaling.Scale[0] = "x", 7, 7
	must(d.Update(X[149], "virginica"))(t)
	perceptron.Diff(t, "the original", string(must(c.MarshalJSON())(t)), string(before))
	perceptron.Diff(t, "the clone's labels", d.Labels, []string{"x", "versicolor", "virginica"})
	foreign := dense{Model: struct{ *perceptron.Online }{}}
	perceptron.Diff(t, "a foreign model stays", foreign.Clone().Model == foreign.Model, true)
}

// TestClassifierErrors: an error leaves the Classifier as it was.
func TestClassifierErrors(t *testing.T) {
	X, labels := perceptron.IrisNames(t)
	nan := [][]float64{{1, 2}, {math.NaN(), 1}}
	for i, test := range []struct {
		c      dense
		X      [][]float64
		labels []string
		want   error
	}{
		{dense{}, nil, nil, perceptron.ErrEmpty},
		{dense{}, X, labels[1:], perceptron.ErrDimension},
		{dense{}, X[:50], labels[:50], perceptron.ErrLabel},
		{dense{}, nan, []string{"a", "b"}, perceptron.ErrNotFinite},
		{dense{}, nan[:1], []string{"a\xff"}, perceptron.ErrLabel},
		{dense{Raw: true}, nan, []string{"a", "b"}, perceptron.ErrNotFinite},
		{dense{}, [][]float64{{1.7e308}, {-1.7e308}, {-1.7e308}}, []string{"a", "b", "b"}, perceptron.ErrNotFinite}, // x − mean overflows
		{dense{Model: new(perceptron.Online)}, X[:101], labels[:101], perceptron.ErrLabel},
	} {
		before := test.c
		_, err := test.c.Fit(test.X, test.labels)
		if !errors.Is(err, test.want) || !reflect.DeepEqual(test.c, before) {
			t.Errorf("%d: %v, want %v", i, err, test.want)
		}
		if at := (*perceptron.ExampleError)(nil); errors.Is(err, perceptron.ErrLabel) && errors.As(err, &at) && at.Index != len(test.labels)-1 {
			t.Errorf("%d: %v, want the index of the last label", i, err)
		} else if at == nil && errors.Is(err, perceptron.ErrLabel) && !strings.HasSuffix(err.Error(), `every label is "setosa", want at least two classes`) {
			t.Errorf("%d: %v", i, err)
		}
		if _, err := test.c.Predict(X[0]); err == nil {
			t.Errorf("%d: a prediction", i)
		}
	}
	var c dense
	if _, err := c.Update(nan[1], "a"); !errors.Is(err, perceptron.ErrNotFinite) || c.Labels != nil || c.Model != nil {
		t.Error(err, c.Labels)
	}
	if _, err := c.Update(nil, "a"); !errors.Is(err, perceptron.ErrEmpty) {
		t.Error(err)
	}
}

// TestClassifierAllocations: reads allocate nothing.
func TestClassifierAllocations(t *testing.T) {
	X, labels := perceptron.IrisNames(t)
	c, raw, dst := dense{}, dense{Raw: true}, make([]float64, 0, 3)
	must(c.Fit(X, labels))(t)
	must(raw.Fit(X, labels))(t)
	bent := dense{Waves: perceptron.Waves{Count: 40}}
	must(bent.Fit(X, labels))(t)
	for name, call := range map[string]func(){
		"Waves":   func() { bent.Predict(X[0]); bent.Update(X[0], labels[0]) },
		"Predict": func() { c.Predict(X[0]) },
		"raw":     func() { raw.Predict(X[0]) },
		"Scores":  func() { c.Scores(dst, X[0]) },
		"Update":  func() { c.Update(X[0], labels[0]) },
	} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	s := perceptron.Classifier[perceptron.Sparse]{Width: 9}
	row := perceptron.Sparse{Index: []uint32{1, 5}, Value: []float64{1, 1}}
	must(s.Update(row, "a"))(t)
	must(s.Update(row, "b"))(t)
	for name, call := range map[string]func(){"Predict": func() { s.Predict(row) }, "Update": func() { s.Update(row, "a") }} {
		if n := testing.AllocsPerRun(100, call); n != 0 {
			t.Errorf("sparse %s: %v allocations", name, n)
		}
	}
}

// TestClassifierThreshold: a nil Model gets the θ that its rows ask for.
func TestClassifierThreshold(t *testing.T) {
	theta := func(m perceptron.Model) float64 {
		switch p := m.(*perceptron.Multiclass).Binary.(type) {
		case *perceptron.Margin:
			perceptron.Diff(t, "the fields", perceptron.Margin{Keep: p.Keep, Order: p.Order, MaxEpochs: p.MaxEpochs, Threshold: p.Threshold}, *p)
			perceptron.Diff(t, "the recipe", []any{p.Keep, p.Order, p.MaxEpochs}, []any{perceptron.Average, perceptron.Shuffled, 20})
			return p.Threshold
		case *perceptron.Online:
			perceptron.Diff(t, "the recipe", *p, perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20})
		}
		return 0
	}
	X, labels := [][]float64{{1, 2, 3}, {3, -4, 5}}, []string{"a", "b"}
	rows := perceptron.SparseOf(X)
	for want, raw := range map[float64]bool{4: false, 0: true} {
		c := dense{Raw: raw}
		must(c.Fit(X, labels))(t)
		perceptron.Diff(t, "θ of dense rows", theta(c.Model), want)
	}
	for want, raw := range map[float64]bool{2: false, 0: true} {
		fitted, updated := perceptron.Classifier[perceptron.Sparse]{Raw: raw}, perceptron.Classifier[perceptron.Sparse]{Raw: raw, Width: 3}
		must(fitted.Fit(rows, labels))(t)
		must(updated.Update(rows[0], "a"))(t)
		perceptron.Diff(t, "θ of sparse rows", []float64{theta(fitted.Model), theta(updated.Model)}, []float64{want, want})
	}
	var c dense
	must(c.Update(X[0], "a"))(t)
	perceptron.Diff(t, "θ of rows that nothing scales", theta(c.Model), 0)
	c = dense{Scaling: must(perceptron.Standardize(X))(t)}
	must(c.Update(X[0], "a"))(t)
	perceptron.Diff(t, "θ of a Scaling", theta(c.Model), 4)
}

// TestClassifierRaw: under Raw, reads and Update use a row as it is, also if there is a Scaling. A
// change of Raw after training changes what a row is, and not the Scaling.
func TestClassifierRaw(t *testing.T) {
	X, labels := [][]float64{{30, 400}, {-30, 500}}, []string{"a", "b"}
	var c dense
	must(c.Fit(X, labels))(t)
	scaled := must(c.Scores(nil, X[0]))(t)
	c.Raw = true
	perceptron.Diff(t, "scores of a raw row", must(c.Scores(nil, X[0]))(t), must(c.Model.(*perceptron.Multiclass).Scores(nil, X[0]))(t))
	if slices.Equal(must(c.Scores(nil, X[0]))(t), scaled) {
		t.Error("the Scaling changes nothing")
	}
	other := c.Model.(*perceptron.Multiclass).Clone()
	must(c.Update(X[1], "b"))(t)
	must(other.Update(X[1], 1))(t)
	perceptron.Diff(t, "scores after Update", must(c.Scores(nil, X[0]))(t), must(other.Scores(nil, X[0]))(t))
	var loaded dense
	must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
	perceptron.Diff(t, "the scaling", loaded.Scaling, c.Scaling)
	must(c.Fit(X, labels))(t)
	perceptron.Diff(t, "the Scaling of a raw Fit", c.Scaling, perceptron.Scaling{})
}

// TestClassifierRepeated: two classes may have one label for predictions. It cannot be learned or
// saved.
func TestClassifierRepeated(t *testing.T) {
	X := [][]float64{{1, 0}, {-1, 1}, {0, -2}}
	var c dense
	must(c.Fit(X, []string{"a", "b", "c"}))(t)
	c.Labels = []string{"x", "y", "y"}
	perceptron.Diff(t, "the labels", must(perceptron.PredictAll(nil, &c, X))(t), c.Labels)
	_, errUpdate := c.Update(X[1], "y")
	_, errOther := c.Update(X[0], "x")
	_, errSave := c.MarshalBinary()
	for _, err := range []error{errUpdate, errOther, errSave} {
		if !errors.Is(err, perceptron.ErrConfig) || !strings.Contains(err.Error(), "repeated") {
			t.Error(err)
		}
	}
}

// TestClassifierRefit: Fit chooses θ anew for its rows, also if it was loaded or other fields of Model
// have changed. A Model that is not its own choice keeps its fields.
func TestClassifierRefit(t *testing.T) {
	wide, narrow, labels := [][]float64{{1, 2, 3}, {3, -4, 5}}, [][]float64{{1}, {2}}, []string{"a", "b"}
	theta := func(c *dense) float64 {
		if m, ok := c.Model.(*perceptron.Multiclass).Binary.(*perceptron.Margin); ok {
			return m.Threshold
		}
		return 0
	}
	var c dense
	must(c.Update(wide[0], "a"))(t)
	for _, fit := range []struct {
		X    [][]float64
		raw  bool
		want float64
	}{{wide, false, 4}, {narrow, false, 2}, {wide, true, 0}, {wide, false, 4}} {
		c.Raw = fit.raw
		must(c.Fit(fit.X, labels))(t)
		perceptron.Diff(t, "θ", theta(&c), fit.want)
		var loaded dense
		must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		for _, d := range []*dense{&loaded, c.Clone()} {
			d.Raw = false
			must(d.Fit(narrow, labels))(t)
			perceptron.Diff(t, "θ after loading or Clone", theta(d), 2)
		}
	}
	m := c.Model.(*perceptron.Multiclass).Binary.(*perceptron.Margin)
	m.MaxEpochs, m.Seed = 3, 9
	text, _ := must(json.Marshal(&c))(t), must(c.Fit(narrow, labels))(t)
	m = c.Model.(*perceptron.Multiclass).Binary.(*perceptron.Margin)
	perceptron.Diff(t, "θ and changed fields", []float64{theta(&c), float64(m.MaxEpochs), float64(m.Seed)}, []float64{2, 3, 9})
	m.Threshold = 4.5
	must(c.Fit(wide, labels))(t)
	perceptron.Diff(t, "a changed θ", theta(&c), 4.5)
	must(0, json.Unmarshal(text, &c))(t)
	must(c.Fit(narrow, labels))(t)
	perceptron.Diff(t, "θ after loading", theta(&c), 2)
	own := &perceptron.Multiclass{Binary: &perceptron.Margin{Threshold: 7, Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}}
	for _, X := range [][][]float64{wide, narrow} {
		c = dense{Model: own}
		must(c.Fit(X, labels))(t)
		perceptron.Diff(t, "the user's Model stays", c.Model == perceptron.Model(own) && theta(&c) == 7, true)
	}
}
