package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron/examples/internal/libsvm"
)

// A layout says how a file is read.
type layout struct {
	Format   string   `json:"format"`          // csv or libsvm
	Label    string   `json:"label,omitempty"` // the column of a CSV file: first, last or a name
	Features int      `json:"features"`        // of a row; 0 until that is known
	Names    []string `json:"names,omitempty"` // the features', where the file's first line has them
}

// A reader reads the rows of a file.
type reader interface {
	// read returns the next row, which the next read overwrites, and its class,
	// "" if it has none; io.EOF after the last.
	read() (x []float64, class string, err error)
	// at says of an error in what was read last where in the file that is.
	at(err error) error
}

// formatOf tells a file's format by its name.
func formatOf(file string) (string, error) {
	switch name := strings.TrimSuffix(file, ".gz"); {
	case strings.HasSuffix(name, ".csv"):
		return "csv", nil
	case strings.HasSuffix(name, ".svm"), strings.HasSuffix(name, ".libsvm"):
		return "libsvm", nil
	}
	return "", fmt.Errorf("%s: its name ends in none of .csv, .svm, .libsvm, each also with .gz: want -format", file)
}

// newReader returns a reader of a file's bytes, and sets what its first lines tell
// of the layout. Rows without a label are good only if unlabelled says so.
func newReader(r io.Reader, file string, l *layout, unlabelled bool) (reader, error) {
	if l.Format == "csv" {
		return newCSV(r, file, l, unlabelled)
	}
	return &libsvmReader{libsvm.NewReader(r, file, l.Features), file}, nil
}

type libsvmReader struct {
	lines *libsvm.Reader
	file  string
}

func (r *libsvmReader) read() ([]float64, string, error) {
	x, label, err := r.lines.Read()
	return x, strconv.Itoa(label), err
}

func (r *libsvmReader) at(err error) error {
	return &libsvm.Error{File: r.file, Line: r.lines.Line(), Column: 1, Err: err}
}

// mostFeatures bounds what a bad index can make us allocate.
const mostFeatures = 1 << 24

// countFeatures returns the highest index in LIBSVM lines. What else is wrong with
// them is left for their reader to find.
func countFeatures(r io.Reader, file string) (int, error) {
	most := 0
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), 64<<20)
	for line := 1; lines.Scan(); line++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		for field := range strings.FieldsSeq(text) {
			before, _, _ := strings.Cut(field, ":")
			index, err := strconv.Atoi(before)
			if err != nil || before == field { // a label
				continue
			}
			if index > mostFeatures {
				return 0, &libsvm.Error{File: file, Line: line, Column: strings.Index(text, field) + 1,
					Err: fmt.Errorf("index %d, want at most %d, or -features", index, mostFeatures)}
			}
			most = max(most, index)
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return most, nil
}

// A csvReader reads rows of numbers and a label.
type csvReader struct {
	lines  *csv.Reader
	file   string
	fields []string // read last
	unread bool     // they are the first row
	label  int      // its column; -1 for none
	x      []float64
}

func newCSV(r io.Reader, file string, l *layout, unlabelled bool) (*csvReader, error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" { // as spreadsheets write it
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
	}
	c := &csvReader{lines: csv.NewReader(in), file: file}
	c.lines.ReuseRecord = true
	c.lines.TrimLeadingSpace = true
	if err := c.next(); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("%s: no rows", file)
		}
		return nil, err
	}
	if err := c.begin(l, unlabelled); err != nil {
		return nil, err
	}
	return c, nil
}

// begin takes the first line: names, or a row.
func (c *csvReader) begin(l *layout, unlabelled bool) error {
	if unlabelled && len(c.fields) == l.Features {
		c.label = -1
	} else if err := c.find(l.Label); err != nil {
		return err
	}
	names := c.features()
	byName := l.Label != "first" && l.Label != "last" && c.label >= 0
	named := byName || !slices.ContainsFunc(names, isNumber)
	c.unread = !named
	switch {
	case len(names) == 0:
		return c.bad(0, fmt.Sprintf("%d fields, want a label and at least one feature", len(c.fields)))
	case l.Features == 0:
		l.Features = len(names)
		if named {
			l.Names = names
		}
	case len(names) != l.Features:
		return c.bad(0, fmt.Sprintf("%d features, want the model's %d", len(names), l.Features))
	case named && l.Names != nil && !slices.Equal(names, l.Names):
		return c.bad(0, fmt.Sprintf("features %q, want the model's %q", names, l.Names))
	}
	c.x = make([]float64, l.Features)
	return nil
}

// find sets the label's column.
func (c *csvReader) find(label string) error {
	switch label {
	case "first":
		c.label = 0
	case "last":
		c.label = len(c.fields) - 1
	default:
		c.label = slices.IndexFunc(c.fields, func(s string) bool { return strings.TrimSpace(s) == label })
		if c.label < 0 {
			return c.bad(0, fmt.Sprintf("no column %q among %q", label, c.fields))
		}
	}
	return nil
}

// features returns a copy of the fields without the label.
func (c *csvReader) features() []string {
	var names []string
	for j, field := range c.fields {
		if j != c.label {
			names = append(names, strings.TrimSpace(field))
		}
	}
	return names
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// next reads the fields of the next line.
func (c *csvReader) next() (err error) {
	want := c.lines.FieldsPerRecord
	c.fields, err = c.lines.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return c.bad(0, fmt.Sprintf("%d fields, want %d as in the first line", len(c.fields), want))
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
	class, j := "", 0
	for i, field := range c.fields {
		if field = strings.TrimSpace(field); i == c.label {
			if class = field; class == "" {
				return nil, "", c.bad(i, "no label")
			}
			continue
		}
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, "", c.bad(i, fmt.Sprintf("%q, want a finite number", field))
		}
		c.x[j] = v
		j++
	}
	return c.x, class, nil
}

// bad is the error of the i-th field.
func (c *csvReader) bad(i int, what string) error {
	line, column := c.lines.FieldPos(i)
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: errors.New(what)}
}

func (c *csvReader) at(err error) error {
	line, column := c.lines.FieldPos(max(0, c.label))
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: err}
}

// sortClasses orders numbers by value, and other names by the alphabet.
func sortClasses(names []string) {
	if slices.ContainsFunc(names, func(s string) bool { return !isNumber(s) }) {
		slices.Sort(names)
		return
	}
	slices.SortFunc(names, func(a, b string) int {
		v, _ := strconv.ParseFloat(a, 64)
		w, _ := strconv.ParseFloat(b, 64)
		return cmp.Or(cmp.Compare(v, w), strings.Compare(a, b))
	})
}
