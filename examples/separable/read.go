package main

import (
	"cmp"
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

// A table contains labelled rows and their lines in the file.
type table struct {
	file   string
	names  []string // of the features
	X      [][]float64
	text   [][]string // X as the file has it
	labels []string
	lines  []int
}

// binary returns +1 for the rows with the label positive, and −1 for the others. If
// positive is empty, the table must have at most two labels. The greater one then
// becomes +1. binary also returns the label that became +1.
func (t *table) binary(positive string) (y []int, label string, err error) {
	var labels []string
	for _, l := range t.labels {
		if !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	switch {
	case positive != "" && !slices.Contains(labels, positive):
		return nil, "", fmt.Errorf("no row has the label %q", positive)
	case positive == "" && len(labels) > 2:
		return nil, "", fmt.Errorf("%d labels, want two; or set -positive to one of %s", len(labels), strings.Join(labels[:min(20, len(labels))], ", "))
	case positive == "" && len(labels) > 0:
		positive = slices.MaxFunc(labels, compareLabels)
	}
	for _, l := range t.labels {
		if l == positive {
			y = append(y, +1)
		} else {
			y = append(y, -1)
		}
	}
	return y, positive, nil
}

// compareLabels orders two numbers by value, and other labels by their bytes.
func compareLabels(a, b string) int {
	v, err := strconv.ParseFloat(a, 64)
	w, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil {
		return strings.Compare(a, b)
	}
	return cmp.Compare(v, w)
}

// readCSV reads rows of numbers. The last field of a row is its label. If the first
// row has no numbers, it contains the names of the features.
func readCSV(r io.Reader, file string) (*table, error) {
	t := &table{file: file}
	lines := csv.NewReader(r)
	lines.TrimLeadingSpace = true
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			return t, nil
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			return nil, &libsvm.Error{File: file, Line: bad.Line, Column: max(1, bad.Column), Err: bad.Err}
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		last := len(fields) - 1
		if t.names == nil {
			t.names = fields[:last]
			// Without features the first row cannot contain their names.
			if last > 0 && !slices.ContainsFunc(fields[:last], isNumber) {
				continue
			}
			t.number(last)
		}
		x := make([]float64, last)
		for j := range x {
			if x[j], err = strconv.ParseFloat(strings.TrimSpace(fields[j]), 64); err != nil || math.IsNaN(x[j]) || math.IsInf(x[j], 0) {
				line, column := lines.FieldPos(j)
				return nil, &libsvm.Error{File: file, Line: line, Column: column, Err: fmt.Errorf("%q, want a finite number", fields[j])}
			}
		}
		line, _ := lines.FieldPos(0)
		t.add(x, fields[:last], strings.TrimSpace(fields[last]), line)
	}
}

// isNumber reports whether s is a number, possibly with spaces around it.
func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// readLIBSVM reads rows with the given number of features.
func readLIBSVM(r io.Reader, file string, features int) (*table, error) {
	t := &table{file: file}
	t.number(features)
	lines := libsvm.NewReader(r, file, features)
	for {
		x, label, err := lines.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		// Clone x, because the next Read overwrites it.
		text := make([]string, len(x))
		for j, v := range x { // the decimal number that a float64 stands for
			text[j] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		t.add(slices.Clone(x), text, strconv.Itoa(label), lines.Line())
	}
}

// number names the d features x1, x2 and so on.
func (t *table) number(d int) {
	t.names = make([]string, d)
	for j := range t.names {
		t.names[j] = fmt.Sprintf("x%d", j+1)
	}
}

// add appends one row.
func (t *table) add(x []float64, text []string, label string, line int) {
	t.X = append(t.X, x)
	t.text = append(t.text, text)
	t.labels = append(t.labels, label)
	t.lines = append(t.lines, line)
}
