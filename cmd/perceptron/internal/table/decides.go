package table

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
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

// A decider finds out whether a column alone decides the label, or one of many classes. Such a column is often
// a code of the label, or was measured after the label was known. A model that uses it is of no use for new
// rows. There are three kinds: nearly every value of the column occurs with one label only; thresholds on a
// number divide the classes; of two values, one is one class.
type decider struct {
	groups map[string]*group
	rows   int
	ended  bool // the column does not decide the label, or has too many values
	share  float64
	class  string // that one of two values is
}

// A group counts the rows that have the same value in the column.
type group struct {
	label  string // of the first row
	rows   int
	others map[string]int // rows with other labels
}

// of returns the number of rows with a label.
func (g *group) of(label string) int {
	if label != g.label {
		return g.others[label]
	}
	n := g.rows
	for _, other := range g.others {
		n -= other
	}
	return n
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
	if g.rows++; g.label != label {
		if g.others == nil {
			g.others = map[string]int{}
		}
		g.others[strings.Clone(label)]++
	}
	if d.rows == early {
		shared, mixed, _ := d.count(0)
		d.ended = 20*mixed > shared && (len(d.groups) != 2 || !d.decide(true))
	}
	if len(d.groups) > mostGroups {
		d.decide(true)
		d.ended, d.share = true, min(d.share, 0) // so many values repeat too seldom
	}
	if d.ended {
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
		if g.others != nil {
			mixed += g.rows
		}
	}
	return shared, mixed, chance
}

// decide sets what the column decides, and reports whether it decides anything. The column decides the label if
// at least 99 % of the shared rows have a value with one label, and if this is not chance: chance must be at
// least 10 rows and at least 10 times mixed. Any column would decide a label that is nearly always the same.
// The same holds for thresholds, and for the rows of a class.
func (d *decider) decide(number bool) bool {
	labels, most := map[string]int{}, 0
	for _, g := range d.groups {
		for label := range g.others {
			labels[label] += g.others[label]
		}
		labels[g.label] += g.of(g.label)
	}
	for _, n := range labels {
		most = max(most, n)
	}
	few := func(wrong, of int) bool { return of >= 10 && 100*wrong <= d.rows && 10*wrong <= of }
	shared, mixed, chance := d.count(float64(most) / float64(max(1, d.rows)))
	d.share, d.class = 0, ""
	if chance >= 10 && 100*mixed <= shared && 10*float64(mixed) <= chance {
		d.share = 1 - float64(mixed)/float64(shared)
		return true
	}
	if wrong, ok := d.thresholds(labels); number && ok && few(wrong, d.rows-most) {
		d.share = float64(wrong)/float64(d.rows) - 1
		return true
	}
	for _, g := range d.groups {
		for label, n := range labels {
			if k := g.of(label); len(d.groups) == 2 && few(g.rows+n-2*k, min(n, d.rows-n)) {
				d.class = label
			}
		}
	}
	return d.class != ""
}

// thresholds returns how many rows are on the wrong side of the thresholds that divide the classes best, in the order
// of their means. It reports whether the values are numbers, and the classes few.
func (d *decider) thresholds(labels map[string]int) (wrong int, ok bool) {
	if len(d.groups) == 0 {
		return 0, false
	}
	values, means := map[float64]*group{}, map[string]float64{}
	for value, g := range d.groups {
		v, number := Number(value)
		if !number || len(labels) < 2 || len(labels) > fewWords {
			return 0, false
		}
		values[v] = g
		for label, n := range labels {
			means[label] += v * float64(g.of(label)) / float64(n)
		}
	}
	order := slices.SortedFunc(maps.Keys(labels), func(a, b string) int { return cmp.Compare(means[a], means[b]) })
	best := make([]int, len(order)) // of the values so far, if the last one is on the side of the class
	for _, v := range slices.Sorted(maps.Keys(values)) {
		for k := len(order) - 1; k >= 0; k-- {
			best[k] = min(best[k], best[max(0, k-1)]) + values[v].rows - values[v].of(order[k])
		}
	}
	return best[len(best)-1], true
}

// warning names a column that alone decides the label, or is "".
func (d *decider) warning(name string, number bool) string {
	if !d.ended {
		d.decide(number)
	}
	why := fmt.Sprintf("on %.1f %% of the rows that share a value, each value has one label", 100*d.share)
	if d.share < 0 {
		why = fmt.Sprintf("thresholds on it divide the classes of %.1f %% of the rows", -100*d.share)
	}
	if d.share == 0 || d.share < 0 && !number {
		return ""
	}
	return fmt.Sprintf("column %q alone decides the label: %s. If it is not known before the label, %s leaves it out", name, why, Flag("drop", name))
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
