package table

import (
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

	// For messages about the row.
	file   string
	column int // of the label, or the first one

	// For each feature, the field of a CSV file if it is a number.
	numbers []string
}

// At adds the row's position to an error.
func (r *Row) At(err error) error {
	return &Error{File: r.file, Line: r.Line, Column: r.column, Err: err}
}

// Text returns the features as decimal numbers, exactly as a CSV file has them: a proof
// about the file must not be one about the nearest float64 values. For LIBSVM they are the
// shortest ones that the features stand for. Call it before the next row is read.
func (r *Row) Text() []string {
	text := make([]string, len(r.X))
	for k, v := range r.X {
		text[k] = strconv.FormatFloat(v, 'g', -1, 64)
		if r.numbers != nil && r.numbers[k] != "" {
			text[k] = pointed(r.numbers[k])
		}
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
// line and column. Every call makes a new pass. The Row is the same each time, so that a
// pass over a long file allocates little.
func (s *Source) Rows(schema *Schema, o RowOptions) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		open := s.csvRows
		if s.Format == "libsvm" {
			open = s.libsvmRows
		}
		next, err := open(schema, o)
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

// libsvmRows returns a function that reads the next row. A LIBSVM file always has a label,
// and no missing value, since a feature without an index is 0.
func (s *Source) libsvmRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	switch {
	case o.ID != "" || o.Label != "":
		return nil, fmt.Errorf("%s: a LIBSVM file has no names of columns for --id or --label", s.Name)
	case schema.Features() != len(schema.Columns):
		return nil, fmt.Errorf("%s: the model has columns of words, which a LIBSVM file cannot have", s.Name)
	}
	in, err := s.text(o.Purpose)
	if err != nil {
		return nil, err
	}
	lines := libsvm.NewReader(in, s.Name, schema.Features())
	// The reader does not show what it has in its buffer. So each row of a pipe may be the
	// last for now, and none of a file.
	_, size := s.bytes()
	r := &Row{file: s.Name, column: 1, Last: size == 0}
	return func() (*Row, error) {
		x, label, err := lines.Read()
		r.X, r.Class, r.Line = x, strconv.Itoa(label), lines.Line()
		return r, err
	}, nil
}

// A csvReader reads the rows of a CSV file: lines splits the text, place says which fields
// to take, and Encoder turns them into features.
type csvReader struct {
	*lines
	place
	*Encoder
	needLabel bool
	row       Row
}

// csvRows finds the columns by the first line. It returns a function that reads the
// next row. If the first line is of another kind than that of the training file, it says so.
func (s *Source) csvRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	s.na = schema.NA
	l, err := s.lines(o.Purpose)
	if err != nil {
		return nil, err
	}
	at, err := schema.locate(l.fields, s.Header, o)
	if err != nil {
		return nil, l.bad(0, "%w", err)
	}
	if s.Header == "auto" && at.names != schema.Named {
		s.settle(at.names, ", unlike in the training file; --header yes or no decides")
	}
	// The slices of a row are allocated here, once for the whole pass.
	n := schema.Features()
	l.named = at.names
	c := &csvReader{l, at, &Encoder{schema, o.SkipUnknown, &l.mark}, o.NeedLabel, Row{X: make([]float64, n), file: s.Name, numbers: make([]string, n)}}
	return c.next, nil
}

// next reads the next row. At first, the line that was read is the row, unless it has names.
// Later, that line was already returned.
func (c *csvReader) next() (*Row, error) {
	if c.names {
		if err := c.lines.next(); err != nil {
			return nil, err
		}
	}
	c.names = true
	if err := c.features(); err != nil {
		return nil, err
	}
	r := &c.row
	r.Line, r.column = c.csv.FieldPos(max(0, c.label) + c.skip)
	// Peek does not wait for the writer of a pipe, because it asks for no more than is there.
	ahead, _ := c.in.Peek(c.in.Buffered())
	r.Last = bytes.IndexByte(ahead, '\n') < 0
	r.Class, r.ID = "", ""
	if c.id >= 0 {
		r.ID = c.fields[c.id]
	}
	if c.label >= 0 && !missing(c.fields[c.label]) {
		r.Class = c.fields[c.label]
	} else if c.needLabel && c.schema.Missing == MissingError {
		return nil, c.bad(c.label, "the label is missing; --missing drop leaves out the row")
	}
	return r, nil
}

// features sets the features of the row. It fails at the first missing value if nothing
// can replace it, because only here is its position known.
func (c *csvReader) features() (err error) {
	x := c.row.X[:0]
	c.row.Missing = false
	// The columns are taken in the order of the Schema, wherever this file has them.
	for j, i := range c.use {
		col, k := &c.schema.Columns[j], len(x)
		if x, err = c.field(x, j, c.fields[i]); err != nil {
			return c.bad(i, "%w", err)
		}
		if math.IsNaN(x[k]) {
			if c.row.Missing = true; c.schema.Missing == MissingError {
				return c.bad(i, "column %q: %q: the value is missing; train with --missing mean, --missing drop or --drop %q", col.Name, c.fields[i], col.Name)
			}
		}
		if len(col.Categories) == 0 {
			c.row.numbers[k] = c.fields[i]
		}
	}
	c.row.X = x
	return nil
}

// An Encoder turns the values of a row into features: a number into itself, and a word into
// a 1 for its own feature and 0 for those of the other words.
type Encoder struct {
	schema      *Schema
	skipUnknown bool
	mark        *decimal // of the file, whose first number with a mark sets it
}

// Encoder returns an Encoder for the values of a program, whose numbers have no decimal
// commas. If skipUnknown is true, a category that did not occur in training sets no
// feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	mark := decimal('.')
	return &Encoder{s, skipUnknown, &mark}
}

// Encode appends the features of a row to x. The row has one value for each column of
// the Schema, in its order: a float64, a string, or nil for a missing value, as
// NaN is too. The features of a missing value are NaN. Encode counts these values, which are an
// error if the Schema accepts none.
func (e *Encoder) Encode(x []float64, row []any) (_ []float64, lacks int, err error) {
	for j := range row {
		c, k := &e.schema.Columns[j], len(x)
		field, err := c.text(row[j])
		if slices.Contains(e.schema.NA, field) {
			field = ""
		}
		if err == nil {
			x, err = e.field(x, j, field)
		}
		if err != nil {
			return x, lacks, err
		}
		if math.IsNaN(x[k]) {
			if lacks++; e.schema.Missing == MissingError {
				return x, lacks, fmt.Errorf("column %q: the value is missing", c.Name)
			}
		}
	}
	return x, lacks, nil
}

// text returns a value as a file has it. A number finds the category of the same value,
// however the training file wrote it: a program that reads 1.0 from a table sends 1.
func (c *Column) text(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	case float64:
		if i := Find(c.Categories, v); i >= 0 {
			return c.Categories[i], nil
		}
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("column %q: %#v, want a number or text", c.Name, value)
}

// Find returns the index of the first name that is a number of this value, or -1.
func Find(names []string, v float64) int {
	return slices.IndexFunc(names, func(name string) bool {
		w, err := strconv.ParseFloat(name, 64)
		return err == nil && v == w
	})
}

// field appends the features of a field to x. A missing value makes all of them NaN, so
// that Fill can replace each by its mean.
func (e *Encoder) field(x []float64, j int, field string) ([]float64, error) {
	c, start := &e.schema.Columns[j], len(x)
	if len(c.Categories) == 0 {
		if v, ok := e.mark.number(field); ok {
			// A number takes no room for categories, and most fields are numbers.
			return append(x, v), nil
		}
	}
	x = append(x, make([]float64, c.width())...)
	place, known := slices.BinarySearch(c.Categories, field) // Check found them sorted
	switch {
	case known:
		x[start+place] = 1
	case missing(field):
		for i := range c.width() {
			x[start+i] = math.NaN()
		}
	case len(c.Categories) == 0:
		return x, e.mark.want(c.Name, field)
	case !e.skipUnknown:
		return x, fmt.Errorf("column %q: %q does not occur in the training file, which has %s; --unknown none accepts it", c.Name, field, Short(c.Categories))
	}
	return x, nil
}

// Fill replaces the missing features of x, unless by is nil.
func Fill(x, by []float64) {
	for j, v := range x {
		if by != nil && math.IsNaN(v) {
			x[j] = by[j]
		}
	}
}
