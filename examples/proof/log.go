package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"perceptron"
	"perceptron/internal/coq"
)

// and is the data of the example, as a file.
const and = "0,0,no\n0,1,no\n1,0,no\n1,1,yes\n"

// writeLog trains on the rows of a CSV file, whose last field is the label, and writes
// which rows each pass updated on. Coq replays the training from the file proof. Nothing
// is written if rounding changed a decision, or over a file that is no such proof.
func writeLog(w io.Writer, proof, data string) error {
	if err := coq.Replaceable(proof); err != nil {
		return err
	}
	in := io.Reader(strings.NewReader(and))
	if data != "" {
		f, err := os.Open(data)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	lines, numbers, err := read(in)
	if err != nil {
		return err
	}
	t, X, y, classes, err := parse(lines, numbers)
	if err != nil {
		return err
	}
	var passes [][]int
	var write func(io.Writer) error
	if len(classes) == 2 {
		passes, err = train(&perceptron.Online{Space: perceptron.Linear}, X, signs(y))
		write = func(out io.Writer) error { return t.WriteOnlineLog(out, passes) }
	} else {
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear}}
		for c := range classes { // a row of zeros makes a class known and changes no weight
			if _, err := m.Update(make([]float64, len(X[0])), c); err != nil {
				return err
			}
		}
		passes, err = train(m, X, y)
		write = func(out io.Writer) error { return t.WriteMulticlassLog(out, len(classes), passes) }
	}
	if err == nil {
		err = coq.WriteFile(proof, write)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "trained on %d rows of the classes %s: %d mistakes in %d passes\n", len(X), strings.Join(classes, ", "), count(passes), len(passes))
	return nil
}

// read returns the rows of a CSV file, and the number of the line of each. It leaves out a
// first row of names.
func read(in io.Reader) (rows [][]string, lines []int, err error) {
	r := csv.NewReader(in)
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return rows, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		line, _ := r.FieldPos(0)
		if _, err := strconv.ParseFloat(strings.TrimSpace(fields[0]), 64); err != nil && rows == nil && line == 1 {
			continue
		}
		rows, lines = append(rows, fields), append(lines, line)
	}
}

// parse returns the rows as Coq and the package read them. Both are Linear and begin
// with the constant 1, so that classes can be introduced. Class c is classes[c].
func parse(lines [][]string, numbers []int) (t *coq.Table, X [][]float64, y []int, classes []string, err error) {
	for _, fields := range lines {
		classes = append(classes, strings.TrimSpace(fields[len(fields)-1]))
	}
	slices.Sort(classes)
	if classes = slices.Compact(classes); len(classes) < 2 {
		return nil, nil, nil, nil, fmt.Errorf("%d labels, want at least two", len(classes))
	}
	t = &coq.Table{Linear: true}
	for i, fields := range lines {
		last := len(fields) - 1
		fields, label := append([]string{"1"}, fields[:last]...), strings.TrimSpace(fields[last])
		c, _ := slices.BinarySearch(classes, label)
		if err := t.AddClass(fields, c, numbers[i]); err != nil {
			return nil, nil, nil, nil, fmt.Errorf("line %d: %w", numbers[i], err)
		}
		x := make([]float64, len(fields))
		for j, s := range fields {
			if x[j], err = strconv.ParseFloat(strings.TrimSpace(s), 64); err != nil {
				return nil, nil, nil, nil, err
			}
		}
		X, y = append(X, x), append(y, c)
	}
	return t, X, y, classes, nil
}

// signs returns −1 for the class 0 and +1 for the class 1.
func signs(y []int) []int {
	s := make([]int, len(y))
	for i, c := range y {
		s[i] = 2*c - 1
	}
	return s
}

// train makes passes over the rows until one needs no update. It returns the indices
// of the rows that each pass updated on.
func train(m interface {
	Update(x []float64, y int) (bool, error)
}, X [][]float64, y []int) (passes [][]int, err error) {
	const most = 100_000 // passes
	for range most {
		var pass []int
		for i, x := range X {
			updated, err := m.Update(x, y[i])
			if err != nil {
				return nil, err
			}
			if updated {
				pass = append(pass, i)
			}
		}
		if passes = append(passes, pass); pass == nil {
			return passes, nil
		}
	}
	return nil, fmt.Errorf("no pass of %d was without a mistake", most)
}

// count returns the number of updates.
func count(passes [][]int) (n int) {
	for _, pass := range passes {
		n += len(pass)
	}
	return n
}
