package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// runWatched runs a pipeline. It returns an error if the external pool of workers is gone,
// because a runner may wait forever for a worker from the pool. Beam cannot end such a
// run, so it continues until the program exits.
func runWatched(ctx context.Context, p *beam.Pipeline) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 2)
	go func() { ended <- beamx.Run(ctx, p) }()
	if flag.Lookup("environment_type").Value.String() == "EXTERNAL" {
		go func() {
			if err := watch(ctx, flag.Lookup("environment_config").Value.String()); err != nil {
				ended <- err
			}
		}()
	}
	return <-ended
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
