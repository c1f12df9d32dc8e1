package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"perceptron/internal/naive"
)

// A wire is a file system that calls trip before a given step. The step "write" is
// in the middle of the data.
type wire struct {
	fileSystem
	steps  int // until trip
	trip   func() error
	passed []string
}

// step counts a step that is about to begin, and returns its error.
func (w *wire) step(name string) error {
	w.passed = append(w.passed, name)
	if w.steps--; w.steps == 0 {
		return w.trip()
	}
	return nil
}

func (w *wire) create(dir string) (file, error) {
	if err := w.step("create"); err != nil {
		return nil, err
	}
	f, err := w.fileSystem.create(dir)
	return &wiredFile{f, w}, err
}

func (w *wire) rename(from, to string) error {
	return w.do("rename", func() error { return w.fileSystem.rename(from, to) })
}

func (w *wire) sync(dir string) error {
	return w.do("sync folder", func() error { return w.fileSystem.sync(dir) })
}

// do takes a step, unless trip fails.
func (w *wire) do(name string, action func() error) error {
	if err := w.step(name); err != nil {
		return err
	}
	return action()
}

type wiredFile struct {
	file
	w *wire
}

func (f *wiredFile) Write(b []byte) (int, error) {
	n, err := f.file.Write(b[:len(b)/2])
	if err := errors.Join(err, f.w.step("write")); err != nil {
		return n, err
	}
	m, err := f.file.Write(b[len(b)/2:])
	return n + m, err
}

func (f *wiredFile) Chmod(mode fs.FileMode) error {
	return f.w.do("chmod", func() error { return f.file.Chmod(mode) })
}

func (f *wiredFile) Sync() error { return f.w.do("sync", f.file.Sync) }

func (f *wiredFile) Close() error { return errors.Join(f.w.step("close"), f.file.Close()) }

// steps are all steps of replace, in order.
var steps = []string{"create", "write", "chmod", "sync", "close", "rename", "sync folder"}

// TestFails lets each step fail. Write must return the error and leave the old
// content, or the new content after the rename, and no other file.
func TestFails(t *testing.T) {
	broken := errors.New("broken")
	for n := 1; n <= len(steps)+1; n++ {
		path := filepath.Join(t.TempDir(), "file")
		write(t, path, "old")
		w := &wire{fileSystem: disk{pattern}, steps: n, trip: func() error { return broken }}
		err, want := replace(w, path, strings.NewReader("new content"), always), "old"
		if n >= len(steps) {
			want = "new content"
		}
		if got := read(t, path); got != want || errors.Is(err, broken) != (n <= len(steps)) {
			t.Errorf("step %d of %v failed: the file holds %q, want %q; error %v", n, w.passed, got, want, err)
		}
		if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
			t.Errorf("step %d failed and left %v, %v", n, files, err)
		}
		if n > len(steps) && !slices.Equal(w.passed, steps) {
			t.Errorf("the steps were %v, want %v", w.passed, steps)
		}
	}
}

// killAt is an environment variable: the step at which a child process kills itself, and the file.
const killAt = "ATOMICFILE_KILL_AT"

// TestKilled kills a process before each step, and in the middle of writing. The
// file must hold the old content or the new.
func TestKilled(t *testing.T) {
	if n, path, ok := strings.Cut(os.Getenv(killAt), ":"); ok {
		killed(t, n, path)
		return
	}
	binary, err := os.Executable()
	if err != nil {
		t.Skip("this system cannot start the test a second time: ", err)
	}
	for n := 1; n <= len(steps)+1; n++ {
		path := filepath.Join(t.TempDir(), "file")
		write(t, path, "old")
		cmd := exec.Command(binary, "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%s", killAt, n, path))
		err := cmd.Run()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Skip("this system cannot start the test a second time: ", err)
		}
		if (err == nil) != (n > len(steps)) {
			t.Fatalf("step %d: %v", n, err)
		}
		want := "old"
		if n >= len(steps) {
			want = "new content"
		}
		if got := read(t, path); got != want {
			t.Errorf("killed before step %d, the file holds %q, want %q", n, got, want)
		}
		if write(t, path, "again"); read(t, path) != "again" { // whatever the crash left behind
			t.Errorf("after a crash and another Write, the file holds %q", read(t, path))
		}
		left := naive.Must(filepath.Glob(filepath.Join(filepath.Dir(path), pattern)))(t)
		if wantLeft := n > 1 && n < len(steps); wantLeft != (len(left) == 1) {
			t.Errorf("killed before step %d, it left %q", n, left)
		}
		for _, name := range left {
			naive.Must(0, age(name, day))(t)
		}
		if write(t, path, "later"); len(naive.Must(os.ReadDir(filepath.Dir(path)))(t)) != 1 {
			t.Errorf("killed before step %d, it left a file that a later Write did not remove", n)
		}
	}
}

// killed writes a file and kills this process at a step.
func killed(t *testing.T, step, path string) {
	w := &wire{fileSystem: disk{pattern}, steps: naive.Must(strconv.Atoi(step))(t), trip: func() error {
		self, err := os.FindProcess(os.Getpid())
		if err := errors.Join(err, self.Kill()); err != nil {
			t.Fatal(err)
		}
		select {}
	}}
	naive.Must(0, replace(w, path, strings.NewReader("new content"), always))(t)
}

// A lossy file system is in memory. It records which contents and names are on its
// disk. A power failure may lose the others.
type lossy struct {
	content map[string]*content // by name, as the program sees it
	onDisk  map[string]*content // the names that survive a power failure at worst
}

type content struct{ data, synced []byte }

func (l *lossy) stale(string) []string { return nil }

func (l *lossy) create(dir string) (file, error) {
	c := new(content)
	name := filepath.Join(dir, "temporary")
	l.content[name] = c
	return &lossyFile{name, c}, nil
}

func (l *lossy) rename(from, to string) error {
	l.content[to] = l.content[from]
	delete(l.content, from)
	return nil
}

func (l *lossy) remove(name string) error { delete(l.content, name); return nil }

func (l *lossy) sync(string) error {
	for name, c := range l.content {
		l.onDisk[name] = c
	}
	return nil
}

type lossyFile struct {
	name string
	c    *content
}

func (f *lossyFile) Name() string { return f.name }
func (f *lossyFile) Write(b []byte) (int, error) {
	f.c.data = append(f.c.data, b...)
	return len(b), nil
}
func (f *lossyFile) Chmod(fs.FileMode) error { return nil }
func (f *lossyFile) Sync() error             { f.c.synced = slices.Clone(f.c.data); return nil }
func (f *lossyFile) Close() error            { return nil }

// TestPower cuts the power before each step. A name that is not synchronised may be
// the old one or the new one. Content that is not synchronised may be lost. The file
// must hold the old content or the new, and the new content after the last step.
func TestPower(t *testing.T) {
	const path = "no such folder/file"
	old, new := []byte("old"), []byte("new content")
	var l *lossy
	check := func(when string, want ...[]byte) {
		for _, names := range []map[string]*content{l.content, l.onDisk} {
			for _, survives := range [][]byte{names[path].synced, names[path].data} {
				if !slices.ContainsFunc(want, func(w []byte) bool { return bytes.Equal(survives, w) }) {
					t.Errorf("a power failure %s leaves %q", when, survives)
				}
			}
		}
	}
	seen := 0
	for n := 1; n <= len(steps)+1; n++ {
		first := &content{old, old}
		l = &lossy{map[string]*content{path: first}, map[string]*content{path: first}}
		w := &wire{fileSystem: l, steps: n}
		w.trip = func() error {
			seen++
			check("before "+w.passed[n-1], old, new)
			return nil
		}
		naive.Must(0, replace(w, path, bytes.NewReader(new), always))(t)
	}
	check("after the last step", new)
	if seen != len(steps)-1 { // there is no file, so replace sets no permissions
		t.Errorf("the power failed before %d steps", seen)
	}
}

// age makes a file older.
func age(name string, by time.Duration) error {
	return os.Chtimes(name, time.Time{}, time.Now().Add(-by))
}

// leave creates an empty file of some age.
func leave(t *testing.T, name string, by time.Duration) {
	t.Helper()
	naive.Must(0, errors.Join(os.WriteFile(name, nil, 0o600), age(name, by)))(t)
}

// TestStale: Write removes files of its own name that are a day old, whatever fails meanwhile, and
// no other files.
func TestStale(t *testing.T) {
	for _, fails := range []bool{false, true} {
		dir := t.TempDir()
		path, old, folder := filepath.Join(dir, "file"), ".test-123.tmp", ".test-124.tmp"
		stay := []string{".test-1x3.tmp", ".test-.tmp", ".test-125.tmp.more", "a.test-126.tmp", ".test-127", ".other-128.tmp"}
		for _, name := range append(stay, old) {
			leave(t, filepath.Join(dir, name), day)
		}
		naive.Must(0, os.Mkdir(filepath.Join(dir, folder), 0o700))(t)
		naive.Must(0, age(filepath.Join(dir, folder), day))(t)
		young := ".test-129.tmp"
		leave(t, filepath.Join(dir, young), day-time.Hour)
		want := append(stay, folder, young, "file")
		if fails {
			want = append(want, old)
		}
		naive.Must(0, replace(&stuck{disk{pattern}, fails}, path, strings.NewReader("new"), always))(t)
		var got []string
		for _, f := range naive.Must(os.ReadDir(dir))(t) {
			got = append(got, f.Name())
		}
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("removing fails %v: the directory has %q, want %q", fails, got, want)
		}
	}
	if names := (disk{pattern}).stale(filepath.Join(t.TempDir(), "none")); names != nil {
		t.Errorf("no directory: %q", names)
	}
	dir := t.TempDir()
	for _, name := range []string{".short-1", "1.none"} {
		leave(t, filepath.Join(dir, name), day)
	}
	for _, short := range []string{".short-*", ".none"} {
		if names := (disk{short}).stale(dir); names != nil {
			t.Errorf("the pattern %s matches %q", short, names)
		}
	}
	if os.PathSeparator == '/' { // other systems may not have this name
		star := filepath.Join(dir, "a*b1.tmp")
		leave(t, star, day)
		if names := (disk{"a*b*.tmp"}).stale(dir); !slices.Equal(names, []string{star}) {
			t.Errorf("a pattern of two asterisks matches %q", names)
		}
	}
}

// A stuck file system may be unable to remove files.
type stuck struct {
	disk
	fails bool
}

func (s *stuck) remove(name string) error {
	if s.fails {
		return fs.ErrPermission
	}
	return s.disk.remove(name)
}

// TestSuspended: a Write that was suspended for a day loses its temporary file. It returns an
// error, and the file has the content of the other Write.
func TestSuspended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	err := WriteIf(path, strings.NewReader("suspended"), pattern, func() error {
		left := naive.Must(filepath.Glob(filepath.Join(filepath.Dir(path), pattern)))(t)
		write(t, path, "meanwhile") // the suspended file is young
		if err := age(left[0], 2*day); err != nil {
			return err
		}
		write(t, path, "a day later")
		return nil
	})
	if !errors.Is(err, fs.ErrNotExist) || read(t, path) != "a day later" {
		t.Errorf("%v; the file holds %q", err, read(t, path))
	}
}

// TestConcurrent: Writes at the same time all succeed, even if all find the same old files.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for i := range 50 {
		leave(t, filepath.Join(dir, fmt.Sprintf(".test-%d.tmp", i)), day)
	}
	var all sync.WaitGroup
	for range 8 {
		naive.Go(&all, func() {
			for range 5 {
				if err := Write(path, []byte("content"), pattern); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if files := naive.Must(os.ReadDir(dir))(t); len(files) != 1 || read(t, path) != "content" {
		t.Errorf("the directory has %v", files)
	}
}

// always lets a file be replaced.
func always() error { return nil }
