package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A decimal is the decimal mark of a file: '.' or ',', or 0 until a number shows it.
type decimal byte

// number returns the number in a field, and whether it is one. A point or a comma in
// the first number that has one decides what both mean in the whole file.
func (d *decimal) number(field string) (float64, bool) {
	i := strings.IndexAny(field, ".,")
	if i >= 0 && *d != 0 && decimal(field[i]) != *d {
		return 0, false
	}
	v, err := strconv.ParseFloat(pointed(field), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	if i >= 0 {
		*d = decimal(field[i])
	}
	return v, true
}

// pointed returns a number with a decimal point.
func pointed(field string) string { return strings.Replace(field, ",", ".", 1) }

// want returns an error for a field that is not a number, or has the other mark.
func (d *decimal) want(column, field string) error {
	mark := ""
	if isNumber(field) {
		mark = map[decimal]string{'.': " with a decimal point", ',': " with a decimal comma"}[*d]
	}
	return fmt.Errorf("column %q: %q, want a finite number%s", column, field, mark)
}

// isNumber reports whether a field is a number with any decimal mark.
func isNumber(field string) bool {
	_, ok := new(decimal).number(field)
	return ok
}

// missing reports whether a field states that the value is not known.
func missing(field string) bool {
	if len(field) > len("#N/A") {
		return false
	}
	switch strings.ToLower(field) {
	case "", "?", "na", "n/a", "#n/a", "<na>", "nan", "null":
		return true
	}
	return field == "None" // as Python writes it; "none" may be a value
}

// Counted returns n with its noun.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Short lists at most ten names in quotes.
func Short(names []string) string {
	const most = 10
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if len(names) > most {
		quoted = append(quoted, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(quoted, ", ")
}

// SortClasses sorts names by value if all are numbers, and as text otherwise.
func SortClasses(names []string) {
	if slices.ContainsFunc(names, func(s string) bool { _, err := strconv.ParseFloat(s, 64); return err != nil }) {
		slices.Sort(names)
		return
	}
	slices.SortFunc(names, func(a, b string) int {
		v, _ := strconv.ParseFloat(a, 64)
		w, _ := strconv.ParseFloat(b, 64)
		return cmp.Or(cmp.Compare(v, w), strings.Compare(a, b))
	})
}
