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

// addRowsGeneric is addRows in Go. rows has k numbers in each row, and lanes has n in each lane. For
// each t, it adds x[t] times the first n numbers of row at[t] to lane at[t]&mask.
func addRowsGeneric(lanes, rows []float64, n, k int, at []uint32, x []float64, mask int) {
	for t, j := range at {
		row, lane := rows[int(j)*k:][:n], lanes[(int(j)&mask)*n:][:n]
		for c, w := range row {
			lane[c] += float64(x[t] * w)
		}
	}
}

// foldRowsGeneric adds the four quarters of lanes element by element, and sets last to the sums.
func foldRowsGeneric(lanes, last []float64) {
	n := len(last)
	l0, l1, l2, l3 := lanes[:n], lanes[n:][:n], lanes[2*n:][:n], lanes[3*n:][:n]
	for q := range last {
		last[q] = (l0[q] + l1[q]) + (l2[q] + l3[q])
	}
}

// dotMeansGeneric is DotMeans in Go.
func dotMeansGeneric(w, sum, low []float64, n float64, at []uint32, x []float64, ordered bool) float64 {
	return sumSparse(len(w), at, x, ordered, func(_ int, j uint32) float64 { return Mean(w[j], sum[j], low[j], n) })
}

// sumSparse returns the product of the sparse vector (at, x) and a vector of n elements, which v
// computes: v(k, j) is element j of that vector, where j = at[k]. The product is as in [DotSparse], or
// as in [DotPlaces] if ordered is false.
func sumSparse(n int, at []uint32, x []float64, ordered bool, v func(k int, j uint32) float64) float64 {
	whole, ok := inLanes(n, at, x, ordered)
	if !ok {
		return math.NaN()
	}
	var l lanes
	for k, j := range at[:whole] { // step 1 of Dot's order
		l[j&31] += float64(v(k, j) * x[k])
	}
	last := l.fold()
	for k, j := range at[whole:] { // step 3
		last[j&7] += float64(v(whole+k, j) * x[whole+k])
	}
	return last.sum()
}

// inLanes returns how many elements of a sparse vector of n elements belong to step 1 of Dot's order,
// and whether the vector is valid. If ordered is false, the indexes need not ascend, and only the last
// one is compared with n.
func inLanes(n int, at []uint32, x []float64, ordered bool) (whole int, ok bool) {
	next := uint64(0)
	for _, j := range at {
		if ordered && uint64(j) < next {
			return 0, false
		}
		if next = uint64(j) + 1; next <= uint64(n)&^31 {
			whole++
		}
	}
	return whole, len(at) == len(x) && next <= uint64(n)
}
