package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/big"

	"perceptron/internal/hull"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// A Separation says whether a hyperplane separates the rows, and how widely: see [Separate]. It is plain
// data: [Verify] checks all of it from the rows alone.
type Separation struct {
	Space       Space      `json:"space"`
	Separable   bool       `json:"separable"`   // a hyperplane with Lower > 0 was found
	Hyperplane  Hyperplane `json:"hyperplane"`  // the best found, never all zero. Lower is its Gamma, or −R: see Separations
	Lower       float64    `json:"lower"`       // Lower ≤ γ ≤ Upper, with all rounding counted. Both are finite
	Upper       float64    `json:"upper"`       // see Lower
	Radius      float64    `json:"radius"`      // R, as the function Radius returns it
	Multipliers []float64  `json:"multipliers"` // λ ≥ 0, one for each row. They prove Upper: ‖Σ λᵢyᵢxᵢ‖/Σλᵢ ≤ Upper
}

// Separate finds the hyperplane with the largest margin, or proves that no hyperplane separates the rows:
//
//	γ = max over w of min yᵢ⟨w, xᵢ⟩/‖w‖,
//
// through the origin, or in Affine space with (x, 1) for x and (w, b) for w. The multipliers λ prove Upper:
//
//	min yᵢ⟨w, xᵢ⟩ ≤ Σλᵢyᵢ⟨w, xᵢ⟩/Σλᵢ ≤ ‖w‖·‖Σλᵢyᵢxᵢ‖/Σλᵢ.
//
// If the rows are separable, Lower and Upper meet, but for rounding, and λ is positive for at most as many
// rows as w has coordinates, the support vectors. Else Σλᵢyᵢxᵢ = 0 for a λ that is positive for at most one
// row more (Gordan 1873): these rows contradict each other. In Affine space the Euclidean margin is not the
// widest. It comes close if all features are first multiplied by a small number, such as 10⁻⁴.
//
// All rounding is counted, so Separable == true is a proof. Separable == false says that no separating
// hyperplane was found: train a model. Upper is then nearly always below 10⁻¹⁶R: any separating hyperplane
// has a margin too small for training. For γ < 10⁻¹⁵R there may be no float64 weights that separate. With s
// support vectors, Separate takes s to a few times s steps of O(s² + sd), and O(s² + sd + n) memory: see
// docs/margins.md.
func Separate[R Row](X []R, y []int, s Space) (Separation, error) {
	rows := rowsOf(X)
	sep, p, err := separation(rows, y, s)
	if err != nil || sep.Radius == 0 {
		return sep, err
	}
	var last hull.Point
	for last, _ = range hull.Approach(p, sep.Radius) {
	}
	sep.adopt(last, rows, y)
	return sep, nil
}

// Separations yields what [Separate] knows while it searches, each after at most about twice the time of the
// one before. Lower never falls and Upper never rises, so a caller may break where they are near enough. The
// last Separation is Separate's. Before it, Lower is −R until a hyperplane separates, and both bounds are
// weaker by 2⁻⁴⁸R, for rounding.
func Separations[R Row](X []R, y []int, s Space) iter.Seq2[Separation, error] {
	return func(yield func(Separation, error) bool) {
		rows := rowsOf(X)
		start, p, err := separation(rows, y, s)
		if err != nil || start.Radius == 0 {
			yield(start, err)
			return
		}
		best := start
		best.Lower, best.Upper = math.Inf(-1), math.Inf(1)
		for point, last := range hull.Approach(p, start.Radius) {
			next := start
			next.adopt(point, rows, y)
			if !last {
				best.improveBy(next)
				next = best.cautious()
			}
			if !yield(next, nil) {
				return
			}
		}
	}
}

// improveBy takes the better hyperplane and the better multipliers of s and next.
func (s *Separation) improveBy(next Separation) {
	if next.Lower >= s.Lower {
		s.Hyperplane, s.Lower = next.Hyperplane, next.Lower
	}
	if next.Upper <= s.Upper {
		s.Multipliers, s.Upper = next.Multipliers, next.Upper
	}
}

// cautious returns s with bounds that are wider by more than any rounding. So the last Separation of
// the sequence, which is Separate's, never has a lower Lower or a higher Upper.
func (s Separation) cautious() Separation {
	s.Lower, s.Upper = s.Lower-0x1p-48*s.Radius, min(s.Radius, s.Upper+0x1p-48*s.Radius)
	if s.Separable = s.Lower > 0; !s.Separable {
		s.Lower = -s.Radius
	}
	return s
}

// separation checks the rows. It returns a Separation with R, complete if R = 0, and the points.
func separation(X []vec.Row, y []int, s Space) (Separation, hull.Points, error) {
	if err := cmp.Or(train.CheckLengths(len(X), len(y)), train.CheckSigns(y)); err != nil {
		return Separation{}, hull.Points{}, err
	}
	R, err := radius(X, s) // which checks the rows
	if err != nil {
		return Separation{}, hull.Points{}, err
	}
	sep, d := Separation{Space: s, Radius: R}, widthOf(X)
	if R == 0 { // the margin of every hyperplane is 0, and each row proves it
		sep.Hyperplane.Weights, sep.Multipliers = make([]float64, d), make([]float64, len(X))
		sep.Hyperplane.Weights[0], sep.Multipliers[0] = 1, 1
	}
	return sep, hull.Points{X: X, Y: y, Width: d, Ones: s == Affine}, nil
}

// adopt sets the hyperplane and the multipliers to p's, and computes the bounds that they prove.
func (s *Separation) adopt(p hull.Point, X []vec.Row, y []int) {
	w := append(p.Direction, 0) // in Linear space there is no bias
	s.Hyperplane, s.Multipliers = planeOf(w, widthOf(X)), make([]float64, len(X))
	for k, i := range p.Support {
		s.Multipliers[i] = p.Lambda[k]
	}
	s.evaluate(X, y, p.Support)
}

// MistakeBound is the function [MistakeBound] of Radius and Lower.
func (s Separation) MistakeBound() float64 { return MistakeBound(s.Radius, s.Lower) }

// evaluate computes Lower and Upper. Every margin is between −R and R. So a Lower that overflows
// is −R, and such an Upper is R.
//
// The sum of the rows times the rounded multipliers is a hyperplane too. It may separate the rows
// even if the one that the search found does not.
func (s *Separation) evaluate(X []vec.Row, y []int, support []int) {
	combined, length := combination(X, y, support, s.Multipliers, len(s.Hyperplane.Weights), s.Space)
	s.Upper = min(s.Radius, length)
	s.Lower = -s.Radius
	s.improve(s.Hyperplane, X, y)
	if s.Lower <= 0 {
		s.improve(combined, X, y)
	}
	s.Separable = s.Lower > 0
}

// improve makes h the Hyperplane if its margin is at least Lower.
func (s *Separation) improve(h Hyperplane, X []vec.Row, y []int) {
	if gamma, err := gammaOf(h, X, y, s.Space); err == nil && gamma >= s.Lower {
		s.Hyperplane, s.Lower = h, gamma+0 // which makes −0 a plain 0
	}
}

// checkNumbers checks each field by itself.
func (s *Separation) checkNumbers() error {
	if err := cmp.Or(checkSpace(s.Space), s.Hyperplane.checkNumbers(s.Space)); err != nil {
		return err
	}
	for i, v := range s.Multipliers {
		switch {
		case !vec.IsFinite(v):
			return fmt.Errorf("%w: multiplier %d is %v", ErrNotFinite, i, v)
		case v < 0:
			return fmt.Errorf("%w: multiplier %d is %v, want at least 0", ErrConfig, i, v)
		}
	}
	return cmp.Or(
		require(vec.IsFinite(s.Radius), ErrNotFinite, "Radius is %v", s.Radius),
		require(vec.IsFinite(s.Lower), ErrNotFinite, "Lower is %v", s.Lower),
		require(vec.IsFinite(s.Upper), ErrNotFinite, "Upper is %v", s.Upper),
	)
}

// Verify checks every claim of s against the rows, in exact arithmetic and without the code that made the
// claims, in hundreds of ns for each non-zero:
//
//   - Radius is max ‖xᵢ‖ (Affine: ‖(xᵢ, 1)‖), rounded up by at most four ulps.
//   - The hyperplane has at least the margin Lower on every row.
//   - λ ≥ 0, λ ≠ 0 and ‖Σ λᵢyᵢxᵢ‖ ≤ Upper·Σλᵢ.
//   - Separable is Lower > 0.
//
// The rows must be those that were separated, in their order, but sparse rows may be narrower than the
// hyperplane. Verify returns ErrCertificate for the first false claim, with the index of a row that proves it
// false, if there is one.
func Verify[R Row](s Separation, X []R, y []int) error { return s.verify(rowsOf(X), y) }

func (s *Separation) verify(X []vec.Row, y []int) error {
	h := s.Hyperplane
	if err := cmp.Or(s.checkNumbers(), checkLabelled(X, y, 0, s.Space), h.check(s.Space)); err != nil {
		return err
	}
	switch n, d := len(X), widthOf(X); {
	case len(h.Weights) != d && (X[0].Index == nil || len(h.Weights) < d):
		return fmt.Errorf("%w: Hyperplane has width %d, but the rows have %d", ErrDimension, len(h.Weights), d)
	case len(s.Multipliers) != n:
		return fmt.Errorf("%w: len(Multipliers) is %d, want %d", ErrDimension, len(s.Multipliers), n)
	}
	if err := cmp.Or(s.verifyRadius(X), s.verifyLower(X, y), s.verifyUpper(X, y)); err != nil {
		return err
	}
	return require(s.Separable == (s.Lower > 0), ErrCertificate, "Separable is %v, but Lower is %v", s.Separable, s.Lower)
}

// wholeBits is a number of bits with which all sums and products here are exact. Each product has
// at most four float64s as factors. A float64 is an integer multiple of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴. So a
// sum of fewer than 2⁶⁴ such products is an integer multiple of 2⁻⁴²⁹⁶ below 2⁴¹⁶⁰, and has at most
// 8456 bits.
const wholeBits = 8500

// whole0 returns a new 0 with wholeBits bits.
func whole0() *big.Float { return new(big.Float).SetPrec(wholeBits) }

func wholeOf(v float64) *big.Float { return whole0().SetFloat64(v) }

func wholeTimes(a, b *big.Float) *big.Float { return whole0().Mul(a, b) }

// signedSquareOf returns v·|v|, which grows with v. Verify compares numbers by it, because many are
// known only by their squares.
func signedSquareOf(v *big.Float) *big.Float { return wholeTimes(v, whole0().Abs(v)) }

// A wholeSum is an exact sum of products. a, b and product are memory for add.
type wholeSum struct{ sum, a, b, product *big.Float }

func newWholeSum() *wholeSum { return &wholeSum{whole0(), whole0(), whole0(), whole0()} }

func (s *wholeSum) add(a, b float64) {
	if a != 0 && b != 0 {
		s.product.Mul(s.a.SetFloat64(a), s.b.SetFloat64(b))
		s.sum.Add(s.sum, s.product)
	}
}

// wholeDot returns ⟨(a, a1), (b, b1)⟩, exactly.
func wholeDot(a []float64, a1 float64, b vec.Row, b1 float64) *big.Float {
	s := newWholeSum()
	for k, v := range b.Value {
		s.add(a[b.At(k)], v)
	}
	s.add(a1, b1)
	return s.sum
}

// verifyRadius verifies that Radius is the length of the longest row, rounded up by at most four
// ulps. It compares the square of Radius with the squares of the rows' lengths.
func (s *Separation) verifyRadius(X []vec.Row) error {
	one, longest := appended(s.Space), whole0()
	for i, x := range X {
		square := wholeDot(x.Value, one, vec.Row{Value: x.Value}, one)
		if square.Cmp(signedSquareOf(wholeOf(s.Radius))) > 0 {
			return &ExampleError{i, fmt.Errorf("%w: Radius is %v, but the row is longer", ErrCertificate, s.Radius)}
		}
		if square.Cmp(longest) > 0 {
			longest = square
		}
	}
	// R may be up to four ulps above the length of the longest row.
	below := s.Radius
	for range 4 {
		below = math.Nextafter(below, math.Inf(-1))
	}
	if signedSquareOf(wholeOf(below)).Cmp(longest) > 0 {
		return fmt.Errorf("%w: Radius is %v, but every row is shorter", ErrCertificate, s.Radius)
	}
	return nil
}

// verifyLower verifies that the hyperplane has at least the margin Lower on every row. It compares
// the signed squares of y⟨w, x⟩ and Lower·‖w‖.
func (s *Separation) verifyLower(X []vec.Row, y []int) error {
	w, b := s.Hyperplane.Weights, s.Hyperplane.Bias
	least := wholeTimes(signedSquareOf(wholeOf(s.Lower)), wholeDot(w, b, vec.Row{Value: w}, b))
	for i, x := range X {
		score := wholeDot(w, b, x, appended(s.Space))
		if y[i] < 0 {
			score.Neg(score)
		}
		if signedSquareOf(score).Cmp(least) < 0 {
			return &ExampleError{i, fmt.Errorf("%w: Lower is %v, but the hyperplane has a smaller margin on the row", ErrCertificate, s.Lower)}
		}
	}
	return nil
}

// verifyUpper verifies that ‖Σ λᵢyᵢxᵢ‖ ≤ Upper·Σλᵢ, and that not every λ is 0. It compares the
// squares of both sides.
func (s *Separation) verifyUpper(X []vec.Row, y []int) error {
	bias, sum := newWholeSum(), newWholeSum() // the last coordinate of Σ λᵢyᵢxᵢ, and Σλᵢ
	for i, lambda := range s.Multipliers {
		sum.add(lambda, 1)
		bias.add(lambda*float64(y[i]), appended(s.Space))
	}
	if sum.sum.Sign() == 0 {
		return fmt.Errorf("%w: Upper is %v, but all Multipliers are 0", ErrCertificate, s.Upper)
	}
	square := wholeTimes(bias.sum, bias.sum)
	z, at := make([]*big.Float, len(s.Hyperplane.Weights)), newWholeSum() // the other coordinates, nil for 0
	for i, lambda := range s.Multipliers {
		for k, v := range X[i].Value {
			j := X[i].At(k)
			if z[j] == nil && lambda != 0 && v != 0 {
				z[j] = whole0()
			}
			if at.sum = z[j]; at.sum != nil {
				at.add(lambda*float64(y[i]), v)
			}
		}
	}
	for _, v := range z {
		if v != nil {
			square.Add(square, wholeTimes(v, v))
		}
	}
	if signedSquareOf(wholeTimes(wholeOf(s.Upper), sum.sum)).Cmp(square) < 0 {
		return fmt.Errorf("%w: Upper is %v, but the Multipliers prove only a larger bound", ErrCertificate, s.Upper)
	}
	return nil
}
