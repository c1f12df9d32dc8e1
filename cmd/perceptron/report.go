package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
	"text/tabwriter"
	"text/template"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A report describes a training and its result. Its JSON names are stable, because scripts
// read them: a new figure is a new field.
type report struct {
	Data modelfile.Data `json:"data"`

	// Streamed says that each epoch read the rows from a file, because they need more memory
	// than --memory allows. It changes the time, and no figure.
	Streamed bool `json:"streamed"`

	Features     int      `json:"features"`
	Sparse       bool     `json:"sparse,omitempty"` // rows have their non-zeros only
	Standardized bool     `json:"standardized"`     // or, if they are sparse, scaled to deviation 1
	Classes      []string `json:"classes"`
	Model        string   `json:"model"`
	training

	columns

	// Threshold is the score from which on the second of two classes is predicted. It is
	// missing if it is 0, as the training itself has it.
	Threshold float64 `json:"threshold,omitempty"`

	// Training and HeldOut measure the model that was saved, on the rows of each part.
	// Only HeldOut shows what to expect of new rows.
	Training *quality `json:"training"`
	HeldOut  *quality `json:"heldOut,omitempty"`

	unseen

	// Refit is the number of epochs of a second training, on all rows, whose model was saved. All
	// figures are about the first one, which did not learn the rows held out.
	Refit int `json:"refit,omitempty"`

	// Saved is the model's file. It is missing if the model could not be written.
	Saved    string   `json:"saved,omitempty"`
	Choices  []choice `json:"choices,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // that the model is of little use, or too good
}

// below returns a warning if an accuracy is below that of the most frequent class alone.
func below(accuracy, baseline float64) []string {
	if accuracy >= baseline {
		return nil
	}
	return []string{fmt.Sprintf("the accuracy is below that of the most frequent class alone, %.4f: the model is worse than none", baseline)}
}

// columns say what each column was taken as. Its JSON names are stable.
type columns struct {
	// Numbers are the columns of numbers. Codes are those among them with few whole numbers, with
	// the number of different ones: they may be codes.
	Numbers []string       `json:"numbers,omitempty"`
	Codes   map[string]int `json:"codes,omitempty"`

	// Words counts the words of each column of words. A column of numbers that stands here
	// has a value that is no number. Each word is a feature of 0 and 1, unless ScaledWords says that
	// these are standardized.
	Words       map[string]int `json:"words,omitempty"`
	ScaledWords bool           `json:"scaledWords,omitempty"`
	Texts       []string       `json:"text,omitempty"`
	IDF         bool           `json:"idf,omitempty"` // the words of text are weighted by how rare they are
}

// columnsOf says what the columns of a model were taken as.
func columnsOf(d *dataset) columns {
	all, at := columns{Codes: map[string]int{}, Words: map[string]int{}}, 0
	for _, c := range d.Schema.Columns {
		switch {
		case c.Text != nil:
			all.Texts, all.IDF = append(all.Texts, c.Name), c.Text.IDF != nil
		case len(c.Categories) > 0:
			all.Words[c.Name] = len(c.Categories)
			all.ScaledWords = all.ScaledWords || d.Scaling.Scale != nil && d.Scaling.Scale[at] != 1
		default:
			all.Numbers = append(all.Numbers, c.Name)
		}
		if c.Values > 0 {
			all.Codes[c.Name] = c.Values
		}
		at += c.Width()
	}
	return all
}

// unseen counts the rows with a word that training did not see, by column. Its JSON names are stable.
type unseen struct {
	UnseenRows int            `json:"unseenRows,omitempty"` // rows with such a word
	Unseen     map[string]int `json:"unseenWords,omitempty"`
}

// add counts a row.
func (u *unseen) add(r *table.Row) {
	if len(r.Unseen) > 0 {
		u.UnseenRows++
	}
	for _, column := range r.Unseen {
		if u.Unseen == nil {
			u.Unseen = map[string]int{}
		}
		u.Unseen[column]++
	}
}

// Said is what a report says about these rows.
func (u unseen) Said() string {
	return fmt.Sprintf("%s with a word that training did not see, in column %s: it counts as none of the known ones; --strict refuses it",
		table.Counted(u.UnseenRows, "row"), table.Short(slices.Sorted(maps.Keys(u.Unseen))))
}

// quality measures the predictions of some rows. Its JSON names are stable. The rows are not kept:
// counts, a sample of scores and running means are enough, so that a file may have any size. Only
// what --calibrate fits is kept, a number for each class and row held out.
type quality struct {
	metrics.Figures

	// AUC and AveragePrecision are about the scores of the Positive class, or else of the second
	// of two. They are missing for more classes, and if a class has no row. Sampled says that they are
	// from a sample of the rows.
	Positive         string   `json:"positive,omitempty"`
	AUC              *float64 `json:"auc,omitempty"`
	AveragePrecision *float64 `json:"averagePrecision,omitempty"`
	Sampled          bool     `json:"sampled,omitempty"`

	// Probabilities measures those of a model that is calibrated.
	Probabilities *metrics.Reliability `json:"probabilities,omitempty"`

	// Confusion counts the rows by true class and predicted class. The Figures follow from it. AUC,
	// AveragePrecision and Probabilities need the scores.
	Confusion [][]int `json:"confusion"`
	confusion perceptron.Confusion[int]
	scores    metrics.Scores
	outcomes  []metrics.Outcome // if they are to be calibrated
}

// measure predicts all rows, and measures each part. It predicts the raw rows of the file,
// as predict does, so the figures are those of the model that users get. One pass serves
// both parts, because reading a large file takes longer than predicting its rows.
func (d *dataset) measure() (parts [split.Parts]*quality, err error) {
	p, err := d.Predictor()
	if err != nil {
		return parts, err
	}
	for part := range parts {
		parts[part] = &quality{Positive: d.positive, confusion: metrics.NewConfusion(len(d.Classes))}
		if d.Calibration != nil {
			parts[part].Probabilities = new(metrics.Reliability)
		}
	}
	positive := d.Place(d.positive)
	if p.Two && d.positive == "" {
		positive = 1
	}
	var scores []float64 // of one row; the memory is used again
	err = d.scan("measuring", func(r *table.Row, class int, part split.Part) error {
		predicted, err := p.Predict(r.X)
		if err != nil {
			return err
		}
		q := parts[part]
		q.confusion.Counts[class][predicted]++
		if positive < 0 && d.Calibration == nil && !d.calibrates {
			return nil
		}
		if scores, err = p.Scores(scores[:0], r.X); err != nil {
			return err
		}
		// Without a positive class, more than two have no single score that orders the rows.
		if positive >= 0 {
			q.scores.Add(p.Lead(scores, positive), class == positive)
		}
		if d.calibrates && part == split.HeldOut {
			q.outcomes = append(q.outcomes, metrics.Outcome{Scores: slices.Clone(scores), Class: class})
		}
		if d.Calibration != nil {
			q.Probabilities.Add(d.Calibration.Probabilities(nil, scores), class)
		}
		return nil
	})
	for _, q := range parts {
		q.Figures, q.Confusion = metrics.FiguresOf(q.confusion, d.Classes), q.confusion.Counts
		q.AUC, q.AveragePrecision = number(q.scores.AUC()), number(q.scores.AveragePrecision())
		q.Sampled = q.scores.Sampled()
	}
	return parts, err
}

// number returns nil for a NaN or an infinity, which JSON does not have. A loss may overflow,
// and a figure may have no rows to be computed from.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

//go:embed layouts.txt
var texts string

// layouts has the reports as text, so that one place shows what they look like. A tab
// ends the cell of a table.
//
//   - report, evaluation, folds, model and separation are the texts of the commands. Each
//     begins with what was read, because a script may have passed the wrong file.
//   - figures, table and leftOut are parts of them, so that a training and an evaluation of
//     the same rows print the same lines.
//   - curves are the lines of the file of --curves.
//
// They stand in a file of their own, because a report is easier to see without Go around it.
//
// A figure has four decimals: its error on a thousand rows is larger than the fifth. The
// JSON has all digits. A table of more than 40 classes would fit no screen, so only the
// JSON has it.
var layouts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"short":   table.Short,
		"counted": table.Counted,
		"value":   func(format string, v *float64) string { return fmt.Sprintf(format, *v) },
	}).Parse(texts))
})

// show prints a report as one JSON object, or as text by its layout. Nothing is printed
// before all is computed, so a failed command prints no half of a report. The bars end
// first: they would overwrite a report on the same terminal.
func (p *program) show(asJSON bool, layout string, report any) error {
	p.bars.Shutdown()
	if asJSON {
		return writeJSON(p.stdout, report)
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	return cmp.Or(layouts().ExecuteTemplate(out, layout, report), out.Flush()) // a full disk fails both
}

// writeJSON writes v on one line. Names of classes and columns stay as they are in the file:
// the output is no web page, so that < needs no escape.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
