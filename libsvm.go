package perceptron

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"perceptron/internal/libsvm"
)

// LIBSVM reads examples from R, in LIBSVM's text format (Chang and Lin 2011). A line is an example. Labels
// are whole numbers. Indexes ascend from 1: feature j is Index j−1. Empty lines, comments, a byte order mark,
// and qid:N after a label are skipped. Lines have at most 64 MiB.
//
//	in := perceptron.LIBSVM{R: file} // label index:value index:value … # comment
//	epoch, err := model.Learn(in.All())
//	if err := in.Err(); err != nil { … }
type LIBSVM struct {
	R     io.Reader
	Width int // the largest index allowed, at most 2³²; 0 means 2²⁷

	lines *libsvm.Reader
	err   error
}

// All yields the rows and their labels, until the text ends or an error occurs. Each overwrites the one
// before. A second range continues the first.
func (l *LIBSVM) All() iter.Seq2[Sparse, int] {
	return func(yield func(Sparse, int) bool) {
		if l.lines == nil && l.err == nil {
			l.lines = libsvm.NewReader(l.R, "", l.Width)
			l.err = cmp.Or(
				require(l.R != nil, ErrConfig, "R is nil"),
				require(l.Width >= 0 && uint64(l.Width) <= 1<<32, ErrConfig, "Width is %d, want 0 to 2³²", l.Width))
		}
		for l.err == nil {
			index, value, label, err := l.lines.ReadSparse()
			if l.err = err; err == nil && !yield(Sparse{index, value}, label) {
				return
			}
		}
	}
}

// Err returns the error at which All ended, or nil at the end of the text. An ErrFormat names the line and
// the column (in bytes), both from 1.
func (l *LIBSVM) Err() error {
	var syntax libsvm.SyntaxError
	switch {
	case l.err == io.EOF:
		return nil
	case errors.As(l.err, &syntax) || errors.Is(l.err, bufio.ErrTooLong):
		return fmt.Errorf("%w: %w", ErrFormat, l.err)
	}
	return l.err
}

// ReadLIBSVM returns all examples. Consecutive rows share blocks of memory.
func ReadLIBSVM(r io.Reader) (X []Sparse, y []int, err error) {
	const largest = 1 << 15
	var index []uint32 // the block with room for more rows: adjacent rows are read faster
	var value []float64
	in := LIBSVM{R: r}
	for x, label := range in.All() {
		n := len(x.Index)
		if n > cap(index)-len(index) {
			block := max(n, 256, min(2*cap(index), largest))
			index, value = make([]uint32, 0, block), make([]float64, 0, block)
		}
		index, value = append(index, x.Index...), append(value, x.Value...)
		k := len(index)
		X, y = append(X, Sparse{index[k-n : k : k], value[k-n : k : k]}), append(y, label)
	}
	if err := in.Err(); err != nil {
		return nil, nil, err
	}
	return X, y, nil
}
