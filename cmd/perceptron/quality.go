package main

import (
	"errors"
	"math"

	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
)

// quality measures the predictions of some rows. Its JSON names are stable.
type quality struct {
	Rows             int               `json:"rows"`
	Accuracy         float64           `json:"accuracy"`
	MacroF1          float64           `json:"macroF1"`
	AUC              *float64          `json:"auc,omitempty"`              // of the second of two classes
	AveragePrecision *float64          `json:"averagePrecision,omitempty"` // likewise
	Sampled          bool              `json:"sampled,omitempty"`          // the last two are from a sample of the rows
	PerClass         []metrics.Class   `json:"perClass"`
	Confusion        metrics.Confusion `json:"confusion"`         // by true class and predicted class
	Unknown          map[string]int    `json:"unknown,omitempty"` // rows by class that the model does not know; they count as wrong
	scores           metrics.Scores
}

// measure predicts all rows, and measures each part.
func (d *dataset) measure(p *modelfile.Predictor, purpose string) (parts [split.Parts]*quality, err error) {
	for part := range parts {
		parts[part] = &quality{Confusion: metrics.NewConfusion(len(d.Classes)), Unknown: map[string]int{}}
	}
	var scores []float64
	for r, err := range d.scan(purpose) {
		if err != nil {
			return parts, err
		}
		q := parts[r.part]
		predicted, err := p.Predict(r.X)
		if err != nil {
			return parts, r.At(err)
		}
		class := d.Place(r.Class)
		if class < 0 {
			class = len(d.Classes)
			q.Unknown[r.Class]++
		}
		q.Confusion[class][predicted]++
		if p.Two {
			if scores, err = p.Scores(scores[:0], r.X); err != nil {
				return parts, r.At(err)
			}
			q.scores.Add(scores[0], class == 1)
		}
	}
	for _, q := range parts {
		q.finish(d.Classes)
	}
	return parts, nil
}

// finish computes the figures from the counts.
func (q *quality) finish(classes []string) {
	q.Accuracy, q.Rows = q.Confusion.Accuracy()
	q.PerClass = q.Confusion.Classes(classes)
	q.MacroF1 = metrics.MacroF1(q.PerClass, len(q.Unknown))
	if len(q.Unknown) == 0 {
		q.Confusion = q.Confusion[:len(classes)]
	}
	q.AUC, q.AveragePrecision = number(q.scores.AUC()), number(q.scores.AveragePrecision())
	q.Sampled = q.scores.Sampled()
}

// number returns nil for a NaN, which JSON does not have.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// errNoRows means that a file has no row to measure.
var errNoRows = errors.New("no rows to measure")
