//go:build !plot

package main

import "perceptron/cmd/perceptron/internal/usage"

// plotCmd only says how to build a program that can draw. The charts and fonts for drawing would
// more than double the size of this program.
type plotCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" placeholder:"KIND FILE" help:"Not in this build."`
}

// Help returns the text at the end of the command's help.
func (*plotCmd) Help() string { return errNoPlot.Error() }

var errNoPlot = usage.Errorf("this build cannot draw; go build -C cmd/perceptron -tags plot -o perceptron . makes one that can")

// Run returns an error that says how to build a program that can draw.
func (*plotCmd) Run(*program) error { return errNoPlot }
