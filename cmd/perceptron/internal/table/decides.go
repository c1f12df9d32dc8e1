package table

import (
	"math"
	"strings"
)

// A decider finds out whether a column alone decides the label: each of its values has one label.
// Such a column is often a code of the label, or was measured after it, so that a model learns
// nothing that is of use.
type decider struct {
	groups map[string]*group
	rows   int
	ended  bool // the column does not decide, or has too many values
}

// A group has the rows of one value.
type group struct {
	label string // of the first row
	rows  int
	mixed bool // other rows have another label
}

// Most columns have shown after early rows that they do not decide, and cost no time from then on.
const (
	mostGroups = 10_000
	early      = 1000
)

// add adds a row.
func (d *decider) add(value, label string) {
	if d.ended || missing(value) || missing(label) {
		return
	}
	d.rows++
	g := d.groups[value]
	if g == nil {
		if d.groups == nil {
			d.groups = map[string]*group{}
		}
		g = &group{label: strings.Clone(label)}
		d.groups[strings.Clone(value)] = g
	}
	g.rows++
	g.mixed = g.mixed || g.label != label
	if d.rows == early {
		shared, mixed, _ := d.count(0)
		d.ended = 20*mixed > shared
	}
	if d.ended = d.ended || len(d.groups) > mostGroups; d.ended {
		d.groups = nil
	}
}

// count returns the number of rows that share their value with others, the number of those whose
// value has several labels, and about how many these would be if the values had nothing to do with
// the labels, the most frequent of which has a share of the rows.
func (d *decider) count(most float64) (shared, mixed int, chance float64) {
	for _, g := range d.groups {
		if g.rows > 1 {
			shared += g.rows
			chance += float64(g.rows) * (1 - math.Pow(most, float64(g.rows-1)))
		}
		if g.mixed {
			mixed += g.rows
		}
	}
	return shared, mixed, chance
}

// share returns the share of the rows that share their value with others whose value has one label,
// if the column decides the label, and else 0. It decides if at least 99 % do, and if that is no
// chance: a label that is nearly always the same is decided by any column. The labels are counted.
func (d *decider) share(labels map[string]int) float64 {
	most, all := 0, 0
	for _, n := range labels {
		most, all = max(most, n), all+n
	}
	shared, mixed, chance := d.count(float64(most) / float64(max(1, all)))
	if chance < 10 || 100*mixed > shared || 10*float64(mixed) > chance {
		return 0
	}
	return 1 - float64(mixed)/float64(shared)
}

// values returns the number of different values of a column of numbers that may be codes, or 0.
// Two values are one feature in any case.
func (p *profile) values() int {
	if n := len(p.few); p.word == nil && !p.fraction && 2 < n && n <= mostValues {
		return n
	}
	return 0
}

// hash adds the features of a text.
func (p *profile) hash(h *Hash, text string) {
	if p.hashed == nil {
		p.hashed = make([]bool, 1<<h.Bits)
	}
	for _, gram := range h.grams(nil, text) {
		p.hashed[gram] = true
	}
}

// seen returns the features of all texts.
func (p *profile) seen() (all []uint32) {
	for gram, occurs := range p.hashed {
		if occurs {
			all = append(all, uint32(gram))
		}
	}
	return all
}
