package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
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
	errors  []float64 // share of the rows held out that were wrong, by epoch; for -curves
	stopped bool      // the user interrupted the training
	counts  evaluation
	took    time.Duration
	saved   string // file of the model, "" if it was not saved

	unwritten error // the model or the curves could not be written
}

// A report describes a training. Its JSON names are stable.
type report struct {
	File         string       `json:"file"`
	Streamed     bool         `json:"streamed"` // the file was read again for each epoch
	TrainingRows int          `json:"trainingRows"`
	HeldOutRows  int          `json:"heldOutRows"`
	Dropped      int          `json:"dropped"` // rows with a missing value
	Features     int          `json:"features"`
	Standardised bool         `json:"standardised"`
	Classes      []string     `json:"classes"`
	Model        string       `json:"model"`
	FirstEpoch   int          `json:"firstEpoch"` // more than 1 if the model was loaded
	Epochs       int          `json:"epochs"`
	Stop         string       `json:"stop"` // Converged, Cycled, EpochLimit or Interrupted
	Mistakes     int          `json:"mistakes"`
	LastMistakes int          `json:"lastMistakes"` // in the last epoch
	LastLoss     *float64     `json:"lastLoss"`     // null if it overflowed
	Threshold    *float64     `json:"threshold,omitempty"`
	Accuracy     float64      `json:"accuracy"` // on the training part
	HeldOut      *float64     `json:"heldOutAccuracy,omitempty"`
	PerClass     []classScore `json:"perClass"`  // on the rows held out, or else on the training part
	Confusion    [][]int      `json:"confusion"` // of the same rows, by true class and predicted class
	Seconds      float64      `json:"seconds"`
	Saved        string       `json:"saved,omitempty"`
}

// report collects the results.
func (s *summary) report() *report {
	t := s.table
	first, last := s.history[0], s.history[len(s.history)-1]
	r := &report{File: t.file, Streamed: t.X[training] == nil, TrainingRows: t.rows[training], HeldOutRows: t.rows[heldOut],
		Dropped: t.dropped, Features: t.Features, Standardised: t.Mean != nil, Classes: t.Classes, Model: settingsOf(s.model).name,
		FirstEpoch: first.N, Epochs: len(s.history), Stop: last.Stop.String(), LastMistakes: last.Mistakes,
		Seconds: s.took.Seconds(), Saved: s.saved}
	for _, e := range s.history {
		r.Mistakes += e.Mistakes
	}
	if s.stopped && last.Stop == perceptron.Running {
		r.Stop = "Interrupted"
	}
	if !math.IsInf(last.Loss, 0) && !math.IsNaN(last.Loss) {
		r.LastLoss = &last.Loss
	}
	if t.Threshold != 0 {
		r.Threshold = &t.Threshold
	}
	r.Accuracy, _ = accuracy(s.counts[training])
	r.Confusion = s.counts[training]
	if t.rows[heldOut] > 0 {
		share, _ := accuracy(s.counts[heldOut])
		r.HeldOut, r.Confusion = &share, s.counts[heldOut]
	}
	r.PerClass = classScores(t.Classes, r.Confusion, nil)
	return r
}

// writeJSON writes v on one line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// write prints the report as one JSON object, or as text.
func (r *report) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	line("file", "%s%s", r.File, map[bool]string{true: ", read again for each epoch"}[r.Streamed])
	line("rows", "%d to train on, %d held out%s", r.TrainingRows, r.HeldOutRows, left(r.Dropped))
	line("features", "%d%s", r.Features, map[bool]string{true: ", standardised"}[r.Standardised])
	line("classes", "%d: %s", len(r.Classes), short(r.Classes))
	line("model", "%s", r.Model)
	numbers := ""
	if n := r.FirstEpoch; n > 1 {
		numbers = fmt.Sprintf(", numbers %d to %d of the model's", n, n+r.Epochs-1)
	}
	line("epochs", "%d%s", r.Epochs, numbers)
	line("stop", "%s%s", r.Stop, map[string]string{
		"Converged": ": the last epoch made no update",
		"Cycled":    ": the weights repeat, so more epochs cannot converge"}[r.Stop])
	line("mistakes", "%d, %d of them in the last epoch", r.Mistakes, r.LastMistakes)
	if r.LastLoss != nil {
		line("loss", "%.6g in the last epoch", *r.LastLoss)
	}
	if r.Threshold != nil {
		line("threshold", "%.6g: from this score on, the class is %s", *r.Threshold, r.Classes[1])
	}
	line("accuracy", "%.4f on the training part", r.Accuracy)
	name := "training part"
	if r.HeldOut != nil {
		line("accuracy", "%.4f on the rows held out", *r.HeldOut)
		name = "rows held out"
	}
	line("time", "%v", time.Duration(r.Seconds*1e9).Round(time.Millisecond))
	if r.Saved != "" {
		line("saved", "%s, %s", r.Saved, beside(r.Saved))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return tables(w, name, r.Classes, r.Confusion, r.PerClass)
}

// left describes the rows that were left out.
func left(dropped int) string {
	if dropped == 0 {
		return ""
	}
	return fmt.Sprintf(", %d left out because a value is missing", dropped)
}

// short lists at most ten names.
func short(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// tables prints counts[true][predicted] and the scores of each class. A row beyond the
// classes is that of unknown classes. It prints nothing if there are too many classes to
// read.
func tables(w io.Writer, of string, classes []string, counts [][]int, scores []classScore) error {
	const widest = 40
	if len(classes) > widest {
		return nil
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n%s: true class by row, predicted class by column\n", of)
	fmt.Fprintf(out, "\t%s\t\n", strings.Join(classes, "\t"))
	for i, row := range counts {
		name := "(unknown)"
		if i < len(classes) {
			name = classes[i]
		}
		fmt.Fprintf(out, "%s\t", name)
		for _, n := range row {
			fmt.Fprintf(out, "%d\t", n)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n\tprecision\trecall\tF1\trows\t\n")
	for _, s := range scores {
		fmt.Fprintf(out, "%s\t%.4f\t%.4f\t%.4f\t%d\t\n", s.Class, s.Precision, s.Recall, s.F1, s.Rows)
	}
	return out.Flush()
}
