package table

import (
	"fmt"
	"hash/maphash"
	"math"
	"strings"
)

// A repetition finds rows that repeat an earlier row whole, in all columns that are used. Such rows say
// nothing about whether a column decides the label: a column of random numbers would.
type repetition struct {
	seed     maphash.Seed
	rows     map[uint64]bool // by their hashes
	all      int
	repeated int
}

// mostDistinct is the number of different rows after which a repetition ends.
const mostDistinct = 100_000

// add reports whether a row repeats an earlier one, or is not known to be new.
func (p *repetition) add(fields []string, schema *Schema) bool {
	if len(p.rows) >= mostDistinct {
		return true
	}
	if p.rows == nil {
		p.seed, p.rows = maphash.MakeSeed(), map[uint64]bool{}
	}
	var h maphash.Hash
	h.SetSeed(p.seed)
	for j := range len(schema.Columns) + 1 {
		at := schema.Label.Position
		if j < len(schema.Columns) {
			at = schema.Columns[j].Position
		}
		_, _ = h.WriteString(fields[at]) // never fails
		_ = h.WriteByte(0)
	}
	p.all++
	sum := h.Sum64()
	if p.rows[sum] {
		p.repeated++
		return true
	}
	p.rows[sum] = true
	return false
}

// warning returns a remark if at least one row in a hundred repeats another, else "".
func (p *repetition) warning() string {
	if p.repeated == 0 || 100*p.repeated < p.all {
		return ""
	}
	first := ""
	if len(p.rows) >= mostDistinct {
		first = "the first "
	}
	return fmt.Sprintf("%d of %s%s repeat earlier rows; if they are held out, they make the accuracy look better", p.repeated, first, Counted(p.all, "row"))
}

// A decider finds out whether a column alone decides the label: nearly every value of the column
// occurs with one label only. Such a column is often a code of the label, or was measured after
// the label was known. A model that uses this column is of no use for new rows.
type decider struct {
	groups map[string]*group
	rows   int
	ended  bool // the column does not decide the label, or has too many values
}

// A group counts the rows that have the same value in the column.
type group struct {
	label string // of the first row
	rows  int
	mixed bool // other rows have another label
}

const (
	mostGroups = 10_000 // a decider with more values ends

	// A decider with many mixed rows among the first early rows ends. Most columns end there, and
	// take no time after that.
	early = 1000
)

// add adds a row with this value in the column. It ignores rows without a value or a label.
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

// count returns three numbers of rows. Shared is the number of rows that share their value with
// other rows. Mixed is the number of shared rows whose value has several labels. Chance is an
// estimate of mixed if the values were independent of the labels, where most is the share of the
// most frequent label.
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

// share returns 0 if the column does not decide the label. Otherwise it returns the fraction of
// the shared rows whose value has one label. Labels has the number of rows of each label.
//
// The column decides the label if at least 99 % of the shared rows have a value with one label, and
// if this is not chance: chance must be at least 10 rows and at least 10 times mixed. Any column
// would decide a label that is nearly always the same.
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

// few reports whether the values are so few that texts may be codes. Other texts repeat because a message was
// sent twice, which says nothing about texts that differ.
func (d *decider) few() bool { return 10*len(d.groups) <= d.rows }

// values returns the number of different values if they may be codes: 3 to mostValues whole
// numbers. Otherwise it returns 0. Two codes are no problem, because one feature can express them.
func (p *profile) values() int {
	if n := len(p.few); p.word == nil && !p.fraction && 2 < n && n <= mostValues {
		return n
	}
	return 0
}

// hash records the features of a text.
func (p *profile) hash(h *Hash, text string) {
	if p.hashed == nil {
		p.hashed = make([]bool, 1<<h.Bits)
	}
	for _, gram := range h.grams(nil, text) {
		p.hashed[gram] = true
	}
}

// seen returns the features of all texts, ascending.
func (p *profile) seen() (all []uint32) {
	for gram, occurs := range p.hashed {
		if occurs {
			all = append(all, uint32(gram))
		}
	}
	return all
}
