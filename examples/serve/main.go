// Serve is a small HTTP service that learns and predicts online. It saves its model
// at regular intervals and when it stops. After a restart, it continues from the saved
// model.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("serve: ")
	c, err := parse(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		log.Print(err)
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
	body, bodies     int64 // bytes
	drain            time.Duration
	access           bool
	log              *slog.Logger
}

// parse reads the flags and checks them.
func parse(args []string, stderr io.Writer) (config, error) {
	c := config{log: slog.New(slog.NewTextHandler(stderr, nil))}
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.SetOutput(io.Discard) // main prints errors
	f.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 selects a free port")
	f.StringVar(&c.file, "file", "model.perceptron", "`file` of the model; created if it does not exist")
	f.StringVar(&c.kind, "model", "margin", "kind of the model: online, margin, onevsrest or multiclass")
	f.IntVar(&c.every, "every", 1000, "number of examples between two saves")
	f.Int64Var(&c.body, "body", 1<<20, "maximum size of a request body in `bytes`")
	f.Int64Var(&c.bodies, "bodies", 8<<20, "maximum size in `bytes` of all request bodies that are read at once; other requests wait")
	f.DurationVar(&c.drain, "drain", 0, "time between the signal to stop, when /readyz begins to fail, and the end of the service")
	f.BoolVar(&c.access, "access", true, "log every request")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: serve [flags]")
			f.SetOutput(stderr)
			f.PrintDefaults()
		}
		return c, err
	}
	switch {
	case f.NArg() > 0:
		return c, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case c.every < 1 || c.body < 1 || c.bodies < c.body:
		return c, fmt.Errorf("-every %d, -body %d, -bodies %d: the minimum values are 1, 1 and that of -body", c.every, c.body, c.bodies)
	case c.drain < 0:
		return c, fmt.Errorf("-drain is %v, want at least 0", c.drain)
	}
	_, err := begin(c.kind)
	return c, err
}

// run serves until ctx is done. It then saves the model.
func run(ctx context.Context, w io.Writer, c config) (err error) {
	listener, err := net.Listen("tcp", c.addr) // before any file is created
	if err != nil {
		return err
	}
	defer listener.Close()
	release, err := lock(c.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	s, err := newService(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "serving %s on http://%s\n", c.file, listener.Addr())
	c.log.Info("started", "file", c.file, "model", c.kind, "address", listener.Addr().String())
	server := s.server(10 * time.Second)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = s.stop(server)
	}
	err = errors.Join(err, s.save())
	c.log.Info("stopped", "learned", s.learned, "saved", s.saved)
	return err
}

// server returns the HTTP server. A request must arrive within the limit. Its answer
// has some seconds more: a request that arrives too slowly gets an answer, too.
func (s *service) server(limit time.Duration) *http.Server {
	return &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: limit / 2,
		ReadTimeout:       limit,
		WriteTimeout:      limit + 5*time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 14,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
}

// stop ends the server. Running requests may finish within their own time limits.
func (s *service) stop(server *http.Server) error {
	s.draining.Store(true)
	s.log.Info("stopping", "drain", s.drain)
	time.Sleep(s.drain)
	patience, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	return server.Shutdown(patience)
}
