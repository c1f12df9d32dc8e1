package main

import (
	"context"
	"net"
	"strings"
	"testing"
)

// TestWatch: a pool that listens is left alone, one that is gone is told of.
func TestWatch(t *testing.T) {
	listener := must(net.Listen("tcp", "localhost:0"))(t)
	address := listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- watch(ctx, address) }()
	must(listener.Accept())(t).Close() // it has looked
	must(listener.Accept())(t).Close()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("a pool that listens: %v", err)
	}
	listener.Close()
	if err := watch(t.Context(), address); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("a pool that is gone: %v", err)
	}
}
