package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"

	"perceptron/cmd/perceptron/internal/split"
)

// A row in the file of a cache is its label and its part in one number, and then its features,
// each in eight bytes. So all rows have one size, and a pass over them parses nothing: it takes
// a small part of the time that a pass over text takes.

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
	err = errors.Join(os.Remove(f.Name()), d.stream("storing the rows", func(part split.Part, x []float64, label int) error {
		row, _ = binary.Append(row[:0], binary.LittleEndian, int64(label)<<1|int64(part))
		row, _ = binary.Append(row, binary.LittleEndian, x) // numbers have no errors
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
func (d *dataset) restore(do func(part split.Part, x []float64, label int) error) error {
	// Each pass has a position of its own, so that two passes can overlap.
	in := bufio.NewReaderSize(io.NewSectionReader(d.stored, 0, math.MaxInt64), 1<<18)
	x := make([]float64, d.Schema.Features())
	row := make([]byte, 8+8*len(x))
	for {
		switch _, err := io.ReadFull(in, row); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		head := int64(binary.LittleEndian.Uint64(row)) // a label may be negative: the shift keeps its sign
		_, _ = binary.Decode(row[8:], binary.LittleEndian, x)
		if err := do(split.Part(head&1), x, int(head>>1)); err != nil {
			return err
		}
	}
}
