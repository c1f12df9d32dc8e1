package perceptron

import "math"

// startCounts prepares for the counts of an epoch of units, which continue former. The
// caller may have changed rows and labels since the last epoch.
func (p *pass) startCounts(units, former []*unit) {
	counters := make(map[*unit]*counter, len(units))
	for i, u := range units {
		c := p.counters[former[i]]
		if c == nil {
			c = newCounter(len(p.X))
		}
		counters[u] = c
	}
	p.counters = counters
}

// countPockets counts the rows that the pockets have right. A score that overflows is right
// if its sign is.
func (p *pass) countPockets() {
	for _, u := range p.units {
		c, t := p.counters[u], trial{}
		for _, q := range u.planes {
			t.planes = append(t.planes, c.keep(q.pocket))
		}
		c.trials = append(c.trials, t)
		c.count(p, u, -1)
		u.pocket.right = len(p.X) - c.trials[0].wrong
		c.reset()
	}
}

// acceptCounted is accept under Pocket: it lets a challenger wait to be counted.
func (p *pass) acceptCounted(u *unit) {
	leaves := u.mistaken && u.pocket.since > 0
	if leaves {
		p.counters[u].add(u)
	}
	u.accept(&p.config)
	if leaves && p.counters[u].full() {
		p.decide(u)
	}
	if u.pocket.challenged() {
		u.pocket.wait()
	}
}

// settle decides on all iterates that wait, and on that in training.
func (p *pass) settle(units []*unit) {
	for _, u := range units {
		last := u.pocket.since > 0
		if last {
			p.counters[u].add(u)
		}
		if counted := p.decide(u); last {
			u.pocket.tried, u.pocket.since = counted, 0
		}
	}
}

// decide counts the iterates that wait, and puts each that wins in the pocket. It reports
// whether the last of them had a run to be counted for.
func (p *pass) decide(u *unit) (counted bool) {
	c := p.counters[u]
	if len(c.trials) == 0 {
		return false
	}
	c.count(p, u, u.pocket.right)
	for _, t := range c.trials {
		if counted = t.run > u.pocket.length; !counted {
			continue
		}
		if u.pocket.replace(max(t.since, u.pocket.length+1), len(p.X)-t.wrong) {
			for k, q := range u.planes {
				copy(q.pocket, c.planes[t.planes[k]])
			}
		}
	}
	c.reset()
	return counted
}

// count counts the rows that each trial has wrong, until it has lost to one with best rows
// right.
func (c *counter) count(p *pass, u *unit, best int) {
	c.order()
	c.live = c.live[:0]
	for i := range c.trials {
		c.live = append(c.live, &c.trials[i])
	}
	limit := len(p.X) - best // a trial that has so many wrong has lost
	c.drop(limit, p.width)
	for k := 0; k < len(c.rows) && len(c.live) > 0; k += blockRows {
		products := c.products.Dots(c.block(p, k), c.next(p, k))
		lost := false
		for j, i := range c.rows[k:min(k+blockRows, len(c.rows))] {
			c.keys[i] = math.Inf(1)
			for _, t := range c.live {
				m := c.margin(p, u, t, products[j:], p.y[i])
				if !(m > 0) { // or NaN
					t.wrong++
					lost = lost || t.wrong >= limit
				}
				c.keys[i] = min(c.keys[i], m)
			}
		}
		if lost {
			c.drop(limit, p.width)
		}
	}
}

// margin returns the margin of a row with the label, as u computes it in training. The
// row's product with the k-th of the weights is products[blockRows·k].
func (c *counter) margin(p *pass, u *unit, t *trial, products []float64, label int) float64 {
	for k, q := range u.planes {
		v := t.planes[k]
		q.score = products[blockRows*c.place[v]] + c.planes[v][p.width]
	}
	return u.decide(&p.config, label)
}

// block returns the rows from the k-th on.
func (c *counter) block(p *pass, k int) *[blockRows][]float64 {
	for j := range c.x {
		c.x[j] = c.row(p, k+j)
	}
	return &c.x
}

// next returns the rows after the block from the k-th on, or nil if a cache holds all.
func (c *counter) next(p *pass, k int) *[2 * blockRows][]float64 {
	if !p.exceeds(secondCache) {
		return nil
	}
	for j := range c.fetched {
		c.fetched[j] = c.row(p, k+blockRows+j)
	}
	return &c.fetched
}

// row returns the k-th row in order. After the last it returns that.
func (c *counter) row(p *pass, k int) []float64 { return p.X[c.rows[min(k, len(c.rows)-1)]] }
