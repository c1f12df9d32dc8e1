package perceptron

// A pocket describes the best iterate found so far (Gallant 1990, with ratchet). The
// planes hold its weights.
type pocket struct {
	length uint64 // its run of right answers
	right  int    // rows that it had right at the last count
	run    uint64 // right answers of the iterate in training since its last update
	tried  bool   // that iterate has been compared with the pocket on these rows
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

// challenge reports whether the iterate in training replaces that in the pocket: it must
// have strictly more rows right.
func (p *pocket) challenge(right int) bool {
	p.tried = true
	if right <= p.right {
		return false
	}
	p.length, p.right = p.run, right
	return true
}

// challengeByRun is challenge for the run alone, where there are no rows.
func (p *pocket) challengeByRun() bool {
	if p.run <= max(p.length, uint64(p.right)) {
		return false
	}
	p.length = p.run
	return true
}
