package train

// A pocket has the counts of Gallant's pocket algorithm with ratchet (1990), which keeps the best
// iterate of a unit. The vectors are in the planes: kept is the best iterate so far, and longest is
// that of the longest run of this epoch.
//
// A run is a sequence of examples without an update. At the end of an epoch, two iterates may
// replace the one in the pocket: the iterate of the epoch's longest run, and the last iterate.
// challenge, in pocket_count.go, counts the rows that each has right. A stream has no rows to
// count; there an iterate replaces the pocket's if its run is long enough.
type pocket struct {
	// beat is the number that another iterate must exceed: the rows that the pocket's iterate has
	// right, or in a stream the length of its run.
	beat uint64
	// run is the length of the present run. Each epoch begins a new one; a stream continues it.
	run uint64

	// longest is the length of the longest run that an update has ended in this epoch.
	longest uint64
	// from is the position in the epoch's order where the present run began.
	from uint64
}

// answer counts an example of a stream. If the example was a mistake, answer is called after the
// update. The iterate in training replaces the pocket's as soon as its run exceeds beat.
func (k *pocket) answer(planes []*plane, mistaken bool) {
	if k.run = min(k.run+1, countable); mistaken {
		k.run = 0
	}
	k.replace(planes, inTraining, k.run)
}

// replace copies an iterate to the pocket if its number exceeds beat: the rows that it has right,
// or the length of its run. It copies in O(Kd), and so it is called only for the better iterates.
func (k *pocket) replace(planes []*plane, of selector, number uint64) {
	if number > k.beat {
		k.beat = number
		for _, q := range planes {
			copy(q.kept, of(q))
		}
	}
}

// endRun ends the run of the iterate in training, which the row at position pos of the order is
// about to update. The iterate is copied if its run is the longest of this epoch so far.
func (k *pocket) endRun(planes []*plane, pos uint64) {
	if run := pos - k.from; run > k.longest {
		k.longest = run
		for _, q := range planes {
			q.longest = append(q.longest[:0], q.w...)
		}
	}
	k.from = pos + 1
}

// A selector returns one of the iterates that a plane holds.
type selector func(*plane) []float64

// The iterates that a count compares: the best one so far, that of the epoch's longest run, and the
// last one.
func inPocket(q *plane) []float64   { return q.kept }
func ofLongest(q *plane) []float64  { return q.longest }
func inTraining(q *plane) []float64 { return q.w }
