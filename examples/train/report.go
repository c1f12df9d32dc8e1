package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"perceptron"
)

// A summary holds the results of a training.
type summary struct {
	table   *table
	model   perceptron.Model
	history []perceptron.Epoch
	stopped bool // the user interrupted the training
	counts  evaluation
	took    time.Duration
	saved   string // file of the model, "" if it was not saved
}

// print writes the summary and the confusion matrix.
func (s *summary) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	t := s.table
	line("file", "%s%s", t.file, map[bool]string{true: ", read again for each epoch"}[t.X[training] == nil])
	line("rows", "%d to train on, %d held out", t.rows[training], t.rows[heldOut])
	line("features", "%d%s", t.Features, map[bool]string{true: ", standardised"}[t.Mean != nil])
	line("classes", "%d: %s", len(t.Classes), short(t.Classes))
	line("model", "%s", settingsOf(s.model).name)
	mistakes := 0
	for _, e := range s.history {
		mistakes += e.Mistakes
	}
	last := s.history[len(s.history)-1]
	numbers := ""
	if n := s.history[0].N; n > 1 {
		numbers = fmt.Sprintf(", numbers %d to %d of the model's", n, last.N)
	}
	line("epochs", "%d%s", len(s.history), numbers)
	line("stop", "%s", s.stop(last.Stop))
	line("mistakes", "%d, %d of them in the last epoch", mistakes, last.Mistakes)
	line("loss", "%.6g in the last epoch", last.Loss)
	for p, name := range []string{"on the training part", "on the rows held out"} {
		if share, n := accuracy(s.counts[p]); n > 0 {
			line("accuracy", "%.4f %s", share, name)
		}
	}
	line("time", "%v", s.took.Round(time.Millisecond))
	if s.saved != "" {
		line("saved", "%s, %s", s.saved, beside(s.saved))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	p, name := heldOut, "rows held out"
	if t.rows[heldOut] == 0 {
		p, name = training, "training part"
	}
	return confusion(w, name, t.Classes, s.counts[p])
}

// stop returns the reason why the training ended.
func (s *summary) stop(stop perceptron.Stop) string {
	switch {
	case s.stopped && stop == perceptron.Running:
		return "Interrupted"
	case stop == perceptron.Converged:
		return "Converged: the last epoch made no update"
	case stop == perceptron.Cycled:
		return "Cycled: the weights repeat, so more epochs cannot converge"
	}
	return stop.String()
}

// short lists at most ten names.
func short(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// confusion prints counts[true][predicted]. It prints nothing if the table would be
// too wide to read.
func confusion(w io.Writer, of string, classes []string, counts [][]int) error {
	const widest = 40
	if len(classes) > widest {
		return nil
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n%s: true class by row, predicted class by column\n", of)
	fmt.Fprintf(out, "\t%s\t\n", strings.Join(classes, "\t"))
	for i, row := range counts {
		fmt.Fprintf(out, "%s\t", classes[i])
		for _, n := range row {
			fmt.Fprintf(out, "%d\t", n)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
