package main

import (
	"context"
	"net"
	"strings"
	"testing"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// TestWatch: watch accepts a pool that listens and reports one that is gone.
func TestWatch(t *testing.T) {
	listener := must(net.Listen("tcp", "localhost:0"))(t)
	address := listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- watch(ctx, address) }()
	must(listener.Accept())(t).Close() // watch has connected
	must(listener.Accept())(t).Close()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the pool listens: %v", err)
	}
	listener.Close()
	if err := watch(t.Context(), address); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("the pool is gone: %v", err)
	}
}

// TestEqualIDs: two TaskManagers give the same id to their workers in one pool.
func TestEqualIDs(t *testing.T) {
	address := must(openPool(t.Context(), 0))(t)
	conn := must(grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
	defer conn.Close()
	for range 2 {
		runner := must(net.Listen("tcp", "localhost:0"))(t)
		defer runner.Close()
		request := &fnpb.StartWorkerRequest{WorkerId: "1-1", ProvisionEndpoint: &pipepb.ApiServiceDescriptor{Url: runner.Addr().String()}}
		answer := must(fnpb.NewBeamFnExternalWorkerPoolClient(conn).StartWorker(t.Context(), request))(t)
		if answer.Error != "" {
			t.Fatal(answer.Error)
		}
		must(runner.Accept())(t).Close() // the worker connects
	}
}
