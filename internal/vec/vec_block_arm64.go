//go:build !purego

package vec

import "unsafe"

// blockKernel multiplies two rows with two vectors at a time: the registers hold 8 lanes
// of their four sums. Each time fetches one of the rows that come next. An odd vector is
// multiplied twice.
func blockKernel(b *block, x, next *[blockRows][]float64) {
	if kernel == generic {
		blockGeneric(b, x)
		return
	}
	lanes := (*[64]float64)(b.lanes)
	for k := 0; k < b.k; k += 2 {
		w0, w1 := b.w[k], b.w[min(k+1, b.k-1)]
		for j := 0; j < blockRows; j += 2 {
			var fetch *float64
			if i := k + j/2; next != nil && i < len(next) {
				fetch = unsafe.SliceData(next[i])
			}
			blockNEON(&b.sums[blockRows*k+j], lanes, unsafe.SliceData(x[j]), unsafe.SliceData(x[j+1]), w0, w1, b.n, fetch)
		}
	}
}

// blockNEON computes the dot products of two rows and two vectors of n elements:
//
//	sums[0] = dotNEON(x0, w0, n, nil)
//	sums[1] = dotNEON(x1, w0, n, nil)
//	sums[4] = dotNEON(x0, w1, n, nil)
//	sums[5] = dotNEON(x1, w1, n, nil)
//
// lanes is for partial sums. Meanwhile the kernel prefetches the elements at next, unless
// next is nil.
//
//go:noescape
func blockNEON(sums *float64, lanes *[64]float64, x0, x1, w0, w1 *float64, n int, next *float64)
