// Package output checks, before anything is read, that the files which a program will
// write do not destroy data.
package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A File is a file that the program will write.
type File struct {
	Flag   string // that names it
	Path   string // "" if it is not written
	Begins string // how a file of this kind begins; only such a file is replaced
}

// Check returns an error if an output is one of the inputs, another output, or an
// existing file of another kind; or if it cannot be written.
func Check(inputs []string, outputs ...File) error {
	for i, o := range outputs {
		if o.Path == "" {
			continue
		}
		for _, in := range inputs {
			if same(in, o.Path) {
				return fmt.Errorf("%s %s is the input: it would be replaced", o.Flag, o.Path)
			}
		}
		for _, other := range outputs[:i] {
			if other.Path != "" && same(other.Path, o.Path) {
				return fmt.Errorf("%s and %s are both %s", other.Flag, o.Flag, o.Path)
			}
		}
		if err := o.check(); err != nil {
			return fmt.Errorf("%s: %w", o.Flag, err)
		}
	}
	return nil
}

// same reports whether two paths lead to the same file, which may not exist yet.
func same(a, b string) bool {
	first, err := os.Stat(a)
	second, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(first, second)
	}
	return resolve(a) == resolve(b)
}

// resolve returns one name for a file, whatever links lead to its folder.
func resolve(path string) string {
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	full, _ := filepath.Abs(path)
	return full
}

// check checks that the file can be written, and is of the right kind if it exists. An
// empty file has nothing to lose.
func (o File) check() error {
	info, err := os.Stat(o.Path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", o.Path)
	}
	if err == nil && info.Size() > 0 {
		old, err := os.Open(o.Path)
		if err != nil {
			return err
		}
		defer old.Close()
		head := make([]byte, len(o.Begins))
		if n, _ := io.ReadFull(old, head); string(head[:n]) != o.Begins {
			return fmt.Errorf("%s exists and was not written by this program; remove it first, or choose another name", o.Path)
		}
	}
	// A training of hours must not end with a folder that cannot be written to.
	f, err := os.CreateTemp(filepath.Dir(o.Path), ".perceptron-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
