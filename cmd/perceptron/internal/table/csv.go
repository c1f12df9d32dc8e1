package table

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// lines reads the lines of CSV text as fields. It parses with encoding/csv, and adds what that
// package lacks: detecting the separator and the decimal mark, trimming fields, checking the
// encoding, and the file name and position of every error.
type lines struct {
	in     *bufio.Reader
	csv    *csv.Reader
	file   string
	fields []string // of the last line, without spaces around them
	mark   decimal
	na     []string // further names of missing values, which become empty fields
	unused []string // of these, those that no field had
	tie    rune     // another separator that the first line has equally often, or 0

	// unquoted says that quotes are data. encoding/csv then reads the character quote instead.
	unquoted bool

	// named says, before the second line is read, that the first line has names. In a file that R
	// wrote, the first line may lack a name for the column of the row names. The row names are not
	// data, as in R: then skip is 1, the number of fields to skip in each line.
	named    bool
	skip     int
	rowNames map[string]bool // of the first rows, if skip is 1
	second   int             // the line that set skip
	width    int             // the number of fields in each line, without the skipped ones
	places   []int           // between spaces, the places of the fields among those of encoding/csv

	blank bool // the last line is blank, which a line of several columns cannot be
	long  bool // a field of the last row has several lines
}

// lines begins a pass and reads the first line. It waits for no other line, because the
// writer of a pipe may wait for an answer to the first one.
func (s *Source) lines(purpose string) (*lines, error) {
	in, err := s.text(purpose)
	if err != nil {
		return nil, err
	}
	first, err := in.ReadString('\n')           // after an error, the next read fails too
	first = strings.TrimPrefix(first, "\ufeff") // a byte order mark, as spreadsheets write it
	// Blank lines do not show the separator. In a stream of one column they are rows, which are answered at once.
	var blank strings.Builder // adding strings would copy each line for each later one
	for err == nil && strings.TrimSpace(first) == "" && !s.single {
		blank.WriteString(first)
		first, err = in.ReadString('\n')
	}
	before := blank.String()
	ahead, _ := in.Peek(min(in.Buffered(), begins))
	begin := first + string(ahead)
	comma, tie, title := separator(begin, s.Name)
	s.title = title
	none := characters[s.Comma] == nothing
	alone := !none && !strings.ContainsRune(inside.ReplaceAllString(first, ""), cmp.Or(characters[s.Comma], comma))
	single := none || !strings.ContainsRune(quoted.ReplaceAllString(first, ""), cmp.Or(characters[s.Comma], comma))
	// Excel writes and reads a first line that sets the separator, such as sep=;. An empty line
	// in its place keeps the numbers of the other lines.
	head := io.Reader(strings.NewReader(""))
	if mark := strings.TrimRight(first, "\r\n"); !none && len(mark) == len("sep=;") && strings.HasPrefix(mark, "sep=") {
		head, before, first = strings.NewReader(before+"\n"), "", ""
		comma, alone, single = rune(mark[4]), false, false
	}
	if i := strings.LastIndexByte(begin[:min(len(begin), begins)], ' '); i > 0 && len(begin) > begins {
		begin = begin[:i]
	}
	if s.Format == "" && !none && len(begin) <= 2*begins && pairs.MatchString(begin) {
		return nil, s.first(errors.New("its lines are of LIBSVM's format; read them with --format libsvm"))
	}
	if s.alone = alone; s.schema != nil {
		s.spaced = s.alone && s.schema.spaced(first)
	}
	s.comma = cmp.Or(characters[s.Comma], map[bool]rune{true: ' ', false: comma}[s.spaced])
	if s.comma == ' ' {
		single = len(strings.Fields(first)) < 2
	}
	unquoted := none || s.unquoted && s.comma == '\t'
	all := io.MultiReader(strings.NewReader(before+first), in)
	if unquoted {
		all = replaced{all, '"', quote}
	}
	f := &filter{in: bufio.NewReaderSize(all, buffer/4), quotes: !unquoted, runs: s.comma == ' ', spaces: " \r\n", atOnce: s.answers}
	if s.comma != '\t' {
		f.spaces += "\t"
	}
	switch {
	case single:
		f.blank = `""`
	case s.answers:
		f.blank = notBlank
	}
	in = bufio.NewReaderSize(io.MultiReader(head, f), buffer/4)
	l := &lines{in: in, csv: csv.NewReader(in), file: s.Name, mark: decimal(characters[s.Decimal]), na: s.na, unused: slices.Clone(s.na), tie: tie, unquoted: unquoted}
	if s.comma == ',' && l.mark == 0 {
		// If commas separate fields, a comma inside a field is more likely to separate thousands than
		// decimals.
		l.mark = '.'
	}
	l.csv.Comma, l.csv.FieldsPerRecord = s.comma, -1 // next counts the fields
	// The slice of the fields is reused, but their text is one new string for each line. A field
	// that is kept keeps the whole line in memory; callers clone it to avoid that.
	l.csv.ReuseRecord = true
	// Spaces before a quote are trimmed, or the quote would be a part of the field. They are not
	// trimmed if tabs or spaces separate fields, because encoding/csv would skip empty fields.
	l.csv.TrimLeadingSpace = s.comma != '\t' && s.comma != ' '
	if err = l.next(); err == io.EOF {
		err = fmt.Errorf("%s: no rows", s.Name)
	}
	return l, err
}

// pairs matches text that begins as LIBSVM's format: after comments and labels alone, a line has a label, and then an
// index, a colon and a value for each feature.
var pairs = regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*|[-+]?[0-9.]+)?[ \t\r]*\n)*[ \t]*[-+]?[0-9.,]+([ \t]+qid:\d+)?([ \t]+\d+:[^\s:]+)+[ \t]*(#.*|\r)?$`)

// inside matches characters that do not separate anything, inside a quoted field or a
// number with a decimal comma.
var inside, quoted = regexp.MustCompile(`"[^"]*"|\d,\d`), regexp.MustCompile(`"[^"]*"|,\t`)

// separator returns the separator that the first line contains most often. But tabs separate the fields if all
// lines have equally many, or if the name says so. Another separator is used too if only the first line has
// none or few: then that line is a title. If another separator occurs equally often in the first line, tie is
// the other one. A line without separators has one field; then comma is ',', which does not matter.
func separator(text, name string) (comma, tie rune, title bool) {
	const separators = ",\t;|"
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if lines = lines[:min(len(lines), mostTitles)]; len(lines) > 2 && len(lines) < mostTitles && text[len(text)-1] != '\n' {
		lines = lines[:len(lines)-1] // its end may not have arrived
	}
	first := inside.ReplaceAllString(lines[0], "")
	count := func(comma rune) int { return strings.Count(first, string(comma)) }
	// even reports whether all lines have equally many separators, or at least some.
	even := func(lines []string, comma rune, some bool) bool {
		n := -1
		for _, line := range lines {
			k := strings.Count(quoted.ReplaceAllString(line, ""), string(comma))
			if n = max(n, k); k == 0 || k != n && !some {
				return false
			}
		}
		return n > 0
	}
	comma = slices.MaxFunc([]rune(separators), func(a, b rune) int { return count(a) - count(b) })
	name = strings.TrimSuffix(name, ".gz")
	if even(lines, '\t', strings.HasSuffix(name, ".tsv") || strings.HasSuffix(name, ".tab")) {
		return '\t', 0, false
	}
	for _, other := range separators {
		if below := lines[1:]; count(comma) > 0 && len(below) > 1 && !even(below, comma, true) && even(below, other, false) {
			return other, 0, true
		}
		if other != comma && count(other) == count(comma) && count(comma) > 0 {
			tie = other
		}
	}
	return comma, tie, false
}

// quote replaces quotes that are data. It is a control character that text does not contain.
const quote = '\x1e'

// next reads the next line. It returns io.EOF after the last line. Text that is not UTF-8 is an
// error: names would be wrong in every report, and would not be found in another file.
func (l *lines) next() (err error) {
	l.fields, err = l.csv.Read()
	if l.blank = err == nil && len(l.fields) == 1 && l.fields[0] == notBlank; l.blank {
		return nil
	}
	if e, parse := errors.AsType[*csv.ParseError](err); parse {
		begins := map[bool]string{true: fmt.Sprintf(" in the row that begins on line %d", e.StartLine)}[e.StartLine != e.Line]
		return &Error{File: l.file, Line: e.Line, Column: e.Column, Err: fmt.Errorf("%w%s: a field with quotes needs quotes around it, and each of its own twice; --comma none reads messages, one a line, as they are", e.Err, begins)}
	} else if err == io.EOF {
		return err
	} else if err != nil {
		return fmt.Errorf("%s: %w", l.file, err)
	}
	if l.csv.Comma == ' ' {
		l.join()
	}
	// If the second line has one field more than the names in the first, the first field of each
	// line is the name of the row. Later lines must have as many fields as the second.
	switch n := len(l.fields); {
	case l.width == 0:
		l.width = n
	case l.named && n == l.width+1 && strings.TrimSpace(l.fields[n-1]) == "":
		return l.bad(n-1, "the rows end with %q, and the first line does not; sed -E 's/%c\\r?$//' removes it", l.csv.Comma, l.csv.Comma)
	case l.named && n == l.width+1:
		l.skip, l.rowNames = 1, map[string]bool{}
		l.second, _ = l.csv.FieldPos(0)
	case n != l.width+l.skip:
		return l.uneven(n)
	}
	l.named = false
	if name := l.fields[0]; l.skip == 1 && len(l.rowNames) <= mostCategories {
		if l.rowNames[name] {
			return l.bad(-1, "the rows have one field more than the first line, and the first is no name of the row, because %q repeats: a %q inside a field, such as a decimal mark, needs quotes", name, l.csv.Comma)
		}
		l.rowNames[strings.Clone(name)] = true
	}
	l.fields, l.long = l.fields[l.skip:], false
	for i, field := range l.fields {
		if !plain(field) {
			if field, err = l.clean(i, field); err != nil {
				return err
			}
			l.long = l.long || strings.IndexByte(field, '\n') >= 0
			l.fields[i] = field
		}
		if k := absent(l.na, field); k >= 0 {
			l.fields[i] = ""
			l.unused = slices.DeleteFunc(l.unused, func(name string) bool { return name == l.na[k] })
		}
	}
	if l.csv.Comma == '\t' && l.swallowed() != nil {
		return l.stray()
	}
	return nil
}

// swallowed returns the lines of the last row as rows, if it has several, and each of them has as many fields as a row.
// Then the quotes around a field may be two that begin and end texts.
func (l *lines) swallowed() (rows [][]string) {
	if !l.long || l.width < 2 || l.skip > 0 {
		return nil
	}
	comma := string(l.csv.Comma)
	for line := range strings.SplitSeq(strings.Join(l.fields, comma), "\n") {
		row := strings.Split(strings.TrimSuffix(line, "\r"), comma)
		if len(row) != l.width {
			return nil
		}
		rows = append(rows, row)
	}
	return rows
}

// stray returns the error of a row that has swallowed others.
func (l *lines) stray() error {
	return l.bad(0, "%w: the row has several lines, and each looks like a row, so that the quotes are parts of two texts; tr -d '\"' removes them", csv.ErrQuote)
}

// uneven returns the error of a line with n fields, another number than the lines above have.
func (l *lines) uneven(n int) error {
	line, _ := l.csv.FieldPos(0)
	if l.skip == 1 && n == l.width {
		return &Error{File: l.file, Line: l.second, Column: 1, Err: fmt.Errorf("%s separated by %q, but %d in the first line and in line %d: a separator inside a field needs quotes", Counted(n+1, "field"), l.csv.Comma, n, line)}
	}
	want, help, like := l.width+l.skip, "", "the first line"
	if l.skip == 1 {
		like = fmt.Sprintf("line %d", l.second)
	}
	if n > want {
		help = ": a separator inside a field needs quotes"
	}
	if n > want && want < 3 && line <= mostTitles {
		help += fmt.Sprintf("; tail -n +%d removes the lines above, if they are a title", line)
	}
	help += "; --comma sets the separator"
	if want == 1 {
		help += ", and --comma none makes each line one field"
	}
	return l.bad(-l.skip, "%s separated by %q, want %d as in %s%s", Counted(n, "field"), l.csv.Comma, want, like, help)
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
	if at, err := foreignByte(field); err != nil {
		bad := l.bad(i, "%w", err)
		bad.Column += at
		return "", bad
	}
	if l.unquoted {
		field = strings.ReplaceAll(field, string(quote), `"`)
	}
	return strings.TrimSpace(field), nil
}

// foreignByte returns an error and the index of the first byte that is not UTF-8.
func foreignByte(field string) (at int, err error) {
	if utf8.ValidString(field) {
		return 0, nil
	}
	at = strings.IndexRune(field, utf8.RuneError)
	from := map[bool]string{true: "cp1252", false: "latin1"}[field[at] < 0xa0] // quotes of Windows
	return at, fmt.Errorf("byte 0x%02x is not UTF-8; convert the file, for example with iconv -f %s -t utf8, or -f utf16", field[at], from)
}

// bad returns an error at the position of field i, or of the last field if i is too large.
func (l *lines) bad(i int, format string, args ...any) *Error {
	line, column := l.position(i)
	return &Error{File: l.file, Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}
