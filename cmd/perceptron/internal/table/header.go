package table

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// sampled is the number of lines that show whether the first one has names.
const sampled = 100

// A layout is what the first lines of a CSV file show.
type layout struct {
	names  []string // of the columns; x1, x2, … without a header
	header bool     // the first line has the names
	comma  rune
}

// layout reads the first lines. The wanted names, those of flags, show a header too.
func (s *Source) layout(wanted []string) (layout, error) {
	in, err := s.text("")
	if err != nil {
		return layout{}, err
	}
	l, err := s.newLines(in, nil)
	if err != nil {
		return layout{}, err
	}
	var first []string
	var rest [][]string
	for err = l.next(); err == nil && len(rest) < sampled; err = l.next() {
		if first == nil {
			first = slices.Clone(l.fields)
		} else {
			rest = append(rest, slices.Clone(l.fields))
		}
	}
	switch {
	case first == nil && err == io.EOF:
		return layout{}, fmt.Errorf("%s: no rows", s.Name)
	case first == nil:
		return layout{}, err
	}
	found := layout{first, s.Header == "yes", l.csv.Comma}
	if s.auto() {
		named := slices.ContainsFunc(wanted, func(name string) bool { return slices.Contains(first, name) })
		found.header = named || isHeader(first, rest)
	}
	if found.names = withNames(first); !found.header {
		found.names = numbered(len(first))
	}
	return found, unique(s.Name, found.names)
}

// unique returns an error for a name that occurs twice.
func unique(file string, names []string) error {
	for i, name := range names {
		if j := slices.Index(names, name); j < i {
			return &Error{File: file, Line: 1, Column: 1, Err: fmt.Errorf("columns %d and %d are both named %q", j+1, i+1, name)}
		}
	}
	return nil
}

// withNames returns the names of a header. A column without a name, such as the index
// that pandas writes, gets one.
func withNames(first []string) []string {
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

// isHeader reports whether the first line has names:
//
//   - a word stands over numbers, or
//   - the names are unique, no word recurs below it, and the numbers are whole and do
//     not recur either, or count the columns, as pandas names them.
func isHeader(first []string, rest [][]string) bool {
	words, recurs, whole, unique := 0, false, true, true
	for j, name := range first {
		unique = unique && slices.Index(first, name) == j && (name == "" || !missing(name))
		c := below(name, j, rest)
		switch {
		case missing(name): // pandas writes the index of the rows without a name
		case !isNumber(name) && c.numbers > 0 && c.words == 0:
			return true
		case !isNumber(name):
			words++
			recurs = recurs || c.same
		default:
			_, err := strconv.ParseUint(name, 10, 64)
			whole = whole && err == nil && !c.same
		}
	}
	counts := counting(first)
	switch {
	case recurs || !unique || len(rest) == 0 && words < len(first):
		return false
	case words == len(first):
		return true
	case words > 0:
		return whole || counts
	}
	last := len(first) - 1
	return counts && (last >= 4 || !below(first[last], last, rest).same)
}

// A tail describes the fields of a column below the first one.
type tail struct {
	numbers, words int
	same           bool // one equals the first
}

func below(name string, j int, rest [][]string) (t tail) {
	for _, row := range rest {
		switch {
		case missing(row[j]):
		case isNumber(row[j]):
			t.numbers++
		default:
			t.words++
		}
		t.same = t.same || row[j] == name
	}
	return t
}

// counting reports whether at least two numbers among the names count the columns, from
// 0 or 1. A name that is no number, such as that of a label, has its place too.
func counting(names []string) bool {
	for _, from := range []int{0, 1} {
		numbers, ok := 0, true
		for j, name := range names {
			if isNumber(name) {
				numbers++
				ok = ok && name == strconv.Itoa(j+from)
			}
		}
		if ok && numbers > 1 {
			return true
		}
	}
	return false
}

// isNumber reports whether a field is a number with any decimal mark.
func isNumber(field string) bool {
	_, ok := new(lines).number(field)
	return ok
}

// column returns the index of a column by its name. The words first and last name
// columns too, unless a column has that name.
func column(names []string, name string) int {
	j := slices.Index(names, name)
	switch {
	case j >= 0:
		return j
	case name == "first":
		return 0
	case name == "last":
		return len(names) - 1
	}
	return -1
}

// noColumn returns an error for a name that no column has.
func noColumn(file, name string, names []string) error {
	return &Error{File: file, Line: 1, Column: 1, Err: fmt.Errorf("no column %q; the columns are %s", name, Short(names))}
}

// Short lists at most ten names in quotes.
func Short(names []string) string {
	const most = 10
	quoted := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(quoted, ", ")
}
