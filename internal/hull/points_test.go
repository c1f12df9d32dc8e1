package hull

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perceptron/internal/exact"
	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestAmong: every row has the product of the formula, and a search selects the same rows as for dense rows.
func TestAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 1))
	for n := 2; n < 60; n++ {
		p := Points{Width: 40, Ones: n%2 == 0}
		for range n {
			x := vec.Row{Index: []uint32{}}
			for j := range p.Width {
				if r.IntN(4) == 0 {
					x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, r.NormFloat64())
				}
			}
			x.Index, x.Value = append(x.Index, uint32(p.Width)), append(x.Value, 3) // all rows are on one side
			p.X, p.Y = append(p.X, x), append(p.Y, 1)
		}
		p.Width++
		some := p.among(r.Perm(n))
		same := Points{Y: some.Y, Width: some.Width, Ones: p.Ones}
		w := naive.Gaussian(r, some.Width)
		for i, x := range some.X {
			full := make([]float64, some.Width)
			for k, j := range x.Index {
				full[j] = x.Value[k]
			}
			same.X = append(same.X, vec.Row{Value: full})
			if got, want := some.X[i].Dot(w), vec.Dot(w, full); !(math.Abs(got-want) <= 1e-13*vec.Norm(w)*vec.Norm(full)) {
				t.Fatalf("%d rows: the product of row %d is %v, want %v", n, i, got, want)
			}
		}
		got, want := newSearch(some, longest(same)), newSearch(same, longest(same))
		for _, s := range []*search{got, want} {
			s.run()
			checkOptimal(t, fmt.Sprint(n, " rows"), s)
		}
		if fmt.Sprint(got.support) != fmt.Sprint(want.support) {
			t.Fatalf("%d rows: the support is %v, want %v", n, got.support, want.support)
		}
		tiny(t, "w", rounded, minus(got.w, want.w)...)
	}
}

// TestSearchUnknown: a row whose score in float64 is NaN is not left out: its score decides in
// double-double.
func TestSearchUnknown(t *testing.T) {
	p := linear([]float64{2, 0}, []float64{1, 0}, []float64{0, 1})
	s := newSearch(p, 2)
	s.X[1].Value = []float64{1, 0, 0} // of another length, so that Dot returns NaN
	s.X[2].Value = []float64{0, 1, 0}
	s.atOnce = 8
	if s.enter(0); len(s.lowest()) != 2 {
		t.Errorf("the rows below the limit are %v, want both others", s.lowest())
	}
}

// minus returns a − b.
func minus(a, b []exact.Double) []exact.Double {
	d := make([]exact.Double, len(a))
	for j, v := range a {
		d[j] = v.Minus(b[j])
	}
	return d
}

// TestCompact: zeros are no work, and a row of few non-zeros gets the sparse form, without its zeros.
func TestCompact(t *testing.T) {
	x := make([]float64, 100)
	x[7], x[50] = 2, -1
	p := Points{X: []vec.Row{{Value: x}}, Y: []int{1}, Width: 100}
	if got := p.compact().X[0]; fmt.Sprint(got.Index, got.Value) != "[7 50] [2 -1]" || p.pass() != sparseWork(2) {
		t.Errorf("%v, work %v, want %v", got, p.pass(), sparseWork(2))
	}
}
