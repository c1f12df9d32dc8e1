package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSum: the exact sum is within the Sum and its rounded bounds,
// also where more than two float64s are needed to hold it.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	lossy := 0
	for range 2000 {
		var e Sum
		exactly := new(big.Rat)
		for range 1 + r.IntN(12) {
			v := math.Ldexp(float64(r.IntN(2001)-1000), -r.IntN(200))
			w := math.Ldexp(r.NormFloat64(), -r.IntN(100))
			e.Add(v)
			e.AddProduct(v, 1, w, 0.5)
			exactly.Add(exactly, add(rat(v), mul(rat(v), rat(w/2))))
		}
		middle := add(rat(e.hi), rat(e.lo))
		if off := new(big.Rat).Sub(middle, exactly); off.Abs(off).Cmp(rat(e.err)) > 0 {
			t.Fatalf("%+v does not hold %v", e, exactly)
		}
		if e.err > 0 {
			lossy++
		}
		if rat(e.Upper()).Cmp(exactly) < 0 || rat(e.Lower()).Cmp(exactly) > 0 {
			t.Fatalf("[%v, %v] does not hold %v", e.Lower(), e.Upper(), exactly)
		}
		checkRoots(t, e, exactly)
	}
	if lossy == 0 {
		t.Fatal("no sum needed more than two float64s, so the test shows nothing")
	}
	var e Sum
	for _, v := range []float64{1, 0x1p-60, 0x1p-120, -0x1p-60} {
		e.Add(v)
	}
	if e.Upper() != Next(1) || e.Lower() > 1 {
		t.Errorf("1 + 2⁻¹²⁰ is in [%v, %v]", e.Lower(), e.Upper())
	}
}

// checkRoots: roots are rounded up and down, to the last bit if the sum is exact.
func checkRoots(t *testing.T, e Sum, exactly *big.Rat) {
	t.Helper()
	if e.Lower() <= 0 {
		return
	}
	up, down := e.SqrtUp(), e.SqrtDown()
	if square(rat(up)).Cmp(exactly) < 0 || square(rat(down)).Cmp(exactly) > 0 {
		t.Fatalf("√%v is not in [%v, %v]", exactly, down, up)
	}
	if e.err == 0 && (up != down && up != Next(down) || up != down && square(rat(up)).Cmp(exactly) == 0) {
		t.Fatalf("√%v is rounded to %v and %v", exactly, down, up)
	}
}

// TestMinus: the exact difference is within the bounds, also where it is far below the
// sums, and is exact if they are.
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
		diff := a.Minus(b)
		if rat(diff.Lower()).Cmp(exactly) > 0 || rat(diff.Upper()).Cmp(exactly) < 0 {
			t.Fatalf("[%v, %v] does not hold %v", diff.Lower(), diff.Upper(), exactly)
		}
		if a.err > 0 && b.err == 0 || a.err == 0 && b.err > 0 {
			lossy++
		}
	}
	if lossy == 0 {
		t.Fatal("no difference has one exact side, so the test shows little")
	}
	var five, three Sum
	five.Add(5)
	three.AddDot([]float64{1, 1}, 1, []float64{3, 0x1p-60}, 1)
	if d := five.Minus(three); d.Lower() != 2-0x1p-52 || d.Upper() != 2 || five.Upper() != 5 || three.Lower() != 3 {
		t.Errorf("5 − (3 + 2⁻⁶⁰) is in [%v, %v]", d.Lower(), d.Upper())
	}
	if d := five.Minus(five); d.Lower() != 0 || d.Upper() != 0 {
		t.Errorf("5 − 5 is in [%v, %v]", d.Lower(), d.Upper())
	}
}

// TestSumEdges: products that underflow widen the bounds, and products of 0 do not.
// Roots are exact if they can be.
func TestSumEdges(t *testing.T) {
	var s Sum
	s.AddDot([]float64{0x1p-600, 1}, 1, []float64{0x1.8p-500, 3}, 1)
	if s.Value() != 3 || s.Upper() != Next(3) || s.Lower() >= 3 {
		t.Errorf("3 + 1.5·2⁻¹¹⁰⁰ is in [%v, %v]", s.Lower(), s.Upper())
	}
	s = Sum{}
	s.AddDot([]float64{0x1p-600, 0, 0x1p-600}, 0x1p600, []float64{0x1p-500, 0x1p-500, 0}, 0x1p501)
	if s.Lower() != 2 || s.Upper() != 2 {
		t.Errorf("2 is in [%v, %v]", s.Lower(), s.Upper())
	}
	s = Sum{}
	if s.AddProduct(0x1p-450, 1, 0x1p-450, 1); s.Lower() != vanishing || s.Upper() != vanishing {
		t.Errorf("2⁻⁹⁰⁰ is in [%v, %v]", s.Lower(), s.Upper())
	}
	s = Sum{}
	s.Add(2)
	square := Sum{}
	square.AddDot([]float64{3, 4}, 1, []float64{3, 4}, 1)
	if square.SqrtUp() != 5 || square.SqrtDown() != 5 {
		t.Errorf("√25 is in [%v, %v]", square.SqrtDown(), square.SqrtUp())
	}
	r := 1 + 0x1p-40 // r² needs two float64s
	root := Sum{}
	root.AddDot([]float64{r, 0x1p-600}, 1, []float64{r, 0x1p-500}, 1)
	if root.SqrtUp() != Next(r) || root.SqrtDown() != math.Nextafter(r, 0) {
		t.Errorf("the root of %v² + 2⁻¹¹⁰⁰ is in [%v, %v]", r, root.SqrtDown(), root.SqrtUp())
	}
	if n := s.Negated(); n.Lower() != -2 || n.Value() != -2 {
		t.Errorf("−2 is in [%v, %v]", n.Lower(), n.Upper())
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
		exactly := add(rat(c), add(mul(rat(a), rat(b)), mul(rat(c), rat(d))))
		if rat(s.Lower()).Cmp(exactly) > 0 || rat(s.Upper()).Cmp(exactly) < 0 {
			t.Fatalf("[%v, %v] does not hold %v", s.Lower(), s.Upper(), exactly)
		}
		checkRoots(t, s, exactly)
	})
}
