package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
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
		for name, m := range map[string]perceptron.Binary{"Online": &perceptron.Online{}, "Margin": &perceptron.Margin{}} {
			want := runLibrary(t, set, name, m)
			runs = append(runs, want)
			p := with(t, fields{Model: name, Eta: 1}, sets[set]...)
			for p.boards[0].running() {
				ask(t, p, request{Do: "step", Times: 10000})
			}
			pic := ask(t, p, request{Do: "show"}).Boards[0]
			b := p.boards[0].problem
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

func runLibrary(t *testing.T, set, name string, m perceptron.Binary) libraryRun {
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

// TestPredictors compares what the page says of the line that predicts with the library's
// Hyperplane, for 100 random sets, every Keep and every rule, at the end of each epoch.
func TestPredictors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for set := range 100 {
		points := cloud(r, 4+r.IntN(9))
		for _, rule := range []string{"Online", "Margin"} {
			for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
				f := fields{Model: rule, Keep: keep, Order: perceptron.Order(set % 3), Origin: set%2 == 0, Eta: 1}
				p := with(t, f, points...)
				m := f.build(keep).(perceptron.Binary)
				n := 0
				for e, err := range m.(trainee).Epochs(p.boards[0].X, p.boards[0].y) {
					if err != nil {
						t.Fatal(err)
					}
					if n++; n > 2 {
						break
					}
					pic := ask(t, p, request{Do: "epoch"}).Boards[0]
					says(t, p, m, pic)
					if e.Stop.String() != pic.Stop && e.Stop != perceptron.Running {
						t.Errorf("%+v: %s, want %v", f, pic.Stop, e.Stop)
					}
				}
			}
		}
	}
}

// says compares a board's numbers with the model's.
func says(t *testing.T, p *playground, m perceptron.Binary, pic board) {
	t.Helper()
	b, h := p.boards[0], m.Hyperplane()
	if pic.W != "–" && (pic.W != pair(h.Weights) || pic.B != number(h.Bias)) {
		t.Errorf("%+v: w = %s, b = %s, want %v", b.fields, pic.W, pic.B, h)
	}
	right := 0
	for i, x := range b.X {
		if score, err := m.Score(x); err != nil {
			t.Fatal(err)
		} else if float64(b.y[i])*score > 0 {
			right++
		}
	}
	if got := strconv.Itoa(right) + " of "; pic.Right != "–" && !strings.HasPrefix(pic.Right, got) {
		t.Errorf("%+v: right %s, want %s", b.fields, pic.Right, got)
	}
	gamma, err := perceptron.Gamma(h, b.X, b.y, b.space())
	if want := below(gamma, 3); err == nil && pic.Cards[0].Margin != want && !strings.HasPrefix(pic.Cards[0].Margin, want+" (") {
		t.Errorf("%+v: margin %s, want %s", b.fields, pic.Cards[0].Margin, want)
	}
}
