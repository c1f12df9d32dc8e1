package main

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
	"perceptron"
)

// curves draws plots by epoch: the updates of the training above, the mean loss in the
// middle, and the errors on the rows held out below.
func curves(path string, s *summary) error {
	blue, orange, green := color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}
	values := []struct {
		name  string
		color color.Color
		value func(i int) float64
	}{
		{"mistakes", blue, func(i int) float64 { return float64(s.history[i].Mistakes) }},
		{"loss", orange, func(i int) float64 { return s.history[i].Loss }},
		{"held-out error", green, func(i int) float64 { return s.errors[i] }},
	}
	if s.errors == nil {
		values = values[:2]
	}
	var plots [][]*plot.Plot
	for _, v := range values {
		p, err := curve(v.name, s.history, v.color, v.value)
		if err != nil {
			return err
		}
		plots = append(plots, []*plot.Plot{p})
	}
	plots[0][0].Title.Text = s.title()
	plots[len(plots)-1][0].X.Label.Text = "epoch"
	svg := vgsvg.New(16*vg.Centimeter, vg.Length(1+5*len(plots))*vg.Centimeter)
	canvas := draw.New(svg)
	canvas.FillPolygon(color.White, []vg.Point{canvas.Min, {X: canvas.Max.X, Y: canvas.Min.Y}, canvas.Max, {X: canvas.Min.X, Y: canvas.Max.Y}})
	edge := vg.Points(8)
	tiles := draw.Tiles{Rows: len(plots), Cols: 1, PadTop: edge, PadBottom: edge, PadLeft: edge, PadRight: 2 * edge, PadY: edge}
	for i, row := range plot.Align(plots, tiles, canvas) {
		plots[i][0].Draw(row[0])
	}
	var text bytes.Buffer
	if _, err := svg.WriteTo(&text); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// title names the data and the model.
func (s *summary) title() string {
	name := settingsOf(s.model).name
	return filepath.Base(s.table.file) + ": " + name
}

// mostPoints limits the points of a curve, and so the size of the file. More points
// would not be visible.
const mostPoints = 1000

// curve plots a value by epoch. It omits losses that overflowed.
func curve(name string, history []perceptron.Epoch, c color.Color, value func(i int) float64) (*plot.Plot, error) {
	var points plotter.XYs
	for i := 0; i < len(history); i += 1 + len(history)/mostPoints {
		if v := value(i); !math.IsInf(v, 0) {
			points = append(points, plotter.XY{X: float64(history[i].N), Y: v})
		}
	}
	p := plot.New()
	p.Y.Label.Text = name
	p.Y.Min, p.Y.Max = 0, 1
	p.X.Min, p.X.Max = float64(history[0].N), float64(max(history[len(history)-1].N, history[0].N+1))
	p.Add(plotter.NewGrid())
	if len(points) == 0 {
		return p, nil
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = c, vg.Points(1.5)
	dots.Color, dots.Shape, dots.Radius = c, draw.CircleGlyph{}, vg.Points(1.5)
	p.Y.Max = 0
	p.Add(line, dots)
	return p, nil
}
