package table

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// absent returns the index of the name of --na that a field has, or -1. A name that is a number stands for every form of
// this number: pandas writes -999.0 for -999.
func absent(names []string, field string) int {
	return slices.IndexFunc(names, func(name string) bool {
		v, number := Number(name)
		w, also := Number(field)
		return name == field || number && also && v == w
	})
}

// An end is one end of the numbers of a column. Those of the lower end are negated.
type end struct {
	at, second float64 // the greatest number, and the one below
	rows       int     // with the greatest number
	field      string  // the first of them
	line       int     // of the first, or 0 if it is not set yet
}

// add adds a number.
func (e *end) add(v float64, field string) {
	switch {
	case e.rows == 0:
		*e = end{v, math.Inf(-1), 1, strings.Clone(field), 0}
	case v > e.at:
		*e = end{v, e.at, 1, strings.Clone(field), 0}
	case v == e.at:
		e.rows++
	default:
		e.second = max(e.second, v)
	}
}

// Numbers that people write for a missing value: of nines, sevens or eights, and round ones.
var (
	nines = regexp.MustCompile(`^[-+]?(9+|7{2,}|8{2,})([.,]0+)?$`).MatchString
	round = regexp.MustCompile(`^[-+]?\d0{2,}([.,]0+)?$`).MatchString
)

// sentinel returns the end whose number may mean that a value is missing. It is repeated in at least three rows
// and in one of a hundred, and farther from all others than they are from each other. A round number must be
// ten times as far, unless it is negative beside others that are not: doses are 1, 10 and 100.
func (p *profile) sentinel() (found end) {
	for k, of := range p.ends {
		other, far := p.ends[1-k], 10.0
		others, inner := other.at+of.second, other.second+of.second
		if inner > 0 && nines(other.field) { // both ends may be such numbers
			others = inner
		}
		if nines(of.field) || k == 0 && of.at > 0 && of.second <= 0 {
			far = 1
		} else if !round(of.field) {
			continue
		}
		if of.rows >= 3 && 100*of.rows >= p.numbers && others > 0 && of.at-of.second > far*others {
			return of
		}
	}
	return end{}
}
