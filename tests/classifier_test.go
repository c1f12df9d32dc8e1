package tests_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

type dense = perceptron.Classifier[[]float64]

// TestClassifierRecipe: the zero value is Standardize and the recommended model, bit for bit.
func TestClassifierRecipe(t *testing.T) {
	set := naive.Iris(t)
	X, labels := irisNames(t)
	var c dense
	res := must(c.Fit(X, labels))(t)
	scaling := must(perceptron.Standardize(X))(t)
	m := &perceptron.Multiclass{Binary: &perceptron.Margin{Threshold: 5, Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}}
	if want := must(m.Fit(must(scaling.ApplyAll(X))(t), set.Y))(t); res != want {
		t.Errorf("%+v, want %+v", res, want)
	}
	for _, x := range X {
		z := must(scaling.Apply(nil, x))(t)
		if got, want := must(c.Predict(x))(t), species[must(m.Predict(z))(t)]; got != want {
			t.Errorf("%v, want %v", got, want)
		}
		if got, want := must(c.Scores(nil, x))(t), must(m.Scores(nil, z))(t); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	table := must(perceptron.Evaluate(&c, X, labels))(t)
	if !slices.Equal(table.Classes, species) || table.Recall("setosa") != 1 || !strings.Contains(table.String(), "versicolor") {
		t.Error(table)
	}
}

// TestClassifierUpdate: labels may arrive in a stream, also to a Classifier that was loaded.
func TestClassifierUpdate(t *testing.T) {
	X, labels := irisNames(t)
	c := dense{Raw: true}
	order := rand.New(rand.NewPCG(1, 0))
	for range 20 {
		for _, i := range order.Perm(len(X)) {
			must(c.Update(X[i], labels[i]))(t)
		}
	}
	if a := must(perceptron.Accuracy(&c, X, labels))(t); a < 0.9 || len(c.Labels()) != 3 {
		t.Error(a, c.Labels())
	}
	must(c.Fit(X[:100], labels[:100]))(t)
	must(c.Update(X[149], "virginica"))(t)
	exactly(t, "labels", c.Labels(), species)
	_ = must(c.Predict(X[149]))(t)
}

// TestClassifierOneLabel: a binary model that has seen one label predicts it, whatever the score.
func TestClassifierOneLabel(t *testing.T) {
	c := dense{Model: new(perceptron.Online), Raw: true}
	must(c.Update([]float64{1, 2}, "only"))(t)
	for _, x := range [][]float64{{1, 2}, {-9, -9}} {
		exactly(t, "the label", must(c.Predict(x))(t), "only")
	}
	if scores := must(c.Scores(nil, []float64{-9, -9}))(t); scores[0] < 0 {
		t.Errorf("%v: the other case is untested", scores)
	}
}

// TestClassifierClone: a clone shares nothing.
func TestClassifierClone(t *testing.T) {
	X, labels := irisNames(t)
	var c dense
	exactly(t, "the zero value's", *c.Clone(), c)
	must(c.Fit(X[:100], labels[:100]))(t)
	before, d := must(c.MarshalJSON())(t), c.Clone()
	exactly(t, "the clone", string(must(d.MarshalJSON())(t)), string(before))
	must(d.Update(X[149], "virginica"))(t)
	exactly(t, "the original", string(must(c.MarshalJSON())(t)), string(before))
	exactly(t, "the clone's labels", d.Labels(), species)
	c = dense{Model: &perceptron.OneVsRest{Binary: &perceptron.Online{Seed: 1}}, Scaling: perceptron.Scaling{Mean: []float64{1}, Scale: []float64{2}}}
	d = c.Clone()
	d.Scaling.Mean[0], d.Scaling.Scale[0], d.Model.(*perceptron.OneVsRest).Binary.(*perceptron.Online).Seed = 7, 7, 7
	exactly(t, "the fields", fmt.Sprint(c.Scaling, c.Model.(*perceptron.OneVsRest).Binary.(*perceptron.Online).Seed), "{[1] [2] [[] []]} 1")
	foreign := dense{Model: struct{ *perceptron.Online }{}}
	exactly(t, "a foreign model stays", foreign.Clone().Model == foreign.Model, true)
}

// TestClassifierErrors: an error leaves the Classifier as it was.
func TestClassifierErrors(t *testing.T) {
	X, labels := irisNames(t)
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
	c := dense{Raw: true}
	if _, err := c.Update(nan[1], "a"); !errors.Is(err, perceptron.ErrNotFinite) || !reflect.DeepEqual(c, dense{Raw: true}) {
		t.Error(err, c)
	}
	if _, err := c.Update(nil, "a"); !errors.Is(err, perceptron.ErrEmpty) {
		t.Error(err)
	}
}

// TestClassifierAllocations: reads allocate nothing.
func TestClassifierAllocations(t *testing.T) {
	X, labels := irisNames(t)
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

type texts = perceptron.Classifier[perceptron.Sparse]

// TestClassifierThreshold: a nil Model stands for the recipe, with the θ that fits the rows.
func TestClassifierThreshold(t *testing.T) {
	X, labels := [][]float64{{1, 2, 3}, {3, -4, 5}}, []string{"a", "b"}
	rows := sparse(X)
	scaling := must(perceptron.Standardize(X))(t)
	for _, test := range []struct {
		c    dense
		want float64
	}{{dense{}, 4}, {dense{Raw: true}, 0}, {dense{Scaling: scaling}, 4}, {dense{Scaling: scaling, Raw: true}, 0}, {dense{Waves: perceptron.Waves{Count: 4}}, 8. / 3}} {
		fitted, updated := test.c, test.c
		must(fitted.Fit(X, labels))(t)
		theta(t, &fitted, test.want)
		if test.c.Raw || test.c.Scaling.Mean != nil {
			must(updated.Update(X[0], "a"))(t)
			theta(t, &updated, test.want)
		}
		must(fitted.Fit([][]float64{{1, 2}, {3, 4}}, labels))
	}
	for want, raw := range map[float64]bool{2: false, 0: true} {
		fitted, updated := texts{Raw: raw}, texts{Raw: raw, Width: 3}
		must(fitted.Fit(rows, labels))(t)
		must(updated.Update(rows[0], "a"))(t)
		theta(t, &fitted, want)
		theta(t, &updated, want)
	}
	var c dense // another Fit chooses θ for its rows
	for _, d := range []int{3, 1, 3} {
		must(c.Fit([][]float64{X[0][:d], X[1][:d]}, labels))(t)
		theta(t, &c, float64(d+1))
	}
}

// theta compares the fields of the model that c has trained with the recipe for a θ. After Fit, it has a Window.
func theta[R []float64 | perceptron.Sparse](t *testing.T, c *perceptron.Classifier[R], want float64) {
	t.Helper()
	m, _, _, _ := c.Parts()
	switch p := m.(*perceptron.Multiclass).Binary.(type) {
	case *perceptron.Margin:
		exactly(t, "the recipe", *p, perceptron.Margin{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Threshold: want, Window: p.Window})
	case *perceptron.Online:
		exactly(t, "the recipe", *p, perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Window: p.Window})
		exactly(t, "θ", 0, want)
	}
}

// TestClassifierRaw: under Raw, rows are used as they are, even if there is a Scaling.
func TestClassifierRaw(t *testing.T) {
	X, labels := [][]float64{{30, 400}, {-30, 500}}, []string{"a", "b"}
	raw := dense{Raw: true, Scaling: must(perceptron.Standardize(X))(t)}
	must(raw.Fit(X, labels))(t)
	m := &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20}}
	must(m.Fit(X, []int{0, 1}))(t)
	exactly(t, "scores", must(raw.Scores(nil, X[0]))(t), must(m.Scores(nil, X[0]))(t))
}

// TestClassifierString: one line.
func TestClassifierString(t *testing.T) {
	X, labels := irisNames(t)
	var c dense
	exactly(t, "untrained", fmt.Sprint(&c), "Classifier: untrained")
	must(c.Fit(X, labels))(t)
	exactly(t, "trained", c.String(), "Classifier of 3 labels: Multiclass of Margin with Threshold: 3 classes, width 4, Affine, Average, examples: 3000, passes: 20")
}

// TestClassifierLeastWidth: in Fit, Width 0 means a power of two above the highest index, so that most later rows fit.
func TestClassifierLeastWidth(t *testing.T) {
	for high, want := range map[uint32]int{0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 1000: 1024, 1<<18 - 10: 1 << 18} {
		rows := []perceptron.Sparse{{Index: []uint32{0, high}[min(1, 1-min(1, int(high))):], Value: []float64{1, 1}[min(1, 1-min(1, int(high))):]}, {}}
		for range 2 {
			var c texts
			must(c.Fit(rows, []string{"a", "b"}))(t)
			last := perceptron.Sparse{Index: []uint32{uint32(want - 1)}, Value: []float64{1}}
			must(c.Predict(last))(t)
			last.Index[0]++
			if _, err := c.Predict(last); !errors.Is(err, perceptron.ErrDimension) {
				t.Errorf("highest index %d: %v", high, err)
			}
		}
	}
}

// TestClassifierValidate compares with folds made by hand: fold i has the i-th part of each label's rows.
func TestClassifierValidate(t *testing.T) {
	X, labels := irisNames(t)
	order := rand.New(rand.NewPCG(79, 2)).Perm(len(X))[:70]
	var Z [][]float64
	var names []string
	for _, i := range order {
		Z, names = append(Z, X[i]), append(names, labels[i])
	}
	Z, names = append(Z, []float64{1, 2, 3, 4}), append(names, "once")
	validated(t, &dense{}, Z, names)
	validated(t, &dense{Model: &perceptron.OneVsRest{Binary: &perceptron.Online{Seed: 4, Order: perceptron.Shuffled}}, Raw: true}, Z, names)
	validated(t, &dense{Waves: perceptron.Waves{Count: 5}, Scaling: must(perceptron.Standardize(X))(t)}, Z, names)
	validated(t, &texts{}, sparse(Z), names)
	validated(t, &texts{Width: 9}, sparse(Z), names)

	var c dense
	for i, test := range []struct {
		X      [][]float64
		labels []string
		folds  int
		want   error
		at     int
	}{
		{nil, nil, 2, perceptron.ErrEmpty, -1}, {X, labels[1:], 2, perceptron.ErrDimension, -1}, {X, labels, 1, perceptron.ErrConfig, -1},
		{X, labels, -3, perceptron.ErrConfig, -1}, {X[:9], labels[:9], 10, perceptron.ErrConfig, -1}, {X[:9], labels[:9], 3, perceptron.ErrLabel, -1},
		{[][]float64{{1}, {2}, {3}, {math.NaN()}}, []string{"a", "b", "a", "b"}, 2, perceptron.ErrNotFinite, 3},
		{[][]float64{{1}, {math.NaN()}, {3}, {2}}, []string{"a", "b", "a", "b"}, 2, perceptron.ErrNotFinite, 1},
		{[][]float64{{1}, {2, 3}, {3}, {2}}, []string{"a", "b", "a", "b"}, 2, perceptron.ErrDimension, 1},
	} {
		_, err := c.Validate(test.X, test.labels, test.folds)
		at := (*perceptron.ExampleError)(nil)
		if !errors.Is(err, test.want) || errors.As(err, &at) != (test.at >= 0) || at != nil && at.Index != test.at {
			t.Errorf("%d: %v, want %v at %d", i, err, test.want, test.at)
		}
	}
	exactly(t, "the Classifier", c, dense{})
}

// validated compares Validate with a sum over folds.
func validated[R []float64 | perceptron.Sparse](t *testing.T, c *perceptron.Classifier[R], X []R, labels []string) {
	t.Helper()
	must(c.Fit(X, labels))(t)
	before := must(c.MarshalBinary())(t)
	for _, folds := range []int{2, 3, 10, len(X)} {
		want := map[string]int{}
		for k := range folds {
			d := perceptron.Classifier[R]{Model: c.Model, Scaling: c.Scaling, Waves: c.Waves, Raw: c.Raw, Width: c.Width}
			var trainX, testX []R
			var train, test []string
			for i, label := range labels {
				same, before := 0, 0
				for j, other := range labels {
					if other == label {
						if same++; j < i {
							before++
						}
					}
				}
				if before*folds/same == k {
					testX, test = append(testX, X[i]), append(test, label)
				} else {
					trainX, train = append(trainX, X[i]), append(train, label)
				}
			}
			must(d.Fit(trainX, train))(t)
			for i, x := range testX {
				want[test[i]+" as "+must(d.Predict(x))(t)]++
			}
		}
		table := must(c.Validate(X, labels, folds))(t)
		got := map[string]int{}
		for i, of := range table.Classes {
			for j, as := range table.Classes {
				if n := table.Counts[i][j]; n > 0 {
					got[of+" as "+as] = n
				}
			}
		}
		exactly(t, fmt.Sprint(folds, " folds"), got, want)
	}
	exactly(t, "the Classifier", string(must(c.MarshalBinary())(t)), string(before))
}
