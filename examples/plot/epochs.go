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

// A measure is how well a model predicts the rows it is trained on.
type measure struct {
	wrong int
	loss  float64
}

// measures returns one for each epoch of a run.
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

// curve is how the iterate that is kept is drawn.
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

// drawEpochs shows what becomes of loss and mistakes when other iterates than the
// last predict.
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
		if p.Y.Max == 0 { // nothing was wrong
			p.Y.Max = 1
		}
		p.X.Tick.Marker = ticks{least: 1}
	}
	wrong.Y.Tick.Marker = ticks{least: 1}
	return f, nil
}

// addCurve joins points; a zero line or glyph is not drawn.
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
