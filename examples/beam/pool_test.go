package main

import (
	"context"
	"net"
	"strings"
	"testing"
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
