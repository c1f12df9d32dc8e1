package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// work serves a runner that has started this process as a worker, until the runner
// closes the connection. Beam's own -worker mode would then sleep forever.
func work(ctx context.Context, provision string) error {
	ctx = grpcx.WriteWorkerID(ctx, flag.Lookup("id").Value.String())
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(),
		harness.Options{StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities()})
}

// servePool serves a pool of workers on a port of the loopback interface, until the
// context ends. It prints the address. The workers run inside this process.
func servePool(ctx context.Context, w io.Writer, port int) error {
	workers, err := extworker.StartLoopback(ctx, port)
	if err != nil {
		return fmt.Errorf("pool of workers: %w", err)
	}
	fmt.Fprintln(w, workers.EnvironmentConfig(ctx))
	<-ctx.Done()
	return workers.Stop(ctx)
}
