//go:build unix

// Sparse trains a SparseModel on a LIBSVM file, and prints the processor time of what the lines of
// its standard input ask for. bench/sparse.py asks, in turn with scikit-learn:
//
//	fit MODEL KEEP EPOCHS
//	update KEEP
//	predict KEEP
//
// MODEL is Online, OneVsRest or Multiclass, and KEEP is last or average. The answer is one line,
// in seconds: of a Fit, or of one Update or Predict in the mean over all rows.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"runtime"
	"syscall"
	"time"

	"perceptron"
)

type set struct {
	X     []perceptron.Sparse
	y     []int
	width int
}

func main() {
	runtime.GOMAXPROCS(1)
	if len(os.Args) != 2 {
		log.Fatal("usage: sparse FILE")
	}
	s, err := load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	runtime.GC()
	fmt.Println(len(s.X))
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		t, err := s.answer(in.Text())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(t.Seconds())
	}
}

func load(path string) (s set, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	s.X, s.y, err = perceptron.ReadLIBSVM(f)
	for _, x := range s.X {
		if n := len(x.Index); n > 0 {
			s.width = max(s.width, int(x.Index[n-1])+1)
		}
	}
	return s, err
}

// answer does what a line asks for.
func (s set) answer(line string) (time.Duration, error) {
	var what, model, keep string
	var epochs int
	switch n, _ := fmt.Sscan(line, &what, &model, &keep, &epochs); {
	case what == "fit" && n == 4:
		return s.fit(s.model(model, keep, epochs))
	case what == "update" && n == 2:
		return s.each(model, func(m perceptron.SparseModel, i int) error {
			_, err := m.Update(s.X[i], s.y[i])
			return err
		})
	case what == "predict" && n == 2:
		return s.each(model, func(m perceptron.SparseModel, i int) error {
			_, err := m.Predict(s.X[i])
			return err
		})
	}
	return 0, fmt.Errorf("unknown line %q", line)
}

func (s set) model(name, keep string, epochs int) perceptron.SparseModel {
	p := &perceptron.Online{Order: perceptron.Shuffled, Seed: 1, MaxEpochs: epochs}
	if keep == "average" {
		p.Keep = perceptron.Average
	}
	m := perceptron.SparseModel{Model: p, Width: s.width}
	switch name {
	case "OneVsRest":
		m.Model = &perceptron.OneVsRest{Binary: p, Workers: 1}
	case "Multiclass":
		m.Model = &perceptron.Multiclass{Binary: p}
	}
	return m
}

func (s set) fit(m perceptron.SparseModel) (time.Duration, error) {
	start := processor()
	_, err := m.Fit(s.X, s.y)
	return processor() - start, err
}

// each returns the mean time of f over all rows, after an epoch of Online and two updates, which
// make the model's last step a mistake.
func (s set) each(keep string, f func(m perceptron.SparseModel, i int) error) (time.Duration, error) {
	m := s.model("Online", keep, 1)
	if _, err := m.Fit(s.X, s.y); err != nil {
		return 0, err
	}
	for _, label := range []int{-1, 1} {
		if _, err := m.Update(s.X[0], label); err != nil {
			return 0, err
		}
	}
	start := processor()
	for i := range s.X {
		if err := f(m, i); err != nil {
			return 0, err
		}
	}
	return (processor() - start) / time.Duration(len(s.X)), nil
}

// processor returns the processor time of this program so far.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
