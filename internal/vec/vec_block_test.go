package vec

import (
	"slices"
	"testing"
	"unsafe"
)

// TestBlockGrows: there is room for what a kernel writes and loads, also where it takes more
// vectors than there are, and where the block had fewer vectors before. Memory of the same size
// stays.
func TestBlockGrows(t *testing.T) {
	for few := 1; few < 30; few++ {
		for k := few; k < 2*few+9; k++ {
			var b block
			b.load(slices.Repeat([][]float64{{1}}, few))
			sums := &b.sums[0]
			b.load(slices.Repeat([][]float64{{1}}, k))
			if most := max(k, 3); len(b.sums) < blockRows*most || len(b.w) < most+4 || len(b.lanes) < 320*((most+2)/3) {
				t.Errorf("%d vectors after %d: room for %d products, %d vectors and %d sums", k, few, len(b.sums), len(b.w), len(b.lanes))
			}
			if k == few && &b.sums[0] != sums {
				t.Errorf("%d vectors: memory of the same size replaces it", k)
			}
		}
	}
}

// TestBlockAligned: the numbers begin with a cache line, wherever the allocator puts them.
func TestBlockAligned(t *testing.T) {
	for range 20 {
		for n := 1; n < 40; n++ {
			v := aligned(n)
			if at := uintptr(unsafe.Pointer(&v[0])); at%64 != 0 || len(v) != n {
				t.Errorf("%d numbers of %d are at %#x", len(v), n, at)
			}
		}
	}
}
