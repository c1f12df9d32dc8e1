package chart

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A plane holds the rows of Data at their positions in a view.
type plane struct {
	*view
	*Data
	T [][]float64
}

// farthest is the largest number that a picture shows. Beyond it differences of two
// numbers, and their squares, could overflow.
const farthest = 1e100

// flat moves the rows into the plane that the data names.
func flat(d *Data) (*plane, error) {
	switch {
	case len(d.X) == 0:
		return nil, fmt.Errorf("no rows to draw")
	case len(d.Classes) > MostClasses:
		return nil, fmt.Errorf("the number of classes is %d, want at most %d, which colours and shapes tell apart", len(d.Classes), MostClasses)
	}
	v, err := newView(d)
	if err != nil {
		return nil, err
	}
	p := &plane{view: v, Data: d}
	for _, x := range d.X {
		t := v.in(x)
		at := v.at(t)
		if !(abs(at[0]) <= farthest && abs(at[1]) <= farthest) {
			return nil, fmt.Errorf("a row is at %.3g, %.3g: want numbers of at most %g", at[0], at[1], farthest)
		}
		p.T = append(p.T, t)
	}
	return p, nil
}

// clip returns the part of a convex polygon where the score is at least level. It also
// returns the positions, two or none, where the boundary crosses that score (Sutherland
// & Hodgman 1974).
func clip(polygon [][]float64, h perceptron.Hyperplane, level float64) (part, cut [][]float64) {
	score := func(t []float64) float64 { return h.Weights[0]*t[0] + h.Weights[1]*t[1] + h.Bias - level }
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := score(p), score(q)
		if a >= 0 {
			part = append(part, p)
		}
		if (a >= 0) != (b >= 0) {
			s := a / (a - b)
			x := []float64{p[0] + s*(q[0]-p[0]), p[1] + s*(q[1]-p[1])}
			part, cut = append(part, x), append(cut, x)
		}
	}
	return part, cut
}

// corners returns the corners of the visible area of a plot, in the plane.
func (v *view) corners(p *plot.Plot) [][]float64 {
	var all [][]float64
	for _, at := range []point{{p.X.Min, p.Y.Min}, {p.X.Max, p.Y.Min}, {p.X.Max, p.Y.Max}, {p.X.Min, p.Y.Max}} {
		all = append(all, v.from(at))
	}
	return all
}

// onto returns the places of positions on a canvas.
func (v *view) onto(c draw.Canvas, p *plot.Plot, positions [][]float64) []vg.Point {
	x, y := p.Transforms(&c)
	var places []vg.Point
	for _, t := range positions {
		at := v.at(t)
		places = append(places, vg.Point{X: x(at[0]), Y: y(at[1])})
	}
	return places
}

// A line is {t : ⟨w, t⟩ + b = level}, clipped to the plot.
type line struct {
	*view
	perceptron.Hyperplane
	level float64
	style draw.LineStyle
}

func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	_, cut := clip(l.corners(p), l.Hyperplane, l.level)
	c.StrokeLines(l.style, l.onto(c, p, cut))
}

// A region is the part of the plot where every score is at least 0.
type region struct {
	*view
	hyperplanes []perceptron.Hyperplane
	tint        color.Color
}

func (r region) polygon(p *plot.Plot) [][]float64 {
	part := r.corners(p)
	for _, h := range r.hyperplanes {
		part, _ = clip(part, h, 0)
	}
	return part
}

func (r region) Plot(c draw.Canvas, p *plot.Plot) {
	if part := r.polygon(p); len(part) > 0 {
		c.FillPolygon(r.tint, r.onto(c, p, part))
	}
}

// mostDrawn limits the rows in a picture, where more would hide each other.
const mostDrawn = 4000

// sample returns the indices of n rows, or of a random part of them. The part is always
// the same.
func sample(n int) []int {
	rows := rand.New(rand.NewPCG(1, 2)).Perm(n)
	rows = rows[:min(n, mostDrawn)]
	slices.Sort(rows)
	return rows
}

// addRows draws the rows, with rings around some of them. It limits the axes to the rows
// plus a small margin.
func (p *plane) addRows(to *plot.Plot, ringed ...int) error {
	drawn := sample(len(p.T))
	for class := range p.Classes {
		err := p.scatter(to, drawn, marks[class], func(i int) bool { return p.Class[i] == class })
		if err != nil {
			return err
		}
	}
	err := p.scatter(to, drawn, ring, func(i int) bool { _, found := slices.BinarySearch(ringed, i); return found })
	widen(&to.X)
	widen(&to.Y)
	return err
}

// widen adds a small margin to an axis. It also keeps the ends of the axis far enough
// apart for their difference to be exact, and for ticks with different labels.
func widen(a *plot.Axis) {
	by := 0.05 * (a.Max - a.Min)
	if size := max(abs(a.Min), abs(a.Max)); by <= 1e-9*size || by == 0 {
		by = max(size/2, 1e-100)
		if size == 0 {
			by = 1
		}
	}
	a.Min, a.Max = a.Min-by, a.Max+by
}

// scatter draws the rows that are chosen.
func (p *plane) scatter(to *plot.Plot, rows []int, mark draw.GlyphStyle, chosen func(i int) bool) error {
	var places plotter.XYs
	for _, i := range rows {
		if chosen(i) {
			at := p.at(p.T[i])
			places = append(places, plotter.XY{X: at[0], Y: at[1]})
		}
	}
	if len(places) == 0 {
		return nil
	}
	points, err := plotter.NewScatter(places)
	if err != nil {
		return err
	}
	points.GlyphStyle = mark
	to.Add(points)
	return nil
}

// key returns an entry for each class, and for ring.
func (p *plane) key(ringed string) []entry {
	var key []entry
	for i, class := range p.Classes {
		key = append(key, entry{text: short(class), glyph: marks[i]})
	}
	key = append(key, entry{text: ringed, glyph: ring})
	if n := len(p.T); n > mostDrawn {
		key = append(key, entry{text: fmt.Sprintf("%d of %d rows are drawn", mostDrawn, n)})
	}
	return key
}
