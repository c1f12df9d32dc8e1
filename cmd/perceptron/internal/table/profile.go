package table

import (
	"math"
	"slices"
	"strings"
)

// A profile describes the fields of one column that are not missing. It shows whether they are
// numbers or words, and whether the column can help a model. One pass fills the profiles of all
// columns. The memory does not grow with the number of rows: at most mostCategories+1 words are
// kept, and numbers are kept as words only in the first rows, or after a word.
type profile struct {
	rows, numbers, dates int              // fields, and how many are numbers and words that are dates
	alike                int              // words that look like numbers
	units                map[string]*unit // the units of words that are numbers with a unit
	last                 float64          // number
	ends                 [2]end           // of the numbers, the lower one first
	level                [2]bool          // some number is not greater than the one before it; not less
	few                  []float64        // the first different numbers, at most mostValues+1
	fraction             bool             // some number is not whole
	words                map[string]kind  // different words; numbers too, unless forgets is true
	forgets              bool             // numbers are no longer added to words
	word                 error            // describes the first word as an error; nil if there is none
	decides              decider
	groups               grouping
	zero                 string   // the first number that begins with 0 and another digit
	zeroLine             int      // its line
	hashed               []bool   // features of the texts so far
	examples             []string // the first three different words
	marks                []string // missing values that are words if the column has words
}

// A kind says whether a word looks like a date or like a number, and which unit it has.
type kind struct {
	date, numeric bool
	unit          string
}

// add adds the column's field of the current line. For a number or a missing value, it returns
// the number or NaN, and true. For a word, it returns false. If category is true, numbers are words.
func (p *profile) add(l *lines, c *Column, category bool) (v float64, number bool) {
	field := l.fields[c.Position]
	if missing(field) {
		return math.NaN(), true
	}
	p.rows++
	if !category {
		if v, ok := l.mark.number(field); ok {
			p.count(v, field)
			for k := range p.ends {
				if e := &p.ends[k]; e.line == 0 {
					e.line, _ = l.position(c.Position)
				}
			}
			p.groups.add(field, l.mark)
			if p.zero == "" && len(field) > 2 && field[0] == '0' && '0' <= field[1] && field[1] <= '9' {
				p.zero = strings.Clone(field)
				p.zeroLine, _ = l.position(c.Position)
			}
			// If the column has words, its numbers are words too, so their texts are kept. Most
			// columns of numbers have no word, so this ends if 100 rows had no word.
			if p.forgets = p.forgets || p.rows > 100 && p.word == nil; !p.forgets {
				p.keep(field, true)
			}
			return v, true
		}
	}
	if p.word == nil {
		// Only the end of the pass shows whether the word is an error; see mixed.
		p.word = l.bad(c.Position, "%w", l.mark.want(c.Name, field))
	}
	k, known := p.keep(field, false)
	if !known && len(p.examples) < 3 {
		p.examples = append(p.examples, strings.Clone(field))
	}
	if k.date {
		p.dates++
	}
	if k.numeric {
		p.alike++
	} else if k.unit != "" {
		p.units[k.unit].fields++
	}
	return 0, false
}

// keep adds a field to the words. It returns the kind of the field, and reports whether the field
// was already among the words.
func (p *profile) keep(field string, number bool) (k kind, known bool) {
	if k, known = p.words[field]; known {
		return k, known
	}
	if !number { // matching takes time, and the kind of a number is not asked for
		k = kind{isDate(field), LooksNumeric(field) || several(field), ""}
	}
	if p.words == nil {
		p.words = map[string]kind{}
	}
	if !number && !k.numeric {
		k.unit = p.measure(field)
	}
	if len(p.words) <= mostCategories {
		p.words[strings.Clone(field)] = k // without the clone, the map would keep the line
	}
	return k, false
}

// count adds a number. It notes whether the numbers ascend or descend with the rows, as those of the rows, ids and
// times do. They must not be a feature: in a file that is sorted by class, they show the class.
func (p *profile) count(v float64, field string) {
	if p.numbers > 0 {
		p.level[0], p.level[1] = p.level[0] || v <= p.last, p.level[1] || v >= p.last
	}
	p.last = v
	p.ends[0].add(-v, field)
	p.ends[1].add(v, field)
	p.numbers++
	p.fraction = p.fraction || v != math.Trunc(v)
	if len(p.few) <= mostValues && !slices.Contains(p.few, v) {
		p.few = append(p.few, v)
	}
}
