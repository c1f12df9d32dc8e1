package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// external is the type of an environment whose workers come from a pool.
const external = "EXTERNAL"

// runWatched runs a pipeline and listens to its workers. It returns an error if they make
// no progress for some time, if the context ends, or if the external pool of workers is
// gone, because a runner may wait forever. It then cancels the job. On Flink, the pool's
// address is one that the TaskManagers reach, and Flink reports that the pool is gone.
func runWatched(ctx context.Context, p *beam.Pipeline, stall time.Duration, l *listener) error {
	clean, err := temporary()
	if err != nil {
		return err
	}
	defer clean()
	all := context.WithoutCancel(ctx) // for the job to end after its cancellation
	ended, gone := make(chan error, 1), make(chan error, 1)
	go func() { ended <- beamx.Run(all, p) }()
	if *jobopts.EnvironmentType == external && flag.Lookup("runner").Value.String() != "flink" {
		watched, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			if err := watch(watched, *jobopts.EnvironmentConfig); err != nil {
				gone <- err
			}
		}()
	}
	err = l.wait(ctx, ended, gone, stall)
	if cause := l.origin.heard(all, errorFile); err != nil && cause != "" {
		err = fmt.Errorf("%s\n%w", cause, err)
	}
	return err
}

// wait waits for the end of the job, or for a reason to cancel it.
func (l *listener) wait(ctx context.Context, ended, gone <-chan error, stall time.Duration) (err error) {
	all := context.WithoutCancel(ctx)
	defer func() { // the last report may be new
		if _, failed := l.progress(all); err == nil {
			err = failed
		}
	}()
	tick := time.NewTimer(0)
	for moved := time.Now(); err == nil; {
		select {
		case err := <-ended:
			return explain(err)
		case err = <-gone:
		case <-ctx.Done():
			err = fmt.Errorf("the run was canceled: %w", context.Cause(ctx))
		case began := <-tick.C:
			var news bool
			switch news, err = l.progress(all); {
			case news:
				moved = time.Now()
			case err == nil && time.Since(moved) > stall:
				err = fmt.Errorf("no progress for %v (-stall): a worker, a server or the network between them does not answer", stall)
			}
			tick.Reset(max(min(stall/8, time.Second), 10*time.Since(began))) // a report may be large
		}
	}
	remove(all, l.origin.Checkpoint+leaseFile)
	cancelJob(all)
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
	}
	return err
}

// explain adds the likely cause to an error of Flink that does not state it.
func explain(err error) error {
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "TimeoutException: Timeout has occurred"):
		return fmt.Errorf("%w\nFlink probably has too few free slots: use a lower --parallelism, or more slots", err)
	case strings.Contains(err.Error(), "nodes with more than 64 outputs"):
		return fmt.Errorf("%w\nFlink allows at most %d rounds in a pipeline: use a lower -chunk", err, maxChunk)
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
	const variable = "TMPDIR"
	before, set := os.LookupEnv(variable)
	os.Setenv(variable, dir)
	return func() {
		if os.RemoveAll(dir); set {
			os.Setenv(variable, before)
		} else {
			os.Unsetenv(variable)
		}
	}, nil
}

// watch returns an error if nothing listens at the address for three seconds. It returns
// nil when the context is done.
func watch(ctx context.Context, address string) error {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for missed := 0; missed < 3; {
		select {
		case <-ctx.Done():
			return nil
		case <-second.C:
		}
		missed++
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			conn.Close()
			missed = 0
		}
	}
	return fmt.Errorf("the pool of workers at %s is gone", address)
}
