package train

import (
	"slices"
	"testing"
)

// TestPlaneClone: a clone has the same weights and shares no memory with the original,
// so that both can be trained at once.
func TestPlaneClone(t *testing.T) {
	vectors := func(q *plane) [][]float64 {
		a := q.average
		return [][]float64{q.w, q.next, a.sum, a.low, a.nextSum, a.nextLow, q.kept}
	}
	start, shared := Hyperplane{Weights: []float64{1, 2}, Bias: 3}, 0
	for _, c := range []Config{{}, {Keep: Average}, {Keep: Pocket}} {
		u := newPlane(&c, start, 2, 7)
		u.resize(len(u.w))
		copies := vectors(u.clone(true))
		for i, v := range vectors(u) {
			if len(copies[i]) != len(v) {
				t.Errorf("%+v: vector %d has length %d, want %d", c, i, len(copies[i]), len(v))
			} else if len(v) > 0 {
				if shared++; &copies[i][0] == &v[0] {
					t.Errorf("%+v: vector %d is shared", c, i)
				}
			}
		}
		if !slices.Equal(u.clone(true).w, []float64{1, 2, 3}) {
			t.Errorf("%+v: the clone starts from %v", c, u.clone(true).w)
		}
	}
	if shared != 3*2+4+1 {
		t.Errorf("%d vectors compared, want 11", shared)
	}
}
