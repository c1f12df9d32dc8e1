package main

import (
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"google.golang.org/grpc"
)

// A deaf listener's connections read nothing more after the first call.
type deaf struct {
	net.Listener
	called atomic.Bool
	end    <-chan struct{}
}

type deafConn struct {
	net.Conn
	*deaf
}

func (d *deaf) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	return deafConn{conn, d}, err
}

func (c deafConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.called.Load() {
		<-c.end
	}
	return n, err
}

// TestPings: a server that stops to answer loses its connection, though TCP is well.
func TestPings(t *testing.T) {
	t.Parallel() // gRPC sends no ping before ten seconds
	lis := &deaf{Listener: must(net.Listen("tcp", "localhost:0"))(t), end: t.Context().Done()}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
		lis.called.Store(true)
		<-lis.end
		return nil
	}))
	go server.Serve(lis)
	t.Cleanup(server.Stop)
	conn := must(dialer(time.Second, 100*time.Millisecond)(t.Context(), lis.Addr().String(), 0))(t)
	defer conn.Close()
	_, err := fnpb.NewBeamFnExternalWorkerPoolClient(conn).StartWorker(t.Context(), &fnpb.StartWorkerRequest{})
	if err == nil || !strings.Contains(err.Error(), "keepalive ping failed") {
		t.Errorf("%v, want the end of the connection", err)
	}
}
