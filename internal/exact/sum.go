package exact

import "math"

// A Sum adds float64s and bounds the exact sum. The zero value is the sum of no
// terms.
//
// A sum that two float64s can hold, such as a sum of small integers, is exact. The bounds on any
// other sum are apart by about 10⁻³¹ of its terms. Sums must stay in float64's range.
type Sum struct {
	// The exact sum is in [hi + lo − err, hi + lo + err]. lo adds up the rounding
	// errors of hi, and err bounds the rounding errors of lo.
	hi, lo, err float64
}

func (s *Sum) Add(v float64) {
	hi, low := TwoSum(s.hi, v)
	lo, lost := TwoSum(s.lo, low)
	s.hi, s.lo = hi, lo
	if lost != 0 {
		s.err = Next(s.err + math.Abs(lost))
	}
}

// AddProduct adds (v·scaleV)·(w·scaleW). The scales are powers of two, and the
// scaled factors at most 2⁶⁰. A product below 2⁻⁹⁰⁰ widens the bounds.
func (s *Sum) AddProduct(v, scaleV, w, scaleW float64) {
	a, b := float64(scaleV*v), float64(scaleW*w)
	p := float64(a * b)
	s.Add(p)
	s.Add(math.FMA(a, b, -p))
	// 2·vanishing also covers the rounding of a factor that is subnormal after scaling: its error is
	// at most 2⁻¹⁰⁷⁵, times the other factor.
	if math.Abs(p) < vanishing && v != 0 && w != 0 {
		s.err = Next(s.err + 2*vanishing)
	}
}

// AddDot adds ⟨a·scaleA, b·scaleB⟩, under the conditions of AddProduct.
func (s *Sum) AddDot(a []float64, scaleA float64, b []float64, scaleB float64) {
	for i, v := range a {
		s.AddProduct(v, scaleA, b[i], scaleB)
	}
}

func (s Sum) Negated() Sum { return Sum{-s.hi, -s.lo, s.err} }

func (s Sum) Minus(t Sum) Sum {
	s.Add(-t.hi)
	s.Add(-t.lo)
	if t.err > 0 {
		s.err = Next(s.err + t.err)
	}
	return s
}

// Value returns the sum, up to rounding.
func (s Sum) Value() float64 { return s.hi }

// bound returns an upper bound on the exact sum as r + low, |low| ≤ ulp(r)/2. If err is 0, the
// bound is the sum.
func (s Sum) bound() (r, low float64) {
	t := s.lo
	if s.err > 0 {
		t = Next(s.lo + s.err)
	}
	return TwoSum(s.hi, t)
}

// Upper returns a float64 that is at least the sum. If s is exact, it returns the least such
// float64.
func (s Sum) Upper() float64 {
	r, low := s.bound()
	if low > 0 {
		r = Next(r)
	}
	return r
}

// Lower returns a float64 that is at most the sum. If s is exact, it returns the greatest such
// float64.
func (s Sum) Lower() float64 { return -s.Negated().Upper() }

// SqrtUp returns the root of the sum, rounded up: its square is at least the sum. The sum must not
// be negative. If s is exact, the result is the least such float64 that is not negative.
func (s Sum) SqrtUp() float64 {
	v, low := s.bound()
	r := math.Sqrt(v)
	if math.FMA(r, r, -v) < low { // for r near √v the fused r² − v is exact
		r = Next(r)
	}
	return r
}

// SqrtDown returns the root of the sum, rounded down: its square is at most the sum. The sum must
// not be negative. If s is exact, the result is the greatest such float64.
func (s Sum) SqrtDown() float64 {
	v, low := s.Negated().bound()
	r := math.Sqrt(-v)
	if math.FMA(r, r, v) > -low {
		r = math.Nextafter(r, 0)
	}
	return r
}
