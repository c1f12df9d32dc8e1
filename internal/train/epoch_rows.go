package train

import (
	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// trainSingly trains units of one plane with the rows of an epoch, and returns the first error. Each
// unit in turn learns a block of at most 128 rows, while these rows are in a cache. The loop over the rows
// is in package vec, because a call for each row would take longer if rows have few features.
//
// l.Learn returns the position at which it stopped. If l.Halt is true, it stops at the next row
// that may need an update, and learnRow makes the update. If l.Halt is false, l.Learn makes the updates
// itself, and stops early only at an error: the row's score is not finite, or the row's update has
// made w overflow. Then learnRow returns the error. After an overflow, learnRow updates w by the same row
// again, which overflows again.
func (r *pass) trainSingly(units []*unit) (first rowError) {
	const rows = 128
	l := r.lesson(r.order)
	for start := 0; start < len(r.X) && first.err == nil; start += rows {
		end := min(start+rows, len(r.X))
		for _, u := range units {
			for pos := start; pos < end; pos++ {
				l.Theta = u.theta
				n := l.Learn(r.planes.InTraining(u.first), u.class, pos, end, u.loss)
				u.mistakes, u.loss = u.mistakes+n.Mistakes, n.Loss
				if pos = n.Next; pos == end {
					break
				}
				u.scores[0] = n.Score
				if err := r.learnRow(u, &vec.Row{Value: l.X[l.At(pos)]}, pos, l.At(pos)); err != nil {
					first = earlier(first, rowError{pos, err})
					break
				}
			}
		}
	}
	return first
}

// trainSparse trains the units with the sparse rows of an epoch, and returns the first error. A lone
// plane learns in a loop of package weights, which stops where learnRow must make the update or return an
// error, as [vec.Lesson.Learn] does. Several planes score each row together.
func (p *pass) trainSparse(units []*unit) rowError {
	l := &weights.SparseLesson{
		X: p.Sparse, Y: p.y, Order: p.order, Rate: p.fields.Rate,
		Halt: !p.fields.plain(), Fetch: p.order != nil || p.exceeds(vec.SecondCache), Updated: p.updated,
	}
	if len(units) == 1 && p.fields.Rival == nil && p.planes.Apart() {
		return p.trainLone(l, units[0])
	}
	last := units[len(units)-1]
	for pos := range p.y {
		i := l.At(pos)
		x := p.at(i)
		l.Ahead(&p.planes, pos)
		p.score(&x, units[0].first, last.first+len(last.scores))
		for _, u := range units {
			if err := p.learnRow(u, &x, pos, i); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}

// trainLone is trainSparse for one unit of one plane.
func (p *pass) trainLone(l *weights.SparseLesson, u *unit) rowError {
	l.Up = u.class
	for pos := 0; pos < len(p.y); pos++ {
		l.Theta = u.theta
		n := p.planes.Learn(u.first, l, pos, u.loss)
		u.mistakes, u.loss = u.mistakes+n.Mistakes, n.Loss
		if pos = n.Next; pos == len(p.y) {
			break
		}
		u.scores[0] = n.Score
		i := l.At(pos)
		x := p.at(i)
		if err := p.learnRow(u, &x, pos, i); err != nil {
			return rowError{pos, err}
		}
	}
	return rowError{}
}
