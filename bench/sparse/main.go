//go:build unix

// Sparse measures the processor time of models on a LIBSVM file. It prints the number of rows, and
// then executes the commands in the lines of its standard input. bench/sparse.py and bench/peer.py
// send these commands, and alternate with scikit-learn:
//
//	fit MODEL KEEP EPOCHS
//	update KEEP
//	predict KEEP
//
// MODEL is Online, OneVsRest or Multiclass, and KEEP is last or average. The answer is one line with
// a time in seconds: the time of a Fit, or the mean time of an Update or Predict over all rows.
// Rows are sparse, and each epoch of a Fit shuffles them. With -dense, rows have all features, and
// are not shuffled.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"syscall"
	"time"

	"perceptron"
)

func main() {
	runtime.GOMAXPROCS(1)
	dense := flag.Bool("dense", false, "make the rows dense")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: sparse [-dense] FILE")
	}
	s, width, err := load(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	s.model = func(name, keep string, epochs int) model[perceptron.Sparse] {
		return perceptron.SparseModel{Model: learner(name, keep, perceptron.Shuffled, epochs), Width: width}
	}
	if *dense {
		serve(densified(s, width))
	} else {
		serve(s)
	}
}

func load(path string) (s set[perceptron.Sparse], width int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, 0, err
	}
	defer f.Close()
	s.X, s.y, err = perceptron.ReadLIBSVM(f)
	for _, x := range s.X {
		if n := len(x.Index); n > 0 {
			width = max(width, int(x.Index[n-1])+1)
		}
	}
	return s, width, err
}

// densified returns dense copies of the rows, one after another in memory.
func densified(s set[perceptron.Sparse], width int) set[[]float64] {
	d := set[[]float64]{y: s.y}
	d.model = func(name, keep string, epochs int) model[[]float64] {
		return learner(name, keep, perceptron.Cyclic, epochs)
	}
	all := make([]float64, len(s.X)*width)
	for i, x := range s.X {
		row := all[i*width : (i+1)*width : (i+1)*width]
		for k, j := range x.Index {
			row[j] = x.Value[k]
		}
		d.X = append(d.X, row)
	}
	return d
}

func learner(name, keep string, order perceptron.Order, epochs int) perceptron.Learner {
	p := &perceptron.Online{Order: order, Seed: 1, MaxEpochs: epochs}
	if keep == "average" {
		p.Keep = perceptron.Average
	}
	switch name {
	case "OneVsRest":
		return &perceptron.OneVsRest{Binary: p, Workers: 1}
	case "Multiclass":
		return &perceptron.Multiclass{Binary: p}
	}
	return p
}

type model[R any] interface {
	Fit(X []R, y []int) (perceptron.Result, error)
	Update(x R, y int) (bool, error)
	Predict(x R) (int, error)
}

type set[R any] struct {
	X     []R
	y     []int
	model func(name, keep string, epochs int) model[R]
}

// serve prints the number of rows, and then executes the commands of standard input.
func serve[R any](s set[R]) {
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

// answer executes the command in a line and returns its time.
func (s set[R]) answer(line string) (time.Duration, error) {
	var what, name, keep string
	var epochs int
	switch n, _ := fmt.Sscan(line, &what, &name, &keep, &epochs); {
	case what == "fit" && n == 4:
		return s.fit(s.model(name, keep, epochs))
	case what == "update" && n == 2:
		return s.each(name, func(m model[R], i int) error {
			_, err := m.Update(s.X[i], s.y[i])
			return err
		})
	case what == "predict" && n == 2:
		return s.each(name, func(m model[R], i int) error {
			_, err := m.Predict(s.X[i])
			return err
		})
	}
	return 0, fmt.Errorf("unknown line %q", line)
}

func (s set[R]) fit(m model[R]) (time.Duration, error) {
	start := processor()
	_, err := m.Fit(s.X, s.y)
	return processor() - start, err
}

// each returns the mean time of f over all rows. The model is an Online after an epoch and two
// updates on one row with opposite labels. At least one of these updates is a mistake.
func (s set[R]) each(keep string, f func(m model[R], i int) error) (time.Duration, error) {
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
