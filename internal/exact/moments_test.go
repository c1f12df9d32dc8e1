package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// column returns the j-th column as rationals.
func column(X [][]float64, j int) (v []*big.Rat) {
	for _, x := range X {
		v = append(v, rat(x[j]))
	}
	return v
}

// moments returns the mean, the variance and the largest magnitude of v exactly.
func moments(v []*big.Rat) (mean, variance, top *big.Rat) {
	n := new(big.Rat).SetInt64(int64(len(v)))
	mean, variance, top = new(big.Rat), new(big.Rat), new(big.Rat)
	for _, a := range v {
		mean.Add(mean, a)
		if abs := new(big.Rat).Abs(a); abs.Cmp(top) > 0 {
			top = abs
		}
	}
	mean.Quo(mean, n)
	for _, a := range v {
		variance.Add(variance, square(new(big.Rat).Sub(a, mean)))
	}
	return mean, variance.Quo(variance, n), top
}

// checkMoments compares Moments with exact arithmetic.
func checkMoments(t *testing.T, X [][]float64) (mean, deviation []float64) {
	t.Helper()
	mean, deviation = Moments(X)
	for j := range mean {
		m, variance, top := moments(column(X, j))
		// 2⁻⁵³ of the mean, n·Unit of the largest value, and a subnormal's rounding
		slack := add(mul(new(big.Rat).Abs(m), rat(0x1p-53)), mul(top, rat(float64(len(X))*Unit)))
		slack.Add(slack, mul(rat(5e-324), rat(0.5)))
		if off := new(big.Rat).Sub(rat(mean[j]), m); off.Abs(off).Cmp(slack) > 0 {
			t.Fatalf("column %d of %v: mean %v, want %v", j, X, mean[j], m.FloatString(400))
		}
		s := rat(deviation[j])
		// 2⁻⁵⁰ of the deviation, and a subnormal's rounding
		least := square(new(big.Rat).Sub(mul(s, rat(1-0x1p-50)), rat(5e-324)))
		most := square(add(mul(s, rat(1+0x1p-50)), rat(5e-324)))
		if deviation[j] <= 5e-324 {
			least = new(big.Rat)
		}
		if (deviation[j] == 0) != (variance.Sign() == 0) || variance.Cmp(least) < 0 || variance.Cmp(most) > 0 {
			t.Fatalf("column %d of %v: deviation %v", j, X, deviation[j])
		}
		if variance.Sign() == 0 && mean[j] != X[0][j] {
			t.Fatalf("every value is %v, but the mean is %v", X[0][j], mean[j])
		}
	}
	return mean, deviation
}

// TestMoments compares columns of all magnitudes, near and far from their means, with
// exact arithmetic.
func TestMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 25))
	for range 400 {
		n, d := 1+r.IntN(30), 1+r.IntN(4)
		size, spread, centre := make([]int, d), make([]float64, d), make([]float64, d)
		for j := range d {
			size[j], centre[j] = r.IntN(2090)-1070, float64(r.IntN(5)-2)
			spread[j] = math.Ldexp(1, -r.IntN(60)) * float64(r.IntN(4))
		}
		X := make([][]float64, n)
		for i := range X {
			for j := range d {
				X[i] = append(X[i], math.Ldexp(centre[j]+spread[j]*(r.Float64()-0.5), size[j]))
			}
		}
		checkMoments(t, X)
	}
}

func TestMomentsExtreme(t *testing.T) {
	top, tiny := math.MaxFloat64, 5e-324
	for _, c := range []struct{ column, want []float64 }{
		{[]float64{top, -top}, []float64{0, top}},
		{[]float64{top, top, -top, -top, top, -top}, []float64{0, top}},
		{[]float64{top, top}, []float64{top, 0}},
		{[]float64{tiny, tiny, tiny}, []float64{tiny, 0}},
		{[]float64{tiny, 0, 0, 0, 0, 0, 0}, []float64{0, tiny}},
		{[]float64{0, 0}, []float64{0, 0}},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, []float64{0.1, 0}},
		{[]float64{1, math.Nextafter(1, 2)}, []float64{1, 0x1p-53}},
		{[]float64{0x1p1000, 0x3p1000}, []float64{0x2p1000, 0x1p1000}},
		{[]float64{0x1p-1000, 0x3p-1000}, []float64{0x2p-1000, 0x1p-1000}},
		{[]float64{1e16 + 2, 1e16 + 4, 1e16 + 6, 1e16}, []float64{1e16 + 3, math.Sqrt(5)}},
		{[]float64{1e9, 1e9 + 1, 1e9 + 2}, []float64{1e9 + 1, math.Sqrt(2. / 3)}},
	} {
		X := make([][]float64, len(c.column))
		for i, v := range c.column {
			X[i] = []float64{v}
		}
		mean, deviation := checkMoments(t, X)
		if mean[0] != c.want[0] || deviation[0] != c.want[1] {
			t.Errorf("%v: %v and %v, want %v", c.column, mean[0], deviation[0], c.want)
		}
	}
}

// TestMinusQuotients compares with exact arithmetic, where the terms cancel or leave
// float64's range.
func TestMinusQuotients(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 25))
	for range 2000 {
		n := r.IntN(5)
		wide := func() float64 { return math.Ldexp(r.NormFloat64(), r.IntN(2000)-1000) }
		near := func() float64 { return float64(1+r.IntN(9)) / 8 }
		draw := wide
		if r.IntN(2) == 0 {
			draw = near
		}
		b, v, w, u := draw(), make([]float64, n), make([]float64, n), make([]float64, n)
		want := rat(b)
		for j := range n {
			v[j], w[j], u[j] = draw(), draw(), draw()
			want.Sub(want, new(big.Rat).Quo(mul(rat(v[j]), rat(w[j])), rat(u[j])))
		}
		rounded, _ := want.Float64()
		if got := MinusQuotients(b, v, w, u); got != rounded {
			t.Fatalf("%v − Σ %v·%v/%v = %v, want %v", b, v, w, u, got, rounded)
		}
	}
	if got := MinusQuotients(1, []float64{1e25, 1e25}, []float64{1, -1}, []float64{1e-25, 1e-25}); got != 1 {
		t.Errorf("1 − 1e50 + 1e50 = %v", got)
	}
	if got := MinusQuotients(1, []float64{1e300, 1e300}, []float64{1e300, -1e300}, []float64{1e-300, 1e-300}); got != 0 {
		t.Errorf("1 − 1e900 + 1e900 = %v, want what 200 bits hold", got)
	}
}
