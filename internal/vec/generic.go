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

// Valid reports whether at has n indexes less than d. If ordered is true, they must also ascend.
func Valid(at []uint32, n, d int, ordered bool) bool {
	next := uint64(0)
	for _, j := range at {
		if uint64(j) >= uint64(d) || ordered && uint64(j) < next {
			return false
		}
		next = uint64(j) + 1
	}
	return len(at) == n
}

// dotSparseGeneric is DotSparse in Go, for at and x of equal length. It checks each index before it reads
// there: it must be at least least, and less than the length of w. ascend is −1 if the indexes must
// ascend, else 0.
func dotSparseGeneric(w []float64, at []uint32, x []float64, ordered bool) float64 {
	var v lastLanes
	least, ascend := 0, 0
	if ordered {
		ascend = -1
	}
	if n := len(at) &^ 31; n > 0 {
		if least = addBlocks(&v, w, at[:n], x, ascend); least < 0 {
			return math.NaN()
		}
		at, x = at[n:], x[n:]
	}
	x = x[:len(at)]
	for k, j := range at { // step 3 of Dot's order
		j := int(j)
		if j < least || j >= len(w) {
			return math.NaN()
		}
		v[k%8] += float64(w[j] * x[k])
		least = (j + 1) & ascend
	}
	return v.sum()
}

// addBlocks sets v to the result of steps 1 and 2 of Dot's order, for a multiple of 32 indexes. It returns
// the least index that may follow, or −1 if an index is not valid. It is not part of dotSparseGeneric,
// because short vectors do not need the lanes.
func addBlocks(v *lastLanes, w []float64, at []uint32, x []float64, ascend int) (least int) {
	var l lanes
	for ; len(at) >= len(l); at, x = at[len(l):], x[len(l):] {
		some := (*lanes)(x)
		for k, j := range (*[len(l)]uint32)(at) {
			j := int(j)
			if j < least || j >= len(w) {
				return -1
			}
			l[k] += float64(w[j] * some[k])
			least = (j + 1) & ascend
		}
	}
	*v = l.fold()
	return least
}

// meansGeneric is Means in Go.
func meansGeneric(dst, w, sum, low []float64, n float64, at []uint32, ordered bool) bool {
	if !Valid(at, len(dst), len(w), ordered) {
		return false
	}
	for k, j := range at {
		dst[k] = Mean(w[j], sum[j], low[j], n)
	}
	return true
}

// sparseScoresGeneric sets scores[c] to the product of vector c of the k vectors side by side in m, of
// d elements and b, and a sparse vector, plus b.
func sparseScoresGeneric(scores, m []float64, k, d int, at []uint32, x []float64) {
	for c := range scores {
		scores[c] = dotWindow(m[c:], k, at, x) + m[k*d+c]
	}
}

// dotWindow returns Dot of x and the elements of a strided vector at the indexes.
func dotWindow(w []float64, stride int, at []uint32, x []float64) float64 {
	var l lanes
	for ; len(at) >= len(l); at, x = at[len(l):], x[len(l):] { // step 1 of Dot's order
		some := (*lanes)(x)
		for k, j := range at[:len(l)] {
			l[k] += float64(w[int(j)*stride] * some[k])
		}
	}
	v := l.fold()
	for k, j := range at { // step 3
		v[k%8] += float64(w[int(j)*stride] * x[k])
	}
	return v.sum()
}
