package vec

import "testing"

// TestAhead: a row is requested between 16 KiB and 1 MiB ahead, where whole rows permit that. The
// rows of a block are requested together, so that their number is whole blocks.
func TestAhead(t *testing.T) {
	for n := 1; n < 300000; n += 1 + n/100 {
		k, bytes := Ahead(n), 8*n
		switch {
		case k < 1:
			t.Fatalf("%d elements: %d rows", n, k)
		case k*bytes < 16<<10, k > BlockRows && (k-BlockRows)*bytes >= 16<<10:
			t.Errorf("%d elements: %d rows, which are %d bytes", n, k, k*bytes)
		case k > 1 && k*bytes > 1<<20, k < BlockRows && (k+1)*bytes <= 1<<20:
			t.Errorf("%d elements: %d rows, which are %d bytes", n, k, k*bytes)
		case n < SecondCache/BlockRows && k%BlockRows != 0:
			t.Errorf("%d elements: %d rows, which are no whole blocks", n, k)
		}
	}
	for n, want := range map[int]int{1: 2048, 8: 256, 64: 32, 511: 8, 512: 4, 784: 4, 32768: 4, 32769: 3, 50000: 2, 65536: 2, 65537: 1, 200000: 1} {
		if got := Ahead(n); got != want {
			t.Errorf("%d elements: %d rows, want %d", n, got, want)
		}
	}
}
