package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"sync/atomic"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// alive finds a dead connection within about a minute. It uses TCP, because a gRPC server
// closes a connection on which a client pings more often than every five minutes.
var alive = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}}

// dial connects to a server. It waits ten seconds at most; Beam itself would wait two
// minutes for a job server.
func dial(ctx context.Context, endpoint string, timeout time.Duration) (*grpc.ClientConn, error) {
	ctx, cancel := context.WithTimeout(ctx, min(timeout, 10*time.Second))
	defer cancel()
	conn, err := grpc.NewClient("passthrough:///"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return alive.DialContext(ctx, "tcp", address)
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)), grpc.WithUnaryInterceptor(note))
	if err != nil {
		return nil, err
	}
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			conn.Close()
			return nil, fmt.Errorf("no server at %s: %w", endpoint, ctx.Err())
		}
		conn.Connect() // from the idle state
	}
	return conn, nil
}

// A running job, which cancelJob can cancel. Beam does not give it to the program.
type running struct {
	server *grpc.ClientConn
	id     string
}

var current atomic.Pointer[running]

// note is called for each call to a server. It notes the job that starts.
func note(ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	err := call(ctx, method, request, answer, conn, opts...)
	if job, ok := answer.(*jobpb.RunJobResponse); ok && err == nil {
		current.Store(&running{conn, job.GetJobId()})
	}
	return err
}

// cancelJob cancels the job that was started last. Without an answer, the job ends when its
// workers find that the lease is gone.
func cancelJob(ctx context.Context) {
	if job := current.Load(); job != nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		jobpb.NewJobServiceClient(job.server).Cancel(ctx, &jobpb.CancelJobRequest{JobId: job.id})
	}
}
