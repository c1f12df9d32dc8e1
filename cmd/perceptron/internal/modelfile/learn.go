package modelfile

import (
	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// Learn learns a raw row of a class, whose missing values it fills in. It overwrites z, and reuses its memory.
// The function Learns must have returned true for the model. On an error, the model stays as it is.
func (f *File) Learn(z *table.Vector, x table.Vector, class int) (updated bool, err error) {
	table.Fill(x, f.Fill)
	if *z, err = f.Scaled(*z, x); err == nil {
		updated, err = f.Update(*z, f.Labels()[class])
	}
	return updated, err
}

// Update learns a scaled row, and counts it as served. The function Learns must have returned true for the model.
func (f *File) Update(x table.Vector, label int) (updated bool, err error) {
	if f.Schema.Sparse {
		updated, err = f.Sparse().Update(perceptron.Sparse(x), label)
	} else {
		updated, err = f.Model.(perceptron.Learner).Update(x.Value, label)
	}
	if err != nil {
		return false, err
	}
	f.Data.Served++
	if w := f.window(); w != nil && *w > 0 && *w < mostWindow && f.Data.Served-f.Data.Since >= 4**w {
		*w = min(2**w, mostWindow)
	}
	return updated, nil
}

// Forget sets the Window of a mean after a training, as a Classifier's Fit does: after twice as many served rows as
// trained the model, the old weights count for about a sixteenth. Update doubles the Window whenever it has seen four
// times as many rows, up to mostWindow: if the data does not change, a longer mean is better.
func (f *File) Forget() {
	f.Data.Since = f.Data.Served
	if w := f.window(); w != nil {
		*w = (f.Data.Rows + 1) / 2
	}
}

// Resume undoes Forget before a server has learned rows: a training that goes on with the same rows then has the
// bits of one without a break.
func (f *File) Resume() {
	if w := f.window(); w != nil {
		*w = 0
	}
}

const mostWindow = 1000

// window returns the Window of the model's mean, or nil if it keeps no mean.
func (f *File) window() *int {
	m := f.Model
	switch many := m.(type) {
	case *perceptron.Multiclass:
		m = many.Binary
	case *perceptron.OneVsRest:
		m = many.Binary
	}
	switch b := m.(type) {
	case *perceptron.Online:
		if b.Keep == perceptron.Average {
			return &b.Window
		}
	case *perceptron.Margin:
		if b.Keep == perceptron.Average {
			return &b.Window
		}
	}
	return nil
}
