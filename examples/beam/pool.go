package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// runWatched runs a pipeline and listens to its workers. It cancels the job if they make no
// progress for some time, because a runner may wait forever, or if the context ends.
func runWatched(ctx context.Context, p *beam.Pipeline, stall time.Duration, l *listener) error {
	all := context.WithoutCancel(ctx) // for the job to end after its cancellation
	ended := make(chan error, 1)
	go func() { ended <- beamx.Run(all, p) }()
	err := l.wait(ctx, ended, stall)
	if _, failed := l.progress(all); err == nil { // the last report may be new
		err = failed
	}
	if cause := l.origin.heard(all, errorFile); err != nil && cause != "" {
		err = fmt.Errorf("%s\n%w", cause, err)
	}
	return err
}

// wait waits for the end of the job, or for a reason to cancel it.
func (l *listener) wait(ctx context.Context, ended <-chan error, stall time.Duration) (err error) {
	all := context.WithoutCancel(ctx)
	tick := time.NewTimer(0)
	for moved := time.Now(); err == nil; {
		select {
		case err := <-ended:
			if err != nil && strings.Contains(err.Error(), "TimeoutException: Timeout has occurred") {
				err = fmt.Errorf("%w\nFlink probably has too few free slots: use a lower --parallelism, or more slots", err)
			}
			return err
		case <-ctx.Done():
			err = fmt.Errorf("the run was canceled: %w", context.Cause(ctx))
		case <-tick.C:
			var news bool
			began := time.Now()
			switch news, err = l.progress(all); {
			case news:
				moved = time.Now()
			case err == nil && time.Since(moved) > stall:
				err = fmt.Errorf("no progress for %v (-stall): a worker, a server or the network between them does not answer", stall)
			}
			tick.Reset(max(min(stall/8, time.Second), 10*time.Since(began))) // a report may be large
		}
	}
	l.canceled = true
	if failed := l.origin.lease(all, "canceled"); failed != nil {
		return errors.Join(err, failed)
	}
	select {
	case <-ended:
		l.origin.lease(all, l.origin.ID) // no worker is left that must see the cancellation
	case <-time.After(l.origin.Beat + 5*time.Second):
	}
	return err
}
