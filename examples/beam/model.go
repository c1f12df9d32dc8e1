package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"perceptron"
)

// A learner says how shards train. Its first fields are those of Online or Margin, in a form that
// is easy to compare.
type learner struct {
	Rule   string  `json:"rule"`   // see rules
	Bound  float64 `json:"bound"`  // γ′ of Margin's Gamma, or θ of Threshold; else 0
	Keep   string  `json:"keep"`   // see keeps
	Passes int     `json:"passes"` // over a shard in a round; a checkpoint without it has 1
}

// The values of -rule and -keep.
var (
	rules = []string{"online", "gamma", "threshold", "margin"}
	keeps = []string{perceptron.Last: "last", perceptron.Average: "average"}
)

// untrained returns a new model with the fields.
func (l learner) untrained() perceptron.Learner {
	keep := perceptron.Keep(slices.Index(keeps, l.Keep))
	m := &perceptron.Margin{Keep: keep}
	switch l.Rule {
	case "online":
		return &perceptron.Online{Keep: keep}
	case "gamma":
		m.Gamma = l.Bound
	case "threshold":
		m.Threshold = l.Bound
	}
	return m
}

// vectors returns how many numbers a block has for each feature, and for the bias. With Last, there
// is one: the weight. With Average, there are three: the weight, the sum and its rounding error.
// These determine the mean, so blocks do not have it: it would change at nearly every feature in
// each round.
func (l learner) vectors() int {
	if l.Keep == keeps[perceptron.Average] {
		return 3
	}
	return 1
}

// model is the inverse of numbers. v may have the numbers of some features only. The numbers of the
// bias, or zeros instead, must be last. If form is nil, model returns a new model.
func (l learner) model(form json.RawMessage, v []float64) (perceptron.Learner, error) {
	m := l.untrained()
	if form == nil {
		return m, nil
	}
	fields, _, err := perceptron.Split(m)
	if err != nil || !bytes.HasPrefix(form, bytes.TrimSuffix(fields, []byte("}"))) {
		return nil, errors.Join(err, errors.New("the model does not have the fields of -rule, -bound and -keep"))
	}
	vectors := [][]float64{v}
	if l.vectors() == 3 {
		vectors = means(v, countOf(form))
	}
	joined, err := perceptron.Join(form, vectors)
	if err != nil {
		return nil, err
	}
	return joined.(perceptron.Learner), nil // of m's type, because it has m's fields
}

// countOf returns the count of examples in the form of an average.
func countOf(form json.RawMessage) float64 {
	var s struct {
		Learned struct {
			Hyperplanes []struct{ Average struct{ Count float64 } }
		}
	}
	if json.Unmarshal(form, &s) != nil || len(s.Learned.Hyperplanes) != 1 {
		return 0 // Join has the error
	}
	return s.Learned.Hyperplanes[0].Average.Count
}

// means returns the four vectors of an average after n examples, as Split returns them. The first is
// the mean. v has the numbers of the other three: for each feature, one number of each vector. Join
// accepts a mean that is right but for rounding. Training and Mix read only the other vectors, and
// compute the mean again.
func means(v []float64, n float64) [][]float64 {
	vectors := make([][]float64, 4)
	for ; len(v) >= 3; v = v[3:] {
		for i, x := range []float64{v[0] - (v[1]+v[2])/n, v[0], v[1], v[2]} {
			vectors[i] = append(vectors[i], x)
		}
	}
	return vectors
}

// learn trains a model with the given number of features for one epoch.
func learn(m perceptron.Learner, format string, features int, rows examples) (perceptron.Epoch, error) {
	if format == rowsFormat {
		return m.Learn(func(yield func([]float64, int) bool) {
			rows(func(x row, y int) bool { return yield(x.dense, y) })
		})
	}
	return perceptron.SparseModel{Model: m, Width: features}.Learn(func(yield func(perceptron.Sparse, int) bool) {
		rows(func(x row, y int) bool { return yield(x.sparse, y) })
	})
}

// numbers returns the form of a trained model, as Split returns it, and its numbers. The numbers of
// the bias are last.
func numbers(m perceptron.Model) (form json.RawMessage, v []float64, err error) {
	form, vectors, err := perceptron.Split(m)
	switch {
	case err != nil:
		return nil, nil, err
	case len(vectors) == 1:
		return form, vectors[0], nil
	}
	for j, w := range vectors[1] {
		v = append(v, w, vectors[2][j], vectors[3][j])
	}
	return form, v, nil
}

// mixed returns the weighted mean of models, which are all Online or all Margin.
func mixed(models []perceptron.Learner, weights []float64) (perceptron.Model, error) {
	if _, online := models[0].(*perceptron.Online); online {
		return mixedAs[*perceptron.Online](models, weights)
	}
	return mixedAs[*perceptron.Margin](models, weights)
}

func mixedAs[M *perceptron.Online | *perceptron.Margin](models []perceptron.Learner, weights []float64) (perceptron.Model, error) {
	all := make([]M, len(models))
	for i, m := range models {
		all[i] = any(m).(M)
	}
	mean, err := perceptron.Mix(all, weights)
	if err != nil {
		return nil, err
	}
	return any(mean).(perceptron.Model), nil
}

// model returns the mean model of a state, and its numbers.
func (o origin) model(ctx context.Context, l learner, s State) (perceptron.Learner, []float64, error) {
	v := make([]float64, s.Numbers)
	for b, name := range s.Blocks {
		if err := o.block(ctx, name, blockOf(v, b)); err != nil {
			return nil, nil, err
		}
	}
	m, err := l.model(s.Model, v)
	return m, v, err
}

// predictor returns the model that predicts in a state after a round.
func (o origin) predictor(ctx context.Context, l learner, s State) (perceptron.Model, error) {
	m, _, err := o.model(ctx, l, s)
	if err != nil {
		return nil, err
	}
	return mixed([]perceptron.Learner{m}, nil) // of one model: makes Average compute its mean
}

// hyperplane returns the hyperplane that predicts in a state.
func (o origin) hyperplane(ctx context.Context, l learner, s State) (h perceptron.Hyperplane, err error) {
	if s.Model == nil {
		return h, nil
	}
	m, err := o.predictor(ctx, l, s)
	if err != nil {
		return h, err
	}
	return m.(perceptron.Binary).Hyperplane(), nil
}
