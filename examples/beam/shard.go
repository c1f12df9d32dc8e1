package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cespare/xxhash/v2"
	"perceptron"
)

// A Shard is a file of examples.
type Shard struct {
	Number   int    `json:"number"` // from 0, in the order of the names
	Name     string `json:"name"`
	Size     int64  `json:"size"` // in bytes
	Examples int    `json:"examples"`
	Sum      string `json:"xxh64"` // hash of the content; "" before the survey
}

// The formats of shards.
const (
	libsvmFormat = "libsvm" // text
	rowsFormat   = "rows"   // the binary format of examples/outofcore
	sparseFormat = "sparse" // see sparseReader
)

var formats = []string{libsvmFormat, rowsFormat, sparseFormat}

// expand returns the files that match the pattern, in the order of their names.
func expand(ctx context.Context, pattern string) ([]Shard, error) {
	names, err := list(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("-shards %q: %w", pattern, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-shards %q: no such file", pattern)
	}
	slices.Sort(names)
	shards := make([]Shard, len(names))
	for i, name := range names {
		size, err := within(ctx, name, func(ctx context.Context, files filesystem.Interface) (int64, error) { return sizeOf(ctx, files, name) })
		if err != nil {
			return nil, fmt.Errorf("shard %s: %w", name, err)
		}
		shards[i] = Shard{Number: i, Name: name, Size: size}
	}
	return shards, nil
}

// A row is sparse in the format libsvm, and dense in the format rows.
type row struct {
	dense  []float64
	sparse perceptron.Sparse
}

// width returns the number of features of a dense row, or the least possible number of a sparse row.
func (x row) width() int {
	if n := len(x.sparse.Index); n > 0 {
		return int(x.sparse.Index[n-1]) + 1
	}
	return len(x.dense)
}

// examples is a stream of rows and their labels. The next row overwrites the last one.
type examples = iter.Seq2[row, int]

// reading describes how to read a shard.
type reading struct {
	Format   string
	Positive *int  // the label to treat as +1, if not nil; all others become −1
	Cache    bool  // parse LIBSVM shards only once
	Passes   int   // of the training in a round
	pass     int   // the present one, from 0
	source   int64 // of a cache, the size of its shard
}

// done returns how many bytes of the shard stand for n bytes of a file of some size, in all passes.
func (r reading) done(n, size int64) int64 {
	n = (int64(r.pass)*size + n) / int64(max(r.Passes, 1))
	if r.source == 0 {
		return n
	}
	return int64(float64(n) / float64(size) * float64(r.source))
}

// A content counts and hashes what is read from a shard.
type content struct {
	io.Reader
	hash *xxhash.Digest
	size int64
	err  error             // error of the last Read
	beat func(int64) error // called with the bytes read so far; its error ends the reading
}

func (c *content) Read(p []byte) (n int, err error) {
	n, err = c.Reader.Read(p)
	c.hash.Write(p[:n])
	c.size += int64(n)
	if stop := c.beat(c.size); stop != nil {
		err = stop
	}
	c.err = err
	return n, err
}

// check returns an error unless the whole shard was read, and its content is that of the survey. err
// is an error in the content. If reading failed or ended early, the error is not a dataError,
// because another attempt may read the whole shard.
func (c *content) check(shard Shard, err error) error {
	sum := fmt.Sprintf("%016x", c.hash.Sum64())
	switch {
	case c.err != nil && c.err != io.EOF:
		return fmt.Errorf("%s: byte %d: %w", shard.Name, c.size, c.err)
	case c.err == io.EOF && c.size < shard.Size:
		return fmt.Errorf("%s: byte %d of %d: %w", shard.Name, c.size, shard.Size, io.ErrUnexpectedEOF)
	case err != nil:
		return &dataError{err}
	case c.size != shard.Size:
		return shard.changed(count(c.size, "byte"), count(shard.Size, "byte"))
	case shard.Sum != "" && shard.Sum != sum:
		return shard.changed(sum, "the hash "+shard.Sum)
	}
	return nil
}

// changed is the error of a shard whose content is not that of the survey.
func (s Shard) changed(is, was string) error {
	return &dataError{fmt.Errorf("%s has changed: %s in place of %s", s.Name, is, was)}
}

// each opens a shard and passes its examples to learn. It returns a hash of the content. It returns a
// dataError with the position if the content has an error.
func (r reading) each(ctx context.Context, shard Shard, features int, o origin, learn func(examples) error) (sum string, err error) {
	fs, err := filesystem.New(ctx, shard.Name)
	if err != nil {
		return "", err
	}
	defer fs.Close()
	if size, err := sizeOf(ctx, fs, shard.Name); err != nil {
		return "", err
	} else if size >= 0 && size != shard.Size {
		return "", shard.changed(count(size, "byte"), count(shard.Size, "byte"))
	}
	file, err := fs.OpenRead(ctx, shard.Name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	whole := &content{Reader: file, hash: xxhash.New(), beat: func(size int64) error { return o.beat(ctx, shard, r.done(size, shard.Size)) }}
	err = r.learn(ctx, whole, shard, features, learn)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return fmt.Sprintf("%016x", whole.hash.Sum64()), whole.check(shard, err)
}

// learn passes the examples in a file to learn.
func (r reading) learn(ctx context.Context, file io.Reader, shard Shard, features int, learn func(examples) error) error {
	rows, end, err := r.open(file, shard, features)
	if err != nil {
		return err
	}
	err = learn(func(yield func(row, int) bool) {
		for x, label := range rows {
			if ctx.Err() != nil || !yield(x, r.sign(label)) {
				return
			}
		}
	})
	if example := (*perceptron.ExampleError)(nil); errors.As(err, &example) {
		err = rowError(shard.Name, example.Index+1, example.Err)
		if r.Positive == nil && errors.Is(err, perceptron.ErrLabel) {
			err = fmt.Errorf("%w; -positive chooses the label to treat as +1", err)
		}
	}
	return errors.Join(end(), err)
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

// open returns the rows of a shard, and a function that returns the error that ended the rows. If
// features is 0, the shard determines the number of features.
func (r reading) open(file io.Reader, shard Shard, features int) (rows examples, end func() error, err error) {
	switch r.Format {
	case sparseFormat:
		return openSparse(file, shard, features)
	case rowsFormat:
		return openRows(file, shard, features)
	}
	text := &perceptron.LIBSVM{R: file, Width: features}
	rows = func(yield func(row, int) bool) {
		text.All()(func(x perceptron.Sparse, label int) bool { return yield(row{sparse: x}, label) })
	}
	return rows, func() error {
		if err := text.Err(); err != nil {
			return fmt.Errorf("%s: %w", shard.Name, err)
		}
		return nil
	}, nil
}
