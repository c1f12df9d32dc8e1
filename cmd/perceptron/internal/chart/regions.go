package chart

import (
	"fmt"
	"image/color"
	"strings"

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

// A Shown is a model in a picture of regions.
type Shown struct {
	Name      string
	Planes    []perceptron.Hyperplane // for scaled rows; nil if the borders bend
	Class     func(z []float64) int   // of a scaled row, if the borders bend
	Predicted []int                   // class of each row
}

// Regions shows what one model or several predict at each point of a plane: the class whose score is the highest.
// Rings mark the rows that are predicted wrong. With more than two features, the plane is a slice through
// the mean row, but the prediction of a row uses all its features. The string rows describes the rows in
// the titles, for example "training rows".
func Regions(d *Data, rows string, models ...Shown) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	f := &Figure{height: 400, cols: len(models), key: p.key("predicted wrong")}
	var names []string
	right := ""
	for _, m := range models {
		var wrong []int
		for i, class := range d.Class {
			if m.Predicted[i] != class {
				wrong = append(wrong, i)
			}
		}
		names, right = append(names, m.Name), fmt.Sprintf("%d of %d %s right", len(d.X)-len(wrong), len(d.X), rows)
		to := panel("", p.titles[0], p.titles[1])
		if len(models) > 1 {
			to.Title.Text = m.Name + ": " + right
		}
		p.addRegions(to, m)
		if err := p.add(to, wrong...); err != nil {
			return nil, err
		}
		f.panels = append(f.panels, to)
	}
	f.Title = fmt.Sprintf("What %s predicts: %s, %s", names[0], short(d.Name), right)
	if len(models) > 1 {
		f.height, f.Title = 360, fmt.Sprintf("What %s predict: %s", strings.Join(names, " and "), short(d.Name))
	}
	if len(d.Features) > 2 {
		f.key = append(f.key, entry{text: "colours: the slice through the mean row"})
	}
	return f, nil
}

// addRegions draws the regions of a model.
func (p *plane) addRegions(to *plot.Plot, m Shown) {
	if m.Planes == nil {
		to.Add(bent{p, m.Class})
		return
	}
	for k, h := range m.Planes {
		// Class k is predicted where its score minus that of each other class is at least 0. So its
		// region is an intersection of half-planes, which is an exact polygon. A grid of predictions
		// would have steps instead.
		r := region{plane: p, tint: tint(marks[k].Color, pale), border: draw.LineStyle{Color: grey, Width: 0.5}}
		a := p.cut(h)
		for _, other := range m.Planes {
			b := p.cut(other)
			floats.SubTo(b.Weights, a.Weights, b.Weights)
			r.hyperplanes = append(r.hyperplanes, perceptron.Hyperplane{Weights: b.Weights, Bias: a.Bias - b.Bias})
		}
		to.Add(r)
	}
}
