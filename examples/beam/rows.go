package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"perceptron/internal/train"
)

// A rowReader reads the format of examples/outofcore. It begins with the number of
// features as a uint64. Each row follows as float64s: its features, then its label. All
// numbers are little-endian.
type rowReader struct {
	name string
	in   *bufio.Reader
	raw  []byte
	x    []float64 // features and label
	row  int       // number of the row read last, from 1
}

// newRowReader reads the header and compares it with the size of the file.
func newRowReader(file io.Reader, shard Shard, features int) (*rowReader, error) {
	r := &rowReader{name: shard.Name, in: bufio.NewReaderSize(file, 1<<20)}
	header := make([]byte, 8)
	if _, err := io.ReadFull(r.in, header); err != nil {
		return nil, fmt.Errorf("%s: header: %w", r.name, err)
	}
	n := binary.LittleEndian.Uint64(header)
	switch rows := uint64(shard.Size - 8); {
	case n < 1 || n > uint64(shard.Size)/8 || rows%(8*(n+1)) != 0:
		return nil, fmt.Errorf("%s: a file of %d bytes cannot hold rows of %d features", r.name, shard.Size, n)
	case features != 0 && n != uint64(features):
		return nil, fmt.Errorf("%s: rows of %d features, want %d", r.name, n, features)
	}
	r.raw, r.x = make([]byte, 8*(n+1)), make([]float64, n+1)
	return r, nil
}

// read returns the next row, which the next call overwrites.
func (r *rowReader) read(x *train.Row) (label int, err error) {
	switch _, err := io.ReadFull(r.in, r.raw); {
	case err == io.EOF:
		return 0, err
	case err != nil:
		return 0, fmt.Errorf("%s: row %d: %w", r.name, r.row+1, err)
	}
	r.row++
	binary.Decode(r.raw, binary.LittleEndian, r.x)
	last := len(r.x) - 1
	if v := r.x[last]; v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
		return 0, r.at(fmt.Errorf("label %v, want an integer", v))
	}
	x.Value = r.x[:last]
	return int(r.x[last]), nil
}

// at adds the position of the row read last to an error.
func (r *rowReader) at(err error) error { return fmt.Errorf("%s: row %d: %w", r.name, r.row, err) }
