package train

import (
	"sync/atomic"

	"perceptron/internal/vec"
)

// An epoch of Batch has two steps. First all rows are scored with the same weights, and
// y(x, 1) is summed over the misclassified rows: this is the negative gradient of
// Σ max(0, −y·score). Then each unit takes one step along it. The rows are summed in
// blocks of a fixed size, so the sum has one order, whichever worker sums a block.

// gradientRows is the number of rows that are summed before the sum is added to the
// gradient. It is part of the order of summation: results depend on it.
const gradientRows = 256

// A gradientSum is what one block of rows adds to an epoch's gradient.
type gradientSum struct {
	sum      []float64 // Σ y(x, 1) over the misclassified rows
	mistakes int
	loss     float64
	err      rowError
}

// descend is one epoch of Batch: the gradient, and then a step of each unit. The workers
// share the rows of one unit, or the units of OneVsRest.
func descend(p *pass, units []*unit) error {
	for _, u := range units {
		clear(u.planes[0].slope)
	}
	sum := sumClasses
	if len(units) == 1 {
		sum = sumRows
	}
	if err := sum(p, units); err != nil {
		return err
	}
	for _, u := range units {
		if err := u.step(&p.Config); err != nil {
			return err
		}
	}
	return nil
}

// wave is the number of blocks for each worker whose sums wait to be added. More let a worker
// go on for longer while it waits for the slowest.
const wave = 8

// sumRows computes the gradient of the only unit. A worker that is free takes the next block of
// rows. The sums are added in the order of the blocks, so that the number of workers
// changes no bit, and the first error is that of the first bad row.
func sumRows(p *pass, units []*unit) error {
	blocks := (len(p.X) + gradientRows - 1) / gradientRows
	workers := p.workersFor(blocks, 1)
	sums := make([]gradientSum, min(blocks, wave*workers))
	for i := range sums {
		sums[i].sum = make([]float64, p.width+1)
	}
	for first := 0; first < blocks; first += len(sums) {
		sums = sums[:min(len(sums), blocks-first)]
		var next atomic.Int64
		parallel(workers, func(int) {
			for i := int(next.Add(1)); i <= len(sums); i = int(next.Add(1)) {
				sums[i-1].compute(p, units[0], first+i-1)
			}
		})
		for _, s := range sums {
			if s.err.err != nil {
				return s.err.err
			}
			s.addTo(units[0])
		}
	}
	return nil
}

// sumClasses computes many units' gradients. Each worker reads a block of rows once
// for all of its units.
func sumClasses(p *pass, units []*unit) error {
	groups := p.groupsFor(units, 1)
	errs := make([]rowError, len(groups))
	parallel(len(groups), func(g int) {
		s := gradientSum{sum: make([]float64, p.width+1)}
		for b := 0; b*gradientRows < len(p.X); b++ {
			for _, u := range groups[g] {
				s.compute(p, u, b)
				s.addTo(u)
				errs[g] = earlier(errs[g], s.err)
			}
			if errs[g].err != nil {
				return
			}
		}
	})
	return firstError(errs)
}

// compute sets s to what the b-th block of rows adds to u's gradient. A bad row ends
// it, and is then in s.err.
func (s *gradientSum) compute(p *pass, u *unit, b int) {
	clear(s.sum)
	*s = gradientSum{sum: s.sum}
	q, d, l := u.planes[0], p.width, p.lesson(nil)
	end := min((b+1)*gradientRows, len(p.X))
	for i := b * gradientRows; ; i++ {
		r := l.Learn(q.w, q.up, i, end, 0)
		if i = r.Next; i == end {
			return
		}
		x, y := p.X[i], q.target(p.y[i])
		if !vec.IsFinite(r.Score) {
			s.err = rowError{i, &ExampleError{i, ScoreError(d, x)}}
			return
		}
		vec.Axpy(s.sum[:d], s.sum[:d], y, x)
		if p.Space == Affine {
			s.sum[d] += y
		}
		s.mistakes++
		s.loss -= y * r.Score
	}
}

// addTo adds the block's sum to u's gradient.
func (s *gradientSum) addTo(u *unit) {
	slope := u.planes[0].slope
	vec.Axpy(slope, slope, 1, s.sum)
	u.mistakes += s.mistakes
	u.loss += s.loss
}
