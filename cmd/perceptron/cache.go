package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"slices"

	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A row in the file of a cache is its label and its part in one number, the number of its values,
// the values, and the index of each if the row is sparse. So a pass over the rows parses nothing:
// it takes a small part of the time that a pass over text takes.

// temporary is the pattern of the names of temporary files.
const temporary = ".perceptron-*.tmp"

// store writes the rows, as stream yields them, to a file in the folder. From then on, stream
// reads this file. The file has no name any more, so that nothing stays behind whatever ends
// the program.
func (d *dataset) store(folder string) error {
	f, err := os.CreateTemp(folder, temporary)
	if err != nil {
		return err
	}
	// A write of one row would take a system call, which takes longer than to parse the row.
	out, row := bufio.NewWriterSize(f, 1<<16), []byte(nil)
	err = errors.Join(os.Remove(f.Name()), d.stream("storing the rows", func(part split.Part, x table.Vector, label int) error {
		row, _ = binary.Append(row[:0], binary.LittleEndian, []int64{int64(label)<<1 | int64(part), int64(len(x.Value))})
		row, _ = binary.Append(row, binary.LittleEndian, x.Value) // numbers have no errors
		row, _ = binary.Append(row, binary.LittleEndian, x.Index)
		_, err := out.Write(row)
		return err
	}), out.Flush())
	if err != nil {
		return errors.Join(err, f.Close())
	}
	d.stored = f
	return nil
}

// restore calls do with the rows of the cache, in their order. The next row overwrites x.
func (d *dataset) restore(do func(part split.Part, x table.Vector, label int) error) error {
	// Each pass has a position of its own, so that two passes can overlap.
	in := bufio.NewReaderSize(io.NewSectionReader(d.stored, 0, math.MaxInt64), 1<<18)
	var x table.Vector
	var row []byte
	for {
		var head [2]int64 // a label may be negative: the shift keeps its sign
		row = slices.Grow(row[:0], 16)[:16]
		if _, err := io.ReadFull(in, row); err != nil {
			return map[bool]error{false: err}[err == io.EOF]
		}
		_, _ = binary.Decode(row, binary.LittleEndian, head[:])
		n := int(head[1])
		x.Value = slices.Grow(x.Value[:0], n)[:n]
		if d.Schema.Sparse {
			x.Index = slices.Grow(x.Index[:0], n)[:n]
		}
		row = slices.Grow(row[:0], 8*n+4*len(x.Index))[:8*n+4*len(x.Index)]
		if _, err := io.ReadFull(in, row); err != nil {
			return err
		}
		_, _ = binary.Decode(row, binary.LittleEndian, x.Value)
		_, _ = binary.Decode(row[8*n:], binary.LittleEndian, x.Index)
		if err := do(split.Part(head[0]&1), x, int(head[0]>>1)); err != nil {
			return err
		}
	}
}
