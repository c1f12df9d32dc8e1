// Package libsvm reads examples in LIBSVM's text format, one a line:
//
//	label index:value index:value … # comment
//
// Indices count from 1 and ascend; features that are not named are 0.
package libsvm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Reader reads examples of a fixed number of features.
type Reader struct {
	name  string
	lines *bufio.Scanner
	line  int
	x     []float64
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 20

// NewReader returns a Reader of rows of so many features from r, which name
// names in errors.
func NewReader(r io.Reader, name string, features int) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	return &Reader{name: name, lines: lines, x: make([]float64, features)}
}

// An Error tells where a file is bad, and what was found there.
type Error struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Read returns the next example, io.EOF after the last. The row is overwritten
// by the next Read. Lines that are empty, or a comment, are passed over.
func (r *Reader) Read() (x []float64, label int, err error) {
	for r.lines.Scan() {
		r.line++
		text, _, _ := strings.Cut(r.lines.Text(), "#")
		if fields := strings.Fields(text); len(fields) > 0 {
			return r.parse(text, fields)
		}
	}
	if err := r.lines.Err(); err != nil {
		return nil, 0, &Error{r.name, r.line + 1, 1, err}
	}
	return nil, 0, io.EOF
}

func (r *Reader) parse(text string, fields []string) ([]float64, int, error) {
	column := 0
	fail := func(format string, args ...any) ([]float64, int, error) {
		return nil, 0, &Error{r.name, r.line, column + 1, fmt.Errorf(format, args...)}
	}
	column = strings.Index(text, fields[0])
	label, err := strconv.Atoi(fields[0])
	if err != nil {
		return fail("label %q, want an integer", fields[0])
	}
	clear(r.x)
	last, end := 0, column+len(fields[0])
	for _, field := range fields[1:] {
		column = end + strings.Index(text[end:], field)
		end = column + len(field)
		before, after, found := strings.Cut(field, ":")
		if !found {
			return fail("%q, want index:value", field)
		}
		index, err := strconv.Atoi(before)
		switch {
		case err != nil || index < 1:
			return fail("index %q, want a positive integer", before)
		case index <= last:
			return fail("index %d after %d, want them to ascend", index, last)
		case index > len(r.x):
			return fail("index %d, want at most the %d features", index, len(r.x))
		}
		value, err := strconv.ParseFloat(after, 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			column += len(before) + 1
			return fail("value %q, want a finite number", after)
		}
		r.x[index-1], last = value, index
	}
	return r.x, label, nil
}

// Line returns the number of the line that was read last, from 1.
func (r *Reader) Line() int { return r.line }
