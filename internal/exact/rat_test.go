package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestRatRounding: rounding is directed to the last bit, through underflow and overflow.
func TestRatRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	third := big.NewRat(1, 3)
	for range 3000 {
		v := mul(rat(math.Abs(math.Ldexp(r.NormFloat64(), r.IntN(2090)-1070))), third)
		a := Rat{v}
		up, down := a.Up(), a.Down()
		if !math.IsInf(up, 1) && rat(up).Cmp(v) < 0 || rat(down).Cmp(v) > 0 || down != up && Next(down) != up {
			t.Fatalf("%v is rounded to %v and %v", v, down, up)
		}
		root := square(a.RootUp().v)
		if root.Cmp(v) < 0 || root.Cmp(mul(v, add(rat(1), rat(0x1p-96)))) > 0 {
			t.Fatalf("the root of %v is %v", v, root)
		}
	}
	for _, v := range []float64{0, 5e-324, 1, 0.1, math.MaxFloat64} {
		a := NewRat(v)
		if up, down := a.Up(), a.Down(); up != v || down != v {
			t.Errorf("%v is rounded to %v and %v", v, down, up)
		}
		if root := a.Squared().RootUp(); root.Cmp(a) != 0 {
			t.Errorf("the root of %v² is %v", v, root)
		}
	}
	huge := NewRat(math.MaxFloat64).Times(NewRat(2))
	if up, down := huge.Up(), huge.Down(); !math.IsInf(up, 1) || down != math.MaxFloat64 {
		t.Errorf("2·MaxFloat64 is rounded to %v and %v", down, up)
	}
}

// TestRatOperations: each operation on 3 and −4, which stay as they are.
func TestRatOperations(t *testing.T) {
	a, b := NewRat(3), NewRat(-4)
	for name, c := range map[string]struct{ got, want Rat }{
		"+": {a.Plus(b), NewRat(-1)}, "−": {a.Minus(b), NewRat(7)}, "·": {a.Times(b), NewRat(-12)},
		"/": {a.Over(b), NewRat(-0.75)}, "²": {b.Squared(), NewRat(16)}, "a": {a, NewRat(3)}, "b": {b, NewRat(-4)},
	} {
		if c.got.Cmp(c.want) != 0 {
			t.Errorf("%s: %v, want %v", name, c.got.v, c.want.v)
		}
	}
	if a.Cmp(b) != 1 || b.Cmp(a) != -1 {
		t.Errorf("3 and −4 compare as %d and %d", a.Cmp(b), b.Cmp(a))
	}
}
