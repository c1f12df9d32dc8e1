//go:build unix

// Margins brackets the best margin of the rows of a LIBSVM file, by Separations and by algorithms of the
// literature, one after another on one core. The first line of its output has R. Then it prints a line for
// each algorithm, Separations first: the name; the processor time in seconds until a hyperplane separates;
// the time until the bounds differ by a thousandth of the upper one; their relative difference at the end;
// the number of steps; and the lower bound. A time is NaN if the algorithm ended before. bench/margins.py
// makes the files. See docs/margins.md.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"syscall"
	"time"

	"perceptron"
)

func main() {
	runtime.GOMAXPROCS(1)
	limit := flag.Duration("limit", 6*time.Second, "end each algorithm after this processor time")
	dense := flag.Bool("dense", false, "make the rows dense")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: margins [-dense] [-limit 6s] FILE")
	}
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	X, y, err := perceptron.ReadLIBSVM(f)
	if err != nil {
		log.Fatal(err)
	}
	var z points
	if *dense {
		rows := densified(X)
		z = denseRows(rows, y)
		measure(rows, y, z, *limit)
	} else {
		z = sparseRows(X, y)
		measure(X, y, z, *limit)
	}
}

// measure prints the lines.
func measure[R perceptron.Row](X []R, y []int, z points, limit time.Duration) {
	radius, err := perceptron.Radius(X, perceptron.Affine)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("R", radius)
	runtime.GC()
	t := newTracker(limit)
	for s, err := range perceptron.Separations(X, y, perceptron.Affine) {
		if err != nil {
			log.Fatal(err)
		}
		if t.ended(s.Lower/radius, s.Upper/radius) {
			break
		}
	}
	fmt.Println("Separations", t)
	for _, a := range []struct {
		name string
		run  func(points, *tracker)
	}{{"smooth", smooth}, {"Gilbert", gilbert}, {"MDM", mdm}} {
		runtime.GC()
		t := newTracker(limit)
		a.run(z, t)
		fmt.Println(a.name, t)
	}
}

// A tracker follows the bounds of one algorithm.
type tracker struct {
	begin, limit     time.Duration
	first, narrow    float64 // seconds
	lower, upper     float64 // the best so far
	steps, firstStep int
}

// narrow is the relative difference of the bounds at which an algorithm has done its work.
const narrow = 1e-3

func newTracker(limit time.Duration) *tracker {
	return &tracker{begin: processor(), limit: limit, first: math.NaN(), narrow: math.NaN(), lower: math.Inf(-1), upper: math.Inf(1)}
}

// ended notes the bounds of a step, and returns whether the algorithm is to end.
func (t *tracker) ended(lower, upper float64) bool {
	t.steps++
	t.lower, t.upper = max(t.lower, lower), min(t.upper, upper)
	used := processor() - t.begin
	if t.lower > 0 && t.first != t.first {
		t.first, t.firstStep = used.Seconds(), t.steps
	}
	if t.lower > 0 && t.upper-t.lower <= narrow*t.upper {
		t.narrow = used.Seconds()
		return true
	}
	return used > t.limit
}

func (t *tracker) String() string {
	return fmt.Sprintf("%.4g %.4g %.3g %d %.6g", t.first, t.narrow, (t.upper-max(0, t.lower))/t.upper, t.steps, t.lower)
}

// processor returns the processor time of this program so far.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// densified returns dense copies of the rows, one after another in memory.
func densified(X []perceptron.Sparse) [][]float64 {
	width := 0
	for _, x := range X {
		if n := len(x.Index); n > 0 {
			width = max(width, int(x.Index[n-1])+1)
		}
	}
	all, rows := make([]float64, len(X)*width), make([][]float64, len(X))
	for i, x := range X {
		rows[i] = all[i*width : (i+1)*width : (i+1)*width]
		for k, j := range x.Index {
			rows[i][j] = x.Value[k]
		}
	}
	return rows
}
