package modelfile

import (
	"errors"
	"math"
	"sync"

	"perceptron/cmd/perceptron/internal/table"
)

// ErrBent reports that a model with waves has no hyperplane of raw rows.
var ErrBent = errors.New("the model has waves (train --waves): its borders bend, and its weights do not belong to columns; --waves 0 trains one with straight borders")

// Bent reports whether rows are mapped by Waves after scaling.
func (d *Details) Bent() bool { return d.Waves.Count > 0 }

// row appends to dst the scaled row and, with waves, the row that is mapped then. It returns the last of them, and
// all. These are the steps of a Classifier, so that both compute the same bits.
func (d *Details) row(dst, x []float64) (row, all []float64, err error) {
	z, err := d.Scaling.Apply(dst, x)
	if err != nil || !d.Bent() {
		return z, z, err
	}
	r := d.Scaling.Range
	if len(r[0]) == 0 {
		all, err = d.Waves.Apply(z, z)
		return all[len(z):], all, err
	}
	inside := make([]float64, len(x)) // what the waves see: each feature within the range of the training rows
	for j, v := range x {
		inside[j] = min(max(v, r[0][j]), r[1][j])
	}
	if inside, err = d.Scaling.Apply(inside[:0], inside); err == nil {
		all, err = d.Waves.Apply(z, inside)
	}
	if err != nil {
		return z, z, err
	}
	row = all[len(z):]
	for j, v := range z {
		row[j] = v / math.Sqrt(float64(len(z)))
	}
	return row, all, nil
}

// memory is for the rows of Predictors.
var memory = sync.Pool{New: func() any { return new([]float64) }}

// mapped calls f with the row that Planes take: the row itself, or with waves the mapped row. It first fills in
// the missing features of x.
func (p *Predictor) mapped(x table.Vector, f func(x table.Vector) error) error {
	table.Fill(x, p.Fill)
	if !p.Bent() {
		return f(x)
	}
	m := memory.Get().(*[]float64)
	defer memory.Put(m)
	row, all, err := p.row((*m)[:0], x.Value)
	if *m = all; err != nil {
		return err
	}
	return f(table.Vector{Value: row})
}
