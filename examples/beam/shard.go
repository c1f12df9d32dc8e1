package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"perceptron"
	"perceptron/examples/internal/libsvm"
)

// A Shard is a file of examples.
type Shard struct {
	Number int    `json:"-"` // from 0, in the order of names
	Name   string `json:"name"`
	Size   int64  `json:"size"` // in bytes
}

// The formats of shards.
const (
	libsvmFormat = "libsvm" // text
	rowsFormat   = "rows"   // as examples/outofcore writes it
)

// expand returns the files that the pattern names, in the order of their names.
func expand(ctx context.Context, pattern string) ([]Shard, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	names, err := fs.List(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("-shards %q: %w", pattern, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-shards %q: no such file", pattern)
	}
	slices.Sort(names)
	shards := make([]Shard, len(names))
	for i, name := range names {
		size, err := fs.Size(ctx, name)
		if err != nil {
			return nil, err
		}
		shards[i] = Shard{i, name, size}
	}
	return shards, nil
}

// examples is a stream of rows, each overwritten by the next, and their labels.
type examples = iter.Seq2[[]float64, int]

// reading is how a shard is read.
type reading struct {
	Format   string
	Positive *int // the label that is +1, all others being −1
}

// A reader reads a shard's rows.
type reader interface {
	Read() (x []float64, label int, err error) // io.EOF after the last
	At(error) error                            // with the place of the row read last
}

// each opens a shard, gives its examples to learn, and returns the error of
// either with the place in the shard that it is about.
func (r reading) each(ctx context.Context, shard Shard, features int, learn func(examples) error) (err error) {
	fs, err := filesystem.New(ctx, shard.Name)
	if err != nil {
		return err
	}
	defer fs.Close()
	file, err := fs.OpenRead(ctx, shard.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rows, err := r.open(file, shard, features)
	if err != nil {
		return err
	}
	var broken error
	err = learn(func(yield func([]float64, int) bool) {
		for {
			x, label, err := rows.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				broken = err
				return
			}
			if !yield(x, r.sign(label)) {
				return
			}
		}
	})
	if example := (*perceptron.ExampleError)(nil); errors.As(err, &example) {
		err = rows.At(example.Err) // which the stream counted from 0
	}
	return errors.Join(broken, err)
}

// sign returns the label as +1 or −1, or as it is if that is no label.
func (r reading) sign(label int) int {
	switch {
	case r.Positive == nil:
		return label
	case label == *r.Positive:
		return +1
	}
	return -1
}

// open returns a reader of the shard's rows. Features of 0 mean as many as there
// are.
func (r reading) open(file io.Reader, shard Shard, features int) (reader, error) {
	if r.Format == rowsFormat {
		return newRowReader(file, shard, features)
	}
	return libsvm.NewReader(file, shard.Name, features), nil
}
