package main

import (
	"os"
	"os/signal"
	"syscall"

	"perceptron/cmd/perceptron/internal/serve"
	"perceptron/cmd/perceptron/internal/usage"
)

// serveCmd serves a model over HTTP.
type serveCmd struct {
	serve.Config `embed:""`
}

// Run serves until a signal stops it.
func (c *serveCmd) Run(p *program) error {
	if err := c.Check(); err != nil {
		return usage.Errorf("%w", err)
	}
	// The first signal stops the server when its requests have ended. A second signal ends the
	// program at once.
	ctx, release := interruptible()
	defer release()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	return serve.Run(ctx, c.Config, reload, p.stdout, p.stderr)
}
