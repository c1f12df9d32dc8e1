package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"perceptron"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/internal/atomicfile"
)

// An epoch is one pass of a training.
type epoch struct {
	N       int      `json:"epoch"`
	Rows    int      `json:"rows"`
	Updates int      `json:"updates"`
	Loss    *float64 `json:"loss"`                   // nil if it overflowed
	HeldOut *float64 `json:"heldOutError,omitempty"` // share of the rows held out that were then predicted wrong
	stop    perceptron.Stop
	best    bool // no other epoch was better on the rows held out
}

// fitting says how to fit a model.
type fitting struct {
	epochs     int
	patience   int               // 0 means that all epochs are made
	watched    bool              // heldOut is measured after each epoch
	checkpoint func(n int) error // called after n epochs; nil for none
}

// fit trains until the epochs end, the patience ends, or ctx ends and the current epoch
// is finished. With patience, the model of the best epoch is kept.
func (d *dataset) fit(ctx context.Context, f fitting, b *bars) (history []epoch, err error) {
	bar := b.train(ctx, f.epochs, d.rows[split.Training], settingsOf(d.Model).mistakes)
	defer bar.end()
	watch := d.src.Watch
	d.src.Watch = nil // show only the training's bar
	defer func() { d.src.Watch = watch }()
	model := d.Model // that is trained; d.Model may be an earlier state
	best := 0
	for e, err := range d.train(model, f.epochs, bar.tick) {
		if err != nil {
			return nil, err
		}
		bar.show(e)
		now := epoch{N: e.N, Rows: e.Examples, Updates: e.Mistakes, Loss: number(e.Loss), stop: e.Stop}
		if (f.watched || f.patience > 0) && d.rows[split.HeldOut] > 0 {
			wrong, err := d.wrong(model)
			if err != nil {
				return nil, err
			}
			now.HeldOut = &wrong
		}
		history = append(history, now)
		if f.patience > 0 && (len(history) == 1 || *now.HeldOut < *history[best].HeldOut) {
			best = len(history) - 1
			d.Model = settingsOf(model).clone()
		}
		if f.checkpoint != nil {
			if err := f.checkpoint(len(history)); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil || f.patience > 0 && len(history)-1-best >= f.patience {
			break
		}
	}
	history[best].best = f.patience > 0
	return history, nil
}

// wrong returns the share of the rows held out that the model predicts wrong.
func (d *dataset) wrong(m perceptron.Model) (float64, error) {
	wrong, n := 0, 0
	var failed error
	err := d.pass(func(p split.Part, x []float64, label int) bool {
		if p == split.HeldOut {
			var predicted int
			predicted, failed = m.Predict(x)
			if n++; predicted != label {
				wrong++
			}
		}
		return failed == nil
	})
	return float64(wrong) / float64(n), errors.Join(err, failed)
}

// train trains for at most limit further epochs and yields each result. It calls tick
// with the number of rows learned since the last call.
func (d *dataset) train(m perceptron.Model, limit int, tick func(rows int)) iter.Seq2[perceptron.Epoch, error] {
	*settingsOf(m).epochs = limit
	if d.X[split.Training] == nil {
		return d.passes(m.(streaming), limit, tick)
	}
	return func(yield func(perceptron.Epoch, error) bool) {
		for e, err := range m.(inMemory).Epochs(d.X[split.Training], d.y[split.Training]) {
			if err != nil {
				err = fmt.Errorf("%s: %w", d.src.Name, err)
			}
			tick(e.Examples)
			if !yield(e, err) {
				return
			}
		}
	}
}

// inMemory is a model that trains on rows in memory.
type inMemory interface {
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
}

// streaming is a model that learns from rows as they are read.
type streaming interface {
	Learn(examples iter.Seq2[[]float64, int]) (perceptron.Epoch, error)
}

// passes trains like train, but reads the file again for each epoch.
func (d *dataset) passes(m streaming, limit int, tick func(rows int)) iter.Seq2[perceptron.Epoch, error] {
	return func(yield func(perceptron.Epoch, error) bool) {
		for n := 1; ; n++ {
			var failed error
			e, err := m.Learn(func(yield func([]float64, int) bool) {
				failed = d.pass(func(p split.Part, x []float64, label int) bool {
					if p != split.Training {
						return true
					}
					tick(1)
					return yield(x, label)
				})
			})
			if err != nil {
				err = fmt.Errorf("%s: %w", d.src.Name, err)
			}
			if err := errors.Join(failed, err); err != nil {
				yield(perceptron.Epoch{}, err)
				return
			}
			switch {
			case e.Mistakes == 0:
				e.Stop = perceptron.Converged
			case n == limit:
				e.Stop = perceptron.EpochLimit
			}
			if !yield(e, nil) || e.Stop != perceptron.Running {
				return
			}
		}
	}
}

// curvesHead is the first line of the file of --curves.
const curvesHead = "epoch,rows,updates,loss,held-out error\n"

// writeCurves writes one line for each epoch.
func writeCurves(path string, history []epoch) error {
	var text bytes.Buffer
	text.WriteString(curvesHead)
	for _, e := range history {
		fmt.Fprintf(&text, "%d,%d,%d,%s,%s\n", e.N, e.Rows, e.Updates, field(e.Loss), field(e.HeldOut))
	}
	return atomicfile.Write(path, text.Bytes(), ".perceptron-*.tmp")
}

// field returns a number as text, and nothing for nil.
func field(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}
