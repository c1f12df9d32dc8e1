package train

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTouched compares the parts with those of a naive list of pages.
func TestTouched(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 0))
	for range 2000 {
		d := 1 + r.IntN(1<<r.IntN(18))
		marks, pages := untouched(d), map[int]bool{d / pageSize: true}
		v := make([]float64, d+1)
		v[d] = 1
		for range r.IntN(4) {
			j := r.IntN(d)
			marks.add(uint32(j))
			v[j], pages[j/pageSize] = 7, true
		}
		next := 0
		for i, end := range marks.parts(d + 1) {
			if !pages[i/pageSize] || i%pageSize != 0 || i < next || end != min(i+pageSize, d+1) {
				t.Fatalf("%d features, pages %v: a part from %d to %d after %d", d, pages, i, end, next)
			}
			delete(pages, i/pageSize)
			next = end
		}
		if len(pages) > 0 {
			t.Fatalf("%d features: no parts in pages %v", d, pages)
		}
		if !slices.Equal(marks.clone(v), v) || marks.clone(nil) != nil || !slices.Equal(touched(nil).clone(v), v) {
			t.Fatalf("%d features: another clone", d)
		}
	}
	n := 0
	for i, end := range touched(nil).parts(pageSize + 1) {
		n += end - i
	}
	for range untouched(1 << 20).parts(1<<20 + 1) { // the bias alone
		n++
		break
	}
	if n != pageSize+2 {
		t.Errorf("%d elements", n)
	}
}
