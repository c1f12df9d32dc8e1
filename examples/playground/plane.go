package main

import (
	"math"

	"perceptron"
)

// A vec is a place on the plane. Its coordinates count from the middle, with the view as the unit, so
// that (1, 1) is a corner.
type vec [2]float64

// square contains the corners of the plane.
var square = []vec{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}

// A half is the half-plane {u : au₀ + bu₁ + c ≥ 0} in the coordinates of a vec.
type half struct{ a, b, c float64 }

// halfOf returns the half-plane where the score of h is at least 0. Its coefficients are at most 1 in
// absolute value. If the half-plane has no border, halfOf returns false; then it is the whole
// plane or empty, by the sign of c.
func halfOf(h perceptron.Hyperplane, view float64) (half, bool) {
	f := half{c: h.Bias / view}
	if len(h.Weights) > 0 {
		f.a, f.b = h.Weights[0], h.Weights[1]
	}
	size := max(math.Abs(f.a), math.Abs(f.b), math.Abs(f.c))
	if !(size <= math.MaxFloat64) || f.a == 0 && f.b == 0 {
		return half{c: f.c}, false
	}
	return half{f.a / size, f.b / size, f.c / size}, true
}

func (f half) at(u vec) float64 { return f.a*u[0] + f.b*u[1] + f.c }

// clip returns the part of a polygon inside f, and the points where the border of f
// crosses its sides.
func (f half) clip(polygon []vec) (inside, border []vec) {
	inside, border = []vec{}, []vec{}
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		s, t := f.at(p), f.at(q)
		if (s < 0) != (t < 0) {
			share := s / (s - t)
			cross := vec{p[0] + (q[0]-p[0])*share, p[1] + (q[1]-p[1])*share}
			border = append(border, cross)
			inside = append(inside, cross)
		}
		if t >= 0 {
			inside = append(inside, q)
		}
	}
	return inside, border
}

// A region is the part of the plane where a class is predicted.
type region struct {
	Class   int   `json:"class"`
	Polygon []vec `json:"polygon"`
}

// regions returns the two sides of a hyperplane.
func regions(h perceptron.Hyperplane, view float64) (all []region) {
	f, ok := halfOf(h, view)
	for i, class := range []int{+1, -1} {
		polygon := square
		if ok {
			polygon, _ = f.clip(square)
		} else if f.c < 0 || f.c == 0 && i > 0 { // a score of 0 is +
			polygon = []vec{}
		}
		all = append(all, region{class, polygon})
		f = half{-f.a, -f.b, -f.c}
	}
	return all
}

// A line is a hyperplane drawn from edge to edge.
type line struct {
	Kind string `json:"kind"` // new, old, kept or wide
	Ends []vec  `json:"ends"`
}

// lineOf returns the line of h, or none if h does not cross the plane.
func lineOf(kind string, h perceptron.Hyperplane, view float64) []line {
	f, ok := halfOf(h, view)
	if !ok {
		return nil
	}
	if _, ends := f.clip(square); len(ends) == 2 {
		return []line{{kind, ends}}
	}
	return nil
}

// An arrow shows the direction of w. It begins at the point of the line that is nearest the middle of
// the plane, and points to the + side.
type arrow struct {
	From vec  `json:"from"`
	To   vec  `json:"to"`
	Cut  bool `json:"cut"` // the arrow goes on beyond the edge of the plane
}

// trueLength returns the arrow of w with its length, up to the edge of the plane.
func trueLength(h perceptron.Hyperplane, view float64) []arrow {
	w := vec{h.Weights[0] / view, h.Weights[1] / view}
	far := max(math.Abs(w[0]), math.Abs(w[1]), edge)
	return []arrow{{vec{}, vec{w[0] / far * edge, w[1] / far * edge}, far > edge}}
}

// arrowOf returns the arrow of h, or none if the arrow would not be inside the plane.
func arrowOf(h perceptron.Hyperplane, view float64) []arrow {
	f, ok := halfOf(h, view)
	if !ok {
		return []arrow{}
	}
	size := math.Hypot(f.a, f.b)
	u := vec{f.a / size, f.b / size}
	from := vec{-f.c / size * u[0], -f.c / size * u[1]}
	const usual, least, edge = 0.3, 0.06, 0.98
	long := usual
	for j := range u { // an arrow ends before the edge
		if u[j] != 0 {
			long = min(long, (math.Copysign(edge, u[j])-from[j])/u[j])
		}
	}
	if !(long >= least && max(math.Abs(from[0]), math.Abs(from[1])) <= 1) {
		return []arrow{}
	}
	to := vec{from[0] + long*u[0], from[1] + long*u[1]}
	return []arrow{{From: from, To: to}}
}

// bandOf returns the part of the plane where the absolute value of the score of h is at most width.
func bandOf(h perceptron.Hyperplane, width, view float64) []vec {
	upper, lower := h, perceptron.Hyperplane{Weights: []float64{-h.Weights[0], -h.Weights[1]}, Bias: width - h.Bias}
	upper.Bias += width
	polygon := square
	for _, side := range []perceptron.Hyperplane{upper, lower} {
		f, ok := halfOf(side, view)
		if !ok {
			return []vec{}
		}
		polygon, _ = f.clip(polygon)
	}
	return polygon
}
