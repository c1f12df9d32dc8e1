package train

import (
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestSeen: a state counts each example that it learned from or had right, in epochs, streams
// and updates, and none that failed. The count stays at its limit, and is saved.
func TestSeen(t *testing.T) {
	set := naive.Whole(5, 9, 3)
	for _, scheme := range []Scheme{TwoClasses, OneVsRest, Kesler} {
		for name, m := range grid(scheme, Shuffled, 3) {
			var want int64
			check := func(what string, n int) {
				t.Helper()
				if want += int64(n); m.now.seen != want {
					t.Fatalf("%s: %d examples seen after %s, want %d", name, m.now.seen, what, want)
				}
			}
			m.MaxEpochs = 3
			res := must(m.Fit(set.X, set.Y))(t)
			check("Fit", 9*res.Epochs)
			for range must2(t, m.Epochs(set.X, set.Y)) {
				check("an epoch", 9)
				break
			}
			must(m.Learn(set.X, set.Y))(t)
			check("Learn", 9)
			bad := slices.Concat(set.X[:4], [][]float64{{0, inf, 0}}, set.X[4:])
			if _, err := m.Learn(bad, append([]int{1}, set.Y...)); err == nil {
				t.Fatal("Learn takes an infinite feature")
			}
			check("four examples", 4)
			for i, x := range set.X {
				must(m.Update(x, set.Y[i]))(t)
				check("Update", 1)
			}
			if _, err := m.Update([]float64{1}, 1); err == nil {
				t.Fatal("Update takes another width")
			}
			check("a bad row", 0)
			m.now.seen = countable - 10
			must(m.Learn(set.X, set.Y))(t)
			must(m.Learn(set.X, set.Y))(t)
			want = countable
			c, start, s := m.State()
			loaded := newModel(c)
			if err := loaded.Restore(c, &start, s); err != nil || loaded.now.seen != countable {
				t.Fatalf("%v, %d", err, loaded.now.seen)
			}
			check("2⁵³", 0)
		}
	}
}

// TestStartNegativeZero: an epoch and updates give the same bits from a bias of −0 too. In Linear
// space an update adds 0 to it, or nothing.
func TestStartNegativeZero(t *testing.T) {
	set := naive.Set{X: [][]float64{{1, 2}, {-3, 1}, {1, -1}}, Y: []int{1, 1, -1}}
	for _, space := range []Space{Affine, Linear} {
		for _, scheme := range []Scheme{TwoClasses, OneVsRest} {
			a := newModel(Config{Scheme: scheme, Space: space})
			a.Start = Hyperplane{[]float64{1, 0}, math.Copysign(0, -1)}
			b, c := a.fresh(), a.fresh()
			for range must2(t, a.Epochs(set.X, set.Y)) {
				break
			}
			must(b.Learn(set.X, set.Y))(t)
			for i, x := range set.X {
				must(c.Update(x, set.Y[i]))(t)
			}
			c.now.passes = 1
			if x, y, z := snapshot(a), snapshot(b), snapshot(c); scheme == TwoClasses && x != y || y != z {
				t.Errorf("%v, %v: an epoch gives\n%sa stream gives\n%supdates give\n%s", scheme, space, x, y, z)
			}
		}
	}
}
