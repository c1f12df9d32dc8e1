package table

import (
	"fmt"
	"slices"
	"strconv"
)

// named returns the names of the columns by the first line. A column without a name,
// such as the index that pandas writes, gets one.
func named(first []string) []string {
	names := slices.Clone(first)
	for j, name := range names {
		if name == "" {
			names[j] = "unnamed " + strconv.Itoa(j+1)
		}
	}
	return names
}

// numbered returns the names of n columns without a header.
func numbered(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = "x" + strconv.Itoa(j+1)
	}
	return names
}

// isHeader reports whether the first row has names:
//
//   - a word stands over numbers, or
//   - the names are unique, no word recurs below it, and the numbers are whole and do
//     not recur either, or count the columns, as pandas names them.
func isHeader(rows [][]string) bool {
	if len(rows) == 0 {
		return false
	}
	first := rows[0]
	words, like, whole, same := 0, false, true, false
	for j, name := range first {
		var numbers, others int
		numbers, others, same = below(rows, j)
		switch {
		case name == "": // pandas writes the index of the rows without a name
		case isNumber(name):
			_, err := strconv.ParseUint(name, 10, 64)
			whole = whole && err == nil && !same
		case missing(name):
			like = true
		case numbers > 0 && others == 0:
			return true
		default:
			words++
			like = like || same
		}
		like = like || slices.Index(first, name) < j
	}
	switch {
	case like || len(rows) == 1 && words < len(first):
		return false
	case words > 0:
		return whole || counting(first)
	}
	return counting(first) && (len(first) > 4 || !same)
}

// below counts the numbers and the words under a name, and reports whether one of them
// equals it.
func below(rows [][]string, j int) (numbers, words int, same bool) {
	for _, row := range rows[1:] {
		switch field := row[j]; {
		case missing(field):
		case isNumber(field):
			numbers++
		default:
			words++
		}
		same = same || row[j] == rows[0][j]
	}
	return numbers, words, same
}

// counting reports whether at least two numbers among the names count the columns, from
// 0 or 1. A name that is no number, such as that of a label, has its place too.
func counting(names []string) bool {
	numbers, from0, from1 := 0, 0, 0
	for j, name := range names {
		switch {
		case name == strconv.Itoa(j):
			from0++
		case name == strconv.Itoa(j+1):
			from1++
		}
		if isNumber(name) {
			numbers++
		}
	}
	return numbers > 1 && max(from0, from1) == numbers
}

// noColumn returns an error for a name that no column has.
func noColumn(name string, names []string) error {
	return fmt.Errorf("no column %q; the columns are %s", name, Short(names))
}
