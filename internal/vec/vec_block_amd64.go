//go:build !purego

package vec

import "unsafe"

// blockKernel shares the vectors among groups, as equal as possible: the registers hold
// the sums of one group.
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
	if kernel == avx512 { // its groups have 3 to 5 vectors, those of AVX2 have 2 or 3
		groups, size, larger := share(max(b.k, 3), 5)
		blockAVX512(sums, lanes, &rows, &b.w[0], n, groups, size, larger, fetch)
		return
	}
	groups, size, larger := share(max(b.k, 2), 3)
	blockAVX2(sums, lanes, &rows, &b.w[0], n, groups, size, larger, fetch)
}

// point sets p to where the rows begin. It does not return that, because a copy would wait for
// the single pointers to be stored.
func point(p *[blockRows]*float64, x *[blockRows][]float64) {
	for j, row := range x {
		p[j] = unsafe.SliceData(row)
	}
}

// share divides k vectors into groups of limit vectors or fewer. The first larger groups have
// size+1 vectors, the others have size.
func share(k, limit int) (groups, size, larger int) {
	groups = (k + limit - 1) / limit
	return groups, k / groups, k % groups
}

// blockAVX512 computes the dot products of four rows with groups of three to five
// vectors, each of n elements. The first larger groups have size+1 vectors, the others
// have size:
//
//	for k := range groups*size + larger {
//		for j := range 4 {
//			sums[4*k+j] = dotAVX512(x[j], w[k], n, nil)
//		}
//	}
//
// lanes has room for 320 float64s a group, and begins with a cache line. w has four
// pointers more. Meanwhile the kernel prefetches the rows at next, unless it is nil.
//
//go:noescape
func blockAVX512(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)

// blockAVX2 is blockAVX512 in AVX2's instructions, for groups of two or three vectors.
// lanes has room for 192 float64s a group.
//
//go:noescape
func blockAVX2(sums, lanes *float64, x *[4]*float64, w **float64, n, groups, size, larger int, next *[4]*float64)
