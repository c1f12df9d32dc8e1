package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron"
)

// TestFigures compares with a table computed by hand.
func TestFigures(t *testing.T) {
	c := perceptron.Confusion[int]{Classes: []int{0, 1, 2}, Counts: [][]int{{3, 1, 0}, {2, 4, 0}, {0, 5, 0}}}
	f := FiguresOf(c, []string{"a", "b", "c"})
	for k, want := range []string{"a 4 0.6 0.75 0.6666666666666666", "b 6 0.4 0.6666666666666666 0.5", "c 5 0 0 0"} {
		s := f.PerClass[k]
		if line := fmt.Sprint(s.Class, " ", s.Rows, s.Precision, s.Recall, s.F1); line != want {
			t.Errorf("%s, want %s", line, want)
		}
	}
	if f.Accuracy != 7.0/15 || f.Rows != 15 || math.Abs(f.MacroF1-7.0/18) > 1e-15 {
		t.Errorf("accuracy %v of %d rows, macro F1 %v, want 7/15 of 15 and 7/18", f.Accuracy, f.Rows, f.MacroF1)
	}
	for _, c := range []struct {
		counts [][]int
		f1     float64
	}{
		{[][]int{{4, 0, 0}, {0, 0, 0}, {0, 0, 4}}, 1},      // a class that never occurs does not count
		{[][]int{{4, 1, 0}, {0, 0, 0}, {0, 0, 0}}, 4. / 9}, // one that is only predicted does, with F1 0
		{NewConfusion(3).Counts, 0},
	} {
		if f := FiguresOf(perceptron.Confusion[int]{Classes: []int{0, 1, 2}, Counts: c.counts}, []string{"a", "b", "c"}); math.Abs(f.MacroF1-c.f1) > 1e-15 {
			t.Errorf("%v: macro F1 %v, want %v", c.counts, f.MacroF1, c.f1)
		}
	}
}

// naive computes AUC by all pairs, and average precision and the best F1 by all
// thresholds.
func naive(rows []scored) (auc, ap, f1 float64) {
	pairs, positive := 0.0, 0
	var cuts []float64
	for _, r := range rows {
		cuts = append(cuts, r.score)
		if !r.positive {
			continue
		}
		positive++
		for _, s := range rows {
			if !s.positive {
				pairs++
				switch {
				case r.score > s.score:
					auc++
				case r.score == s.score:
					auc += 0.5
				}
			}
		}
	}
	slices.Sort(cuts)
	slices.Reverse(cuts)
	recall := 0.0
	for _, cut := range slices.Compact(cuts) {
		found, predicted := 0, 0
		for _, r := range rows {
			if r.score >= cut {
				predicted++
				if r.positive {
					found++
				}
			}
		}
		now := float64(found) / float64(positive)
		ap += (now - recall) * float64(found) / float64(predicted)
		recall = now
		f1 = max(f1, ratio(2*found, predicted+positive))
	}
	return auc / pairs, ap, f1
}

// TestScores compares with all pairs and all thresholds, with many ties.
func TestScores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	close := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
	for range 500 {
		var s Scores
		for range 1 + r.IntN(12) {
			s.Add(float64(r.IntN(9)-4), r.IntN(2) == 0)
		}
		auc, ap, f1 := naive(s.rows)
		if !close(s.AUC(), auc) || !close(s.AveragePrecision(), ap) {
			t.Fatalf("%v: AUC %v, want %v; average precision %v, want %v", s.rows, s.AUC(), auc, s.AveragePrecision(), ap)
		}
		cut, found, predicted, positive := s.BestF1(), 0, 0, 0
		for _, row := range s.rows {
			if row.positive {
				positive++
			}
			if row.score >= cut {
				predicted++
				if row.positive {
					found++
				}
			}
			if row.score == cut && len(s.rows) > 1 && cut != slices.MinFunc(s.rows, func(a, b scored) int { return int(a.score - b.score) }).score {
				t.Fatalf("%v: threshold %v is a score, not between two", s.rows, cut)
			}
		}
		if !close(ratio(2*found, predicted+positive), f1) {
			t.Fatalf("%v: F1 %v from %v on, want %v", s.rows, ratio(2*found, predicted+positive), cut, f1)
		}
	}
	var tie Scores // the thresholds 3 and -1 have the F1 2/3
	for score, positive := range map[float64]bool{5: true, 1: false, 0.5: false, -1: true} {
		tie.Add(score, positive)
	}
	if cut := tie.BestF1(); cut != -1 {
		t.Errorf("threshold %v, want the one nearest to 0, -1", cut)
	}
	var s Scores // neighbours: no number lies between them
	s.Add(1, false)
	s.Add(math.Nextafter(1, 2), true)
	if cut := s.BestF1(); cut != math.Nextafter(1, 2) {
		t.Errorf("threshold %v", cut)
	}
}

// TestSample: the memory is bounded, and the sample is uniform over the whole stream.
func TestSample(t *testing.T) {
	var s Scores
	const n = 3 * MostScores
	for i := range n {
		s.Add(float64(i), i%3 == 0)
	}
	if !s.Sampled() || len(s.rows) != MostScores {
		t.Fatalf("%d of %d rows, sampled %v", len(s.rows), n, s.Sampled())
	}
	positive, late := 0, 0
	for _, r := range s.rows {
		if r.positive {
			positive++
		}
		if r.score >= n/3*2 {
			late++
		}
	}
	for _, count := range []int{positive, late} { // 5 standard deviations around a third
		if math.Abs(float64(count)-MostScores/3.0) > 5*math.Sqrt(MostScores*2.0/9) {
			t.Errorf("%d of %d, want a third", count, MostScores)
		}
	}
	if auc := s.AUC(); math.Abs(auc-0.5) > 0.02 {
		t.Errorf("AUC %v", auc)
	}
}

// ratio returns a/b.
func ratio(a, b int) float64 { return float64(a) / float64(b) }
