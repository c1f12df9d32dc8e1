package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestGroupRows: a group presents each row to its unit as the pass does: with the same ties, sums
// and moves, and the same first error.
func TestGroupRows(t *testing.T) {
	r, ends := rand.New(rand.NewPCG(3, 1)), map[string]int{}
	for range 4000 {
		k, d, n := 1+r.IntN(12), 1+r.IntN(31), 1+r.IntN(60)
		long := r.IntN(100) == 0
		if long {
			k, n = k+1, n+2000 // more than one scan
		}
		c := []Config{{}, {Rule: WithinTheta, Parameters: Parameters{Threshold: 2}}, {Rule: WithinR}, {Rule: WithinGamma, Parameters: Parameters{Gamma: 0.3}}}[r.IntN(4)]
		c.Rival, c.Rate, c.Space, c.Keep = &rivalRule, 1, uint8(r.IntN(2)), uint8(r.IntN(3))
		if r.IntN(2) == 0 {
			c.Keep = Last
		}
		c = ruled(c)
		huge := 0.0
		if r.IntN(3) == 0 {
			huge, c.Rate = 0.1, []float64{1, math.MaxFloat64}[r.IntN(2)]
		}
		set, start := naive.Whole(r.Uint64(), n, d), make([][]float64, k)
		for i, x := range set.X {
			set.Y[i] = 3 * r.IntN(k)
			for j := range x {
				if huge > 0 {
					x[j] = float64(max(0, r.IntN(12)-10))
				}
			}
		}
		for i := range start {
			start[i] = make([]float64, d+1)
			for j := range d + int(Linear-c.Space) {
				if start[i][j] = float64(r.IntN(5) - 2); r.Float64() < huge {
					start[i][j] = math.Copysign(math.MaxFloat64, r.Float64()-0.5)
				}
			}
		}
		order := rowOrder(nil).draw(uint8(r.IntN(3)), n, rand.NewPCG(r.Uint64(), 7))
		if long && c.Space == Affine { // the first scan has all right, and the second has not
			clear(set.Y)
			l := vec.Lesson{X: set.X, Order: order}
			start[0][d], set.Y[l.At(1024)] = 1e6, 3
		}
		run := func(learn func(p *pass, u *unit) rowError) (end, all string) {
			s := planesFor(&c, []float64{0}, d)
			for i, w := range start {
				s.start = w
				s.addClass(3 * i)
			}
			u := s.units[0]
			p := &pass{state: s, Rows: Rows{X: set.X}, y: set.Y, order: order}
			bad := learn(p, u)
			if e := (*exampleError)(nil); errors.As(bad.err, &e) {
				return e.error.Error(), fmt.Sprint(bad.pos, e.index, e.error)
			}
			all = fmt.Sprintf("%d mistakes, loss %b, R² %b, θ %b, pocket %+v", u.mistakes, u.loss, u.r2, u.theta, u.pocket)
			return "learned", all + fmt.Sprintf("\n%b", s.planes.Save())
		}
		end, want := run(func(p *pass, u *unit) rowError { return p.learnAll(u, order) })
		_, got := run(func(p *pass, u *unit) rowError { return new(worker).train(p, []*unit{u}) })
		if ends[end]++; got != want {
			t.Fatalf("%+v, %d rows of %d features, %d classes: %s, want %s", c, n, d, k, got, want)
		}
	}
	if len(ends) < 3 || min(ends["learned"], ends[errOverflow.Error()]) < 100 {
		t.Errorf("the rows end with %v", ends)
	}
}
