package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"perceptron/cmd/perceptron/pipeline"
	figures "perceptron/cmd/perceptron/pipeline/report"
	"perceptron/internal/atomicfile"
)

// curvesHead is the first line of the file of --curves. The program recognises its own files by
// it.
const curvesHead = "epoch,rows,updates,loss,held-out error\n"

// writeCurves writes one line for each epoch.
func writeCurves(path string, history []figures.Epoch) error {
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

// watch returns a reader that advances a bar as r is read. If the size is not known or the purpose
// is empty, it returns r and starts no bar.
func (b bars) watch(r io.Reader, size int64, purpose string) io.Reader {
	if size == 0 || purpose == "" {
		return r
	}
	return b.add(purpose, size, decor.CountersKibiByte(" % .1f of % .1f ")).ProxyReader(r)
}

// follow returns a function that shows the progress of a training or evaluation, with a bar for each stage.
// After Ctrl-C, the bar of a training says that it stops after this epoch.
func (b bars) follow(ctx context.Context) func(pipeline.Progress) {
	var text atomic.Value // atomic, because another goroutine draws the bar
	running := map[string]*mpb.Bar{}
	return func(p pipeline.Progress) {
		bar := running[p.Stage]
		switch {
		case p.Ended:
			if bar != nil {
				bar.Abort(true)
			}
			delete(running, p.Stage)
			return
		case p.Stage == "training":
			text.Store(fmt.Sprintf(" epoch %d: %d updates, loss %s ", p.Epoch.N, p.Epoch.Updates, loss(p.Epoch.Loss)))
			if p.Done == 0 {
				text.Store(" ")
			}
		}
		if bar == nil {
			state := decor.CountersKibiByte(" % .1f of % .1f ")
			if p.Stage == "training" {
				state = decor.Any(func(decor.Statistics) string {
					if ctx.Err() != nil {
						return " stopping after this epoch "
					}
					return text.Load().(string)
				})
			} else if strings.HasSuffix(p.Stage, "folds") {
				state = decor.CountersNoUnit(" %d of %d ")
			}
			bar = b.add(p.Stage, p.Total, state)
			running[p.Stage] = bar
		}
		bar.SetCurrent(p.Done)
	}
}

// loss returns a loss as the bar shows it. One that overflowed is nil.
func loss(v *float64) string {
	if v == nil {
		return "+Inf"
	}
	return fmt.Sprintf("%.4g", *v)
}
