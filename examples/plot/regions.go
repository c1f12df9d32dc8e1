package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"

	"perceptron"
)

// A partition is a trained model for several classes.
type partition struct {
	model *perceptron.OneVsRest
	wrong []int // rows that the model predicts wrongly
}

// divide trains a perceptron for each class.
func divide(s set, seed uint64) (partition, error) {
	m := &perceptron.OneVsRest{Binary: &perceptron.Margin{
		Order: perceptron.Shuffled, Seed: seed, Keep: perceptron.Average,
	}}
	if _, err := m.Fit(s.X, s.y); err != nil {
		return partition{}, err
	}
	p := partition{model: m}
	for i, x := range s.X {
		label, err := m.Predict(x)
		if err != nil {
			return partition{}, err
		}
		if label != s.y[i] {
			p.wrong = append(p.wrong, i)
		}
	}
	return p, nil
}

// regions returns the region of each class, where its score is the highest. A region is
// an intersection of half-planes: its score minus that of each other class is at least 0.
func (s set) regions(hs []perceptron.Hyperplane) []region {
	var regions []region
	for c, h := range hs {
		r := region{tint: tint(marks[c].Color.(color.RGBA))}
		for _, other := range hs {
			r.hyperplanes = append(r.hyperplanes, s.uncentred(perceptron.Hyperplane{
				Weights: []float64{h.Weights[0] - other.Weights[0], h.Weights[1] - other.Weights[1]},
				Bias:    h.Bias - other.Bias,
			}))
		}
		regions = append(regions, r)
	}
	return regions
}

// drawRegions shows the predictions of OneVsRest for the whole plane.
func drawRegions(s set, seed uint64) (figure, error) {
	part, err := divide(s, seed)
	if err != nil {
		return figure{}, err
	}
	right := len(s.X) - len(part.wrong)
	p := panel("", s.axes[0], s.axes[1])
	for _, r := range s.regions(part.model.Hyperplanes().Planes) {
		p.Add(r)
	}
	if err := s.addPoints(p, part.wrong...); err != nil {
		return figure{}, err
	}
	return figure{
		title:  fmt.Sprintf("What OneVsRest predicts: %s, %d of %d rows right", s.name, right, len(s.X)),
		height: 360,
		cols:   1,
		panels: []*plot.Plot{p},
		key:    append(s.key(), entry{text: "misclassified", glyph: ring}),
	}, nil
}
