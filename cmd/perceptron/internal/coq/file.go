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

// Begins and ends are how every file of this package begins and ends.
const (
	Begins = "(* Check this file, in the folder of the package perceptron, with\n\n     proofs/check && proofs/verify FILE"
	ends   = "\nPrint Assumptions verdict.\n"
)

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
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	if len(text) == 0 || bytes.HasPrefix(text, []byte(Begins)) && bytes.HasSuffix(text, []byte(ends)) {
		return nil
	}
	return fmt.Errorf("%s is no proof for Coq: it is not replaced", path)
}
