package main

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A measure says how well a model predicts its training rows.
type measure struct {
	wrong int     // number of rows predicted wrongly
	loss  float64 // mean perceptron loss
}

// measures returns a measure for each epoch of a run.
func measures(s set, keep perceptron.Keep, epochs int, seed uint64) ([]measure, error) {
	p := &perceptron.Online{Order: perceptron.Shuffled, Seed: seed, Keep: keep, MaxEpochs: epochs}
	var ms []measure
	for _, err := range p.Epochs(s.X, s.y) {
		if err != nil {
			return nil, err
		}
		accuracy, err := perceptron.Accuracy(p, s.X, s.y)
		if err != nil {
			return nil, err
		}
		loss, err := meanLoss(p, s)
		if err != nil {
			return nil, err
		}
		n := float64(len(s.X))
		ms = append(ms, measure{int(math.Round(n * (1 - accuracy))), loss})
	}
	return ms, nil
}

// curve describes how to draw the measures for a Keep.
type curve struct {
	keep  perceptron.Keep
	text  string
	line  draw.LineStyle
	glyph draw.GlyphStyle
}

var curves = []curve{
	{perceptron.Last, "Last iterate", in(vermilion, dotted), draw.GlyphStyle{Color: vermilion, Radius: 2.6, Shape: draw.PyramidGlyph{}}},
	{perceptron.Average, "Average", in(blue, solid), draw.GlyphStyle{Color: blue, Radius: 2.2, Shape: draw.CircleGlyph{}}},
	{perceptron.Pocket, "Pocket", in(green, dashed), draw.GlyphStyle{Color: green, Radius: 2, Shape: draw.BoxGlyph{}}},
}

// drawEpochs shows loss and mistakes when the last iterate, the average or the pocket
// predicts.
func drawEpochs(s set, seed uint64) (figure, error) {
	const epochs = 30
	wrong := panel("mistakes on the rows", "epoch", fmt.Sprintf("rows wrong, of %d", len(s.X)))
	loss := panel("loss on the rows", "epoch", "mean of max(0, −y·score)")
	f := figure{
		title:  "Which iterate should predict? Last, average or pocket: " + s.name,
		height: 280,
		cols:   2,
		panels: []*plot.Plot{wrong, loss},
	}
	for _, c := range curves {
		ms, err := measures(s, c.keep, epochs, seed)
		if err != nil {
			return figure{}, err
		}
		wrongs, losses := make(plotter.XYs, len(ms)), make(plotter.XYs, len(ms))
		for i, m := range ms {
			epoch := float64(i + 1)
			wrongs[i] = plotter.XY{X: epoch, Y: float64(m.wrong)}
			losses[i] = plotter.XY{X: epoch, Y: m.loss}
		}
		err = errors.Join(addCurve(wrong, wrongs, c.line, c.glyph), addCurve(loss, losses, c.line, c.glyph))
		if err != nil {
			return figure{}, err
		}
		f.key = append(f.key, entry{c.text, c.line, c.glyph})
	}
	for _, p := range f.panels {
		p.X.Min, p.Y.Min = 0, 0
		if p.Y.Max == 0 { // every row was right
			p.Y.Max = 1
		}
		p.X.Tick.Marker = ticks{least: 1}
	}
	wrong.Y.Tick.Marker = ticks{least: 1}
	return f, nil
}

// addCurve draws a line through the points, and glyphs on them. It omits a line of width
// 0 and a glyph without a shape.
func addCurve(p *plot.Plot, points plotter.XYs, sty draw.LineStyle, glyph draw.GlyphStyle) error {
	l, s, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	l.LineStyle, s.GlyphStyle = sty, glyph
	if sty.Width > 0 {
		p.Add(l)
	}
	if glyph.Shape != nil {
		p.Add(s)
	}
	return nil
}
