package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// holds fails unless the exact sum is within s and its rounded bounds, and its root within the
// rounded roots. These are right to the last bit if s is exact.
func holds(t *testing.T, s Sum, exactly *big.Rat) {
	t.Helper()
	middle := add(rat(s.hi), rat(s.lo))
	if off := middle.Sub(middle, exactly); off.Abs(off).Cmp(rat(s.err)) > 0 {
		t.Fatalf("%+v does not hold %v", s, exactly)
	}
	if rat(s.Upper()).Cmp(exactly) < 0 || rat(s.Lower()).Cmp(exactly) > 0 {
		t.Fatalf("[%v, %v] does not hold %v", s.Lower(), s.Upper(), exactly)
	}
	if s.Lower() <= 0 {
		return
	}
	up, down := s.SqrtUp(), s.SqrtDown()
	if square(rat(up)).Cmp(exactly) < 0 || square(rat(down)).Cmp(exactly) > 0 {
		t.Fatalf("√%v is not in [%v, %v]", exactly, down, up)
	}
	if s.err == 0 && (up != down && up != Next(down) || up != down && square(rat(up)).Cmp(exactly) == 0) {
		t.Fatalf("√%v is rounded to %v and %v", exactly, down, up)
	}
}

// TestSum compares sums with rational arithmetic. Some sums need more than two float64s.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	lossy := 0
	for range 2000 {
		var s Sum
		exactly := new(big.Rat)
		for range 1 + r.IntN(12) {
			v := math.Ldexp(float64(r.IntN(2001)-1000), -r.IntN(200))
			w := math.Ldexp(r.NormFloat64(), -r.IntN(100))
			s.Add(v)
			s.AddProduct(v, 1, w, 0.5)
			exactly.Add(exactly, add(rat(v), mul(rat(v), rat(w/2))))
		}
		if holds(t, s, exactly); s.err > 0 {
			lossy++
		}
	}
	if lossy == 0 {
		t.Fatal("no sum needed more than two float64s, so the test shows nothing")
	}
}

// TestMinus: the exact difference is within the bounds, even if it is much smaller than the sums.
// If the sums are exact, so is the difference.
func TestMinus(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 6))
	lossy := 0
	for i := range 2000 {
		var a, b Sum
		exactly := new(big.Rat)
		for range 1 + r.IntN(8) {
			v, w := math.Ldexp(r.NormFloat64(), -r.IntN(100)), math.Ldexp(r.NormFloat64(), -r.IntN(100))
			a.AddProduct(v, 1, w, 1)
			b.AddProduct(v, 1, w, 1) // most of it cancels
			if i%2 == 0 {
				b.Add(v * 0x1p-80)
				exactly.Sub(exactly, rat(v*0x1p-80))
			}
		}
		holds(t, a.Minus(b), exactly)
		if a.err > 0 && b.err == 0 || a.err == 0 && b.err > 0 {
			lossy++
		}
	}
	if lossy == 0 {
		t.Fatal("no difference has one exact side, so the test shows little")
	}
}

// TestSumEdges: products that underflow widen the bounds, and products of 0 do not. Sums that two
// float64s hold are exact, and so are their roots if they can be.
func TestSumEdges(t *testing.T) {
	sum := func(terms ...float64) (s Sum) {
		for _, v := range terms {
			s.Add(v)
		}
		return s
	}
	dot := func(a []float64, scaleA float64, b []float64, scaleB float64) (s Sum) {
		s.AddDot(a, scaleA, b, scaleB)
		return s
	}
	three := dot([]float64{1, 1}, 1, []float64{3, 0x1p-60}, 1)
	for what, c := range map[string]struct {
		s            Sum
		lower, upper float64
	}{
		"1 + 2⁻¹²⁰":       {sum(1, 0x1p-60, 0x1p-120, -0x1p-60), math.Nextafter(1, 0), Next(1)},
		"5 − (3 + 2⁻⁶⁰)":  {sum(5).Minus(three), 2 - 0x1p-52, 2},
		"5 − 5":           {sum(5).Minus(sum(5)), 0, 0},
		"−2":              {sum(2).Negated(), -2, -2},
		"2⁻⁹⁰⁰":           {dot([]float64{0x1p-450}, 1, []float64{0x1p-450}, 1), vanishing, vanishing},
		"3 + 1.5·2⁻¹¹⁰⁰":  {dot([]float64{0x1p-600, 1}, 1, []float64{0x1.8p-500, 3}, 1), math.Nextafter(3, 0), Next(3)},
		"2, two terms 0":  {dot([]float64{0x1p-600, 0, 0x1p-600}, 0x1p600, []float64{0x1p-500, 0x1p-500, 0}, 0x1p501), 2, 2},
		"3 and its error": {three, 3, Next(3)},
	} {
		if c.s.Lower() != c.lower || c.s.Upper() != c.upper || !(c.s.Value() >= c.lower && c.s.Value() <= c.upper) {
			t.Errorf("%s is %v in [%v, %v]", what, c.s.Value(), c.s.Lower(), c.s.Upper())
		}
	}
	r := 1 + 0x1p-40 // r² needs two float64s
	for _, c := range []struct {
		s        Sum
		down, up float64
	}{
		{dot([]float64{3, 4}, 1, []float64{3, 4}, 1), 5, 5},
		{dot([]float64{r, 0x1p-600}, 1, []float64{r, 0x1p-500}, 1), math.Nextafter(r, 0), Next(r)},
	} {
		if c.s.SqrtDown() != c.down || c.s.SqrtUp() != c.up {
			t.Errorf("√%v is in [%v, %v]", c.s.Value(), c.s.SqrtDown(), c.s.SqrtUp())
		}
	}
}

// FuzzSum compares the bounds with the exact sum of products of any bits.
func FuzzSum(f *testing.F) {
	f.Add(1.0, 0x1p-60, 0x1p-120, -1.0)
	f.Add(0x1p-700, 0x1p-300, 5e-324, 0.1)
	f.Add(0.1, 0.1, -0.01, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		for _, v := range []float64{a, b, c, d} {
			if !(math.Abs(v) <= 0x1p60) {
				t.Skip("out of AddProduct's range")
			}
		}
		var s Sum
		s.AddDot([]float64{a, c}, 1, []float64{b, d}, 1)
		s.Add(c)
		holds(t, s, add(rat(c), add(mul(rat(a), rat(b)), mul(rat(c), rat(d)))))
	})
}
