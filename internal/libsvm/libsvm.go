// Package libsvm reads examples in LIBSVM's text format. Each line contains one
// example:
//
//	label index:value index:value … # comment
//
// Indices count from 1 and ascend. A feature without an index on the line is 0.
package libsvm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Reader reads examples.
type Reader struct {
	name   string
	lines  *bufio.Scanner
	line   int
	column int // of the label, from 0
	x      []float64
	grows  bool // the row width is the highest index so far
}

const (
	maxLine     = 64 << 20 // the longest line that a Reader accepts, in bytes
	maxFeatures = 1 << 27  // the largest width that a row grows to: 1 GiB
)

// NewReader returns a Reader of rows from r. Errors contain name as the name of the
// file. Each row has the given number of features. If features is 0, a row has as
// many as the highest index so far, so no row is wider than the last one.
func NewReader(r io.Reader, name string, features int) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	return &Reader{name: name, lines: lines, x: make([]float64, features), grows: features == 0}
}

// At returns err as an Error at the position of the last example.
func (r *Reader) At(err error) error { return &Error{r.name, r.line, r.column + 1, err} }

// An Error is an error at a position in a file.
type Error struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Read returns the next example, or io.EOF after the last one. The next call of Read
// overwrites x. Read skips empty lines and comments.
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

// parse reads one example from text, the line without its comment.
func (r *Reader) parse(text string, fields []string) ([]float64, int, error) {
	column := 0
	fail := func(format string, args ...any) ([]float64, int, error) {
		return nil, 0, &Error{r.name, r.line, column + 1, fmt.Errorf(format, args...)}
	}
	column = strings.Index(text, fields[0])
	r.column = column
	// Other programs write a whole number as 1.0 or 1e0, too.
	label, err := strconv.Atoi(fields[0])
	if v, is := strconv.ParseFloat(fields[0], 64); err != nil && is == nil && math.Abs(v) < 1<<31 && v == math.Trunc(v) {
		label, err = int(v), nil
	}
	if err != nil {
		return fail("label %q, want an integer", fields[0])
	}
	clear(r.x) // features that the line omits are 0
	last, end := 0, column+len(fields[0])
	for _, field := range fields[1:] {
		// Search from the end of the last field, because fields may be equal.
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
			return fail("index %d after %d, want ascending indices", index, last)
		case r.grows && index <= maxFeatures:
			r.x = append(r.x, make([]float64, max(0, index-len(r.x)))...)
		case r.grows:
			return fail("index %d, want at most %d", index, maxFeatures)
		case index > len(r.x):
			return fail("index %d, want at most %d, the number of features", index, len(r.x))
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

// Line returns the number of the last line read. Lines count from 1.
func (r *Reader) Line() int { return r.line }
