package train

import "testing"

// TestCheckRows: the first row of another width is named, or the lengths.
func TestCheckRows(t *testing.T) {
	two, three := []float64{1, 2}, []float64{1, 2, 3}
	for _, c := range []struct {
		X     [][]float64
		y     []int
		d     int
		kind  error
		index int
		text  string
	}{
		{[][]float64{two, two}, []int{1, 1}, 0, nil, 0, ""},
		{[][]float64{two, two}, []int{1, 1}, 2, nil, 0, ""},
		{[][]float64{two}, []int{1, 1}, 0, ErrDimension, -1, "dimension mismatch: len(X) is 1, but len(y) is 2"},
		{nil, nil, 2, ErrEmpty, -1, "empty: no rows"},
		{[][]float64{two, three}, []int{1, 1}, 0, ErrDimension, 1, "dimension mismatch: width 3, want 2"},
		{[][]float64{two, three}, []int{1, 1}, 3, ErrDimension, 0, "dimension mismatch: width 2, want 3"},
		{[][]float64{two, {}}, []int{1, 1}, 0, ErrEmpty, 1, "empty: the row has no features"},
		{[][]float64{{}, {}}, []int{1, 1}, 0, ErrEmpty, 0, "empty: the row has no features"},
	} {
		if err := CheckRows(c.X, c.y, c.d); c.kind != nil {
			refused(t, err, c.kind, c.index, c.text)
		} else if err != nil {
			t.Errorf("%v: %v", c.X, err)
		}
	}
}

// TestCheckSigns: the first label that is neither +1 nor −1 is named.
func TestCheckSigns(t *testing.T) {
	if err := CheckSigns([]int{1, -1, 1}); err != nil {
		t.Error(err)
	}
	for label, text := range map[int]string{0: "bad label: 0, want +1 or -1", 2: "bad label: 2, want +1 or -1", -2: "bad label: -2, want +1 or -1"} {
		refused(t, CheckSigns([]int{1, label, 9}), ErrLabel, 1, text)
	}
}

// TestScoreError: the reason is the width, the first feature that is not finite, or an
// overflow.
func TestScoreError(t *testing.T) {
	refused(t, ScoreError(2, []float64{1}), ErrDimension, -1, "dimension mismatch: width 1, want 2")
	refused(t, ScoreError(2, nil), ErrEmpty, -1, "empty: the row has no features")
	refused(t, ScoreError(3, []float64{1, -inf, inf}), ErrNotFinite, -1, "not finite: feature 1 is -Inf")
	refused(t, ScoreError(2, []float64{1e308, 1e308}), ErrNotFinite, -1, "not finite: the score overflows, though every feature is finite")
}
