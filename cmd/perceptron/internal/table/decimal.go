package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A decimal is the decimal mark of a file: '.' or ',', or 0 until a number shows it. All numbers of
// a file have the same mark. Otherwise 1,234 would be read as 1.234 in a file that also has 1.5.
type decimal byte

// number returns the number in a field, and reports whether the field is a number. The first
// number with a point or a comma sets the mark of the whole file. A mark that is set is never
// written again, because concurrent requests to a server share one mark.
func (d *decimal) number(field string) (float64, bool) {
	v, mark, ok := short(field)
	if !ok {
		v, mark, ok = long(field)
	}
	if !ok || mark != 0 && *d != 0 && mark != *d {
		return 0, false
	}
	if *d == 0 && mark != 0 {
		*d = mark
	}
	return v, true
}

// mostDigits is the largest number of digits that short reads. A whole number of 15 digits and a
// power of ten up to 10¹⁵ are exact in a float64, so their quotient is rounded only once.
const mostDigits = 15

var tens = [mostDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// short returns the number in a field, and its decimal mark or 0. If the field has anything but
// digits, a minus sign before them and one decimal mark, ok is false. The result has the bits that
// strconv.ParseFloat returns, but short is about three times as fast. Reading a table would
// otherwise spend most of its time in ParseFloat.
func short(field string) (v float64, mark decimal, ok bool) {
	whole, digits, after := uint64(0), 0, 0
	for i := range len(field) {
		switch c := field[i]; {
		case '0' <= c && c <= '9':
			whole, digits = 10*whole+uint64(c-'0'), digits+1
		case (c == '.' || c == ',') && mark == 0:
			mark, after = decimal(c), len(field)-i-1
		case c != '-' || i > 0:
			return 0, 0, false
		}
	}
	if digits == 0 || digits > mostDigits {
		return 0, 0, false
	}
	if v = float64(whole) / tens[after]; field[0] == '-' {
		v = -v
	}
	return v, mark, true
}

// long returns the number in a field and its decimal mark. It accepts what strconv.ParseFloat does,
// with either mark, except for underscores, hexadecimal digits, infinities and NaN.
func long(field string) (v float64, mark decimal, ok bool) {
	if strings.ContainsAny(field, "_xX") {
		return 0, 0, false
	}
	if i := strings.IndexAny(field, ".,"); i >= 0 {
		mark = decimal(field[i])
	}
	if mark == ',' {
		field = pointed(field)
	}
	v, err := strconv.ParseFloat(field, 64)
	return v, mark, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// pointed returns a number with a decimal point instead of a decimal comma. It replaces one comma
// only, so that ParseFloat rejects a field with two.
func pointed(field string) string { return strings.Replace(field, ",", ".", 1) }

// want returns an error for a field that is not a number, or has another decimal mark than the file.
func (d *decimal) want(column, field string) error {
	mark := ""
	if isNumber(field) {
		mark = map[decimal]string{'.': " with a decimal point", ',': " with a decimal comma"}[*d]
	}
	err := fmt.Errorf("column %q: %q, want a finite number%s", column, field, mark)
	if _, parse := strconv.ParseFloat(pointed(field), 64); errors.Is(parse, strconv.ErrRange) {
		return overflowed{err}
	}
	return err
}

// overflowed is the error of a number that is too large for a float64.
type overflowed struct{ error }

func (overflowed) Is(target error) bool { return target == strconv.ErrRange }

// Number returns the number in a field with any decimal mark, and reports whether the field is a
// number.
func Number(field string) (float64, bool) { return new(decimal).number(field) }

// isNumber reports whether a field is a number with any decimal mark. It is for
// fields that are read before the file's mark is known, such as those of the first line.
func isNumber(field string) bool {
	_, ok := Number(field)
	return ok
}

// unknown lists what R, pandas, SQL and spreadsheets write for a missing value. Upper and lower
// case are equal.
var unknown = []string{"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"}

// missing reports whether a field means that the value is missing. In every column, also that of
// the label, such a field is neither a number nor a word.
func missing(field string) bool {
	if field != "" {
		switch field[0] {
		case '?', '#', '<', 'n', 'N':
		default: // most fields end here, without a comparison of words
			return false
		}
	}
	is := func(word string) bool { return strings.EqualFold(word, field) }
	return field == "None" || slices.ContainsFunc(unknown, is) // Python writes None; "none" may be a value
}
