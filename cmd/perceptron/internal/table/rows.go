package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron/internal/libsvm"
)

// A Row is one row of a file.
type Row struct {
	X       []float64 // the features; NaN is missing. The next row overwrites it
	Missing bool      // a feature is missing
	Class   string    // "" if the label is missing, or the file has none
	ID      string    // of the column that the caller asked for
	Line    int
	Last    bool // no further line is in the buffer, so the writer may wait for an answer
	column  int
	file    string
	csv     *csvReader // nil for LIBSVM
}

// At adds the row's position to an error.
func (r *Row) At(err error) error {
	return &Error{File: r.file, Line: r.Line, Column: r.column, Err: err}
}

// Text returns the features as decimal numbers, exactly as a CSV file has them. For
// LIBSVM they are the shortest ones that the features stand for. Call it before the next
// row is read.
func (r *Row) Text() []string {
	text := make([]string, len(r.X))
	for k, v := range r.X {
		text[k] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	if r.csv == nil {
		return text
	}
	k := 0
	for j, c := range r.csv.schema.Columns {
		if len(c.Categories) == 0 {
			text[k] = pointed(r.csv.fields[r.csv.use[j]])
		}
		k += c.width()
	}
	return text
}

// RowOptions say what a caller wants from the rows.
type RowOptions struct {
	Label       string // name of the label's column, if it is not that of the Schema
	ID          string // name of a column to return with each row
	SkipUnknown bool   // an unknown category sets no feature; otherwise it is an error
	NeedLabel   bool   // the file must have a label's column
	Purpose     string // shown beside the progress
}

// Rows yields the rows of the file. It ends at the first error, which states file,
// line and column.
func (s *Source) Rows(schema *Schema, o RowOptions) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		in, err := s.text(o.Purpose)
		var next func() (*Row, error)
		switch {
		case err != nil:
		case s.Format == "libsvm":
			next, err = s.libsvmRows(in, schema, o)
		default:
			next, err = s.csvRows(in, schema, o)
		}
		for err == nil {
			var r *Row
			if r, err = next(); err == nil && !yield(r, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(nil, err)
		}
	}
}

// libsvmRows returns a function that reads the next row.
func (s *Source) libsvmRows(in io.Reader, schema *Schema, o RowOptions) (func() (*Row, error), error) {
	switch {
	case o.ID != "" || o.Label != "":
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns for --id or --label", s.Name)
	case schema.Features() != len(schema.Columns):
		return nil, fmt.Errorf("%s: the model has columns of words, which a LIBSVM file cannot have", s.Name)
	}
	lines := libsvm.NewReader(in, s.Name, schema.Features())
	_, size := s.bytes()
	r := &Row{file: s.Name, column: 1, Last: size == 0} // the reader does not show what it has in its buffer
	return func() (*Row, error) {
		x, label, err := lines.Read()
		r.X, r.Class, r.Line = x, strconv.Itoa(label), lines.Line()
		return r, err
	}, nil
}

// A csvReader reads the rows of a CSV file.
type csvReader struct {
	*lines
	place
	in     *bufio.Reader
	schema *Schema
	encode *Encoder
	row    Row
	unread bool // fields is a row that was not returned yet
}

// csvRows finds the columns by the first line. It returns a function that reads the
// next row.
func (s *Source) csvRows(in *bufio.Reader, schema *Schema, o RowOptions) (func() (*Row, error), error) {
	l, _, err := s.newLines(in)
	if err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	at, err := schema.locate(l.fields, s.Header, o)
	if err != nil {
		return nil, l.bad(0, "%w", err)
	}
	if o.NeedLabel && at.label < 0 {
		return nil, l.bad(0, "no label: no column is named %q; --label names it", schema.Label.Name)
	}
	if s.auto() {
		if took := s.took(at.names); at.names != schema.Named {
			s.tell("%s: %s, unlike in the training file; --header yes or no decides", s.Name, took)
		}
	}
	c := &csvReader{lines: l, place: at, in: in, schema: schema, encode: schema.Encoder(o.SkipUnknown), unread: !at.names}
	c.row = Row{X: make([]float64, schema.Features()), file: s.Name, csv: c}
	return c.next, nil
}

func (c *csvReader) next() (*Row, error) {
	if !c.unread {
		if err := c.lines.next(); err != nil {
			return nil, err
		}
	}
	c.unread = false
	if err := c.features(); err != nil {
		return nil, err
	}
	r := &c.row
	r.Line, r.column = c.csv.FieldPos(max(0, c.label))
	r.Class, r.ID = "", ""
	ahead, _ := c.in.Peek(c.in.Buffered()) // does not wait for the writer of a pipe
	r.Last = bytes.IndexByte(ahead, '\n') < 0
	if c.label >= 0 && !missing(c.fields[c.label]) {
		r.Class = c.fields[c.label]
	}
	if c.id >= 0 {
		r.ID = c.fields[c.id]
	}
	return r, nil
}

// features sets the features of the row. It fails at the first missing value if nothing
// can replace it, because only here is its position known.
func (c *csvReader) features() error {
	x := c.row.X
	c.row.Missing = false
	for j, i := range c.use {
		col := &c.schema.Columns[j]
		if err := c.encode.field(x[:col.width()], j, c.fields[i], &c.mark); err != nil {
			return c.bad(i, "%w", err)
		}
		if math.IsNaN(x[0]) {
			if c.row.Missing = true; c.schema.Missing == MissingError {
				return c.bad(i, "column %q: %q: the value is missing; --missing mean or --missing drop accepts this", col.Name, c.fields[i])
			}
		}
		x = x[col.width():]
	}
	return nil
}

// An Encoder turns the values of a row into features.
type Encoder struct {
	schema *Schema
	width  int               // number of features
	places []map[string]int  // for each column, the place of a category
	values []map[float64]int // the same for categories that are numbers; of 1 and 1.0, the first
	skip   bool
}

// Encoder returns an Encoder. If skipUnknown is true, a category that did not occur in
// training sets no feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	e := &Encoder{schema: s, width: s.Features(), places: make([]map[string]int, len(s.Columns)), values: make([]map[float64]int, len(s.Columns)), skip: skipUnknown}
	for j, c := range s.Columns {
		if len(c.Categories) > 0 {
			e.places[j], e.values[j] = make(map[string]int, len(c.Categories)), map[float64]int{}
		}
		for i, value := range c.Categories {
			e.places[j][value] = i
			v, err := strconv.ParseFloat(value, 64)
			if _, other := e.values[j][v]; err == nil && !other {
				e.values[j][v] = i
			}
		}
	}
	return e
}

// Encode appends the features of a row to x. The row has one value for each column of
// the Schema, in its order: a float64, a string, or nil for a missing value, as
// NaN is too. The features of a missing value are NaN.
func (e *Encoder) Encode(x []float64, row []any) ([]float64, error) {
	if len(row) != len(e.schema.Columns) {
		return x, fmt.Errorf("%s, want %d", Counted(len(row), "value"), len(e.schema.Columns))
	}
	start := len(x)
	x = slices.Grow(x, e.width)[:start+e.width]
	to := x[start:]
	for j, c := range e.schema.Columns {
		if err := e.value(to[:c.width()], j, row[j]); err != nil {
			return x[:start], err
		}
		to = to[c.width():]
	}
	return x, nil
}

// value sets x to the features of one value.
func (e *Encoder) value(x []float64, j int, value any) error {
	mark := decimal('.') // a program that sends values has no decimal commas
	switch v := value.(type) {
	case nil:
		return e.field(x, j, "", &mark)
	case string:
		return e.field(x, j, strings.TrimSpace(v), &mark)
	case float64:
		if x[0] = v; e.places[j] == nil && !math.IsInf(v, 0) {
			return nil
		}
		word := strconv.FormatFloat(v, 'f', -1, 64)
		if place, known := e.values[j][v]; known {
			word = e.schema.Columns[j].Categories[place]
		}
		return e.field(x, j, word, &mark)
	}
	return fmt.Errorf("column %q: %#v, want a number or text", e.schema.Columns[j].Name, value)
}

// field sets x to the features of a field of text.
func (e *Encoder) field(x []float64, j int, field string, mark *decimal) error {
	if e.places[j] != nil {
		return e.word(x, j, field)
	}
	v, ok := mark.number(field)
	if !ok {
		if v = math.NaN(); !missing(field) {
			return mark.want(e.schema.Columns[j].Name, field)
		}
	}
	x[0] = v
	return nil
}

// word sets x to the features of a category.
func (e *Encoder) word(x []float64, j int, word string) error {
	clear(x)
	place, known := e.places[j][word]
	switch c := &e.schema.Columns[j]; {
	case known:
		x[place] = 1
	case missing(word):
		for i := range x {
			x[i] = math.NaN()
		}
	case !e.skip:
		return fmt.Errorf("column %q: %q does not occur in the training file, which has %s; --unknown none accepts it", c.Name, word, Short(c.Categories))
	}
	return nil
}

// Fill replaces the missing features of x, unless by is nil.
func Fill(x, by []float64) {
	for j, v := range x {
		if by != nil && math.IsNaN(v) {
			x[j] = by[j]
		}
	}
}
