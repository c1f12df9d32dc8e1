package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// TestRowByRow: trainSingly presents each row to its unit, and returns the first error with its
// position. Rows are narrow or wide. Some sets are large enough for rows to be fetched ahead.
func TestRowByRow(t *testing.T) {
	for _, kind := range []uint8{Cyclic, Shuffled, Sampled} {
		for _, size := range [][2]int{{1, 1}, {256, 1}, {1, 8}, {255, 8}, {521, 8}, {256, 100}, {lastCache/100 + 1, 100}, {lastCache/2000 + 1, 2000}} {
			n, d := size[0], size[1]
			for _, bad := range []int{-1, 0, n - 1} {
				set := naive.Noisy(uint64(n), min(n, 521), d)
				for i := 521; i < n; i++ {
					set.X, set.Y = append(set.X, set.X[i%521]), append(set.Y, set.Y[i%521])
				}
				if bad >= 0 {
					set.X[bad] = slices.Clone(set.X[bad])
					set.X[bad][d-1] = math.NaN()
				}
				checkRowByRow(t, kind, Config{Keep: Last}, set, d)
				checkRowByRow(t, kind, Config{Keep: Average, Rule: WithinR}, set, d)
			}
		}
	}
}

// learnAll presents each row to a unit, by its definition.
func (p *pass) learnAll(u *unit, order rowOrder) rowError {
	l := p.lesson(order)
	for pos := range p.X {
		i := l.At(pos)
		for k := range u.scores {
			u.scores[k] = weights.Score(p.planes.InTraining(u.first+k), p.X[i])
		}
		if err := p.learnRow(u, &vec.Row{Value: p.X[i]}, pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}

// checkRowByRow compares trainSingly of two units with its formula.
func checkRowByRow(t *testing.T, kind uint8, c Config, set naive.Set, d int) {
	t.Helper()
	c.Rate, c.Rest = 1, true
	c = ruled(c)
	order := rowOrder(nil).draw(kind, len(set.X), rand.NewPCG(7, 7))
	p := &pass{Rows: Rows{X: set.X}, y: set.Y, order: order}
	run := func(learn func(u *unit) rowError) (after string) {
		for _, class := range []int{+1, -1} {
			p.state = planesFor(&c, []float64{float64(1 - class)}, d, class)
			u := p.units[0]
			if err := learn(u); err.err != nil {
				return fmt.Sprint(err.pos, err.err)
			}
			u.countExamples(&p.core, len(set.X))
			after += fmt.Sprint(p.planes.InTraining(0), p.planes.Save(), p.planes.Counted(0), u.mistakes, u.loss)
		}
		return after
	}
	want := run(func(u *unit) rowError { return p.learnAll(u, order) })
	if got := run(func(u *unit) rowError { return p.trainSingly([]*unit{u}) }); got != want {
		t.Fatalf("%v, %v, %d rows of %d features: %.100s, want %.100s", kind, c.Keep, len(set.X), d, got, want)
	}
}
