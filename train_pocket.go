package perceptron

// A pocket describes the best iterate found so far (Gallant 1990, with ratchet). The
// planes hold its weights.
type pocket struct {
	length uint64 // its run of right answers
	right  int    // rows that it had right at the last count
	run    uint64 // right answers of the iterate in training since its last update
	tried  bool   // that iterate has been compared with the pocket on these rows, or waits
	since  uint64 // its run when it began to wait; 0 if it does not
}

// see counts an answer of the iterate in training.
func (p *pocket) see(mistake bool) {
	if mistake {
		p.run, p.tried, p.since = 0, false, 0
		return
	}
	p.run = min(p.run+1, countable)
}

// challenged reports whether an iterate that was not yet tried has the longer run.
func (p *pocket) challenged() bool { return p.run > p.length && !p.tried }

// challenge reports whether the iterate in training replaces that in the pocket: it must
// have strictly more rows right.
func (p *pocket) challenge(right int) bool {
	p.tried = true
	return p.replace(p.run, right)
}

// replace is challenge for an iterate that had this run when it was to be counted.
func (p *pocket) replace(run uint64, right int) bool {
	if right <= p.right {
		return false
	}
	p.length, p.right = run, right
	return true
}

// wait defers the challenge of the iterate in training.
func (p *pocket) wait() { p.since, p.tried = p.run, true }

// challengeByRun is challenge for the run alone, where there are no rows.
func (p *pocket) challengeByRun() bool {
	if p.run <= max(p.length, uint64(p.right)) {
		return false
	}
	p.length = p.run
	return true
}
