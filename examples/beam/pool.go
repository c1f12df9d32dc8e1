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

// runWatched runs a pipeline. It returns an error if the external pool of workers is gone,
// because a runner may wait forever for a worker from the pool. Beam cannot end such a
// run, so it continues until the program exits. On Flink, the address is one that the
// TaskManagers reach, and Flink reports that the pool is gone.
func runWatched(ctx context.Context, p *beam.Pipeline) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	clean, err := temporary()
	if err != nil {
		return err
	}
	defer clean()
	ended := make(chan error, 2)
	go func() { ended <- beamx.Run(ctx, p) }()
	if *jobopts.EnvironmentType == external && flag.Lookup("runner").Value.String() != "flink" {
		go func() {
			if err := watch(ctx, *jobopts.EnvironmentConfig); err != nil {
				ended <- err
			}
		}()
	}
	return explain(<-ended)
}

// explain adds the likely cause to an error of Flink that does not state it.
func explain(err error) error {
	switch {
	case err == nil:
	case strings.Contains(err.Error(), "TimeoutException: Timeout has occurred"):
		return fmt.Errorf("%w\nFlink probably has too few free slots: use a lower --parallelism, or more slots", err)
	case strings.Contains(err.Error(), "nodes with more than 64 outputs"):
		return fmt.Errorf("%w\nFlink allows at most 60 rounds in a pipeline: use a lower -chunk", err)
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
