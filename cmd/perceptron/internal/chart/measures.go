package chart

import (
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perceptron/cmd/perceptron/internal/metrics"
)

// Calibration shows what share of the rows is of the class, for ten ranges of the predicted
// probability. The number beside a point counts the probabilities in its range. With two classes,
// each row has one probability; with more, each row has one for each class.
func Calibration(name, model, rows string, r *metrics.Reliability) (*Figure, error) {
	to := panel("", "mean probability", "share of the rows that are of the class")
	var points plotter.XYs
	var numbers []string
	for _, b := range r.Bins {
		if b.Rows > 0 {
			points, numbers = append(points, plotter.XY{X: b.Mean, Y: b.Share}), append(numbers, strconv.Itoa(b.Rows))
		}
	}
	line := draw.LineStyle{Color: blue, Width: 1.6}
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: points, Labels: numbers})
	if err := errors.Join(err,
		addCurve(to, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance, draw.GlyphStyle{}, plotter.NoStep),
		addCurve(to, points, line, marks[1], plotter.NoStep)); err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = style(9)
	}
	labels.Offset = vg.Point{X: 6, Y: -9}
	to.Add(labels)
	to.X.Min, to.X.Max, to.Y.Min, to.Y.Max = 0, 1, 0, 1
	return &Figure{Title: fmt.Sprintf("Probabilities of %s: %s, %s", model, short(name), rows), height: 400, cols: 1, panels: []*plot.Plot{to}, key: []entry{
		{text: fmt.Sprintf("log loss %.4f, Brier score %.4f", r.LogLoss, r.Brier), line: line, glyph: marks[1]}, {text: "calibrated", line: chance}}}, nil
}

// mostCells is the largest number of classes whose names and counts fit into a confusion matrix.
const mostCells = 20

// Confusion shows, for each true class and each predicted class, the number of rows.
func Confusion(d *Data, predicted []int, model, rows string) (*Figure, error) {
	n := len(d.Classes)
	if n > mostCells {
		return nil, fmt.Errorf("the number of classes is %d, want at most %d, for which the picture has room; train and evaluate print all with --json", n, mostCells)
	}
	counts, right := cells(metrics.NewConfusion(n).Counts), 0
	var names []string
	for i, class := range d.Class {
		if counts[class][predicted[i]]++; class == predicted[i] {
			right++
		}
	}
	for _, class := range d.Classes {
		names = append(names, short(class))
	}
	to := panel("", "predicted class", "true class")
	to.Add(counts)
	to.NominalX(names...)
	slices.Reverse(names) // the first is at the top, as in a table
	to.NominalY(names...)
	to.X.Min, to.X.Max, to.Y.Min, to.Y.Max = -0.5, float64(n)-0.5, -0.5, float64(n)-0.5
	return &Figure{Title: fmt.Sprintf("What %s predicts: %s, %d of %d %s right", model, short(d.Name), right, len(d.Class), rows),
		height: 420, cols: 1, panels: []*plot.Plot{to}, key: []entry{{text: "colour: the share of the rows of the true class"}}}, nil
}

// cells counts rows by true and predicted class.
type cells [][]int

// Plot draws a cell for each pair of classes.
func (counts cells) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	text := style(9)
	text.XAlign, text.YAlign = draw.XCenter, draw.YCenter
	for t, row := range counts {
		all := 0
		for _, v := range row {
			all += v
		}
		for k, v := range row {
			left, right, low, high := x(float64(k)-0.5), x(float64(k)+0.5), y(float64(len(row)-1-t)-0.5), y(float64(len(row)-1-t)+0.5)
			percent := 100 * v / max(1, all)
			c.FillPolygon(tint(blue, percent), []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}})
			if text.Color = black; percent > 60 {
				text.Color = color.White
			}
			c.FillText(text, vg.Point{X: (left + right) / 2, Y: (low + high) / 2}, strconv.Itoa(v))
		}
	}
}
