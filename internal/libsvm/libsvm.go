// Package libsvm reads examples in LIBSVM's text format. Each line contains one
// example:
//
//	label index:value index:value … # comment
//
// Indices count from 1 and ascend. A feature without an index on the line is 0. After the label, the number of a
// query may stand, as in qid:7, which is skipped.
package libsvm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Reader reads examples.
type Reader struct {
	// Zero is true if indices count from 0. Set it before the first call of Read or ReadSparse.
	Zero bool

	// Blank is true if Read and ReadSparse return ErrBlank for an empty line and a comment, instead of
	// skipping it.
	Blank bool

	// Ignore is true if an index above the number of features is left out of its row, and not an error.
	Ignore bool

	name   string
	lines  *bufio.Scanner
	beyond int // indexes that were left out of the last row
	line   int
	column int  // where the label of the last example begins, from 0
	width  int  // the number of features of a row
	grows  bool // width is the highest index so far
	index  []uint32
	value  []float64
	x      []float64 // a dense row
}

const (
	maxLine     = 64 << 20 // the longest line that a Reader accepts, in bytes
	maxFeatures = 1 << 27  // the largest width that a row grows to: 1 GiB
)

// NewReader returns a Reader of rows from r. Errors contain name as the name of the
// file. Each row has the given number of features. If features is 0, a row has as
// many features as the highest index so far, so later rows may be wider.
func NewReader(r io.Reader, name string, features int) *Reader {
	from := &source{Reader: r}
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	lines.Split(from.line)
	return &Reader{name: name, lines: lines, width: features, grows: features == 0}
}

// A source remembers the error of a reader.
type source struct {
	io.Reader
	err error // the last error other than io.EOF
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// line is bufio.ScanLines, but drops the incomplete line before a read error, because this part could
// parse as another example.
func (s *source) line(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if s.err != nil && bytes.IndexByte(data, '\n') < 0 {
		return len(data), nil, nil
	}
	return bufio.ScanLines(data, atEOF)
}

// Wrap returns err as an Error at the position of the last example, where its label begins.
func (r *Reader) Wrap(err error) error { return &Error{r.name, r.line, r.column + 1, err} }

// An Error is an error at a position in a file.
type Error struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Err          error
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// A SyntaxError is the Err of an Error about the text. The other values of Err are the errors of the
// underlying reader, and bufio.ErrTooLong for a line that is too long.
type SyntaxError string

func (e SyntaxError) Error() string { return string(e) }

// ErrZero is the SyntaxError for an index 0 where indices count from 1.
const ErrZero = SyntaxError(`index "0", want a positive integer`)

// ErrBlank reports a line without an example, if Reader.Blank is true. The next one can be read.
var ErrBlank = errors.New("no example")

// An Overflow has the SyntaxError for a value that is too large for a float64. After an Overflow, the
// next row can be read.
type Overflow struct{ SyntaxError }

func (e Overflow) Unwrap() error { return e.SyntaxError }

func syntaxf(format string, args ...any) error { return SyntaxError(fmt.Sprintf(format, args...)) }

// Read returns the next example, or io.EOF after the last one. The next call of Read
// overwrites x. Read skips empty lines and comments, unless Blank is true.
func (r *Reader) Read() (x []float64, label int, err error) {
	index, value, label, err := r.ReadSparse()
	if err != nil {
		return nil, 0, err
	}
	clear(r.x) // features that the line omits are 0
	r.x = append(r.x, make([]float64, r.width-len(r.x))...)
	for k, j := range index {
		r.x[j] = value[k]
	}
	return r.x, label, nil
}

// ReadSparse is like Read, but returns only the features on the line: feature index[k], counted
// from 0, is value[k]. The next call overwrites both slices. ReadSparse takes no memory for the
// features that the line omits.
func (r *Reader) ReadSparse() (index []uint32, value []float64, label int, err error) {
	for r.lines.Scan() {
		r.line++
		text, _, _ := strings.Cut(r.lines.Text(), "#")
		if r.line == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // a byte order mark, as some editors write it
		}
		if r.column = fieldAt(text, 0); r.column < len(text) {
			label, err = r.parse(text)
			return r.index, r.value, label, err
		}
		if r.Blank {
			return nil, nil, 0, ErrBlank
		}
	}
	if err := r.lines.Err(); err != nil {
		return nil, nil, 0, &Error{r.name, r.line + 1, 1, err}
	}
	return nil, nil, 0, io.EOF
}

// fieldAt returns the offset of the k-th field in text, with k from 0. If text has no such field,
// fieldAt returns the length of text.
func fieldAt(text string, k int) int {
	end := 0
	for field := range strings.FieldsSeq(text) {
		at := end + strings.Index(text[end:], field)
		if k == 0 {
			return at
		}
		k, end = k-1, at+len(field)
	}
	return len(text)
}

// Ignored returns the number of indexes that were left out of the last row, if Ignore is true.
func (r *Reader) Ignored() int { return r.beyond }

// Width returns the width of the rows: the number of features, or the highest index so far.
func (r *Reader) Width() int { return r.width }

// parse reads one example from text, the line without its comment.
func (r *Reader) parse(text string) (label int, err error) {
	r.index, r.value, r.beyond = r.index[:0], r.value[:0], 0
	k, last := 0, 0
	for field := range strings.FieldsSeq(text) {
		at := 0 // the offset of an error in the field
		if k == 0 {
			label, err = parseLabel(field)
		} else if k > 1 || !strings.HasPrefix(field, "qid:") { // the number of a query says nothing about a row alone

			last, at, err = r.parseFeature(field, last)
		}
		if err != nil {
			return 0, &Error{r.name, r.line, fieldAt(text, k) + at + 1, err}
		}
		k++
	}
	return label, nil
}

// parseLabel returns the label in field, which must be an integer. It also accepts the forms 1.0 and
// 1e0, because other programs write them, up to 2⁵³, where a float64 holds every integer.
func parseLabel(field string) (int, error) {
	label, err := strconv.Atoi(field)
	if err == nil {
		return label, nil
	}
	v, err := strconv.ParseFloat(field, 64)
	if most := min(1<<53, float64(math.MaxInt)); err != nil || !(math.Abs(v) <= most) || v != math.Trunc(v) || int64(int(v)) != int64(v) {
		return 0, syntaxf("label %q, want an integer", field)
	}
	return int(v), nil
}

// parseFeature parses the feature in field, and appends it to the row. It returns the feature's index,
// counted from 1, which must be above last. at is the offset of an error in the field.
func (r *Reader) parseFeature(field string, last int) (index, at int, err error) {
	before, after, found := strings.Cut(field, ":")
	if !found {
		return 0, 0, syntaxf("%q, want index:value", field)
	}
	index, err = strconv.Atoi(before)
	first, want := 1, "a positive integer" // the least index of the file, which messages count from
	if r.Zero {
		first, want = 0, "an integer of at least 0"
	}
	if index -= first - 1; err != nil {
		index = 0
	}
	switch of := index + first - 1; {
	case index == 0 && err == nil && !r.Zero:
		return 0, 0, ErrZero
	case err != nil || index < 1:
		return 0, 0, syntaxf("index %q, want %s", before, want)
	case index <= last:
		return 0, 0, syntaxf("index %d after %d, want ascending indices", of, last+first-1)
	case index > r.width && r.Ignore && !r.grows:
		r.beyond++
	case r.grows && index <= maxFeatures:
		r.width = max(r.width, index)
	case r.grows:
		return 0, 0, syntaxf("index %d, want at most %d", of, maxFeatures+first-1)
	case index > r.width && r.Zero:
		return 0, 0, syntaxf("index %d, want at most %d: the width is %d", of, r.width-1, r.width)
	case index > r.width:
		return 0, 0, syntaxf("index %d, want at most %d, the number of features", of, r.width)
	}
	value, err := strconv.ParseFloat(after, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		odd := SyntaxError(fmt.Sprintf("value %q, want a finite number", after))
		if errors.Is(err, strconv.ErrRange) {
			return 0, len(before) + 1, Overflow{odd}
		}
		return 0, len(before) + 1, odd
	}
	if index <= r.width {
		r.index, r.value = append(r.index, uint32(index-1)), append(r.value, value)
	}
	return index, 0, nil
}

// Line returns the number of the last line read. Lines count from 1.
func (r *Reader) Line() int { return r.line }
