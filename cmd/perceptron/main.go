// Perceptron trains linear classifiers on tables of any size, and predicts with them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// commands has one field for each command.
type commands struct {
	Train    trainCmd    `cmd:"" help:"Train a model on labelled rows."`
	Predict  predictCmd  `cmd:"" help:"Print the class of each row."`
	Evaluate evaluateCmd `cmd:"" help:"Measure the predictions on labelled rows."`
	Inspect  inspectCmd  `cmd:"" help:"Show what a model has learned, and from what."`
	Export   exportCmd   `cmd:"" help:"Write the hyperplanes for raw rows as JSON, for other programs."`
	Separate separateCmd `cmd:"" help:"Decide, with a proof, whether a hyperplane separates two classes."`
	Plot     plotCmd     `cmd:"" help:"Draw regions, margins, ROC curves, or a run against its theorem."`

	Version kong.VersionFlag `help:"Show the version." hidden:""`
}

// A program is one run of the command.
type program struct {
	stdout, stderr io.Writer
	given          map[string]bool // names of the flags that were set
}

// note prints a remark to standard error.
func (p *program) note(what string) { fmt.Fprintf(p.stderr, "perceptron: %s\n", what) }

// A usageError is a wrong use of the flags.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usagef returns a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errInterrupted ends the program after an interrupted training is saved.
var errInterrupted = errors.New("interrupted")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintf(os.Stderr, "perceptron: %v\n", err)
	}
	os.Exit(status(err))
}

// status returns the exit status: 2 for a wrong use, 130 for a training that was
// interrupted, as shells report it, and 1 for any other error.
func status(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(usageError)):
		return 2
	case errors.Is(err, errInterrupted):
		return 130
	}
	return 1
}

// run runs the command that the arguments name.
func run(args []string, stdout, stderr io.Writer) error {
	p := &program{stdout, stderr, map[string]bool{}}
	ended := false // by --help or --version
	parser, err := kong.New(new(commands),
		kong.Name("perceptron"),
		kong.Description("Linear classifiers that are trained, tested and used from the command line.\n\nExample: perceptron train data.csv -o model.perceptron\n\nThe exit status is 0, 1 for bad data, 2 for wrong flags, 130 after Ctrl-C. --version shows the version."),
		kong.Writers(stdout, stderr),
		kong.WithHyphenPrefixedParameters(true), // such as --threshold -1
		kong.Exit(func(int) { ended = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 80}),
		kong.Vars{"version": modelfile.Program()},
	)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	switch {
	case ended:
		return nil
	case err != nil:
		return usageError{err}
	}
	for _, part := range command.Path {
		if part.Flag != nil {
			p.given[part.Flag.Name] = true
		}
	}
	return command.Run(p)
}
