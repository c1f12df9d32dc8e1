package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"perceptron"
)

// split writes the examples of a libsvm file to new shards of the format rows, in turn.
func split(ctx context.Context, c config) error {
	in, err := expand(ctx, c.pattern)
	if err != nil {
		return err
	}
	if c.Format != rowsFormat || c.parts < 1 || c.Features < 0 || len(in) != 1 {
		return errors.New("want split -format rows -shards all.svm -to data/part -parts 4, with one file (split of GNU makes libsvm shards)")
	}
	each := func(width int, do func(perceptron.Sparse, int)) error {
		_, err := reading{Format: libsvmFormat}.each(ctx, in[0], width, origin{}, func(rows examples) error {
			for x, label := range rows {
				do(x, label)
			}
			return nil
		})
		return err
	}
	if c.Features == 0 {
		if err := each(0, func(x perceptron.Sparse, _ int) { c.Features = max(c.Features, width(x)) }); err != nil {
			return err
		}
	}
	files, err := filesystem.New(ctx, c.to)
	if err != nil {
		return err
	}
	defer files.Close()
	out, ends := make([]*bufio.Writer, c.parts), make([]func() error, c.parts)
	for i := range out {
		file, err := files.OpenWrite(ctx, fmt.Sprintf("%s-%05d.rows", c.to, i))
		if err != nil {
			return err
		}
		out[i], ends[i] = bufio.NewWriter(file), file.Close
		binary.Write(out[i], binary.LittleEndian, uint64(c.Features)) // Flush returns its error
	}
	row, dense := 0, make([]float64, c.Features)
	err = each(c.Features, func(x perceptron.Sparse, label int) {
		shard := out[row%c.parts]
		clear(dense)
		for k, j := range x.Index {
			dense[j] = x.Value[k]
		}
		binary.Write(shard, binary.LittleEndian, dense)
		binary.Write(shard, binary.LittleEndian, float64(label))
		row++
	})
	for i := range out {
		err = errors.Join(err, out[i].Flush(), ends[i]())
	}
	return err
}
