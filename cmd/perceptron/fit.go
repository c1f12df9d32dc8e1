package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
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

// fit trains until the epochs end, the patience ends, or ctx ends and the current epoch
// is finished, as the flags of c say. With patience, the model of the best epoch is kept.
func (d *dataset) fit(ctx context.Context, c *trainCmd, b *bars) (history []epoch, err error) {
	// The model goes on training, while d.Model is the state to save: the best so far if
	// there is a patience, and the same model otherwise.
	model, s := d.Model, settingsOf(d.Model)
	bar, show := b.train(ctx, c.Epochs, s.mistakes)
	defer bar.Abort(true)
	best := 0
	*s.epochs = c.Epochs
	for e, err := range d.epochs(model, c.Epochs) {
		if err != nil {
			return nil, err
		}
		show(e)
		now := epoch{N: e.N, Rows: e.Examples, Updates: e.Mistakes, Loss: number(e.Loss), stop: e.Stop}
		if (c.Patience > 0 || c.Curves != "" || c.JSON) && d.rows[split.HeldOut] > 0 {
			if now.HeldOut, err = d.wrong(model); err != nil {
				return nil, err
			}
		}
		history = append(history, now)
		if c.Patience > 0 && (len(history) == 1 || *now.HeldOut < *history[best].HeldOut) {
			best = len(history) - 1
			d.Model = s.clone()
		}
		if c.Checkpoint > 0 && len(history)%c.Checkpoint == 0 {
			if err := d.Write(c.Output); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil || c.Patience > 0 && len(history)-1-best >= c.Patience {
			break
		}
	}
	history[best].best = c.Patience > 0
	return history, nil
}

// wrong predicts with the model itself and not with a Predictor, because the rows are
// scaled already. It returns the share of the rows held out that the model predicts wrong.
func (d *dataset) wrong(m perceptron.Model) (*float64, error) {
	var failed error
	wrong := 0
	for x, label := range d.examples(split.HeldOut, &failed) {
		predicted, err := m.Predict(x)
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
// memory, it reads the file again for each epoch. An epoch without an update means that
// the weights predict every row right, so both ways end with the same Stop.
func (d *dataset) epochs(m perceptron.Model, limit int) iter.Seq2[perceptron.Epoch, error] {
	if X := d.X[split.Training]; X != nil {
		return m.(inMemory).Epochs(X, d.y[split.Training])
	}
	return func(yield func(perceptron.Epoch, error) bool) {
		for n := 1; ; n++ {
			var failed error
			e, err := m.(streaming).Learn(d.examples(split.Training, &failed))
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

// inMemory is a model that trains on rows in memory.
type inMemory interface {
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
}

// streaming is a model that learns from rows as they are read.
type streaming interface {
	Learn(examples iter.Seq2[[]float64, int]) (perceptron.Epoch, error)
}

// curvesHead is the first line of the file of --curves.
const curvesHead = "epoch,rows,updates,loss,held-out error\n"

// writeCurves writes one line for each epoch.
func writeCurves(path string, history []epoch) error {
	text := bytes.NewBufferString(curvesHead)
	if err := layouts.ExecuteTemplate(text, "curves", history); err != nil {
		return err
	}
	return atomicfile.Write(path, text.Bytes(), ".perceptron-*.tmp")
}

// bars shows the progress of the program on a terminal. If the output is not a
// terminal, it prints nothing.
type bars struct {
	out       io.Writer
	container *mpb.Progress // nil if there is no bar
}

// add starts a bar, with a state and the time that is left.
func (b *bars) add(name string, total int64, state decor.Decorator) *mpb.Bar {
	if b.container == nil {
		b.container = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(40))
	}
	return b.container.AddBar(total, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name(name+" ")),
		mpb.AppendDecorators(state, decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left at most")))
}

// close ends all bars and their goroutines.
func (b *bars) close() {
	if b.container != nil {
		b.container.Shutdown()
		b.container = nil
	}
}

// watch returns a reader that advances a bar. A file without a known size gets no bar,
// and neither does a pass without a purpose.
func (b *bars) watch(r io.Reader, size int64, purpose string) io.Reader {
	if size == 0 || purpose == "" {
		return r
	}
	return b.add(purpose, size, decor.CountersKibiByte(" % .1f of % .1f ")).ProxyReader(r)
}

// train starts a bar of the most epochs that the training may need. The function that it returns advances the
// bar. If mistakes is true, each update is a wrong prediction.
func (b *bars) train(ctx context.Context, epochs int, mistakes bool) (bar *mpb.Bar, show func(perceptron.Epoch)) {
	var last atomic.Pointer[perceptron.Epoch] // because another goroutine draws
	bar = b.add("training", int64(epochs), decor.Any(func(decor.Statistics) string {
		e := last.Load()
		switch {
		case ctx.Err() != nil:
			return " stopping after this epoch "
		case e == nil:
			return " "
		case mistakes:
			return fmt.Sprintf(" epoch %d: progressive error %.4f, loss %.4g ", e.N, float64(e.Mistakes)/float64(e.Examples), e.Loss)
		}
		return fmt.Sprintf(" epoch %d: %d updates, loss %.4g ", e.N, e.Mistakes, e.Loss)
	}))
	return bar, func(e perceptron.Epoch) {
		last.Store(&e)
		bar.Increment()
	}
}
