package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron/internal/libsvm"
)

// A csvReader reads rows of numbers and a label.
type csvReader struct {
	lines  *csv.Reader
	file   string
	fields []string // of the line read last
	unread bool     // fields is the first row, which read has not returned yet
	label  int      // column of the label; -1 for none
	use    []int    // columns of the features
	x      []float64
	refuse bool // a missing value is an error
}

// newCSV reads the first line to find the columns.
func newCSV(r io.Reader, file string, l *layout, o reading) (*csvReader, error) {
	in := bufio.NewReaderSize(r, peeked)
	text, _ := in.Peek(peeked)
	switch {
	case strings.HasPrefix(string(text), "\xff\xfe"), strings.HasPrefix(string(text), "\xfe\xff"):
		return nil, fmt.Errorf("%s: the text is UTF-16; save it as UTF-8", file)
	case strings.HasPrefix(string(text), "\ufeff"): // a byte order mark, as spreadsheets write it
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
		text = text[3:]
	}
	c := &csvReader{lines: csv.NewReader(in), file: file, refuse: l.Missing == missingError}
	if c.lines.Comma = o.comma; o.comma == 0 {
		c.lines.Comma = separator(string(text))
	}
	c.lines.ReuseRecord = true
	c.lines.TrimLeadingSpace = c.lines.Comma != '\t' && c.lines.Comma != ' ' // which would skip empty fields
	if err := c.next(); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("%s: no rows", file)
		}
		return nil, err
	}
	if err := c.begin(l, o); err != nil {
		return nil, err
	}
	return c, nil
}

// begin interprets the first line, which has either names or a row.
func (c *csvReader) begin(l *layout, o reading) error {
	names := make([]string, len(c.fields))
	for i, field := range c.fields {
		names[i] = strings.TrimSpace(field)
	}
	c.label = labelColumn(names, l.Label)
	header := c.header(names, l, o)
	c.unread = !header
	located := locate(names, l.Names)
	switch {
	case header && located != nil: // in any order, beside any other columns
		c.use = located
	case o.unlabelled && len(names) == l.Features:
		c.label = -1
	case c.label < 0:
		return c.bad(0, fmt.Sprintf("no column %q; the columns are %q; -label names the label's column", l.Label, names))
	}
	if slices.Contains(c.use, c.label) {
		if !o.unlabelled {
			return c.bad(c.label, fmt.Sprintf("no label: column %q is a feature of the model", names[c.label]))
		}
		c.label = -1
	}
	if c.use == nil {
		if err := c.choose(names, o); err != nil {
			return err
		}
	}
	return c.settle(l, names, header)
}

// settle compares the features with those of the layout, or completes it.
func (c *csvReader) settle(l *layout, names []string, header bool) error {
	var used []string
	for _, j := range c.use {
		used = append(used, names[j])
	}
	switch {
	case len(used) == 0:
		return c.bad(0, fmt.Sprintf("%s separated by %q, want a label and at least one feature; -comma sets the separator", counted(len(names), "field"), c.lines.Comma))
	case l.Features == 0:
		if l.Features = len(used); header {
			l.Names = used
		}
	case header && l.Names != nil && !slices.Equal(used, l.Names):
		return c.bad(0, fmt.Sprintf("features %q, but the model has %q", used, l.Names))
	case len(used) != l.Features:
		return c.bad(0, fmt.Sprintf("%d features, but the model has %d", len(used), l.Features))
	}
	c.x = make([]float64, l.Features)
	return nil
}

// header reports whether the first line has names.
func (c *csvReader) header(names []string, l *layout, o reading) bool {
	byName := l.Label != "first" && l.Label != "last" && c.label >= 0
	if byName || len(o.columns)+len(o.drop) > 0 || locate(names, l.Names) != nil {
		return true
	}
	empty := true
	for i, name := range names {
		if i != c.label && isNumber(name) {
			return false
		}
		empty = empty && missing(name)
	}
	return !empty
}

// labelColumn returns the column of the label, or -1.
func labelColumn(names []string, label string) int {
	switch label {
	case "first":
		return 0
	case "last":
		return len(names) - 1
	}
	return slices.Index(names, label)
}

// locate returns the column of each wanted name. It returns nil if a name is absent or
// ambiguous.
func locate(names, wanted []string) []int {
	var use []int
	for _, name := range wanted {
		j := slices.Index(names, name)
		if j < 0 || slices.Contains(names[j+1:], name) {
			return nil
		}
		use = append(use, j)
	}
	return use
}

// choose selects the columns that -columns and -drop leave.
func (c *csvReader) choose(names []string, o reading) error {
	for _, name := range slices.Concat(o.columns, o.drop) {
		if !slices.Contains(names, name) {
			return c.bad(0, fmt.Sprintf("no column %q; the columns are %q; -columns and -drop take names of the first line", name, names))
		}
	}
	for j, name := range names {
		if j != c.label && (len(o.columns) == 0 || slices.Contains(o.columns, name)) && !slices.Contains(o.drop, name) {
			c.use = append(c.use, j)
		}
	}
	return nil
}

// counted returns n with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// missing reports whether a field states that the value is not known.
func missing(s string) bool {
	switch strings.ToLower(s) {
	case "", "?", "na", "n/a", "nan", "null", "none":
		return true
	}
	return false
}

// next reads the fields of the next line.
func (c *csvReader) next() (err error) {
	want := c.lines.FieldsPerRecord
	c.fields, err = c.lines.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return c.bad(0, fmt.Sprintf("%s separated by %q, want %d as in the first line; -comma sets the separator", counted(len(c.fields), "field"), c.lines.Comma, want))
	case errors.As(err, &bad):
		return &libsvm.Error{File: c.file, Line: bad.Line, Column: max(1, bad.Column), Err: bad.Err}
	case err != nil && err != io.EOF:
		return fmt.Errorf("%s: %w", c.file, err)
	}
	return err
}

func (c *csvReader) read() ([]float64, string, error) {
	if !c.unread {
		if err := c.next(); err != nil {
			return nil, "", err
		}
	}
	c.unread = false
	for j, i := range c.use {
		field := strings.TrimSpace(c.fields[i])
		v, err := strconv.ParseFloat(field, 64)
		switch {
		case missing(field) && c.refuse:
			return nil, "", c.bad(i, fmt.Sprintf("%q: the value is missing; -missing mean or -missing drop accepts this", field))
		case missing(field):
			v = math.NaN()
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return nil, "", c.bad(i, fmt.Sprintf("%q, want a finite number%s", field, hint(field)))
		}
		c.x[j] = v
	}
	if c.label < 0 {
		return c.x, "", nil
	}
	return c.x, strings.TrimSpace(c.fields[c.label]), nil
}

// hint names the flag that helps with a field that is not a number.
func hint(field string) string {
	switch {
	case isNumber(strings.Replace(field, ",", ".", 1)):
		return " with a decimal point"
	case isNumber(strings.TrimPrefix(field, "1e")):
		return ""
	}
	return "; -drop leaves out columns, -label names the label's column"
}

// bad returns an error at the position of field i.
func (c *csvReader) bad(i int, what string) error {
	line, column := c.lines.FieldPos(i)
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: errors.New(what)}
}

func (c *csvReader) at(err error) error {
	line, column := c.lines.FieldPos(max(0, c.label))
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: err}
}
