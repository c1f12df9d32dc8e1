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
	"perceptron/internal/libsvm"
)

// A Shard is a file of examples.
type Shard struct {
	Number int    `json:"-"` // from 0, in the order of the names
	Name   string `json:"name"`
	Size   int64  `json:"size"` // in bytes
}

// The formats of shards.
const (
	libsvmFormat = "libsvm" // text
	rowsFormat   = "rows"   // the binary format of examples/outofcore
)

// expand returns the files that match the pattern, in the order of their names.
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

// examples is a stream of rows and their labels. The next row overwrites the last one.
type examples = iter.Seq2[[]float64, int]

// reading describes how to read a shard.
type reading struct {
	Format   string
	Positive *int // the label to treat as +1, if not nil; all others become −1
}

// A reader reads the rows of a shard.
type reader interface {
	Read() (x []float64, label int, err error) // io.EOF after the last
	At(error) error                            // adds the position of the row read last
}

// each opens a shard and passes its examples to learn. Errors from reading and from learn
// state their position in the shard.
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
		for broken = ctx.Err(); broken == nil; broken = ctx.Err() {
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
		err = rows.At(example.Err) // the position in the file replaces the index in the stream
		if r.Positive == nil && errors.Is(err, perceptron.ErrLabel) {
			err = fmt.Errorf("%w; -positive chooses the label to treat as +1", err)
		}
	}
	return errors.Join(broken, err)
}

// sign returns +1 if the label is r.Positive and −1 otherwise. If r.Positive is nil, it
// returns the label unchanged.
func (r reading) sign(label int) int {
	switch {
	case r.Positive == nil:
		return label
	case label == *r.Positive:
		return +1
	}
	return -1
}

// open returns a reader of the rows of a shard. If features is 0, the shard determines
// the number of features.
func (r reading) open(file io.Reader, shard Shard, features int) (reader, error) {
	if r.Format == rowsFormat {
		return newRowReader(file, shard, features)
	}
	return libsvm.NewReader(file, shard.Name, features), nil
}
