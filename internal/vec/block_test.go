package vec

import (
	"slices"
	"testing"
	"unsafe"
)

// TestBlockGrows: there is room for all that a kernel writes and loads, even if the kernel takes
// more vectors than there are, or the block had fewer vectors before. Memory of the same size
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

// TestRowsAhead: a row is requested between 16 KiB and 1 MiB ahead, if whole rows permit this. The
// rows of a block are requested together, so that their number is whole blocks.
func TestRowsAhead(t *testing.T) {
	for n, want := range map[int]int{1: 2048, 8: 256, 64: 32, 511: 8, 512: 4, 784: 4, 32768: 4, 32769: 3, 50000: 2, 65536: 2, 65537: 1, 200000: 1} {
		if got := rowsAhead(n); got != want {
			t.Errorf("%d elements: %d rows, want %d", n, got, want)
		}
	}
}

// TestUpcoming: what is fetched while a block is scored is the rows of a later block, if the rows
// exceed a cache. The last row stands for what is missing. Their width counts here, not their
// length.
func TestUpcoming(t *testing.T) {
	for _, c := range []struct{ n, d, ahead int }{
		{1311, 100, 24}, {168, 784, 4}, {169, 784, 4}, {170, 784, 4}, {171, 784, 4}, {9, 40000, 4},
		{1310, 100, 0}, {167, 784, 0}, {3, 40000, 0}, // 2¹⁷ numbers or fewer
	} {
		l, k := Lesson{X: make([][]float64, c.n)}, Classes{d: c.d}
		for i := range l.X {
			l.X[i] = []float64{float64(i)}
		}
		for pos := 0; pos < c.n; pos += blockRows {
			first := pos + c.ahead
			got := k.ahead.upcoming(&k, &l, pos)
			if (got != nil) != (c.ahead > 0 && first < c.n) {
				t.Fatalf("%+v: before row %d: %v", c, first, got)
			}
			for j := 0; got != nil && j < blockRows; j++ {
				if want := min(first+j, c.n-1); got[j][0] != float64(want) {
					t.Errorf("%+v: row %v is fetched, want %d", c, got[j][0], want)
				}
			}
		}
	}
}
