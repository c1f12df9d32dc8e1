package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// TestClassScores compares with a table computed by hand.
func TestClassScores(t *testing.T) {
	counts := [][]int{{3, 1, 0}, {2, 4, 0}, {0, 5, 0}}
	got := classScores([]string{"a", "b", "c"}, counts, nil)
	for k, want := range []string{"a 4 0.6 0.75 0.6666666666666666", "b 6 0.4 0.6666666666666666 0.5", "c 5 0 0 0"} {
		s := got[k]
		if line := fmt.Sprint(s.Class, " ", s.Rows, s.Precision, s.Recall, s.F1); line != want {
			t.Errorf("%s, want %s", line, want)
		}
	}
	if s := classScores([]string{"a"}, [][]int{{3}}, []int{3})[0]; s.Precision != 0.5 || s.Recall != 1 {
		t.Errorf("%+v, want precision 1/2: three rows of another class were predicted", s)
	}
}

// TestBestF1 compares with a search over all thresholds.
func TestBestF1(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		rows := make([]scoredRow, 1+r.IntN(12))
		for i := range rows {
			rows[i] = scoredRow{float64(r.IntN(9) - 4), 2*r.IntN(2) - 1}
		}
		best := 0.0
		f1 := func(threshold float64) float64 {
			found, predicted, positive := 0, 0, 0
			for _, r := range rows {
				if r.score >= threshold {
					predicted++
				}
				if r.label > 0 {
					positive++
				}
				if r.score >= threshold && r.label > 0 {
					found++
				}
			}
			return ratio(2*found, predicted+positive)
		}
		for cut := -4.5; cut <= 4.5; cut += 0.5 {
			best = math.Max(best, f1(cut))
		}
		if cut := bestF1(rows); f1(cut) != best {
			t.Fatalf("%v: threshold %v has F1 %v, want %v", rows, cut, f1(cut), best)
		}
	}
}

// TestBestF1Ties: of two thresholds with F1 1/2, the one nearer to 0 is chosen.
func TestBestF1Ties(t *testing.T) {
	for shift, want := range map[float64]float64{0: 0, 1: 1, 4: 0, 4.5: 0.5} {
		var rows []scoredRow
		for i, c := range "+---+--------------+" { // cuts after the first and the fifth row
			score := shift - float64(i) + 0.5
			rows = append(rows, scoredRow{score, map[rune]int{'+': +1, '-': -1}[c]})
		}
		if got := bestF1(rows); got != want {
			t.Errorf("shift %v: %v, want %v", shift, got, want)
		}
	}
}

// TestClassify: a score equal to the threshold predicts the second class.
func TestClassify(t *testing.T) {
	p := new(perceptron.Online)
	if _, err := p.Fit([][]float64{{1}, {-1}}, []int{+1, -1}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{-3, -0.5, 0, 2} {
		score, err := p.Score([]float64{x})
		if err != nil {
			t.Fatal(err)
		}
		for threshold, want := range map[float64]int{score: +1, math.Nextafter(score, 9): -1} {
			c := columns{Threshold: threshold}
			if got, err := c.classify(p, []float64{x}); err != nil || got != want {
				t.Errorf("score %v, threshold %v: %d, want %d", score, threshold, got, want)
			}
		}
	}
}

// TestThreshold: -threshold is saved with the model and changes its predictions.
func TestThreshold(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	file := cloud(t, 400)
	plain := runs(t, "-data", file, "-standardise", "-holdout", "0.3", "-save", model)
	before, _, err := predicts(t, "-load", model, "-data", file)
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := predicts(t, "-load", model, "-data", file, "-threshold", "-1e9")
	if err != nil || strings.Contains(all, "a") {
		t.Errorf("%v: a threshold of -1e9 predicts a", err)
	}
	chosen := runs(t, "-data", file, "-standardise", "-holdout", "0.3", "-threshold", "f1", "-save", model)
	_, c, err := restore(model)
	if err != nil || c.Threshold == 0 || !strings.Contains(chosen, fmt.Sprintf("threshold  %.6g: from this score on, the class is b\n", c.Threshold)) {
		t.Errorf("%v: threshold %v; printed\n%s", err, c.Threshold, chosen)
	}
	after, _, err := predicts(t, "-load", model, "-data", file)
	if err != nil || after == before {
		t.Errorf("%v: the saved threshold changes no prediction", err)
	}
	if f1(t, chosen) < f1(t, plain) {
		t.Errorf("F1 of b on the rows held out is %v with -threshold f1, %v without", f1(t, chosen), f1(t, plain))
	}
}

// f1 returns F1 of class b.
func f1(t *testing.T, out string) (v float64) {
	t.Helper()
	var precision, recall float64
	_, text, _ := strings.Cut(out, "precision")
	_, text, _ = strings.Cut(text, "b ")
	if _, err := fmt.Sscan(text, &precision, &recall, &v); err != nil {
		t.Fatal(err, out)
	}
	return v
}
