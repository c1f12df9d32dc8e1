package perceptron

import (
	"flag"
	"iter"
	"testing"
)

// The tests of package perceptron_test use the exported API only. This file gives
// them the data and the grid of models that they share with the other tests. It
// exports nothing of the library itself.

// Update is the flag -update: it writes testdata/golden.txt again. The file is the
// promise that the same input bits give the same output bits on every machine and
// in every version. If a line changes, users' programs compute something else. A
// change must be deliberate, come with a major version or before the first release,
// and be described in the commit. Never use the flag to make a failing test pass.
var Update = flag.Bool("update", false, "write testdata/golden.txt again; see export_test.go for when that is allowed")

// A Dataset is labelled rows with a name.
type Dataset struct {
	Name string
	X    [][]float64
	Y    []int
}

func (s dataset) export() Dataset { return Dataset{s.name, s.X, s.y} }

func Iris(t testing.TB) Dataset     { return irisRows(t).export() }
func Mushroom(t testing.TB) Dataset { return mushroom(t).export() }
func Digits(t testing.TB) Dataset   { return digits(t).export() }
func Letter(t testing.TB) Dataset   { return letter(t).export() }

func Uniform(seed uint64, n, d, k int) Dataset { return uniformRows(seed, n, d, k).export() }
func Noisy(seed uint64, n, d int) Dataset      { return noisy(seed, n, d).export() }
func Multi(seed uint64, n, d, k int) Dataset   { return multi(seed, n, d, k).export() }

func Separable(seed uint64, n, d int, gap float64) Dataset {
	return separable(seed, n, d, gap).export()
}

// Binaries yields untrained binary models with every combination of fields.
func Binaries(d, epochs int) iter.Seq2[string, Model] {
	return func(yield func(string, Model) bool) {
		for name, m := range withBatch(d, epochs, wholeGrid(d, epochs)) {
			if !yield(name, m) {
				return
			}
		}
	}
}
