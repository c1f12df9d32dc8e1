package main

import (
	"context"
	"fmt"
	"io"
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

// watch returns a reader that advances a bar. A file without a known size gets no bar,
// and neither does a pass without a purpose.
func (b *bars) watch(r io.Reader, size int64, purpose string) io.Reader {
	if size == 0 || purpose == "" {
		return r
	}
	bar := b.container.AddBar(size, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(purpose+" ")),
		mpb.AppendDecorators(decor.CountersKibiByte("% .1f of % .1f "), remaining(" left")))
	return bar.ProxyReader(r)
}

// remaining estimates the time that is left. It shows nothing before there is progress
// to estimate from.
func remaining(after string) decor.Decorator {
	estimate := decor.AverageETA(decor.ET_STYLE_GO)
	return decor.Any(func(s decor.Statistics) string {
		if s.Current == 0 {
			return ""
		}
		text, _ := estimate.Decor(s)
		return text + after
	})
}

// A trainingBar counts the rows of all epochs.
type trainingBar struct {
	bar     *mpb.Bar
	pending int                              // rows not yet added to bar
	last    atomic.Pointer[perceptron.Epoch] // read by the goroutine that draws
}

// train starts a bar for the maximum number of epochs. Training may end earlier. If
// mistakes is true, each update is a wrong prediction.
func (b *bars) train(ctx context.Context, epochs, rows int, mistakes bool) *trainingBar {
	t := new(trainingBar)
	t.last.Store(new(perceptron.Epoch))
	state := func(decor.Statistics) string {
		e := t.last.Load()
		switch {
		case ctx.Err() != nil:
			return " stopping after this epoch "
		case e.N == 0:
			return ""
		case mistakes:
			return fmt.Sprintf(" epoch %d: progressive error %.4f, loss %.4g ", e.N, float64(e.Mistakes)/float64(e.Examples), e.Loss)
		}
		return fmt.Sprintf(" epoch %d: %d updates, loss %.4g ", e.N, e.Mistakes, e.Loss)
	}
	t.bar = b.container.AddBar(int64(epochs)*int64(rows), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name("training ")), mpb.AppendDecorators(decor.Any(state), remaining(" left at most")))
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
