package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline/report"
)

// A measured has what a Quality is computed from. A file may have any size: counts, a sample of scores and running means
// are enough. Only --calibrate needs more memory, for the scores of each row held out.
type measured struct {
	*report.Quality
	confusion perceptron.Confusion[int]
	scores    metrics.Scores
	outcomes  []metrics.Outcome // the scores that --calibrate fits probabilities to
}

// remarks returns warnings about figures that look better or worse than the model is.
func remarks(q *report.Quality) []string {
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

// measure predicts all rows, and measures each part. It predicts the raw rows of the file as predict
// does, so the figures describe the predictions that users get. One pass measures both parts,
// because reading a large file takes longer than predicting its rows. If calibrates is true, it collects the
// outcomes of the rows held out. The scores measured are those of the class positive, or "" for the second of two.
func measure(d *dataset.Dataset, positive string, calibrates bool) (parts [split.Parts]measured, err error) {
	p, err := d.Predictor()
	if err != nil {
		return parts, err
	}
	for part := range parts {
		parts[part] = measured{Quality: &report.Quality{Positive: positive}, confusion: metrics.NewConfusion(len(d.Classes))}
		if d.Calibration != nil {
			parts[part].Probabilities = new(metrics.Reliability)
		}
	}
	ranked := d.Place(positive)
	if len(d.Classes) == 2 && positive == "" {
		ranked = 1
	}
	var scores []float64 // of one row; the next row reuses the memory
	same := twins{seed: maphash.MakeSeed(), heldOut: map[bool][]uint64{}}
	err = d.Scan("measuring", func(r *table.Row, class int, part split.Part) error {
		sum := uint64(0)
		if d.Data.Holdout > 0 && d.Folds == 0 {
			sum = same.hash(r.X, class)
		}
		predicted, err := p.Predict(r.X)
		if err != nil {
			return err
		}
		if sum != 0 {
			same.add(sum, part, predicted == class)
		}
		q := &parts[part]
		q.confusion.Counts[class][predicted]++
		if ranked < 0 && d.Calibration == nil && !calibrates {
			return nil
		}
		if scores, err = p.Scores(scores[:0], r.X); err != nil {
			return err
		}
		// With more than two classes, only the choice of a positive class gives a single score that
		// orders the rows.
		if ranked >= 0 {
			q.scores.Add(p.Lead(scores, ranked), class == ranked)
		}
		if calibrates && part == split.HeldOut {
			q.outcomes = append(q.outcomes, metrics.Outcome{Scores: slices.Clone(scores), Class: class})
		}
		if d.Calibration != nil {
			q.Probabilities.Add(d.Calibration.Probabilities(nil, scores), class)
		}
		return nil
	})
	for part := range parts {
		q := &parts[part]
		q.Figures, q.Confusion = metrics.FiguresOf(q.confusion, d.Classes), q.confusion.Counts
		q.AUC, q.AveragePrecision = number(q.scores.AUC()), number(q.scores.AveragePrecision())
		q.Sampled = q.scores.Sampled()
	}
	same.measure(parts[split.HeldOut].Quality)
	return parts, err
}

// Evaluate measures the predictions of a table's rows, with the fields of o that say how to read it, Label, Strict, All,
// Positive, Progress and Note. Of the table that p was trained on, which its bytes show, it measures the rows held out.
func (p *Predictor) Evaluate(ctx context.Context, r io.Reader, o Options) (*report.Evaluation, error) {
	w := &watch{ctx: ctx, progress: o.Progress, note: o.Note}
	src, err := w.open(r, table.Options{Format: o.Format, Header: o.Header, Comma: o.Comma, Decimal: o.Decimal})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	sum, err := src.SHA256()
	if err != nil {
		return nil, err
	}
	// The checksum identifies a training file under any name. Figures of training rows would be too
	// good, so only the rows held out are measured, unless --all is set.
	f := *p.File
	e := &report.Evaluation{Data: src.Name, Part: "all", Served: f.Data.Served, Classes: f.Classes}
	// The model may have been trained on other files too. Others leaves out this file if it is among
	// the training files, which are one more than f.Data.Earlier.
	others := f.Data.Others(sum)
	part, known := split.Training, !f.Schema.Foreign && len(others) <= len(f.Data.Earlier)
	if known && f.Data.HeldOut > 0 && !o.All {
		e.Part, e.Others, part = "heldOut", others, split.HeldOut
	} else {
		// With Holdout 0, all rows belong to the part Training.
		f.Data.Holdout = 0
		if known {
			w.tell(src.Name + ": the model was trained on these rows, so that the figures are better than on new ones")
		}
	}
	if o.Positive != "" && f.Place(o.Positive) < 0 {
		return nil, usage.Errorf("--positive is %q, want one of %s", o.Positive, table.Short(f.Classes))
	}
	d := &dataset.Dataset{Src: src, File: &f, Options: table.RowOptions{Label: o.Label, Strict: o.Strict || p.strict}, Alive: w.alive}
	parts, err := measure(d, o.Positive, false)
	if err != nil {
		return nil, err
	}
	e.Quality, e.LeftOut, e.Novelty = parts[part].Quality, d.LeftOut, d.Unseen
	// An accuracy of no rows would be 0, which looks like a bad model.
	if e.Rows == 0 {
		return nil, fmt.Errorf("%s: no rows to measure", src.Name)
	}
	e.Warnings = texts(remarks(e.Quality))
	return e, nil
}

// add adds an epoch to r and returns it. If mistakes is true, each update counts as a wrong prediction.
//
// ProgressiveError is unknown for margin and onevsrest, because the library counts only updates. margin also
// updates on rows that are predicted right, and onevsrest may update several classes on a row. A score of 0
// counts as wrong.
func add(r *report.Run, e perceptron.Epoch, mistakes bool) *report.Epoch {
	r.Stop, r.LastLoss = e.Stop.String(), number(e.Loss)
	r.LastUpdates, r.Updates = e.Mistakes, r.Updates+e.Mistakes
	if mistakes {
		r.ProgressiveError = number(float64(e.Mistakes) / float64(e.Examples))
	}
	r.Curve = append(r.Curve, report.Epoch{N: e.N, Rows: e.Examples, Updates: e.Mistakes, Loss: r.LastLoss})
	r.FirstEpoch, r.Epochs = r.Curve[0].N, len(r.Curve)
	return &r.Curve[r.Epochs-1]
}

// columnsOf returns how the columns of the file were read.
func columnsOf(d *dataset.Dataset) report.Columns {
	all, at := report.Columns{Codes: map[string]int{}, Words: map[string]int{}}, 0
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

// texts returns warnings of texts.
func texts(of ...[]string) (all []report.Remark) {
	for _, text := range slices.Concat(of...) {
		all = append(all, report.Remark{Text: text})
	}
	return all
}

// below returns a warning if the accuracy is below the baseline, which is the accuracy of always
// predicting the most frequent class.
func below(accuracy, baseline float64) []string {
	if accuracy >= baseline || baseline == 1 { // nobody can be better than 1
		return nil
	}
	return []string{fmt.Sprintf("the accuracy is below that of the most frequent class alone, %.4f: the model is worse than none", baseline)}
}

// number returns a pointer to v, or nil for NaN and infinity, which JSON does not have. A loss may
// overflow, and a figure without rows is NaN.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// twins finds the rows held out that equal a row trained on, in their class and all features. A model may
// have learned such rows by heart, so they say little about new rows. Of more than mostTwins rows it finds none,
// so that the memory for a file of any size stays small.
type twins struct {
	rows    int
	seed    maphash.Seed
	row     []byte            // of the last call
	learned []uint64          // hashes of the rows trained on
	heldOut map[bool][]uint64 // of the rows held out, by whether they are predicted right
}

// hash returns the hash of a row. The call comes before a model fills in missing values.
func (t *twins) hash(x table.Vector, class int) uint64 {
	t.row = binary.LittleEndian.AppendUint64(t.row[:0], uint64(class))
	for k, v := range x.Value {
		t.row = binary.LittleEndian.AppendUint32(t.row, uint32(x.Feature(k)))
		t.row = binary.LittleEndian.AppendUint64(t.row, math.Float64bits(v))
	}
	return maphash.Bytes(t.seed, t.row)
}

// mostTwins rows take 2 MiB.
const mostTwins = 1 << 18

// add adds a row of a part.
func (t *twins) add(sum uint64, part split.Part, right bool) {
	if t.rows++; t.rows > mostTwins {
		t.learned, t.heldOut = nil, nil
		return
	}
	if part == split.Training {
		t.learned = append(t.learned, sum)
	} else {
		t.heldOut[right] = append(t.heldOut[right], sum)
	}
}

// measure stores the number of twins among the rows held out, and the accuracy on the others.
func (t *twins) measure(q *report.Quality) {
	slices.Sort(t.learned)
	others := map[bool]float64{}
	for right, sums := range t.heldOut {
		for _, sum := range sums {
			if _, twin := slices.BinarySearch(t.learned, sum); twin {
				q.Twins++
			} else {
				others[right]++
			}
		}
	}
	if q.Twins > 0 {
		q.WithoutTwins = number(others[true] / (others[true] + others[false]))
	}
}
