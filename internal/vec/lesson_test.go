package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// naiveLearn is Learn, written from its doc comment. It adds the rows that it learns to updated.
func naiveLearn(l *Lesson, w []float64, up, pos, end int, loss float64, updated map[int]bool) Outcome {
	d := len(w) - 1
	r := Outcome{Next: pos, Loss: loss}
	for r.Next < end {
		i := r.Next
		if l.Order != nil {
			i = l.Order[r.Next]
		}
		y := map[bool]float64{true: 1, false: -1}[l.Y[i] == up]
		x := naiveRow(l, i)
		window := make([]float64, len(x.Value))
		for k := range x.Value {
			window[k] = w[x.At(k)]
		}
		r.Score = naiveDot(window, x.Value) + w[d]
		margin := y * r.Score
		right := margin > l.Theta && !math.IsInf(margin, 0)
		if !right {
			if l.Halt || math.IsNaN(margin) || math.IsInf(margin, 0) {
				return r
			}
			r.Mistakes++
			updated[i] = true
			if margin < 0 {
				r.Loss -= margin
			}
			for k, v := range x.Value {
				p := y * l.Rate * v
				w[x.At(k)] += float64(p)
				window[k] = w[x.At(k)]
			}
			w[d] += y * l.Bias
			if slices.ContainsFunc(append(window, w[d]), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				return r
			}
		}
		r.Next++
	}
	return r
}

// naiveRow returns row i of a lesson.
func naiveRow(l *Lesson, i int) Row {
	if l.Sparse == nil {
		return Row{Value: l.X[i]}
	}
	return Row{Index: append([]uint32{}, l.Sparse[i].Index...), Value: l.Sparse[i].Value}
}

// lesson returns n random rows of d elements, which are in slices that have room for nothing else.
func lesson(r *rand.Rand, n, d int) *Lesson {
	l := &Lesson{Rate: 1, Halt: r.IntN(3) == 0, Fetch: r.IntN(2) == 0 && d > 0}
	if r.IntN(2) == 0 {
		l.Rate = math.Abs(r.NormFloat64())
	}
	if r.IntN(2) == 0 {
		l.Bias = l.Rate
	}
	if r.IntN(2) == 0 {
		l.Theta = r.Float64()
	}
	whole := r.IntN(2) == 0 // small integers, whose scores tie with θ
	for range n {
		x := naive.Gaussian(r, d)
		for j := range x {
			if whole {
				x[j] = float64(r.IntN(3) - 1)
			}
		}
		l.X, l.Y = append(l.X, x), append(l.Y, r.IntN(3)-1)
	}
	if r.IntN(2) == 0 {
		for range n {
			l.Order = append(l.Order, r.IntN(n))
		}
	}
	return l
}

// checkLearn compares Learn with naiveLearn, call after call.
func checkLearn(t *testing.T, r *rand.Rand, l *Lesson, w []float64) {
	t.Helper()
	n, up := len(l.Y), r.IntN(3)-1
	want := slices.Clone(w)
	got, intact := guarded(w, r.IntN(8))
	updated := map[int]bool{}
	if l.Order == nil && n%2 == 0 {
		l.Updated = make(RowSet, (n+63)/64)
	}
	for pos, loss := 0, r.Float64(); pos < n; pos++ {
		end := pos + 1 + r.IntN(n-pos)
		a, b := l.Learn(got, up, pos, end, loss), naiveLearn(l, want, up, pos, end, loss, updated)
		if naive.Same(a.Score, b.Score) { // a NaN is not equal to itself
			a.Score, b.Score = 0, 0
		}
		if a != b || !slices.EqualFunc(got, want, naive.Same) || !intact() {
			t.Fatalf("rows %d to %d of %d elements, %+v:\n%+v %v, want\n%+v %v", pos, end, len(w)-1, *l, a, got, b, want)
		}
		pos, loss = a.Next, a.Loss
	}
	for i := range 64 * len(l.Updated) {
		if has := l.Updated[i/64]>>(i%64)&1 != 0; has != updated[i] {
			t.Fatalf("row %d of %d, of %d elements: in Updated: %v, learned: %v", i, n, len(w)-1, has, updated[i])
		}
	}
}

// TestLearn compares every version of Learn with its definition, for every length.
func TestLearn(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 5))
		for d := range 40 {
			for n := range 30 {
				checkLearn(t, r, lesson(r, 1+5*n, d), naive.Gaussian(r, d+1))
			}
		}
	})
}

// TestLearnSpecial: values that are not finite, and updates that overflow, stop at the same row.
func TestLearnSpecial(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(14, 5))
		for range 4000 {
			d := 1 + r.IntN(33)
			l := lesson(r, 12, d)
			if r.IntN(2) == 0 {
				l.Rate, l.Halt = 1e300, false
				l.Bias *= 1e300
			}
			w := naive.Gaussian(r, d+1)
			if r.IntN(4) == 0 {
				l.Theta = []float64{inf, math.MaxFloat64, 5e-324, 1e300}[r.IntN(4)]
			}
			for range 1 + r.IntN(3) {
				l.X[r.IntN(12)][r.IntN(d)] = special[r.IntN(len(special))]
				w[r.IntN(d+1)] = special[r.IntN(len(special))]
			}
			checkLearn(t, r, l, w)
		}
	})
}

// TestLearnSparse: sparse rows are learned as their definition says, in vectors that fit in the second cache
// and in larger ones. Some rows have no element, and some have one that is not finite.
func TestLearnSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	for round := range 600 {
		n, d := 1+r.IntN(40), 1+r.IntN(50)
		if round%200 == 199 {
			d += SecondCache
		}
		l := lesson(r, n, 0)
		l.X, l.Sparse = nil, make([]Sparse, n)
		for i := range l.Sparse {
			x := &l.Sparse[i]
			for j := r.IntN(9); j < d; j += 1 + r.IntN(9+d/9) {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, r.NormFloat64())
			}
			if len(x.Value) > 0 && r.IntN(60) == 0 {
				x.Value[r.IntN(len(x.Value))] = special[r.IntN(len(special))]
			}
		}
		if l.Fetch = r.IntN(2) == 0; r.IntN(4) == 0 {
			l.Rate *= 1e300
		}
		checkLearn(t, r, l, make([]float64, d+1))
	}
}
