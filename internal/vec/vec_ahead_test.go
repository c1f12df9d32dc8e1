package vec

import "testing"

// TestRowsAhead: a row is requested between 16 KiB and 1 MiB ahead, where whole rows permit that.
// The rows of a block are requested together, so that their number is whole blocks.
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
