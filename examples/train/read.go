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

// A layout describes the format and the columns of a file.
type layout struct {
	Format   string   `json:"format"`          // csv or libsvm
	Label    string   `json:"label,omitempty"` // label column of a CSV file: first, last or a name
	Features int      `json:"features"`        // number of features of a row; 0 until it is known
	Names    []string `json:"names,omitempty"` // names of the features, if the first line has them
}

// A reader reads the rows of a file.
type reader interface {
	// read returns the next row and its class, "" if the row has no class. The next
	// call overwrites x. After the last row, err is io.EOF.
	read() (x []float64, class string, err error)
	// at adds the position of the row read last to an error.
	at(err error) error
}

// formatOf returns the format that the name of a file implies.
func formatOf(file string) (string, error) {
	switch name := strings.TrimSuffix(file, ".gz"); {
	case strings.HasSuffix(name, ".csv"):
		return "csv", nil
	case strings.HasSuffix(name, ".svm"), strings.HasSuffix(name, ".libsvm"):
		return "libsvm", nil
	}
	return "", fmt.Errorf("%s: unknown extension, want .csv, .svm or .libsvm (each may be followed by .gz), or set -format", file)
}

// newReader returns a reader of the rows in r. For CSV it completes the layout from
// the first line. Rows may lack a label only if unlabelled is true.
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

// mostFeatures limits the memory that a wrong index can make the program allocate.
const mostFeatures = 1 << 24

// countFeatures returns the highest index in LIBSVM lines. It ignores other errors:
// the reader of the rows reports them later.
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
					Err: fmt.Errorf("index %d, want at most %d unless -features is set", index, mostFeatures)}
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
	fields []string // of the line read last
	unread bool     // fields is the first row, which read has not returned yet
	label  int      // column of the label; -1 for none
	x      []float64
}

// newCSV reads the first line to find the columns.
func newCSV(r io.Reader, file string, l *layout, unlabelled bool) (*csvReader, error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" { // a byte order mark, as spreadsheets write it
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

// begin interprets the first line, which has either names or a row.
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
		return c.bad(0, fmt.Sprintf("%d features, but the model has %d", len(names), l.Features))
	case named && l.Names != nil && !slices.Equal(names, l.Names):
		return c.bad(0, fmt.Sprintf("features %q, but the model has %q", names, l.Names))
	}
	c.x = make([]float64, l.Features)
	return nil
}

// find sets the column of the label.
func (c *csvReader) find(label string) error {
	switch label {
	case "first":
		c.label = 0
	case "last":
		c.label = len(c.fields) - 1
	default:
		c.label = slices.IndexFunc(c.fields, func(s string) bool { return strings.TrimSpace(s) == label })
		if c.label < 0 {
			return c.bad(0, fmt.Sprintf("no column %q; the columns are %q", label, c.fields))
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

// bad returns an error at the position of field i.
func (c *csvReader) bad(i int, what string) error {
	line, column := c.lines.FieldPos(i)
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: errors.New(what)}
}

func (c *csvReader) at(err error) error {
	line, column := c.lines.FieldPos(max(0, c.label))
	return &libsvm.Error{File: c.file, Line: line, Column: column, Err: err}
}

// sortClasses sorts the names by value if all are numbers, and as text otherwise.
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
