package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"perceptron/internal/libsvm"
)

// A layout describes the format and the columns of a file.
type layout struct {
	Format   string   `json:"format"`          // csv or libsvm
	Label    string   `json:"label,omitempty"` // label column of a CSV file: first, last or a name
	Features int      `json:"features"`        // number of features of a row; 0 until it is known
	Names    []string `json:"names,omitempty"` // names of the features, if the first line has them
	Missing  string   `json:"missing"`         // what a missing value means: error, mean or drop
}

// The values of -missing.
const (
	missingError = "error"
	missingMean  = "mean"
	missingDrop  = "drop"
)

// reading holds the flags that apply to one file and are not saved.
type reading struct {
	comma         rune     // 0 means detect it
	columns, drop []string // features to use, or not to use
	unlabelled    bool     // rows may lack a label
}

// A reader reads the rows of a file.
type reader interface {
	// read returns the next row and its class, "" if the row has no class. A missing
	// value is NaN. The next call overwrites x. After the last row, err is io.EOF.
	read() (x []float64, class string, err error)
	// at adds the position of the row read last to an error.
	at(err error) error
}

// standardInput is the file name that means standard input.
const standardInput = "-"

// formatOf returns the format that the name of a file implies.
func formatOf(file string) (string, error) {
	switch name := strings.TrimSuffix(file, ".gz"); {
	case file == standardInput, strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".tsv"):
		return "csv", nil
	case strings.HasSuffix(name, ".svm"), strings.HasSuffix(name, ".libsvm"):
		return "libsvm", nil
	}
	return "", fmt.Errorf("%s: unknown extension, want .csv, .tsv, .svm or .libsvm (each may be followed by .gz), or set -format", file)
}

// newReader returns a reader of the rows in r. For CSV it completes the layout from
// the first line.
func newReader(r io.Reader, file string, l *layout, o reading) (reader, error) {
	if l.Format == "csv" {
		return newCSV(r, file, l, o)
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
