package train

// A pocket describes the best iterate found so far (Gallant 1990, with ratchet). The planes
// hold its vectors, and those of the longest run.
//
// In epochs, two iterates challenge the pocket, at the end of each epoch: that of the epoch's
// longest run of examples without an update, and the last one. They are counted on all rows,
// so an epoch costs at most one more reading of the rows. In a stream there are no rows to
// count, and the run alone decides.
type pocket struct {
	beat uint64 // what a challenger must exceed: the rows right at the last count, or a stream's run
	run  uint64 // examples since the last update; each epoch begins anew

	longest uint64 // the longest run that an update has ended in this epoch
	from    uint64 // where in the epoch's order the present run began
}

// answer counts an example of a stream. The iterate challenges the pocket with its run.
func (k *pocket) answer(planes []*plane, mistaken bool) {
	if k.run = min(k.run+1, countable); mistaken {
		k.run = 0
	}
	k.replace(planes, inTraining, k.run)
}

// replace puts an iterate in the pocket if its number exceeds the pocket's.
func (k *pocket) replace(planes []*plane, of selector, number uint64) {
	if number > k.beat {
		k.beat = number
		for _, q := range planes {
			copy(q.pocket, of(q))
		}
	}
}

// endRun ends the run of the iterate that the row at pos of the order updates.
func (k *pocket) endRun(planes []*plane, pos uint64) {
	if run := pos - k.from; run > k.longest {
		k.longest = run
		for _, q := range planes {
			copy(q.longest, q.w)
		}
	}
	k.from = pos + 1
}

// A selector returns one of a plane's vectors (w, b).
type selector func(*plane) []float64

func inPocket(q *plane) []float64   { return q.pocket }
func ofLongest(q *plane) []float64  { return q.longest }
func inTraining(q *plane) []float64 { return q.w }
