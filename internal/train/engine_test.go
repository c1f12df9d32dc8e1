package train

import (
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/weights"
)

// TestSeen: a state counts each example that it learned from or had right, in epochs, streams and
// updates. It does not count an example with an error. The count stays at its limit, and is saved.
func TestSeen(t *testing.T) {
	set := naive.Whole(5, 9, 3)
	bad := slices.Concat(set.X[:4], [][]float64{{0, inf, 0}}, set.X[4:])
	for _, kind := range []Config{{}, {Rest: true}, {Rival: &rivalRule}} {
		for name, m := range grid(kind, Shuffled, 3) {
			m.MaxEpochs = 3
			want := int64(9 * must(m.Fit(set.X, set.Y))(t).Epochs)
			for range naive.Epochs(t, m.Epochs(set.X, set.Y)) {
				break
			}
			must(m.Learn(set.X, set.Y))(t)
			for i, x := range set.X {
				must(m.Update(x, set.Y[i]))(t)
			}
			_, infinite := m.Learn(bad, append([]int{1}, set.Y...)) // learns four rows
			_, narrow := m.Update([]float64{1}, 1)
			if want += 3*9 + 4; m.now.seen != want || infinite == nil || narrow == nil {
				t.Fatalf("%s: %d examples seen, want %d; errors %v, %v", name, m.now.seen, want, infinite, narrow)
			}
			m.now.seen = weights.Countable - 10
			must(m.Learn(set.X, set.Y))(t)
			must(m.Learn(set.X, set.Y))(t)
			c, start, saved := m.State()
			loaded := &model{Config: c, Start: start}
			if must(0, loaded.Restore(c, start, saved))(t); m.now.seen != weights.Countable || loaded.now.seen != weights.Countable {
				t.Fatalf("%s: %d examples seen, and %d in the saved form", name, m.now.seen, loaded.now.seen)
			}
		}
	}
}

// TestStartNegativeZero: an epoch and updates give the same bits from a bias of −0 too. In Linear
// space an update adds 0 to it, or nothing.
func TestStartNegativeZero(t *testing.T) {
	set := naive.Set{X: [][]float64{{1, 2}, {-3, 1}, {1, -1}}, Y: []int{1, 1, -1}}
	for _, space := range []uint8{Affine, Linear} {
		for _, kind := range []Config{{}, {Rest: true}} {
			a := newModel(Config{Rest: kind.Rest, Space: space})
			a.Start = []float64{1, 0, math.Copysign(0, -1)}
			b, c := a.fresh(), a.fresh()
			for range naive.Epochs(t, a.Epochs(set.X, set.Y)) {
				break
			}
			must(b.Learn(set.X, set.Y))(t)
			for i, x := range set.X {
				must(c.Update(x, set.Y[i]))(t)
			}
			c.now.passes = 1
			if x, y, z := snapshot(a), snapshot(b), snapshot(c); !kind.Rest && x != y || y != z {
				t.Errorf("%v, %v: an epoch gives\n%sa stream gives\n%supdates give\n%s", kind, space, x, y, z)
			}
		}
	}
}
