package main

import (
	"math"
	"slices"
	"testing"

	"perceptron"
)

// area returns the area of a polygon.
func area(polygon []point) float64 {
	sum := 0.0
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		sum += p[0]*q[1] - q[0]*p[1]
	}
	return sum / 2
}

// inside is positive if a point is inside a convex polygon, negative if it is outside, and
// 0 on the boundary.
func inside(polygon []point, x point) float64 {
	least := math.Inf(1)
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		least = min(least, (q[0]-p[0])*(x[1]-p[1])-(q[1]-p[1])*(x[0]-p[0]))
	}
	return least
}

// TestRegions: the regions cover the picture without overlap. Each point is in the region
// of the class that the model predicts there.
func TestRegions(t *testing.T) {
	s, err := iris(1)
	if err != nil {
		t.Fatal(err)
	}
	f, err := drawRegions(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	part, err := divide(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := f.panels[0]
	var polygons [][]point
	covered := 0.0
	for _, r := range s.regions(part.model.Hyperplanes().Planes) {
		polygons = append(polygons, r.polygon(p))
		covered += area(polygons[len(polygons)-1])
	}
	if all := area(view(p)); math.Abs(covered/all-1) > 1e-12 {
		t.Errorf("the regions cover %v of %v", covered, all)
	}
	checked := map[int]int{}
	const steps = 60
	for i := range steps {
		for j := range steps {
			at := point{
				p.X.Min + (p.X.Max-p.X.Min)*(float64(i)+0.5)/steps,
				p.Y.Min + (p.Y.Max-p.Y.Min)*(float64(j)+0.5)/steps,
			}
			label, err := part.model.Predict([]float64{at[0] - s.mean[0], at[1] - s.mean[1]})
			if err != nil {
				t.Fatal(err)
			}
			for c, polygon := range polygons {
				if in := inside(polygon, at); (in > 1e-9) != (c == label) && math.Abs(in) > 1e-9 {
					t.Errorf("%v is drawn as %d, predicted as %d", at, c, label)
				}
			}
			checked[label]++
		}
	}
	if len(checked) != 3 {
		t.Errorf("predicted: %v", checked)
	}
}

// TestWrong: the rows with rings are those that the model predicts wrongly.
func TestWrong(t *testing.T) {
	s, err := iris(1)
	if err != nil {
		t.Fatal(err)
	}
	part, err := divide(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	accuracy, err := perceptron.Accuracy(part.model, s.X, s.y)
	if err != nil {
		t.Fatal(err)
	}
	if right := 150 - len(part.wrong); math.Round(150*accuracy) != float64(right) || right < 135 {
		t.Errorf("%d right, accuracy %v", right, accuracy)
	}
	for i, x := range s.X {
		label, err := part.model.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if (label != s.y[i]) != slices.Contains(part.wrong, i) {
			t.Errorf("row %d has class %d, prediction %d; rows with rings: %v", i, s.y[i], label, part.wrong)
		}
	}
}
