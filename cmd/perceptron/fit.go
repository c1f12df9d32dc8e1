package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/internal/atomicfile"
)

// A training describes the epochs of a training so far. Its JSON names are stable. The curve shows
// whether more or fewer epochs would have been better. The figures of the last epoch do not.
type training struct {
	// FirstEpoch is more than 1 if the training of a model was continued: epochs are numbered from
	// the model's first training.
	FirstEpoch int `json:"firstEpoch"`
	Epochs     int `json:"epochs"`

	// BestEpoch is the epoch whose model --patience keeps. It is 0 without --patience.
	BestEpoch int `json:"bestEpoch,omitempty"`

	// Stop is Converged, Cycled, EpochLimit, Patience or Interrupted.
	Stop string `json:"stop"`

	// Updates counts the updates of all epochs, and LastUpdates those of the last epoch. For batch
	// both count misclassified rows. For onevsrest they are sums over the classes.
	Updates     int `json:"updates"`
	LastUpdates int `json:"lastUpdates"`

	// ProgressiveError is the share of the rows of the last epoch that were predicted wrong just
	// before they were learned. The weights in training predict each row, even if --keep selects
	// other weights for predictions. A score of 0 counts as wrong.
	//
	// It is null for margin and onevsrest, because the library counts only updates. margin also
	// updates on rows that are predicted right, and onevsrest may update several classes on a row.
	// The program cannot count the wrong predictions itself, because the library does not show the
	// weights within an epoch.
	ProgressiveError *float64 `json:"progressiveError"`

	// LastLoss is the loss of the last epoch. It is null if it overflowed.
	LastLoss *float64 `json:"lastLoss"`
	Seconds  float64  `json:"seconds"`
	Curve    []epoch  `json:"curve"`
}

// An epoch is one pass of a training.
type epoch struct {
	N       int      `json:"epoch"`
	Rows    int      `json:"rows"`
	Updates int      `json:"updates"`
	Loss    *float64 `json:"loss"`

	// HeldOut is the share of the rows held out that were predicted wrong after the epoch.
	HeldOut *float64 `json:"heldOutError,omitempty"`
}

// LastEpoch returns the number of the last epoch, counted from the model's first training.
func (t *training) LastEpoch() int { return t.FirstEpoch + t.Epochs - 1 }

// add adds an epoch and returns it. If mistakes is true, each update counts as a wrong prediction.
func (t *training) add(e perceptron.Epoch, mistakes bool) *epoch {
	t.Stop, t.LastLoss = e.Stop.String(), number(e.Loss)
	t.LastUpdates, t.Updates = e.Mistakes, t.Updates+e.Mistakes
	if mistakes {
		t.ProgressiveError = number(float64(e.Mistakes) / float64(e.Examples))
	}
	t.Curve = append(t.Curve, epoch{N: e.N, Rows: e.Examples, Updates: e.Mistakes, Loss: t.LastLoss})
	t.FirstEpoch, t.Epochs = t.Curve[0].N, len(t.Curve)
	return &t.Curve[t.Epochs-1]
}

// fit trains until the library stops, --patience ends the training, or ctx is done and the current
// epoch is finished. With --patience, d.Model is then the model of the best epoch. If fit returns
// errInterrupted, d and t are as after a training of fewer epochs.
func (d *dataset) fit(ctx context.Context, c *trainCmd, b *bars) (t training, err error) {
	// now.Model is trained. d.Model is the model to save: with --patience the best model so far, else
	// now.Model. now has its own File, so that the two models can differ. now and d share the rows.
	now, file, s, least := *d, *d.File, settingsOf(d.Model), math.Inf(1)
	now.File = &file
	bar, show := b.train(ctx, c.Epochs)
	defer bar.Abort(true)
	defer func(begin time.Time) { t.Seconds = time.Since(begin).Seconds() }(time.Now())
	*s.epochs = c.Epochs
	// A continued training begins with the saved model as its best. So if patience ends it, a
	// training that was interrupted and continued gives the same model as an uninterrupted one.
	if c.Patience > 0 && c.Model != "" {
		share, err := now.wrong()
		if err != nil {
			return t, err
		}
		least, d.Model = *share, modelfile.Clone(now.Model)
	}
	// Predicting the rows held out takes time, so this is done only if a flag needs their error.
	measured := (c.Patience > 0 || c.Curves != "" || c.JSON) && d.rows[split.HeldOut] > 0
	for e, err := range now.epochs(c.Epochs) {
		if err != nil {
			return t, now.blame(err, split.Training)
		}
		last := t.add(e, s.mistakes)
		show(e)
		if measured {
			if last.HeldOut, err = now.wrong(); err != nil {
				return t, err
			}
		}
		if c.Patience > 0 {
			t.BestEpoch = cmp.Or(t.BestEpoch, e.N-1) // at first the last epoch of the saved model
		}
		// Of epochs with equal errors, the first is best, because it needs the least training.
		if c.Patience > 0 && *last.HeldOut < least {
			least, t.BestEpoch, d.Model = *last.HeldOut, e.N, modelfile.Clone(now.Model)
		}
		if c.Checkpoint > 0 && t.Epochs%c.Checkpoint == 0 {
			if err := d.Write(c.Output); err != nil {
				return t, err
			}
		}
		// A training that the library ends in this epoch does not count as interrupted.
		if e.Stop == perceptron.Running && ctx.Err() != nil {
			t.Stop = "Interrupted"
			return t, errInterrupted
		}
		if e.Stop == perceptron.Running && c.Patience > 0 && e.N-t.BestEpoch >= c.Patience {
			t.Stop = "Patience"
			break
		}
	}
	return t, nil
}

// wrong returns the share of the rows held out that the model predicts wrong. It uses the model
// and not a Predictor, because the rows are scaled already.
func (d *dataset) wrong() (*float64, error) {
	var failed error
	wrong, rows := 0, 0
	for x, label := range d.examples(split.HeldOut, &failed) {
		predicted, err := d.predict(x)
		if err != nil {
			return nil, d.blame(&perceptron.ExampleError{Index: rows, Err: err}, split.HeldOut)
		}
		rows++
		if predicted != label {
			wrong++
		}
	}
	return number(float64(wrong) / float64(d.rows[split.HeldOut])), failed
}

// epochs trains for at most limit further epochs and yields each result. If the rows are not in
// memory, it reads them from a file in each epoch. It then stops after an epoch without an update,
// as the library does, but never with Cycled.
//
// The time for a dense row depends on the number of features, and the time for a sparse row on the number
// of its non-zeros. The last bits of the two models may differ, because their sums have other orders.
func (d *dataset) epochs(limit int) iter.Seq2[perceptron.Epoch, error] {
	switch {
	case d.loaded && d.Schema.Sparse:
		return d.Sparse().Epochs(d.sparse[split.Training], d.y[split.Training])
	case d.loaded:
		return d.Model.(interface { // all models are
			Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
		}).Epochs(d.X[split.Training], d.y[split.Training])
	}
	// prepare has refused the models that cannot learn from a stream.
	return func(yield func(perceptron.Epoch, error) bool) {
		for n := 1; ; n++ {
			var failed error
			e, err := d.learn(d.examples(split.Training, &failed))
			switch {
			case failed != nil:
				err = failed
			case e.Mistakes == 0:
				e.Stop = perceptron.Converged
			case n == limit:
				e.Stop = perceptron.EpochLimit
			}
			if !yield(e, err) || err != nil || e.Stop != perceptron.Running {
				return
			}
		}
	}
}

// learn makes one pass over a stream.
func (d *dataset) learn(rows iter.Seq2[perceptron.Sparse, int]) (perceptron.Epoch, error) {
	if d.Schema.Sparse {
		return d.Sparse().Learn(rows)
	}
	return d.Model.(perceptron.Learner).Learn(func(yield func(x []float64, label int) bool) {
		rows(func(x perceptron.Sparse, label int) bool { return yield(x.Value, label) })
	})
}

// predict predicts a scaled row.
func (d *dataset) predict(x perceptron.Sparse) (int, error) {
	if d.Schema.Sparse {
		return d.Sparse().Predict(x)
	}
	return d.Model.Predict(x.Value)
}

// curvesHead is the first line of the file of --curves. The program recognises its own files by
// it.
const curvesHead = "epoch,rows,updates,loss,held-out error\n"

// writeCurves writes one line for each epoch.
func writeCurves(path string, history []epoch) error {
	text := bytes.NewBufferString(curvesHead)
	if err := layouts().ExecuteTemplate(text, "curves", history); err != nil {
		return err
	}
	return atomicfile.Write(path, text.Bytes(), ".perceptron-*.tmp")
}

// bars shows the progress of the program on a terminal. If the output is not a
// terminal, bars prints nothing, so that a log has no bars.
type bars struct{ *mpb.Progress }

// add starts a bar that shows the state and an estimate of the remaining time.
func (b bars) add(name string, total int64, state decor.Decorator) *mpb.Bar {
	return b.AddBar(total, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(state, decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left at most")))
}

// count starts a bar that counts finished trainings up to total.
func (b bars) count(name string, total int) *mpb.Bar {
	return b.add(name, int64(total), decor.CountersNoUnit(" %d of %d "))
}

// watch returns a reader that advances a bar as r is read. If the size is not known or the purpose
// is empty, it returns r and starts no bar.
func (b bars) watch(r io.Reader, size int64, purpose string) io.Reader {
	if size == 0 || purpose == "" {
		return r
	}
	return b.add(purpose, size, decor.CountersKibiByte(" % .1f of % .1f ")).ProxyReader(r)
}

// train starts a bar for at most the given number of epochs. The function show advances the bar.
// After Ctrl-C, the bar says that training stops after this epoch.
func (b bars) train(ctx context.Context, epochs int) (bar *mpb.Bar, show func(perceptron.Epoch)) {
	var text atomic.Value // atomic, because another goroutine draws the bar
	text.Store(" ")
	bar = b.add("training", int64(epochs), decor.Any(func(decor.Statistics) string {
		if ctx.Err() != nil {
			return " stopping after this epoch "
		}
		return text.Load().(string)
	}))
	return bar, func(e perceptron.Epoch) {
		text.Store(fmt.Sprintf(" epoch %d: %d updates, loss %.4g ", e.N, e.Mistakes, e.Loss))
		bar.Increment()
	}
}
