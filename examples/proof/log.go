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
// which rows each pass updated on. Coq replays the training from the file proof.
func writeLog(w io.Writer, proof, data string) error {
	in := io.Reader(strings.NewReader(and))
	if data != "" {
		f, err := os.Open(data)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	lines, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return err
	}
	if len(lines) > 0 { // the first line may have names
		if _, err := strconv.ParseFloat(strings.TrimSpace(lines[0][0]), 64); err != nil {
			lines = lines[1:]
		}
	}
	t, X, y, classes, err := parse(lines)
	if err != nil {
		return err
	}
	out, err := os.Create(proof)
	if err != nil {
		return err
	}
	defer out.Close()
	var passes [][]int
	if len(classes) == 2 {
		if passes, err = train(&perceptron.Online{Space: perceptron.Linear}, X, signs(y)); err == nil {
			err = t.WriteOnlineLog(out, passes)
		}
	} else {
		m := &perceptron.Multiclass{Binary: &perceptron.Online{Space: perceptron.Linear}}
		for c := range classes { // a row of zeros makes a class known and changes no weight
			if _, err := m.Update(make([]float64, len(X[0])), c); err != nil {
				return err
			}
		}
		if passes, err = train(m, X, y); err == nil {
			err = t.WriteMulticlassLog(out, len(classes), passes)
		}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "trained on %d rows of the classes %s: %d mistakes in %d passes\n", len(X), strings.Join(classes, ", "), count(passes), len(passes))
	return out.Close()
}

// parse returns the rows as Coq and the package read them. Both are Linear and begin
// with the constant 1, so that classes can be introduced. Class c is classes[c].
func parse(lines [][]string) (t *coq.Table, X [][]float64, y []int, classes []string, err error) {
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
		if err := t.AddClass(fields, c, i+1); err != nil {
			return nil, nil, nil, nil, fmt.Errorf("row %d: %w", i+1, err)
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
