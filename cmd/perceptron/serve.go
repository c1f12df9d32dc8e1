package main

import (
	"os"
	"os/signal"
	"syscall"

	"perceptron/cmd/perceptron/internal/serve"
)

// serveCmd serves a model over HTTP.
type serveCmd struct {
	serve.Config `embed:""`
}

// Help ends the command's help.
func (*serveCmd) Help() string {
	return `The server predicts and learns raw rows. It saves the model as it learns, when it stops (SIGTERM, Ctrl-C), and reads the file again after SIGHUP. /openapi.yaml describes the requests.

Example: perceptron serve -m model.perceptron

curl -d '{"row": {"height": 1.8, "colour": "red"}}' http://127.0.0.1:8080/predict`
}

// Run serves until a signal stops it.
func (c *serveCmd) Run(p *program) error {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	// The second signal ends the program at once, if a client keeps it from stopping.
	ctx, release := interruptible()
	defer release()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	return serve.Run(ctx, c.Config, reload, p.stdout, p.stderr)
}
