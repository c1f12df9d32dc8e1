package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A report describes a training and its result. Its JSON names are stable, because scripts read
// them. A new figure gets a new field.
type report struct {
	Data modelfile.Data `json:"data"`

	// Streamed says that each epoch read the rows from a file, because they need more memory than
	// --memory allows.
	Streamed bool `json:"streamed"`

	Features     int      `json:"features"`
	Waves        int      `json:"waves,omitempty"`  // further features, with which borders bend
	Sparse       bool     `json:"sparse,omitempty"` // rows have their non-zeros only
	Standardized bool     `json:"standardized"`     // or, if they are sparse, scaled to deviation 1
	Classes      []string `json:"classes"`
	Absent       []string `json:"noneHeldOut,omitempty"` // classes without a row held out
	Model        string   `json:"model"`
	training

	columns

	// Threshold is the least score with which the second of two classes is predicted. Training
	// itself uses 0, which the JSON leaves out.
	Threshold float64 `json:"threshold,omitempty"`

	// Training and HeldOut measure the model, before a Refit, on the rows of each part. Only HeldOut
	// shows what to expect of new rows.
	Training *quality `json:"training"`
	HeldOut  *quality `json:"heldOut,omitempty"`

	unseen

	// Refit is the number of epochs of a second training, on all rows, whose model was saved. All
	// figures are about the first model, which did not learn the rows held out.
	Refit int `json:"refit,omitempty"`

	// Saved is the model's file. It is missing if the model was not written.
	Saved    string   `json:"saved,omitempty"`
	Choices  []choice `json:"choices,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // say that the model is of little use, or too good
}

// below returns a warning if the accuracy is below the baseline, which is the accuracy of always
// predicting the most frequent class.
func below(accuracy, baseline float64) []string {
	if accuracy >= baseline || baseline == 1 { // nobody can be better than 1
		return nil
	}
	return []string{fmt.Sprintf("the accuracy is below that of the most frequent class alone, %.4f: the model is worse than none", baseline)}
}

// remarks returns warnings about figures that look better or worse than the model is.
func (q *quality) remarks() []string {
	all, never := below(q.Accuracy, q.Baseline), []string(nil)
	for _, c := range q.PerClass {
		if c.Rows == q.Rows {
			all = append(all, fmt.Sprintf("all rows have class %q: the accuracy is its recall", c.Class))
		} else if c.Rows > 0 && c.Predicted == 0 {
			never = append(never, c.Class)
		}
	}
	if never != nil {
		all = append(all, fmt.Sprintf("no row is predicted as class %s, though some have it", table.Short(never)))
	}
	return all
}

// columns says how each column was read. Its JSON names are stable.
type columns struct {
	// Numbers names the columns of numbers. Codes has those of them with few different values, all
	// whole numbers, and the number of these values: the values may be codes of categories.
	Numbers []string       `json:"numbers,omitempty"`
	Codes   map[string]int `json:"codes,omitempty"`

	// Words counts the different words of each column of words. If a column of numbers is listed
	// here, one of its values is not a number. Each word is a feature of 0 and 1, unless ScaledWords
	// says that these features are standardized.
	Words       map[string]int `json:"words,omitempty"`
	ScaledWords bool           `json:"scaledWords,omitempty"`
	Texts       []string       `json:"text,omitempty"`
	IDF         bool           `json:"idf,omitempty"` // the words of text are weighted by how rare they are
}

// columnsOf returns how the columns of the file were read.
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

// unseen counts the rows with a word that training did not see. Its JSON names are stable.
type unseen struct {
	UnseenRows int            `json:"unseenRows,omitempty"`  // rows with such a word in any column
	Unseen     map[string]int `json:"unseenWords,omitempty"` // rows with such a word, by column

	OutsideRows int            `json:"outsideRows,omitempty"`  // rows with a number outside of the range of training
	Outside     map[string]int `json:"outsideRange,omitempty"` // such rows, by column
	rows        int
	trained     int // rows of the training file
}

// add counts a row.
func (u *unseen) add(r *table.Row) {
	count := func(rows *int, by *map[string]int, columns []string) {
		if len(columns) > 0 {
			*rows++
		}
		if len(columns) > 0 && *by == nil {
			*by = map[string]int{}
		}
		for _, column := range columns {
			(*by)[column]++
		}
	}
	u.rows++
	count(&u.UnseenRows, &u.Unseen, r.Unseen)
	count(&u.OutsideRows, &u.Outside, r.Outside)
}

// Away returns what a report says about rows outside of the range of training, if they are more than chance. Of
// n + 1 rows like the n of training, two lie outside of the range of a column in the mean; the shares beyond
// both ends vary as this mean does.
func (u unseen) Away() string {
	chance := 2 * float64(u.rows) / float64(u.trained+1)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(u.Outside)), func(name string) bool {
		return float64(u.Outside[name]) <= chance+3*math.Sqrt(chance+chance*chance/2)
	})
	if len(names) == 0 {
		return ""
	}
	slices.SortStableFunc(names, func(a, b string) int { return u.Outside[b] - u.Outside[a] })
	return fmt.Sprintf("outside of the range of training, where no row shows the class: %d of %s, in column %s", u.OutsideRows, table.Counted(u.rows, "row"), table.ShortCounts(names, u.Outside))
}

// Said returns what a report says about the rows with unseen words.
func (u unseen) Said() string {
	names := slices.Sorted(maps.Keys(u.Unseen))
	what := "a word that training did not see, in column " + table.Short(names) + ": it"
	if strings.HasPrefix(names[0], table.Beyond) {
		what = names[0] + ", which training did not see: it"
	}
	return fmt.Sprintf("%s with %s counts as none of the known ones; --strict refuses it", table.Counted(u.UnseenRows, "row"), what)
}

// quality measures the predictions of some rows. Its JSON names are stable. It does not keep the
// rows, so that a file may have any size: counts, a sample of scores and running means are enough.
// Only --calibrate needs more memory, for the scores of each row held out.
type quality struct {
	metrics.Figures

	// AUC and AveragePrecision are about the scores of the Positive class. If Positive is empty, they
	// are about the second of two classes, and are null for more classes. They are also null if a
	// class has no row. Sampled says that they come from a sample of the rows.
	Positive         string   `json:"positive,omitempty"`
	AUC              *float64 `json:"auc,omitempty"`
	AveragePrecision *float64 `json:"averagePrecision,omitempty"`
	Sampled          bool     `json:"sampled,omitempty"`

	// Twins counts the rows held out that equal a row trained on. WithoutTwins is the accuracy on the others.
	Twins        int      `json:"twins,omitempty"`
	WithoutTwins *float64 `json:"accuracyWithoutTwins,omitempty"`

	// Probabilities measures the probabilities of a calibrated model.
	Probabilities *metrics.Reliability `json:"probabilities,omitempty"`

	// Confusion counts the rows by true class and predicted class. The Figures follow from it. AUC,
	// AveragePrecision and Probabilities need the scores.
	Confusion [][]int `json:"confusion"`
	confusion perceptron.Confusion[int]
	scores    metrics.Scores
	outcomes  []metrics.Outcome // the scores that --calibrate fits probabilities to
}

// measure predicts all rows, and measures each part. It predicts the raw rows of the file as predict
// does, so the figures describe the predictions that users get. One pass measures both parts,
// because reading a large file takes longer than predicting its rows.
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
	if len(d.Classes) == 2 && d.positive == "" {
		positive = 1
	}
	var scores []float64 // of one row; the next row reuses the memory
	same := twins{seed: maphash.MakeSeed(), heldOut: map[bool][]uint64{}}
	err = d.scan("measuring", func(r *table.Row, class int, part split.Part) error {
		sum := uint64(0)
		if d.Data.Holdout > 0 && d.folds == 0 {
			sum = same.hash(r.X, class)
		}
		predicted, err := p.Predict(r.X)
		if err != nil {
			return err
		}
		if sum != 0 {
			same.add(sum, part, predicted == class)
		}
		q := parts[part]
		q.confusion.Counts[class][predicted]++
		if positive < 0 && d.Calibration == nil && !d.calibrates {
			return nil
		}
		if scores, err = p.Scores(scores[:0], r.X); err != nil {
			return err
		}
		// With more than two classes, only the choice of a positive class gives a single score that
		// orders the rows.
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
	same.measure(parts[split.HeldOut])
	return parts, err
}

// number returns a pointer to v, or nil for NaN and infinity, which JSON does not have. A loss may
// overflow, and a figure without rows is NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

//go:embed layouts.txt
var texts string

// layouts has the templates of the reports as text. A tab ends the cell of a table.
//
//   - report, evaluation, folds, model and separation are the texts of the commands. Each
//     begins with what was read, because a script may have passed the wrong file.
//   - figures, table and leftOut are parts of these texts, so that a training and an evaluation
//     of the same rows print the same lines.
//   - curves are the lines of the file of --curves.
//
// The templates are in their own file, where they are easier to read than in Go code.
//
// A figure has four decimals, because its error on a thousand rows is larger than the fifth
// decimal. The JSON has all digits. A table of more than 40 classes does not fit on a screen, so
// the table is then only in the JSON.
var layouts = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"short":   table.Short,
		"counts":  func(of map[string]int) string { return table.ShortCounts(slices.Sorted(maps.Keys(of)), of) },
		"counted": table.Counted,
		"value":   func(format string, v *float64) string { return fmt.Sprintf(format, *v) },
	}).Parse(texts))
})

// show prints a report as one JSON object, or as text with the named layout. The whole report is
// computed before anything is printed, so that a failed command prints no part of it. The bars end
// first, because they would overwrite a report on the same terminal.
func (p *program) show(asJSON bool, layout string, report any) error {
	p.bars.Shutdown()
	if asJSON {
		return writeJSON(p.stdout, report)
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	return cmp.Or(layouts().ExecuteTemplate(out, layout, report), out.Flush()) // either call may fail to write
}

// writeJSON writes v as one line of JSON. It does not escape <, > and &, which only HTML needs, so
// that the names of classes and columns stay readable.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
