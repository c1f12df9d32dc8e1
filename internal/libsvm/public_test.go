package libsvm_test

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"perceptron"
	"perceptron/internal/naive"
)

// What the package perceptron makes of this reader.

// diff reports a value that is not the one that is wanted.
func diff(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestReadLIBSVM: rows, whose memory is their own, and errors with a position.
func TestReadLIBSVM(t *testing.T) {
	t.Parallel()
	X, y, err := perceptron.ReadLIBSVM(strings.NewReader("\ufeff+1 2:0.5 5:1 # text\n\n-1\n 7.0 1:3\r\n"))
	diff(t, "rows", X, []perceptron.Sparse{
		{Index: []uint32{1, 4}, Value: []float64{0.5, 1}}, {Index: []uint32{}, Value: []float64{}}, {Index: []uint32{0}, Value: []float64{3}},
	})
	diff(t, "labels", y, []int{1, -1, 7})
	diff(t, "error", err, nil)
	for text, want := range map[string]string{
		"1 1:1\n1 1:x":         `line 2, column 5: value "x", want a finite number`,
		"1 1:1\n\n # a\n1 0:1": `line 4, column 3: index "0", want a positive integer`,
		"a 1:1":                `line 1, column 1: label "a", want an integer`,
		"1\ufeff":              "line 1, column 1: label \"1\\ufeff\", want an integer",
		"1\n\ufeff1":           "line 2, column 1: label \"\\ufeff1\", want an integer",
		"1 134217729:1":        "line 1, column 3: index 134217729, want at most 134217728",
	} {
		X, y, err := perceptron.ReadLIBSVM(strings.NewReader(text))
		if X != nil || y != nil || !errors.Is(err, perceptron.ErrFormat) || err.Error() != "perceptron: bad format: "+want {
			t.Errorf("%q: %v, %v, %v, want %s", text, X, y, err, want)
		}
	}
	X, y, err = perceptron.ReadLIBSVM(strings.NewReader("# nothing\n"))
	diff(t, "nothing", [3]any{X, y, err}, [3]any{[]perceptron.Sparse(nil), []int(nil), nil})
	_, _, err = perceptron.ReadLIBSVM(io.MultiReader(strings.NewReader("1 1:1\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, perceptron.ErrFormat) || err.Error() != "line 2, column 1: unexpected EOF" {
		t.Errorf("the reader's error: %v", err)
	}
	if _, _, err := perceptron.ReadLIBSVM(endless('1')); !errors.Is(err, perceptron.ErrFormat) {
		t.Errorf("an endless line: %v", err)
	}
}

// endless is a text of one repeated byte.
type endless byte

func (e endless) Read(b []byte) (n int, err error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestLIBSVM: a stream stops, continues, ends, and stays at its error.
func TestLIBSVM(t *testing.T) {
	in := perceptron.LIBSVM{R: strings.NewReader("1 1:1\n2 2:2\n3 3:3\n4 4:4\n"), Width: 3}
	var labels []int
	for range 3 {
		for x, label := range in.All() {
			if labels = append(labels, label); x.Index[0] != uint32(label-1) || x.Value[0] != float64(label) {
				t.Errorf("%d: %v", label, x)
			}
			if label == 2 {
				diff(t, "error in the middle", in.Err(), nil)
				break
			}
		}
	}
	diff(t, "labels", labels, []int{1, 2, 3})
	if err := in.Err(); !errors.Is(err, perceptron.ErrFormat) || !strings.Contains(err.Error(), "line 4, column 3: index 4, want at most 3") {
		t.Error(err)
	}
	wide := uint64(1) << 32
	bad := []perceptron.LIBSVM{{}, {R: endless('1'), Width: -1}}
	if bits.UintSize == 64 { // a smaller int cannot be too large
		bad = append(bad, perceptron.LIBSVM{R: endless('1'), Width: int(wide + 1)})
		in = perceptron.LIBSVM{R: strings.NewReader("1 4294967296:1"), Width: int(wide)}
		for x := range in.All() {
			diff(t, "the highest index", x.Index, []uint32{1<<32 - 1})
		}
		diff(t, "error", in.Err(), nil)
	}
	for _, in := range bad {
		for range in.All() {
			t.Fatalf("a row with Width %d", in.Width)
		}
		if err := in.Err(); !errors.Is(err, perceptron.ErrConfig) {
			t.Errorf("Width %d: %v", in.Width, err)
		}
	}
}

// TestLIBSVMLearn: a model learns a stream in memory that does not grow with it.
func TestLIBSVMLearn(t *testing.T) {
	const rows = 100_000
	m := perceptron.SparseModel{Model: new(perceptron.Multiclass), Width: 9}
	in := perceptron.LIBSVM{R: strings.NewReader(strings.Repeat("1 1:1 9:1\n2 2:1 9:1\n", rows/2))}
	var e perceptron.Epoch
	n, _ := naive.Allocated(func() { e = naive.Must(m.Learn(in.All()))(t) })
	diff(t, "error", in.Err(), nil)
	diff(t, "examples", e.Examples, rows)
	if n > 64*rows {
		t.Errorf("%d bytes for %d rows", n, rows)
	}
}

// TestReadLIBSVMBlocks: rows that share blocks, or are longer than one, do not touch each other.
func TestReadLIBSVMBlocks(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		text.WriteString("1")
		for j := range i % 600 {
			fmt.Fprintf(&text, " %d:%d", j+1, i+j)
		}
		text.WriteString("\n")
	}
	X, _, _ := perceptron.ReadLIBSVM(strings.NewReader(text.String()))
	for i, x := range X {
		_, _ = append(x.Index, 7), append(x.Value, 7)
		for j, v := range x.Value {
			if len(x.Value) != i%600 || x.Index[j] != uint32(j) || v != float64(i+j) {
				t.Fatalf("row %d: %v", i, x)
			}
		}
	}
}
