package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// A rowReader reads the format of examples/outofcore. It begins with the number of
// features as a uint64. Each row follows as float64s: its features, then its label. All
// numbers are little-endian.
type rowReader struct {
	name string
	in   *bufio.Reader
	raw  []byte
	x    []float64 // features and label
	err  error     // the error that ended all, or nil
}

// openRows reads the header and compares it with the size of the file. See reading.open.
func openRows(file io.Reader, shard Shard, features int) (examples, func() error, error) {
	r := &rowReader{name: shard.Name, in: bufio.NewReaderSize(file, 1<<20)}
	var n uint64
	if err := binary.Read(r.in, binary.LittleEndian, &n); err != nil {
		return nil, nil, fmt.Errorf("%s: header: %w", r.name, err)
	}
	switch rows := uint64(shard.Size - 8); {
	case n < 1 || n > uint64(shard.Size)/8 || rows%(8*(n+1)) != 0:
		return nil, nil, fmt.Errorf("%s: a file of %d bytes cannot hold rows of %d features", r.name, shard.Size, n)
	case features != 0 && n != uint64(features):
		return nil, nil, fmt.Errorf("%s: rows of %d features, want %d", r.name, n, features)
	}
	r.raw, r.x = make([]byte, 8*(n+1)), make([]float64, n+1)
	return r.all, func() error { return r.err }, nil
}

// all yields the rows until the end of the file or the first error. It stores the error in r.err.
// Each row overwrites the row before.
func (r *rowReader) all(yield func(row, int) bool) {
	last := len(r.x) - 1
	for n := 1; ; n++ {
		switch _, err := io.ReadFull(r.in, r.raw); {
		case err == io.EOF:
			return
		case err != nil:
			r.err = rowError(r.name, n, err)
			return
		}
		binary.Decode(r.raw, binary.LittleEndian, r.x)
		if v := r.x[last]; v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
			r.err = rowError(r.name, n, fmt.Errorf("label %v, want an integer", v))
			return
		}
		if !yield(row{dense: r.x[:last]}, int(r.x[last])) {
			return
		}
	}
}

// rowError adds the position of a row in a shard to an error. Rows count from 1.
func rowError(name string, row int, err error) error {
	return fmt.Errorf("%s: row %d: %w", name, row, err)
}
