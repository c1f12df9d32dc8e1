package chart

import (
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A region is the part of a plot where every score is at least 0.
type region struct {
	*plane
	hyperplanes []perceptron.Hyperplane // lines of the plane, in its coordinates
	tint        color.Color
	border      draw.LineStyle
}

// Plot draws the region.
func (r region) Plot(c draw.Canvas, p *plot.Plot) {
	// The region is what is left of the visible rectangle when each half-plane has cut it.
	part := r.corners(p)
	for _, h := range r.hyperplanes {
		part, _ = clip(part, h, 0)
	}
	if places := r.onto(c, p, part); len(places) > 0 {
		c.FillPolygon(r.tint, places)
		c.StrokeLines(r.border, append(places, places[0]))
	}
}

// A line is {t : ⟨w, t⟩ + b = level}, where w and b are the Hyperplane. It is clipped to the plot.
type line struct {
	*plane
	perceptron.Hyperplane
	level float64
	style draw.LineStyle
}

// Plot draws the line.
func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	_, cut := clip(l.corners(p), l.Hyperplane, l.level)
	c.StrokeLines(l.style, l.onto(c, p, cut))
}

// clip returns the part of a convex polygon where the score is at least level. It also returns the
// two positions where the boundary of the polygon crosses that level, or none if the level does not
// cross the polygon (Sutherland & Hodgman 1974).
func clip(polygon [][]float64, h perceptron.Hyperplane, level float64) (part, cut [][]float64) {
	score := func(t []float64) float64 { return h.Weights[0]*t[0] + h.Weights[1]*t[1] + h.Bias - level }
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := score(p), score(q)
		if a >= 0 {
			part = append(part, p)
		}
		// The score is linear along the edge, so a/(a−b) of the way is the zero of score − level.
		if (a >= 0) != (b >= 0) {
			s := a / (a - b)
			x := []float64{p[0] + s*(q[0]-p[0]), p[1] + s*(q[1]-p[1])}
			part, cut = append(part, x), append(cut, x)
		}
	}
	return part, cut
}

// corners returns the positions of the corners of a plot's visible area.
func (p *plane) corners(of *plot.Plot) [][]float64 {
	x, y := of.X, of.Y
	return [][]float64{p.from(x.Min, y.Min), p.from(x.Max, y.Min), p.from(x.Max, y.Max), p.from(x.Min, y.Max)}
}

// onto converts positions in the plane to points on a canvas.
func (p *plane) onto(c draw.Canvas, of *plot.Plot, positions [][]float64) []vg.Point {
	x, y := of.Transforms(&c)
	var places []vg.Point
	for _, t := range positions {
		at := p.at(t)
		places = append(places, vg.Point{X: x(at.X), Y: y(at.Y)})
	}
	return places
}

// sides returns a panel with the rows, the lines and the line where the score of h is 0. The area
// where the score is at least 0 is tinted. Rings mark the rows with indices in ringed.
func (p *plane) sides(title string, h perceptron.Hyperplane, ringed []int, lines ...line) (*plot.Plot, error) {
	to := panel(title, p.titles[0], p.titles[1])
	to.Add(region{plane: p, hyperplanes: []perceptron.Hyperplane{h}, tint: tint(marks[1].Color, pale)})
	if err := p.add(to, ringed...); err != nil {
		return nil, err
	}
	for _, l := range append(lines, line{p, h, 0, solid}) {
		to.Add(l)
	}
	return to, nil
}

// Regions shows what a model predicts at each point of a plane: the class whose hyperplane has the
// highest score. Rings mark the rows that are predicted wrong. With more than two features, the
// plane is a slice through the mean row, but the prediction of a row uses all its features. The
// string rows describes the rows in the title, for example "training rows".
func Regions(d *Data, planes []perceptron.Hyperplane, predicted []int, model, rows string) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	to := panel("", p.titles[0], p.titles[1])
	for k, h := range planes {
		// Class k is predicted where its score minus that of each other class is at least 0. So its
		// region is an intersection of half-planes, which is an exact polygon. A grid of predictions
		// would have steps instead.
		r := region{plane: p, tint: tint(marks[k].Color, pale), border: draw.LineStyle{Color: grey, Width: 0.5}}
		a := p.cut(h)
		for _, other := range planes {
			b := p.cut(other)
			floats.SubTo(b.Weights, a.Weights, b.Weights)
			r.hyperplanes = append(r.hyperplanes, perceptron.Hyperplane{Weights: b.Weights, Bias: a.Bias - b.Bias})
		}
		to.Add(r)
	}
	var wrong []int
	for i, class := range d.Class {
		if predicted[i] != class {
			wrong = append(wrong, i)
		}
	}
	if err := p.add(to, wrong...); err != nil {
		return nil, err
	}
	f := &Figure{
		Title:  fmt.Sprintf("What %s predicts: %s, %d of %d %s right", model, short(d.Name), len(d.X)-len(wrong), len(d.X), rows),
		height: 400, cols: 1, panels: []*plot.Plot{to}, key: p.key("predicted wrong"),
	}
	if len(d.Features) > 2 {
		f.key = append(f.key, entry{text: "colours: the slice through the mean row"})
	}
	return f, nil
}
