package table

import (
	"strings"
)

// absent has the names of --na. A name that is a number stands for every form of this number: pandas writes
// -999.0 for -999.
type absent []struct {
	name   string
	value  float64
	number bool
	found  bool // some field has the name
}

func newAbsent(names []string) absent {
	all := make(absent, len(names))
	for k, name := range names {
		all[k].name = name
		all[k].value, all[k].number = Number(name)
	}
	return all
}

// find returns the index of the name that a field has, or -1.
func (a absent) find(field string) int {
	for k, name := range a {
		if v, number := 0.0, name.number; field == name.name {
			return k
		} else if number {
			if v, number = Number(field); number && v == name.value {
				return k
			}
		}
	}
	return -1
}

// warning names what no field of a file was, or is "".
func (a absent) warning() string {
	var names []string
	for _, name := range a {
		if !name.found {
			names = append(names, name.name)
		}
	}
	if names == nil {
		return ""
	}
	return "no field is what --na names: " + Short(names)
}

// ends has the least and the greatest numbers of a column, and how often each of them occurs. The second ones are
// those nearest to them.
type ends struct{ low, high end }

type end struct {
	at, second float64
	rows       int
	field      string // the first one with the number
	two        bool   // there is a second one
}

// add adds a number.
func (e *ends) add(v float64, field string) {
	e.low.add(-v, field)
	e.high.add(v, field)
}

// add adds a number to the end with the greatest numbers.
func (e *end) add(v float64, field string) {
	switch {
	case e.rows > 0 && v < e.at:
		if !e.two || v > e.second {
			e.second, e.two = v, true
		}
	case e.rows > 0 && v == e.at:
		e.rows++
	default:
		e.second, e.two = e.at, e.rows > 0
		e.at, e.rows, e.field = v, 1, strings.Clone(field)
	}
}

// A sentinel is repeated in at least leastSentinels rows, and in one row of sentinelShare.
const leastSentinels, sentinelShare = 3, 100

// sentinel returns the end whose number may mean that a value is missing, and the number nearest to it. It is far from all others: farther than they are from each other. A number that does not look like a name for a
// missing value, such as -1 beside positive numbers, or 999, must be ten times as far: doses are 1, 10 and 100.
func (e *ends) sentinel(rows int) (found end, nearest float64) {
	for _, pair := range [][2]end{{e.low, e.high}, {e.high, e.low}} {
		of, other := pair[0], pair[1]
		others, inner, far := other.at+of.second, other.second+of.second, 10.0
		if inner > 0 && other.coded() { // both ends may be such names
			others = inner
		}
		if of.coded() || of == e.low && of.at > 0 && of.second <= 0 {
			far = 1
		}
		if of.rows >= leastSentinels && of.rows*sentinelShare >= rows && others > 0 && of.at-of.second > far*others {
			if of == e.low {
				return of, -of.second
			}
			return of, of.second
		}
	}
	return end{}, 0
}

// coded reports whether a number has only nines, as -99 and 999.
func (e *end) coded() bool {
	return strings.Trim(e.field, "-+9") == "" || strings.Trim(strings.TrimRight(e.field, "0"), "-+9.,") == "" && strings.ContainsAny(e.field, ".,")
}

// span returns the least and the greatest number, or nil if there is none.
func (e *ends) span() []float64 {
	if e.low.rows == 0 {
		return nil
	}
	return []float64{0 - e.low.at, e.high.at}
}
