//go:build !purego

package vec

import (
	"math"
	"unsafe"
)

// dotKernel returns Dot(a, b), and may prefetch the elements at next. It is nosplit because the stack
// check would take a twentieth of the time of a short sum. The linker verifies that its frame fits.
//
//go:nosplit
func dotKernel(a, b []float64, next *float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	if len(a) < 8 { // less work than a call of assembly
		var p0, p1, p2, p3 float64
		if len(a) >= 4 {
			v, w := (*[4]float64)(a), (*[4]float64)(b)
			p0, p1, p2, p3 = float64(v[0]*w[0]), float64(v[1]*w[1]), float64(v[2]*w[2]), float64(v[3]*w[3])
		}
		t := len(a) & 4
		switch len(a) & 3 {
		case 3:
			p2 += float64(a[t+2] * b[t+2])
			fallthrough
		case 2:
			p1 += float64(a[t+1] * b[t+1])
			fallthrough
		case 1:
			p0 += float64(a[t] * b[t])
		}
		return (p0 + p2) + (p1 + p3) + 0 // a lane starts at +0, so no sum is −0
	}
	switch kernel {
	case avx512:
		return dotAVX512(unsafe.SliceData(a), unsafe.SliceData(b), len(a), next)
	case avx2:
		return dotAVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a), next)
	}
	return dotGeneric(a, b)
}

func axpyKernel(dst, w []float64, c float64, x []float64) bool {
	if len(x) < 8 { // less work than a call of assembly
		return axpyGeneric(dst, w, c, x)
	}
	pd, pw, px := unsafe.SliceData(dst), unsafe.SliceData(w), unsafe.SliceData(x)
	switch kernel {
	case avx512:
		return axpyAVX512(pd, pw, c, px, len(x))
	case avx2:
		return axpyAVX2(pd, pw, c, px, len(x))
	}
	return axpyGeneric(dst, w, c, x)
}

func accumulateKernel(dst, dstLow, sum, low []float64, c float64, v, w []float64) bool {
	pd, pl, ps := unsafe.SliceData(dst), unsafe.SliceData(dstLow), unsafe.SliceData(sum)
	switch kernel {
	case avx512:
		return accumulateAVX512(pd, pl, ps, unsafe.SliceData(low), unsafe.SliceData(v), unsafe.SliceData(w), c, len(w))
	case avx2:
		return accumulateAVX2(pd, pl, ps, unsafe.SliceData(low), unsafe.SliceData(v), unsafe.SliceData(w), c, len(w))
	}
	return accumulateGeneric(dst, dstLow, sum, low, c, v, w)
}

// dotAVX512 returns ⟨a, b⟩, for the n elements at a and b. Meanwhile it prefetches the n
// elements at next, unless that is nil: a prefetch never faults, whatever the address. The sum is
//
//	for i := range n &^ 31 {
//		l[i%32] += float64(a[i] * b[i])
//	}
//	v := folded(l) // see Dot for the folds
//	for i := n &^ 31; i < n; i++ {
//		v[i%8] += float64(a[i] * b[i])
//	}
//	return sum(v)
//
//go:noescape
func dotAVX512(a, b *float64, n int, next *float64) float64

// dotAVX2 is dotAVX512 in AVX2's instructions.
//
//go:noescape
func dotAVX2(a, b *float64, n int, next *float64) float64

// axpyAVX512 computes, for the n elements at dst, w and x:
//
//	var s float64
//	for i := range n {
//		dst[i] = w[i] + float64(c*x[i])
//		s += dst[i] - dst[i]
//	}
//	return s == 0
//
//go:noescape
func axpyAVX512(dst, w *float64, c float64, x *float64, n int) bool

// axpyAVX2 is axpyAVX512 in AVX2's instructions.
//
//go:noescape
func axpyAVX2(dst, w *float64, c float64, x *float64, n int) bool

// accumulateAVX512 computes, for the n elements at each pointer:
//
//	var s float64
//	for i := range n {
//		d, f := exact.TwoSum(w[i], -v[i])
//		p := float64(c * d)
//		e := math.FMA(c, d, -p)
//		a, r := exact.TwoSum(sum[i], p)
//		dst[i], dstLow[i] = a, low[i]+((r+e)+float64(c*f))
//		s += dstLow[i] - dstLow[i]
//	}
//	return s == 0
//
//go:noescape
func accumulateAVX512(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool

// accumulateAVX2 is accumulateAVX512 in AVX2's instructions.
//
//go:noescape
func accumulateAVX2(dst, dstLow, sum, low, v, w *float64, c float64, n int) bool

// blockKernel sets b.sums to the products of the rows x with all vectors. It prefetches the rows in
// next, unless next is nil. It divides the vectors into groups of nearly equal sizes, because the
// registers hold the sums of only one group.
func blockKernel(b *block, x, next *[blockRows][]float64) {
	if kernel == generic {
		blockGeneric(b, x)
		return
	}
	var rows, ahead [blockRows]*float64
	var fetch *[blockRows]*float64
	point(&rows, x)
	if next != nil {
		fetch = &ahead
		point(fetch, next)
	}
	sums, lanes, n := &b.sums[0], &b.lanes[0], b.n
	if kernel == avx512 { // groups of 3 to 5 vectors; in AVX2, of 2 or 3
		groups, size, larger := share(max(b.k, 3), 5)
		blockAVX512(sums, lanes, &rows, &b.w[0], n, groups, size, larger, fetch)
		return
	}
	groups, size, larger := share(max(b.k, 2), 3)
	blockAVX2(sums, lanes, &rows, &b.w[0], n, groups, size, larger, fetch)
}

// point sets p to the addresses of the rows. It does not return an array, because the processor
// could copy the array only after each pointer had been stored.
func point(p *[blockRows]*float64, x *[blockRows][]float64) {
	for j, row := range x {
		p[j] = unsafe.SliceData(row)
	}
}

// share divides k vectors into groups of at most limit vectors. larger is the number of groups with
// size+1 vectors, which come first. The other groups have size vectors.
func share(k, limit int) (groups, size, larger int) {
	groups = (k + limit - 1) / limit
	return groups, k / groups, k % groups
}

// blockAVX512 computes the dot products of four rows with groups of three to five
// vectors, each of n elements. Groups 0 to larger−1 have size+1 vectors, the other groups
// have size:
//
//	for k := range groups*size + larger {
//		for j := range 4 {
//			sums[4*k+j] = dotAVX512(x[j], w[k], n, nil)
//		}
//	}
//
// lanes has room for 320 float64s a group, and begins at a cache line. After the pointers
// to the vectors, w has four more. While it computes, the kernel prefetches the rows at
// next, unless next is nil.
//
//go:noescape
func blockAVX512(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)

// blockAVX2 is blockAVX512 in AVX2's instructions, for groups of two or three vectors.
// lanes has room for 192 float64s a group.
//
//go:noescape
func blockAVX2(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)

// learnKernel does what Learn does, if there is a kernel for rows of this length. It reports whether
// there is such a kernel.
func learnKernel(r *Outcome, l *Lesson, w []float64, up, end int) bool {
	d := len(w) - 1
	if kernel == generic || d > ShortRow || d == 0 {
		return false
	}
	learnAVX2(r, l, unsafe.SliceData(w), d, up, end)
	return true
}

// learnAVX2 is Learn for rows of 1 to 31 elements, from the position r.Next on. It keeps w, of d+1
// elements, in registers:
//
//	for ; r.Next < end; r.Next++ {
//		i := l.At(r.Next)
//		y := Sign(l.Y[i] == up)
//		r.Score = dotAVX2(w, l.X[i], d, nil) + w[d]
//		m := y * r.Score
//		if m > l.Theta && m <= math.MaxFloat64 {
//			continue
//		}
//		if l.Halt || !IsFinite(m) {
//			break
//		}
//		r.Mistakes++
//		l.Updated.Add(i)
//		r.Loss += max(0, -m)
//		w[d] += y * l.Bias
//		if !axpyAVX2(w, w, y*l.Rate, l.X[i], d) || !IsFinite(w[d]) {
//			break
//		}
//	}
//
//go:noescape
func learnAVX2(r *Outcome, l *Lesson, w *float64, d, up, end int)

// scanKernel is Scan in assembly. done is false if each group is one vector, because these groups have
// no kernel, or if there are no rows before end.
func scanKernel(c *Classes, l *Lesson, pos, end int) (next int, done bool) {
	switch {
	case c.group == 1 || pos >= end:
		return pos, false
	case c.group == 8:
		return scanAVX512(c, l, pos, end), true
	}
	return scanAVX2(c, l, pos, end), true
}

// scoresKernel has no effect here, because scanKernel scores all groups of several vectors.
func scoresKernel(*Classes, []float64) {}

// scanAVX512 is Scan for groups of eight vectors, if the classes compete. In c.w, eight numbers
// fill a register. A group takes d + 1 registers: register j has element j of the group's vectors,
// and the last register has their b. The kernel computes:
//
//	for ; pos < end; pos++ {
//		i := l.At(pos)
//		for k := range c.scores {
//			c.scores[k] = dotAVX512(w[k], l.X[i], d, nil) + b[k]
//		}
//		own := c.scores[slices.Index(c.classes, l.Y[i])]
//		exceeded := c.minusRivals
//		for _, s := range c.scores {
//			if m := own - s; m > l.Theta && m <= math.MaxFloat64 {
//				exceeded++
//			}
//		}
//		if exceeded != 0 {
//			break
//		}
//	}
//	return pos
//
//go:noescape
func scanAVX512(c *Classes, l *Lesson, pos, end int) (next int)

// scanAVX2 is scanAVX512 in AVX2's instructions, in groups of four.
//
//go:noescape
func scanAVX2(c *Classes, l *Lesson, pos, end int) (next int)

// groupOf returns the size of the groups that k vectors of d elements form. If k ≥ 2 and d ≤ 31, a
// group has as many vectors as a register has elements, and Reset pads the last group. Otherwise, and
// without a kernel, each vector is a group. Up to four vectors use AVX2's registers: they would fill
// only half of an AVX-512 register, and AVX-512 may take twice the time.
func groupOf(k, d int) int {
	if k == 1 || d > 31 {
		return 1
	}
	return [...]int{generic: 1, avx2: 4, avx512: 8}[min(int(kernel), (k+3)/4)]
}
