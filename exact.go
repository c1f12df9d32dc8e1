package perceptron

import "math"

// An enclosure holds a sum whose exact value is in [hi + lo − err, hi + lo + err].
// The rounding error of each addition to hi is carried in lo, and what lo cannot
// hold is counted in err, so that a sum which two float64s can hold, such as one
// of small integers, is exact, and any other good to about 10⁻³¹ of its terms.
type enclosure struct{ hi, lo, err float64 }

func (e *enclosure) add(v float64) {
	hi, low := twoSum(e.hi, v)
	lo, lost := twoSum(e.lo, low)
	e.hi, e.lo, e.err = hi, lo, e.err+math.Abs(lost)
}

// vanishing is below any product that matters in sums of terms near 1, and far
// above the products whose rounding error is too small for a float64.
const vanishing = 0x1p-900

// addProduct adds the product of v and w, scaled by the powers of two s and t
// to magnitudes of at most 2⁴⁰⁰, and its rounding error.
func (e *enclosure) addProduct(v, s, w, t float64) {
	a, b := float64(s*v), float64(t*w)
	p := float64(a * b)
	e.add(p)
	e.add(math.FMA(a, b, -p))
	if math.Abs(p) < vanishing && v != 0 && w != 0 {
		e.err += 2 * vanishing
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
		// The errors were added with rounding, which a part in 2³⁰ covers.
		t = next(e.lo + next(e.err*(1+0x1p-30)))
	}
	return twoSum(e.hi, t)
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
