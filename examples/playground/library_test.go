package main

import (
	"encoding/json"
	"os"
	"testing"

	"perceptron"
)

// A libraryRun is what the library says about a set of points, without the page.
type libraryRun struct {
	Set, Model, Stop    string
	Epochs, Mistakes    int
	R, Lower, Upper     float64
	Bound, Margin, Norm float64
	W                   []float64
	B, Right            float64 // Right is the share of points
}

// TestLibrary compares the page's end of training with Fit, Separate, Gamma and
// Score. If PLAYGROUND_EXPECT names a file, it writes these there, so that the
// browser's test compares what a browser shows.
func TestLibrary(t *testing.T) {
	var runs []libraryRun
	for _, set := range []string{"wide", "narrow", "xor"} {
		for name, m := range map[string]follower{"Online": &perceptron.Online{}, "Margin": &perceptron.Margin{}, "Batch": &perceptron.Batch{}} {
			want := runLibrary(t, set, name, m)
			runs = append(runs, want)
			p := with(t, fields{Model: name, Eta: 1}, sets[set]...)
			for p.boards[0].running() {
				ask(t, p, request{Do: "step", Times: 10000})
			}
			pic := ask(t, p, request{Do: "show"}).Boards[0]
			b := p.boards[0].problems[0]
			if pic.Stop != want.Stop || p.boards[0].last.N != want.Epochs || b.k != want.Mistakes || want.Bound > 0 && b.bound() != want.Bound ||
				pic.W != pair(want.W) || pic.B != number(want.B) || pic.Cards[0].R != number(want.R) || pic.Cards[0].Length != number(want.Norm) {
				t.Errorf("%s, %s: %+v, want %+v", set, name, pic, want)
			}
		}
	}
	if file := os.Getenv("PLAYGROUND_EXPECT"); file != "" {
		text, err := json.Marshal(runs)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func runLibrary(t *testing.T, set, name string, m follower) libraryRun {
	t.Helper()
	X, y := examples(sets[set])
	result, err := m.Fit(X, y)
	if err != nil {
		t.Fatal(err)
	}
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		t.Fatal(err)
	}
	h := m.Hyperplane()
	margin, err := perceptron.Gamma(h, X, y, perceptron.Affine)
	if err != nil {
		margin = 0 // w = 0, as in the cycle of XOR
	}
	right := 0.0 // a point on the line is not right; Accuracy counts those of class +
	for i, x := range X {
		if score, err := m.Score(x); err != nil {
			t.Fatal(err)
		} else if float64(y[i])*score > 0 {
			right += 1 / float64(len(X))
		}
	}
	bound := map[string]float64{
		"Online": perceptron.MistakeBound(sep.Radius, sep.Lower),
		"Batch":  perceptron.BatchBound(len(y), sep.Radius, sep.Lower),
	}
	bound["Margin"], _ = perceptron.ThresholdBound(sep.Radius, sep.Lower, 1, sep.Radius*sep.Radius)
	run := libraryRun{
		Set: set, Model: name, Stop: result.Stop.String(), Epochs: result.Epochs, Mistakes: result.Mistakes,
		R: sep.Radius, Lower: sep.Lower, Upper: sep.Upper, Bound: bound[name], Margin: margin, Norm: length(h), W: h.Weights, B: h.Bias, Right: right,
	}
	if !sep.Separable {
		run.Bound = 0 // JSON has no infinity
		if got := bound[name]; finite(got) {
			t.Errorf("%s: the bound is %v", set, got)
		}
	}
	return run
}
