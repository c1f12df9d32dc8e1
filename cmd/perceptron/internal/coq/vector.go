package coq

import (
	"math"
	"math/big"
	"strings"
)

// A vector has exact integers as its coordinates. Only addTimes changes its receiver.
type vector []*big.Int

// dot returns Σ aⱼbⱼ.
func (a vector) dot(b vector) *big.Int {
	sum, product := new(big.Int), new(big.Int)
	for j := range a {
		if a[j].Sign() != 0 && b[j].Sign() != 0 {
			sum.Add(sum, product.Mul(a[j], b[j]))
		}
	}
	return sum
}

// times returns c·a.
func (a vector) times(c *big.Int) vector {
	v := make(vector, len(a))
	for j := range a {
		v[j] = new(big.Int).Mul(a[j], c)
	}
	return v
}

// addTimes adds c·b to a in place.
func (a vector) addTimes(c *big.Int, b vector) {
	product := new(big.Int)
	for j := range a {
		a[j].Add(a[j], product.Mul(c, b[j]))
	}
}

// zeros returns d zeros.
func zeros(d int) vector {
	v := make(vector, d)
	for j := range v {
		v[j] = new(big.Int)
	}
	return v
}

// sum returns Σ aⱼ.
func (a vector) sum() *big.Int {
	s := new(big.Int)
	for _, v := range a {
		s.Add(s, v)
	}
	return s
}

// isZero reports whether every coordinate is 0.
func (a vector) isZero() bool {
	for _, v := range a {
		if v.Sign() != 0 {
			return false
		}
	}
	return true
}

// reduced returns a divided by the greatest common divisor of its coordinates.
func (a vector) reduced() vector {
	g := new(big.Int)
	for _, v := range a {
		g.GCD(nil, nil, g, new(big.Int).Abs(v))
	}
	if g.Sign() == 0 {
		return a
	}
	r := make(vector, len(a))
	for j, v := range a {
		r[j] = new(big.Int).Quo(v, g)
	}
	return r
}

// over returns a/c for c ≠ 0, with each coordinate rounded to float64.
func (a vector) over(c *big.Int) []float64 {
	f := make([]float64, len(a))
	for j, v := range a {
		f[j], _ = new(big.Rat).SetFrac(v, c).Float64()
	}
	return f
}

// fromFloats returns integers proportional to the finite numbers f, without a common divisor.
func fromFloats(f []float64) vector {
	v, least := make(vector, len(f)), 0
	e := make([]int, len(f))
	for j, a := range f {
		fraction, exponent := math.Frexp(a)
		v[j], e[j] = big.NewInt(int64(fraction*(1<<53))), exponent-53
		if a != 0 {
			least = min(least, e[j])
		}
	}
	for j := range v {
		if v[j].Sign() != 0 {
			v[j].Lsh(v[j], uint(e[j]-least))
		}
	}
	return v.reduced()
}

// String returns a as a list in Coq's notation.
func (a vector) String() string {
	s := make([]string, len(a))
	for j, v := range a {
		s[j] = v.String()
	}
	return "[" + strings.Join(s, "; ") + "]%Z"
}
