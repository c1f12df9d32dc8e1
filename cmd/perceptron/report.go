package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A summary holds the results of a training.
type summary struct {
	*dataset
	out       string // file of the model, "" if it is not saved
	history   []epoch
	stopped   bool // the user interrupted the training
	quality   [split.Parts]*quality
	took      time.Duration
	unwritten error // the model or the curves could not be written
}

// A report describes a training. Its JSON names are stable.
type report struct {
	Data         modelfile.Data `json:"data"`
	Streamed     bool           `json:"streamed"` // the file was read again for each epoch
	Features     int            `json:"features"`
	Standardised bool           `json:"standardised"`
	Classes      []string       `json:"classes"`
	Model        string         `json:"model"`
	FirstEpoch   int            `json:"firstEpoch"` // more than 1 if the model was loaded
	Epochs       int            `json:"epochs"`
	BestEpoch    int            `json:"bestEpoch,omitempty"` // whose model is kept, with --patience
	Stop         string         `json:"stop"`                // Converged, Cycled, EpochLimit, Patience or Interrupted
	Updates      int            `json:"updates"`
	LastUpdates  int            `json:"lastUpdates"` // in the last epoch

	// ProgressiveError is the share of the rows of the last epoch that were predicted
	// wrong just before they were learned. It is null for a model that also updates on
	// rows that were predicted right, or counts updates by class.
	ProgressiveError *float64 `json:"progressiveError"`
	LastLoss         *float64 `json:"lastLoss"` // null if it overflowed
	Threshold        *float64 `json:"threshold,omitempty"`
	Training         *quality `json:"training"`
	HeldOut          *quality `json:"heldOut,omitempty"`
	Curve            []epoch  `json:"curve"`
	Seconds          float64  `json:"seconds"`
	Saved            string   `json:"saved,omitempty"`
}

// report collects the results.
func (s *summary) report() *report {
	last := s.history[len(s.history)-1]
	r := &report{Data: s.Data, Streamed: s.X[split.Training] == nil, Features: s.Schema.Features(), Standardised: s.Scaling.Mean != nil,
		Classes: s.Classes, Model: settingsOf(s.Model).name, FirstEpoch: s.history[0].N, Epochs: len(s.history), Stop: last.stop.String(),
		LastUpdates: last.Updates, LastLoss: last.Loss, Curve: s.history, Training: s.quality[split.Training], Seconds: s.took.Seconds()}
	for _, e := range s.history {
		if r.Updates += e.Updates; e.best {
			r.BestEpoch = e.N
		}
	}
	if last.stop == perceptron.Running {
		r.Stop = map[bool]string{true: "Interrupted", false: "Patience"}[s.stopped]
	}
	if settingsOf(s.Model).mistakes {
		r.ProgressiveError = number(float64(last.Updates) / float64(last.Rows))
	}
	if s.Threshold != 0 {
		r.Threshold = &s.Threshold
	}
	if s.rows[split.HeldOut] > 0 {
		r.HeldOut = s.quality[split.HeldOut]
	}
	if s.unwritten == nil {
		r.Saved = s.out
	}
	return r
}

// writeJSON writes v on one line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// fields writes names and values in two columns.
type fields struct{ *tabwriter.Writer }

func newFields(w io.Writer) fields { return fields{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)} }

func (f fields) line(name, format string, args ...any) {
	fmt.Fprintf(f, "%s\t%s\n", name, fmt.Sprintf(format, args...))
}

// write prints the report as one JSON object, or as text.
func (r *report) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	out := newFields(w)
	out.line("data", "%s%s", r.Data.File, map[bool]string{true: ", read again for each epoch"}[r.Streamed])
	out.line("rows", "%d to train on, %d held out%s", r.Data.Rows, r.Data.HeldOut, leftOut(r.Data.LeftOut))
	out.line("features", "%d%s", r.Features, map[bool]string{true: ", standardised"}[r.Standardised])
	out.line("classes", "%d: %s", len(r.Classes), table.Short(r.Classes))
	out.line("model", "%s", r.Model)
	numbers := ""
	if n := r.FirstEpoch; n > 1 {
		numbers = fmt.Sprintf(", numbers %d to %d of the model's", n, n+r.Epochs-1)
	}
	if r.BestEpoch > 0 {
		numbers += fmt.Sprintf("; the model is that of epoch %d, the best on the rows held out", r.BestEpoch)
	}
	out.line("epochs", "%d%s", r.Epochs, numbers)
	out.line("stop", "%s%s", r.Stop, map[string]string{
		"Converged": ": the last epoch made no update",
		"Cycled":    ": the weights repeat, so more epochs cannot converge"}[r.Stop])
	out.line("updates", "%d, %d of them in the last epoch", r.Updates, r.LastUpdates)
	if r.ProgressiveError != nil {
		out.line("progressive error", "%.4f in the last epoch, predicted before learning", *r.ProgressiveError)
	}
	if r.LastLoss != nil {
		out.line("loss", "%.6g in the last epoch", *r.LastLoss)
	}
	if r.Threshold != nil {
		out.line("threshold", "%.6g: from this score on, the class is %s", *r.Threshold, r.Classes[1])
	}
	out.line("time", "%v", time.Duration(r.Seconds*1e9).Round(time.Millisecond))
	if r.Saved != "" {
		out.line("saved", "%s", r.Saved)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	err := r.Training.write(w, "rows trained on", r.Classes, r.HeldOut == nil)
	if r.HeldOut != nil && err == nil {
		err = r.HeldOut.write(w, "rows held out", r.Classes, true)
	}
	return err
}

// leftOut describes the rows that were left out.
func leftOut(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d left out because a value is missing", n)
}

// write prints the figures, and tables if they are wanted and not too wide to read.
func (q *quality) write(w io.Writer, of string, classes []string, tables bool) error {
	fmt.Fprintf(w, "\n%d %s: accuracy %.4f, macro F1 %.4f", q.Rows, of, q.Accuracy, q.MacroF1)
	if q.AUC != nil && q.AveragePrecision != nil {
		fmt.Fprintf(w, ", AUC %.4f, average precision %.4f", *q.AUC, *q.AveragePrecision)
	}
	if q.Sampled {
		fmt.Fprint(w, " (the last two on a sample)")
	}
	fmt.Fprintln(w)
	const widest = 40
	if !tables || len(classes) > widest {
		return nil
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\ntrue class by row, predicted class by column:\n")
	fmt.Fprintf(out, "\t%s\t\n", strings.Join(classes, "\t"))
	names := append(slices.Clone(classes), "(unknown)")
	for i, row := range q.Confusion {
		fmt.Fprintf(out, "%s\t", names[i])
		for _, n := range row {
			fmt.Fprintf(out, "%d\t", n)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n\tprecision\trecall\tF1\trows\t\n")
	for _, c := range q.PerClass {
		fmt.Fprintf(out, "%s\t%.4f\t%.4f\t%.4f\t%d\t\n", c.Class, c.Precision, c.Recall, c.F1, c.Rows)
	}
	return out.Flush()
}
