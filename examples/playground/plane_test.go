package main

import (
	"math"
	"testing"

	"perceptron"
)

// TestRegions checks that every place is in the region of its predicted class.
func TestRegions(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "load", Name: "overlap"})
	ask(t, p, request{Do: "set", Name: "keep", Text: "Average"})
	ask(t, p, request{Do: "epoch"})
	pic := ask(t, p, request{Do: "epoch"})
	seen := map[int]bool{}
	for i := range 41 {
		for j := range 41 {
			u := vec{float64(i)/20 - 1.0001, float64(j)/20 - 1.0003}
			label, err := p.boards[0].model.Predict([]float64{u[0] * p.view, u[1] * p.view})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range pic.Boards[0].Regions {
				if max(-u[0], -u[1]) <= 1 && (r.Class == label) != inside(r.Polygon, u) {
					t.Fatalf("%v has class %d; in the region of class %d: %v", u, label, r.Class, inside(r.Polygon, u))
				}
			}
			seen[label] = true
		}
	}
	if len(seen) != 2 {
		t.Error(seen)
	}
}

// inside reports whether u is inside a convex polygon.
func inside(polygon []vec, u vec) bool {
	var left, right int
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		if (q[0]-p[0])*(u[1]-p[1])-(q[1]-p[1])*(u[0]-p[0]) > 0 {
			left++
		} else {
			right++
		}
	}
	return len(polygon) > 2 && (left == 0 || right == 0)
}

// TestArrows checks that an arrow begins on the line, points to the + side at a right
// angle, and stays on the plane.
func TestArrows(t *testing.T) {
	for _, h := range []perceptron.Hyperplane{
		{Weights: []float64{1, 0.5}, Bias: 0.5}, {Weights: []float64{-3, 1}, Bias: 2}, {Weights: []float64{0, -2}, Bias: 3}, {Weights: []float64{0.1, 1.24}, Bias: -2},
	} {
		arrows := arrowOf(h, 2)
		if len(arrows) != 1 {
			t.Fatalf("%v: %v", h, arrows)
		}
		from, to := arrows[0].From, arrows[0].To
		on := h.Weights[0]*from[0]*2 + h.Weights[1]*from[1]*2 + h.Bias
		along := (to[0]-from[0])*h.Weights[0] + (to[1]-from[1])*h.Weights[1]
		across := (to[0]-from[0])*h.Weights[1] - (to[1]-from[1])*h.Weights[0]
		if math.Abs(on) > 1e-9 || along <= 0 || math.Abs(across) > 1e-9 || max(math.Abs(to[0]), math.Abs(to[1])) > 0.98+1e-9 {
			t.Errorf("%v: %v", h, arrows)
		}
	}
	for _, h := range []perceptron.Hyperplane{{}, {Weights: []float64{0, 0}, Bias: 1}, {Weights: []float64{1, 0}, Bias: 2.5}, {Weights: []float64{1, 0}, Bias: -1.99}} {
		if arrows := arrowOf(h, 2); len(arrows) != 0 {
			t.Errorf("%v: %v", h, arrows)
		}
	}
}
