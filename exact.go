package perceptron

import (
	"fmt"
	"math"
	"math/big"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// An enclosure holds a sum whose exact value is in [hi + lo − err, hi + lo + err].
// The rounding error of each addition to hi is carried in lo, and what lo cannot
// hold is counted in err, so that a sum which two float64s can hold, such as one
// of small integers, is exact, and any other good to about 10⁻³¹ of its terms.
type enclosure struct{ hi, lo, err float64 }

func (e *enclosure) add(v float64) {
	hi, low := exact.TwoSum(e.hi, v)
	lo, lost := exact.TwoSum(e.lo, low)
	e.hi, e.lo = hi, lo
	if lost != 0 {
		e.err = next(e.err + math.Abs(lost))
	}
}

// vanishing is below any product that matters in sums of terms near 1, and far
// above the products whose rounding error is too small for a float64.
const vanishing = 0x1p-900

// addProduct adds the product of v and w, scaled by the powers of two s and t
// to magnitudes of at most 2⁶⁰, and its rounding error. A factor that scaling
// makes subnormal is off by 2⁻¹⁰⁷⁵ at most, which vanishing covers too.
func (e *enclosure) addProduct(v, s, w, t float64) {
	a, b := float64(s*v), float64(t*w)
	p := float64(a * b)
	e.add(p)
	e.add(math.FMA(a, b, -p))
	if math.Abs(p) < vanishing && v != 0 && w != 0 {
		e.err = next(e.err + 2*vanishing)
	}
}

// exactDot returns s·t⟨a, b⟩.
func exactDot(a []float64, s float64, b []float64, t float64) enclosure {
	var e enclosure
	for i, v := range a {
		e.addProduct(v, s, b[i], t)
	}
	return e
}

func (e enclosure) negated() enclosure { return enclosure{-e.hi, -e.lo, e.err} }

// bound returns an unevaluated sum r + low, |low| ≤ ulp(r)/2, that is not below
// the exact sum, and equal to it where that is known exactly.
func (e enclosure) bound() (r, low float64) {
	t := e.lo
	if e.err > 0 {
		t = next(e.lo + e.err)
	}
	return exact.TwoSum(e.hi, t)
}

// upper returns the least float64 that is not below bound.
func (e enclosure) upper() float64 {
	r, low := e.bound()
	if low > 0 {
		r = next(r)
	}
	return r
}

// lower returns a float64 that is not above the sum.
func (e enclosure) lower() float64 { return -e.negated().upper() }

func next(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

// sqrtUp returns the least float64 whose square is at least e's bound, which is
// not negative. For r near √v the fused r² − v is exact.
func (e enclosure) sqrtUp() float64 {
	v, low := e.bound()
	r := math.Sqrt(v)
	if math.FMA(r, r, -v) < low {
		r = next(r)
	}
	return r
}

// sqrtDown returns a float64 whose square is at most the sum, the greatest such
// where the sum is exact.
func (e enclosure) sqrtDown() float64 {
	v, low := e.negated().bound()
	r := math.Sqrt(-v)
	if math.FMA(r, r, v) > -low {
		r = math.Nextafter(r, 0)
	}
	return r
}

// divideDown returns a/b rounded down, b > 0.
func divideDown(a, b float64) float64 {
	q := a / b
	if math.FMA(q, b, -a) > 0 || a != 0 && math.Abs(a) < vanishing {
		q = math.Nextafter(q, math.Inf(-1))
	}
	return q
}

// divideUp returns a/b rounded up, b > 0.
func divideUp(a, b float64) float64 { return -divideDown(-a, b) }

// unscaledUp returns v/scale for a power of two, rounded up where that is
// subnormal.
func unscaledUp(v, scale float64) float64 {
	q := v / scale
	if q*scale < v {
		q = next(q)
	}
	return q
}

// rowScale checks the rows of X and returns the power of two that brings them
// into a range where products neither overflow nor vanish.
func rowScale(X [][]float64, s Space) (float64, error) {
	switch {
	case int(s) >= len(spaceNames):
		return 0, noName("Space", int(s), spaceNames)
	case len(X) == 0:
		return 0, fmt.Errorf("%w: no rows", ErrEmpty)
	}
	var top float64
	if s == Affine {
		top = 1
	}
	for i, x := range X {
		if err := checkWidth(len(X[0]), x); err != nil {
			return 0, &ExampleError{i, err}
		}
		if !vec.Finite(x) {
			return 0, &ExampleError{i, scoreError(len(x), x)}
		}
		top = max(top, vec.Largest(x))
	}
	return powerScale(top), nil
}

// powerScale returns 1 for a magnitude that is far from float64's limits, else
// the power of two that brings it near 1.
func powerScale(top float64) float64 {
	if top == 0 || 0x1p-60 < top && top < 0x1p60 {
		return 1
	}
	_, e := math.Frexp(top)
	return math.Ldexp(1, min(-e, 1000))
}

// The bounds are rational functions of float64s, computed as such.

func ratOf(v float64) *big.Rat   { return new(big.Rat).SetFloat64(v) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func square(v *big.Rat) *big.Rat { return mul(v, v) }

// rate is a model's Rate, of which 0 means 1.
func rate(eta float64) *big.Rat {
	if eta == 0 {
		eta = 1
	}
	return ratOf(eta)
}

// rootUp returns a number whose square is at least v ≥ 0, √v itself if that is
// a number of at most 100 bits.
func rootUp(v *big.Rat) *big.Rat {
	f := new(big.Float).SetPrec(100).SetRat(v)
	root, _ := f.Sqrt(f).Rat(nil)
	if square(root).Cmp(v) < 0 {
		root = mul(root, add(ratOf(1), ratOf(0x1p-98)))
	}
	return root
}

// roundUp returns the least float64 that is not below v ≥ 0.
func roundUp(v *big.Rat) float64 {
	f, _ := new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).SetRat(v).Float64()
	if !math.IsInf(f, 1) && ratOf(f).Cmp(v) < 0 {
		f = next(f)
	}
	return f
}

// roundDown returns the greatest float64 that is not above v ≥ 0.
func roundDown(v *big.Rat) float64 {
	f, _ := new(big.Float).SetPrec(53).SetMode(big.ToZero).SetRat(v).Float64()
	if math.IsInf(f, 1) {
		return math.MaxFloat64
	}
	if ratOf(f).Cmp(v) > 0 {
		f = math.Nextafter(f, 0)
	}
	return f
}
