package table

import (
	"bufio"
	"bytes"
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
	csv    *csv.Reader
	file   string
	fields []string // of the last line, without spaces around them
	mark   decimal
}

// newLines skips a byte order mark and finds the separator. It also returns the first
// rows that have as many fields as the first one.
func (s *Source) newLines(in *bufio.Reader) (*lines, [][]string, error) {
	if head, _ := in.Peek(3); string(head) == "\ufeff" { // as spreadsheets write it
		if _, err := in.Discard(len(head)); err != nil {
			return nil, nil, err
		}
	}
	text := sample(in)
	if s.Comma == 0 {
		s.Comma = separator(text)
	}
	l := &lines{csv: reader(in, s.Comma), file: s.Name, mark: decimal(s.Decimal)}
	if s.Comma == ',' && s.Decimal == 0 {
		l.mark = '.' // a comma inside a field would more likely separate thousands
	}
	l.csv.ReuseRecord = true // but the fields are parts of a new string for each line
	rows := parse(text, s.Comma)
	return l, slices.DeleteFunc(rows, func(row []string) bool { return len(row) != len(rows[0]) }), nil
}

// reader returns a reader of fields that the character separates.
func reader(in io.Reader, comma rune) *csv.Reader {
	r := csv.NewReader(in)
	r.Comma = comma
	r.TrimLeadingSpace = comma != '\t' && comma != ' ' // it would skip empty fields
	return r
}

// sample returns the whole lines that are in the buffer. It waits for the first line
// only, because the writer of a pipe may wait for an answer.
func sample(in *bufio.Reader) string {
	var text []byte
	for err := error(nil); err == nil && bytes.IndexByte(text, '\n') < 0; {
		_, err = in.Peek(len(text) + 1)
		text, _ = in.Peek(in.Buffered())
	}
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return string(text)
}

// quotes matches a quoted field, whose characters do not separate anything.
var quotes = regexp.MustCompile(`"[^"]*"`)

// separator returns the character that separates the fields: the first one that all
// lines have equally often, or else the one that the first line has most. A decimal
// comma may occur as often as the separator, so the comma is tried last.
func separator(text string) rune {
	lines := strings.Split(strings.Trim(quotes.ReplaceAllString(text, ""), "\r\n"), "\n")
	count := func(line string, comma rune) int { return strings.Count(line, string(comma)) }
	for _, comma := range "\t;|" {
		n := count(lines[0], comma)
		irregular := func(line string) bool { return count(line, comma) != n && strings.TrimSpace(line) != "" }
		if n > 0 && !slices.ContainsFunc(lines, irregular) {
			return comma
		}
	}
	return slices.MaxFunc([]rune(",\t;|"), func(a, b rune) int { return count(lines[0], a) - count(lines[0], b) })
}

// sampled is the number of rows that show whether the first one is a header.
const sampled = 100

// parse returns the first rows of a text. It leaves the errors to the pass over the file.
func parse(text string, comma rune) (rows [][]string) {
	r := reader(strings.NewReader(text), comma)
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	for row, err := r.Read(); err == nil && len(rows) < sampled; row, err = r.Read() {
		for j, field := range row {
			row[j] = strings.TrimSpace(field)
		}
		rows = append(rows, row)
	}
	return rows
}

// next reads the next line. It returns io.EOF after the last one. Text in another
// encoding than UTF-8 is an error: names would be wrong in every report, and would not
// be found in another file.
func (l *lines) next() (err error) {
	want := l.csv.FieldsPerRecord
	l.fields, err = l.csv.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return l.bad(0, "%s separated by %q, want %d as in the first line; --comma sets the separator", Counted(len(l.fields), "field"), l.csv.Comma, want)
	case errors.As(err, &bad):
		return &Error{File: l.file, Line: bad.Line, Column: max(1, bad.Column), Err: bad.Err}
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("%s: %w", l.file, err)
	}
	for i, field := range l.fields {
		if !utf8.ValidString(field) {
			return l.notUTF8(i, field)
		}
		l.fields[i] = strings.TrimSpace(field)
	}
	return nil
}

// open reads the first line.
func (l *lines) open() error {
	err := l.next()
	if err == io.EOF {
		return fmt.Errorf("%s: no rows", l.file)
	}
	return err
}

// notUTF8 returns an error at the first byte of field i that is not UTF-8.
func (l *lines) notUTF8(i int, field string) error {
	at := len(field) - len(strings.TrimLeftFunc(field, func(r rune) bool { return r != utf8.RuneError }))
	line, column := l.csv.FieldPos(i)
	return &Error{File: l.file, Line: line, Column: column + at,
		Err: fmt.Errorf("byte 0x%02x is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8, or -f utf16", field[at])}
}

// bad returns an error at the position of field i.
func (l *lines) bad(i int, format string, args ...any) error {
	line, column := l.csv.FieldPos(min(i, len(l.fields)-1))
	return &Error{File: l.file, Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}

// A decimal is the decimal mark of a file: '.' or ',', or 0 until a number shows it.
type decimal byte

// number returns the number in a field, and whether it is one. A point or a comma in
// the first number that has one decides what both mean in the whole file.
func (d *decimal) number(field string) (float64, bool) {
	i := strings.IndexAny(field, ".,")
	if i >= 0 && *d != 0 && decimal(field[i]) != *d {
		return 0, false
	}
	mark := *d
	if i >= 0 {
		mark, field = decimal(field[i]), pointed(field)
	}
	v, err := strconv.ParseFloat(field, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(field, "_xX") { // Go's own notations
		return 0, false
	}
	*d = mark
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

// missing reports whether a field states that the value is not known: it is empty, or one
// of the words that R, pandas, SQL and spreadsheets write.
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

// SortClasses sorts names by value if all are numbers, and as text otherwise. The second
// of two classes is the positive one, so 0 and 1, no and yes come in the right order.
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
