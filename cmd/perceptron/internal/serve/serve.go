// Package serve predicts over HTTP, and learns rows that clients send. Like the other commands, it
// takes raw rows. A row has its values by column name or in the order of the columns. The other
// commands can read the file in which it saves the model.
//
// The model is a sequence of states. A state never changes. A prediction reads the current state and
// never waits for other requests. A request to learn starts a lesson. The lesson learns all rows with
// a copy of the state, and if no row is bad, the copy becomes the current state. So no client ever
// sees a part of a lesson, and a bad row affects only its own request. Lessons run one at a time.
//
//   - body.go reads and decodes bodies, within a budget of memory.
//   - service.go has the states and lessons, and handlers.go the paths.
//   - save.go writes the model's file, but does not overwrite the file of another program.
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

// Config has the flags of the command. By default only programs on this machine can connect, because
// anyone who can send a row can change the model.
//
// A model that learns is saved after every Every rows. Each save writes the whole model, and the rows
// since the last save are lost if the machine stops. A body of more than Body bytes is refused. Bodies
// limits the bytes of all bodies that are held at once.
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

// Run serves until ctx is done, and then saves the model. For each value of reload, it reads the
// model's file again.
func Run(ctx context.Context, c Config, reload <-chan os.Signal, stdout, stderr io.Writer) (err error) {
	listener, err := net.Listen("tcp", c.Address) // before any file is created
	if err != nil {
		return err
	}
	defer listener.Close()
	// The file is read twice. Here it is validated, so that no lock is created beside a file that is
	// not a model. newService reads it again under the lock, because another server may have written
	// the file in between.
	if _, err := modelfile.Read(c.Model); err != nil {
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
	// The limit is enough for people and programs on the same network. A client that sends a large
	// body in single bytes exceeds it.
	server := s.server(10 * time.Second)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	// One goroutine waits for reloads, errors and the end of ctx, so that a reload and a stop never
	// overlap.
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

// server returns the HTTP server. A request must arrive within the limit. The answer has five more
// seconds, so that a request that arrives too slowly gets an answer too.
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

// stop ends the server. Running requests may finish, for at most 15 seconds after the drain.
func (s *service) stop(server *http.Server) error {
	// /readyz fails first, so that a load balancer sends no further requests while running requests
	// end.
	s.draining.Store(true)
	s.log.Info("stopping", "drain", s.Drain.String())
	s.drain()
	patience, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	return server.Shutdown(patience)
}
