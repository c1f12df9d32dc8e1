package perceptron

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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

// digits is MNIST's 10,000 test digits, pixels over 255.
func digits(t testing.TB) dataset {
	pixels := must(io.ReadAll(open(t, "mnist10k-images-idx3-ubyte.gz")))(t)[16:]
	labels := must(io.ReadAll(open(t, "mnist10k-labels-idx1-ubyte.gz")))(t)[8:]
	set := dataset{name: "digits"}
	for i, label := range labels {
		x := make([]float64, 784)
		for j := range x {
			x[j] = float64(pixels[784*i+j]) / 255
		}
		set.X = append(set.X, x)
		set.y = append(set.y, int(label))
	}
	return set
}

func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := mushroom(t)
	R := must(Radius(set.X, Affine))(t)
	if len(set.X) != 6513 || R < 4.795831 || R > 4.795832 {
		t.Fatalf("%d rows, R = %v", len(set.X), R)
	}
	p := new(Online)
	res := must(p.Fit(set.X, set.y))(t)
	if res.Mistakes != 139 || res.Epochs != 15 || res.Stop != Converged || res.Upper < gamma {
		t.Errorf("Online: %+v, want 139 mistakes in 15 epochs, Converged", res)
	}
	slow := &Online{Rate: 0.1}
	if res := must(slow.Fit(set.X, set.y))(t); float64(res.Mistakes) > MistakeBound(R, gamma) || res.Stop != Converged {
		t.Errorf("Online with η = 0.1: %+v, want at most %v mistakes", res, MistakeBound(R, gamma))
	}
	for seed := range uint64(10) {
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			m := &Margin{Order: order, Seed: seed}
			res := must(m.Fit(set.X, set.y))(t)
			achieved := must(Gamma(m.Hyperplane(), set.X, set.y, Affine))(t)
			if bound := 3 * MistakeBound(R, gamma); float64(res.Mistakes) > bound || achieved < gamma/3 || res.Upper < gamma {
				t.Errorf("Margin, %v: %+v of at most %v, margin %v", order, res, bound, achieved)
			}
			if seed == 0 {
				t.Logf("Margin, %v: %d updates of at most %.0f, %.2f of the margin", order, res.Mistakes, 3*MistakeBound(R, gamma), achieved/gamma)
			}
		}
	}
}

// TestDigits: averaging is worth three points on MNIST's last 2,000 test digits.
func TestDigits(t *testing.T) {
	set := digits(t)
	for _, keep := range []Keep{Last, Average} {
		m := &OneVsRest{Binary: &Online{Order: Shuffled, Keep: keep, MaxEpochs: 5}}
		must(m.Fit(set.X[:8000], set.y[:8000]))(t)
		accuracy := must(Accuracy(m, set.X[8000:], set.y[8000:]))(t)
		t.Logf("%v: %.4f", keep, accuracy)
		if keep == Average && accuracy < 0.925 {
			t.Errorf("accuracy %v with Average, want at least .925", accuracy)
		}
	}
}
