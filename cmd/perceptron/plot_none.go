//go:build !plot

package main

// plotCmd says how to get the command: the charts and fonts that it needs would more
// than double the program.
type plotCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" placeholder:"KIND FILE" help:"Not in this build."`
}

// Help ends the command's help.
func (*plotCmd) Help() string { return errNoPlot.Error() }

var errNoPlot = usagef("this build cannot draw; go build -C cmd/perceptron -tags plot -o perceptron . makes one that can")

// Run returns an error.
func (*plotCmd) Run(*program) error { return errNoPlot }
