// Serve is a small HTTP service that learns and predicts online. It saves its model
// at regular intervals and when it stops. After a restart, it continues from the saved
// model.
package main

import (
	"context"
	"errors"
	"expvar"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	var c config
	flag.StringVar(&c.addr, "addr", "127.0.0.1:8080", "address to listen on; port 0 selects a free port")
	flag.StringVar(&c.file, "file", "model.perceptron", "file of the model; created if it does not exist")
	flag.StringVar(&c.kind, "model", "margin", "kind of the model: online, margin or onevsrest")
	flag.IntVar(&c.every, "every", 1000, "number of examples between two saves")
	flag.Int64Var(&c.body, "body", 1<<20, "maximum size of a request body in bytes")
	flag.Parse()
	if flag.NArg() > 0 || c.every < 1 || c.body < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, c); err != nil {
		log.Fatal(err)
	}
}

// config holds the values of the flags.
type config struct {
	addr, file, kind string
	every            int
	body             int64
}

// run serves until ctx is done. It then saves the model.
func run(ctx context.Context, w io.Writer, c config) error {
	s, err := newService(c)
	if err != nil {
		return err
	}
	expvar.Publish("perceptron", &s.counts)
	listener, err := net.Listen("tcp", c.addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "serving %s on http://%s\n", c.file, listener.Addr())
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		// Let running requests finish within their own time limits.
		patience, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err = server.Shutdown(patience)
	}
	return errors.Join(err, s.save())
}
