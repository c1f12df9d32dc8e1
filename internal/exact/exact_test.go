package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// rat and its companions are the reference: math/big's rationals, not this package's.

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func square(v *big.Rat) *big.Rat { return mul(v, v) }

// TestTwoSum: the rounded sum and its error are the exact sum.
func TestTwoSum(t *testing.T) {
	values := []float64{0, 1, -1, 0.1, -0.3, 1e16, -1e16, 1e-20, 3.7e300, 5e-324, 1 << 53, -1.0 / 3}
	for _, a := range values {
		for _, b := range values {
			s, e := TwoSum(a, b)
			if s != a+b || add(rat(s), rat(e)).Cmp(add(rat(a), rat(b))) != 0 {
				t.Errorf("TwoSum(%v, %v) = %v, %v", a, b, s, e)
			}
		}
	}
}

// TestDivide: quotients are rounded down and up, even where the error of the
// quotient underflows, by two units at most.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 3000 {
		a, b := math.Ldexp(r.NormFloat64(), r.IntN(2000)-1070), math.Abs(math.Ldexp(r.NormFloat64(), r.IntN(1000)-500))
		down, up := DivideDown(a, b), DivideUp(a, b)
		if math.IsInf(up, 0) || math.IsInf(down, 0) {
			continue
		}
		if mul(rat(down), rat(b)).Cmp(rat(a)) > 0 || mul(rat(up), rat(b)).Cmp(rat(a)) < 0 || Next(Next(down)) < up {
			t.Fatalf("%v / %v is rounded to %v and %v", a, b, down, up)
		}
	}
	if down, up := DivideDown(6, 3), DivideUp(6, 3); down != 2 || up != 2 {
		t.Errorf("6/3 is rounded to %v and %v", down, up)
	}
	if down := DivideDown(vanishing, 2); down != vanishing/2 {
		t.Errorf("%v/2 is rounded down to %v", vanishing, down)
	}
}

// TestPowerScale: the power of two brings magnitudes near 1. It is 1 for magnitudes that need no
// scaling.
func TestPowerScale(t *testing.T) {
	for top, want := range map[float64]float64{
		0: 1, 1: 1, 0x1p59: 1, 0x1p-59: 1, 0x1p60: 0x1p-61, 0x1p-60: 0x1p59,
		math.MaxFloat64: 0x1p-1024, 0x1p-999: 0x1p998, 5e-324: 0x1p1000,
	} {
		if got := PowerScale(top); got != want {
			t.Errorf("PowerScale(%v) = %v, want %v", top, got, want)
		}
	}
}

// TestUnscaledUp: quotients that are float64s are exact, others are rounded up.
func TestUnscaledUp(t *testing.T) {
	for _, c := range [][3]float64{
		{3, 0x1p-1000, 0x3p1000}, {3, 0x1p1000, 0x3p-1000}, {1, 0x1p-1024, math.Inf(1)},
		{0x3p-75, 0x1p1000, 2 * 5e-324}, {0x2p-75, 0x1p1000, 5e-324}, {0x1p-100, 0x1p1000, 5e-324}, {0, 4, 0},
	} {
		if got := UnscaledUp(c[0], c[1]); got != c[2] {
			t.Errorf("UnscaledUp(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
