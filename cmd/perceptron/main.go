// Perceptron trains linear classifiers on tables of any size, and predicts with them.
//
// Each command is a struct: its fields are the flags, and its method Run does the work.
// Package pipeline trains and measures; a command here turns flags into its options, and its report into text or
// JSON (report.go). Below it, internal/dataset divides the rows of a file into those to train on and those held out,
// and scales them as the model needs them; internal/table reads rows from CSV and LIBSVM files, and
// internal/modelfile saves a model with everything that is needed to predict from such rows.
//
// Beside them, internal/split holds rows out, internal/metrics measures and calibrates,
// internal/output protects files, internal/serve is the server, internal/chart draws, and internal/coq
// writes proofs and logs that Coq checks. The library trains every model. Only exact proofs,
// calibrations, and the scores of sparse rows are computed here.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/output"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/vbauerster/mpb/v8"
)

// commands has one field for each command.
type commands struct {
	Train    trainCmd    `cmd:"" help:"Train a model on labelled rows."`
	Predict  predictCmd  `cmd:"" help:"Print the class of each row."`
	Evaluate evaluateCmd `cmd:"" help:"Measure the predictions on labelled rows."`
	Inspect  inspectCmd  `cmd:"" help:"Show what a model has learned, and from what."`
	Export   exportCmd   `cmd:"" help:"Write the hyperplanes for raw rows as JSON, for other programs."`
	Separate separateCmd `cmd:"" help:"Decide, with a proof, whether a hyperplane separates two classes."`
	Log      logCmd      `cmd:"" help:"Write a log of a training, which Coq replays."`
	Serve    serveCmd    `cmd:"" help:"Predict and learn over HTTP."`
	Plot     plotCmd     `cmd:"" help:"Draw regions, ROC, a run and more, if built with -tags plot."`

	Completion completionCmd `cmd:"" help:"Print the completion of this command for a shell."`

	Version kong.VersionFlag  `help:"Show the version." hidden:""`
	Man     mangokong.ManFlag `help:"Show the man page." hidden:""`
}

// completionCmd prints what a shell runs to complete the flags and commands of this program.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"SHELL" help:"bash, zsh or fish."`
}

// Run prints the completion. The library generates it from the commands and flags.
func (c *completionCmd) Run(ctx *kong.Context) error {
	return (&kongcompletion.Completion{Shell: c.Shell, Code: true}).Run(ctx)
}

// A program is one run of the command.
type program struct {
	stdout, stderr io.Writer
	bars           bars

	// given has the names of the flags that the user set. A flag that would have no
	// effect is an error, even if the user sets it to its default.
	given usage.Set
}

func newProgram(stdout, stderr io.Writer) *program {
	return &program{stdout: stdout, stderr: stderr, bars: bars{mpb.New(mpb.WithOutput(stderr), mpb.WithWidth(40))}, given: usage.Set{}}
}

// note prints a remark to standard error.
func (p *program) note(what string) { fmt.Fprintln(p.stderr, once(what)) }

// once returns what with the name of the program in front of it, once. The errors of the library begin with
// the name too.
func once(what string) string {
	return "perceptron: " + strings.ReplaceAll(strings.TrimPrefix(what, "perceptron: "), ": perceptron: ", ": ")
}

// safe returns a usage.Error if output.Check finds that an output would destroy data or cannot be
// written.
func safe(inputs []string, outputs ...output.File) error {
	err := output.Check(inputs, outputs...)
	return usage.If(err != nil, "%w", err)
}

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, once(err.Error()))
	}
	os.Exit(status(err))
}

// status returns the exit status: 2 for a wrong use, 130 for a training that was
// interrupted, as shells report it, and 1 for any other error.
func status(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.As(err, new(usage.Error)):
		return 2
	case errors.Is(err, context.Canceled):
		return 130
	}
	return 1
}

// helps has, for each command, the text at the end of its help. The texts are in their own file, so
// that they can be edited as users see them. The texts of export and serve describe the JSON,
// because programs in other languages are written from them.
//
//go:embed help.txt
var helps string

// run runs the command that the arguments name. It does not exit, and writes to stdout and stderr
// instead of the standard files, so that tests can call it.
func run(args []string, stdout, stderr io.Writer) error {
	p := newProgram(stdout, stderr)
	defer p.bars.Shutdown() // the bars and their goroutines
	ended := false          // by --help or --version
	parser, err := kong.New(new(commands),
		kong.Name("perceptron"),
		kong.Description("Linear classifiers that are trained, tested and used from the command line.\n\nExample: perceptron train data.csv -o model.perceptron\n\nThe exit status is 0; 2 for wrong flags; 130 for a training that Ctrl-C ended; 1 for other errors, such as bad data. --version shows the version, --man the man page."),
		kong.Writers(stdout, stderr),
		kong.WithHyphenPrefixedParameters(true), // such as --threshold -1
		kong.Exit(func(int) { ended = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 80}),
		kong.Vars{"version": modelfile.Program() + ", " + runtime.Version()},
	)
	if err != nil {
		return err
	}
	parser.Model.HelpFlag.Hidden = true // who reads it knows it; this makes room for others
	// A command with a method Help keeps the method's text. Only plot has one, in a build that cannot
	// draw.
	for _, command := range parser.Model.Children {
		_, text, _ := strings.Cut(helps, "== "+command.Name+"\n")
		text, _, _ = strings.Cut(text, "\n\n== ")
		command.Detail = cmp.Or(command.Detail, strings.TrimSuffix(text, "\n"))
	}
	if os.Getenv("COMP_LINE") != "" { // set by a shell that asks for completions
		kongcompletion.Register(parser, kongcompletion.WithExitFunc(func(int) { ended = true }))
	}
	if ended {
		return nil
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	switch {
	case ended:
		return nil
	case err != nil:
		return usage.Errorf("%w", err)
	}
	for _, part := range command.Path {
		if part.Flag != nil {
			p.given[usage.Name(part.Flag.Name)] = true
		}
	}
	return command.Run(p)
}

// reading has the file of rows, and the flags that say how to read the file. A model does not save
// these flags, because its next file may have another format.
type reading struct {
	Data          string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	table.Options `embed:""`
}

// open opens the file. Standard error shows what the reader detects, and the progress. If again is
// true, the file can be read more than once.
func (r reading) open(p *program, again bool) (*table.Source, error) {
	s, err := table.Open(r.Data, r.Options, again)
	if err != nil {
		return nil, err
	}
	s.Tell, s.Watch = p.note, p.bars.watch
	return s, nil
}

// dataset opens the file, and finds its columns. The file's decimal numbers are read in each pass, so that proofs
// are about them.
func (r reading) dataset(p *program, c table.Choice) (*dataset.Dataset, error) {
	src, err := r.open(p, true)
	if err != nil {
		return nil, err
	}
	d, err := dataset.New(src, c)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return d, nil
}

// file opens the file for package pipeline.
func (r reading) file() (*os.File, error) {
	if r.Data == table.StandardInput {
		return os.Stdin, nil
	}
	return os.Open(r.Data)
}
