package modelfile

import (
	"errors"
	"sync"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// ErrBent reports that a model with waves has no hyperplane of raw rows.
var ErrBent = errors.New("the model has waves (train --waves): its borders bend, and its weights do not belong to columns; --waves 0 trains one with straight borders")

// Bent reports whether rows are mapped by Waves after scaling.
func (d *Details) Bent() bool { return d.Waves.Count > 0 }

// scaled has memory for scaled rows, and for mapped ones.
var scaled = sync.Pool{New: func() any { return new([]float64) }}

// appendMapped appends to dst the row as the model gets it: scaled, and mapped by Waves. These are the steps of
// a Classifier, so that both compute the same bits.
func (d *Details) appendMapped(dst, x []float64) ([]float64, error) {
	memory := scaled.Get().(*[]float64)
	defer scaled.Put(memory)
	z, err := d.Scaling.Apply((*memory)[:0], x)
	if *memory = z; err != nil {
		return dst, err
	}
	return d.Waves.Apply(dst, z)
}

// mapped calls f with the row that Planes take: the row itself, or with waves the mapped row. It first fills in
// the missing features of x.
func (p *Predictor) mapped(x table.Vector, f func(x table.Vector) error) error {
	table.Fill(x, p.Fill)
	if !p.Bent() {
		return f(x)
	}
	memory := scaled.Get().(*[]float64)
	defer scaled.Put(memory)
	row, err := p.appendMapped((*memory)[:0], x.Value)
	if err != nil {
		return err
	}
	*memory = row
	return f(table.Vector{Value: row})
}

// checkWaves returns an error if the waves of a file make no sense.
func (d *Details) checkWaves() error {
	switch _, err := d.Waves.Apply(nil, []float64{0}); {
	case err != nil:
		return err
	case !d.Bent() && d.Waves != perceptron.Waves{}:
		return errors.New("waves without a count")
	case d.Bent() && d.Schema.Sparse:
		return errors.New("waves for sparse rows")
	}
	return nil
}
