package vec

import (
	"slices"
	"testing"
	"unsafe"
)

// TestBlockGrows: there is room for what a kernel writes and loads, also where it
// takes more vectors than there are.
func TestBlockGrows(t *testing.T) {
	for k := 1; k < 30; k++ {
		b := Block{k: k}
		b.grow()
		most := max(k, 3) // that a kernel takes
		if len(b.sums) < BlockRows*most || len(b.w) < most+4 || len(b.lanes) < 320*((most+2)/3) {
			t.Errorf("%d vectors: room for %d products, %d vectors and %d sums", k, len(b.sums), len(b.w), len(b.lanes))
		}
		sums := &b.sums[0]
		if b.grow(); &b.sums[0] != sums {
			t.Errorf("%d vectors: memory of the same size replaces it", k)
		}
	}
}

// TestBlockGrowsAgain: there is also room where the block had fewer vectors before.
func TestBlockGrowsAgain(t *testing.T) {
	for few := 1; few < 30; few++ {
		for k := few; k < 2*few+9; k++ {
			b := Block{k: few}
			b.grow()
			b.k = k
			b.grow()
			if most := max(k, 3); len(b.sums) < BlockRows*most || len(b.w) < most+4 || len(b.lanes) < 320*((most+2)/3) {
				t.Errorf("%d vectors after %d: room for %d products, %d vectors and %d sums", k, few, len(b.sums), len(b.w), len(b.lanes))
			}
		}
	}
}

// TestBlockForgets: no vector is left after a Load of none, also where a Load of fewer came
// before.
func TestBlockForgets(t *testing.T) {
	var b Block
	v := []float64{1, 2}
	for _, k := range []int{5, 2, 0} {
		b.Load(slices.Repeat([][]float64{v}, k))
	}
	for i, w := range b.w {
		if w != nil {
			t.Errorf("vector %d of %d is left", i, len(b.w))
		}
	}
	if got := b.Dots(new([BlockRows][]float64), nil); got != nil {
		t.Errorf("no vectors have %d products", len(got))
	}
}

// TestBlockAligned: the numbers begin with a cache line, wherever the allocator puts
// them.
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
