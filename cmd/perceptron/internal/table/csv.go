package table

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lines reads the lines of CSV text as fields. encoding/csv does the work; lines adds
// what it has no opinion on: the separator, the encoding, spaces around fields, decimal
// marks, and the positions of errors.
type lines struct {
	in     *bufio.Reader
	csv    *csv.Reader
	file   string
	fields []string // of the last line, without spaces around them
	mark   decimal
	na     []string // further names of missing values, which become empty fields
	tie    rune     // another separator that the first line has equally often, or 0

	// unquoted says that quotes are data. encoding/csv then reads another character in their place.
	unquoted bool

	// named says, before the second line is read, that the first line has names. In a file of
	// R, it may name no column for the names of the rows. As in R, they are no data: skip is 1.
	named bool
	skip  int
}

// lines begins a pass and reads the first line. It waits for no other line, because the
// writer of a pipe may wait for an answer to the first one.
func (s *Source) lines(purpose string) (*lines, error) {
	in, err := s.text(purpose)
	if err != nil {
		return nil, err
	}
	first, _ := in.ReadString('\n')             // after an error, the next read fails too
	first = strings.TrimPrefix(first, "\ufeff") // a byte order mark, as spreadsheets write it
	comma, tie := separator(first)
	// Excel writes and obeys such a line. An empty line instead keeps the numbers of the others.
	if mark := strings.TrimRight(first, "\r\n"); len(mark) == len("sep=;") && strings.HasPrefix(mark, "sep=") {
		first, comma = "\n", rune(mark[4])
	}
	s.comma = cmp.Or(characters[s.Comma], comma)
	unquoted := s.unquoted && s.comma == '\t'
	all := io.MultiReader(strings.NewReader(first), in)
	if unquoted {
		all = unquotes{all}
	}
	in = bufio.NewReaderSize(all, buffer)
	l := &lines{in: in, csv: csv.NewReader(in), file: s.Name, mark: decimal(characters[s.Decimal]), na: s.na, tie: tie, unquoted: unquoted}
	if s.comma == ',' && l.mark == 0 {
		// A comma inside a field would more likely separate thousands.
		l.mark = '.'
	}
	l.csv.Comma = s.comma
	// The slice of the fields is reused, but not their text: it is a new string for each
	// line. Whoever keeps a field keeps the whole line, unless it clones the field.
	l.csv.ReuseRecord = true
	// Spaces before a quote would make it a part of the field. But between tabs or spaces,
	// encoding/csv would skip empty fields.
	l.csv.TrimLeadingSpace = s.comma != '\t' && s.comma != ' '
	if err = l.next(); err == io.EOF {
		err = fmt.Errorf("%s: no rows", s.Name)
	}
	return l, err
}

// inside matches characters that do not separate anything, inside a quoted field or a
// number with a decimal comma.
var inside = regexp.MustCompile(`"[^"]*"|\d,\d`)

// separator returns the character that the first line has most often between its fields, and
// another one that it has equally often, if there is one. A line without any has one field, so the
// answer does not matter, and is the comma.
func separator(line string) (comma, tie rune) {
	line = inside.ReplaceAllString(line, "")
	count := func(comma rune) int { return strings.Count(line, string(comma)) }
	comma = slices.MaxFunc([]rune(",\t;|"), func(a, b rune) int { return count(a) - count(b) })
	for _, other := range ",\t;|" {
		if other != comma && count(other) == count(comma) && count(comma) > 0 {
			tie = other
		}
	}
	return comma, tie
}

// quote stands for quotes that are data. No text has this control character.
const quote = '\x1e'

// unquotes replaces quotes.
type unquotes struct{ io.Reader }

func (u unquotes) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '"' {
			p[i] = quote
		}
	}
	return n, err
}

// next reads the next line. It returns io.EOF after the last one. Text in another
// encoding than UTF-8 is an error: names would be wrong in every report, and would not
// be found in another file.
func (l *lines) next() (err error) {
	want := l.csv.FieldsPerRecord
	l.fields, err = l.csv.Read()
	// Only the second line can show that the first has no name for the names of the rows. Later lines
	// must have as many fields as the second.
	if errors.Is(err, csv.ErrFieldCount) && l.named && len(l.fields) == want+1 {
		l.skip, l.csv.FieldsPerRecord, err = 1, want+1, nil
	}
	l.named = false
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return l.bad(-l.skip, "%s separated by %q, want %d as in the first line; --comma sets the separator", Counted(len(l.fields), "field"), l.csv.Comma, want-l.skip)
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("%s: %w", l.file, err)
	}
	l.fields = l.fields[l.skip:]
	for i, field := range l.fields {
		if !plain(field) {
			if field, err = l.clean(i, field); err != nil {
				return err
			}
			l.fields[i] = field
		}
		if slices.Contains(l.na, field) {
			l.fields[i] = ""
		}
	}
	return nil
}

// plain reports whether a field has only visible ASCII characters, as most fields have. Then clean
// would return it unchanged.
func plain(field string) bool {
	for i := range len(field) {
		if c := field[i]; c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// clean returns field i without spaces around it, and with its quotes if they are data. It returns an
// error if the field is not UTF-8.
func (l *lines) clean(i int, field string) (string, error) {
	if !utf8.ValidString(field) {
		at := strings.IndexRune(field, utf8.RuneError)
		err := l.bad(i, "byte 0x%02x is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8, or -f utf16", field[at])
		err.Column += at
		return "", err
	}
	if l.unquoted {
		field = strings.ReplaceAll(field, string(quote), `"`)
	}
	return strings.TrimSpace(field), nil
}

// bad returns an error at the position of field i. If the line has fewer fields, it is that
// of the last one.
func (l *lines) bad(i int, format string, args ...any) *Error {
	line, column := l.csv.FieldPos(min(i, len(l.fields)-1) + l.skip)
	return &Error{File: l.file, Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}

// A decimal is the decimal mark of a file: '.' or ',', or 0 until a number shows it. A file
// has one mark only. If each number chose its own, 1,234 would be read as 1.234 beside 1.5.
type decimal byte

// number returns the number in a field, and whether it is one. A point or a comma in
// the first number that has one decides what both mean in the whole file. Requests to
// a server share one mark, so a mark that is known is not written again.
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

// mostDigits is the number of digits up to which short reads a number. A whole number of 15 digits
// and a power of ten up to 10¹⁵ are exact in a float64, so that their quotient is rounded once.
const mostDigits = 15

var tens = [mostDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// short returns the number in a field, and its decimal mark or 0. The field has only digits, and
// perhaps a minus sign and a decimal mark; else ok is false. The bits are those of strconv.ParseFloat,
// which takes three times as long, and took most of the time of reading a table.
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

// long returns the number in a field in any notation but Go's own, and its decimal mark.
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

// pointed returns a number with a decimal point. A number has no second comma: ParseFloat
// rejects it.
func pointed(field string) string { return strings.Replace(field, ",", ".", 1) }

// want returns an error for a field that is not a number, or has the other mark.
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

// Number returns the number that a field is with any decimal mark, and whether it is one.
func Number(field string) (float64, bool) { return new(decimal).number(field) }

// isNumber reports whether a field is a number with any decimal mark. It is for
// fields that are read before the file's mark is known, such as those of the first line.
func isNumber(field string) bool {
	_, ok := Number(field)
	return ok
}

// unknown has the words that R, pandas, SQL and spreadsheets write for a missing value,
// in any case of their letters.
var unknown = []string{"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null"}

// missing reports whether a field states that the value is not known. Such a field is
// neither a number nor a word, in every column and also in that of the label.
func missing(field string) bool {
	if field != "" {
		switch field[0] {
		case '?', '#', '<', 'n', 'N':
		default: // most fields
			return false
		}
	}
	is := func(word string) bool { return strings.EqualFold(word, field) }
	return field == "None" || slices.ContainsFunc(unknown, is) // Python writes None; "none" may be a value
}

// Counted returns n with its noun.
func Counted(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, map[bool]string{true: "s"}[n != 1])
}

// Flag returns a flag for one name, as a user types it: a comma would separate two names, and
// a minus sign would begin another flag.
func Flag(flag, name string) string {
	equals := map[bool]string{false: " ", true: "="}[strings.HasPrefix(name, "-")]
	return "--" + flag + equals + strconv.Quote(strings.ReplaceAll(name, ",", `\,`))
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

// CompareClasses orders the names of classes: numbers by value, and then words. The second
// of two classes is the positive one, so 0 and 1, no and yes come in the right order.
// Different names of one value, such as 1 and 1.0, are different classes.
func CompareClasses(a, b string) int {
	value := func(name string) float64 {
		if v, err := strconv.ParseFloat(name, 64); err == nil {
			return v
		}
		return math.Inf(1)
	}
	return cmp.Or(cmp.Compare(value(a), value(b)), strings.Compare(a, b))
}

// Ascending reports whether names are sorted, and all different.
func Ascending(names []string, compare func(a, b string) int) bool {
	return slices.IsSortedFunc(names, func(a, b string) int { return cmp.Or(compare(a, b), -1) }) // equal names are not sorted
}
