package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"perceptron"
)

// A dataset holds labelled rows.
type dataset struct {
	X [][]float64
	y []int
}

// text returns the set as the content of a shard.
func (s dataset) text() (content []byte) {
	for i, x := range s.X {
		content = fmt.Append(content, s.y[i])
		for j, v := range x {
			if v != 0 {
				content = fmt.Appendf(content, " %d:%v", j+1, v)
			}
		}
		content = append(content, '\n')
	}
	return content
}

// split divides the rows into shards whose sizes are as 1 : 2 : 3 : ….
func (s dataset) split(shards int) []dataset {
	parts, from := shards*(shards+1)/2, 0
	out := make([]dataset, shards)
	for i := range out {
		to := from + (i+1)*len(s.X)/parts
		if i == shards-1 {
			to = len(s.X)
		}
		out[i] = dataset{s.X[from:to], s.y[from:to]}
		from = to
	}
	return out
}

// direction returns the weights of the hyperplane that labels separable and noisy sets.
func direction(d int) []float64 {
	u := make([]float64, d)
	for j := range u {
		u[j] = float64(j%5) - 1.75
	}
	return u
}

// separable returns n rows at a distance of at least 0.1 from the hyperplane, which does
// not contain the origin.
func separable(seed uint64, n, d int) (s dataset) { return draw(seed, n, d, 0.1, 0) }

// noisy returns n rows; about a tenth of their labels are wrong.
func noisy(seed uint64, n, d int) dataset { return draw(seed, n, d, 0, 0.1) }

func draw(seed uint64, n, d int, margin, noise float64) (s dataset) {
	r := rand.New(rand.NewPCG(seed, 0))
	u := direction(d)
	for len(s.X) < n {
		x, z, length := make([]float64, d), 0.3, 0.0
		for j := range x {
			x[j] = 2*r.Float64() - 1
			z += float64(u[j] * x[j])
			length += float64(u[j] * u[j])
		}
		if math.Abs(z) < margin*math.Sqrt(length) {
			continue
		}
		y := +1
		if (z < 0) != (r.Float64() < noise) {
			y = -1
		}
		s.X, s.y = append(s.X, x), append(s.y, y)
	}
	return s
}

// open opens a gzipped file in the folder PERCEPTRON_DATA. Without the folder, it skips
// the test.
func open(t *testing.T, name string) io.Reader {
	t.Helper()
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		t.Skip("PERCEPTRON_DATA is not set; it must name the folder with " + name)
	}
	f := must(os.Open(filepath.Join(dir, name)))(t)
	t.Cleanup(func() { f.Close() })
	return must(gzip.NewReader(f))(t)
}

// mushroom returns UCI's agaricus-lepiota, with −1 for the label 0.
func mushroom(t *testing.T) (s dataset) {
	in := perceptron.LIBSVM{R: open(t, "mushroom.svm.gz"), Width: 126}
	for row, label := range in.All() {
		x := make([]float64, 126)
		for k, j := range row.Index {
			x[j] = row.Value[k]
		}
		s.X, s.y = append(s.X, x), append(s.y, 2*label-1)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// digits returns the 10,000 test digits of MNIST, with pixels divided by 255. Even digits
// have the label +1.
func digits(t *testing.T) (s dataset) {
	pixels := must(io.ReadAll(open(t, "mnist10k-images-idx3-ubyte.gz")))(t)[16:]
	labels := must(io.ReadAll(open(t, "mnist10k-labels-idx1-ubyte.gz")))(t)[8:]
	for i, label := range labels {
		x := make([]float64, 784)
		for j := range x {
			x[j] = float64(pixels[784*i+j]) / 255
		}
		s.X, s.y = append(s.X, x), append(s.y, 1-2*int(label%2))
	}
	return s
}
