package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
)

// Verify checks every claim of s against the rows, in exact arithmetic and without the code that
// made them: R is max ‖xᵢ‖, rounded up by at most four ulps; the hyperplane has at least the margin
// Lower on every row; λ ≥ 0, λ ≠ 0 and ‖Σ λᵢyᵢxᵢ‖ ≤ Upper·Σλᵢ; and Separable is Lower > 0.
//
// The rows must be those that were separated, in their order. A true claim passes, even if it is
// weaker than it could be. ErrConfig names the first claim that is false, with the index of the row
// that proves it false, if one does; or an unknown Space, a bias in Linear space or a negative
// multiplier. It is ErrDimension for too many or too few weights or multipliers, ErrUntrained for
// no weights, and ErrNotFinite if a number in s is not finite or weights and bias are all zero.
// Errors in X and y are as in [Separate]. It takes O(nd), some hundreds of nanoseconds for each
// feature not 0.
func (s Separation) Verify(X [][]float64, y []int) error {
	h := s.Hyperplane
	if err := cmp.Or(s.checkNumbers(), checkLabelled(X, y, 0, s.Space), h.check(s.Space)); err != nil {
		return err
	}
	switch n, d := len(X), len(X[0]); {
	case len(h.Weights) != d:
		return fmt.Errorf("%w: Hyperplane has %d weights, but the rows have %d features", ErrDimension, len(h.Weights), d)
	case len(s.Multipliers) != n:
		return fmt.Errorf("%w: %d Multipliers, but %d rows", ErrDimension, len(s.Multipliers), n)
	}
	return cmp.Or(s.verifyRadius(X), s.verifyLower(X, y), s.verifyUpper(X, y), s.validate())
}

// wholeBits is a number of bits with which all sums and products here are exact. Each product has
// at most four float64s as factors. A float64 is an integer multiple of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴. So a
// sum of fewer than 2⁶⁴ such products is an integer multiple of 2⁻⁴²⁹⁶ below 2⁴¹⁶⁰, and has at most
// 8456 bits.
const wholeBits = 8500

// whole0 returns a new 0 with wholeBits bits.
func whole0() *big.Float { return new(big.Float).SetPrec(wholeBits) }

// wholeOf returns v, exactly.
func wholeOf(v float64) *big.Float { return whole0().SetFloat64(v) }

// wholeTimes returns a·b, exactly.
func wholeTimes(a, b *big.Float) *big.Float { return whole0().Mul(a, b) }

// signedSquareOf returns v·|v|, which grows with v. Verify compares numbers by it, because many are
// known only by their squares.
func signedSquareOf(v *big.Float) *big.Float { return wholeTimes(v, whole0().Abs(v)) }

// A wholeSum is an exact sum of products. a, b and product are memory for add.
type wholeSum struct{ sum, a, b, product *big.Float }

// newWholeSum returns the sum of no products.
func newWholeSum() *wholeSum { return &wholeSum{whole0(), whole0(), whole0(), whole0()} }

// add adds a·b, exactly.
func (s *wholeSum) add(a, b float64) {
	if a != 0 && b != 0 {
		s.product.Mul(s.a.SetFloat64(a), s.b.SetFloat64(b))
		s.sum.Add(s.sum, s.product)
	}
}

// wholeDot returns ⟨(a, a1), (b, b1)⟩, exactly.
func wholeDot(a []float64, a1 float64, b []float64, b1 float64) *big.Float {
	s := newWholeSum()
	for j, v := range a {
		s.add(v, b[j])
	}
	s.add(a1, b1)
	return s.sum
}

// verifyRadius verifies that Radius is the length of the longest row, rounded up by at most four
// ulps. It compares the square of Radius with the squares of the rows' lengths.
func (s *Separation) verifyRadius(X [][]float64) error {
	one, longest := appended(s.Space), whole0()
	for i, x := range X {
		square := wholeDot(x, one, x, one)
		if square.Cmp(signedSquareOf(wholeOf(s.Radius))) > 0 {
			return &ExampleError{i, fmt.Errorf("%w: Radius is %v, but the row is longer", ErrConfig, s.Radius)}
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
		return fmt.Errorf("%w: Radius is %v, but every row is shorter", ErrConfig, s.Radius)
	}
	return nil
}

// verifyLower verifies that the hyperplane has at least the margin Lower on every row. It compares
// the signed squares of y⟨w, x⟩ and Lower·‖w‖.
func (s *Separation) verifyLower(X [][]float64, y []int) error {
	w, b := s.Hyperplane.Weights, s.Hyperplane.Bias
	least := wholeTimes(signedSquareOf(wholeOf(s.Lower)), wholeDot(w, b, w, b))
	for i, x := range X {
		score := wholeDot(w, b, x, appended(s.Space))
		if y[i] < 0 {
			score.Neg(score)
		}
		if signedSquareOf(score).Cmp(least) < 0 {
			return &ExampleError{i, fmt.Errorf("%w: Lower is %v, but the hyperplane has a smaller margin on the row", ErrConfig, s.Lower)}
		}
	}
	return nil
}

// verifyUpper verifies that ‖Σ λᵢyᵢxᵢ‖ ≤ Upper·Σλᵢ, and that not every λ is 0. It compares the
// squares of both sides.
func (s *Separation) verifyUpper(X [][]float64, y []int) error {
	bias, sum := newWholeSum(), newWholeSum() // the last coordinate of Σ λᵢyᵢxᵢ, and Σλᵢ
	for i, lambda := range s.Multipliers {
		sum.add(lambda, 1)
		bias.add(lambda*float64(y[i]), appended(s.Space))
	}
	if sum.sum.Sign() == 0 {
		return fmt.Errorf("%w: Upper is %v, but all Multipliers are 0", ErrConfig, s.Upper)
	}
	square := wholeTimes(bias.sum, bias.sum)
	for j := range X[0] {
		z := newWholeSum() // the j-th coordinate of Σ λᵢyᵢxᵢ
		for i, lambda := range s.Multipliers {
			z.add(lambda*float64(y[i]), X[i][j])
		}
		square.Add(square, wholeTimes(z.sum, z.sum))
	}
	if signedSquareOf(wholeTimes(wholeOf(s.Upper), sum.sum)).Cmp(square) < 0 {
		return fmt.Errorf("%w: Upper is %v, but the Multipliers prove only a larger bound", ErrConfig, s.Upper)
	}
	return nil
}
