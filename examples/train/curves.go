package main

import (
	"bytes"
	"image/color"
	"math"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
	"perceptron"
)

// curves draws two plots by epoch: the mistakes above, the mean loss below.
func curves(path string, history []perceptron.Epoch) error {
	mistakes, err := curve("mistakes", "", history, color.RGBA{0, 114, 178, 255}, func(e perceptron.Epoch) float64 { return float64(e.Mistakes) })
	if err != nil {
		return err
	}
	loss, err := curve("loss", "epoch", history, color.RGBA{213, 94, 0, 255}, func(e perceptron.Epoch) float64 { return e.Loss })
	if err != nil {
		return err
	}
	svg := vgsvg.New(16*vg.Centimeter, 11*vg.Centimeter)
	canvas := draw.New(svg)
	canvas.FillPolygon(color.White, []vg.Point{canvas.Min, {X: canvas.Max.X, Y: canvas.Min.Y}, canvas.Max, {X: canvas.Min.X, Y: canvas.Max.Y}})
	plots := [][]*plot.Plot{{mistakes}, {loss}}
	edge := vg.Points(8)
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadTop: edge, PadBottom: edge, PadLeft: edge, PadRight: 2 * edge, PadY: edge}
	for i, row := range plot.Align(plots, tiles, canvas) {
		plots[i][0].Draw(row[0])
	}
	var text bytes.Buffer
	if _, err := svg.WriteTo(&text); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

// mostPoints limits the points of a curve, and so the size of the file. More points
// would not be visible.
const mostPoints = 1000

// curve plots a value by epoch. It omits losses that overflowed.
func curve(name, below string, history []perceptron.Epoch, c color.Color, value func(perceptron.Epoch) float64) (*plot.Plot, error) {
	var points plotter.XYs
	for i := 0; i < len(history); i += 1 + len(history)/mostPoints {
		if v := value(history[i]); !math.IsInf(v, 0) {
			points = append(points, plotter.XY{X: float64(history[i].N), Y: v})
		}
	}
	p := plot.New()
	p.Y.Label.Text, p.X.Label.Text = name, below
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
