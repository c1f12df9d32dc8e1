package chart

import (
	"fmt"

	"gonum.org/v1/plot"

	"perceptron"
)

// Regions shows what a model predicts at each point of a plane: the class whose
// hyperplane has the highest score. Rings mark the rows whose predicted class is wrong.
// With more than two features the plane is a slice through the mean of the rows, but a
// ring is about the whole row. The rows are, for example, "training rows".
func Regions(d *Data, planes []perceptron.Hyperplane, predicted []int, model, rows string) (*Figure, error) {
	flat, err := flat(d)
	if err != nil {
		return nil, err
	}
	var wrong []int
	for i, class := range d.Class {
		if predicted[i] != class {
			wrong = append(wrong, i)
		}
	}
	p := panel("", flat.axes[0], flat.axes[1])
	for _, r := range flat.regions(planes) {
		p.Add(r)
	}
	if err := flat.addRows(p, wrong...); err != nil {
		return nil, err
	}
	return &Figure{
		Title:  fmt.Sprintf("What %s predicts: %s, %d of %d %s right", model, short(d.Name), len(d.X)-len(wrong), len(d.X), rows),
		height: 400,
		cols:   1,
		panels: []*plot.Plot{p},
		key:    flat.key("predicted wrong"),
	}, nil
}

// regions returns the region of each class. It is an intersection of half-planes: its
// score minus that of each other class is at least 0.
func (p *plane) regions(planes []perceptron.Hyperplane) []region {
	var all []region
	for k, h := range planes {
		r := region{view: p.view, tint: tint(marks[k].Color)}
		for j, other := range planes {
			if j == k {
				continue
			}
			// The difference is taken after the cut, because it can be small.
			a, b := p.cut(h), p.cut(other)
			r.hyperplanes = append(r.hyperplanes, perceptron.Hyperplane{
				Weights: []float64{a.Weights[0] - b.Weights[0], a.Weights[1] - b.Weights[1]},
				Bias:    a.Bias - b.Bias,
			})
		}
		all = append(all, r)
	}
	return all
}
