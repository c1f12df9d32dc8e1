package coq

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"perceptron/internal/atomicfile"
)

// Begins is how every file of this package begins.
const Begins = "(* Check this file, "

// WriteFile writes a proof to a file, in one step, once write has returned nil. It does
// not replace a file that is neither empty nor a proof of this package.
func WriteFile(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return atomicfile.WriteIf(path, &text, ".coq-*.tmp", func() error { return Replaceable(path) })
}

// Replaceable returns an error if a file exists, is not empty and is no proof of this package.
// It opens regular files only: to open a pipe may wait for ever.
func Replaceable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, atomicfile.ErrNotRegular)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	start := make([]byte, len(Begins))
	n, err := io.ReadFull(f, start)
	if err == io.EOF || string(start[:n]) == Begins {
		return nil
	}
	return fmt.Errorf("%s is no proof for Coq: it is not replaced", path)
}
