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
type bars struct {
	out       io.Writer
	container *mpb.Progress // nil if there is no bar
}

// add starts a bar, with the state and the time that is left after it.
func (b *bars) add(name string, total int64, state func() string) *mpb.Bar {
	if b.container == nil {
		b.container = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(40))
	}
	left := decor.AverageETA(decor.ET_STYLE_GO)
	after := func(s decor.Statistics) string {
		if s.Current == 0 { // there is nothing to estimate from
			return ""
		}
		text, _ := left.Decor(s)
		return state() + text + " left at most"
	}
	return b.container.AddBar(total, mpb.BarRemoveOnComplete(), mpb.PrependDecorators(decor.Name(name+" ")), mpb.AppendDecorators(decor.Any(after)))
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
	return b.add(purpose, size, func() string { return " " }).ProxyReader(r)
}

// train starts a bar of at most so many epochs. The function that it returns advances the
// bar. If mistakes is true, each update is a wrong prediction.
func (b *bars) train(ctx context.Context, epochs int, mistakes bool) (bar *mpb.Bar, show func(perceptron.Epoch)) {
	var last atomic.Pointer[perceptron.Epoch] // because another goroutine draws
	bar = b.add("training", int64(epochs), func() string {
		e := last.Load()
		switch {
		case ctx.Err() != nil:
			return " stopping after this epoch "
		case mistakes:
			return fmt.Sprintf(" epoch %d: progressive error %.4f, loss %.4g ", e.N, float64(e.Mistakes)/float64(e.Examples), e.Loss)
		}
		return fmt.Sprintf(" epoch %d: %d updates, loss %.4g ", e.N, e.Mistakes, e.Loss)
	})
	return bar, func(e perceptron.Epoch) {
		last.Store(&e)
		bar.Increment()
	}
}
