// Package serve answers predictions over HTTP, and learns from rows that it is sent. It
// takes raw rows, by name or in order, as the other commands do, and keeps the model's
// file one that they read.
//
// The model is a chain of states that never change. A prediction reads the current one and waits
// for nobody. A request to learn makes a lesson: it learns all rows with a copy, and if none of
// them is bad, the copy becomes the current state. So no client ever sees half of a lesson, and a
// bad row costs nothing but its own request. Lessons wait for each other.
//
//   - body.go reads and decodes bodies, within a budget of memory.
//   - service.go has the states and lessons, and handlers.go the paths.
//   - save.go writes the file, and never over that of another program.
//   - observe.go counts and logs.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
)

// Config has the flags of the command. The defaults suit a program on the same machine: only this
// machine can connect, because whoever can send a row can change what the model knows.
//
// A model that learns is saved every so many rows, because a save writes all of it, and those since
// the last save are lost if the machine stops. A larger body than Body is refused when its size is
// known. Bodies limits those that are read at once, so that many clients share the memory.
type Config struct {
	Model         string        `short:"m" required:"" placeholder:"FILE" help:"The model."`
	Address       string        `default:"127.0.0.1:8080" placeholder:"127.0.0.1:8080" help:"Listen here; port 0 selects a free one."`
	Host          []string      `placeholder:"NAME" help:"Answer requests for these hosts too."`
	Readonly      bool          `help:"Do not learn, and write no file."`
	Every         int           `default:"1000" placeholder:"1000" help:"Save the model after this number of rows."`
	Body          int64         `default:"1048576" placeholder:"1048576" help:"Most bytes of a request's body."`
	Bodies        int64         `default:"8388608" placeholder:"8388608" help:"Most bytes of all bodies at once."`
	Drain         time.Duration `placeholder:"0s" help:"Answer requests for this time after SIGTERM."`
	Unknown       string        `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones."`
	Probabilities bool          `help:"Add probabilities to each prediction."`

	Access  bool `default:"true" negatable:"" help:"Log every request."`
	LogJSON bool `name:"log-json" help:"Log in JSON."`
}

// Check returns an error if a flag has a bad value.
func (c Config) Check() error {
	switch {
	case c.Every < 1 || c.Body < 1 || c.Bodies < c.Body:
		return fmt.Errorf("--every %d, --body %d, --bodies %d: the minimum values are 1, 1 and that of --body", c.Every, c.Body, c.Bodies)
	case c.Drain < 0:
		return fmt.Errorf("--drain is %v, want at least 0", c.Drain)
	case c.Readonly:
		return nil
	}
	if info, err := os.Stat(c.Model); err == nil && readonly(info) {
		return fmt.Errorf("%s: %w", c.Model, errReadonlyFile)
	}
	return output.Check(nil, output.File{Flag: "-m", Path: c.Model})
}

// logger returns the log of the service.
func (c Config) logger(w io.Writer) *slog.Logger {
	return slog.New(map[bool]slog.Handler{true: slog.NewJSONHandler(w, nil), false: slog.NewTextHandler(w, nil)}[c.LogJSON])
}

// Run serves until ctx is done, and then saves the model. Each value of reload makes it
// read the model's file again.
func Run(ctx context.Context, c Config, reload <-chan os.Signal, stdout, stderr io.Writer) (err error) {
	listener, err := net.Listen("tcp", c.Address) // before any file is created
	if err != nil {
		return err
	}
	defer listener.Close()
	// The model is read twice: here to see what it is, and after the lock, because a server that stops
	// may have written it in between.
	if _, err := modelfile.Read(c.Model); err != nil { // it may be other data: create no lock beside it
		return err
	}
	if !c.Readonly {
		release, err := lock(c.Model)
		if err != nil {
			return err
		}
		defer release()
	}
	s, err := newService(c, c.logger(stderr))
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "serving %s on http://%s\n", c.Model, listener.Addr())
	return s.serve(ctx, listener, reload)
}

// serve answers requests until ctx is done.
func (s *service) serve(ctx context.Context, listener net.Listener, reload <-chan os.Signal) (err error) {
	s.log.Info("started", "file", s.Model, "type", modelfile.Type(s.current.Load().file.Model), "address", listener.Addr().String(), "readonly", s.Readonly)
	// The limit suits people and programs on one network. A client that sends one byte at a time
	// exceeds it.
	server := s.server(10 * time.Second)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	// One goroutine waits for all that can happen, so that a reload and a stop never overlap.
	for running := true; running; {
		select {
		case <-reload:
			s.reload()
		case err = <-failed:
			running = false
		case <-ctx.Done():
			err, running = s.stop(server), false
		}
	}
	return errors.Join(err, s.close())
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
	// /readyz fails first, so that a load balancer sends no further requests while the others end.
	s.draining.Store(true)
	s.log.Info("stopping", "drain", s.Drain.String())
	s.drain()
	patience, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	return server.Shutdown(patience)
}
