package naive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Root returns the path of a file of the module, from its root.
func Root(t testing.TB, path string) string {
	t.Helper()
	dir := Must(os.Getwd())(t)
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "internal", "naive")); err == nil {
			return filepath.Join(dir, path)
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above the working directory has internal/naive")
		}
	}
}

// XOR has no separating hyperplane.
var XOR = Set{Name: "xor", X: [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, Y: []int{-1, +1, +1, -1}}

// FourPoints has loops in both models (Affine, η = 1): Online from epoch 149 with period 65, Batch
// from epoch 91 with period 75.
var FourPoints = Set{Name: "four points", X: [][]float64{{5, -6}, {1, -2}, {-2, -5}, {7, 3}}, Y: []int{+1, +1, -1, -1}}

// Against returns +1 for the class and −1 for the rest.
func Against(y []int, class int) []int {
	z := make([]int, len(y))
	for i, label := range y {
		if z[i] = -1; label == class {
			z[i] = +1
		}
	}
	return z
}

// Uniform draws rows of k classes around their centres. It uses integer arithmetic only, so that
// the rows are the same on every machine.
func Uniform(seed uint64, n, d, k int) Set {
	r, s := rand.New(rand.NewPCG(seed, 9)), Set{Name: fmt.Sprintf("uniform%dx%d", n, d)}
	row := func() []float64 {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(int64(r.Uint64()>>11)-1<<52) * 0x1p-52
		}
		return x
	}
	centres := make([][]float64, k)
	for c := range centres {
		centres[c] = row()
	}
	for i := range n {
		x := row()
		for j := range x {
			x[j] += 0.25 * centres[i%k][j]
		}
		s.Add(x, i%k)
	}
	return s
}

// Iris returns Fisher's irises.
func Iris(t testing.TB) Set {
	rows := Must(csv.NewReader(bytes.NewReader(Must(os.ReadFile(Root(t, "examples/iris/iris.csv")))(t))).ReadAll())(t)
	set := Set{Name: "iris"}
	for _, row := range rows[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j] = Must(strconv.ParseFloat(row[j], 64))(t)
		}
		set.Add(x, map[string]int{"setosa": 0, "versicolor": 1, "virginica": 2}[row[4]])
	}
	return set
}

// Open opens a gzipped file of the folder PERCEPTRON_DATA, or skips the test.
func Open(t testing.TB, name string) io.Reader {
	t.Helper()
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		t.Skip("PERCEPTRON_DATA names no folder with " + name)
	}
	f := Must(os.Open(filepath.Join(dir, name)))(t)
	t.Cleanup(func() { f.Close() })
	return Must(gzip.NewReader(f))(t)
}

// Mushroom returns UCI's agaricus-lepiota: 6,513 rows of 126 binary features.
func Mushroom(t testing.TB) Set {
	set := LIBSVMRows(t, "mushroom", Open(t, "mushroom.svm.gz"), 126)
	for i := range set.Y {
		set.Y[i] = 2*set.Y[i] - 1
	}
	return set
}

// LIBSVMRows returns the rows of a text in LIBSVM's format with their zeros.
func LIBSVMRows(t testing.TB, name string, text io.Reader, width int) Set {
	set := Set{Name: name}
	for lines := bufio.NewScanner(text); lines.Scan(); {
		fields, x := strings.Fields(lines.Text()), make([]float64, width)
		for _, pair := range fields[1:] {
			index, value, _ := strings.Cut(pair, ":")
			x[Must(strconv.Atoi(index))(t)-1] = Must(strconv.ParseFloat(value, 64))(t)
		}
		set.Add(x, Must(strconv.Atoi(fields[0]))(t))
	}
	return set
}

// Letter returns UCI's letter-recognition: 20,000 rows of 16 measures of a letter's image.
func Letter(t testing.TB) Set {
	set := Set{Name: "letter"}
	for lines := bufio.NewScanner(Open(t, "letter.csv.gz")); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		x := make([]float64, 16)
		for j := range x {
			x[j] = Must(strconv.ParseFloat(fields[j], 64))(t)
		}
		set.Add(x, int(fields[16][0]))
	}
	return set
}

// Digits returns MNIST's 10,000 test digits, pixels over 255.
func Digits(t testing.TB) Set {
	pixels := Must(io.ReadAll(Open(t, "mnist10k-images-idx3-ubyte.gz")))(t)[16:]
	labels := Must(io.ReadAll(Open(t, "mnist10k-labels-idx1-ubyte.gz")))(t)[8:]
	set := Set{Name: "digits"}
	all := make([]float64, len(pixels))
	for i, p := range pixels {
		all[i] = float64(p) / 255
	}
	for i, label := range labels {
		set.Add(all[784*i:784*(i+1):784*(i+1)], int(label))
	}
	return set
}

// OneHot is n rows of n features, each with one 1. All are support vectors.
func OneHot(n int) Set {
	r := rand.New(rand.NewPCG(1, 25))
	set := Set{Name: "one-hot"}
	for i := range n {
		x := make([]float64, n)
		x[i] = 1
		set.X, set.Y = append(set.X, x), append(set.Y, 1-2*r.IntN(2))
	}
	return set
}
