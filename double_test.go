package perceptron

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func (a double) rat() *big.Rat { return add(rat(a.hi), rat(a.lo)) }

// randomDouble is one of 106 random bits, or of fewer.
func randomDouble(r *rand.Rand) double {
	hi := math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
	return joined(hi, hi*math.Ldexp(r.NormFloat64(), -54-r.IntN(20))*float64(r.IntN(4)))
}

// within fails unless got is within units·roundoff·size of want.
func inside(t *testing.T, what string, got double, want, size *big.Rat, units float64) {
	t.Helper()
	if joined(got.hi, got.lo) != got {
		t.Fatalf("%s = %v overlaps", what, got)
	}
	off := new(big.Rat).Sub(got.rat(), want)
	if off.Abs(off).Cmp(mul(new(big.Rat).Abs(size), rat(units*roundoff))) > 0 {
		e, _ := off.Float64()
		t.Fatalf("%s = %v is off by %v", what, got, e)
	}
}

// TestDouble holds each operation against rational arithmetic.
func TestDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	for range 3000 {
		a, b := randomDouble(r), randomDouble(r)
		x, y := a.rat(), b.rat()
		terms := add(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
		inside(t, "a + b", a.plus(b), add(x, y), terms, 1)
		inside(t, "a − b", a.minus(b), add(x, new(big.Rat).Neg(y)), terms, 1)
		inside(t, "ab", a.times(b), mul(x, y), mul(x, y), 2)
		inside(t, "a/b", a.over(b), quo(x, y), quo(x, y), 3)
		square := a.times(a)
		inside(t, "√a²", square.root(), new(big.Rat).Abs(x), x, 4)
		if a.less(b) != (x.Cmp(y) < 0) || a.less(a) {
			t.Fatalf("%v less than %v: %v", a, b, a.less(b))
		}
		if c := (double{a.hi, a.lo + math.Abs(a.hi)*0x1p-60}); !a.less(c) || c.less(a) {
			t.Fatalf("%v is not less than %v", a, c)
		}
	}
	if got := (double{}).root(); got != (double{}) {
		t.Errorf("√0 = %v", got)
	}
}

// TestDoubleVectors: sums that cancel keep the digits that their terms have.
func TestDoubleVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 10))
	for range 300 {
		n := 1 + r.IntN(40)
		a, b := make([]double, n), make([]double, n)
		exactly, terms := new(big.Rat), new(big.Rat)
		for i := range a {
			a[i], b[i] = randomDouble(r), randomDouble(r)
			if i%2 == 1 { // nearly the opposite of the product before
				a[i], b[i] = a[i-1].negated(), b[i-1].times(double{1 + 0x1p-40, 0})
			}
			p := mul(a[i].rat(), b[i].rat())
			exactly.Add(exactly, p)
			terms.Add(terms, p.Abs(p))
		}
		inside(t, "⟨a, b⟩", dotDouble(a, b), exactly, terms, float64(n))

		c, s := double{0.6, 0}, double{0.8, 0}
		x, y := a[0].rat(), b[0].rat()
		w := []double{b[0]}
		axpyDouble(w, c, a[:1])
		size := add(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
		inside(t, "b + ca", w[0], add(y, mul(c.rat(), x)), size, 4)
		scaleDouble(w, double{})
		if w[0] != (double{}) {
			t.Fatalf("0·w = %v", w[0])
		}
		p, q := []double{a[0]}, []double{b[0]}
		rotate(p, q, c, s)
		inside(t, "ca + sb", p[0], add(mul(c.rat(), x), mul(s.rat(), y)), size, 4)
		inside(t, "cb − sa", q[0], add(mul(c.rat(), y), mul(s.negated().rat(), x)), size, 4)
	}
}
