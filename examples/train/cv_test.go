package main

import (
	"encoding/json"
	"math"
	"testing"
)

// TestCrossValidation: the folds cover all rows, mean and deviation are those of the
// folds, and rows from the file give the same result as rows in memory.
func TestCrossValidation(t *testing.T) {
	args := []string{"-data", cloud(t, 203), "-cv", "4", "-standardise", "-order", "cyclic", "-epochs", "5", "-json", "-seed", "2"}
	var r crossReport
	out := runs(t, args...)
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	sum, squares := 0.0, 0.0
	for _, v := range r.Folds {
		sum += v
		squares += v * v
	}
	mean := sum / 4
	deviation := math.Sqrt((squares - 4*mean*mean) / 3)
	if len(r.Folds) != 4 || r.Rows != 203 || math.Abs(r.Mean-mean) > 1e-12 || math.Abs(r.Deviation-deviation) > 1e-9 || r.Mean < 0.7 {
		t.Errorf("%s, want mean %v and deviation %v", out, mean, deviation)
	}
	share, n := accuracy(r.Confusion)
	if n != 203 || math.Abs(share-mean) > 0.01 {
		t.Errorf("the confusion matrix has %d rows and accuracy %v", n, share)
	}
	if again := runs(t, append(args, "-memory", "0")...); again != out {
		t.Errorf("from the file\n%s, want\n%s", again, out)
	}
	if other := runs(t, append(args, "-seed", "3")...); other == out {
		t.Error("another seed gives the same folds")
	}
}
