package vec

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// classesOf returns Classes that hold the vectors w, each with its b last.
func classesOf(c *Classes, w [][]float64) *Classes {
	c.Reset(len(w), len(w[0])-1)
	for i, v := range w {
		c.Set(i, v)
	}
	return c
}

// checkClasses compares the scores of a row with Dot's and b, for k vectors of d elements.
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
	x, intactX := guarded(x, k%8)
	dst, intactDst := guarded(make([]float64, k), k/8%8)
	classesOf(c, w).Scores(dst, x)
	for i, v := range w {
		if want := naiveDot(v[:d], x) + v[d]; !same(dst[i], want) {
			t.Fatalf("%d vectors of %d elements: score %d is %v, want %v", k, d, i, dst[i], want)
		}
	}
	if !intactX() || !intactDst() {
		t.Fatalf("%d vectors of %d elements: written outside", k, d)
	}
}

// TestClasses compares every form of Scores with the naive sums, for every length and number
// of vectors.
func TestClasses(t *testing.T) {
	eachForm(t, func(t *testing.T) {
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

// TestClassesZero: a score of zeros of either sign has the sign of Dot's.
func TestClassesZero(t *testing.T) {
	eachForm(t, func(t *testing.T) {
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
				dst := make([]float64, 1)
				if classesOf(new(Classes), [][]float64{w}).Scores(dst, x); !sameBits(dst[0], naiveDot(w[:d], x)+w[d]) {
					t.Fatalf("the score of %v with %v is %v", x, w, dst[0])
				}
			}
		}
	})
}

// TestClassesSet: a vector replaces one alone, and Reset forgets all of them.
func TestClassesSet(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		for k := 1; k < 20; k++ {
			var c Classes
			w := slices.Repeat([][]float64{{1, 2, 3}}, k)
			want := slices.Repeat([]float64{6}, k)
			classesOf(&c, w)
			for i := range k {
				c.Set(i, []float64{4, 5, float64(i)})
				want[i] = 9 + float64(i)
				dst := make([]float64, k)
				if c.Scores(dst, []float64{1, 1}); !slices.Equal(dst, want) {
					t.Fatalf("after vector %d of %d was set: %v, want %v", i, k, dst, want)
				}
			}
			c.Reset(k, 1)
			dst := slices.Clone(want)
			if c.Scores(dst, []float64{1}); slices.Max(dst) != 0 || slices.Min(dst) != 0 {
				t.Fatalf("%d vectors after Reset: %v", k, dst)
			}
		}
	})
}

// TestClassesLengths: wrong lengths panic.
func TestClassesLengths(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		c := classesOf(new(Classes), [][]float64{{1, 2, 3}, {4, 5, 6}})
		two := make([]float64, 2)
		new(Classes).Scores(nil, nil) // no vectors
		for name, f := range map[string]func(){
			"fewer scores": func() { c.Scores(make([]float64, 1), two) },
			"more scores":  func() { c.Scores(make([]float64, 3), two) },
			"a short row":  func() { c.Scores(two, make([]float64, 1)) },
			"a long row":   func() { c.Scores(two, make([]float64, 3)) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			})
		}
	})
}

// TestClassesAllocates: Scores and Set allocate nothing, nor does Reset to less.
func TestClassesAllocates(t *testing.T) {
	eachForm(t, func(t *testing.T) {
		w := slices.Repeat([][]float64{make([]float64, 41)}, 20)
		c := classesOf(new(Classes), w)
		dst, x := make([]float64, 20), make([]float64, 40)
		if n := testing.AllocsPerRun(10, func() {
			c.Scores(dst, x)
			c.Reset(10, 70)
			classesOf(c, w)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
