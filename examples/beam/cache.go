package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// A cache has the parsed rows of a LIBSVM shard in the format sparse, so that only the survey parses
// the text. Its name has the hash of the shard and the time of its last change. If a shard has changed
// since, no cache has its name, and the shard is read anew.
const cacheFile = ".rows."

// racy is how old the last change of a shard must be. A file system may not give a later change in
// the same moment another time.
const racy = 2 * time.Second

// cacheOf returns the name of the cache of a shard that has last changed at a time.
func (o origin) cacheOf(shard Shard, changed time.Time, positive *int) string {
	label := "" // the cache has the signs of the labels
	if positive != nil {
		label = strconv.Itoa(*positive)
	}
	return fmt.Sprintf("%s%s%d.%s.%s.%x", o.Checkpoint, cacheFile, shard.Number, label, shard.Sum, changed.UnixNano())
}

// changed returns when a shard has last changed. ok is false if it cannot have a cache: the shard or the
// checkpoint is no local file, or the shard has just changed.
func (o origin) changed(shard Shard) (at time.Time, ok bool) {
	info, err := os.Stat(shard.Name)
	if stored(shard.Name) || stored(o.Checkpoint) || err != nil || !info.Mode().IsRegular() || info.Size() != shard.Size {
		return at, false
	}
	return info.ModTime(), time.Since(info.ModTime()) > racy
}

// survey passes the rows of a shard to count. If it can, it also writes the cache of the shard. An
// error of the cache is ignored, because the cache is not needed.
func (r reading) survey(ctx context.Context, shard Shard, features int, o origin, count func(row, int) error) (sum string, err error) {
	changed, ok := o.changed(shard)
	var file *os.File
	if ok && r.Cache && r.Format == libsvmFormat {
		file, _ = os.CreateTemp(filepath.Dir(o.Checkpoint), "."+filepath.Base(o.Checkpoint)+cacheFile+"part.*")
	}
	var w *sparseWriter
	if file != nil {
		w = newSparseWriter(file)
	}
	sum, err = r.each(ctx, shard, features, o, func(rows examples) error {
		for x, label := range rows {
			if err := count(x, label); err != nil {
				return err
			}
			if w != nil {
				w.add(x.sparse, label)
			}
		}
		return nil
	})
	if file == nil {
		return sum, err
	}
	shard.Sum = sum
	if failed := errors.Join(w.close(), file.Chmod(o.Mode), file.Close()); err != nil || failed != nil || os.Rename(file.Name(), o.cacheOf(shard, changed, r.Positive)) != nil {
		os.Remove(file.Name())
	}
	return sum, err
}

// train calls begin, and then learn with the rows of a shard in each pass, from the cache if there is
// one. If the cache is damaged, train removes it and begins again, with the shard itself.
func (r reading) train(ctx context.Context, shard Shard, features int, o origin, begin func() error, learn func(string, examples) error) error {
	passes := func(r reading, shard Shard) error {
		err := begin()
		for ; err == nil && r.pass < r.Passes; r.pass++ {
			_, err = r.each(ctx, shard, features, o, func(rows examples) error { return learn(r.Format, rows) })
		}
		return err
	}
	if changed, ok := o.changed(shard); ok && r.Cache && r.Format == libsvmFormat {
		cache := Shard{Number: shard.Number, Name: o.cacheOf(shard, changed, r.Positive)}
		if info, err := os.Stat(cache.Name); err == nil {
			cache.Size = info.Size()
			if err = passes(reading{Format: sparseFormat, Passes: r.Passes, source: shard.Size}, cache); err == nil || ctx.Err() != nil || errors.Is(err, errCanceled) {
				return err
			}
			os.Remove(cache.Name)
		}
	}
	return passes(r, shard)
}
