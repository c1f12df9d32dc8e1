package chart

import (
	"errors"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"perceptron/cmd/perceptron/internal/metrics"
)

// A Curve has a class and the scores of all rows for this class.
type Curve struct {
	Class     string
	Scores    metrics.Scores
	Threshold float64 // the class is predicted for scores of at least Threshold
}

// points returns the points of the ROC and of the precision-recall curve, and in at the point of
// each curve at the threshold. The ROC must be drawn with lines between its points, which count
// ties half, as the AUC does. The precision-recall curve must be drawn with steps: the area below
// them is the average precision.
func (c *Curve) points() (roc, pr, at plotter.XYs, err error) {
	// The last point counts all rows, so it has the number of rows of the class and of others.
	var all metrics.Point
	for p := range c.Scores.Points() {
		all = p
	}
	found, others := float64(all.True), float64(all.False)
	if found == 0 || others == 0 {
		return nil, nil, nil, fmt.Errorf("%v of %v rows are of class %q; its curves need such rows and others", found, found+others, c.Class)
	}
	roc, pr, at = plotter.XYs{{X: 0, Y: 0}}, plotter.XYs{{}}, plotter.XYs{{X: 0, Y: 0}, {X: 0, Y: 1}}
	for p := range c.Scores.Points() {
		recall, precision := float64(p.True)/found, float64(p.True)/float64(p.True+p.False)
		roc = append(roc, plotter.XY{X: float64(p.False) / others, Y: recall})
		pr = append(pr, plotter.XY{X: recall, Y: precision})
		// The scores fall from point to point. The last point at or above the threshold describes
		// the model's predictions.
		if p.Threshold >= c.Threshold {
			at = plotter.XYs{roc[len(roc)-1], pr[len(pr)-1]}
		}
	}
	// At recall 0, precision is 0/0. The curve begins at the height of its first step instead.
	pr[0].Y = pr[1].Y
	return roc, pr, at, nil
}

// ROC shows the ROC and the precision-recall curve of each class against all others. Their areas
// are the AUC and the average precision. For two classes, there is one Curve, of the second class.
// The argument rows describes the rows in the title, for example "training rows".
func ROC(name, model, rows string, curves []Curve) (*Figure, error) {
	if len(curves) > MostClasses {
		return nil, fmt.Errorf("the number of classes is %d, want at most %d, which colours and dashes tell apart", len(curves), MostClasses)
	}
	roc := panel("ROC", "share of the other rows taken for the class", "share of the class found")
	pr := panel("precision and recall", "recall: share of the class found", "precision")
	f := &Figure{Title: fmt.Sprintf("Scores of %s: %s, %s", model, short(name), rows), height: 340, cols: 2, panels: []*plot.Plot{roc, pr}}
	// The diagonal is the ROC of scores that do not depend on the class.
	if err := addCurve(roc, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance, draw.GlyphStyle{}, plotter.NoStep); err != nil {
		return nil, err
	}
	for i := range curves {
		// A single curve is of the second class, and has its colour, as in the other pictures.
		c, k := &curves[i], max(i, 2-len(curves))
		rocPoints, prPoints, at, err := c.points()
		if err != nil {
			return nil, err
		}
		sty := draw.LineStyle{Color: marks[k].Color, Width: 1.6, Dashes: dashes[k]}
		if err := errors.Join(
			addCurve(roc, thin(rocPoints, 1, 1), sty, draw.GlyphStyle{}, plotter.NoStep),
			addCurve(roc, at[:1], draw.LineStyle{}, ring, plotter.NoStep),
			addCurve(pr, thin(prPoints, 1, 1), sty, draw.GlyphStyle{}, plotter.PreStep),
			addCurve(pr, at[1:], draw.LineStyle{}, ring, plotter.NoStep)); err != nil {
			return nil, err
		}
		text := fmt.Sprintf("%s: AUC %.4f, average precision %.4f", short(c.Class), c.Scores.AUC(), c.Scores.AveragePrecision())
		if c.Scores.Sampled() {
			text += ", of a sample of the rows"
		}
		f.key = append(f.key, entry{text: text, line: sty})
	}
	// Both panels show all of [0, 1], so that pictures of two models can be compared.
	for _, p := range f.panels {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	}
	f.key = append(f.key, entry{text: fmt.Sprintf("predicted, from score %.4g on", curves[0].Threshold), glyph: ring}, entry{text: "by chance", line: chance})
	if len(curves) > 1 {
		f.key = append(f.key, entry{text: "score: the lead over the best other class"})
	}
	return f, nil
}
