package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A point is a position in the picture, in the units of the axes.
type point [2]float64

// score returns ⟨w, x⟩ + b.
func score(h perceptron.Hyperplane, x point) float64 {
	return h.Weights[0]*x[0] + h.Weights[1]*x[1] + h.Bias
}

// clip returns the part of a convex polygon where the score is at least level. It also
// returns the points, two or none, where the boundary crosses that score (Sutherland &
// Hodgman 1974).
func clip(polygon []point, h perceptron.Hyperplane, level float64) (part, cut []point) {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := score(h, p)-level, score(h, q)-level
		if a >= 0 {
			part = append(part, p)
		}
		if (a >= 0) != (b >= 0) {
			t := a / (a - b)
			x := point{p[0] + t*(q[0]-p[0]), p[1] + t*(q[1]-p[1])}
			part, cut = append(part, x), append(cut, x)
		}
	}
	return part, cut
}

// view returns the corners of the visible area of a plot.
func view(p *plot.Plot) []point {
	return []point{{p.X.Min, p.Y.Min}, {p.X.Max, p.Y.Min}, {p.X.Max, p.Y.Max}, {p.X.Min, p.Y.Max}}
}

// onto returns the positions of the points on a canvas.
func onto(c draw.Canvas, p *plot.Plot, points []point) []vg.Point {
	x, y := p.Transforms(&c)
	var places []vg.Point
	for _, q := range points {
		places = append(places, vg.Point{X: x(q[0]), Y: y(q[1])})
	}
	return places
}

// A line is {x : ⟨w, x⟩ + b = level}, clipped to the plot.
type line struct {
	perceptron.Hyperplane
	level float64
	style draw.LineStyle
}

func (l line) Plot(c draw.Canvas, p *plot.Plot) {
	_, cut := clip(view(p), l.Hyperplane, l.level)
	c.StrokeLines(l.style, onto(c, p, cut))
}

// A region is the part of the plot where every hyperplane's score is at least 0.
type region struct {
	hyperplanes []perceptron.Hyperplane
	tint        color.Color
}

func (r region) polygon(p *plot.Plot) []point {
	part := view(p)
	for _, h := range r.hyperplanes {
		part, _ = clip(part, h, 0)
	}
	return part
}

func (r region) Plot(c draw.Canvas, p *plot.Plot) {
	if part := r.polygon(p); len(part) > 0 {
		c.FillPolygon(r.tint, onto(c, p, part))
	}
}

// tint mixes a colour with white.
func tint(c color.RGBA) color.RGBA {
	pale := func(v uint8) uint8 { return uint8(255 - (255-int(v))*18/100) }
	return color.RGBA{R: pale(c.R), G: pale(c.G), B: pale(c.B), A: 255}
}

// addPoints draws the points of the set, with rings around the rows in ringed. It limits
// the axes to the points plus a small margin.
func (s set) addPoints(p *plot.Plot, ringed ...int) error {
	for c, class := range s.classes {
		var rows []int
		for i, label := range s.y {
			if label == class.label {
				rows = append(rows, i)
			}
		}
		if err := s.scatter(p, rows, marks[c]); err != nil {
			return err
		}
	}
	if err := s.scatter(p, ringed, ring); err != nil {
		return err
	}
	dx, dy := 0.05*(p.X.Max-p.X.Min), 0.05*(p.Y.Max-p.Y.Min)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min-dx, p.X.Max+dx, p.Y.Min-dy, p.Y.Max+dy
	return nil
}

// scatter draws some rows of the set.
func (s set) scatter(p *plot.Plot, rows []int, mark draw.GlyphStyle) error {
	if len(rows) == 0 {
		return nil
	}
	var places plotter.XYs
	for _, i := range rows {
		at := s.at(s.X[i])
		places = append(places, plotter.XY{X: at[0], Y: at[1]})
	}
	points, err := plotter.NewScatter(places)
	if err != nil {
		return err
	}
	points.GlyphStyle = mark
	p.Add(points)
	return nil
}

// key returns an entry for each class of the set.
func (s set) key() []entry {
	var key []entry
	for c, class := range s.classes {
		key = append(key, entry{text: class.name, glyph: marks[c]})
	}
	return key
}
