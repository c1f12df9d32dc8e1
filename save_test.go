package perceptron

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// killed is an environment variable: the file of a child process.
const killed = "PERCEPTRON_KILLED"

// TestSaveKilled kills a process that saves two models in turn. The file must hold one
// of them. Package atomicfile tests each step of a Save.
func TestSaveKilled(t *testing.T) {
	old, new := &Online{Rate: 1}, &Margin{Rate: 2}
	must(old.Fit(xor.X[:2], []int{1, -1}))(t)
	must(new.Fit(xor.X[:2], []int{1, -1}))(t)
	if path := os.Getenv(killed); path != "" {
		time.AfterFunc(20*time.Millisecond, func() { _ = must(os.FindProcess(os.Getpid()))(t).Kill() })
		for {
			must(0, errors.Join(Save(path, old), Save(path, new)))(t)
		}
	}
	path := filepath.Join(t.TempDir(), "model")
	must(0, Save(path, old))(t)
	for range 5 {
		if err, ok := inOther("TestSaveKilled", killed+"="+path); !ok {
			t.Skip("this system cannot start the test a second time: ", err)
		} else if err == nil {
			t.Fatal("the process was not killed")
		}
		if got := snapshot(must(Load(path))(t).(model)); got != snapshot(old) && got != snapshot(new) {
			t.Errorf("the file holds\n%s", got)
		}
	}
}

// TestSaveLoad saves and loads models of every kind, in both forms.
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

// TestLoadBlanks checks that Load reads JSON behind any white space, as UnmarshalJSON does.
func TestLoadBlanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	text := string(must((&Online{Seed: 7}).MarshalJSON())(t))
	for _, n := range []int{0, 1, 19, 20, 21, 5000} {
		blanks := strings.Repeat(" \n\t\r", n)[:n]
		must(0, os.WriteFile(path, []byte(blanks+text), 0o600))(t)
		if m, ok := must(Load(path))(t).(*Online); !ok || m.Seed != 7 {
			t.Errorf("behind %d blanks: %+v", n, m)
		}
		must(0, os.WriteFile(path, []byte(blanks+"x"), 0o600))(t)
		if _, err := Load(path); !errors.Is(err, ErrFormat) {
			t.Errorf("a letter behind %d blanks: %v", n, err)
		}
	}
}

// TestSaveTo checks that a new file is its owner's alone, and that a symbolic link
// stays one. Package atomicfile tests the rest.
func TestSaveTo(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("this system has no such permissions")
	}
	path := filepath.Join(t.TempDir(), "model")
	link := path + ".link"
	must(0, Save(path, new(Online)))(t)
	if mode := must(os.Stat(path))(t).Mode(); mode != 0o600 {
		t.Errorf("mode %v", mode)
	}
	must(0, os.Symlink("model", link))(t)
	must(0, Save(link, &Batch{Workers: 3}))(t)
	if info := must(os.Lstat(link))(t); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if m, ok := must(Load(path))(t).(*Batch); !ok || m.Workers != 3 {
		t.Errorf("the target of the link holds %+v", m)
	}
}

// TestSaveErrors checks the errors for what cannot be saved or loaded.
func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, m := range []Model{nil, (*Online)(nil), struct{ Model }{}, &Online{Rate: -1}, struct{ *Online }{new(Online)}, &struct{ *Online }{}} {
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
		"":                                  "0 bytes, want a header of 20",
		"some text that is no model at all": `byte 0: found "some tex", want "\x89PTRN\r\n\x1a"`,
		string(plane):                       "byte 1: found `\"weights\"`, want a known field, once",
		string(plane) + "x":                 "byte 12: a payload of 23 bytes in a frame of 48",
		string(plane[:30]):                  "byte 12: a payload of 23 bytes in a frame of 30",
		"{":                                 "byte 1: found ``, want a known field, once",
		" {}":                               `missing field "perceptron"`,
		`{"perceptron":1}`:                  "binary: want it, oneVsRest or multiclass",
		`{"binary":{},"perceptron":1}`:      `binary: missing field "kind"`,
		`{"perceptron":"1"}`:                "perceptron: byte 14: found `\"1\"`, want int",
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
		if files := must(os.ReadDir(dir))(t); len(files) != 2 { // the model and the link
			t.Errorf("Save left %v", files)
		}
	}
}
