// Package atomicfile replaces the content of a file in one step.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrNotRegular is the error if the path leads to a directory, a device or another file that
// is not regular. Write does not replace such files.
var ErrNotRegular = errors.New("not a regular file")

// Write replaces the content of the file at path, or creates the file. After a crash
// of the program or of the machine, at any moment, the file holds all of the old
// content or all of the new. Once Write has returned nil, it holds the new content.
//
// Write first writes data to a temporary file in the same directory. pattern determines
// the name of the temporary file, as in [os.CreateTemp]. Write synchronises the temporary
// file with the disk and renames it to path. Then it synchronises the directory, if the
// operating system can.
//
// A crash may leave the temporary file behind. A later Write with the same pattern in the
// same directory removes that file when it is a day old. For this, Write lists the
// directory, and ignores what it cannot list or remove. If the pattern has no text after
// its last asterisk, nothing is removed, because other files could easily have such names.
//
// A new file has permissions 0600; an existing file keeps its permissions, but not
// its owner. If path is a symbolic link, its target, which must exist, is replaced. On
// error the file keeps its old content, unless synchronising the directory failed. An error names path or
// the link's target. It names the temporary file only if that could not be removed.
func Write(path string, data []byte, pattern string) error {
	return WriteIf(path, bytes.NewReader(data), pattern, func() error { return nil })
}

// WriteIf is Write, but it calls check just before it replaces the file. If check returns an
// error, WriteIf returns that error and does not replace the file. data writes the content,
// so the content need not be in one slice.
func WriteIf(path string, data io.WriterTo, pattern string, check func() error) error {
	return replace(disk{pattern}, path, data, check)
}

// A fileSystem has the operations that replace needs. Tests implement it to inject
// faults.
type fileSystem interface {
	stale(dir string) []string       // temporary files that earlier writes have left behind
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

// disk is the operating system's file system. Its temporary files have random names,
// so nobody can create files with these names in advance. They are in the directory of
// the file to replace, because a rename cannot move a file to another file system.
type disk struct{ pattern string }

// day is the age at which a temporary file counts as left behind. A Write takes seconds, so other
// Writes in progress keep their files. A Write that is suspended for a day may lose its temporary
// file. Then its rename fails, and the file at path keeps its old content.
const day = 24 * time.Hour

// stale returns the regular files in dir that were last changed at least a day ago and whose names
// fit the pattern. As in [os.CreateTemp], digits replace the last asterisk.
func (d disk) stale(dir string) (names []string) {
	star := strings.LastIndexByte(d.pattern, '*')
	before, after := d.pattern[:max(star, 0)], d.pattern[star+1:]
	if star < 0 || after == "" {
		return nil
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		digits, ours := strings.CutPrefix(f.Name(), before)
		digits, ends := strings.CutSuffix(digits, after)
		if !ours || !ends || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) >= day {
			names = append(names, filepath.Join(dir, f.Name()))
		}
	}
	return names
}

func (d disk) create(dir string) (file, error) { return os.CreateTemp(dir, d.pattern) }
func (disk) rename(from, to string) error      { return os.Rename(from, to) }
func (disk) remove(name string) error          { return os.Remove(name) }

// sync makes the renames in a directory permanent. Some systems cannot synchronise a
// directory; there sync returns nil.
func (disk) sync(dir string) error {
	d, err := os.Open(dir)
	if err == nil {
		err = errors.Join(d.Sync(), d.Close())
	}
	if cannotSync(err) {
		return nil
	}
	return err
}

// cannotSync reports whether err is one of the errors of systems that cannot synchronise
// directories.
func cannotSync(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// replace replaces the content of the file at path. The content is synchronised
// before the rename. Otherwise the disk might record the rename first, and a power
// failure would then leave an empty file.
func replace(on fileSystem, path string, data io.WriterTo, check func() error) error {
	target, mode, err := destination(path)
	if err != nil {
		return err
	}
	for _, name := range on.stale(filepath.Dir(target)) { // first, because these files may fill the disk
		_ = on.remove(name) // it may fail, because another Write may have removed the file
	}
	f, err := on.create(filepath.Dir(target))
	if err != nil {
		return naming(path, err)
	}
	if err = fill(f, path, mode, data); err == nil {
		err = check()
	}
	if err == nil {
		err = naming(path, on.rename(f.Name(), target))
	}
	if err != nil {
		return errors.Join(err, on.remove(f.Name()))
	}
	return naming(path, on.sync(filepath.Dir(target)))
}

// naming replaces the name in an error of the operating system, that of a temporary file or a directory, by
// path, which the caller of Write knows.
func naming(path string, err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}

// destination follows a symbolic link and returns the path of the file to replace, and
// the permissions of the file, which are 0 if there is no file yet.
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
		return path, 0, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	return path, info.Mode().Perm(), nil
}

// fill writes data to f, sets f's permissions unless mode is 0, synchronises f with the disk, and
// closes f. It checks the error of Close, because some file systems report a failed write there. The
// errors name path.
func fill(f file, path string, mode fs.FileMode, data io.WriterTo) error {
	_, err := data.WriteTo(f)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(naming(path, err), naming(path, f.Close()))
}
