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
	classes             []string // or nil: RowOptions.Classes
	row                 Row
	blank               int // lines before the first row that are not returned yet
	source              *Source
	groupings           []grouping // of the columns of numbers
}

// csvRows reads the first line, finds the columns, and returns a function that reads the next
// row. If only one of this file and the training file has names in its first line, csvRows
// reports this with Tell, unless a flag decides it.
func (s *Source) csvRows(schema *Schema, o RowOptions) (func() (*Row, error), error) {
	s.na, s.unquoted = schema.NA, schema.Unquoted
	if s.comma == 0 { // else Discover has chosen the separator of this file
		s.schema = schema
	}
	l, blank, err := s.opening(schema, o)
	if err != nil {
		return nil, err
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
	c := &csvReader{l, at, schema.encoder(!o.Strict, &l.mark), o.NeedLabel, o.Overflow, nil, Row{file: s.Name}, blank, s, make([]grouping, len(schema.Columns))}
	if !at.names {
		c.classes, c.noNames = o.Classes, schema.Named
	}
	if !schema.Sparse {
		c.row.numbers = make([]string, schema.Features())
	}
	return c.next, nil
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
		c.blank, r.Missing, r.Unseen, r.Bad = max(0, c.blank-1), false, nil, nil
		return r, nil
	}
	c.names = true
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

// guessed reports whether a label of a file without names may be half of another field: that of a number or a text with
// a comma. If the training file had names, this file may have other columns.
func (c *csvReader) guessed(label string) bool {
	v, number := Number(label)
	return c.schema.Named || number && Find(c.classes, v) < 0 || slices.ContainsFunc(c.schema.Columns, Column.hasText)
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
	c.row.Unseen = c.unseen
	return nil
}

// An Encoder turns the values of a row into features. A number is its own feature. A word sets
// its own feature to 1 and the features of the column's other words to 0. A text is hashed as
// its Hash specifies.
type Encoder struct {
	schema      *Schema
	skipUnknown bool
	mark        *decimal // the decimal mark; the first number with a mark sets it
	features    int      // of the Schema
	weighs      bool     // a text has an IDF
	noNames     bool     // the row is the first line, though the training file had names there

	x     *Vector // the row so far
	at    int     // the first feature of the next column
	grams []uint32

	unseen []string // as Row.Unseen
}

// Encoder returns an Encoder for values that come from a program instead of a file. The decimal
// mark is a point. If skipUnknown is true, a word that does not occur in the training file sets
// no feature; otherwise it is an error.
func (s *Schema) Encoder(skipUnknown bool) *Encoder {
	return s.encoder(skipUnknown, new(decimal('.')))
}

func (s *Schema) encoder(skipUnknown bool, mark *decimal) *Encoder {
	return &Encoder{schema: s, skipUnknown: skipUnknown, mark: mark, features: s.Features(), weighs: s.weighs()}
}

// begin begins a new row and stores its features in x.
func (e *Encoder) begin(x *Vector) {
	e.x, e.at, e.unseen = x, 0, e.unseen[:0]
	x.Index, x.Value = x.Index[:0], x.Value[:0]
	if !e.schema.Sparse {
		x.Value = slices.Grow(x.Value, e.features)[:e.features]
		clear(x.Value)
	}
}

// set sets a feature. In a sparse row, the calls must have ascending features.
func (e *Encoder) set(feature int, v float64) {
	if !e.schema.Sparse {
		e.x.Value[feature] = v
		return
	}
	e.x.Index, e.x.Value = append(e.x.Index, uint32(feature)), append(e.x.Value, v)
}

// Encode writes the features of a row to x. The row has one value for each column of the
// Schema, in the order of the Schema: a float64 or a string. Nil and NaN are missing values.
// Encode returns the number of missing values; if the Schema does not accept them, the first
// one is an error. The features of a missing number or word are NaN.
func (e *Encoder) Encode(x *Vector, row []any) (lacks int, err error) {
	return encode(e, x, row, (*Column).text)
}

// EncodeText is Encode for values that are text, as the fields of a CSV file are.
func (e *Encoder) EncodeText(x *Vector, record []string) (lacks int, err error) {
	return encode(e, x, record, (*Column).clean)
}

// encode does the work of Encode. The function text returns a value as a CSV file has it, and whether it is nil.
func encode[V any](e *Encoder, x *Vector, row []V, text func(*Column, V) (string, bool, error)) (lacks int, err error) {
	e.begin(x)
	for j, v := range row {
		c := &e.schema.Columns[j]
		field, null, err := text(c, v)
		if err != nil {
			return lacks, err
		}
		if slices.Contains(e.schema.NA, field) {
			field = ""
		}
		missing, err := e.value(c, field, null)
		if missing {
			lacks++
		}
		if err != nil {
			return lacks, err
		}
	}
	if e.weighs {
		e.schema.weigh(*x)
	}
	return lacks, nil
}

// value adds the features of the next column, c, and reports whether its value is missing. Of a column of
// text, only a null is missing. If the Schema does not accept missing values, value returns an error.
func (e *Encoder) value(c *Column, field string, null bool) (lacks bool, err error) {
	lacks, err = e.field(c, field)
	switch lacks = lacks || null; {
	case !lacks || err != nil || e.schema.Missing != MissingError:
	case e.schema.Foreign:
		err = fmt.Errorf("column %q: %q: the value is missing, and a Classifier has no rule for missing values", c.Name, field)
	default:
		err = fmt.Errorf("column %q: %q: the value is missing; train with --missing mean, --missing drop or %s", c.Name, field, Flag("drop", c.Name))
		if field != "" && len(c.Categories) > 0 {
			err = fmt.Errorf("%w; %s makes it a word", err, Flag("word", field))
		}
	}
	return lacks, err
}

// clean returns a value of a program as a CSV file has it.
func (c *Column) clean(value string) (field string, null bool, err error) {
	if plain(value) {
		return value, false, nil
	}
	_, err = foreignByte(value)
	return strings.TrimSpace(value), false, err
}

// text returns a value as the training file has it. If categories are numbers, a number becomes
// the category of equal value, because a program that reads 1.0 from a table sends 1.
func (c *Column) text(value any) (field string, null bool, err error) {
	switch v := value.(type) {
	case nil:
		return "", true, nil
	case string:
		return c.clean(v)
	case float64:
		if i := Find(c.Categories, v); i >= 0 {
			return c.Categories[i], false, nil
		}
		return strconv.FormatFloat(v, 'f', -1, 64), false, nil
	}
	return "", false, fmt.Errorf("column %q: %#v, want a number or text", c.Name, value)
}

// Find returns the index of the first name that is a number equal to v, or -1.
func Find(names []string, v float64) int {
	return slices.IndexFunc(names, func(name string) bool {
		w, err := strconv.ParseFloat(name, 64)
		return err == nil && v == w
	})
}

// field sets the features of the next column, c, and reports whether its value is missing.
// All features of a missing value are NaN, so that Fill can replace each by its mean.
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
			// Most fields are numbers, so the search among categories is skipped for them.
			e.set(start, v)
			return false, nil
		}
	}
	place, known := slices.BinarySearch(c.Categories, field) // Check has verified the order
	switch {
	case known:
		e.set(start+place, 1)
	case missing(field):
		for j := start; j < e.at; j++ {
			e.set(j, math.NaN())
		}
		return true, nil
	case len(c.Categories) == 0:
		return false, e.notNumber(c.Name, field)
	case !e.skipUnknown:
		return false, fmt.Errorf("column %q: %q does not occur in the training file, which has %s", c.Name, field, Short(c.Categories))
	default:
		e.unseen = append(e.unseen, c.Name)
	}
	return false, nil
}

// notNumber returns the error of a field of a column of numbers, with what can be done.
func (e *Encoder) notNumber(column, field string) error {
	err, remedy := e.mark.want(column, field), e.mark.remedy(column, field)
	switch {
	case e.noNames:
		remedy = "the first line has none of the names in training, " + Short(e.schema.ColumnNames())
	case remedy == "" && !LooksNumeric(field) && !e.schema.Foreign:
		remedy = fmt.Sprintf("if it is a missing value, train with %s and --missing", Flag("na", field))
	case remedy == "":
		return err
	}
	return fmt.Errorf("%w; %s", err, remedy)
}

// hash sets the features of a text. Start is the first feature of its column.
func (e *Encoder) hash(h *Hash, start int, text string) {
	e.grams = h.grams(e.grams[:0], text)
	slices.Sort(e.grams)
	// Equal grams are adjacent now: e.grams[i:end] are equal.
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
	// The length includes features that have no weight, as if their weight were 0.
	count(func(gram uint32, n float64) {
		if place, ok := h.place(gram); ok {
			e.set(start+place, n/length)
		}
	})
}
