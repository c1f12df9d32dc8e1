package perceptron

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
)

// Save writes the model's binary form to the file, so that after a crash at any
// moment, of the program or of the machine, the file holds the old model or the
// new one whole. The form is written beside it to a file named .perceptron-*.tmp,
// which is synchronised with the disk and takes the file's name; the folder is
// synchronised too, where the operating system can. A crash may leave that other
// file behind, which nothing reads.
//
// A new file has permissions 0600; one that is there keeps its own, but for the
// owner. Of a symbolic link the file that it leads to is replaced. Concurrent
// Saves of different models to one path leave one of them.
//
// m is one of this package's models, trained or not; another, or nil, is
// ErrConfig, as are fields that make no sense. Other errors are those of the file
// system; the file is then as it was, unless it is the folder that could not be
// synchronised.
func Save(path string, m Model) error {
	k := kindOf(m)
	if k == 0 || reflect.ValueOf(m).IsNil() {
		return fmt.Errorf("%w: cannot save a %T, want a model of this package that is not nil", ErrConfig, m)
	}
	data, err := m.(encoding.BinaryAppender).AppendBinary(nil)
	if err != nil {
		return err
	}
	return replace(disk{}, path, data)
}

// Load returns the model in a file that Save wrote, or that holds the JSON of one:
// a *Online, *Batch, *Margin or *OneVsRest, as the file tells. It trusts nothing
// in it: ErrFormat says what is wrong, and where. The file is read whole, once
// its head is known to be that of a model of its size. Other errors are those of
// the file system.
func Load(path string) (Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readModel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// readModel reads a file, if it begins like a model. JSON has no length to check.
func readModel(f *os.File) ([]byte, error) {
	head := make([]byte, headerSize)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	if !isJSON(head) {
		_, length, err := header(head)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && uint64(info.Size()) != length+headerSize+sumSize {
			return nil, flawed("", "byte 16: a payload of %d bytes in a file of %d", length, info.Size())
		}
	}
	all := bytes.NewBuffer(head)
	_, err = all.ReadFrom(f)
	return all.Bytes(), err
}

func isJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && data[0] == '{'
}

// decode returns the model that data holds in either form.
func decode(data []byte) (Model, error) {
	if isJSON(data) {
		if err := validJSON(data); err != nil {
			return nil, err
		}
		k, err := kindField(data)
		if err != nil {
			return nil, err
		}
		m := newModel(k)
		if m == nil {
			return nil, flawed("kind", "%v, want a model's", k)
		}
		return m, m.(interface{ UnmarshalJSON([]byte) error }).UnmarshalJSON(data)
	}
	k, _, err := header(data)
	if err != nil {
		return nil, err
	}
	m := newModel(k)
	if m == nil {
		return nil, flawed("", "byte 12: it holds a %v, want a model", k)
	}
	return m, m.(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
}

// A fileSystem is what replacing a file takes of one; the tests have another.
type fileSystem interface {
	create(dir string) (file, error) // with permissions 0600
	rename(from, to string) error
	remove(name string) error
	sync(dir string) error
}

type file interface {
	io.WriteCloser
	Name() string
	Chmod(fs.FileMode) error
	Sync() error
}

// disk is the operating system's.
type disk struct{}

func (disk) create(dir string) (file, error) { return os.CreateTemp(dir, ".perceptron-*.tmp") }
func (disk) rename(from, to string) error    { return os.Rename(from, to) }
func (disk) remove(name string) error        { return os.Remove(name) }

// sync makes renames in a folder last. Some systems cannot, and say so in one of
// several ways.
func (disk) sync(dir string) error {
	d, err := os.Open(dir)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	for _, cannot := range []error{fs.ErrPermission, errors.ErrUnsupported, syscall.EINVAL} {
		if errors.Is(err, cannot) {
			return nil
		}
	}
	return err
}

// replace gives the file at path the content data, in one step.
func replace(on fileSystem, path string, data []byte) error {
	path, mode, err := destination(path)
	if err != nil {
		return err
	}
	f, err := on.create(filepath.Dir(path))
	if err != nil {
		return err
	}
	if err = write(f, mode, data); err == nil {
		err = on.rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, on.remove(f.Name()))
	}
	return on.sync(filepath.Dir(path))
}

// destination returns the path of the file to replace, past a symbolic link, and
// its permissions; 0 for none, where there is no file.
func destination(path string) (string, fs.FileMode, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			info, err = os.Stat(path)
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		return path, 0, nil
	}
	switch {
	case err != nil:
		return path, 0, err
	case !info.Mode().IsRegular():
		return path, 0, fmt.Errorf("%w: %s is no regular file", ErrConfig, path)
	}
	return path, info.Mode().Perm(), nil
}

// write writes a file that is to have these permissions, if any, and closes it
// once its content is on the disk.
func write(f file, mode fs.FileMode, data []byte) error {
	_, err := f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
