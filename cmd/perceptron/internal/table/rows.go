package table

import (
	"bytes"
	"errors"
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
	X       Vector // the features; NaN is missing. The next row overwrites it
	Missing bool   // a feature is missing
	Class   string // "" if the label is missing, or the file has none
	ID      string // of the column that the caller asked for
	Line    int
	Last    bool // no further line is in the buffer, so the writer may wait for an answer

	// Unseen are the columns whose word training did not see. Bad is the error of a row whose number
	// is too large, if the caller accepts such rows; its features are not complete.
	Unseen []string
	Bad    error

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
// shortest ones that the features stand for. The row is dense. Call it before the next one is read.
func (r *Row) Text() []string {
	text := make([]string, len(r.X.Value))
	for k, v := range r.X.Value {
		text[k] = strconv.FormatFloat(v, 'g', -1, 64)
		if r.numbers != nil && r.numbers[k] != "" {
			text[k] = pointed(r.numbers[k])
		}
	}
	return text
}

// Rows yields the rows of the file. It ends at the first error, which states file,
// line and column. Every call makes a new pass. The Row is the same each time, so that a
// pass over a long file allocates little.
func (s *Source) Rows(schema *Schema, o RowOptions) iter.Seq2[*Row, error] {
	rows := s.parsed(schema, o)
	if s.cache != nil {
		rows = s.cache.pass(s, schema, rows)
	}
	if !schema.weighs() {
		return rows
	}
	return func(yield func(*Row, error) bool) { // the cache keeps rows without the IDF, which is computed later
		for r, err := range rows {
			if err == nil {
				schema.weigh(r.X)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// parsed yields the rows of the file.
func (s *Source) parsed(schema *Schema, o RowOptions) iter.Seq2[*Row, error] {
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

// A csvReader reads the rows of a CSV file: lines splits the text, place says which fields
// to take, and Encoder turns them into features.
type csvReader struct {
	*lines
	place
	*Encoder
	needLabel, overflow bool
	row                 Row
}

// csvRows finds the columns by the first line. It returns a function that reads the
// next row. If the first line is of another kind than that of the training file, it says so.
func (s *Source) csvRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	s.na, s.unquoted = schema.NA, schema.Unquoted
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
	l.named = at.names
	c := &csvReader{l, at, &Encoder{schema: schema, skipUnknown: !o.Strict, mark: &l.mark}, o.NeedLabel, o.Overflow, Row{file: s.Name}}
	if !schema.Sparse {
		c.row.numbers = make([]string, schema.Features())
	}
	return c.next, nil
}

// next reads the next row. The first call returns the line that csvRows has read, unless it has names.
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
func (c *csvReader) features() error {
	c.begin(&c.row.X)
	c.row.Missing, c.row.Bad = false, nil
	// The columns are taken in the order of the Schema, wherever this file has them.
	for j, i := range c.use {
		col, at := &c.schema.Columns[j], c.at
		lacks, err := c.field(col, c.fields[i])
		if c.overflow && errors.Is(err, strconv.ErrRange) {
			c.row.Bad, err = c.bad(i, "%w", err), nil
		}
		if err != nil {
			return c.bad(i, "%w", err)
		}
		if c.row.Missing = c.row.Missing || lacks; lacks && c.schema.Missing == MissingError {
			return c.bad(i, "column %q: %q: the value is missing; train with --missing mean, --missing drop or %s", col.Name, c.fields[i], Flag("drop", col.Name))
		}
		if col.Width() == 1 && len(col.Categories) == 0 && !c.schema.Sparse {
			c.row.numbers[at] = c.fields[i]
		}
	}
	c.row.Unseen = c.unseen
	return nil
}

// An Encoder turns the values of a row into features: a number into itself, a word into a 1 for
// its own feature and 0 for those of the other words, and a text as its Hash says.
type Encoder struct {
	schema      *Schema
	skipUnknown bool
	mark        *decimal // of the file, whose first number with a mark sets it

	x     *Vector // the row so far
	at    int     // the first feature of the next column
	grams []uint32

	unseen []string // columns of the row whose word training did not see
}

// Encoder returns an Encoder for the values of a program, whose numbers have no decimal
// commas. If skipUnknown is true, a category that did not occur in training sets no
// feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	return &Encoder{schema: s, skipUnknown: skipUnknown, mark: new(decimal('.'))}
}

// begin begins a row, which is written to x.
func (e *Encoder) begin(x *Vector) {
	e.x, e.at, e.unseen = x, 0, e.unseen[:0]
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	if !e.schema.Sparse {
		x.Value = slices.Grow(x.Value, e.schema.Features())[:e.schema.Features()]
		clear(x.Value)
	}
}

// set sets a feature. The features ascend.
func (e *Encoder) set(feature int, v float64) {
	if !e.schema.Sparse {
		e.x.Value[feature] = v
		return
	}
	e.x.Index, e.x.Value = append(e.x.Index, uint32(feature)), append(e.x.Value, v)
}

// Encode writes the features of a row to x. The row has one value for each column of
// the Schema, in its order: a float64, a string, or nil for a missing value, as
// NaN is too. The features of a missing value are NaN. Encode counts these values, which are an
// error if the Schema accepts none.
func (e *Encoder) Encode(x *Vector, row []any) (lacks int, err error) {
	e.begin(x)
	for j, value := range row {
		c := &e.schema.Columns[j]
		field, err := c.text(value)
		if slices.Contains(e.schema.NA, field) {
			field = ""
		}
		missing := false
		if err == nil {
			missing, err = e.field(c, field)
		}
		if err != nil {
			return lacks, err
		}
		if missing || value == nil { // a text without words is none
			if lacks++; e.schema.Missing == MissingError {
				return lacks, fmt.Errorf("column %q: the value is missing", c.Name)
			}
		}
	}
	if e.schema.weighs() {
		e.schema.weigh(*x)
	}
	return lacks, nil
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

// field sets the features of a field of the next column, and reports whether the value is missing.
// Then all of them are NaN, so that Fill can replace each by its mean.
func (e *Encoder) field(c *Column, field string) (lacks bool, err error) {
	start := e.at
	e.at += c.Width()
	switch {
	case c.Text != nil:
		e.hash(c.Text, start, field)
		return false, nil
	case c.Indexed > 0:
		return false, e.indexed(c, start, field)
	case len(c.Categories) == 0:
		if v, ok := e.mark.number(field); ok {
			// A number takes no time for categories, and most fields are numbers.
			e.set(start, v)
			return false, nil
		}
	}
	place, known := slices.BinarySearch(c.Categories, field) // Check found them sorted
	switch {
	case known:
		e.set(start+place, 1)
	case missing(field):
		for j := start; j < e.at; j++ {
			e.set(j, math.NaN())
		}
		return true, nil
	case len(c.Categories) == 0:
		return false, e.mark.want(c.Name, field)
	case !e.skipUnknown:
		return false, fmt.Errorf("column %q: %q does not occur in the training file, which has %s", c.Name, field, Short(c.Categories))
	default:
		e.unseen = append(e.unseen, c.Name)
	}
	return false, nil
}

// hash sets the features of a text, whose first one is start.
func (e *Encoder) hash(h *Hash, start int, text string) {
	e.grams = h.grams(e.grams[:0], text)
	slices.Sort(e.grams)
	// Equal ones follow each other now: those from i on, before end.
	count := func(f func(gram uint32, n float64)) {
		for i, end := 0, 0; i < len(e.grams); i = end {
			for end = i; end < len(e.grams) && e.grams[end] == e.grams[i]; end++ {
			}
			f(e.grams[i], float64(end-i))
		}
	}
	squares := 0.0
	count(func(_ uint32, n float64) { squares += float64(n * n) })
	length := math.Sqrt(squares)
	// A feature without a weight counts in the length, as one whose weight is 0 does.
	count(func(gram uint32, n float64) {
		if place, ok := h.place(gram); ok {
			e.set(start+place, n/length)
		}
	})
}

// indexed sets the features of a field that is a line of a LIBSVM file, without its label.
func (e *Encoder) indexed(c *Column, start int, field string) error {
	index, value, _, err := libsvm.NewReader(strings.NewReader("0 "+field), c.Name, c.Indexed).ReadSparse()
	if err != nil {
		return fmt.Errorf("column %q: %w", c.Name, errors.Unwrap(err)) // its position is that in the field
	}
	for k, j := range index {
		e.set(start+int(j), value[k])
	}
	return nil
}
