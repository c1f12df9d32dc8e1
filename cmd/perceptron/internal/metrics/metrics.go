// Package metrics measures predictions: accuracy, precision, recall and F1 of a
// confusion matrix; the area under the ROC curve, the average precision and the best
// threshold of scores. The definitions are those of scikit-learn, so that nobody has to ask
// which of several definitions a figure has; a test compares the figures with its own.
package metrics

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"perceptron"
)

// NewConfusion returns counts of 0 for the classes 0 to n − 1. All figures about classes come from
// these counts, so that any number of rows needs little memory.
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
	Precision float64 `json:"precision"` // of the rows predicted as the class, the share that is of it
	Recall    float64 `json:"recall"`    // of the rows of the class, the share that is found
	F1        float64 `json:"f1"`        // harmonic mean of both
}

// Figures are what a confusion says about all classes. The JSON names are stable.
type Figures struct {
	Rows     int     `json:"rows"`
	Accuracy float64 `json:"accuracy"` // share of the rows that are predicted right
	Baseline float64 `json:"baseline"` // share of the rows that are of the most frequent class
	MacroF1  float64 `json:"macroF1"`  // mean F1 of the classes that occur, as a label or a prediction
	PerClass []Class `json:"perClass"`
}

// FiguresOf returns the figures of a confusion of NewConfusion. Class k has the name names[k].
func FiguresOf(c perceptron.Confusion[int], names []string) Figures {
	f, occur, sum := Figures{Accuracy: c.Accuracy()}, 0, 0.0
	for k, name := range names {
		predicted, rows := 0, 0
		for j, counts := range c.Counts {
			predicted += counts[k]
			rows += c.Counts[k][j]
		}
		f.PerClass = append(f.PerClass, Class{name, rows, c.Precision(k), c.Recall(k), c.F1(k)})
		// A class that never occurs has no F1. scikit-learn leaves it out of the mean.
		if predicted+rows > 0 {
			occur++
		}
		sum += c.F1(k)
		f.Rows += rows
	}
	for _, c := range f.PerClass {
		f.Baseline = max(f.Baseline, float64(c.Rows)/float64(max(1, f.Rows)))
	}
	f.MacroF1 = sum / float64(max(1, occur))
	return f
}

// MostScores is the number of scores that Scores holds.
const MostScores = 1 << 17

// Scores holds the scores of rows of two classes. If there are more than MostScores,
// it holds a uniform sample of that size (Vitter's Algorithm R, 1985), so that its
// memory is bounded.
type Scores struct {
	rows []scored
	n    int
	draw rand.PCG
}

// scored is the score of a row, and whether the row is positive. Other rows are those of
// the other class, or of all others.
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
	// The remainder is not quite uniform, by less than 2⁻³⁰ for any file that can be read.
	if i := s.draw.Uint64() % uint64(s.n); i < MostScores {
		s.rows[i] = scored{score, positive}
	}
}

// Sampled reports whether the scores are a sample of those that were added.
func (s *Scores) Sampled() bool { return s.n > len(s.rows) }

// A Point describes the rows whose score is at least the threshold. All curves and areas follow
// from the Points, so that ties are treated in one place.
type Point struct {
	Threshold float64
	True      int // positive rows
	False     int // other rows
}

// Points yields a Point for each different score, from the highest. The last one has
// all rows. Rows of equal scores are one Point, because no threshold divides them.
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

// AUC returns the area under the ROC curve: the share of the pairs of a positive and
// another row in which the positive one has the greater score; ties count half. It is
// NaN unless both kinds of rows occur.
func (s *Scores) AUC() float64 {
	area, last := 0.0, Point{}
	for p := range s.Points() {
		area += float64(p.False-last.False) * float64(p.True+last.True) / 2
		last = p
	}
	return area / (float64(last.True) * float64(last.False))
}

// AveragePrecision returns Σ (Rₙ − Rₙ₋₁)Pₙ over the points, with recall R and
// precision P. It is NaN if no row is positive.
func (s *Scores) AveragePrecision() float64 {
	sum, last := 0.0, Point{}
	for p := range s.Points() {
		sum += float64(p.True-last.True) * float64(p.True) / float64(p.True+p.False) // each point has a row
		last = p
	}
	return sum / float64(last.True)
}

// BestF1 returns the threshold with the highest F1 of the positive rows. It lies
// halfway between two scores, as far as possible from both, because new rows have other
// scores. Of equally good ones it is the nearest to 0, the threshold of the training.
func (s *Scores) BestF1() (threshold float64) {
	points := slices.Collect(s.Points())
	best := -1.0
	for i, p := range points {
		cut := p.Threshold
		if i+1 < len(points) {
			next := points[i+1].Threshold
			if middle := cut/2 + next/2; middle > next { // or else no number lies between the two
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
