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
// what the last figures hide: whether more epochs would have helped, or fewer.
type training struct {
	// FirstEpoch is more than 1 if the model was loaded: it counts all epochs of the model.
	FirstEpoch int `json:"firstEpoch"`
	Epochs     int `json:"epochs"`

	// BestEpoch is the epoch whose model is kept, with --patience.
	BestEpoch int `json:"bestEpoch,omitempty"`

	// Stop is Converged, Cycled, EpochLimit, Patience or Interrupted.
	Stop string `json:"stop"`

	// Updates counts changes of the weights, and LastUpdates those in the last epoch.
	Updates     int `json:"updates"`
	LastUpdates int `json:"lastUpdates"`

	// ProgressiveError is the share of the rows of the last epoch that were predicted
	// wrong just before they were learned. Each row is predicted by the weights in
	// training, also if another iterate predicts later, and a score of 0 counts as wrong.
	//
	// It is null for margin and onevsrest. The library counts updates, and there they are
	// another number: margin also updates on rows that are predicted right, and onevsrest
	// once for each class. The program cannot predict these rows itself, because a model
	// shows none of its states within an epoch.
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

// LastEpoch returns the number of the model's last epoch.
func (t *training) LastEpoch() int { return t.FirstEpoch + t.Epochs - 1 }

// add adds an epoch and returns it. If mistakes is true, an update is a wrong prediction.
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

// fit trains until the epochs end, the patience ends, or ctx ends and the current epoch
// is finished, as the flags of c say. With patience, the model of the best epoch is kept.
// After errInterrupted, all is as after a shorter training.
func (d *dataset) fit(ctx context.Context, c *trainCmd, b *bars) (t training, err error) {
	// now.Model is trained. d.Model is the model to save: with --patience the best so far, else the
	// same. now has a File of its own, so that d.Model can differ. Both share the rows.
	now, file, s, least := *d, *d.File, settingsOf(d.Model), math.Inf(1)
	now.File = &file
	bar, show := b.train(ctx, c.Epochs)
	defer bar.Abort(true)
	defer func(begin time.Time) { t.Seconds = time.Since(begin).Seconds() }(time.Now())
	*s.epochs = c.Epochs
	// A model that is continued is at first the best one. So a training that is interrupted and
	// continued ends with the same model as an uninterrupted one.
	if c.Patience > 0 && c.Model != "" {
		share, err := now.wrong()
		if err != nil {
			return t, err
		}
		least, d.Model = *share, modelfile.Clone(now.Model)
	}
	// Predicting the rows held out takes time, so it is only done for those who read it.
	measured := (c.Patience > 0 || c.Curves != "" || c.JSON) && d.rows[split.HeldOut] > 0
	for e, err := range now.epochs(c.Epochs) {
		if err != nil {
			return t, err
		}
		last := t.add(e, s.mistakes)
		show(e)
		if measured {
			if last.HeldOut, err = now.wrong(); err != nil {
				return t, err
			}
		}
		if c.Patience > 0 {
			t.BestEpoch = cmp.Or(t.BestEpoch, e.N-1) // of a model that is continued
		}
		// Only a lower error is better: of equal epochs, the first has trained least.
		if c.Patience > 0 && *last.HeldOut < least {
			least, t.BestEpoch, d.Model = *last.HeldOut, e.N, modelfile.Clone(now.Model)
		}
		if c.Checkpoint > 0 && t.Epochs%c.Checkpoint == 0 {
			if err := d.Write(c.Output); err != nil {
				return t, err
			}
		}
		// A training that ends by itself in this epoch was not interrupted.
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

// wrong returns the share of the rows held out that the model predicts wrong. It predicts
// with the model itself and not with a Predictor, because the rows are scaled already.
func (d *dataset) wrong() (*float64, error) {
	var failed error
	wrong := 0
	for x, label := range d.examples(split.HeldOut, &failed) {
		predicted, err := d.predict(x)
		if err != nil {
			return nil, err
		}
		if predicted != label {
			wrong++
		}
	}
	return number(float64(wrong) / float64(d.rows[split.HeldOut])), failed
}

// epochs trains for at most limit further epochs and yields each result. Without rows in
// memory, it reads them from a file in each epoch. An epoch without an update means that
// the weights predict every row right, so both ways end with the same Stop.
//
// The library trains the same model on both forms of rows, to the same bits. What a row costs is
// its features in the dense form, and its non-zeros in the sparse one.
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

// curvesHead is the first line of the file of --curves, by which the program knows its own
// files.
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
// terminal, it prints nothing, so that a log has no bars.
type bars struct{ *mpb.Progress }

// add starts a bar, with a state and the time that is left.
func (b bars) add(name string, total int64, state decor.Decorator) *mpb.Bar {
	return b.AddBar(total, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(state, decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left at most")))
}

// count starts a bar of a number of trainings.
func (b bars) count(name string, total int) *mpb.Bar {
	return b.add(name, int64(total), decor.CountersNoUnit(" %d of %d "))
}

// watch returns a reader that advances a bar. A file without a known size gets no bar,
// and neither does a pass without a purpose.
func (b bars) watch(r io.Reader, size int64, purpose string) io.Reader {
	if size == 0 || purpose == "" {
		return r
	}
	return b.add(purpose, size, decor.CountersKibiByte(" % .1f of % .1f ")).ProxyReader(r)
}

// train starts a bar of the most epochs that the training may need. The function that it
// returns advances the bar. After Ctrl-C, the bar says that the epoch is still finished.
func (b bars) train(ctx context.Context, epochs int) (bar *mpb.Bar, show func(perceptron.Epoch)) {
	var text atomic.Value // because another goroutine draws
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
