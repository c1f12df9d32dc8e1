package main

import (
	"context"
	"slices"

	"perceptron"
	"perceptron/internal/train"
)

// A learner says how shards train. Its fields are those of Online or Margin, in a form that
// is easy to compare.
type learner struct {
	Rule  string  `json:"rule"`  // see rules
	Bound float64 `json:"bound"` // γ′ of Margin's Gamma, or θ of Threshold; else 0
	Keep  string  `json:"keep"`  // see keeps
}

// The values of -rule and -keep.
var (
	rules = []string{train.OnMistake: "online", train.WithinGamma: "gamma", train.WithinTheta: "threshold", train.WithinR: "margin"}
	keeps = []string{train.Last: "last", train.Average: "average"}
)

// config returns the fields as the engine of package perceptron reads them. The program uses
// the engine, because what a model has learned has to cross the network in parts.
func (l learner) config() train.Config {
	return train.Config{Rate: 1, Gamma: l.Bound, Threshold: l.Bound, Rule: train.Rule(slices.Index(rules, l.Rule)), Keep: train.Keep(slices.Index(keeps, l.Keep))}
}

// vectors returns how many numbers a model has for each feature, and for the bias: the weight, and
// under Average also the sum of the iterates and its rounding error.
func (l learner) vectors() int {
	if l.Keep == keeps[train.Average] {
		return 3
	}
	return 1
}

// engine returns a model from its form without numbers, and its numbers, which are those of the
// bias at the end. If form is nil, it returns a new model.
func (l learner) engine(form *train.State, v []float64) (*train.Engine, error) {
	e := new(train.Engine)
	if form == nil {
		return e, nil
	}
	s := *form
	s.Hyperplanes = slices.Clone(s.Hyperplanes)
	h, k := &s.Hyperplanes[0], l.vectors()
	s.Width = len(v)/k - 1
	w := v
	if h.Average != nil && k == 3 { // Restore rejects one without the other
		a := *h.Average
		w = make([]float64, len(v)/k)
		for j := range w {
			u := v[3*j : 3*j+3]
			a.Iterate, a.Sum, a.Low = append(a.Iterate, u[0]), append(a.Sum, u[1]), append(a.Low, u[2])
			w[j] = u[0] - (u[1]+u[2])/a.Count
		}
		h.Average = &a
	}
	h.Weights, h.Bias = w[:s.Width:s.Width], w[s.Width]
	return e, e.Restore(l.config(), &train.Hyperplane{}, &s)
}

// learn trains a model for an epoch.
func (l learner) learn(e *train.Engine, rows examples) (train.Epoch, error) {
	return e.LearnSparse(l.config(), &train.Hyperplane{}, rows)
}

// numbers is the inverse of engine.
func numbers(e *train.Engine) (form *train.State, v []float64) {
	_, _, form = e.State()
	h := &form.Hyperplanes[0]
	v = append(h.Weights, h.Bias)
	if a := h.Average; a != nil {
		v = make([]float64, 0, 3*len(a.Sum))
		for j, w := range a.Iterate {
			v = append(v, w, a.Sum[j], a.Low[j])
		}
		a.Iterate, a.Sum, a.Low = nil, nil, nil
	}
	form.Width, h.Weights, h.Bias = 0, nil, 0
	return form, v
}

// model returns the mean of a state, and its numbers.
func (o origin) model(ctx context.Context, l learner, s State) (*train.Engine, []float64, error) {
	v := make([]float64, s.Numbers)
	for b, name := range s.Blocks {
		if err := o.block(ctx, name, blockOf(v, b)); err != nil {
			return nil, nil, err
		}
	}
	e, err := l.engine(s.Model, v)
	return e, v, err
}

// hyperplane returns what a state predicts with.
func (o origin) hyperplane(ctx context.Context, l learner, s State) (h perceptron.Hyperplane, err error) {
	e, _, err := o.model(ctx, l, s)
	if err != nil {
		return h, err
	}
	_, err = l.learn(e, func(func(*train.Row, int) bool) {}) // so that Average computes its mean
	w := e.Vector(0)
	return perceptron.Hyperplane{Weights: w[:s.Features], Bias: w[s.Features]}, err
}
