package main

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"perceptron"
)

// sets returns the sets of the pictures and some more.
func sets(t *testing.T) []set {
	t.Helper()
	flowers, err := iris(1)
	if err != nil {
		t.Fatal(err)
	}
	lastRow := set{name: "the last row's mistake is the last", X: [][]float64{{1, 0}, {-0.5, 0}}, y: []int{+1, -1}}
	return []set{
		lastRow,
		clouds(100, 0.4, 1), clouds(40, 0.6, 5), clouds(100, 1.5, 2), clouds(2, 0, 1),
		flowers.against(2, "versicolor", 1), flowers.against(0, "the others", 1, 2),
	}
}

// naive applies the formula of Rosenblatt's rule. It returns the row of each update, and
// the weights and bias after it. It stops after the given number of updates, or after a
// pass without an update.
func naive(s set, most int) (rows []int, weights [][3]float64) {
	var w [3]float64
	for mistake := true; mistake; {
		mistake = false
		for i, x := range s.X {
			y := float64(s.y[i])
			if y*(w[0]*x[0]+w[1]*x[1]+w[2]) > 0 {
				continue
			}
			w = [3]float64{w[0] + y*x[0], w[1] + y*x[1], w[2] + y}
			rows, weights = append(rows, i), append(weights, w)
			mistake = true
			if len(rows) == most {
				return rows, weights
			}
		}
	}
	return rows, weights
}

// TestUpdates compares updates with the naive rule.
func TestUpdates(t *testing.T) {
	six := 0
	for _, s := range sets(t) {
		us, err := updates(s, 6)
		if err != nil {
			t.Fatal(err)
		}
		rows, weights := naive(s, 6)
		if len(us) != len(rows) {
			t.Fatalf("%s: %d updates, want %d", s.name, len(us), len(rows))
		}
		if len(us) == 6 {
			six++
		}
		before := perceptron.Hyperplane{}
		for k, u := range us {
			w := weights[k]
			after := perceptron.Hyperplane{Weights: w[:2], Bias: w[2]}
			if u.row != rows[k] || !reflect.DeepEqual(u.before, before) || !reflect.DeepEqual(u.after, after) {
				t.Errorf("%s, update %d: %+v, want row %d, %v → %v", s.name, k+1, u, rows[k], before, after)
			}
			loss := 0.0
			for i, x := range s.X {
				loss += math.Max(0, -float64(s.y[i])*(w[0]*x[0]+w[1]*x[1]+w[2])) / float64(len(s.X))
			}
			if math.Abs(u.loss-loss) > 1e-12 {
				t.Errorf("%s, update %d: loss %v, want %v", s.name, k+1, u.loss, loss)
			}
			before = after
		}
	}
	if six < 3 {
		t.Errorf("%d sets have six updates, want at least 3", six)
	}
}

// TestUpdatesFigure: the picture has a panel for each update. The title states the loss,
// and the line is where the score is 0.
func TestUpdatesFigure(t *testing.T) {
	s := clouds(100, 0.4, 1)
	f, err := drawUpdates(s)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, p := range f.panels {
		titles = append(titles, p.Title.Text)
	}
	const want = "update 1: loss 0.046; update 2: loss 0.001; update 3: loss 0.012; " +
		"update 4: loss 0.001; update 5: loss 0.005; update 6: loss 0.001"
	if got := strings.Join(titles, "; "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	us, err := updates(s, 6)
	if err != nil {
		t.Fatal(err)
	}
	for k, u := range us {
		_, cut := clip(view(f.panels[k]), s.uncentred(u.after), 0)
		if len(cut) != 2 {
			t.Fatalf("update %d: the line is not in the picture", k+1)
		}
		for _, at := range cut {
			x := []float64{at[0] - s.mean[0], at[1] - s.mean[1]}
			if score, err := u.after.Score(x); err != nil || math.Abs(score) > 1e-12 {
				t.Errorf("update %d: the score is %v on the line: %v", k+1, score, err)
			}
		}
	}
}
