// Package naive has what the tests of several packages share: data with known properties, and
// references that are written straight from the formulas, so that tests can compare exactly. Only
// tests import it. It is test code, and no budget of code counts it.
package naive

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
)

// The library's constants of an Order, a Keep and a rule.
const (
	Shuffled, Sampled                 = 1, 2
	Average, Pocket                   = 1, 2
	WithinGamma, WithinTheta, WithinR = 1, 2, 3
)

// SameBits reports whether two numbers have the same bits.
func SameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// Same reports whether two numbers have the same bits, or are both NaN.
func Same(a, b float64) bool { return SameBits(a, b) || math.IsNaN(a) && math.IsNaN(b) }

// Dot adds the products in the order that vec.Dot documents.
func Dot(a, b []float64) float64 {
	n := len(a)
	q := n - n%32
	var lane [32]float64
	for i := range q {
		p := a[i] * b[i]
		lane[i%32] += float64(p)
	}
	var v [8]float64
	for j := range v {
		v[j] = (lane[j] + lane[j+8]) + (lane[j+16] + lane[j+24])
	}
	for i := q; i < n; i++ {
		p := float64(a[i] * b[i])
		v[(i-q)%8] += p
	}
	var u [4]float64
	for j := range u {
		u[j] = v[j] + v[j+4]
	}
	return (u[0] + u[2]) + (u[1] + u[3])
}

// Below draws from [0, k) by Lemire's method in big integers: the integer part of k·u/2⁶⁴,
// unless its fraction is below 2⁶⁴ mod k.
func Below(gen *rand.PCG, k int) int {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	reject := new(big.Int).Mod(two64, big.NewInt(int64(k)))
	for {
		u := new(big.Int).SetUint64(gen.Uint64())
		hi, lo := new(big.Int).DivMod(u.Mul(u, big.NewInt(int64(k))), two64, new(big.Int))
		if lo.Cmp(reject) >= 0 {
			return int(hi.Int64())
		}
	}
}

// Order returns an epoch's order of the rows.
func Order(kind int, gen *rand.PCG, rows int) []int {
	index := make([]int, rows)
	for i := range index {
		if index[i] = i; kind == Sampled {
			index[i] = Below(gen, rows)
		}
	}
	for i := rows - 1; i > 0 && kind == Shuffled; i-- {
		j := Below(gen, i+1)
		index[i], index[j] = index[j], index[i]
	}
	return index
}

// Mean returns the exact mean of a part of the planes, rounded once.
func Mean(planes []Plane, part func(Plane) float64) float64 {
	sum := new(big.Float).SetPrec(2200)
	for _, h := range planes {
		sum.Add(sum, new(big.Float).SetFloat64(part(h)))
	}
	mean, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(planes)))).Float64()
	return mean
}

// A Plane is a hyperplane.
type Plane struct {
	Weights []float64
	Bias    float64
}

// Score returns ⟨w, x⟩ + b.
func (h Plane) Score(x []float64) float64 { return Dot(h.Weights, x) + h.Bias }

// Clone returns a copy.
func (h Plane) Clone() Plane { return Plane{slices.Clone(h.Weights), h.Bias} }

// Right counts the rows that the plane has right. A score of 0 is wrong.
func (h Plane) Right(X [][]float64, y []int) (right int) {
	for i, x := range X {
		if float64(y[i])*h.Score(x) > 0 {
			right++
		}
	}
	return right
}

// Floats reads float64s of any bits.
func Floats(data []byte) (v []float64) {
	for ; len(data) >= 8; data = data[8:] {
		v = append(v, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return v
}

// Raw is the inverse of Floats.
func Raw(v ...float64) (data []byte) {
	for _, x := range v {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}
