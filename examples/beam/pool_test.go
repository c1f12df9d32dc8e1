package main

import (
	"net"
	"testing"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

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
