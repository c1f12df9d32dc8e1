package table

import (
	"slices"
	"strconv"
)

// named returns the names of the columns. Without a header, they are x1, x2, …. In a
// header, a column may have no name, such as the index that pandas writes. It gets one, so
// that --drop can name it.
func named(first []string, header bool) []string {
	names := slices.Clone(first)
	for j, name := range names {
		switch {
		case !header:
			names[j] = "x" + strconv.Itoa(j+1)
		case name == "":
			names[j] = "unnamed " + strconv.Itoa(j+1)
		}
	}
	return names
}

// isHeader reports whether the first row has names. It has if a word stands over numbers.
// It also has if the names are unique and do not recur below them, numbers among them are
// whole, and at least one is a word. Numbers that count the columns from 0 are the names that
// pandas writes, so that some may recur. If all do, there must be many columns, or the last
// one must not recur, because the label has few values.
func isHeader(rows [][]string) bool {
	first, isWord := rows[0], func(field string) bool { return !isNumber(field) }
	words, counted, likeRow, recurs, index := 0, 0, false, false, 0
	for j, name := range first {
		below := column(rows[1:], j)
		recurs = slices.Contains(below, name)
		_, fraction := strconv.ParseUint(name, 10, 64)
		switch {
		case name == "": // pandas writes the index of the rows without a name
			if j == 0 && len(below) == len(rows)-1 {
				index = 1
			}
		case missing(name) || slices.Index(first, name) < j:
			likeRow = true
		case name == strconv.Itoa(j-index):
			counted++
		case recurs || isNumber(name) && fraction != nil:
			likeRow = true
		case isNumber(name):
		case len(below) > 0 && !slices.ContainsFunc(below, isWord):
			return true
		default:
			words++
		}
	}
	pandas := counted+index == len(first) && (len(first) > 4 || !recurs)
	return !likeRow && (words > 0 || pandas)
}

// column returns the fields of a column that are not missing. Missing ones show nothing
// about the column, and may stand under any name.
func column(rows [][]string, j int) (fields []string) {
	for _, row := range rows {
		if !missing(row[j]) {
			fields = append(fields, row[j])
		}
	}
	return fields
}
