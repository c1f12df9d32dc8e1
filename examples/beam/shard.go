package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/cespare/xxhash/v2"
	"perceptron"
)

// A Shard is a file of examples in LIBSVM's format. Examples and what follows are known after the survey.
type Shard struct {
	Number   int    `json:"number"` // from 0, in the order of the names
	Name     string `json:"name"`
	Size     int64  `json:"size"` // in bytes
	Examples int    `json:"examples"`
	Features int    `json:"features"` // the least possible number
	Positive int    `json:"positive"` // examples with the label +1
	Changes  int    `json:"changes"`  // rows with another label than the row before
	Sum      string `json:"xxh64"`    // hash of the content
	Note     string `json:"note,omitempty"`
}

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

// is reports whether both shards are the same file.
func (s Shard) is(other Shard) bool {
	a, errA := os.Stat(s.Name)
	b, errB := os.Stat(other.Name)
	return s.Name == other.Name || errA == nil && errB == nil && os.SameFile(a, b)
}

// examples is a stream of rows and their labels. The next row overwrites the last one.
type examples = iter.Seq2[perceptron.Sparse, int]

// width returns the least possible number of features of a row.
func width(x perceptron.Sparse) int {
	if n := len(x.Index); n > 0 {
		return int(x.Index[n-1]) + 1
	}
	return 0
}

// reading describes how to read a shard.
type reading struct {
	Positive *int // the label to treat as +1, if not nil; all others become −1
	Features int  // of the rows; with 0, they may have any number
	cache    bool // read a cache
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

// check returns an error unless the whole shard was read with the content that the survey saw. err
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

// each opens a shard, or a cache, and passes its examples to learn. It returns a hash of the content. It
// returns a dataError with the position if the content has an error.
func (r reading) each(ctx context.Context, shard Shard, o origin, learn func(examples) error) (sum string, err error) {
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
	last := time.Now()
	whole := &content{Reader: file, hash: xxhash.New(), beat: func(size int64) error {
		return o.beat(ctx, shard.Number, &last, float64(size)/float64(max(shard.Size, 1)))
	}}
	err = r.learn(ctx, whole, shard, learn)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return fmt.Sprintf("%016x", whole.hash.Sum64()), whole.check(shard, err)
}

// learn passes the examples in a file to learn.
func (r reading) learn(ctx context.Context, file io.Reader, shard Shard, learn func(examples) error) error {
	text := &perceptron.LIBSVM{R: file, Width: r.Features}
	rows, end := text.All(), text.Err
	if r.cache {
		rows, end = parsed(file, shard.Size)
	}
	err := learn(func(yield func(perceptron.Sparse, int) bool) {
		for x, label := range rows {
			if r.Positive != nil && label == *r.Positive {
				label = +1
			} else if r.Positive != nil {
				label = -1
			}
			if ctx.Err() != nil || !yield(x, label) {
				return
			}
		}
	})
	if failed := end(); failed != nil {
		return fmt.Errorf("%s: %w", shard.Name, failed)
	}
	if example := (*perceptron.ExampleError)(nil); errors.As(err, &example) {
		err = fmt.Errorf("%s: row %d: %w", shard.Name, example.Index+1, example.Err)
		if errors.Is(err, perceptron.ErrLabel) {
			err = fmt.Errorf("%w; -positive chooses the label to treat as +1", err)
		}
	}
	return err
}
