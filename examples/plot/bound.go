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

// errInseparable means that the theorem does not apply to the data.
var errInseparable = errors.New("no line separates the two classes")

// eta is the rate of every run here. In a run from zero weights, it only scales them.
const eta = 1

// most is the maximum number of epochs, for data with a very narrow margin.
const most = 10_000

// A proof holds the numbers that check a run against Novikoff's theorem: the margin, the
// radius, and data about each mistake.
type proof struct {
	perceptron.Separation
	seen  []int     // examples seen up to each mistake
	norms []float64 // ‖(w, b)‖ after each mistake
	total int       // examples seen until all were right
}

// low and high return the two bounds of ‖(w, b)‖ after k mistakes.
func (p proof) low(k float64) float64  { return eta * k * p.Lower }
func (p proof) high(k float64) float64 { return eta * math.Sqrt(k) * p.Radius }

// prove trains Online until every row is right.
func prove(s set) (proof, error) {
	sep, err := perceptron.Separate(s.X, s.y, perceptron.Affine)
	if err != nil {
		return proof{}, err
	}
	if !sep.Separable {
		return proof{}, fmt.Errorf("%w by a margin of more than %.2g", errInseparable, sep.Upper)
	}
	p := proof{Separation: sep}
	model := perceptron.Online{Rate: eta}
	for right := 0; right < len(s.X) && p.total < most*len(s.X); {
		for i, x := range s.X {
			updated, err := model.Update(x, s.y[i])
			if err != nil {
				return proof{}, err
			}
			p.total++
			right++
			if updated {
				right = 0
				p.seen = append(p.seen, p.total)
				p.norms = append(p.norms, norm(model.Hyperplane()))
			}
		}
	}
	return p, nil
}

// norm returns ‖(w, b)‖.
func norm(h perceptron.Hyperplane) float64 {
	return math.Hypot(math.Hypot(h.Weights[0], h.Weights[1]), h.Bias)
}

// drawBound shows that the mistakes stay below (R/γ)², and the two inequalities that
// imply this.
func drawBound(s set) (figure, error) {
	pr, err := prove(s)
	if err != nil {
		return figure{}, err
	}
	mistakes, err := pr.mistakesPanel()
	if err != nil {
		return figure{}, err
	}
	lengths, err := pr.lengthsPanel()
	if err != nil {
		return figure{}, err
	}
	return figure{
		title:  fmt.Sprintf("Novikoff’s theorem: %s, R = %.3g, γ = %.3g, η = %d", s.name, pr.Radius, pr.Lower, eta),
		height: 300,
		cols:   2,
		panels: []*plot.Plot{mistakes, lengths},
		key: []entry{
			{text: "mistakes so far", line: in(blue, solid)},
			{text: "(R/γ)²", line: in(grey, dashed)},
			{text: "η√k R", line: in(vermilion, dashed)},
			{text: "‖(w, b)‖ after k mistakes", glyph: lengthMark},
			{text: "ηkγ", line: in(green, dotted)},
		},
	}, nil
}

var lengthMark = draw.GlyphStyle{Color: blue, Radius: 2.2, Shape: draw.CircleGlyph{}}

// mistakesPanel shows the mistakes as a step curve below the bound.
func (p proof) mistakesPanel() (*plot.Plot, error) {
	bound := p.MistakeBound()
	fig := panel(fmt.Sprintf("mistakes: %d of at most %.0f", len(p.seen), math.Floor(bound)),
		"examples seen", "mistakes so far (log scale)")
	fig.Y.Tick.Marker = decades{}
	var steps plotter.XYs
	for k, t := range p.seen {
		steps = append(steps, plotter.XY{X: float64(t), Y: math.Log10(float64(k + 1))})
	}
	end := float64(p.total)
	steps = append(steps, plotter.XY{X: end, Y: math.Log10(float64(len(p.seen)))})
	l, err := plotter.NewLine(steps)
	if err != nil {
		return nil, err
	}
	l.StepStyle = plotter.PostStep
	l.LineStyle = in(blue, solid)
	fig.Add(l)
	level := plotter.XYs{{X: 0, Y: math.Log10(bound)}, {X: end, Y: math.Log10(bound)}}
	err = addCurve(fig, level, in(grey, dashed), draw.GlyphStyle{})
	fig.Y.Max = math.Log10(2 * bound)
	return fig, err
}

// lengthsPanel shows the two bounds of ‖(w, b)‖ up to the k where they meet, which is the
// mistake bound. Both are straight lines on logarithmic axes.
func (p proof) lengthsPanel() (*plot.Plot, error) {
	bound := p.MistakeBound()
	fig := panel("ηkγ ≤ ‖(w, b)‖ ≤ η√k R, until they meet", "mistakes k (log scale)", "‖(w, b)‖ (log scale)")
	fig.X.Tick.Marker, fig.Y.Tick.Marker = decades{}, decades{}
	at := func(k, length float64) plotter.XY {
		return plotter.XY{X: math.Log10(k), Y: math.Log10(length)}
	}
	var points plotter.XYs
	for k, length := range p.norms {
		points = append(points, at(float64(k+1), length))
	}
	for _, c := range []struct {
		points plotter.XYs
		line   draw.LineStyle
		glyph  draw.GlyphStyle
	}{
		{plotter.XYs{at(bound, p.low(1)), at(bound, p.high(bound))}, in(grey, dashed), draw.GlyphStyle{}},
		{plotter.XYs{at(1, p.high(1)), at(bound, p.high(bound))}, in(vermilion, dashed), draw.GlyphStyle{}},
		{plotter.XYs{at(1, p.low(1)), at(bound, p.low(bound))}, in(green, dotted), draw.GlyphStyle{}},
		{points, draw.LineStyle{}, lengthMark},
	} {
		if err := addCurve(fig, c.points, c.line, c.glyph); err != nil {
			return nil, err
		}
	}
	fig.X.Max = math.Log10(2 * bound)
	return fig, nil
}
