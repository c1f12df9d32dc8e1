package main

import (
	"strings"
	"testing"
)

// TestFlowers checks the table against the original.
func TestFlowers(t *testing.T) {
	X, labels, err := flowers()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	sum := 0.0
	for i, x := range X {
		counts[labels[i]]++
		for _, v := range x {
			sum += v
		}
	}
	// In the original table, the sums of the four columns are 876.5, 458.6, 563.7 and 179.9 cm.
	if len(X) != 150 || counts["setosa"] != 50 || counts["versicolor"] != 50 || counts["virginica"] != 50 || int(10*sum+0.5) != 20787 {
		t.Errorf("%d flowers, %v per species, %v cm in all", len(X), counts, sum)
	}
}

// TestRun checks the results that the program prints.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"accuracy on 50 other flowers: 0.960\n",
		"setosa against the other species: Converged\n",
		"  R = 11.1562,",
		"  γ = 0.7491,",
		"made 5 mistakes in 4 epochs. Novikoff's theorem allows (R/γ)² = 221.8.\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
}
