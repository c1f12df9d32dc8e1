package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// TestJoint checks the numbers of Multiclass on two classes, where its run is that of the
// binary rule. Scores are twice as large, and γ and the rows √2 times.
func TestJoint(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		gamma      float64
	}{{"Online", "√(2k) R", 0}, {"Margin", "√(6k) R", 0}, {"Margin", "(kγ′/2 + √(2k) R)", 0.25}} {
		binary := with(t, fields{Model: c.rule, Gamma: c.gamma}, sets["wide"]...)
		many := with(t, fields{Model: "Multiclass of " + c.rule, Gamma: c.gamma * math.Sqrt2}, sets["wide"]...)
		for binary.boards[0].running() {
			a, b := ask(t, binary, request{Do: "step"}).Boards[0], ask(t, many, request{Do: "step"}).Boards[0]
			one, all := a.Cards[0], b.Cards[0]
			if all.K != one.K || all.Bound != one.Bound || all.R != one.R || b.Right != a.Right || b.Stop != a.Stop {
				t.Fatalf("%+v: %s of %s, R %s, right %s, %s; want %s of %s, %s, %s, %s", c, all.K, all.Bound, all.R, b.Right, b.Stop, one.K, one.Bound, one.R, a.Right, a.Stop)
			}
			if all.Gamma != "0.66253" || all.Chart.Name != c.name {
				t.Fatalf("%+v: γ = %s, %s", c, all.Gamma, all.Chart.Name)
			}
		}
	}
}

// TestKesler checks the rows, and that the margin and the bound are those of the library.
func TestKesler(t *testing.T) {
	p := with(t, fields{Model: "Multiclass of Online"}, sets["row"]...)
	ask(t, p, request{Do: "step", Times: 10000})
	b := p.boards[0].problems[0]
	classes, planes := p.boards[0].planes()
	want, err := perceptron.MulticlassGamma(perceptron.Hyperplanes{Classes: classes, Planes: planes}, p.boards[0].X, p.boards[0].y, perceptron.Affine)
	if got, ok := b.margin(); err != nil || !ok || math.Abs(got/want-1) > 1e-12 || want <= 0 {
		t.Errorf("the margin is %v, want %v; %v", got, want, err)
	}
	if got, want := b.bound(), perceptron.MulticlassBound(b.radius, b.sep.Lower); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("the bound is %v, want %v", got, want)
	}
	rows := kesler([][]float64{{2, 3}}, []int{0}, []int{-1, 0, 1})
	if len(rows) != 2 || !slices.Equal(rows[0], []float64{-2, -3, -1, 2, 3, 1, 0, 0, 0}) || !slices.Equal(rows[1], []float64{0, 0, 0, 2, 3, 1, -2, -3, -1}) {
		t.Error(rows)
	}
}

// TestJointWords checks how an update of Multiclass is described.
func TestJointWords(t *testing.T) {
	p := with(t, fields{Model: "Multiclass of Online", Eta: 0.5}, point{1, 2, 0}, point{1, 1, 1}, point{-1, 0, -1})
	pic := ask(t, p, request{Do: "step"}).Boards[0]
	if want := "Epoch 1. Point 1: its class 0 did not score more than −. The point is added to the weights of 0, and taken from those of −."; pic.Status != want {
		t.Errorf("%q, want %q", pic.Status, want)
	}
	if want := "(w, b) of 0 = (0, 0, 0) + 0.5·(1, 2, 1) = (0.5, 1, 0.5); (w, b) of − = (0, 0, 0) − 0.5·(1, 2, 1) = (−0.5, −1, −0.5)"; pic.Sum != want {
		t.Errorf("%q, want %q", pic.Sum, want)
	}
	if want := "−3 for −, 3 for 0, 0 for +"; pic.Marks[0].Score != want {
		t.Errorf("%q, want %q", pic.Marks[0].Score, want)
	}
	pic = ask(t, p, request{Do: "step"}).Boards[0] // its rival is 0, with the score 2
	if want := "Epoch 1. Point 2: its class + did not score more than 0. "; !strings.HasPrefix(pic.Status, want) {
		t.Errorf("%q, want %q", pic.Status, want)
	}
	if want := "‖w‖² fell by 0.5. It grows by at most 2η²R² = 3."; pic.Cards[0].Size != want {
		t.Errorf("%q, want %q", pic.Cards[0].Size, want)
	}
	if len(pic.Arrows)+len(pic.Band) != 0 || pic.W != "–" {
		t.Errorf("%v, %v, %s: no line is the only one", pic.Arrows, pic.Band, pic.W)
	}
	pic = ask(t, with(t, fields{Model: "Multiclass of Online"}, point{1, 2, -1}, point{1, 1, 0}), request{Do: "step"}).Boards[0]
	if want := "Epoch 1. Point 1: its class − did not score more than 0. "; !strings.HasPrefix(pic.Status, want) {
		t.Errorf("%q, want %q", pic.Status, want)
	}
	pic = ask(t, with(t, fields{Model: "Multiclass of Online"}, point{1, 2, 0}, point{1, 1, 0}), request{Do: "step"}).Boards[0]
	if want := "Stopped: all points have one class; Multiclass compares two or more."; pic.Status != want {
		t.Errorf("%q, want %q", pic.Status, want)
	}
}

// TestJointRings checks the multipliers of a contradiction, which are named by the rival.
func TestJointRings(t *testing.T) {
	p := with(t, fields{Model: "Multiclass of Online"}, point{0, 0, 1}, point{1, 0, -1}, point{2, 0, 1}, point{0, 1, 0})
	for i, want := range [][]string{{"−: 0.25"}, {"+: 0.5"}, {"−: 0.25"}, {}} {
		if got := ask(t, p, request{Do: "show"}).Boards[0].Marks[i].Rings; !slices.Equal(got, want) {
			t.Errorf("point %d: %q, want %q", i+1, got, want)
		}
	}
}

// TestBorders checks that the two scores on a border are equal, and that no other score
// is higher.
func TestBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	drawn := 0
	for range 300 {
		planes := make([]perceptron.Hyperplane, 3)
		for c := range planes {
			planes[c] = perceptron.Hyperplane{Weights: []float64{r.NormFloat64(), r.NormFloat64()}, Bias: r.NormFloat64()}
		}
		for _, l := range borders("new", planes, 2) {
			drawn++
			for _, share := range []float64{0, 0.3, 1} {
				var scores []float64
				for _, h := range planes {
					at := func(j int) float64 { return 2 * (l.Ends[0][j]*(1-share) + l.Ends[1][j]*share) }
					scores = append(scores, h.Weights[0]*at(0)+h.Weights[1]*at(1)+h.Bias)
				}
				slices.Sort(scores)
				if math.Abs(scores[2]-scores[1]) > 1e-9 {
					t.Fatalf("%v: scores %v on a border", planes, scores)
				}
			}
		}
	}
	if drawn < 300 {
		t.Errorf("only %d borders", drawn)
	}
	right := perceptron.Hyperplane{Weights: []float64{1, 0}}
	left, higher := perceptron.Hyperplane{Weights: []float64{-1, 0}}, perceptron.Hyperplane{Weights: []float64{1, 0}, Bias: 1}
	lines := borders("new", []perceptron.Hyperplane{right, left, higher}, 2) // right is nowhere the highest
	if len(lines) != 1 || lines[0].Ends[0][0] != -0.25 || lines[0].Ends[1][0] != -0.25 {
		t.Errorf("%v, want the line at −0.25", lines)
	}
}

// TestMatch checks which model takes over when the number of classes changes, and which
// one a second board compares.
func TestMatch(t *testing.T) {
	for model, want := range map[string][3]string{ // for many classes, for two, for a second board
		"Online":               {"Multiclass of Online", "Online", "Margin"},
		"Margin":               {"Multiclass of Margin", "Margin", "Online"},
		"Batch":                {"OneVsRest of Batch", "Batch", "Margin"},
		byHand:                 {"Multiclass of Online", byHand, "Online"},
		"OneVsRest of Online":  {"OneVsRest of Online", "Online", "Multiclass of Online"},
		"OneVsRest of Margin":  {"OneVsRest of Margin", "Margin", "Multiclass of Margin"},
		"OneVsRest of Batch":   {"OneVsRest of Batch", "Batch", "Multiclass of Online"},
		"Multiclass of Online": {"Multiclass of Online", "Online", "OneVsRest of Online"},
		"Multiclass of Margin": {"Multiclass of Margin", "Margin", "OneVsRest of Margin"},
	} {
		f := fields{Model: model}
		if got := [3]string{f.match(true), f.match(false), f.other()}; got != want {
			t.Errorf("%s: %q, want %q", model, got, want)
		}
	}
}

// TestJointWide checks that the borders of the largest margin are drawn.
func TestJointWide(t *testing.T) {
	p := with(t, fields{Model: "Multiclass of Online"}, sets["row"]...)
	wide := 0
	for _, l := range ask(t, p, request{Do: "wide"}).Boards[0].Lines {
		if l.Kind == "wide" {
			wide++
		}
	}
	if wide != 2 {
		t.Errorf("%d borders, want two", wide)
	}
}
