package train

import (
	"slices"
	"testing"
)

// TestPocketStream: in a stream the run alone decides. It must exceed the number of rows
// that the last count found right, or the run of the iterate in the pocket.
func TestPocketStream(t *testing.T) {
	u, q := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	u.pocket.beat = 5
	answer := func(i int, mistaken bool, beat, run uint64, held float64) {
		t.Helper()
		q.w[0], u.mistaken = float64(i), mistaken
		if u.pocket.answer(u.planes, u.mistaken); u.pocket.beat != beat || u.pocket.run != run || q.kept[0] != held {
			t.Fatalf("example %d: %+v with %v, want %d and %d with %v", i, u.pocket, q.kept, beat, run, held)
		}
	}
	for i := 1; i <= 5; i++ {
		answer(i, false, 5, uint64(i), 0)
	}
	answer(6, false, 6, 6, 6)
	answer(7, false, 7, 7, 7)
	answer(8, true, 7, 0, 7)
	for i := 1; i <= 7; i++ {
		answer(8+i, false, 7, uint64(i), 7)
	}
	answer(16, false, 8, 8, 16)
}

// TestPocketSaturates: the run stays at its largest value.
func TestPocketSaturates(t *testing.T) {
	u, _ := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	u.pocket = pocket{run: countable - 1, beat: countable - 1}
	for range 3 {
		if u.pocket.answer(u.planes, u.mistaken); u.pocket.run != countable || u.pocket.beat != countable {
			t.Fatalf("%+v", u.pocket)
		}
	}
}

// TestPocketRuns: the first of several longest runs challenges, with the iterate that answered it.
func TestPocketRuns(t *testing.T) {
	u, q := lone(&Config{Keep: Pocket}, Hyperplane{}, 1, 0)
	for pos, w := range []float64{1, 2, 3, 4, 5} {
		q.w[0] = w
		u.pocket.endRun(u.planes, []uint64{0, 3, 6, 7, 11}[pos]) // runs of 0, 2, 2, 0 and 3 examples
		if want := [][]float64{nil, {2, 0}, {2, 0}, {2, 0}, {5, 0}}[pos]; !slices.Equal(q.longest, want) || !slices.Equal(q.kept, []float64{0, 0}) {
			t.Errorf("after position %d the longest run is that of %v, want %v", u.pocket.from-1, q.longest, want)
		}
	}
}
