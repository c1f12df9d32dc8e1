package vec

import "testing"

// TestAhead: the fetched row is 16 KiB ahead or more, where 64 rows and 1 MiB permit that, and
// one row at least.
func TestAhead(t *testing.T) {
	for n := 1; n < 300000; n += 1 + n/100 {
		k, bytes := Ahead(n), 8*n
		if k < 1 || k > MostAhead {
			t.Fatalf("%d elements: %d rows", n, k)
		}
		if k*bytes < 1<<14 && k < MostAhead && (k+1)*bytes <= 1<<20 || k*bytes > 1<<20 && k > 1 {
			t.Errorf("%d elements: %d rows are %d bytes", n, k, k*bytes)
		}
	}
	for n, want := range map[int]int{1: 64, 64: 32, 512: 4, 784: 4, 50000: 2, 200000: 1} {
		if got := Ahead(n); got != want {
			t.Errorf("%d elements: %d rows, want %d", n, got, want)
		}
	}
}

// TestInOrder: y begins behind x, by n elements at most.
func TestInOrder(t *testing.T) {
	m := make([]float64, 100)
	for i := range m {
		for j := range m {
			if got, want := InOrder(m[i:], m[j:], 20), j > i && j <= i+20; got != want {
				t.Fatalf("%d elements behind: %v", j-i, got)
			}
		}
	}
}
