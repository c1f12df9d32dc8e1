package perceptron

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestDistance: distances are right, even if ‖w‖ or its square leaves float64's range.
func TestDistance(t *testing.T) {
	plane := func(b float64, w ...float64) Hyperplane { return Hyperplane{w, b} }
	top, long := math.MaxFloat64, slices.Repeat([]float64{0.99 * 0x1p-460}, 9)
	for _, c := range []struct {
		h    Hyperplane
		x    []float64
		want float64
	}{
		{plane(-5, 3, 4), []float64{3, 4}, 4},
		{plane(-5, 3, 4), []float64{0, 0}, -1},
		{plane(-5, 3, 4), []float64{3, -1}, 0},
		{plane(0x1p564, long...), make([]float64, 9), 0x1p1023 / (0.99 * 3) * 2},
		{plane(0, top, top), []float64{1e-10, 0}, 1e-10 / math.Sqrt2},
		{plane(0, 1e200, 1e200), []float64{2, 0}, math.Sqrt2},
		{plane(0, 1e-200, 1e-200), []float64{2, 0}, math.Sqrt2},
		{plane(0, 5e-324, 5e-324), []float64{2, 0}, math.Sqrt2},
	} {
		if got := must(c.h.Distance(c.x))(t); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("Distance(%v) of %v is %v, want %v", c.x, c.h, got, c.want)
		}
	}
}

// TestHyperplanes: scores in the order of the classes; the lowest class of equals wins.
func TestHyperplanes(t *testing.T) {
	h := Hyperplanes{[]int{-3, 4, 9}, []Hyperplane{{[]float64{1, 0}, 0}, {[]float64{0, 1}, 1}, {[]float64{1, 1}, -1}}}
	Diff(t, "scores", must(h.Scores([]float64{7}, []float64{2, 3}))(t), []float64{7, 2, 4, 4})
	for x, class := range map[[2]float64]int{{2, 3}: 4, {5, 1}: -3, {3, 3}: 9, {-1, -2}: -3} {
		Diff(t, fmt.Sprint(x), must(h.Predict(x[:]))(t), class)
	}
	Diff(t, "one class", must(Hyperplanes{h.Classes[:1], h.Planes[:1]}.Predict([]float64{-9, 0}))(t), -3)
	dst, x := make([]float64, 0, 3), []float64{2, 3}
	Diff(t, "allocations", testing.AllocsPerRun(10, func() { _, _ = h.Scores(dst, x); _, _ = h.Predict(x) }), 0)
}

// TestHyperplanesModel: stored as JSON and loaded, they predict and score as the model.
func TestHyperplanesModel(t *testing.T) {
	set := Iris(t)
	for _, m := range []manyModel{new(OneVsRest), &Multiclass{Binary: &Online{Keep: Average, MaxEpochs: 20}}} {
		Diff(t, "untrained", m.Hyperplanes(), Hyperplanes{})
		must(m.Fit(set.X, set.Y))(t)
		var h Hyperplanes
		must(0, json.Unmarshal(must(json.Marshal(m.Hyperplanes()))(t), &h))(t)
		for _, x := range set.X {
			Diff(t, "Predict", must(h.Predict(x))(t), must(m.Predict(x))(t))
			Diff(t, "Scores", must(h.Scores(nil, x))(t), must(m.Scores(nil, x))(t))
		}
	}
	plain := Hyperplanes{[]int{1, 2}, []Hyperplane{{[]float64{3}, 4}, {[]float64{5}, 6}}}
	want := `{"classes":[1,2],"planes":[{"weights":[3],"bias":4},{"weights":[5],"bias":6}]}`
	Diff(t, "JSON", string(must(json.Marshal(plain))(t)), want)
}

// TestPlainData: encoding/json alone reads Hyperplanes, their planes and a Scaling, so it ignores unknown fields
// and keeps the last of two. The methods reject what does not fit.
func TestPlainData(t *testing.T) {
	var h, more Hyperplanes
	must(0, json.Unmarshal([]byte(`{"classes":[5],"Planes":[{"weights":[1],"bias":0},{"weights":[-1],"bias":0}],"classes":[1,2],"more":3}`), &h))(t)
	Diff(t, "Predict", must(h.Predict([]float64{-3}))(t), 2)
	must(0, json.Unmarshal([]byte(`{"classes":[1,2]}`), &more))(t)
	checkErrors(t, ErrDimension, -1, "dimension mismatch: len(Planes) is 0, but len(Classes) is 2", only(more.Predict([]float64{1})))
	var s Scaling
	must(0, json.Unmarshal([]byte(`{"means":[1],"scales":[2]}`), &s))(t)
	Diff(t, "unknown fields", s, Scaling{})
	must(0, json.Unmarshal([]byte(`{"mean":[1]}`), &s))(t)
	checkErrors(t, ErrDimension, -1, "dimension mismatch: len(Mean) is 1, but len(Scale) is 0", only(s.Apply(nil, []float64{7})))
}

// TestStandardize: scaled rows have mean 0 and deviation 1, and constant features are 0.
func TestStandardize(t *testing.T) {
	set := naive.Noisy(31, 60, 7)
	for i, x := range set.X {
		x[2], x[3], x[4] = 0.1, 1e9+x[3], 1e-200*x[4]
		set.X[i] = append(x, math.MaxFloat64*float64(1-i%3))
	}
	s := must(Standardize(set.X))(t)
	Diff(t, "mean and scale of a constant", []float64{s.Mean[2], s.Scale[2]}, []float64{0.1, 1})
	for j := range s.Mean {
		var sum, squares float64
		for _, x := range must(s.ApplyAll(set.X))(t) {
			sum, squares = sum+x[j], squares+x[j]*x[j]
		}
		want := 60.0
		if j == 2 {
			want = 0
		}
		if math.Abs(sum) > 1e-5 || math.Abs(squares-want) > 1e-9 { // a mean of 1e9 has an ulp of 1e-7
			t.Errorf("feature %d: sum %v, squares %v, want 0 and %v", j, sum, squares, want)
		}
	}
	s = must(Standardize([][]float64{{0.1, 3}, {0.7, 1e17}, {0.2, -1e17}, {0.4, 5}}))(t)
	Diff(t, "the bits", s, Scaling{[]float64{0.35, 2}, []float64{0.2291287847477920, 70710678118654752}, [2][]float64{{.1, -1e17}, {.7, 1e17}}})
}

// TestApply: z = (x − Mean)/Scale, in a new slice, behind a destination, and in place.
func TestApply(t *testing.T) {
	s, x := Scaling{Mean: []float64{1, -2}, Scale: []float64{2, 0.5}}, []float64{4, 1}
	Diff(t, "z", must(s.Apply(nil, x))(t), []float64{1.5, 6})
	Diff(t, "behind 7", must(s.Apply([]float64{7}, x))(t), []float64{7, 1.5, 6})
	Diff(t, "the zero Scaling", must(Scaling{}.Apply([]float64{7}, x))(t), []float64{7, 4, 1})
	Diff(t, "x", x, []float64{4, 1})
	dst := make([]float64, 0, 2)
	Diff(t, "allocations", testing.AllocsPerRun(10, func() { _ = must(s.Apply(dst, x)) }), 0)
	z := must(s.Apply(x[:0], x))(t)
	Diff(t, "in place", x, []float64{1.5, 6})
	Diff(t, "in the same memory", &z[0] == &x[0], true)
}

// TestApplyAll: the rows equal those of Apply. They follow one another in memory, and appending to
// one does not change the next.
func TestApplyAll(t *testing.T) {
	X := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	s := must(Standardize(X))(t)
	Z := must(s.ApplyAll(X))(t)
	for i, x := range X {
		Diff(t, "a row", Z[i], must(s.Apply(nil, x))(t))
		Diff(t, "its capacity", cap(Z[i]), 3)
	}
	Diff(t, "a row that is not scaled is kept", &must(Scaling{}.ApplyAll(X))(t)[0][0] == &X[0][0], false)
}

// randomScaling draws a Scaling and a hyperplane whose magnitudes are near 1 or anywhere.
func randomScaling(r *rand.Rand, d, reach int) (s Scaling, h Hyperplane) {
	draw := func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(2*reach+1)-reach) }
	h.Bias = draw()
	for range d {
		s.Mean, s.Scale = append(s.Mean, draw()), append(s.Scale, math.Abs(draw())+0x1p-1000)
		h.Weights = append(h.Weights, draw())
	}
	return s, h
}

// TestUnscale compares the scores of raw rows with those of scaled rows, both exact, and
// their difference with the bound that Unscale states.
func TestUnscale(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 25))
	abs := func(a *big.Rat) *big.Rat { return new(big.Rat).Abs(a) }
	tight := 0
	for k := range Share(2000) {
		d := 1 + r.IntN(6)
		s, h := randomScaling(r, d, []int{0, 3, 100}[k%3])
		raw := must(s.Unscale(h))(t)
		scaled, score := naive.Rat(h.Bias), naive.Rat(raw.Bias)
		first, second := abs(naive.Rat(raw.Bias)), abs(naive.Rat(h.Bias))
		for j := range d {
			x := naive.Rat(s.Mean[j] + s.Scale[j]*r.NormFloat64())
			q := new(big.Rat).Quo(naive.Rat(h.Weights[j]), naive.Rat(s.Scale[j]))
			scaled.Add(scaled, naive.RatMul(q, new(big.Rat).Sub(x, naive.Rat(s.Mean[j]))))
			score.Add(score, naive.RatMul(naive.Rat(raw.Weights[j]), x))
			first.Add(first, abs(naive.RatMul(q, x)))
			second.Add(second, abs(naive.RatMul(q, naive.Rat(s.Mean[j]))))
		}
		bound := new(big.Rat).Add(naive.RatMul(first, naive.Rat(0x1p-53)), naive.RatMul(second, naive.Rat(0x1p-100)))
		off := abs(score.Sub(score, scaled))
		if off.Cmp(bound) > 0 {
			t.Fatalf("%v and %v: the scores differ by %s, more than %s", s, h, off.FloatString(330), bound.FloatString(330))
		}
		if off.Cmp(naive.RatMul(bound, naive.Rat(0.125))) > 0 {
			tight++
		}
	}
	if tight < Share(1000) {
		t.Errorf("the bound is within 8 times the difference in %d of %d cases", tight, Share(2000))
	}
}

// TestUnscalePredicts: a model trained on scaled rows and its hyperplanes for raw rows
// predict the same.
func TestUnscalePredicts(t *testing.T) {
	iris := Iris(t)
	s := must(Standardize(iris.X))(t)
	Z := must(s.ApplyAll(iris.X))(t)
	m := new(Multiclass)
	must(m.Fit(Z, iris.Y))(t)
	h := m.Hyperplanes()
	raw := must(s.UnscaleAll(h))(t)
	for i, x := range iris.X {
		Diff(t, "a raw row", must(raw.Predict(x))(t), must(m.Predict(Z[i]))(t))
	}
	for c, p := range h.Planes {
		Diff(t, "a hyperplane", raw.Planes[c], must(s.Unscale(p))(t))
	}
	raw.Classes[0], raw.Planes[0].Weights[0] = 99, 99
	Diff(t, "after a change of the result", h, m.Hyperplanes())
	zero := must(Scaling{}.Unscale(h.Planes[0]))(t)
	Diff(t, "the zero Scaling", zero, h.Planes[0])
	Diff(t, "it keeps the weights", &zero.Weights[0] == &h.Planes[0].Weights[0], false)
}

// An onlyPredict hides from PredictAll which predictor it has.
type onlyPredict[R any, L cmp.Ordered] struct {
	p interface{ Predict(R) (L, error) }
}

func (o onlyPredict[R, L]) Predict(x R) (L, error) { return o.p.Predict(x) }

// compareAll compares PredictAll with a call of Predict for each row, also with a bad row.
func compareAll[R any, L cmp.Ordered](t *testing.T, what string, p interface{ Predict(R) (L, error) }, X []R, bad ...R) {
	t.Helper()
	one := make([]L, 1, len(X)+7)
	got, err := PredictAll(one, p, X)
	want, err2 := PredictAll(one, onlyPredict[R, L]{p}, X)
	if err != nil || err2 != nil || len(got) != len(X)+1 || !slices.Equal(got, want) {
		t.Fatalf("%s: %d labels of %d rows (%v, %v) are not those of Predict", what, len(got), len(X), err, err2)
	}
	for k, row := range bad {
		X := slices.Clone(X)
		at := []int{0, len(X) / 3, len(X) - 1}[k%3]
		X[at], X[len(X)-1] = row, row
		_, want := p.Predict(row)
		got, err := PredictAll(one, p, X)
		var e *ExampleError
		if !errors.As(err, &e) || e.Index != at || want == nil || e.Err.Error() != want.Error() || len(got) != 1 {
			t.Fatalf("%s: row %d gives %v, want %v", what, at, err, want)
		}
	}
}

// TestPredictAll: the labels are those of Predict. Some rows are for each kernel, and some are so
// many that goroutines share them. The first bad row is an error.
func TestPredictAll(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	r, inf := rand.New(rand.NewPCG(57, 3)), math.Inf(1)
	for i, d := range []int{1, 2, 5, 31, 32, 33, 100, 700} {
		if !full && i%2 > 0 {
			continue
		}
		n := []int{1, 3, 70, 2*shareOfRows - 1, 2 * shareOfRows, 3*shareOfRows + 90}[r.IntN(6)]
		X, S, width := make([][]float64, n), make([]Sparse, n), d
		for i := range X {
			X[i] = make([]float64, d)
			for j := range d {
				if r.IntN(3) > 0 {
					X[i][j] = float64(r.IntN(7) - 3)
					S[i].Index, S[i].Value = append(S[i].Index, uint32(j)), append(S[i].Value, X[i][j])
				}
			}
		}
		long, nan, sparseBad := make([]float64, d+1), make([]float64, d), Sparse{[]uint32{uint32(d)}, []float64{1}}
		nan[d-1] = math.NaN()
		for _, k := range []int{1, 2, 3, 9, 17} {
			for _, m := range []Learner{
				&OneVsRest{Workers: 1}, &Multiclass{Binary: &Online{Keep: Average}}, &OneVsRest{Binary: &Margin{Keep: Pocket}}, &Online{Keep: Pocket}, new(Margin),
			} {
				b, binary := m.(Binary)
				for i := range min(n, 50) {
					y := i % k * 3
					if binary {
						y = 1 - 2*(i%2)
					}
					must(m.Update(X[i], y))(t)
				}
				what := fmt.Sprintf("%d features, %d classes, %v", d, k, m)
				compareAll(t, what, Model(m), X, long, nan, nil)
				compareAll(t, what+", sparse", SparseModel{m, width * (i % 2)}, S, sparseBad, Sparse{[]uint32{0}, []float64{inf}}, Sparse{[]uint32{0}, nil})
				if binary {
					compareAll(t, what+", the hyperplane", b.Hyperplane(), X, long, nan, nil)
				} else {
					compareAll(t, what+", the hyperplanes", m.(interface{ Hyperplanes() Hyperplanes }).Hyperplanes(), X, long, nan, nil)
				}
			}
			for _, m := range []Model{nil, new(Online)} {
				names := []string{"b", "a", "c", "é"}[:min(k+1, 4)]
				if m != nil {
					names = names[:2]
				}
				c, s, raw := Classifier[[]float64]{Model: m}, Classifier[Sparse]{Model: m, Width: d}, Classifier[[]float64]{Raw: true}
				if m != nil {
					s.Model = new(Online)
				}
				some := max(4, min(n, 40))
				rows, few, labels := slices.Repeat(X, 4)[:some], slices.Repeat(S, 4)[:some], slices.Repeat(names, some)[:some]
				must(c.Fit(rows, labels))(t)
				must(raw.Fit(rows, labels))(t)
				must(s.Fit(append(few, Sparse{[]uint32{uint32(d - 1)}, []float64{1}}), append(labels, names[0])))(t)
				compareAll(t, "a Classifier", &c, X, long, nan, nil)
				compareAll(t, "a raw Classifier", &raw, X, long, nan, nil)
				compareAll(t, "a sparse Classifier", &s, S, sparseBad, Sparse{[]uint32{0}, []float64{inf}}, Sparse{[]uint32{0}, nil})
			}
		}
	}
	few, many := [][]float64{{1}}, slices.Repeat([][]float64{{1}}, 2*leastTogether)
	for _, one := range [][][]float64{few, many} {
		rows := make([]Sparse, len(one))
		only := func(_ []int, err error) error { return err }
		for _, c := range []struct{ err, want error }{
			{only(PredictAll(nil, (*Online)(nil), one)), ErrConfig},
			{only(PredictAll[[]float64, int](nil, nil, one)), ErrConfig},
			{only(PredictAll(nil, new(Online), one)), ErrUntrained},
			{only(PredictAll(nil, Hyperplanes{}, one)), ErrUntrained},
			{only(PredictAll(nil, Hyperplane{}, one)), ErrUntrained},
			{only(PredictAll(nil, SparseModel{}, rows)), ErrConfig},
			{only(PredictAll(nil, new(Online), nil)), nil},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%v, want %v", c.err, c.want)
			}
		}
		if _, err := PredictAll(nil, new(Classifier[Sparse]), rows); !errors.Is(err, ErrUntrained) {
			t.Error(err)
		}
	}
}

// TestConfusionAdd: the sum of the folds is the count of all rows.
func TestConfusionAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var rows, y []int
	var p tableOf[int]
	for i := range 90 {
		rows, y, p = append(rows, i), append(y, r.IntN(3+i/30)), append(p, r.IntN(5-i/30)-1)
	}
	var sum Confusion[int]
	for i := 0; i < 90; i += 30 {
		fold := must(Evaluate(p, rows[i:i+30], y[i:i+30]))(t)
		before := fold.Add(Confusion[int]{})
		Diff(t, "a sum with nothing", before, fold)
		sum = sum.Add(fold)
		fold.Counts[0][0]++
		Diff(t, "a copy", before.Counts[0][0], fold.Counts[0][0]-1)
	}
	Diff(t, "the sum", sum, must(Evaluate(p, rows, y))(t))
	Diff(t, "classes", sum.Classes, []int{-1, 0, 1, 2, 3, 4})
}

// TestConfusionForeign: in a table from elsewhere, what is missing or negative counts as 0, and what
// is beyond the classes does not count.
func TestConfusionForeign(t *testing.T) {
	for text, want := range map[string]Confusion[string]{
		`{"Classes": ["a", "b"], "Counts": [[3, -1, 9], []]}`:         {[]string{"a", "b"}, [][]int{{3, 0}, {0, 0}}},
		`{"Classes": ["a", "b"], "Counts": [[3], [1, 2], [7, 7, 7]]}`: {[]string{"a", "b"}, [][]int{{3, 0}, {1, 2}}},
		`{"Classes": ["b", "a", "a"], "Counts": [[0, 1]]}`:            {[]string{"a", "b"}, [][]int{{0, 0}, {1, 0}}},
		`{"Counts": [[1]]}`: {},
	} {
		var c Confusion[string]
		must(0, json.Unmarshal([]byte(text), &c))(t)
		sum := c.Add(Confusion[string]{})
		if !slices.EqualFunc(sum.Counts, want.Counts, slices.Equal[[]int]) || !slices.Equal(sum.Classes, want.Classes) {
			t.Errorf("%s is %v", text, sum)
		}
		Diff(t, "accuracy", c.Accuracy(), want.Accuracy())
		if slices.IsSorted(c.Classes) {
			Diff(t, "the table", c.String(), want.String())
			Diff(t, "recall", c.Recall("a"), want.Recall("a"))
		}
		_ = c.Precision("b") + c.MacroF1() + float64(len(c.String()))
	}
}
