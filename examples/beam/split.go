package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// split writes the examples of a libsvm file to shards of the format rows, in turn.
func split(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("split", flag.ContinueOnError)
	format := f.String("format", rowsFormat, "format of the shards (split of GNU splits libsvm files)")
	shards := f.Int("shards", 4, "number of shards")
	features := f.Int("features", 0, "number of features of a row; with 0, a first pass finds the highest index")
	if err := f.Parse(args); err != nil {
		return err
	}
	in, err := expand(ctx, f.Arg(0))
	if err != nil {
		return err
	}
	if *format != rowsFormat || *shards < 1 || *features < 0 || f.NArg() != 2 || len(in) != 1 {
		return errors.New("usage: beam split -format rows [-shards 4] [-features 0] all.svm data/part")
	}
	each := func(width int, do func([]float64, int)) error {
		_, err := reading{Format: libsvmFormat}.each(ctx, in[0], width, nil, func(rows examples) error {
			rows(func(x []float64, label int) bool { do(x, label); return true })
			return nil
		})
		return err
	}
	if *features == 0 {
		if err := each(0, func(x []float64, _ int) { *features = max(*features, len(x)) }); err != nil {
			return err
		}
	}
	return writeRows(ctx, f.Arg(1), *shards, *features, each)
}

// writeRows writes the rows that each yields.
func writeRows(ctx context.Context, name string, shards, features int, each func(int, func([]float64, int)) error) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	out := make([]*bufio.Writer, shards)
	for i := range out {
		file, err := files.OpenWrite(ctx, fmt.Sprintf("%s-%05d.rows", name, i))
		if err != nil {
			return err
		}
		out[i] = bufio.NewWriter(file)
		binary.Write(out[i], binary.LittleEndian, uint64(features)) // Flush returns an error
		inner := each
		each = func(width int, do func([]float64, int)) error {
			return errors.Join(inner(width, do), out[i].Flush(), file.Close())
		}
	}
	row := 0
	return each(features, func(x []float64, label int) {
		shard := out[row%shards]
		binary.Write(shard, binary.LittleEndian, x)
		binary.Write(shard, binary.LittleEndian, float64(label))
		row++
	})
}
