// Package output checks the names of output files before a program reads its input. A swapped
// argument must not overwrite a table. A training of hours must not end with a file that cannot be
// written.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A File is a file that the program will write.
type File struct {
	Flag string // the flag that sets Path
	Path string // "" if the file is not written

	// Begins has the first bytes of every file of this kind. An existing file is replaced only if
	// it begins with them, or is empty.
	Begins string
}

// Check returns an error if an output is one of the inputs or another output, if it is an existing
// file of another kind, or if it cannot be written.
func Check(inputs []string, outputs ...File) error {
	taken := map[string]string{} // by path, the flag of an output, or "" for an input
	for _, in := range inputs {
		taken[resolve(in)] = ""
	}
	for _, o := range outputs {
		if o.Path == "" {
			continue
		}
		// One file may have two paths, for example by a symbolic link.
		path := resolve(o.Path)
		switch other, both := taken[path]; {
		case both && other == "":
			return fmt.Errorf("%s %s is the input: it would be replaced", o.Flag, o.Path)
		case both:
			return fmt.Errorf("%s and %s are both %s", other, o.Flag, o.Path)
		}
		taken[path] = o.Flag
		if err := o.check(); err != nil {
			return fmt.Errorf("%s: %w", o.Flag, err)
		}
	}
	return nil
}

// resolve returns the absolute path of a file without symbolic links. It also resolves a file that
// does not exist yet, if its folder exists. Two hard links have different paths. This is right,
// because a file is replaced by renaming another file, which does not change its other hard links.
func resolve(path string) string {
	if full, err := filepath.EvalSymlinks(path); err == nil {
		path = full
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	full, _ := filepath.Abs(path)
	return full
}

// check returns an error if the file cannot be written, or exists and is of another kind. Every
// empty file may be replaced.
func (o File) check() error {
	if o.Path == "-" {
		return errors.New("- is no name for an output file")
	}
	info, err := os.Stat(o.Path)
	if _, link := os.Lstat(o.Path); err != nil && link == nil {
		return fmt.Errorf("%s is a link that leads to no file", o.Path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", o.Path)
	}
	if err == nil && info.Size() > 0 {
		old, err := os.Open(o.Path)
		if err != nil {
			return err
		}
		defer old.Close()
		if head, _ := bufio.NewReader(old).Peek(len(o.Begins)); string(head) != o.Begins {
			return fmt.Errorf("%s exists and was not written by this program; remove it first, or choose another name", o.Path)
		}
	}
	// The permissions of a folder do not show whether it is writable: its file system may be
	// read-only. So a temporary file is created and removed.
	f, err := os.CreateTemp(filepath.Dir(o.Path), ".perceptron-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
