package vec

import (
	"math"
	"unsafe"

	"perceptron/internal/exact"
)

// dotGeneric is Dot in Go, for vectors of equal length. It passes over each tile of 512
// elements eight times, and each pass adds to 4 of the 32 lanes. The 4 sums, their factors
// and products fit in the registers of any machine, and the tile stays in the cache.
func dotGeneric(a, b []float64) float64 {
	const tile = 512
	b = b[:len(a)]
	var l lanes
	for len(a) >= 32 {
		n := min(len(a)&^31, tile)
		for j := 0; j < 32; j += 4 {
			addTo((*[4]float64)(l[j:]), a[j:n], b[j:n])
		}
		a, b = a[n:], b[n:]
	}
	v := l.fold()
	// Step 3 of Dot's order: the last products.
	for i, x := range a {
		v[i%8] += float64(x * b[i])
	}
	return v.sum()
}

// The partial sums of Dot's steps 1 and 3.
type (
	lanes     [32]float64
	lastLanes [8]float64
)

// fold is step 2 of Dot's order.
func (l *lanes) fold() (v lastLanes) {
	for j := range v {
		v[j] = (l[j] + l[j+8]) + (l[j+16] + l[j+24])
	}
	return v
}

// sum is step 4 of Dot's order.
func (v *lastLanes) sum() float64 {
	return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))
}

// addTo adds the first 4 of every 32 products to 4 lanes. It is not inlined, so that
// the sums stay in registers.
//
//go:noinline
func addTo(l *[4]float64, a, b []float64) {
	b = b[:len(a)]
	v0, v1, v2, v3 := l[0], l[1], l[2], l[3]
	for i := 3; i < len(a); i += 32 {
		v0 += float64(a[i-3] * b[i-3])
		v1 += float64(a[i-2] * b[i-2])
		v2 += float64(a[i-1] * b[i-1])
		v3 += float64(a[i] * b[i])
	}
	*l = [4]float64{v0, v1, v2, v3}
}

// axpyGeneric is Axpy in Go.
func axpyGeneric(dst, w []float64, c float64, x []float64) bool {
	dst, w = dst[:len(x)], w[:len(x)]
	largest := uint64(0) // of the sums' bits, without their signs
	for i, v := range x {
		s := w[i] + float64(c*v)
		dst[i], largest = s, max(largest, math.Float64bits(s)<<1)
	}
	return largest < math.Float64bits(math.Inf(1))<<1
}

// accumulateGeneric is Accumulate in Go.
func accumulateGeneric(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	dst, dstLow, sum, low, v = dst[:len(w)], dstLow[:len(w)], sum[:len(w)], low[:len(w)], v[:len(w)]
	for i, to := range w {
		d, f := exact.TwoSum(to, -v[i])
		p := float64(c * d)
		s, r := exact.TwoSum(sum[i], p)
		dst[i], dstLow[i] = s, low[i]+((r+math.FMA(c, d, -p))+float64(c*f))
	}
	return Finite(dstLow) // where dst overflows, its rounding error in dstLow is NaN
}

// blockGeneric is block.dots in Go.
func blockGeneric(b *block, x *[blockRows][]float64) {
	for k, w := range b.w[:b.k] {
		for j, row := range x {
			b.sums[blockRows*k+j] = dotGeneric(row, unsafe.Slice(w, b.n))
		}
	}
}

// dotSparseGeneric is dotSparse in Go. It checks an index where it reads there.
func dotSparseGeneric(w []float64, at []uint32, x []float64) float64 {
	last := -1
	var l lanes
	for ; len(at) >= len(l); at, x = at[len(l):], x[len(l):] { // step 1 of Dot's order
		some := (*lanes)(x)
		for k, i := range at[:len(l)] {
			j := int(i)
			if j <= last || uint(j) >= uint(len(w)) {
				return math.NaN()
			}
			l[k] += float64(w[j] * some[k])
			last = j
		}
	}
	v := l.fold()
	for k, i := range at { // step 3
		j := int(i)
		if j <= last || uint(j) >= uint(len(w)) {
			return math.NaN()
		}
		v[k%8] += float64(w[j] * x[k])
		last = j
	}
	return v.sum()
}

// dotMeansGeneric is dotMeans in Go. An index that is not valid gives NaN.
func dotMeansGeneric(w, sum, low []float64, n float64, at []uint32, x []float64) float64 {
	sum, low = sum[:len(w)], low[:len(w)]
	mean := func(j uint32) float64 {
		if uint(j) >= uint(len(w)) {
			return math.NaN()
		}
		return Mean(w[j], sum[j], low[j], n)
	}
	var l lanes
	whole := len(at) &^ 31
	for k, j := range at[:whole] { // step 1 of Dot's order
		l[k%32] += float64(mean(j) * x[k])
	}
	v := l.fold()
	for k, j := range at[whole:] { // step 3
		v[k%8] += float64(mean(j) * x[whole+k])
	}
	return v.sum()
}

// sparseScoresGeneric is SparseScores in Go, for vectors of d elements. The indexes may be in any order.
func sparseScoresGeneric(scores, m []float64, first, k, d int, at []uint32, x []float64) {
	for i := range scores {
		scores[i] = dotStrided(m[first+i:], k, d, at, x) + m[d*k+first+i]
	}
}

// dotStrided is dotSparse for a strided vector of d elements, and indexes in any order.
func dotStrided(w []float64, stride, d int, at []uint32, x []float64) float64 {
	var l lanes
	whole := len(at) &^ 31
	for k, j := range at[:whole] { // step 1 of Dot's order
		if uint(j) >= uint(d) {
			return math.NaN()
		}
		l[k%32] += float64(w[int(j)*stride] * x[k])
	}
	v := l.fold()
	for k, j := range at[whole:] { // step 3
		if uint(j) >= uint(d) {
			return math.NaN()
		}
		v[k%8] += float64(w[int(j)*stride] * x[whole+k])
	}
	return v.sum()
}
