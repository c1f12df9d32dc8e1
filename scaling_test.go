package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"perceptron/internal/naive"
)

// TestStandardize: scaled rows have mean 0 and deviation 1, and constant features are 0.
func TestStandardize(t *testing.T) {
	set := naive.Noisy(31, 60, 7)
	for i, x := range set.X {
		x[2], x[3], x[4] = 0.1, 1e9+x[3], 1e-200*x[4]
		set.X[i] = append(x, math.MaxFloat64*float64(1-i%3))
	}
	s := must(Standardize(set.X))(t)
	same(t, "mean and scale of a constant", []float64{s.Mean[2], s.Scale[2]}, []float64{0.1, 1})
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
	same(t, "the bits", s, Scaling{[]float64{0.35, 2}, []float64{0.2291287847477920, 70710678118654752}})
}

// TestApply: z = (x − Mean)/Scale, in a new slice, behind a destination, and in place.
func TestApply(t *testing.T) {
	s, x := Scaling{[]float64{1, -2}, []float64{2, 0.5}}, []float64{4, 1}
	same(t, "z", must(s.Apply(nil, x))(t), []float64{1.5, 6})
	same(t, "behind 7", must(s.Apply([]float64{7}, x))(t), []float64{7, 1.5, 6})
	same(t, "the zero Scaling", must(Scaling{}.Apply([]float64{7}, x))(t), []float64{7, 4, 1})
	same(t, "x", x, []float64{4, 1})
	dst := make([]float64, 0, 2)
	same(t, "allocations", testing.AllocsPerRun(10, func() { _ = must(s.Apply(dst, x)) }), 0)
	z := must(s.Apply(x[:0], x))(t)
	same(t, "in place", x, []float64{1.5, 6})
	same(t, "in the same memory", &z[0] == &x[0], true)
}

// TestApplyAll: the rows are those of Apply, lie one after another, and cannot grow into
// each other.
func TestApplyAll(t *testing.T) {
	X := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	s := must(Standardize(X))(t)
	Z := must(s.ApplyAll(X))(t)
	for i, x := range X {
		same(t, "a row", Z[i], must(s.Apply(nil, x))(t))
		same(t, "its capacity", cap(Z[i]), 3)
	}
	same(t, "a row that is not scaled is kept", &must(Scaling{}.ApplyAll(X))(t)[0][0] == &X[0][0], false)
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
		scaled, score := rat(h.Bias), rat(raw.Bias)
		first, second := abs(rat(raw.Bias)), abs(rat(h.Bias))
		for j := range d {
			x := rat(s.Mean[j] + s.Scale[j]*r.NormFloat64())
			q := new(big.Rat).Quo(rat(h.Weights[j]), rat(s.Scale[j]))
			scaled.Add(scaled, ratMul(q, new(big.Rat).Sub(x, rat(s.Mean[j]))))
			score.Add(score, ratMul(rat(raw.Weights[j]), x))
			first.Add(first, abs(ratMul(q, x)))
			second.Add(second, abs(ratMul(q, rat(s.Mean[j]))))
		}
		bound := new(big.Rat).Add(ratMul(first, rat(0x1p-53)), ratMul(second, rat(0x1p-100)))
		off := abs(score.Sub(score, scaled))
		if off.Cmp(bound) > 0 {
			t.Fatalf("%v and %v: the scores differ by %s, more than %s", s, h, off.FloatString(330), bound.FloatString(330))
		}
		if off.Cmp(ratMul(bound, rat(0.125))) > 0 {
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
		same(t, "a raw row", must(raw.Predict(x))(t), must(m.Predict(Z[i]))(t))
	}
	for c, p := range h.Planes {
		same(t, "a hyperplane", raw.Planes[c], must(s.Unscale(p))(t))
	}
	raw.Classes[0], raw.Planes[0].Weights[0] = 99, 99
	same(t, "after a change of the result", h, m.Hyperplanes())
	zero := must(Scaling{}.Unscale(h.Planes[0]))(t)
	same(t, "the zero Scaling", zero, h.Planes[0])
	same(t, "it keeps the weights", &zero.Weights[0] == &h.Planes[0].Weights[0], false)
}
