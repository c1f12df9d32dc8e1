package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"perceptron"
)

// A cache has the parsed rows of a shard, so that only the survey of a run parses the text. Its name has
// the ID of the run, the number of the shard, the time of its last change and the hash of the cache. So no
// other run uses it, and nobody once the shard has changed. For each row it has a uint32, which is twice
// the number of values, plus 1 for the label +1. The indexes (uint32, ascending, from 0) and the values
// (float64) follow. All numbers are little-endian.
const cacheFile = ".rows."

// racy is how old the last change of a shard must be. A file system may not give a later change in
// the same moment another time.
const racy = 2 * time.Second

// cacheOf returns how the name of the cache of a shard begins, or "" if the shard cannot have a cache:
// nothing is beside it in a store, or the clock of the storage is ahead. If the shard has just changed,
// cacheOf waits.
func (o origin) cacheOf(shard Shard) string {
	info, err := os.Stat(shard.Name)
	if o.Run == "" || stored(shard.Name+o.Checkpoint) || err != nil || !info.Mode().IsRegular() || info.Size() != shard.Size || time.Since(info.ModTime()) < 0 {
		return ""
	}
	if age := time.Since(info.ModTime()); age < racy {
		time.Sleep(racy - age)
		return o.cacheOf(shard)
	}
	return fmt.Sprintf("%s%s%s.%d.%x.", o.Checkpoint, cacheFile, o.Run, shard.Number, info.ModTime().UnixNano())
}

// train passes the rows of a shard to learn: from its cache, or else from the shard itself, whose cache it
// then writes. If the cache proves damaged, train calls learn again, which must begin anew. The note says
// what happened to the cache.
func (r reading) train(ctx context.Context, shard Shard, o origin, learn func(examples) error) (note string, err error) {
	prefix, damage := o.cacheOf(shard), errors.New("there was none")
	if names, _ := filepath.Glob(quote(prefix) + "*"); prefix != "" && len(names) > 0 {
		cache := Shard{Number: shard.Number, Name: names[0], Sum: strings.TrimPrefix(names[0], prefix)}
		if info, err := os.Stat(cache.Name); err == nil {
			cache.Size = info.Size()
		}
		_, damage = reading{Features: r.Features, cache: true}.each(ctx, cache, o, learn)
		if damage == nil || ctx.Err() != nil || errors.Is(damage, errCanceled) {
			return "", damage
		}
		os.Remove(cache.Name)
	}
	_, failed, err := r.parse(ctx, shard, o, prefix, learn)
	if failed != nil {
		note = uncached(failed)
	} else if prefix != "" {
		note = fmt.Sprintf("the cache of %s was lost, and is written anew: %v", shard.Name, damage)
	}
	return note, err
}

// uncached says why a cache cannot be written. The text is the same for all shards, so that it is printed once.
func uncached(failed error) string {
	if path := (*fs.PathError)(nil); errors.As(failed, &path) {
		failed = path.Err
	}
	return fmt.Sprintf("a shard has no cache beside the checkpoint, so each round reads its text: %v", failed)
}

// parse passes the rows of a shard to learn, and writes its cache unless prefix is "". failed is the error
// of the cache, which the run does not need.
func (r reading) parse(ctx context.Context, shard Shard, o origin, prefix string, learn func(examples) error) (sum string, failed, err error) {
	if prefix == "" {
		sum, err = r.each(ctx, shard, o, learn)
		return sum, nil, err
	}
	name := o.Checkpoint + cacheFile + o.Run + ".new." + rand.Text()
	file, failed := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	hash := xxhash.New()
	out := bufio.NewWriterSize(io.MultiWriter(file, hash), 1<<20)
	var raw []byte
	sum, err = r.each(ctx, shard, o, func(rows examples) error {
		return learn(func(yield func(perceptron.Sparse, int) bool) {
			for x, label := range rows {
				raw = binary.LittleEndian.AppendUint32(raw[:0], uint32(2*len(x.Index)+(label+1)/2))
				raw, _ = binary.Append(raw, binary.LittleEndian, x.Index)
				raw, _ = binary.Append(raw, binary.LittleEndian, x.Value)
				out.Write(raw) // Flush returns the error
				if !yield(x, label) {
					return
				}
			}
		})
	})
	if failed = cmp.Or(failed, out.Flush(), file.Close()); failed == nil && err == nil {
		failed = os.Rename(name, fmt.Sprintf("%s%016x", prefix, hash.Sum64()))
	}
	os.Remove(name) // it is still there after an error
	return sum, failed, err
}

// parsed returns the rows of a cache of some size. It also returns a function, which returns the error at
// which the rows ended. Each row overwrites the row before.
func parsed(file io.Reader, size int64) (rows examples, end func() error) {
	var raw []byte
	var x perceptron.Sparse
	var failed error
	in := bufio.NewReaderSize(file, 1<<20)
	read := func(n int) bool {
		raw = slices.Grow(raw[:0], n)[:n]
		_, failed = io.ReadFull(in, raw)
		return failed == nil
	}
	return func(yield func(perceptron.Sparse, int) bool) {
		for read(4) {
			head := binary.LittleEndian.Uint32(raw)
			n := int(head / 2)
			if int64(n) > size/12 || !read(12*n) {
				failed = errors.New("a row of the cache is cut")
				return
			}
			x.Index, x.Value = slices.Grow(x.Index[:0], n)[:n], slices.Grow(x.Value[:0], n)[:n]
			binary.Decode(raw, binary.LittleEndian, x.Index)
			binary.Decode(raw[4*n:], binary.LittleEndian, x.Value)
			if !yield(x, int(head%2)*2-1) {
				return
			}
		}
		if failed == io.EOF {
			failed = nil
		}
	}, func() error { return failed }
}
