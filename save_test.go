package perceptron

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// A wire is a file system on which something happens before a given step, and at
// the half of a write.
type wire struct {
	fileSystem
	steps  int // until trip
	trip   func() error
	passed []string
}

// step tells of a step that is about to be taken, and whether it fails.
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
	return errors.Join(w.step("rename"), w.unlessTripped(func() error { return w.fileSystem.rename(from, to) }))
}

func (w *wire) sync(dir string) error {
	return errors.Join(w.step("sync folder"), w.unlessTripped(func() error { return w.fileSystem.sync(dir) }))
}

func (w *wire) unlessTripped(do func() error) error {
	if w.steps == 0 {
		return nil
	}
	return do()
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
	return errors.Join(f.w.step("chmod"), f.w.unlessTripped(func() error { return f.file.Chmod(mode) }))
}

func (f *wiredFile) Sync() error {
	return errors.Join(f.w.step("sync"), f.w.unlessTripped(f.file.Sync))
}

func (f *wiredFile) Close() error {
	return errors.Join(f.w.step("close"), f.file.Close())
}

// steps are all that replacing a file takes.
var steps = []string{"create", "write", "chmod", "sync", "close", "rename", "sync folder"}

// TestSaveFails: whichever step fails, its error is told, the file has the old
// content, or the new if it had been renamed, and there is no other.
func TestSaveFails(t *testing.T) {
	broken := errors.New("broken")
	for n := 1; n <= len(steps)+1; n++ {
		path := filepath.Join(t.TempDir(), "model")
		must(0, os.WriteFile(path, []byte("old"), 0o600))(t)
		w := &wire{fileSystem: disk{}, steps: n, trip: func() error { return broken }}
		err, want := replace(w, path, []byte("new content")), "old"
		if n >= len(steps) {
			want = "new content"
		}
		if got := string(must(os.ReadFile(path))(t)); got != want || errors.Is(err, broken) != (n <= len(steps)) {
			t.Errorf("step %d of %v failed: the file holds %q, want %q; error %v", n, w.passed, got, want, err)
		}
		if files := must(os.ReadDir(filepath.Dir(path)))(t); len(files) != 1 {
			t.Errorf("step %d failed, and left %v", n, files)
		}
		if n > len(steps) && !slices.Equal(w.passed, steps) {
			t.Errorf("the steps were %v, want %v", w.passed, steps)
		}
	}
}

// killAt tells a child process where to die: the step, and the file.
const killAt = "PERCEPTRON_KILL_AT"

// TestSaveKilled: a process that is killed before any step, or in the midst of
// writing, leaves the old model or the new one.
func TestSaveKilled(t *testing.T) {
	old, new := &Online{Rate: 1}, &Margin{Rate: 2}
	must(old.Fit(xor.X[:2], []int{1, -1}))(t)
	must(new.Fit(xor.X[:2], []int{1, -1}))(t)
	if n, path, ok := strings.Cut(os.Getenv(killAt), ":"); ok {
		w := &wire{fileSystem: disk{}, steps: must(strconv.Atoi(n))(t), trip: func() error {
			must(0, must(os.FindProcess(os.Getpid()))(t).Kill())(t)
			select {}
		}}
		must(0, replace(w, path, must(new.MarshalBinary())(t)))(t)
		return
	}
	for n := 1; n <= len(steps)+1; n++ {
		path := filepath.Join(t.TempDir(), "model")
		must(0, Save(path, old))(t)
		err, ok := inOther("TestSaveKilled", fmt.Sprintf("%s=%d:%s", killAt, n, path))
		if !ok {
			t.Skip("this system cannot start the test a second time: ", err)
		}
		if (err == nil) != (n > len(steps)) {
			t.Fatalf("step %d: %v", n, err)
		}
		m := must(Load(path))(t).(model)
		want := model(old)
		if n >= len(steps) {
			want = new
		}
		if snapshot(m) != snapshot(want) {
			t.Errorf("killed before step %d: the file holds\n%s, want\n%s", n, snapshot(m), snapshot(want))
		}
		must(0, Save(path, new))(t) // whatever was left behind
		if m := must(Load(path))(t).(model); snapshot(m) != snapshot(new) {
			t.Errorf("saved again after a crash it holds\n%s", snapshot(m))
		}
	}
}

// A lossy file system keeps its files in memory, and knows which of their contents
// and names are on its disk: at a power failure any of the others may be lost.
type lossy struct {
	content map[string]*content // by name, as the program sees it
	onDisk  map[string]*content // as it is after a power failure at worst
}

type content struct{ data, synced []byte }

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

// TestSavePower: a power failure before any step, at which a name that is not
// synchronised is the old one or the new, and content that is not is nothing or
// all, leaves the old model or the new; and when Save has returned, the new.
func TestSavePower(t *testing.T) {
	const path = "no such folder/model"
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
		must(0, replace(w, path, new))(t)
	}
	check("after Save", new)
	if seen != len(steps)-1 { // a new file's permissions are as they should be
		t.Errorf("%d steps", seen)
	}
}

// TestSaveLoad: models of every kind, under the permissions that are promised.
func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	for name, m := range zoo(t, 2) {
		must(0, Save(path, m))(t)
		if got := must(Load(path))(t).(model); snapshot(got) != snapshot(m) || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", m) {
			t.Errorf("%s: loaded %T\n%s, want\n%s", name, got, snapshot(got), snapshot(m))
		}
		must(0, os.WriteFile(path+".json", append([]byte("\n"), must(m.(coder).MarshalJSON())(t)...), 0o600))(t)
		if got := must(Load(path + ".json"))(t).(model); snapshot(got) != snapshot(m) {
			t.Errorf("%s: loaded from JSON\n%s, want\n%s", name, snapshot(got), snapshot(m))
		}
	}
}

// TestSaveMode: a new file is its owner's alone, one that is there keeps its
// permissions, and a symbolic link stays one.
func TestSaveMode(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("this system has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "model")
	link := path + ".link"
	must(0, Save(path, new(Online)))(t)
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o400, 0o640} {
		if got := must(os.Stat(path))(t).Mode(); got != mode {
			t.Errorf("mode %v, want %v", got, mode)
		}
		next := map[fs.FileMode]fs.FileMode{0o600: 0o644, 0o644: 0o400, 0o400: 0o640}[mode]
		if next != 0 {
			must(0, os.Chmod(path, next))(t)
			must(0, Save(path, &Online{Seed: uint64(next)}))(t)
		}
	}
	must(0, os.Symlink("model", link))(t)
	must(0, Save(link, &Batch{Workers: 3}))(t)
	if info := must(os.Lstat(link))(t); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if m, ok := must(Load(path))(t).(*Batch); !ok || m.Workers != 3 {
		t.Errorf("the file that the link leads to holds %+v", m)
	}
}

// TestSaveErrors: what cannot be saved or loaded, and what is told of it.
func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, m := range []Model{nil, (*Online)(nil), struct{ Model }{}, &Online{Rate: -1}} {
		if err := Save(path, m); !errors.Is(err, ErrConfig) {
			t.Errorf("saving %#v: %v", m, err)
		}
	}
	missing := filepath.Join(dir, "none", "model")
	for _, err := range []error{Save(missing, new(Online)), only(Load(missing)), only(Load(path))} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	err, loadErr := Save(dir, new(Online)), only(Load(dir))
	if !errors.Is(err, ErrConfig) || loadErr == nil || errors.Is(loadErr, ErrFormat) {
		t.Errorf("a folder: %v, %v", err, loadErr)
	}
	plane := must(Hyperplane{}.MarshalBinary())(t)
	for content, want := range map[string]string{
		"":                                   "0 bytes, want a header of 24",
		"some text that is no model at all":  `byte 0: it begins with "some tex", want "\x89PTRN\r\n\x1a"`,
		string(plane):                        "byte 12: it holds a Hyperplane, want a model",
		string(plane) + "x":                  "byte 16: a payload of 16 bytes in a file of 45",
		string(plane[:30]):                   "byte 16: a payload of 16 bytes in a file of 30",
		"{":                                  "byte 1: unexpected end of JSON input",
		"{}":                                 "kind: the field is missing",
		`{"kind":"Separation"}`:              "kind: Separation, want a model's",
		`{"kind":"Online","perceptron":"1"}`: `perceptron: "\"1\"", want a number of type int`,
	} {
		must(0, os.WriteFile(path, []byte(content), 0o600))(t)
		m, err := Load(path)
		if m != nil || !errors.Is(err, ErrFormat) || err.Error() != path+": perceptron: bad format: "+want {
			t.Errorf("%q: %v, %v, want %s", content, m, err, want)
		}
	}
	if os.PathSeparator == '/' {
		must(0, os.Symlink("nothing", path+".dangling"))(t)
		err := Save(path+".dangling", new(Online))
		if e, ok := err.(*fs.PathError); !ok || !errors.Is(e, fs.ErrNotExist) {
			t.Errorf("a link that leads nowhere: %v", err)
		}
	}
}

// A failing file has an error behind its content.
type failing struct {
	fs.File
	io.Reader
}

func (f failing) Read(b []byte) (int, error) { return f.Reader.Read(b) }
func (failing) Stat() (fs.FileInfo, error)   { return nil, fs.ErrInvalid }

// TestLoadFails: an error of the disk is told as such, wherever it comes.
func TestLoadFails(t *testing.T) {
	broken := errors.New("broken")
	data, text := encoded(t, new(Online))
	for _, d := range [][]byte{data, text} {
		for _, n := range []int{0, 1, headerSize, headerSize + 1, len(d)} {
			f := failing{Reader: io.MultiReader(bytes.NewReader(d[:n]), iotest.ErrReader(broken))}
			if _, err := readModel(f); !errors.Is(err, broken) {
				t.Errorf("broken after %d bytes: %v", n, err)
			}
		}
	}
}

// TestSaveFolder: a folder that cannot be synchronised is told of, but on systems
// that synchronise none.
func TestSaveFolder(t *testing.T) {
	if err := (disk{}).sync(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if runtime.GOOS == "linux" { // where a device stands for such a folder
		must(0, disk{}.sync(os.DevNull))(t)
	}
}
