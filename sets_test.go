package perceptron

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron/internal/libsvm"
	"perceptron/internal/naive"
)

// XOR has no separating hyperplane.
var XOR = naive.Set{Name: "xor", X: [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, Y: []int{-1, +1, +1, -1}}

// FourPoints has loops in both models (Affine, η = 1): Online from epoch 149 with period 65, Batch
// from epoch 91 with period 75.
var FourPoints = naive.Set{Name: "four points", X: [][]float64{{5, -6}, {1, -2}, {-2, -5}, {7, 3}}, Y: []int{+1, +1, -1, -1}}

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
func Uniform(seed uint64, n, d, k int) naive.Set {
	r, s := rand.New(rand.NewPCG(seed, 9)), naive.Set{Name: fmt.Sprintf("uniform%dx%d", n, d)}
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

// stream yields the rows through one buffer, overwritten each time.
func stream(s naive.Set) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		buffer := make([]float64, len(s.X[0]))
		for i, x := range s.X {
			copy(buffer, x)
			if !yield(buffer, s.Y[i]) {
				return
			}
			for j := range buffer {
				buffer[j] = math.NaN()
			}
		}
	}
}

// Iris returns Fisher's irises.
func Iris(t testing.TB) naive.Set {
	rows := must(csv.NewReader(bytes.NewReader(must(os.ReadFile("examples/iris/iris.csv"))(t))).ReadAll())(t)
	set := naive.Set{Name: "iris"}
	for _, row := range rows[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j] = must(strconv.ParseFloat(row[j], 64))(t)
		}
		set.Add(x, map[string]int{"setosa": 0, "versicolor": 1, "virginica": 2}[row[4]])
	}
	return set
}

// open opens a gzipped file of the folder PERCEPTRON_DATA, or skips the test.
func open(t testing.TB, name string) io.Reader {
	t.Helper()
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		t.Skip("PERCEPTRON_DATA names no folder with " + name)
	}
	f := must(os.Open(filepath.Join(dir, name)))(t)
	t.Cleanup(func() { f.Close() })
	return must(gzip.NewReader(f))(t)
}

// mushroom is UCI's agaricus-lepiota: 6,513 rows of 126 binary features.
func Mushroom(t testing.TB) naive.Set {
	set, rows := naive.Set{Name: "mushroom"}, libsvm.NewReader(open(t, "mushroom.svm.gz"), "mushroom", 126)
	for x, y, err := rows.Read(); err != io.EOF; x, y, err = rows.Read() {
		set.Add(slices.Clone(must(x, err)(t)), 2*y-1)
	}
	return set
}

// letter is UCI's letter-recognition: 20,000 rows of 16 measures of a letter's image.
func Letter(t testing.TB) naive.Set {
	set := naive.Set{Name: "letter"}
	for lines := bufio.NewScanner(open(t, "letter.csv.gz")); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		x := make([]float64, 16)
		for j := range x {
			x[j] = must(strconv.ParseFloat(fields[j], 64))(t)
		}
		set.Add(x, int(fields[16][0]))
	}
	return set
}

// digits is MNIST's 10,000 test digits, pixels over 255.
func Digits(t testing.TB) naive.Set {
	pixels := must(io.ReadAll(open(t, "mnist10k-images-idx3-ubyte.gz")))(t)[16:]
	labels := must(io.ReadAll(open(t, "mnist10k-labels-idx1-ubyte.gz")))(t)[8:]
	set := naive.Set{Name: "digits"}
	set.X, _ = block(len(labels), 784, func(i, j int) float64 { return float64(pixels[784*i+j]) / 255 })
	for _, label := range labels {
		set.Y = append(set.Y, int(label))
	}
	return set
}
