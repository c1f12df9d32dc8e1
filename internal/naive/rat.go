package naive

import "math/big"

// The functions below compute in rational arithmetic. The exact values of lengths are squares, so no root is
// needed.

// Rat returns v exactly.
func Rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// RatDot returns ⟨a, b⟩ exactly.
func RatDot(a, b []float64) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, RatMul(Rat(a[i]), Rat(b[i])))
	}
	return sum
}

// RatMul returns ab.
func RatMul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// RatSquare returns v².
func RatSquare(v *big.Rat) *big.Rat { return RatMul(v, v) }

// Homogeneous returns a copy of the rows, with a 1 appended if affine is true.
func Homogeneous(X [][]float64, affine bool) (Z [][]float64) {
	for _, x := range X {
		z := append([]float64(nil), x...)
		if affine {
			z = append(z, 1)
		}
		Z = append(Z, z)
	}
	return Z
}
