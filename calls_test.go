package perceptron

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// alone returns the error of a call. It fails the test if the call returned a value beside it.
func alone[T any](v T, err error) func(testing.TB) error {
	return func(t testing.TB) error {
		t.Helper()
		if err != nil && !reflect.ValueOf(v).IsZero() {
			t.Errorf("%+v beside the error %v", v, err)
		}
		return err
	}
}

// deviations returns D and L as one value.
func deviations(h Hyperplane, X [][]float64, y []int, s Space, gamma float64) ([2]float64, error) {
	D, L, err := Deviations(h, X, y, s, gamma)
	return [2]float64{D, L}, err
}

// TestErrorBounds: every function of rows rejects bad rows, counts, labels and spaces alike.
func TestErrorBounds(t *testing.T) {
	nan, top := math.NaN(), math.MaxFloat64
	h, proof := Hyperplane{Weights: []float64{3, 4}}, must(Separate(certified.X, certified.Y, Linear))(t)
	pair := Hyperplanes{[]int{-1, +1}, []Hyperplane{{Weights: []float64{0, 0}}, h}}
	// Each function returns the errors of some calls.
	type calls func(X [][]float64, y []int, s Space) []error
	rows := func(X [][]float64, _ []int, s Space) []error { return []error{alone(Radius(X, s))(t)} }
	scaling := func(X [][]float64, _ []int, _ Space) []error {
		return []error{alone(Standardize(X))(t), alone(Scaling{}.ApplyAll(X))(t)}
	}
	evaluation := func(X [][]float64, y []int, _ Space) []error {
		return []error{alone(Accuracy(h, X, y))(t), alone(Evaluate(h, X, y))(t)}
	}
	margins := func(X [][]float64, y []int, s Space) []error {
		return []error{alone(Gamma(h, X, y, s))(t), alone(MulticlassGamma(pair, X, y, s))(t)}
	}
	signed := func(X [][]float64, y []int, s Space) []error {
		proof.Space = s
		return []error{alone(Gamma(h, X, y, s))(t), alone(deviations(h, X, y, s, 1))(t), alone(Separate(X, y, s))(t), Verify(proof, X, y)}
	}
	classes := func(X [][]float64, y []int, s Space) []error {
		return []error{alone(MulticlassGamma(pair, X, y, s))(t)}
	}
	all := []calls{rows, scaling, evaluation, signed, classes}
	long := [][]float64{{top, top}, {top, top}}
	for _, c := range []struct {
		by []calls
		X  [][]float64
		y  []int
		s  Space
		want
	}{
		{all, nil, nil, Affine, want{ErrEmpty, -1, "empty: no rows"}},
		{all, bad([]float64{}...), XOR.Y, Affine, want{ErrEmpty, 2, "empty: the row has no features"}},
		{[]calls{rows, scaling}, [][]float64{nil, nil}, XOR.Y, Affine, want{ErrEmpty, 0, "empty: the row has no features"}},
		{all, bad(1), XOR.Y, Affine, want{ErrDimension, 2, "dimension mismatch: width 1, want 2"}},
		{[]calls{margins, evaluation}, [][]float64{{1, 2, 3}, {1, 2, 3}}, XOR.Y[:2], Affine, want{ErrDimension, 0, "dimension mismatch: width 3, want 2"}},
		{all, bad(-inf, 1), XOR.Y, Linear, want{ErrNotFinite, 2, "not finite: feature 0 is -Inf"}},
		{all, bad(1, nan), XOR.Y, Affine, want{ErrNotFinite, 2, "not finite: feature 1 is NaN"}},
		{[]calls{evaluation, signed, classes}, XOR.X, []int{1}, Affine, want{ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1"}},
		{[]calls{signed}, XOR.X[:2], []int{1, 0}, Affine, want{ErrLabel, 1, "bad label: 0, want +1 or -1; Multiclass takes any int, and Classifier any string"}},
		{[]calls{classes}, XOR.X[:2], []int{1, 9}, Affine, want{ErrLabel, 1, "bad label: 9, want one of the classes"}},
		{[]calls{rows, signed, classes}, XOR.X, XOR.Y, 2, want{ErrConfig, -1, "bad configuration: Space is 2, want one of Affine, Linear"}},
		{[]calls{rows}, long, nil, Linear, want{ErrNotFinite, -1, "not finite: R overflows, though every feature is finite"}},
		{[]calls{margins}, long, []int{-1, -1}, Linear, want{ErrNotFinite, -1, "not finite: the margin overflows, though every feature is finite"}},
	} {
		for _, call := range c.by {
			checkErrors(t, c.kind, c.index, c.text, call(c.X, c.y, c.s)...)
		}
	}
	want{ErrNotFinite, -1, "not finite: R overflows, though every feature is finite"}.check(t, only(Separate(long, []int{1, 1}, Linear)))
	for _, gamma := range []float64{-1, inf} {
		w := want{ErrConfig, -1, fmt.Sprintf("bad configuration: gamma is %v, want a finite number of at least 0", gamma)}
		w.check(t, alone(deviations(h, XOR.X, XOR.Y, Linear, gamma))(t))
	}
	third := []float64{-top / 3} // D is √4 times as much, and L four times
	for _, X := range [][][]float64{{{-top}, {-top}}, {third, third, third, third}} {
		w := want{ErrNotFinite, -1, "not finite: the deviations overflow, though every feature is finite"}
		w.check(t, alone(deviations(Hyperplane{Weights: []float64{1}}, X, slices.Repeat([]int{1}, len(X)), Linear, 1))(t))
	}
}

// TestErrorEvaluate: Accuracy and Evaluate reject a nil predictor, and return the predictor's
// errors with the index of the row.
func TestErrorEvaluate(t *testing.T) {
	absent := want{ErrConfig, -1, "bad configuration: the predictor is nil"}
	for p, w := range map[Predictor]want{
		nil: absent, (*Online)(nil): absent, (*Multiclass)(nil): absent, (*Hyperplane)(nil): absent,
		new(OneVsRest): {ErrUntrained, 0, "untrained model: it has seen no example"},
	} {
		w.check(t, alone(Accuracy(p, XOR.X, XOR.Y))(t))
		w.check(t, alone(Evaluate(p, XOR.X, XOR.Y))(t))
	}
}

// TestErrorHyperplane: every function of a hyperplane, or of several, rejects bad numbers and rows.
func TestErrorHyperplane(t *testing.T) {
	plane := func(b float64, w ...float64) Hyperplane { return Hyperplane{w, b} }
	nan, top := math.NaN(), math.MaxFloat64
	reads := func(h Hyperplane, x ...float64) []error {
		return []error{alone(h.Score(x))(t), alone(h.Predict(x))(t), alone(h.Distance(x))(t)}
	}
	uses := func(h Hyperplane, s Space) []error {
		return []error{alone(Gamma(h, XOR.X, XOR.Y, s))(t), alone(deviations(h, XOR.X, XOR.Y, s, 1))(t)}
	}
	dst := []float64{7, 7}
	several := func(h Hyperplanes, x ...float64) []error {
		got, err := h.Scores(dst[:1], x)
		if len(got) != 1 || &got[0] != &dst[0] {
			t.Errorf("Scores returns %v with %v", got, err)
		}
		return []error{err, alone(h.Predict(x))(t)}
	}
	two, zero, good := []int{7, 8}, plane(0, 0, 0), plane(0, 1, 2)
	of := func(h ...Hyperplane) Hyperplanes { return Hyperplanes{two, h} }
	margin := func(h Hyperplanes, s Space) error {
		return alone(MulticlassGamma(h, XOR.X, []int{7, 8, 7, 8}, s))(t)
	}
	everywhere := func(h Hyperplanes) []error {
		return append(several(h, 1, 2), margin(h, Affine), only(Scaling{}.UnscaleAll(h)))
	}
	for _, c := range []struct {
		errs []error
		kind error
		text string
	}{
		{slices.Concat(reads(plane(0), 1), uses(plane(0), Affine), []error{only(Scaling{}.Unscale(plane(1)))}), ErrUntrained, "untrained model: the hyperplane has no weights"},
		{append(reads(good, 1), several(of(good, good), 1)...), ErrDimension, "dimension mismatch: width 1, want 2"},
		{append(reads(good), several(of(good, good))...), ErrEmpty, "empty: the row has no features"},
		{append(reads(good, 1, nan), several(of(good, good), 1, nan)...), ErrNotFinite, "not finite: feature 1 is NaN"},
		{reads(good, top, top), ErrNotFinite, scoreText},
		{reads(plane(1, 2), top), ErrNotFinite, scoreText}, // a bias is no error here
		{slices.Concat(reads(plane(0, 1, -inf), 1, 2), uses(plane(0, 1, -inf), Linear)), ErrNotFinite, "not finite: weight 1 is -Inf"},
		{slices.Concat(reads(plane(nan, 1, 2), 1, 2), uses(plane(nan, 1, 2), Affine)), ErrNotFinite, "not finite: the bias is NaN"},
		{[]error{only(plane(0, 0).Distance([]float64{5}))}, ErrNotFinite, "not finite: distance NaN: score 0 over ‖w‖ = 0"},
		{uses(plane(5, 3, 4), Linear), ErrConfig, "bad configuration: the bias is 5 in Linear space, want 0"},
		{uses(zero, Affine), ErrNotFinite, "not finite: the hyperplane is all zero and has no margin"},

		{everywhere(Hyperplanes{}), ErrUntrained, "untrained model: no hyperplanes, or no weights in the first"},
		{everywhere(of(plane(0), plane(0))), ErrUntrained, "untrained model: no hyperplanes, or no weights in the first"},
		{everywhere(of(good)), ErrDimension, "dimension mismatch: len(Planes) is 1, but len(Classes) is 2"},
		{everywhere(of()), ErrDimension, "dimension mismatch: len(Planes) is 0, but len(Classes) is 2"},
		{everywhere(Hyperplanes{nil, []Hyperplane{good}}), ErrDimension, "dimension mismatch: len(Planes) is 1, but len(Classes) is 0"},
		{everywhere(of(good, plane(0, 1, 2, 3))), ErrDimension, "dimension mismatch: the hyperplane of class 8 has 3 weights, want 2"},
		{everywhere(of(good, plane(0))), ErrDimension, "dimension mismatch: the hyperplane of class 8 has 0 weights, want 2"},
		{everywhere(Hyperplanes{[]int{8, 7}, []Hyperplane{good, good}}), ErrConfig, "bad configuration: class 7 follows class 8, want ascending classes"},
		{everywhere(Hyperplanes{[]int{7, 7}, []Hyperplane{good, good}}), ErrConfig, "bad configuration: class 7 follows class 7, want ascending classes"},
		{append(several(of(good, plane(0, 1, nan)), 1, 2), only(Scaling{}.UnscaleAll(of(good, plane(0, 1, nan))))), ErrNotFinite, "not finite: weight 1 is NaN"},
		{[]error{margin(of(good, plane(0, 1, nan)), Affine)}, ErrNotFinite, "not finite: weight 1 is NaN, in the hyperplane of class 8"},
		{[]error{margin(of(plane(-inf, 1, 2), good), Affine)}, ErrNotFinite, "not finite: the bias is -Inf, in the hyperplane of class 7"},
		{[]error{margin(of(good, plane(1, 1, 2)), Linear)}, ErrConfig, "bad configuration: the bias is 1 in Linear space, want 0, in the hyperplane of class 8"},
		{[]error{margin(of(zero, zero), Affine)}, ErrNotFinite, "not finite: every hyperplane is all zero, and they have no margin"},
		{[]error{margin(Hyperplanes{two[:1], []Hyperplane{good}}, Affine)}, ErrLabel, "bad label: 7 is the only class, want at least two classes"},
	} {
		checkErrors(t, c.kind, -1, c.text, c.errs...)
	}
}

// TestErrorScaling: each function of a Scaling rejects bad means and scales, and what overflows.
func TestErrorScaling(t *testing.T) {
	is := func(kind error, text string, errs ...error) {
		t.Helper()
		checkErrors(t, kind, -1, text, errs...)
	}
	all := func(kind error, text string, s Scaling, x ...float64) {
		t.Helper()
		h := Hyperplane{Weights: slices.Repeat([]float64{1}, len(x))}
		is(kind, text, only(s.Apply(nil, x)), only(s.Unscale(h)), only(s.UnscaleAll(Hyperplanes{[]int{1}, []Hyperplane{h}})))
		checkErrors(t, kind, 0, text, only(s.ApplyAll([][]float64{x})))
	}
	pair := func(m, v float64) Scaling { return Scaling{Mean: []float64{0, m}, Scale: []float64{1, v}} }
	all(ErrDimension, "dimension mismatch: len(Mean) is 2, but len(Scale) is 1", Scaling{Mean: []float64{0, 0}, Scale: []float64{1}}, 1, 2)
	all(ErrDimension, "dimension mismatch: len(Mean) is 0, but len(Scale) is 1", Scaling{Scale: []float64{1}}, 1, 2)
	all(ErrDimension, "dimension mismatch: width 1, want 2", pair(0, 1), 1)
	for _, v := range []float64{0, -1, math.NaN(), inf} {
		all(ErrConfig, fmt.Sprintf("bad configuration: mean 1 is 0 and its scale %v, want finite numbers, the scale positive", v), pair(0, v), 1, 2)
	}
	all(ErrConfig, "bad configuration: mean 1 is -Inf and its scale 2, want finite numbers, the scale positive", pair(-inf, 2), 1, 2)

	s, large := pair(0, 1e-300), []float64{1, 1e10}
	is(ErrEmpty, "empty: the row has no features", only(s.Apply(nil, nil)), only(Scaling{}.Apply(nil, nil)))
	is(ErrNotFinite, "not finite: feature 1 is NaN", only(s.Apply(nil, []float64{1, math.NaN()})))
	dst := []float64{7, 8, 9}
	got, err := s.Apply(dst, large)
	if len(got) != 3 || &got[0] != &dst[0] {
		t.Errorf("Apply returns %v with %v", got, err)
	}
	is(ErrNotFinite, "not finite: feature 1 overflows when it is scaled", err)
	checkErrors(t, ErrNotFinite, 1, "not finite: feature 1 overflows when it is scaled", only(s.ApplyAll([][]float64{{1, 1}, large})))
	is(ErrNotFinite, "not finite: weight 1 is +Inf in the hyperplane for raw rows", only(s.Unscale(Hyperplane{Weights: large})))
	ones := Hyperplane{Weights: []float64{1, 1}}
	is(ErrNotFinite, "not finite: the bias is -Inf in the hyperplane for raw rows", only(pair(math.MaxFloat64, 0.5).Unscale(ones)))
	Diff(t, "the bias of zeros", must(s.Unscale(Hyperplane{Weights: []float64{0, 0}}))(t).Bias, 0)
}

// TestUntouched: training, Separate and Scaling do not change their arguments, and do not keep
// them.
func TestUntouched(t *testing.T) {
	// Each function uses a set, and returns one that prints the result.
	uses := map[string]func(set naive.Set) func() string{
		"Separate": func(set naive.Set) func() string {
			s := must(Separate(set.X, set.Y, Affine))(t)
			return func() string { return fmt.Sprint(s) }
		},
		"Scaling": func(set naive.Set) func() string {
			s := must(Standardize(set.X))(t)
			rows, row := must(s.ApplyAll(set.X))(t), must(s.Apply(nil, set.X[0]))(t)
			return func() string { return fmt.Sprint(s, rows, row) }
		},
	}
	for name, b := range binaries(3, 5) {
		models := map[string]model{name: b, name + " in OneVsRest": &OneVsRest{Binary: AsBinary(b)}}
		if joins(b) && startOf(b).isZero() {
			models[name+" in Multiclass"] = &Multiclass{Binary: AsBinary(b)}
		}
		start := startOf(b).clone()
		for name, m := range models {
			uses[name] = func(set naive.Set) func() string {
				must(m.Fit(set.X, set.Y))(t)
				Diff(t, name+": Start", *startOf(b), start)
				return func() string { return snapshot(m) }
			}
		}
	}
	for name, use := range uses {
		set, want := naive.Noisy(1, 40, 3), naive.Noisy(1, 40, 3)
		result := use(set)
		Diff(t, name+": the input", set, want)
		before := result()
		for i := range set.X {
			clear(set.X[i])
			set.Y[i] = 77
		}
		Diff(t, name+": the result after a change of the input", result(), before)
	}
}

// TestAllocations: reading and updating do not allocate.
func TestAllocations(t *testing.T) {
	set := naive.Multi(3, 40, 50, 4)
	signs := naive.Set{X: set.X, Y: Against(set.Y, 7)}
	check := func(name string, m model, set naive.Set) {
		t.Helper()
		must(m.(streamer).Learn(stream(set)))(t)
		i, scores := 0, make([]float64, 0, 4)
		for _, method := range methods(m, "Update "+read) {
			f := func() { _ = calls[method](m, set.X[i%40:], set.Y[(i+i/40)%40:]) }
			if method == "Scores" {
				f = func() { _, _ = m.(manyModel).Scores(scores, set.X[i%40]) }
			}
			Diff(t, name+": allocations of "+method, testing.AllocsPerRun(200, func() { i++; f() }), 0)
		}
	}
	for name, b := range onlineGrid(50, 2) {
		check(name, b.unlearned(), signs)
		check("OneVsRest/"+name, &OneVsRest{Binary: b}, set)
	}
	for name, m := range keslerGrid(50, 2) {
		check(name, m, set)
	}
	h := Hyperplane{Weights: set.X[0]}
	Diff(t, "allocations of Hyperplane.Predict", testing.AllocsPerRun(100, func() { _, _ = h.Predict(set.X[1]) }), 0)
}

// TestAllocationsFirst: the first Update after any other call, and after a new class, does not
// allocate. Neither does one with weights whose squares underflow.
func TestAllocationsFirst(t *testing.T) {
	set := naive.Multi(5, 40, 3, 4)
	signs := naive.Set{X: set.X, Y: Against(set.Y, 7)}
	for name, b := range onlineGrid(3, 2) {
		checkFirst(t, name, b.(twinModel), signs, 1)
	}
	for name, m := range keslerGrid(3, 2) {
		checkFirst(t, name, m, set, 1000)
	}
}

// checkFirst checks the first Update after each other call. label is that of a new class, if m may
// have one.
func checkFirst(t *testing.T, name string, m twinModel, set naive.Set, label int) {
	loaded := m.unlearned().(twinModel)
	for i, before := range []func() twinModel{
		func() twinModel { must(m.Update(set.X[0], set.Y[0]))(t); return m },
		func() twinModel { must(m.Fit(set.X, set.Y))(t); return m },
		func() twinModel { accept.of(t, m, set.X, set.Y, "Epochs"); return m },
		func() twinModel { must(m.Learn(stream(set)))(t); return m },
		func() twinModel { must(m.Update(set.X[0], label))(t); return m },
		func() twinModel { return cloneOf(m).(twinModel) },
		func() twinModel {
			must(0, loaded.UnmarshalBinary(must(m.MarshalBinary())(t)))(t)
			must(loaded.Update(set.X[0], set.Y[0]))(t) // takes the fields
			return loaded
		},
	} {
		for _, x := range [][]float64{set.X[1], {1e-140, 0, 0}} {
			// The least of some runs, because the runtime allocates too.
			least := uint64(math.MaxUint64)
			for i := 0; i < 5 && least > 0; i++ {
				p := before()
				y := wrong(t, p, x)
				_, times := allocated(func() { _, _ = p.Update(x, y) })
				least = min(least, times)
			}
			Diff(t, fmt.Sprint(name, ": allocations after call ", i), least, 0)
		}
	}
}

// wrong returns a label of x that m does not predict: that of the lowest score.
func wrong(t *testing.T, m model, x []float64) int {
	many, ok := m.(manyModel)
	if !ok {
		return -must(m.Predict(x))(t)
	}
	scores := must(many.Scores(nil, x))(t)
	return many.Classes()[slices.Index(scores, slices.Min(scores))]
}

// certified has γ = 1 and R = 5 in Linear space.
var certified = naive.Set{Name: "certified", X: [][]float64{{3, 1}, {-3, 1}, {-4, -3}}, Y: []int{+1, +1, -1}}

// TestSeparateCombined: if the search's hyperplane has no positive margin, the
// combination of the rows replaces it, unless its margin is smaller.
func TestSeparateCombined(t *testing.T) {
	X, y := [][]float64{{1, 0}, {0, 1}}, []int{1, 1}
	for _, c := range []struct {
		w, lambda, want []float64
	}{
		{[]float64{1, 0}, []float64{0.5, 0.5}, []float64{0.5, 0.5}},
		{[]float64{1, 0}, []float64{0, 1}, []float64{0, 1}},
		{[]float64{1, -1}, []float64{0, 1}, []float64{0, 1}},
		{[]float64{2, 1}, []float64{0.5, 0.5}, []float64{2, 1}},
	} {
		s := Separation{Space: Linear, Radius: 1, Hyperplane: Hyperplane{Weights: c.w}, Multipliers: c.lambda}
		s.evaluate(rowsOf(X), y, []int{0, 1})
		if !slices.Equal(s.Hyperplane.Weights, c.want) || s.Separable != (c.want[0] > 0) || Verify(s, X, y) != nil {
			t.Errorf("w = %v, λ = %v: %+v, %v, want w = %v", c.w, c.lambda, s, Verify(s, X, y), c.want)
		}
	}
}

// TestSameFields: Update notices a change of every field that training reads. Start is read when training begins.
func TestSameFields(t *testing.T) {
	for _, m := range []interface {
		model
		same(*train.Config) bool
		fields() train.Config
	}{&Online{}, &Margin{}} {
		before, v := m.fields(), reflect.ValueOf(m).Elem()
		for i := range v.NumField() {
			name, field := v.Type().Field(i).Name, v.Field(i)
			if !v.Type().Field(i).IsExported() || name == "Start" {
				continue
			}
			old := reflect.ValueOf(field.Interface())
			switch {
			case field.CanInt():
				field.SetInt(1)
			case field.CanUint():
				field.SetUint(1)
			case field.CanFloat():
				field.SetFloat(1)
			default:
				t.Fatalf("%T: the test does not know the type of %s", m, name)
			}
			if m.same(&before) || before == m.fields() {
				t.Errorf("%T: a change of %s is not noticed", m, name)
			}
			if field.Set(old); !m.same(&before) {
				t.Errorf("%T: %s is not as it was", m, name)
			}
		}
	}
}
