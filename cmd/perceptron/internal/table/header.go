package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// isHeader reports whether the first row has names. Either of these conditions is enough:
//   - A word is above a column of numbers.
//   - The fields are unique and occur in no later row of their columns, numbers among them are
//     whole, and at least one field is a word.
//
// Fields that count the columns from 0 are names that pandas writes, and may occur in later rows.
// If all fields count the columns, the row has names if it has more than 4 fields, or if the last
// field does not occur below: the last column is usually the label, which has few values.
func isHeader(rows [][]string) bool {
	first, isWord := rows[0], func(field string) bool { return !isNumber(field) }
	words, counted, likeRow, recurs, index, before := 0, 0, false, false, 0, map[string]bool{}
	counts := countsColumns(first)
	// The names may stand between the rows again, where files were joined.
	others := slices.DeleteFunc(slices.Clone(rows[1:]), func(row []string) bool { return slices.Equal(row, first) })
	for j, name := range first {
		if below := column(others, j); len(others) < len(rows)-1 && isWord(name) && !missing(name) && len(below) > 0 && !slices.ContainsFunc(below, isWord) {
			return true
		}
		below := column(rows[1:], j)
		recurs = slices.Contains(below, name)
		_, fraction := strconv.ParseUint(name, 10, 64)
		switch {
		case name == "": // pandas writes no name above the index of the rows
			if j == 0 && len(below) == len(rows)-1 {
				index = 1
			}
		case missing(name) || before[name]:
			likeRow = true
		case name == strconv.Itoa(j-index) && (!recurs || counts):
			counted++
		case recurs || isNumber(name) && fraction != nil:
			likeRow = true
		case isNumber(name):
		case len(below) > 0 && !slices.ContainsFunc(below, isWord):
			return true
		default:
			words++
		}
		before[name] = true
	}
	pandas := counted+index == len(first) && (len(first) > 4 || !recurs)
	return !likeRow && (words > 0 || pandas)
}

// countsColumns reports whether at least two fields count the columns from 0, and all others are an empty first one
// and the last one: the label may have a name.
func countsColumns(first []string) bool {
	index := map[bool]int{true: 1}[first[0] == ""]
	for j := index; j < len(first)-1; j++ {
		if first[j] != strconv.Itoa(j-index) {
			return false
		}
	}
	return len(first) > 2
}

// column returns the fields of a column that are not missing. A missing field does not show
// whether the column has numbers or words.
func column(rows [][]string, j int) (fields []string) {
	for _, row := range rows {
		if !missing(row[j]) {
			fields = append(fields, row[j])
		}
	}
	return fields
}

// titled returns the number of rows above the first one that has words above columns of numbers, or 0 if there is
// none, or it is the first row. A single such word may be a missing value, unless the rows above are short.
func titled(rows [][]string, short bool) int {
	for k := 1; k < min(mostTitles, len(rows)-1); k++ {
		words, other := 0, 0
		for j := 0; j < len(rows[k]) && other == 0; j++ {
			name, below := rows[k][j], column(rows[k+1:], j)
			switch {
			case len(below) == 0 || slices.ContainsFunc(below, func(field string) bool { return !isNumber(field) }):
			case missing(name) || !strings.ContainsFunc(name, unicode.IsLetter): // such as -
				other++
			default:
				words++
			}
		}
		if other == 0 && !slices.Equal(rows[k], rows[0]) && (words > 1 || words == 1 && (short || slices.Contains(rows[0], ""))) {
			return k
		}
	}
	return 0
}

// transposed reports whether each row is a column: its name and numbers, or below them, its name and words that repeat.
func transposed(rows [][]string) bool {
	words := 0
	for k, row := range rows {
		odd := slices.ContainsFunc(row[1:], func(field string) bool { return !isNumber(field) && !missing(field) })
		repeat := len(row) > 3 && len(slices.Compact(slices.Sorted(slices.Values(row[1:])))) < len(row)/2
		if isNumber(row[0]) || odd && (k == 0 || !repeat || slices.ContainsFunc(row, isNumber)) {
			return false
		} else if odd {
			words++
		}
	}
	return words > 0 && words < len(rows)
}

// cause returns why lines seem to have one field, and what to do, or "".
func cause(rows [][]string) string {
	each := func(what string) bool {
		n := strings.Count(rows[0][0], what)
		return n > 0 && !slices.ContainsFunc(rows, func(row []string) bool { return strings.Count(row[0], what) != n })
	}
	comma, _, _ := separator(rows[0][0], "")
	switch {
	case each("^"):
		return "; each line has '^', as --comma caret reads it"
	case each("~"):
		return "; each line has '~', as --comma tilde reads it"
	case each("::"):
		return `; each line has "::", and sed 's/::/\t/g' makes tabs of them`
	case each(string(comma)):
		return `; each line is in quotes, and sed -E 's/^"(.*)"(\r?)$/\1\2/; s/""/"/g' removes them`
	}
	for k, row := range rows[1:min(mostTitles, len(rows))] {
		if comma, _, _ := separator(row[0], ""); strings.ContainsRune(row[0], comma) {
			return fmt.Sprintf("; tail -n +%d removes the rows above the first %q, if they are a title", k+2, comma)
		}
	}
	return ""
}
