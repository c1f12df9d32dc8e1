package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// external is the type of an environment whose workers come from a pool.
const external = "EXTERNAL"

// runWatched runs a pipeline and listens to its workers. It cancels the job if they make no
// progress for some time, because a runner may wait forever, or if the context ends.
func runWatched(ctx context.Context, p *beam.Pipeline, stall time.Duration, l *listener) error {
	clean, err := temporary()
	if err != nil {
		return err
	}
	defer clean()
	all := context.WithoutCancel(ctx) // for the job to end after its cancellation
	ended := make(chan error, 1)
	go func() { ended <- beamx.Run(all, p) }()
	err = l.wait(ctx, ended, stall)
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
			return explain(err)
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

// explain adds the likely cause to an error of Flink that does not state it.
func explain(err error) error {
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "TimeoutException: Timeout has occurred"):
		return fmt.Errorf("%w\nFlink probably has too few free slots: use a lower --parallelism, or more slots", err)
	case *jobopts.EnvironmentType == external && strings.Contains(err.Error(), "finishConnect(..) failed"):
		return fmt.Errorf("%w\nprobably a TaskManager cannot reach the pool of workers at %s", err, *jobopts.EnvironmentConfig)
	}
	return err
}

// temporary makes a folder for temporary files, because Beam leaves a file for each
// pipeline. It returns a function that removes the folder.
func temporary() (clean func(), err error) {
	dir, err := os.MkdirTemp("", "beam-")
	if err != nil {
		return nil, err
	}
	before := os.Getenv("TMPDIR")
	os.Setenv("TMPDIR", dir)
	return func() {
		os.RemoveAll(dir)
		os.Setenv("TMPDIR", before)
	}, nil
}
