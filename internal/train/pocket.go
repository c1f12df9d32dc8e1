package train

// A pocket has the counts of Gallant's pocket algorithm with ratchet (1990), which keeps the best
// iterate of a unit. The vectors are in the planes: kept is the best iterate so far, and longest is
// that of the longest streak of this epoch.
//
// A streak is a sequence of examples without an update. At the end of an epoch, two iterates may
// replace the one in the pocket: the iterate of the epoch's longest streak, and the last iterate.
// challenge, in pocket_count.go, counts the rows that each of them has right. In a stream, rows
// cannot be counted: there the iterate in training replaces the iterate in the pocket if its streak
// exceeds beat.
type pocket struct {
	// beat is the number that another iterate must exceed to replace the iterate in the pocket: the
	// number of rows that the iterate in the pocket has right, or in a stream the length of its
	// streak.
	beat uint64
	// streak is the length of the present streak in a stream, or at the end of an epoch. Each epoch
	// begins a new streak, and a stream continues the last one.
	streak uint64

	// record is the length of the longest streak that an update has ended in this epoch.
	record uint64
	// from is the position in the epoch's order where the present streak began.
	from uint64
}

// answer counts an example of a stream. If the example was a mistake, answer is called after the
// update. The iterate in training replaces the iterate in the pocket as soon as its streak exceeds
// beat.
func (k *pocket) answer(planes []*plane, mistaken bool) {
	if k.streak = min(k.streak+1, countable); mistaken {
		k.streak = 0
	}
	k.replace(planes, inTraining, k.streak)
}

// replace copies an iterate to the pocket, in O(Kd), if number exceeds beat. number counts the rows
// that the iterate has right, or in a stream the examples of its streak.
func (k *pocket) replace(planes []*plane, of selector, number uint64) {
	if number > k.beat {
		k.beat = number
		for _, q := range planes {
			copy(q.kept, of(q))
		}
	}
}

// endStreak ends the streak of the iterate in training. It is called before the update by the row at
// position pos of the order. The iterate is copied if its streak is the longest of this epoch so far.
func (k *pocket) endStreak(planes []*plane, pos uint64) {
	if streak := pos - k.from; streak > k.record {
		k.record = streak
		for _, q := range planes {
			q.longest = append(q.longest[:0], q.w...)
		}
	}
	k.from = pos + 1
}

// A selector returns one of the iterates that a plane holds.
type selector func(*plane) []float64

// The selectors of the iterates that challenge compares: the best iterate so far, the iterate of the
// epoch's longest streak, and the last iterate.
func inPocket(q *plane) []float64   { return q.kept }
func ofLongest(q *plane) []float64  { return q.longest }
func inTraining(q *plane) []float64 { return q.w }
