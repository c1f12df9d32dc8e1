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
	hyperplanes []perceptron.Hyperplane // of the plane
	tint        color.Color
	border      draw.LineStyle
}

// Plot draws the region.
func (r region) Plot(c draw.Canvas, p *plot.Plot) {
	// The visible rectangle is cut by one half-plane after the other, and what is left is the region.
	part := r.corners(p)
	for _, h := range r.hyperplanes {
		part, _ = clip(part, h, 0)
	}
	if places := r.onto(c, p, part); len(places) > 0 {
		c.FillPolygon(r.tint, places)
		c.StrokeLines(r.border, append(places, places[0]))
	}
}

// A line is {t : ⟨w, t⟩ + b = level}, clipped to a plot.
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
		// The score is linear along the edge, so that its zero is a weighted mean of the two ends.
		if (a >= 0) != (b >= 0) {
			s := a / (a - b)
			x := []float64{p[0] + s*(q[0]-p[0]), p[1] + s*(q[1]-p[1])}
			part, cut = append(part, x), append(cut, x)
		}
	}
	return part, cut
}

// corners returns the corners of the visible area of a plot.
func (p *plane) corners(of *plot.Plot) [][]float64 {
	x, y := of.X, of.Y
	return [][]float64{p.from(x.Min, y.Min), p.from(x.Max, y.Min), p.from(x.Max, y.Max), p.from(x.Min, y.Max)}
}

// onto returns the places of positions on a canvas.
func (p *plane) onto(c draw.Canvas, of *plot.Plot, positions [][]float64) []vg.Point {
	x, y := of.Transforms(&c)
	var places []vg.Point
	for _, t := range positions {
		at := p.at(t)
		places = append(places, vg.Point{X: x(at.X), Y: y(at.Y)})
	}
	return places
}

// sides returns a panel with the rows, tinted where the score is at least 0, and lines.
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

// Regions shows what a model predicts at each point of a plane: the class whose
// hyperplane has the highest score. Rings mark the rows whose predicted class is wrong.
// With more than two features the plane is a slice through the mean row, but a ring is
// about the whole row. The rows are, for example, "training rows".
func Regions(d *Data, planes []perceptron.Hyperplane, predicted []int, model, rows string) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	to := panel("", p.titles[0], p.titles[1])
	for k, h := range planes {
		// A region is an intersection of half-planes: its score minus each other one. The
		// polygon is exact, where a grid of predictions would have steps.
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
