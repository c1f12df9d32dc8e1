package train

// trainSingly trains units of one plane with the rows of an epoch, and returns the first error. Each
// unit in turn learns a block of at most 128 rows, while these rows are in a cache. The loop over the rows
// is in package vec, because a call for each row would take longer if rows have few features.
//
// l.Learn returns the position at which it stopped. If l.Halt is true, it stops at the next row
// that may need an update, and learnRow makes the update. If l.Halt is false, l.Learn makes the updates
// itself, and stops early only at an error: the row's score is not finite, or the row's update has
// made w overflow. Then learnRow returns the error. After an overflow, learnRow updates w by the same row
// again, which overflows again.
func (p *pass) trainSingly(units []*unit) (first rowError) {
	const rows = 128
	l := p.lesson(p.order)
	for start := 0; start < len(p.y) && first.err == nil; start += rows {
		end := min(start+rows, len(p.y))
		for _, u := range units {
			for pos := start; pos < end; pos++ {
				l.Theta = u.theta
				n := l.Learn(p.planes.InTraining(u.first), u.class, pos, end, u.loss)
				u.mistakes, u.loss = u.mistakes+n.Mistakes, n.Loss
				if pos = n.Next; pos == end {
					break
				}
				u.scores[0] = n.Score
				i := l.At(pos)
				x := p.at(i)
				if err := p.learnRow(u, &x, pos, i); err != nil {
					first = earlier(first, rowError{pos, err})
					break
				}
			}
		}
	}
	return first
}

// trainSparse trains the units with the sparse rows of an epoch, and returns the first error. All planes
// score a row together.
func (p *pass) trainSparse(units []*unit) rowError {
	l, last := p.lesson(p.order), units[len(units)-1]
	for pos := range p.y {
		i := l.At(pos)
		x := p.at(i)
		l.Ahead(pos)
		p.planes.Fetch(p.Sparse[l.At(pos+1)].Index)
		p.score(&x, units[0].first, last.first+len(last.scores))
		for _, u := range units {
			if err := p.learnRow(u, &x, pos, i); err != nil {
				return rowError{pos, err}
			}
		}
	}
	return rowError{}
}
