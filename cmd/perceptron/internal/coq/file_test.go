package coq

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/internal/atomicfile"
)

// TestWriteFile: a proof replaces a proof, an empty file and no file, and nothing else. A
// proof that cannot be written replaces nothing.
func TestWriteFile(t *testing.T) {
	write := func(w io.Writer) error {
		return tableOf(t, "1,1").WriteOnlineLog(w, [][]int{{0}, {}})
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		old     string // "none" for no file
		write   func(io.Writer) error
		written bool
	}{
		{"none", write, true},
		{"", write, true},
		{Begins + " of an older version" + ends, write, true},
		{Begins + " DATA, and my own text", write, false},
		{"my own text" + ends, write, false},
		{"a,b\n1,2\n", write, false},
		{Begins[:5], write, false},
		{Begins + "old", func(w io.Writer) error { io.WriteString(w, Begins); return failed }, false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "log.v")
		if c.old != "none" {
			if err := os.WriteFile(path, []byte(c.old), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := WriteFile(path, c.write)
		text, _ := os.ReadFile(path)
		if written := strings.Contains(string(text), "Theorem verdict"); written != c.written || (err == nil) != c.written || !written && string(text) != c.old {
			t.Errorf("%q: %v, then %q", c.old, err, text)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%q: %d files are left", c.old, len(files))
		}
	}
	if err := Replaceable(t.TempDir()); !errors.Is(err, atomicfile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if err := WriteFile(t.TempDir(), write); err == nil {
		t.Error("a folder was replaced")
	}
}
