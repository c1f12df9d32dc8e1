package main

import (
	"fmt"
	"strings"
	"testing"

	"perceptron"
)

// TestManyClasses: a confusion matrix that is too wide is not printed.
func TestManyClasses(t *testing.T) {
	for n, want := range map[int]bool{40: true, 41: false} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%d,%d\n", i, i)
		}
		out := runs(t, "-data", create(t, "many.csv", text.String()), "-model", "onevsrest", "-epochs", "2")
		if got := strings.Contains(out, "true class by row"); got != want {
			t.Errorf("%d classes: printed\n%s", n, out)
		}
	}
}

// TestCounts: the accuracy and the confusion matrix of each part equal those that the
// library computes.
func TestCounts(t *testing.T) {
	tab, m := prepared(t, "-data", iris, "-model", "onevsrest", "-holdout", "0.3")
	for _, err := range tab.epochs(m, 5, func(int) {}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	counts, err := tab.evaluate(m)
	if err != nil {
		t.Fatal(err)
	}
	for p := range parts {
		want, err := perceptron.Accuracy(m, tab.X[p], tab.y[p])
		if err != nil {
			t.Fatal(err)
		}
		_, matrix, err := perceptron.Confusion(m, tab.X[p], tab.y[p])
		if err != nil {
			t.Fatal(err)
		}
		if got, n := accuracy(counts[p]); got != want || n != len(tab.X[p]) || fmt.Sprint(counts[p]) != fmt.Sprint(matrix) {
			t.Errorf("part %d: %v of %d, %v; want %v, %v", p, got, n, counts[p], want, matrix)
		}
	}
}
