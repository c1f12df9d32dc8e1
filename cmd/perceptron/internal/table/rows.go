package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
)

// A Row is one row of a file.
type Row struct {
	X       Vector // the features; NaN means missing. Reading the next row overwrites X
	Missing bool   // a feature is missing
	Class   string // "" if the label is missing, or the file has none
	ID      string // the field in the column RowOptions.ID
	Line    int
	Blank   bool // the line is no row: it is empty, or a comment
	Last    bool // the buffer has no further line, so the file's writer may wait for an answer

	// Unseen names the columns that have a word which does not occur in the training file.
	// Bad is the error of a row with a number too large for a float64, if RowOptions.Overflow is
	// true, or with a label that is not among RowOptions.Classes. The features of such a row are incomplete.
	Unseen []string
	Bad    error

	// Outside names the columns whose number lies outside of the range of the training file. Rows that are kept for
	// another pass lack it.
	Outside []string

	// For messages about the row.
	file   string
	column int // position of the label in the line, or of the first field

	// For each feature that is a column of numbers in a CSV file, its field.
	numbers []string
}

// At adds the row's position to an error.
func (r *Row) At(err error) error {
	return &Error{File: r.file, Line: r.Line, Column: r.column, Err: err}
}

// Text returns the features as decimal numbers. The row must be dense. Numbers of a CSV file keep
// their digits, because a proof must be about the file and not about the nearest float64 values.
// Every other feature becomes the shortest decimal number that rounds to its float64 value.
// Call Text before the next row is read.
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

// Rows yields the rows of the file. It ends at the first error, which states the file, line
// and column. Each iteration is a new pass. All rows of a pass share one Row, so that a
// pass over a long file allocates little.
func (s *Source) Rows(schema *Schema, o RowOptions) iter.Seq2[*Row, error] {
	rows := s.parsed(schema, o)
	if s.cache != nil {
		rows = s.cache.pass(s, schema, rows)
	}
	if !schema.weighs() {
		return rows
	}
	// The cache keeps rows without the IDF, because the IDF is computed after the first pass.
	return func(yield func(*Row, error) bool) {
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

// parsed parses the file and yields its rows.
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
			yield(nil, s.explain(err))
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
	classes, known      []string // RowOptions.Classes; nil if this file has names
	row                 Row
	blank               int // lines before the first row that are not returned yet
	source              *Source
	groupings           []grouping // of the columns of numbers
}

// csvRows reads the first line, finds the columns, and returns a function that reads the next
// row. If only one of this file and the training file has names in its first line, csvRows
// reports this with Tell, unless a flag decides it.
func (s *Source) csvRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	s.na, s.unquoted = schema.NA, s.unquoted || schema.Unquoted
	if s.comma == 0 { // else Discover has chosen the separator of this file
		s.schema = schema
	}
	l, blank, err := s.opening(schema, o)
	if err != nil {
		return nil, err
	}
	if s.unparsed() {
		return s.csvRows(schema, o)
	}
	at, err := schema.locate(l.fields, s.Header, o)
	if err != nil && len(l.fields) == 1 {
		err = fmt.Errorf("%w; %s", err, map[bool]string{true: oneField, false: "--comma sets the separator, and tail -n +2 removes the first line, if it is a title"}[s.comma == nothing])
	}
	if err != nil {
		return nil, l.bad(0, "%w", err)
	}
	if at.names {
		blank = 0 // the table begins with its names
	}
	if s.Header == "auto" && at.names != schema.Named {
		unlike := map[bool]string{false: ", unlike in the training file; --header yes or no decides", true: " (--header decides)"}[schema.Foreign]
		s.settle(at.names, unlike)
	}
	l.named = at.names
	c := &csvReader{l, at, schema.encoder(!o.Strict, &l.mark), o.NeedLabel, o.Overflow, nil, o.Classes, Row{file: s.Name}, blank, s, make([]grouping, len(schema.Columns))}
	if !at.names {
		c.classes, c.noNames = o.Classes, schema.Named
	}
	if !schema.Sparse {
		c.row.numbers = make([]string, schema.Features())
	}
	return c.next, nil
}

// unparsed reports whether quotes in a file separated by tabs are found to be characters, though those of the training
// file were not. Only a file can be read ahead.
func (s *Source) unparsed() bool {
	if _, size := s.bytes(); s.comma != '\t' || s.unquoted || s.ahead || size == 0 {
		return false
	}
	s.ahead = true
	in, err := s.text("")
	for err == nil || err == bufio.ErrBufferFull {
		if _, err = in.ReadSlice('"'); err == nil { // most files have none, which is soon known
			var l *lines
			for l, err = s.lines(""); err == nil; err = l.next() {
			}
			return s.bare(err)
		}
	}
	return false
}

// next reads the next row. csvRows has already read the first line; unless that line has
// names, the first call returns it as a row.
func (c *csvReader) next() (*Row, error) {
	if c.names && c.blank == 0 {
		if err := c.lines.next(); err == io.EOF {
			if warning, _ := c.source.thousands(c.schema.Columns, c.groupings, c.lines.mark); warning != "" && !c.source.warned {
				c.source.warned = true
				c.source.Tell(c.source.Name + ": " + warning)
			}
			return nil, err
		} else if err != nil {
			return nil, err
		}
	}
	if c.skip == 1 && !c.source.skips {
		c.source.skips = true
		c.source.Tell(c.source.Name + ": the first line has one field less than the rows: the first field of each is taken for the name of the row, as R writes it, and not used")
	}
	r := &c.row
	// Peek does not wait for the writer of a pipe, because it asks only for buffered bytes.
	ahead, _ := c.in.Peek(c.in.Buffered())
	r.Last, r.Class, r.ID = bytes.IndexByte(ahead, '\n') < 0, "", ""
	if r.Blank = c.blank > 0 || c.lines.blank; r.Blank {
		c.blank, r.Missing, r.Unseen, r.Outside, r.Bad = max(0, c.blank-1), false, nil, nil, nil
		return r, nil
	}
	c.names = true
	if rows := c.lines.swallowed(); rows != nil && !slices.ContainsFunc(rows, c.unlike) {
		return nil, c.stray()
	}
	if err := c.features(); err != nil {
		return nil, err
	}
	c.noNames = false
	r.Line, r.column = c.position(max(0, c.label))
	if c.id >= 0 {
		r.ID = c.fields[c.id]
	}
	if c.label >= 0 && !missing(c.fields[c.label]) {
		if r.Class = c.fields[c.label]; c.classes != nil && !slices.Contains(c.classes, r.Class) && c.guessed(r.Class) {
			r.Bad = c.bad(c.label, "%q is no class of the model: a row without its class has %s, and a %q inside a field needs quotes%s", r.Class, Counted(len(c.use), "field"), c.csv.Comma, map[bool]string{true: ", or --comma none"}[len(c.use) == 1])
		}
	} else if c.needLabel && c.schema.Missing == MissingError {
		return nil, c.bad(c.label, "the label is missing%s", map[bool]string{false: "; train with --missing drop, which leaves out the row"}[c.schema.Foreign])
	}
	return r, nil
}

// unlike reports whether a line inside a field is no row: its label is no class, or in place of a number it has a word.
// A line that shows neither is none.
func (c *csvReader) unlike(row []string) bool {
	shown := c.label >= 0 && c.known != nil
	if shown && !slices.Contains(c.known, row[c.label]) {
		return true
	}
	for j, i := range c.use {
		number := c.schema.Columns[j].Number()
		if shown = shown || number; number && !isNumber(row[i]) {
			return true
		}
	}
	return !shown
}

// guessed reports whether a label of a file without names may be half of another field: that of a number or a text with
// a comma. If the training file had names, this file may have other columns.
func (c *csvReader) guessed(label string) bool {
	v, number := Number(label)
	return Spelled(c.classes, label) < 0 && (c.schema.Named || number && Find(c.classes, v) < 0 || slices.ContainsFunc(c.schema.Columns, Column.hasText))
}

// features sets the features of the row.
func (c *csvReader) features() error {
	c.begin(&c.row.X)
	c.row.Missing, c.row.Bad = false, nil
	// The features follow the order of the Schema, not the order of the columns in this file.
	for j, i := range c.use {
		col, at := &c.schema.Columns[j], c.at
		lacks, err := c.value(col, c.fields[i], false)
		if c.overflow && errors.Is(err, strconv.ErrRange) {
			c.row.Bad, err = c.bad(i, "%w", err), nil
		}
		if err != nil {
			return c.bad(i, "%w", err)
		}
		c.row.Missing = c.row.Missing || lacks
		if !col.Number() {
			continue
		}
		if !lacks && c.row.Bad == nil {
			c.groupings[j].add(c.fields[i], c.lines.mark)
		}
		if !c.schema.Sparse {
			c.row.numbers[at] = c.fields[i]
		}
	}
	c.row.Unseen, c.row.Outside = c.unseen, c.outside
	return nil
}
