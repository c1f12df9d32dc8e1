package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"perceptron"
)

// A learner says how shards train: as an Online with a value of Keep.
type learner struct {
	Keep string `json:"keep"`
}

// The values of -keep.
var keeps = []string{perceptron.Last: "last", perceptron.Average: "average"}

// untrained returns a new model.
func (l learner) untrained() *perceptron.Online {
	return &perceptron.Online{Keep: perceptron.Keep(slices.Index(keeps, l.Keep))}
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
func (l learner) model(form json.RawMessage, v []float64) (*perceptron.Online, error) {
	m := l.untrained()
	if form == nil {
		return m, nil
	}
	fields, _, err := perceptron.Split(m)
	if err != nil || !bytes.HasPrefix(form, bytes.TrimSuffix(fields, []byte("}"))) {
		return nil, errors.Join(err, errors.New("the model does not have the fields of -keep"))
	}
	vectors := [][]float64{v}
	if l.vectors() == 3 {
		vectors = means(v, countOf(form))
	}
	joined, err := perceptron.Join(form, vectors)
	if err != nil {
		return nil, err
	}
	return joined.(*perceptron.Online), nil // of m's type, because it has m's fields
}

// countOf returns the count of examples in the form of an average.
func countOf(form json.RawMessage) float64 {
	var s struct {
		Learned struct{ Count []float64 }
	}
	if json.Unmarshal(form, &s) != nil || len(s.Learned.Count) != 1 {
		return 1 // no NaN: Join has the error
	}
	return s.Learned.Count[0]
}

// means returns the four vectors of an average after n examples, as Split returns them. The first is
// the mean. v has the numbers of the other three: for each feature, one number of each vector. Join
// accepts a mean that differs by rounding alone. Training and Mix read only the other vectors, and
// compute the mean again.
func means(v []float64, n float64) [][]float64 {
	d := len(v) / 3
	all := make([]float64, 4*d)
	mean, w, u, rest := all[:d:d], all[d:2*d:2*d], all[2*d:3*d:3*d], all[3*d:]
	for j := range d {
		w[j], u[j], rest[j] = v[3*j], v[3*j+1], v[3*j+2]
		mean[j] = w[j] - (u[j]+rest[j])/n
	}
	return [][]float64{mean, w, u, rest}
}

// numbers returns the form of a trained model, as Split returns it, and its numbers. The numbers of
// the bias are last.
func numbers(m *perceptron.Online) (form json.RawMessage, v []float64, err error) {
	form, vectors, err := perceptron.Split(m)
	switch {
	case err != nil:
		return nil, nil, err
	case len(vectors) == 1:
		return form, vectors[0], nil
	}
	v = make([]float64, 0, 3*len(vectors[1]))
	for j, w := range vectors[1] {
		v = append(v, w, vectors[2][j], vectors[3][j])
	}
	return form, v, nil
}

// numbers returns the numbers of the mean of a state.
func (o origin) numbers(ctx context.Context, s State) ([]float64, error) {
	v := make([]float64, s.Numbers)
	for b, name := range s.Blocks {
		if err := o.block(ctx, name, blockOf(v, b)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// predictor returns the model that predicts in a state after a round.
func (o origin) predictor(ctx context.Context, l learner, s State) (*perceptron.Online, error) {
	v, err := o.numbers(ctx, s)
	if err != nil {
		return nil, err
	}
	m, err := l.model(s.Model, v)
	if err != nil {
		return nil, err
	}
	return perceptron.Mix([]*perceptron.Online{m}, nil) // makes Average compute its mean
}
