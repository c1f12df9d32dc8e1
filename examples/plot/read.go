package main

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A sheet holds the rows of a CSV file.
type sheet struct {
	file     string
	features []string // names
	columns  []int    // of the features in the file
	X        [][]float64
	class    []string // of each row
}

// name returns the file's name without folder and extension.
func (s *sheet) name() string {
	base := filepath.Base(s.file)
	base = strings.TrimSuffix(base, ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// readSheet reads a CSV file, which may be compressed. The label is in the column that
// label names, or else in the last one. A first line without numbers names the columns.
// If all the named features exist, it reads only them, in their order.
func readSheet(file, label string, named ...string) (*sheet, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	lines := csv.NewReader(in)
	lines.Comma = separatorOf(in)
	lines.TrimLeadingSpace = lines.Comma != '\t'
	first, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: no rows: %w", file, err)
	}
	names := slices.Clone(first)
	header := !slices.ContainsFunc(names[:len(names)-1], isNumber) || slices.Contains(names, label)
	column := len(names) - 1
	if label != "" {
		if column = slices.Index(names, label); column < 0 {
			return nil, fmt.Errorf("%s: -label: no column %q; the columns are %q", file, label, names)
		}
	}
	s := &sheet{file: file}
	s.choose(names, column, header, named)
	if !header {
		if err := s.add(first, column, 1); err != nil {
			return nil, err
		}
	}
	return s, s.rest(lines, column)
}

// choose sets the features and their columns.
func (s *sheet) choose(names []string, label int, header bool, named []string) {
	for _, name := range named {
		if j := slices.Index(names, name); header && j >= 0 && j != label {
			s.features, s.columns = append(s.features, name), append(s.columns, j)
		}
	}
	if len(named) > 0 && len(s.features) == len(named) {
		return
	}
	s.features, s.columns = nil, nil
	for j, name := range names {
		if j == label {
			continue
		}
		if !header {
			name = fmt.Sprintf("column %d", j+1)
		}
		s.features, s.columns = append(s.features, name), append(s.columns, j)
	}
}

// rest reads the other lines.
func (s *sheet) rest(lines *csv.Reader, column int) error {
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		line, _ := lines.FieldPos(0)
		if err := s.add(fields, column, line); err != nil {
			return err
		}
	}
	if len(s.X) < 2 || len(s.features) < 2 {
		return fmt.Errorf("%s: %d rows of %d features, want at least 2 of each", s.file, len(s.X), len(s.features))
	}
	return nil
}

// add adds one row.
func (s *sheet) add(fields []string, column, line int) error {
	x := make([]float64, len(s.columns))
	for k, j := range s.columns {
		field := strings.TrimSpace(fields[j])
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.Abs(v) > 1e100 {
			return fmt.Errorf("%s:%d: %s is %q, want a number of at most 1e100; -label names the label's column, -x and -y select two columns", s.file, line, s.features[k], field)
		}
		x[k] = v
	}
	s.class = append(s.class, strings.TrimSpace(fields[column]))
	s.X = append(s.X, x)
	return nil
}

// separatorOf returns the separator that the first line has most often.
func separatorOf(in *bufio.Reader) rune {
	text, _ := in.Peek(1 << 16)
	line, _, _ := strings.Cut(string(text), "\n")
	best := ','
	for _, comma := range []rune{';', '\t'} {
		if strings.Count(line, string(comma)) > strings.Count(line, string(best)) {
			best = comma
		}
	}
	return best
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// classes returns the names of the classes, sorted: by value if all are numbers.
func (s *sheet) classes() ([]string, error) {
	names := slices.Compact(slices.Sorted(slices.Values(s.class)))
	if len(names) < 2 || len(names) > len(marks) {
		return nil, fmt.Errorf("%s: the number of classes is %d, want 2 to %d; -label names the label's column", s.file, len(names), len(marks))
	}
	if !slices.ContainsFunc(names, func(v string) bool { return !isNumber(v) }) {
		slices.SortStableFunc(names, func(a, b string) int {
			v, _ := strconv.ParseFloat(a, 64)
			w, _ := strconv.ParseFloat(b, 64)
			switch {
			case v < w:
				return -1
			case v > w:
				return 1
			}
			return 0
		})
	}
	return names, nil
}
