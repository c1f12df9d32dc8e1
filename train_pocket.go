package perceptron

import "slices"

// A pocket keeps the best iterate found so far (Gallant 1990, with ratchet).
type pocket struct {
	w      []float64 // the iterate in the pocket
	length uint64    // its run of right answers
	right  int       // rows that it had right at the last count
	run    uint64    // right answers of the iterate in training since its last update
	tried  bool      // that iterate has been compared with the pocket on these rows
}

// clone returns a copy with memory of its own.
func (p pocket) clone() pocket {
	p.w = slices.Clone(p.w)
	return p
}

// see counts an answer of the iterate in training.
func (p *pocket) see(mistake bool) {
	if mistake {
		p.run, p.tried = 0, false
		return
	}
	p.run = min(p.run+1, countable)
}

// challenged reports whether an iterate that was not yet tried has the longer run.
func (p *pocket) challenged() bool { return p.run > p.length && !p.tried }

// challenge puts w in the pocket if it has strictly more rows right.
func (p *pocket) challenge(w []float64, right int) {
	p.tried = true
	if right > p.right {
		copy(p.w, w)
		p.length, p.right = p.run, right
	}
}

// challengeByRun puts w in the pocket for its run alone, where there are no rows.
func (p *pocket) challengeByRun(w []float64) {
	if p.run > max(p.length, uint64(p.right)) {
		copy(p.w, w)
		p.length = p.run
	}
}
