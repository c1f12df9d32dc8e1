package vec

import "testing"

// ahead returns an Ahead of three vectors.
func ahead(x, y, z []float64) *Ahead {
	a := new(Ahead)
	for i, v := range [][]float64{x, y, z} {
		a.Set(i, v)
	}
	return a
}

// TestSteps: the requests for a row come between 4 KiB and 1 MiB ahead of it, where whole
// rows permit that, and each no later than the one before.
func TestSteps(t *testing.T) {
	for n := 1; n < 300000; n += 1 + n/100 {
		s, bytes := Steps(n), 8*n
		if s[0] < 1 || s[1] < s[0] || s[2] < s[1] || s[2] > MostAhead {
			t.Fatalf("%d elements: %v", n, s)
		}
		if near := s[0] * bytes; near < 4096 && s[2] < MostAhead || (s[0]-1)*bytes >= 4096 {
			t.Errorf("%d elements: %v, the last request is %d bytes ahead", n, s, near)
		}
		if far := s[2] * bytes; far > 1<<20 && s[2] > 1 || s[2] < 4*s[0] && far+bytes <= 1<<20 {
			t.Errorf("%d elements: %v, the first request is %d bytes ahead", n, s, far)
		}
	}
	for n, want := range map[int][3]int{1: {16, 32, 64}, 64: {8, 16, 32}, 512: {1, 2, 4}, 784: {1, 2, 4}, 50000: {1, 2, 2}, 200000: {1, 1, 1}} {
		if got := Steps(n); got != want {
			t.Errorf("%d elements: %v, want %v", n, got, want)
		}
	}
}
