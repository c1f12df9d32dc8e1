package hull

import (
	"math"
	"slices"
	"testing"

	"perceptron/internal/exact"
)

// quickActive takes all points into use, with float64 factors. Nothing makes the weights positive.
func quickActive(p Points) *active {
	s := newActive(p, longest(p))
	f := &qr{}
	for i := range p.X {
		f.add(s.column(i))
		s.support, s.in[i] = append(s.support, i), true
		s.u = append(s.u, exact.Double{Hi: 1 / float64(len(p.X)+1)})
	}
	s.quick = quickOf(f)
	s.factors = s.quick
	return &s
}

// TestActiveSwitches: the factors are in float64 once the support has more than large
// coordinates, and u and w are exact up to then.
func TestActiveSwitches(t *testing.T) {
	p := linear([]float64{4, 0, 0}, []float64{0, 4, 0}, []float64{0, 0, 4})
	for large, want := range map[int][2]bool{math.MaxInt: {}, 9: {}, 8: {false, true}, 6: {false, true}, 5: {true, true}} {
		s := newSearch(p, 4)
		s.mostDoubles = large
		for i := range 2 {
			s.enter(i + 1)
			if got := s.quick != nil; got != want[i] || s.exact == (i == 1 && want[0]) {
				t.Errorf("large %d, %d rows: quick %v, exact %v", large, i+2, got, s.exact)
			}
		}
	}
}

// TestActiveSettles: u and w become those that factors in double-double give. So do those that
// factors in float64 give.
func TestActiveSettles(t *testing.T) {
	s := quickActive(linear([]float64{3, 1, 0}, []float64{1, 3, 0}, []float64{1, 1, 2}))
	s.quick.qb[0] += 0x1p-20
	s.quick.rest[1] -= 0x1p-20
	s.settle()
	slow := factorised([][]float64{{0.75, 0.25, 0, 1}, {0.25, 0.75, 0, 1}, {0.25, 0.25, 0.5, 1}})
	u, v := slow.solve(), slow.project()
	for j := range 3 {
		tiny(t, "u and w", rounded, s.u[j].Minus(u[j]), s.w[j].Minus(v[j]))
	}
	tiny(t, "Σu and ‖w‖²", rounded, s.sum.Minus(v[3]), s.square.Minus(exact.Dot(v[:3], v[:3])))
	if s.quick == nil || !s.exact || s.settled != s.square {
		t.Errorf("settled: %+v", s)
	}
	for j, got := range s.quick.solve() {
		tiny(t, "the factors' u and w", quickly, got.Minus(u[j]), s.quick.project()[j].Minus(v[j]))
	}
}

// TestActiveSettlesPositive: rows that turn out to have no positive weight go out of use.
func TestActiveSettlesPositive(t *testing.T) {
	s := quickActive(linear([]float64{1, 3, 0}, []float64{2, 1, 0}, []float64{-2, 1, 0}, []float64{3, 3, 1}))
	s.settle()
	if !slices.Equal(s.support, []int{1, 2}) || !slices.Equal(s.in, []bool{false, true, true, false}) || s.quick == nil {
		t.Fatalf("%v in use, want 1 and 2", s.support)
	}
	tiny(t, "u and w", rounded, s.u[0].Minus(s.u[1]), s.w[0])
}

// TestActiveRestarts: the search restarts in double-double in two cases: if a settled w is not
// shorter than the one before, and if the factors give too few digits.
func TestActiveRestarts(t *testing.T) {
	p := linear([]float64{2, 1, 0}, []float64{-2, 1, 0}) // w = (0, 4/17, 0)
	other := quickActive(p)
	other.settle()
	for _, c := range []struct {
		name      string
		change    func(*active)
		restarted bool
	}{
		{"as long", func(s *active) { s.settled = other.square }, true},
		{"shorter", func(s *active) { s.settled = other.square.Plus(exact.Double{Hi: 0x1p-90}) }, false},
		{"too few digits", func(s *active) { s.quick.r[1][1] *= -16 }, true},
	} {
		s := quickActive(p)
		c.change(s)
		s.settle()
		if _, slow := s.factors.(*qr); slow != c.restarted || (s.quick == nil) != c.restarted || !s.exact || len(s.support) != 2 {
			t.Errorf("%s: %+v", c.name, s)
		}
		tiny(t, "‖w‖²", rounded, s.square.Minus(exact.Double{Hi: 16}.Over(exact.Double{Hi: 289})))
	}
}

// TestActiveRestartsFrom: a restart goes from the weights that it finds towards the
// best, and drops the row that it meets first.
func TestActiveRestartsFrom(t *testing.T) {
	p := linear([]float64{0, 1}, []float64{3, 0.5}, []float64{-1, 2}) // the best u is (2.6, −0.4, −1.2)
	for want, weights := range map[int][2]float64{1: {0.1, 0.9}, 2: {0.5, 0.1}} {
		s := quickActive(p)
		s.u = []exact.Double{{Hi: 0.3}, {Hi: weights[0]}, {Hi: weights[1]}}
		s.restart()
		if len(s.support) != want || s.support[0] != 0 || want == 2 && s.support[1] != 1 {
			t.Errorf("from %v: %v in use", weights, s.support)
		}
	}
}
