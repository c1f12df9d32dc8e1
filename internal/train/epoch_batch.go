package train

import (
	"sync/atomic"

	"perceptron/internal/vec"
)

// An epoch of Batch has two steps. First all rows are scored with the same weights, and y(x, 1) is
// summed over the mistakes. The sum is the negative gradient of Σ max(0, −y·score). Then each unit
// makes one update by its sum. The rows are divided into parts of a fixed size, and the sums of the
// parts are added in the order of the parts. So the number of workers changes no bit.

// gradientRows is the number of rows of a part. Another number would change the order of the
// additions, and with it the last bits of the results.
const gradientRows = 256

// A gradientSum has the sums over the mistakes of one unit, in one part or in all parts.
type gradientSum struct {
	sum      []float64 // Σ y(x, 1) over the mistakes
	mistakes int
	loss     float64
	err      rowError
}

// partsInTurn is the number of parts for each worker in one turn of trainBatch's outer loop, if there is
// one unit. For k units, the number is max(1, partsInTurn/k). The sums of these parts are added to the
// totals at the end of the turn. With more parts, fast workers wait less for the slowest worker. With
// fewer parts, the sums need less memory. They take O(max(partsInTurn, k)·workers·d), whatever the number
// of rows.
const partsInTurn = 8

// trainBatch trains units of one plane for an epoch of Batch. In each turn of the outer loop, the
// workers share the parts of a turn: a worker that is free takes the next part, and computes its sums for
// each unit. Any worker may sum a part, but the sums are added in the order of the parts. trainBatch
// returns the error of the first bad row.
func trainBatch(p *pass, units []*unit) (bad rowError) {
	parts, k := (len(p.X)+gradientRows-1)/gradientRows, len(units)
	workers := p.workersFor(parts, k)
	sums := make([]gradientSum, k+k*min(parts, workers*max(1, partsInTurn/k)))
	for i := range sums {
		sums[i].sum = make([]float64, p.planes.Width()+1)
	}
	totals, sums := sums[:k], sums[k:] // one total for each unit
	for first := 0; first < parts; first += len(sums) / k {
		sums = sums[:min(len(sums), k*(parts-first))]
		var next atomic.Int64
		parallel(workers, func(int) rowError {
			for b := int(next.Add(1)) - 1; b*k < len(sums); b = int(next.Add(1)) - 1 {
				p.sumPart(sums[b*k:(b+1)*k], units, first+b)
			}
			return rowError{}
		})
		for i, s := range sums {
			s.addTo(&totals[i%k])
			bad = earlier(bad, s.err)
		}
		if bad.err != nil {
			return bad
		}
	}
	for i, u := range units {
		w := p.planes.InTraining(u.first) // may change even if another plane overflows: the state is a draft
		u.mistakes, u.loss = totals[i].mistakes, totals[i].loss
		if u.mistakes > 0 && !p.fields.Rule.Descend(w, totals[i].sum, p.fields.Rate) {
			return rowError{err: errOverflow}
		}
	}
	return bad
}

// sumPart sets each unit's sums to those of the b-th part.
func (p *pass) sumPart(sums []gradientSum, units []*unit, b int) {
	for i := range sums {
		s := &sums[i]
		clear(s.sum)
		*s = gradientSum{sum: s.sum}
		s.compute(p, units[i], b*gradientRows, min((b+1)*gradientRows, len(p.X)))
	}
}

// compute adds the rows from start on, before end, to s, which has the sums of u. It only reads the weights,
// as the other workers do. l.Learn skips the rows that are right, and stops at each other row. If that row
// has no finite score, compute sets s.err and returns; else the row is a mistake.
func (s *gradientSum) compute(p *pass, u *unit, start, end int) {
	w, d, l := p.planes.InTraining(u.first), p.planes.Width(), p.lesson(nil)
	c := p.fields
	c.Rate = 1 // Descend multiplies the sum by η
	for i := start; ; i++ {
		r := l.Learn(w, u.class, i, end, 0)
		if i = r.Next; i == end {
			return
		}
		x, y := l.X[i], u.target(p.y[i])
		if !vec.IsFinite(r.Score) {
			s.err = rowError{i, ErrorAt(i, ScoreError(d, x))}
			return
		}
		step := c.step(y, r.Score, 0, &vec.Row{Value: x})
		vec.Axpy(s.sum[:d], s.sum[:d], step, x)
		if p.fields.Space == Affine {
			s.sum[d] += step
		}
		s.mistakes++
		s.loss -= y * r.Score
	}
}

// addTo adds s to the total of its unit. It is called in the order of the parts.
func (s *gradientSum) addTo(total *gradientSum) {
	vec.Axpy(total.sum, total.sum, 1, s.sum)
	total.mistakes += s.mistakes
	total.loss += s.loss
}
