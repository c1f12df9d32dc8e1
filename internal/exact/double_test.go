package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func (a Double) rat() *big.Rat { return add(rat(a.Hi), rat(a.Lo)) }

// randomDouble returns a Double of 106 random bits, or of fewer.
func randomDouble(r *rand.Rand) Double {
	hi := math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
	return joined(hi, hi*math.Ldexp(r.NormFloat64(), -54-r.IntN(20))*float64(r.IntN(4)))
}

// inside fails unless got is within units·Unit·size of want.
func inside(t *testing.T, what string, got Double, want, size *big.Rat, units float64) {
	t.Helper()
	if joined(got.Hi, got.Lo) != got {
		t.Fatalf("%s = %v overlaps", what, got)
	}
	off := new(big.Rat).Sub(got.rat(), want)
	if off.Abs(off).Cmp(mul(new(big.Rat).Abs(size), rat(units*Unit))) > 0 {
		e, _ := off.Float64()
		t.Fatalf("%s = %v is off by %v", what, got, e)
	}
}

// TestDouble compares each operation with rational arithmetic.
func TestDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	for range 3000 {
		a, b := randomDouble(r), randomDouble(r)
		x, y := a.rat(), b.rat()
		terms := add(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
		inside(t, "a + b", a.Plus(b), add(x, y), terms, 1)
		inside(t, "a − b", a.Minus(b), add(x, new(big.Rat).Neg(y)), terms, 1)
		inside(t, "ab", a.Times(b), mul(x, y), mul(x, y), 2)
		inside(t, "a/b", a.Over(b), new(big.Rat).Quo(x, y), new(big.Rat).Quo(x, y), 3)
		square := a.Times(a)
		inside(t, "√a²", square.Root(), new(big.Rat).Abs(x), x, 4)
		if a.Less(b) != (x.Cmp(y) < 0) || a.Less(a) {
			t.Fatalf("%v less than %v: %v", a, b, a.Less(b))
		}
		if c := (Double{a.Hi, a.Lo + math.Abs(a.Hi)*0x1p-60}); !a.Less(c) || c.Less(a) {
			t.Fatalf("%v is not less than %v", a, c)
		}
	}
	if got := (Double{}).Root(); got != (Double{}) {
		t.Errorf("√0 = %v", got)
	}
}

// TestDoubleVectors: sums that cancel keep the digits of their terms.
func TestDoubleVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 10))
	for range 300 {
		n := 1 + r.IntN(40)
		a, b := make([]Double, n), make([]Double, n)
		exactly, terms := new(big.Rat), new(big.Rat)
		for i := range a {
			a[i], b[i] = randomDouble(r), randomDouble(r)
			if i%2 == 1 { // nearly the opposite of the product before
				a[i], b[i] = a[i-1].Negated(), b[i-1].Times(Double{1 + 0x1p-40, 0})
			}
			p := mul(a[i].rat(), b[i].rat())
			exactly.Add(exactly, p)
			terms.Add(terms, p.Abs(p))
		}
		inside(t, "⟨a, b⟩", Dot(a, b), exactly, terms, float64(n))

		c, s := Double{0.6, 0}, Double{0.8, 0}
		x, y := a[0].rat(), b[0].rat()
		w := []Double{b[0]}
		Axpy(w, c, a[:1])
		size := add(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
		inside(t, "b + ca", w[0], add(y, mul(c.rat(), x)), size, 4)
		p, q := []Double{a[0]}, []Double{b[0]}
		Rotate(p, q, c, s)
		inside(t, "ca + sb", p[0], add(mul(c.rat(), x), mul(s.rat(), y)), size, 4)
		inside(t, "cb − sa", q[0], add(mul(c.rat(), y), mul(s.Negated().rat(), x)), size, 4)
	}
}
