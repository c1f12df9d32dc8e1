package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lines reads the lines of CSV text as fields.
type lines struct {
	csv     *csv.Reader
	file    string
	fields  []string // of the last line, without spaces around them
	decimal byte     // 0 until a number shows it
}

// newLines skips a byte order mark and finds the separator. fits reports whether the
// fields of the first line have the number that the caller expects; nil means that
// the first lines are compared with each other.
func (s *Source) newLines(in *bufio.Reader, fits func(fields []string) bool) (*lines, error) {
	head, err := in.Peek(3)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	switch text := string(head); {
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		return nil, fmt.Errorf("%s: the text is UTF-16; save it as UTF-8", s.Name)
	case text == "\ufeff": // a byte order mark, as spreadsheets write it
		if _, err := in.Discard(len(text)); err != nil {
			return nil, err
		}
	}
	l := &lines{csv: csv.NewReader(in), file: s.Name, decimal: s.Decimal}
	if l.csv.Comma = s.Comma; s.Comma == 0 {
		l.csv.Comma = separator(sample(in), fits)
	}
	if l.csv.Comma == ',' && l.decimal == 0 {
		l.decimal = '.' // a comma inside a field would more likely separate thousands
	}
	l.csv.ReuseRecord = true
	l.csv.TrimLeadingSpace = l.csv.Comma != '\t' && l.csv.Comma != ' ' // which would skip empty fields
	return l, nil
}

// sample returns whole lines that are in the buffer. It waits for the first line only,
// because the writer of a pipe may wait for an answer.
func sample(in *bufio.Reader) []string {
	for n := 1; n <= buffer; n = in.Buffered() + 1 {
		_, err := in.Peek(n)
		text, _ := in.Peek(in.Buffered())
		if end := strings.LastIndexByte(string(text), '\n'); end >= 0 {
			return strings.Split(string(text[:end]), "\n")
		}
		if err != nil { // the end of the file
			return strings.Split(string(text), "\n")
		}
	}
	return []string{""}
}

// separator returns the character that separates the fields. A decimal comma may occur
// as often as the separator, so the comma is tried last.
func separator(text []string, fits func(fields []string) bool) rune {
	for _, comma := range []rune{'\t', ';', '|', ','} {
		if n := count(text[0], comma); n > 0 && (fits == nil && regular(text, comma, n) || fits != nil && fits(split(text[0], comma))) {
			return comma
		}
	}
	best := ','
	for _, comma := range []rune{'\t', ';', '|'} {
		if count(text[0], comma) > count(text[0], best) {
			best = comma
		}
	}
	return best
}

// regular reports whether each of the first lines has the character n times.
func regular(text []string, comma rune, n int) bool {
	for _, line := range text[:min(len(text), 50)] {
		if line = strings.TrimSpace(line); line != "" && count(line, comma) != n && comma != '\t' {
			return false
		}
	}
	return true
}

// split returns the fields of a line.
func split(line string, comma rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.Comma, r.LazyQuotes = comma, true
	fields, _ := r.Read()
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields
}

// count returns how often a line contains a character outside quotes.
func count(line string, comma rune) int {
	n, quoted := 0, false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if c == comma && !quoted {
			n++
		}
	}
	return n
}

// next reads the next line. It returns io.EOF after the last one.
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

// notUTF8 returns an error at the first byte of field i that is not UTF-8.
func (l *lines) notUTF8(i int, field string) error {
	at := 0
	for j, r := range field {
		if r == utf8.RuneError && !strings.HasPrefix(field[j:], string(r)) {
			at = j
			break
		}
	}
	line, column := l.csv.FieldPos(i)
	return &Error{File: l.file, Line: line, Column: column + at,
		Err: fmt.Errorf("byte 0x%02x is not UTF-8; convert the file, for example with iconv -f latin1 -t utf8", field[at])}
}

// bad returns an error at the position of field i.
func (l *lines) bad(i int, format string, args ...any) error {
	line, column := l.csv.FieldPos(min(i, len(l.fields)-1))
	return &Error{File: l.file, Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}

// number returns the number in a field, and whether it is one. A point or a comma in
// the first number that has one decides what both mean in the whole file.
func (l *lines) number(field string) (float64, bool) {
	mark := byte(0)
	if i := strings.IndexAny(field, ".,"); i >= 0 {
		mark = field[i]
	}
	if mark != 0 && l.decimal != 0 && mark != l.decimal {
		return 0, false
	}
	if mark == ',' {
		field = strings.Replace(field, ",", ".", 1)
	}
	v, err := strconv.ParseFloat(field, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	if l.decimal == 0 {
		l.decimal = mark
	}
	return v, true
}

// notNumber returns an error for field i, with advice.
func (l *lines) notNumber(i int, name string) error {
	field := l.fields[i]
	advice := fmt.Sprintf("; --drop %q leaves the column out", name)
	points := map[byte]string{'.': "points", ',': "commas"}
	if other := (&lines{}); l.decimal != 0 {
		if _, ok := other.number(field); ok {
			advice = fmt.Sprintf(": the numbers before it have decimal %s; --decimal sets the mark", points[l.decimal])
		}
	}
	return l.bad(i, "column %q: %q, want a finite number%s", name, field, advice)
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
