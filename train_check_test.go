package perceptron

import (
	"fmt"
	"math"
	"testing"

	"perceptron/internal/train"
)

// TestErrorRows: every call rejects bad rows and labels, also as the first example
// of a late class.
func TestErrorRows(t *testing.T) {
	start, huge := fields{"Start": Hyperplane{Weights: []float64{1, 1}}}, [][]float64{{math.MaxFloat64, math.MaxFloat64}}
	y, one, wide, none := []int{1, -1, 1, 1}, []int{1}, [][]float64{{1, 2, 3}, {3, 2, 1}}, [][]float64{nil, nil}
	show(t, 2, []fault{
		{"", anew, nil, bad(1, 2, 3), y, want{ErrDimension, 2, "dimension mismatch: width 3, want 2"}},
		{"", anew, nil, bad([]float64{}...), y, want{ErrEmpty, 2, "empty: the row has no features"}},
		{"", anew, nil, none, y[:2], want{ErrEmpty, 0, "empty: the row has no features"}},
		{"", anew, nil, bad(math.NaN(), 0), y, want{ErrNotFinite, 2, "not finite: feature 0 is NaN"}},
		{"", anew, nil, bad(0, inf)[2:], y[1:3], want{ErrNotFinite, 0, "not finite: feature 1 is +Inf"}},
		{"multi", anew, nil, bad(-inf, inf), []int{1, -1, 9, 1}, want{ErrNotFinite, 2, "not finite: feature 0 is -Inf"}},
		{"multi", "Fit", nil, bad(1, 1), []int{7, 7, 7, 7}, want{ErrLabel, -1, "bad label: every label is 7, want at least two classes"}},
		{"binary", anew, nil, bad(1, 1), []int{1, -1, 0, 1}, want{ErrLabel, 2, "bad label: 0, want +1 or -1"}},
		{"", "Fit Epochs", nil, bad(1, 1), one, want{ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1"}},
		{"", "Fit Epochs", nil, nil, nil, want{ErrEmpty, -1, "empty: no rows"}},
		{" trained", resume, nil, wide, y[:2], want{ErrDimension, 0, "dimension mismatch: width 3, want 2"}},
		{" trained", "Learn Update", nil, huge, one, want{ErrNotFinite, 0, scoreText}},
		{" trained", read, nil, huge, nil, want{ErrNotFinite, -1, scoreText}},
		{" trained", read, nil, wide, nil, want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}},
		{" trained", read, nil, none, nil, want{ErrEmpty, -1, "empty: the row has no features"}},
		{" untrained", read, nil, none, nil, want{ErrUntrained, -1, "untrained model: it has seen no example"}},
		{" untrained", read, start, bad(), nil, want{ErrUntrained, -1, "untrained model: it has seen no example"}},
		{" untrained", "Fit Epochs", start, wide, y[:2], want{ErrDimension, -1, "dimension mismatch: Start has width 2, but the rows have 3"}},
		{" untrained", "Learn Update", start, wide, y[:2], want{ErrDimension, 0, "dimension mismatch: Start has width 2, but the rows have 3"}},
	})
	var faults []fault
	for i := range 3 * 40 { // each value in every coordinate of a wide row
		set, v := noisy(23, 3, 40), []float64{math.NaN(), inf, -inf}[i%3]
		set.X[2][i/3] = v
		text := fmt.Sprintf("not finite: feature %d is %v", i/3, v)
		faults = append(faults, fault{"", anew, nil, set.X, set.y, want{ErrNotFinite, 2, text}},
			fault{" trained", read, nil, set.X[2:], nil, want{ErrNotFinite, -1, text}})
	}
	show(t, 40, faults)
}

// TestErrorOverflow: finite features whose scores, updates or sums overflow.
func TestErrorOverflow(t *testing.T) {
	const update, sum = "not finite: the update overflows, though every feature is finite", "not finite: the sum of the iterates overflows"
	overflow := func(m model, list string, X [][]float64, y []int, index int, text string) {
		w, c := want{ErrNotFinite, index, text}, copyOf(m)
		w.of(t, m, X, y, list)
		accept.of(t, c, [][]float64{{1e-300}, {-1e-300}}, []int{1, -1}, "Fit")
		w.of(t, c, X, y, "Fit")
	}
	two, long, yes, differ := [][]float64{{1e300}, {1e300}}, [][]float64{{1e200}, {0}}, []int{1, 1, -1}, []int{1, -1}
	overflow(new(Online), "Fit Learn Update", two, yes[:2], 1, scoreText)
	overflow(new(OneVsRest), "Fit Learn Update", two, differ, 1, scoreText)
	overflow(new(Batch), "Fit", two, yes[:2], 0, scoreText)
	overflow(&Online{Keep: Pocket, Start: Hyperplane{Weights: []float64{1e300}}}, anew, two, yes[:2], 0, scoreText)
	overflow(&Online{Rate: 1e200}, anew, long, differ, 0, update)
	overflow(&Online{Order: Sampled, Seed: 8}, "Fit", [][]float64{{1}, {-1}, {inf}}, []int{1, -1, 1}, 2, "not finite: feature 0 is +Inf") // in the confirmation
	overflow(&Batch{Rate: 1e200}, anew, long, differ, -1, update)
	overflow(new(Margin), anew, long, differ, 0, update)           // R²
	overflow(&Margin{Gamma: 1e300}, anew, long, differ, 0, update) // γ′‖(w, b)‖
	average, ones := &Online{Keep: Average, Space: Linear, Rate: 1e308}, [][]float64{{1}, {1}, {1}}
	overflow(average, anew, ones, yes, 2, sum)
	must(average.Fit(ones[:2], yes[:2]))(t) // 1e308 + 1e308 overflows, but not the mean
	if h := average.Hyperplane(); h.Weights[0] != 1e308 {
		t.Errorf("the mean of 1e308 and 1e308 is %v", h.Weights[0])
	}
}

// TestBadInput: unusual input with a defined result.
func TestBadInput(t *testing.T) {
	for name, m := range zoo(t, 2) {
		if c := copyOf(m); len(methods(m, "Learn")) > 0 {
			want{ErrEmpty, -1, "empty: the iterator is nil"}.check(t, only(c.(streamer).Learn(nil)))
			e := must(c.(streamer).Learn(pairs(nil, nil)))(t) // a pass of no examples
			if now := stateOf(c); e != (Epoch{N: now.Passes}) || now.Width == 0 && e.N != 1 {
				t.Errorf("%s: an empty stream is %+v", name, e)
			} else if now.Width == 0 {
				want{ErrUntrained, -1, "untrained model: it has seen no example"}.of(t, c, xor.X, nil, read)
			} else if edit(t, c, func(s *train.State) { s.Passes-- }); snapshot(c) != snapshot(m) {
				t.Errorf("%s has learned from an empty stream", name)
			}
		}
		accept.of(t, copyOf(m), [][]float64{{1, 2}, {2, 1}}, []int{-1, -1}, map[bool]string{true: anew, false: resume}[name[0] == 'b']) // one class
		set := noisy(28, 9, 2)
		accept.of(t, m, set.X, set.y, "Fit")
		before := snapshot(m)
		set.X[0][0], set.X[3][1], set.y[5] = math.NaN(), inf, 77 // the caller changes its rows
		if snapshot(m) != before {
			t.Errorf("%s keeps the rows", name)
		}
		if o, ok := m.(*OneVsRest); ok {
			dst := []float64{42}
			if got, err := o.Scores(dst, set.X[0]); err == nil || len(got) != 1 || &got[0] != &dst[0] || got[0] != 42 {
				t.Errorf("%s: Scores = %v, %v, want dst as it was", name, got, err)
			}
		}
	}
}

// TestStreamLabels: a binary model learns no label but +1 and −1, whatever its
// sign, and even if its square overflows.
func TestStreamLabels(t *testing.T) {
	for _, m := range []model{new(Online), new(Margin), &Margin{Gamma: 0.1}, &Online{Keep: Average}} {
		accept.of(t, m, [][]float64{{1, 2}}, []int{1}, "Learn")
		for _, label := range []int{0, 2, -2, 3, -3, math.MaxInt, -math.MaxInt, math.MinInt, 1 << 16, 1<<16 + 1, math.MaxInt / 2} {
			for _, sign := range []float64{1, -1} {
				x := [][]float64{{9 * sign, 9 * sign}}
				w := want{ErrLabel, -1, fmt.Sprintf("bad label: %d, want +1 or -1", label)}
				w.of(t, m, x, []int{label}, "Update")
				w.index = 0
				w.of(t, m, x, []int{label}, "Learn")
			}
		}
	}
}

// bad returns four rows. The third is row.
func bad(row ...float64) [][]float64 { return [][]float64{{1, 2}, {-1, -2}, row, {2, 1}} }
