package table

import (
	"bufio"
	"bytes"
	"cmp"
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
	X       []float64 // the features; NaN is missing. The next row overwrites it
	Missing bool      // a feature is missing
	Class   string    // "" if the label is missing, or the file has none
	ID      string    // of the column that the caller asked for
	Text    []string  // the features as decimal numbers, exactly as the file has them; nil unless asked for
	Line    int
	Last    bool // no further line is in the buffer, so the writer may wait for an answer
	column  int
	file    string
}

// At adds the row's position to an error.
func (r *Row) At(err error) error {
	return &Error{File: r.file, Line: r.Line, Column: r.column, Err: err}
}

// RowOptions say what a caller wants from the rows.
type RowOptions struct {
	Label       string // name of the label's column, if it is not that of the Schema
	ID          string // name of a column to return with each row
	SkipUnknown bool   // an unknown category sets no feature; otherwise it is an error
	NeedLabel   bool   // the file must have a label's column
	Text        bool   // each row has its Text
	Purpose     string // shown beside the progress
	header      string
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
		if o.Text {
			r.Text = texts(x) // the shortest decimal number that a float64 stands for
		}
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
	text   bool // rows have their Text
}

// texts returns numbers as text.
func texts(x []float64) []string {
	t := make([]string, len(x))
	for j, v := range x {
		t[j] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return t
}

// texts returns the features of the row as the file has them.
func (c *csvReader) texts() []string {
	t, at := texts(c.row.X), 0
	for j, i := range c.use {
		n := len(c.schema.Columns[j].Categories)
		if n == 0 {
			t[at] = strings.Replace(c.fields[i], ",", ".", 1)
		}
		at += max(1, n)
	}
	return t
}

// csvRows finds the columns by the first line. It returns a function that reads the
// next row.
func (s *Source) csvRows(in *bufio.Reader, schema *Schema, o RowOptions) (func() (*Row, error), error) {
	l, err := s.newLines(in, schema.fits)
	if err != nil {
		return nil, err
	}
	if err := l.next(); err == io.EOF {
		return nil, fmt.Errorf("%s: no rows", s.Name)
	} else if err != nil {
		return nil, err
	}
	c := &csvReader{lines: l, in: in, schema: schema, encode: schema.Encoder(o.SkipUnknown), text: o.Text}
	o.header = s.Header
	if c.place, err = schema.locate(l.fields, o); err != nil {
		return nil, l.bad(0, "%w", err)
	}
	if o.NeedLabel && c.label < 0 {
		return nil, l.bad(0, "no label: no column is named %q; --label names it", schema.Label.Name)
	}
	if c.header != schema.Named {
		took := map[bool]string{true: "the first line has names", false: "the first line is a row; the columns have the order of the training file"}
		s.tell("%s: %s; --header yes or no decides", s.Name, took[c.header])
	}
	c.unread = !c.header
	c.row.X, c.row.file = make([]float64, schema.Features()), s.Name
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
	ahead, _ := c.in.Peek(c.in.Buffered())
	r.Last = bytes.IndexByte(ahead, '\n') < 0
	if c.label >= 0 && !missing(c.fields[c.label]) {
		r.Class = c.fields[c.label]
	}
	if c.id >= 0 {
		r.ID = c.fields[c.id]
	}
	if c.text {
		r.Text = c.texts()
	}
	return r, nil
}

// features sets the features of the row.
func (c *csvReader) features() error {
	x, r := c.row.X, &c.row
	r.Missing = false
	for j, i := range c.use {
		field, col := c.fields[i], &c.schema.Columns[j]
		n := max(1, len(col.Categories))
		var ok bool
		if len(col.Categories) > 0 {
			if err := c.encode.word(x[:n], j, field); err != nil {
				return c.bad(i, "%w", err)
			}
		} else if x[0], ok = c.number(field); !ok {
			if !missing(field) {
				return c.notNumber(i, col.Name)
			}
			x[0] = math.NaN()
		}
		if math.IsNaN(x[0]) {
			if r.Missing = true; c.schema.Missing == MissingError {
				return c.bad(i, "column %q: %q: the value is missing; --missing mean or --missing drop accepts this", col.Name, field)
			}
		}
		x = x[n:]
	}
	return nil
}

// Complete reports whether a row can be used with its label. A missing label or value
// is an error unless the Schema says otherwise.
func (s *Schema) Complete(r *Row) (bool, error) {
	if r.Class == "" && s.Missing == MissingError {
		return false, r.At(errors.New("the label is missing; --missing drop leaves out the row"))
	}
	return r.Class != "" && !(r.Missing && s.Missing == MissingDrop), nil
}

// Fill replaces the missing features of x.
func Fill(x, by []float64) {
	for j, v := range x {
		if math.IsNaN(v) {
			x[j] = by[j]
		}
	}
}

// SortClasses sorts names by value if all are numbers, and as text otherwise.
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
