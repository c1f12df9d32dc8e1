package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// external is the type of an environment whose workers come from a pool.
const external = "EXTERNAL"

// work runs a worker for the runner at the address provision, until the runner closes the
// connection. In Beam's own -worker mode, the worker would then sleep forever.
func work(ctx context.Context, id, provision string) error {
	ctx, stop := context.WithCancel(grpcx.WriteWorkerID(ctx, id))
	defer stop() // ends an epoch for which no runner waits
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(),
		harness.Options{StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities()})
}

// A workers is a pool of workers that run inside this process. Beam's own pool rejects
// equal ids, but TaskManagers number their workers independently.
type workers struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	ctx context.Context
}

func (w workers) StartWorker(_ context.Context, r *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	go func() {
		if err := work(w.ctx, r.GetWorkerId(), r.GetProvisionEndpoint().GetUrl()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker does nothing, because a worker ends when the runner closes the connection.
func (workers) StopWorker(context.Context, *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	return &fnpb.StopWorkerResponse{}, nil
}

// openPool starts a pool of workers on a port of the loopback interface, until the
// context ends. It returns the address. With port 0, the system chooses a free port.
func openPool(ctx context.Context, port int) (string, error) {
	listener, err := net.Listen("tcp", fmt.Sprint("localhost:", port))
	if err != nil {
		return "", fmt.Errorf("pool of workers: %w", err)
	}
	server := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(server, workers{ctx: ctx})
	go server.Serve(listener)
	context.AfterFunc(ctx, server.Stop)
	return fmt.Sprint("localhost:", listener.Addr().(*net.TCPAddr).Port), nil
}

// servePool serves a pool of workers until the context ends. It prints the address.
func servePool(ctx context.Context, w io.Writer, port int) error {
	address, err := openPool(ctx, port)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, address)
	<-ctx.Done()
	return nil
}

// loopBack starts a pool in the launcher if the flags ask for one, or name no runner. Otherwise
// Beam would start its own pool, and leave a temporary file for each pipeline. Pools do not need
// a worker binary, so loopBack names os.DevNull for it, unless a flag names a file.
func loopBack(ctx context.Context) error {
	if jobopts.IsLoopback() || *jobopts.EnvironmentType == "" && flag.Lookup("runner").Value.String() == "" && *jobopts.Endpoint == "" {
		address, err := openPool(ctx, 0)
		if err != nil {
			return err
		}
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = external, address
	}
	if *jobopts.EnvironmentType == external {
		*jobopts.WorkerBinary = cmp.Or(*jobopts.WorkerBinary, os.DevNull)
	}
	return nil
}
