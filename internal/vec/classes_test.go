package vec

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// classesOf returns Classes that hold the vectors w, each with its b last, for the classes 0, -1,
// -2, …
func classesOf(c *Classes, w [][]float64) *Classes {
	classes := make([]int, len(w))
	for i := range classes {
		classes[i] = -i
	}
	c.Reset(classes, len(w[0])-1)
	for i, v := range w {
		c.Set(i, slices.Clone(v))
	}
	return c
}

// scoresOf returns the scores of a row of the own-th class, and whether it is right.
func (c *Classes) scoresOf(x []float64, own int, theta float64) (scores []float64, right bool) {
	right = c.Scan(&Lesson{X: [][]float64{x}, Y: []int{-own}, Theta: theta}, 0, 1) == 1
	return c.Scores, right
}

// checkClasses compares the scores of a row with Dot's and b, for k vectors of d elements, and the
// verdict with its definition.
func checkClasses(t *testing.T, r *rand.Rand, c *Classes, k, d int) {
	t.Helper()
	specials := r.IntN(3)
	w := make([][]float64, k)
	for i := range w {
		w[i], _ = vectors(r, d+1, specials)
		if specials == 2 && r.IntN(4) == 0 {
			clear(w[i])
			w[i][d] = special[1] // −0
		}
	}
	x, _ := vectors(r, d, specials*r.IntN(2))
	x, intact := guarded(x, k%8)
	own := r.IntN(k)
	classesOf(c, w)
	want := naiveScores(w, x)
	best := math.Inf(-1) // of the others
	for i, s := range want {
		if i != own {
			best = max(best, s) // a NaN stays
		}
	}
	for _, theta := range []float64{0, want[own] - best, math.Nextafter(want[own]-best, -1), 1} {
		if !(theta >= 0) {
			continue
		}
		scores, right := c.scoresOf(x, own, theta)
		for i, s := range scores {
			if !naive.Same(s, want[i]) {
				t.Fatalf("%d vectors of %d elements: score %d is %v, want %v", k, d, i, s, want[i])
			}
		}
		if verdict := rightAmong(want, own, theta); right != verdict {
			t.Fatalf("scores %v: the %d-th with θ = %v is right: %v, want %v", want, own, theta, right, verdict)
		}
	}
	if !intact() {
		t.Fatalf("%d vectors of %d elements: written outside", k, d)
	}
}

// naiveScores returns the scores of x with vectors that have their b last.
func naiveScores(w [][]float64, x []float64) (scores []float64) {
	for _, v := range w {
		scores = append(scores, naiveDot(v[:len(x)], x)+v[len(x)])
	}
	return scores
}

// rightAmong reports whether the own-th score exceeds each other by more than theta, and all
// differences are finite.
func rightAmong(scores []float64, own int, theta float64) bool {
	for i, s := range scores {
		if m := scores[own] - s; i != own && !(m > theta && IsFinite(m)) {
			return false
		}
	}
	return IsFinite(scores[own])
}

// TestClasses compares every version of Scores with the naive sums, for every length and number
// of vectors.
func TestClasses(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 5))
		var c Classes
		for d := range 70 {
			for k := 1; k <= 70; k++ {
				if os.Getenv("PERCEPTRON_FULL") != "" || r.IntN(5) == 0 { // else a fifth
					checkClasses(t, r, &c, k, d)
				}
			}
		}
		for d := 70; d < 600; d++ {
			checkClasses(t, r, &c, 1+r.IntN(20), d)
		}
	})
}

// TestClassesRight: of scores that are small integers, ties and differences of θ are not right. A
// difference of the largest float64 is right, but not one of infinity.
func TestClassesRight(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 5))
		var c Classes
		verdicts := map[bool]int{}
		for range 20000 {
			w := make([][]float64, 1+r.IntN(20))
			scores := make([]float64, len(w))
			own, theta := r.IntN(len(w)), float64(r.IntN(2))
			for i := range w {
				if scores[i] = float64(r.IntN(3)); i == own {
					scores[i] += float64(r.IntN(4))
				}
				w[i] = []float64{1, scores[i] - 1}
			}
			for range 2 * (r.IntN(10) / 9) {
				i := r.IntN(len(w))
				scores[i] = []float64{inf, -inf, math.MaxFloat64, -math.MaxFloat64}[r.IntN(4)]
				w[i][1] = scores[i]
			}
			want := rightAmong(scores, own, theta)
			if _, right := classesOf(&c, w).scoresOf([]float64{1}, own, theta); right != want {
				t.Fatalf("scores %v: the %d-th with θ = %v is right: %v", scores, own, theta, right)
			}
			verdicts[want]++
		}
		if min(verdicts[true], verdicts[false]) < 5000 {
			t.Errorf("verdicts %v", verdicts)
		}
	})
}

// TestClassesMove: a vector replaces one alone. One moves as by Axpy, no other does, and it is
// reported if it is not finite.
func TestClassesMove(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(12, 5))
		finite := map[bool]int{}
		for range 3000 {
			d, k := r.IntN(40), 2+r.IntN(20)
			var w [][]float64
			for range k {
				v, _ := vectors(r, d+1, 0)
				w = append(w, v)
			}
			x, _ := vectors(r, d, r.IntN(3)*r.IntN(2))
			i, step, bias := r.IntN(k), r.NormFloat64(), r.NormFloat64()
			if r.IntN(8) == 0 { // one element overflows
				w[i][r.IntN(d+1)] = math.MaxFloat64
				step, bias = math.MaxFloat64, math.MaxFloat64
			}
			c, other := classesOf(new(Classes), w), r.IntN(k)
			w[other], _ = vectors(r, d+1, 0)
			c.Set(other, w[other])
			moved := slices.Clone(w[i])
			got, want := c.Move(i, step, x, bias), Axpy(moved[:d], moved[:d], step, x)
			moved[d] += bias
			w[i] = moved
			if finite[got]++; got != (want && IsFinite(moved[d])) {
				t.Fatalf("step %v of %v: finite is %v", step, x, got)
			}
			for j, v := range w {
				got := make([]float64, d+1)
				c.Get(j, got)
				if !slices.EqualFunc(got, v, naive.Same) {
					t.Fatalf("vector %d of %d, after %d moved, is %v, want %v", j, k, i, got, v)
				}
			}
		}
		if min(finite[true], finite[false]) < 100 {
			t.Errorf("finite: %v", finite)
		}
	})
}

// TestClassesZero: a score of zeros of either sign has the sign of Dot's.
func TestClassesZero(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		zeros := special[:2]
		r := rand.New(rand.NewPCG(10, 5))
		for d := range 100 {
			for range 20 {
				w, x := make([]float64, d+1), make([]float64, d)
				all := r.IntN(3) // zeros of both signs, of one sign, or products all −0
				for j := range x {
					x[j], w[j] = zeros[r.IntN(2)], zeros[r.IntN(2)]
					if all > 0 {
						x[j], w[j] = zeros[0], zeros[all-1]
					}
				}
				w[d] = zeros[r.IntN(2)]
				for _, k := range []int{2, 5} { // in groups of 4, and of 8
					scores, _ := classesOf(new(Classes), slices.Repeat([][]float64{w}, k)).scoresOf(x, 0, 0)
					if !naive.SameBits(scores[k-1], naiveDot(w[:d], x)+w[d]) {
						t.Fatalf("the score of %v with %v is %v", x, w, scores[k-1])
					}
				}
			}
		}
	})
}

// TestScan: the rows up to the first that is not right are skipped, in any order.
func TestScan(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(15, 5))
		var c Classes
		skipped := 0
		for range 1000 {
			d, k, n := 1+r.IntN(36), 1+r.IntN(20), 1+r.IntN(60)
			w := make([][]float64, k)
			for i := range w {
				w[i] = naive.Gaussian(r, d+1)
			}
			l := lesson(r, n, d)
			for i, x := range l.X {
				scores := naiveScores(w, x)
				if l.Y[i] = -slices.Index(scores, slices.Max(scores)); r.IntN(20) == 0 {
					l.Y[i] = -r.IntN(k)
				}
			}
			l.Theta *= 0.1
			classesOf(&c, w)
			for pos := 0; pos < n; pos++ {
				end := pos + 1 + r.IntN(n-pos)
				want := pos
				for ; want < end; want++ {
					i := want
					if l.Order != nil {
						i = l.Order[i]
					}
					if !rightAmong(naiveScores(w, l.X[i]), -l.Y[i], l.Theta) {
						break
					}
				}
				got := c.Scan(l, pos, end)
				if got != want {
					t.Fatalf("%d classes, %d elements, rows %d to %d: stopped at %d, want %d", k, d, pos, end, got, want)
				}
				skipped += got - pos
				pos = got
			}
		}
		if skipped < 1000 {
			t.Errorf("%d rows were right", skipped)
		}
	})
}

// TestScanAlone: Scan stops at a row that a lone vector has wrong, and changes no vector, even if the
// lesson asks Learn for updates.
func TestScanAlone(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		for _, d := range []int{1, 7, ShortRow, ShortRow + 1} {
			var c Classes
			w := slices.Repeat([]float64{1}, d+1)
			classesOf(&c, [][]float64{w})
			c.Thetas = []float64{0}
			up := c.classes[0]
			l := &Lesson{X: [][]float64{w[:d], w[:d], w[:d]}, Y: []int{up, up - 1, up}, Rate: 1, Bias: 1}
			got := make([]float64, d+1)
			if next := c.Scan(l, 0, 3); next != 1 {
				t.Errorf("%d elements: stopped at %d, want 1", d, next)
			}
			if c.Get(0, got); !slices.Equal(got, w) || c.Scores[0] != float64(d+1) {
				t.Errorf("%d elements: the vector is %v and the score %v", d, got, c.Scores)
			}
		}
	})
}

// TestClassesAllocates: Scores, Set, Get and Move allocate nothing. Reset to a smaller size
// allocates nothing either.
func TestClassesAllocates(t *testing.T) {
	eachVersion(t, func(t *testing.T) {
		w := slices.Repeat([][]float64{make([]float64, 41)}, 20)
		c := classesOf(new(Classes), w)
		x, ten, twenty := make([]float64, 40), make([]int, 10), make([]int, 20)
		l := &Lesson{X: [][]float64{x}, Y: []int{0}}
		if n := testing.AllocsPerRun(10, func() {
			c.Scan(l, 0, 1)
			c.Move(1, 1, x, 1)
			c.Move(2, -1, x, -1)
			c.Get(1, w[1])
			c.Set(1, w[1])
			c.Reset(ten, 70)
			c.Reset(twenty, 40)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
