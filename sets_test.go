package perceptron

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

// irisRows returns Fisher's irises.
func Iris(t testing.TB) naive.Set {
	rows := must(csv.NewReader(bytes.NewReader(must(os.ReadFile("examples/iris/iris.csv"))(t))).ReadAll())(t)
	set := naive.Set{Name: "iris"}
	for _, row := range rows[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j] = must(strconv.ParseFloat(row[j], 64))(t)
		}
		set.X = append(set.X, x)
		set.Y = append(set.Y, map[string]int{"setosa": 0, "versicolor": 1, "virginica": 2}[row[4]])
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
	set := naive.Set{Name: "mushroom"}
	for lines := bufio.NewScanner(open(t, "mushroom.svm.gz")); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		x := make([]float64, 126)
		for _, field := range fields[1:] {
			index, value, _ := strings.Cut(field, ":")
			x[must(strconv.Atoi(index))(t)-1] = must(strconv.ParseFloat(value, 64))(t)
		}
		set.X = append(set.X, x)
		set.Y = append(set.Y, 2*must(strconv.Atoi(fields[0]))(t)-1)
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
		set.X = append(set.X, x)
		set.Y = append(set.Y, int(fields[16][0]))
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
