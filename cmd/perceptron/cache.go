package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"math"
	"os"

	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// A storedRow is a row in the file of a cache. encoding/gob parses no text, and reads into the
// memory of the row before: a pass takes a small part of the time that one over a table takes.
type storedRow struct {
	Part  split.Part
	Label int
	X     table.Vector
}

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
	out := bufio.NewWriterSize(f, 1<<16)
	rows := gob.NewEncoder(out)
	err = errors.Join(os.Remove(f.Name()), d.stream("storing the rows", func(part split.Part, x table.Vector, label int) error {
		return rows.Encode(storedRow{part, label, x})
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
	in := gob.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(d.stored, 0, math.MaxInt64), 1<<18))
	var row storedRow
	for {
		// gob leaves out what is zero or empty, so that nothing of the row before may stay.
		row = storedRow{X: table.Vector{Index: row.X.Index[:0], Value: row.X.Value[:0]}}
		if err := in.Decode(&row); err != nil {
			return map[bool]error{false: err}[err == io.EOF]
		}
		if err := do(row.Part, row.X, row.Label); err != nil {
			return err
		}
	}
}
