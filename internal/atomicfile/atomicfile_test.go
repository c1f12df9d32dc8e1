package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"perceptron/internal/naive"
)

const pattern = ".test-*.tmp"

func read(t *testing.T, path string) string {
	t.Helper()
	return string(naive.Must(os.ReadFile(path))(t))
}

func write(t *testing.T, path, data string) {
	t.Helper()
	naive.Must(0, Write(path, []byte(data), pattern))(t)
}

// TestWrite creates a file and replaces it by shorter and longer content.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, data := range []string{"content", "", "longer content", "short"} {
		if write(t, path, data); read(t, path) != data {
			t.Errorf("the file holds %q, want %q", read(t, path), data)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("Write left %v, %v", files, err)
	}
}

// TestWriteIf: the check sees the new content ready and the old one in place. Its error
// leaves the file alone, and nothing behind.
func TestWriteIf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "old")
	refused := errors.New("refused")
	for _, c := range []struct {
		refuse error
		want   string
	}{{refused, "old"}, {nil, "new"}} {
		err := WriteIf(path, bytes.NewReader([]byte("new")), pattern, func() error {
			ready, err := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
			if err != nil || len(ready) != 1 || read(t, ready[0]) != "new" || read(t, path) != "old" {
				t.Errorf("%q, %v", ready, err)
			}
			return c.refuse
		})
		if files, err2 := os.ReadDir(filepath.Dir(path)); !errors.Is(err, c.refuse) || read(t, path) != c.want || err2 != nil || len(files) != 1 {
			t.Errorf("%v, want %v; %d files, %v", err, c.refuse, len(files), err2)
		}
	}
}

// TestMode checks that a new file has permissions 0600, that an existing file keeps
// its own, and that a symbolic link stays a link.
func TestMode(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("this system has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "new")
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o400, 0o640} {
		if err := os.Chmod(path, mode); mode != 0o600 && err != nil {
			t.Fatal(err)
		}
		if mode != 0o600 {
			write(t, path, mode.String())
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("mode %v (%v), want %v", info.Mode(), err, mode)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	naive.Must(0, os.Symlink(path, link))(t)
	write(t, link, "through the link")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("Write replaced the link: %v, %v", info, err)
	}
	if got := read(t, path); got != "through the link" {
		t.Errorf("the target holds %q", got)
	}
}

// TestErrors checks the paths that cannot be replaced.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, nil, pattern); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a directory: %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "none", "file"), filepath.Join(dir, "none") + string(os.PathSeparator)} {
		err := Write(path, nil, pattern)
		if e, ok := err.(*fs.PathError); !ok || e.Path != path || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no directory: %v", err)
		}
	}
	if os.PathSeparator != '/' {
		return
	}
	link := filepath.Join(dir, "link")
	naive.Must(0, os.Symlink("nothing", link))(t)
	err := Write(link, nil, pattern)
	if e, ok := err.(*fs.PathError); !ok || !errors.Is(e, fs.ErrNotExist) {
		t.Errorf("a dangling link: %v", err)
	}
}

// TestErrorPath lets each step fail with an error of the operating system. The error must name the path
// that was given, here a symbolic link, and not the temporary file. An error of the check stays as it is.
func TestErrorPath(t *testing.T) {
	dir := t.TempDir()
	path, temporary := filepath.Join(dir, "link"), filepath.Join(dir, ".test-1.tmp")
	write(t, filepath.Join(dir, "file"), "old")
	if err := os.Symlink("file", path); err != nil {
		path = filepath.Join(dir, "file") // this system has no links
	}
	for n, step := range steps {
		for _, failed := range []error{
			&fs.PathError{Op: step, Path: temporary, Err: fs.ErrPermission},
			&os.LinkError{Op: step, Old: temporary, New: "file", Err: fs.ErrPermission},
		} {
			w := &wire{fileSystem: disk{pattern}, steps: n + 1, trip: func() error { return failed }}
			err := replace(w, path, strings.NewReader("new content"), always)
			if want := step + " " + path + ": permission denied"; err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	refused := &fs.PathError{Op: "check", Path: temporary, Err: fs.ErrPermission}
	if err := replace(disk{pattern}, path, strings.NewReader("new"), func() error { return refused }); err.Error() != refused.Error() {
		t.Errorf("%v, want %v", err, refused)
	}
	broken, closed := errors.New("broken"), &fs.PathError{Op: "close", Path: temporary, Err: fs.ErrClosed}
	w := &wire{fileSystem: disk{pattern}, steps: 2, trip: func() error { return closed }} // after create
	if err := replace(w, path, unwritable{broken}, always); !errors.Is(err, broken) || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v, want %v and %v", err, broken, closed)
	}
}

// An unwritable content fails.
type unwritable struct{ error }

func (u unwritable) WriteTo(io.Writer) (int64, error) { return 0, u.error }

// TestFolder checks that Write reports a directory that cannot be synchronised,
// except on systems that cannot synchronise any.
func TestFolder(t *testing.T) {
	if err := (disk{}).sync(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if runtime.GOOS == "linux" { // where Sync of a device fails as it does on those systems
		if err := (disk{}).sync(os.DevNull); err != nil {
			t.Error(err)
		}
		before := openFiles(t)
		if err := (disk{}).sync(t.TempDir()); err != nil || openFiles(t) != before {
			t.Errorf("%d files are open, want %d; %v", openFiles(t), before, err)
		}
	}
	for _, err := range []error{fs.ErrPermission, errors.ErrUnsupported, syscall.EINVAL} {
		if wrapped := (&fs.PathError{Err: err}); !cannotSync(wrapped) || cannotSync(fs.ErrClosed) || cannotSync(nil) {
			t.Errorf("%v is another error", err)
		}
	}
}

// openFiles counts the open files of this process on Linux.
func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no list of the open files: ", err)
	}
	return len(files)
}
