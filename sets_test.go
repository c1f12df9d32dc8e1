package perceptron

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dataset is labelled rows with a name.
type dataset struct {
	name string
	X    [][]float64
	y    []int
}

// separable draws rows with |⟨u, x⟩| ≥ gap for a random unit u, which labels
// them.
func separable(seed uint64, n, d int, gap float64) dataset {
	s, _ := planted(seed, n, d, gap)
	return s
}

// planted also returns u.
func planted(seed uint64, n, d int, gap float64) (dataset, Hyperplane) {
	r := rand.New(rand.NewPCG(seed, 1))
	u := gaussian(r, d)
	length := math.Sqrt(naiveDot(u, u))
	s := dataset{name: "separable"}
	for len(s.X) < n {
		x := gaussian(r, d)
		z := naiveDot(u, x) / length
		if math.Abs(z) < gap {
			continue
		}
		s.X = append(s.X, x)
		s.y = append(s.y, 1-2*int(math.Float64bits(z)>>63))
	}
	return s, Hyperplane{Weights: u}
}

// noisy draws rows whose labels are random.
func noisy(seed uint64, n, d int) dataset {
	r := rand.New(rand.NewPCG(seed, 2))
	s := dataset{name: "noisy"}
	for range n {
		s.X = append(s.X, gaussian(r, d))
		s.y = append(s.y, 1-2*r.IntN(2))
	}
	return s
}

// whole draws rows of small integers, on which every sum is exact.
func whole(seed uint64, n, d int) dataset {
	r := rand.New(rand.NewPCG(seed, 3))
	s := dataset{name: "whole"}
	for range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(r.IntN(9) - 4)
		}
		s.X = append(s.X, x)
		s.y = append(s.y, 1-2*r.IntN(2))
	}
	return s
}

func gaussian(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

func gaussianRows(seed uint64, n, d int) (X [][]float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		X = append(X, gaussian(r, d))
	}
	return X
}

// xor has no separating hyperplane.
var xor = dataset{"xor", [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1}}

// fourPoints has loops in both models (Affine, η = 1): Online from epoch 149 with
// period 65, Batch from epoch 91 with period 75.
var fourPoints = dataset{"four points", [][]float64{{5, -6}, {1, -2}, {-2, -5}, {7, 3}}, []int{+1, +1, -1, -1}}

// multi draws rows of k classes, whose labels are any ints.
func multi(seed uint64, n, d, k int) dataset {
	r := rand.New(rand.NewPCG(seed, 4))
	labels := []int{7, -300, 0, 1 << 30, 12, -1, 5, 99, 8, 3}[:k]
	centres := make([][]float64, k)
	for c := range centres {
		centres[c] = gaussian(r, d)
	}
	s := dataset{name: "multi"}
	for i := range n {
		c := i % k
		x := gaussian(r, d)
		for j := range x {
			x[j] = 0.4*x[j] + 2*centres[c][j]
		}
		s.X = append(s.X, x)
		s.y = append(s.y, labels[c])
	}
	return s
}

// against returns +1 for the class and −1 for the rest.
func against(y []int, class int) []int {
	z := make([]int, len(y))
	for i, label := range y {
		z[i] = -1
		if label == class {
			z[i] = +1
		}
	}
	return z
}

// uniformRows draws rows of k classes around their centres. It uses integer
// arithmetic only, so that the rows are the same on every machine.
func uniformRows(seed uint64, n, d, k int) dataset {
	r := rand.New(rand.NewPCG(seed, 9))
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
	set := dataset{name: fmt.Sprintf("uniform%dx%d", n, d)}
	for i := range n {
		x := row()
		for j := range x {
			x[j] += 0.25 * centres[i%k][j]
		}
		set.X, set.y = append(set.X, x), append(set.y, i%k)
	}
	return set
}

// irisRows returns Fisher's irises.
func irisRows(t testing.TB) dataset {
	rows := must(csv.NewReader(bytes.NewReader(must(os.ReadFile("examples/iris/iris.csv"))(t))).ReadAll())(t)
	set := dataset{name: "iris"}
	for _, row := range rows[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j] = must(strconv.ParseFloat(row[j], 64))(t)
		}
		set.X = append(set.X, x)
		set.y = append(set.y, map[string]int{"setosa": 0, "versicolor": 1, "virginica": 2}[row[4]])
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
func mushroom(t testing.TB) dataset {
	set := dataset{name: "mushroom"}
	for lines := bufio.NewScanner(open(t, "mushroom.svm.gz")); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		x := make([]float64, 126)
		for _, field := range fields[1:] {
			index, value, _ := strings.Cut(field, ":")
			x[must(strconv.Atoi(index))(t)-1] = must(strconv.ParseFloat(value, 64))(t)
		}
		set.X = append(set.X, x)
		set.y = append(set.y, 2*must(strconv.Atoi(fields[0]))(t)-1)
	}
	return set
}

// letter is UCI's letter-recognition: 20,000 rows of 16 measures of a letter's image.
func letter(t testing.TB) dataset {
	set := dataset{name: "letter"}
	for lines := bufio.NewScanner(open(t, "letter.csv.gz")); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		x := make([]float64, 16)
		for j := range x {
			x[j] = must(strconv.ParseFloat(fields[j], 64))(t)
		}
		set.X = append(set.X, x)
		set.y = append(set.y, int(fields[16][0]))
	}
	return set
}

// digits is MNIST's 10,000 test digits, pixels over 255.
func digits(t testing.TB) dataset {
	pixels := must(io.ReadAll(open(t, "mnist10k-images-idx3-ubyte.gz")))(t)[16:]
	labels := must(io.ReadAll(open(t, "mnist10k-labels-idx1-ubyte.gz")))(t)[8:]
	set := dataset{name: "digits"}
	set.X, _ = block(len(labels), 784, func(i, j int) float64 { return float64(pixels[784*i+j]) / 255 })
	for _, label := range labels {
		set.y = append(set.y, int(label))
	}
	return set
}
