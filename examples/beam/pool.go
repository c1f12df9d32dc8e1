package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// closing returns a context for a last step, such as cleaning up, which may run after the end of
// ctx. It has a short timeout, so that a storage that does not answer cannot delay the end of the
// program.
func closing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.WithoutCancel(ctx), 2*time.Second, errors.New("no answer within 2 seconds"))
}

// runWatched builds and runs a pipeline and listens to its workers. It cancels the job if the context
// ends, or if the workers make no progress for some time, because a runner may wait forever.
func (c *config) runWatched(ctx context.Context, l *listener, build func(beam.Scope)) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	l.origin = c.origin
	p, scope := beam.NewPipelineWithRoot()
	build(scope)
	if err := c.flink.free(ctx, *jobopts.Parallelism, 20*time.Second); err != nil {
		return err
	}
	*jobopts.JobName = "perceptron" + strings.ToLower(c.origin.ID) // Flink's names have letters and digits only
	ended := make(chan error, 1)
	go func() { ended <- beamx.Run(context.WithoutCancel(ctx), p) }() // not ctx: the job must be able to end after ctx
	err := l.wait(ctx, ended, c.stall)
	last, cancel := closing(ctx)
	defer cancel()
	cause := ""
	if err != nil && ctx.Err() == nil {
		cause = c.flink.cause(last, *jobopts.JobName)
	}
	if err != nil {
		c.flink.cancel(last, *jobopts.JobName)
	}
	_, failed := l.progress(last) // the last report may not have been read
	err = cmp.Or(err, failed)
	if cause = cmp.Or(l.origin.heard(last), cause); err != nil && cause != "" {
		err = fmt.Errorf("%s\n%w", cause, err)
	}
	return advise(err)
}

// wait waits for the end of the job, or for a reason to cancel it.
func (l *listener) wait(ctx context.Context, ended <-chan error, stall time.Duration) (err error) {
	tick := time.NewTimer(0)
	for moved := time.Now(); err == nil; {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			err = stopped(ctx)
		case <-tick.C:
			var news bool
			began := time.Now()
			switch news, err = l.progress(ctx); {
			case ctx.Err() != nil:
				err = nil // the next iteration returns the reason
			case news:
				moved = time.Now()
			case err == nil && time.Since(moved) > stall:
				err = fmt.Errorf("no progress for %v (-stall): a worker, a server or the network between them does not answer", stall)
				if errors.Is(l.problem, errSlow) {
					err = fmt.Errorf("%w; %w", err, l.problem)
				}
			}
			tick.Reset(max(min(stall/8, time.Second), 10*time.Since(began))) // reading a large report may be slow
		}
	}
	l.canceled = true
	last, cancel := closing(ctx)
	defer cancel()
	if failed := l.origin.lease(last, canceled); failed != nil {
		return errors.Join(err, failed)
	}
	select {
	case <-ended:
	case <-time.After(l.origin.Beat + 5*time.Second):
	}
	return err
}
