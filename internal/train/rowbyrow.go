package train

import "perceptron/internal/vec"

// trainSingly shows an epoch's rows to units of one plane. It does nothing more for each row than a
// loop for this rule alone would, because a row may have only a few features. Each unit learns
// some rows before the next one does, while they are in a cache.
func trainSingly(p *pass, order rowOrder, units []*unit) (first rowError) {
	const rows = 128
	l := p.lesson(order)
	for pos := 0; pos < len(p.X) && first.err == nil; pos += rows {
		for _, u := range units {
			first = earlier(first, u.learn(p, &l, pos, min(pos+rows, len(p.X))))
		}
	}
	return first
}

// learn shows rows to a unit of one plane.
func (u *unit) learn(p *pass, l *vec.Lesson, pos, end int) rowError {
	q := u.planes[0]
	for ; ; pos++ {
		l.Theta = u.theta
		r := l.Learn(q.w, q.up, pos, end, u.loss)
		u.mistakes, u.loss = u.mistakes+r.Mistakes, r.Loss
		if pos = r.Next; pos >= end {
			return rowError{}
		}
		i := l.At(pos)
		if q.score = r.Score; l.Scan {
			if err := p.show(u, pos, i); err != nil {
				return rowError{pos, err}
			}
			continue
		}
		err := errOverflow
		if !vec.IsFinite(r.Score) {
			err = ScoreError(p.width, p.X[i])
		}
		return rowError{pos, &ExampleError{i, err}}
	}
}
