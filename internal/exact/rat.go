package exact

import (
	"math"
	"math/big"
)

// A Rat is a rational number. Its operations are exact and leave their operands
// unchanged.
type Rat struct{ v *big.Rat }

// NewRat returns the finite number v as a Rat.
func NewRat(v float64) Rat { return Rat{new(big.Rat).SetFloat64(v)} }

// RatFromInt returns n as a Rat.
func RatFromInt(n int) Rat { return Rat{new(big.Rat).SetInt64(int64(n))} }

func (a Rat) Plus(b Rat) Rat { return Rat{new(big.Rat).Add(a.v, b.v)} }

func (a Rat) Minus(b Rat) Rat { return Rat{new(big.Rat).Sub(a.v, b.v)} }

func (a Rat) Times(b Rat) Rat { return Rat{new(big.Rat).Mul(a.v, b.v)} }

// Over returns a/b, for b ≠ 0.
func (a Rat) Over(b Rat) Rat { return Rat{new(big.Rat).Quo(a.v, b.v)} }

func (a Rat) Squared() Rat { return a.Times(a) }

// Cmp returns −1 if a < b, 0 if a = b and +1 if a > b.
func (a Rat) Cmp(b Rat) int { return a.v.Cmp(b.v) }

// RootUp returns √a rounded up, for a ≥ 0. If √a has at most 100 bits, the result is √a. Otherwise the
// result may be larger than √a, by a factor of at most 1 + 2⁻⁹⁷.
func (a Rat) RootUp() Rat {
	f := new(big.Float).SetPrec(100).SetRat(a.v)
	v, _ := f.Sqrt(f).Rat(nil)
	root := Rat{v}
	if root.Squared().Cmp(a) < 0 {
		root = root.Times(NewRat(1).Plus(NewRat(0x1p-98)))
	}
	return root
}

// PowerUp returns x^y rounded up, by less than a part in 10¹² for y below 1000, for x ≥ 1 and y ≥ 0. It has the same
// bits on every machine.
func PowerUp(x, y float64) float64 {
	times := func(a, b float64) float64 {
		if max(a, b) > math.MaxFloat64 {
			return math.Inf(1)
		}
		return NewRat(a).Times(NewRat(b)).Up()
	}
	if x > math.MaxFloat64 {
		return x
	}
	whole, part := math.Modf(y)
	product, square, root := 1.0, x, x // square is x^(2^i), and root is x^(2^−i), for the i-th bits of y
	for ; whole > 0; square = times(square, square) {
		if whole, y = math.Modf(whole / 2); y > 0 {
			product = times(product, square)
		}
	}
	for part > 0 {
		root = NewRat(root).RootUp().Up()
		if y, part = math.Modf(2 * part); y > 0 {
			product = times(product, root)
		}
	}
	return product
}

// Up returns the least float64 that is at least a, for a ≥ 0. The result may be +Inf.
func (a Rat) Up() float64 {
	f, _ := a.v.Float64() // the nearest
	if !math.IsInf(f, 1) && NewRat(f).Cmp(a) < 0 {
		f = Next(f)
	}
	return f
}

// Down returns the greatest finite float64 that is at most a, for a ≥ 0.
func (a Rat) Down() float64 {
	f, _ := a.v.Float64() // the nearest
	if math.IsInf(f, 1) || NewRat(f).Cmp(a) > 0 {
		f = math.Nextafter(f, 0)
	}
	return f
}

// MinusQuotients returns b − Σ vⱼwⱼ/uⱼ, with the sum over the elements of u. It computes with
// 200 bits, and rounds the result to float64. No uⱼ is 0. v and w are at least as long as u. For
// n terms, the error before the last rounding is below (n + 1)·2⁻¹⁹⁹·(|b| + Σ|vⱼwⱼ/uⱼ|). The
// exponents of a big.Float are so wide that nothing overflows or underflows before it.
func MinusQuotients(b float64, v, w, u []float64) float64 {
	wide := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	sum, term := wide(b), wide(0)
	for j, by := range u {
		term.Mul(wide(v[j]), wide(w[j]))
		sum.Sub(sum, term.Quo(term, wide(by)))
	}
	f, _ := sum.Float64()
	return f
}
