package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // Beam registers gs:// itself
	"perceptron/internal/atomicfile"
)

// read returns the content of a file on any of Beam's file systems. The error is
// fs.ErrNotExist if the file does not exist.
func read(ctx context.Context, name string) ([]byte, error) {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	if err := find(ctx, files, name); err != nil {
		return nil, err
	}
	file, err := files.OpenRead(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// stored reports whether a name refers to an object store or similar, not to a local
// file.
func stored(name string) bool { return strings.Contains(name, "://") }

// missing reports whether an error means that a file does not exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// find returns fs.ErrNotExist if the file does not exist. For a store, it lists the name,
// because each store returns its own error for a missing file.
func find(ctx context.Context, files filesystem.Interface, name string) error {
	if !stored(name) {
		_, err := os.Stat(name)
		return err
	}
	names, err := files.List(ctx, name)
	if err == nil && len(names) == 0 {
		err = fs.ErrNotExist
	}
	return err
}

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

// write writes a file that is complete whenever it can be read. Object stores need nothing
// for that: there, a file appears when it is closed.
func write(ctx context.Context, name string, content []byte) error {
	if !stored(name) {
		return atomicfile.Write(name, content, "."+filepath.Base(name)+".*")
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	file, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// remove removes a file if it exists.
func remove(ctx context.Context, name string) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	if err := find(ctx, files, name); missing(err) {
		return nil
	}
	remover, ok := files.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: the file system cannot remove files", name)
	}
	return remover.Remove(ctx, name)
}
