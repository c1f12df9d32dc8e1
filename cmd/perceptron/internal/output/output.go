// Package output checks, before anything is read, that the files which a program will
// write do not destroy data. A swapped argument must not cost a table, and a training of
// hours must not end with a file that cannot be written.
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
	Flag string // that names it
	Path string // "" if it is not written

	// Begins is how a file of this kind begins. Only such a file is replaced.
	Begins string
}

// Check returns an error if an output is one of the inputs, another output, or an
// existing file of another kind; or if it cannot be written.
func Check(inputs []string, outputs ...File) error {
	taken := map[string]string{} // the flags of the outputs, and "" for inputs
	for _, in := range inputs {
		taken[resolve(in)] = ""
	}
	for _, o := range outputs {
		if o.Path == "" {
			continue
		}
		// The same file may have two names: a link, or another way through the folders.
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

// resolve returns one name for a file, whatever links lead to it. A file that does not exist
// yet has the name that it will have in its folder. Hard links are different files here: a
// file is replaced by renaming another one, so its other links stay as they are.
func resolve(path string) string {
	if full, err := filepath.EvalSymlinks(path); err == nil {
		path = full
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	full, _ := filepath.Abs(path)
	return full
}

// check checks that the file can be written, and is of the right kind if it exists. An
// empty file has nothing to lose.
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
	// The permissions of a folder do not show whether it can be written to: the file system
	// may be read-only. So a file is created, and removed.
	f, err := os.CreateTemp(filepath.Dir(o.Path), ".perceptron-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
