package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"perceptron"
)

// bars shows the progress of the program on a terminal. If the output is not a
// terminal, it prints nothing.
type bars struct{ container *mpb.Progress }

func newBars(w io.Writer) *bars {
	return &bars{mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))}
}

// close ends all bars and their goroutines.
func (b *bars) close() { b.container.Shutdown() }

// reading returns a reader of the file that advances a bar. A file without a known
// size gets no bar.
func (b *bars) reading(f *os.File) io.Reader {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return f
	}
	bar := b.container.AddBar(info.Size(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name("reading ")),
		mpb.AppendDecorators(decor.CountersKibiByte("% .1f of % .1f "), left(), decor.Name(" left")))
	return bar.ProxyReader(f)
}

// unseen reads a file without a bar.
func unseen(f *os.File) io.Reader { return f }

// left shows the estimated time that is left.
func left() decor.Decorator {
	return decor.AverageETA(decor.ET_STYLE_GO)
}

// A trainingBar counts the rows of all epochs.
type trainingBar struct {
	bar     *mpb.Bar
	pending int                              // rows not yet added to bar
	last    atomic.Pointer[perceptron.Epoch] // read by the goroutine that draws
}

// train starts a bar for the maximum number of epochs. Training may end earlier.
func (b *bars) train(ctx context.Context, epochs, rows int) *trainingBar {
	t := new(trainingBar)
	t.last.Store(new(perceptron.Epoch))
	tell := func(decor.Statistics) string {
		e := t.last.Load()
		switch {
		case ctx.Err() != nil:
			return " stopping after this epoch "
		case e.N == 0:
			return ""
		}
		return fmt.Sprintf(" epoch %d: %d mistakes, loss %.4g ", e.N, e.Mistakes, e.Loss)
	}
	t.bar = b.container.AddBar(int64(epochs)*int64(rows), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name("training ")), mpb.AppendDecorators(decor.Any(tell), left(), decor.Name(" left at most")))
	return t
}

// tick counts rows learned. It updates the bar only after some thousands of rows,
// because updating it for each row would be slow.
func (t *trainingBar) tick(rows int) {
	const some = 4096
	if t.pending += rows; t.pending >= some {
		t.bar.IncrBy(t.pending)
		t.pending = 0
	}
}

// show displays the results of an epoch.
func (t *trainingBar) show(e perceptron.Epoch) {
	t.bar.IncrBy(t.pending)
	t.pending = 0
	t.last.Store(&e)
}

// end removes the bar.
func (t *trainingBar) end() { t.bar.Abort(true) }
