package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // Beam registers gs:// itself
	"github.com/google/renameio/v2"
)

// storageLimit is the longest time that a call of a storage may take, in nanoseconds. The launcher
// sets it to -stall.
var storageLimit atomic.Int64

func init() { storageLimit.Store(int64(2 * time.Minute)) }

// within calls f with the file system of a name. It returns an error if the storage does
// not answer, or if the context ends. If f is in a call of the operating system that cannot be
// interrupted, f continues in the background.
func within[T any](parent context.Context, name string, f func(context.Context, filesystem.Interface) (T, error)) (T, error) {
	limit := time.Duration(storageLimit.Load())
	ctx, cancel := context.WithTimeoutCause(parent, limit, fmt.Errorf("%s: the storage does not answer within %v", name, limit))
	defer cancel()
	var result T
	ended := make(chan error, 1)
	go func() {
		files, err := filesystem.New(ctx, name)
		if err == nil {
			result, err = f(ctx, files)
			files.Close()
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return result, err
	case <-ctx.Done():
		var none T
		if parent.Err() == context.Canceled {
			return none, fmt.Errorf("the run was canceled: %w", context.Cause(parent))
		}
		return none, context.Cause(ctx)
	}
}

// read returns the content of a file on any of Beam's file systems. The error is
// fs.ErrNotExist if the file does not exist.
func read(ctx context.Context, name string) ([]byte, error) {
	return within(ctx, name, func(ctx context.Context, files filesystem.Interface) ([]byte, error) {
		if stored(name) { // each store returns its own error for a missing file
			if names, err := files.List(ctx, name); err != nil || len(names) == 0 {
				return nil, cmp.Or(err, fs.ErrNotExist)
			}
		}
		file, err := files.OpenRead(ctx, name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(file)
	})
}

// list returns the names of the files that match a pattern.
func list(ctx context.Context, pattern string) ([]string, error) {
	return within(ctx, pattern, func(ctx context.Context, files filesystem.Interface) ([]string, error) {
		return files.List(ctx, pattern)
	})
}

// quote returns a pattern that matches exactly one name.
var quote = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace

// stored reports whether a name is that of a file in a remote store, such as gs://, and not of a
// local file.
func stored(name string) bool { return strings.Contains(name, "://") }

// missing reports whether an error means that a file does not exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// sizeOf returns the size of a file. A local file that is not regular, such as a pipe, has
// the size −1. (Beam's own function leaves a local file open.)
func sizeOf(ctx context.Context, files filesystem.Interface, name string) (int64, error) {
	if stored(name) {
		return files.Size(ctx, name)
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return -1, err
	}
	return info.Size(), nil
}

// write writes a file. Readers never see a part of it: a local file is replaced in one step, and in
// an object store a file appears when it is closed.
func write(ctx context.Context, name string, content []byte) error {
	_, err := within(ctx, name, func(ctx context.Context, files filesystem.Interface) (none struct{}, err error) {
		if !stored(name) {
			return none, replace(name, content)
		}
		file, err := files.OpenWrite(ctx, name)
		if err != nil {
			return none, err
		}
		_, err = file.Write(content)
		return none, errors.Join(err, file.Close())
	})
	return err
}

// replace replaces the content of a local file, or creates the file. After a crash of the program or
// of the machine, the file holds all of the old content or all of the new. If name is a symbolic
// link, its target is replaced. A crash may leave the temporary file; see origin.clear.
func replace(name string, content []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", name)
	}
	return renameio.WriteFile(name, content, 0o666, renameio.WithTempDir(filepath.Dir(name)))
}

// remove removes the files that match a pattern.
func remove(ctx context.Context, pattern string) error {
	names, err := list(ctx, pattern)
	for _, name := range names {
		_, failed := within(ctx, name, func(ctx context.Context, files filesystem.Interface) (none struct{}, _ error) {
			if remover, ok := files.(filesystem.Remover); ok {
				return none, remover.Remove(ctx, name)
			}
			return none, fmt.Errorf("%s: the file system cannot remove files", name)
		})
		if !missing(failed) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
