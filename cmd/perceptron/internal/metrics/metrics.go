// Package metrics measures predictions: accuracy, precision, recall and F1 of a
// confusion matrix; the area under the ROC curve, the average precision and the best
// threshold of scores. There are several definitions of some figures; this package uses those
// of scikit-learn. A test compares its figures with scikit-learn's.
package metrics

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"perceptron"
)

// NewConfusion returns a confusion matrix of zeros for the classes 0 to n − 1. All figures about
// classes come from its counts, so that the memory does not grow with the rows.
func NewConfusion(n int) (c perceptron.Confusion[int]) {
	for k := range n {
		c.Classes, c.Counts = append(c.Classes, k), append(c.Counts, make([]int, n))
	}
	return c
}

// A Class holds the quality of the predictions of one class. A ratio without a
// denominator is 0.
type Class struct {
	Class     string  `json:"class"`
	Rows      int     `json:"rows"`
	Precision float64 `json:"precision"` // of the rows predicted as the class, the share that is right
	Recall    float64 `json:"recall"`    // of the rows of the class, the share that is predicted as it
	F1        float64 `json:"f1"`        // harmonic mean of precision and recall
	Predicted int     `json:"-"`         // rows predicted as the class
}

// Figures are measures of a confusion matrix. The JSON names are stable.
type Figures struct {
	Rows     int     `json:"rows"`
	Accuracy float64 `json:"accuracy"`       // share of the rows that are predicted right
	Baseline float64 `json:"baseline"`       // share of the rows that are of the most frequent class
	MacroF1  float64 `json:"macroF1"`        // mean F1 of the classes that occur, as a label or a prediction
	Occur    int     `json:"macroF1Classes"` // number of these classes
	PerClass []Class `json:"perClass"`
}

// FiguresOf returns the figures of a confusion matrix that NewConfusion returned. Class k has the
// name names[k].
func FiguresOf(c perceptron.Confusion[int], names []string) Figures {
	f, sum := Figures{Accuracy: c.Accuracy()}, 0.0
	for k, name := range names {
		predicted, rows := 0, 0
		for j, counts := range c.Counts {
			predicted += counts[k]
			rows += c.Counts[k][j]
		}
		f.PerClass = append(f.PerClass, Class{name, rows, c.Precision(k), c.Recall(k), c.F1(k), predicted})
		// A class that never occurs has no F1. It is not in the mean, as in scikit-learn.
		if predicted+rows > 0 {
			f.Occur++
		}
		sum += c.F1(k)
		f.Rows += rows
	}
	for _, c := range f.PerClass {
		f.Baseline = max(f.Baseline, float64(c.Rows)/float64(max(1, f.Rows)))
	}
	f.MacroF1 = sum / float64(max(1, f.Occur))
	return f
}

// MostScores is the number of scores that Scores holds.
const MostScores = 1 << 17

// Scores holds the scores of rows that are positive or not. If more than MostScores are added, it
// holds a uniform sample of MostScores (Vitter's Algorithm R, 1985), so that its memory is bounded.
type Scores struct {
	rows []scored
	n    int
	draw rand.PCG
}

// scored has the score of a row, and says whether the row is positive. All other classes, one or
// more, are not positive.
type scored struct {
	score    float64
	positive bool
}

// Add adds the score of a row. Positive rows should have the greater scores.
func (s *Scores) Add(score float64, positive bool) {
	s.n++
	if len(s.rows) < MostScores {
		s.rows = append(s.rows, scored{score, positive})
		return
	}
	// The remainder is not exactly uniform: relative to 1/n, the error is below n/2⁶⁴. That is
	// less than 2⁻³⁰ for up to 2³⁴ rows.
	if i := s.draw.Uint64() % uint64(s.n); i < MostScores {
		s.rows[i] = scored{score, positive}
	}
}

// Sampled reports whether the scores are a sample of those that were added.
func (s *Scores) Sampled() bool { return s.n > len(s.rows) }

// A Point counts the rows whose score is at least the threshold. All curves and areas are computed
// from Points, so that only Points must handle ties.
type Point struct {
	Threshold float64
	True      int // positive rows
	False     int // other rows
}

// Points yields a Point for each different score, in descending order. The last Point has all
// rows. Rows of equal scores share a Point, because no threshold divides them.
func (s *Scores) Points() iter.Seq[Point] {
	slices.SortFunc(s.rows, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return func(yield func(Point) bool) {
		var p Point
		for i, r := range s.rows {
			if p.Threshold = r.score; r.positive {
				p.True++
			} else {
				p.False++
			}
			if (i+1 == len(s.rows) || s.rows[i+1].score != r.score) && !yield(p) {
				return
			}
		}
	}
}

// AUC returns the area under the ROC curve. This is the share of the pairs of a positive row and
// another row in which the positive row has the greater score; ties count half. AUC returns NaN
// unless both kinds of rows occur.
func (s *Scores) AUC() float64 {
	area, last := 0.0, Point{}
	for p := range s.Points() {
		area += float64(p.False-last.False) * float64(p.True+last.True) / 2
		last = p
	}
	return area / (float64(last.True) * float64(last.False))
}

// AveragePrecision returns Σ (Rₙ − Rₙ₋₁)Pₙ over the Points, where Rₙ is the recall and Pₙ the
// precision of Point n. It returns NaN if no row is positive.
func (s *Scores) AveragePrecision() float64 {
	sum, last := 0.0, Point{}
	for p := range s.Points() {
		sum += float64(p.True-last.True) * float64(p.True) / float64(p.True+p.False) // not 0/0: each Point has a row
		last = p
	}
	return sum / float64(last.True)
}

// BestF1 returns the threshold with the highest F1 of the positive rows. New rows have other
// scores, so the threshold is halfway between two scores, or the lowest score. If several
// thresholds are best, BestF1 returns the nearest to 0, which is the threshold of training.
func (s *Scores) BestF1() (threshold float64) {
	points := slices.Collect(s.Points())
	best := -1.0
	for i, p := range points {
		cut := p.Threshold
		if i+1 < len(points) {
			next := points[i+1].Threshold
			if middle := cut/2 + next/2; middle > next { // false if no float64 is between the two scores
				cut = middle
			}
		}
		f1 := float64(2*p.True) / float64(p.True+p.False+points[len(points)-1].True)
		if f1 > best || f1 == best && math.Abs(cut) < math.Abs(threshold) {
			best, threshold = f1, cut
		}
	}
	return threshold
}
