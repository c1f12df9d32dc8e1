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

// TestWriteFile: a proof replaces another proof or an empty file, or makes a new file. It replaces
// no other file. A proof that cannot be written replaces nothing.
func TestWriteFile(t *testing.T) {
	write := func(w io.Writer) error {
		return tableOf(t, "1,1").WriteOnlineLog(w, [][]int{{0}, {}})
	}
	var proof strings.Builder
	if err := write(&proof); err != nil {
		t.Fatal(err)
	}
	own, failed := proof.String(), errors.New("failed")
	for _, c := range []struct {
		old     string // "none" for no file
		write   func(io.Writer) error
		written bool
	}{
		{"none", write, true},
		{"", write, true},
		{own, write, true},
		{strings.Replace(own, "FILE DATA", "FILE", 1), write, true}, // of an older version
		{own + "(* mine *)\n", write, false},
		{Begins + " DATA, and my own text", write, false},
		{"my own text\nPrint Assumptions verdict.\n", write, false},
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
		if want := map[bool]string{true: own, false: c.old}[c.written]; (err == nil) != c.written || string(text) != want {
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

// TestWritten: every form that the package writes is replaced, but not if it has a line more, or a
// line of another kind.
func TestWritten(t *testing.T) {
	folder := "../../../../proofs/outlines"
	forms, err := os.ReadDir(folder)
	if err != nil || len(forms) != 5 {
		t.Fatalf("%d forms, %v", len(forms), err)
	}
	for _, form := range forms {
		text, err := os.ReadFile(filepath.Join(folder, form.Name()))
		if err != nil {
			t.Fatal(err)
		}
		row, pass := "  ([-1; 2.5e-3], true) (* line 2 *);\n  ([1; 0], false) (* line 11 *)", "  [0; 10];\n  []"
		if form.Name() == "multiclass" {
			row = strings.NewReplacer("true", "10%nat", "false", "0%nat").Replace(row)
		}
		own := strings.NewReplacer("  ROW", row, "  PASS", pass, "INTEGERS", "[-1; 20]%Z", "KIND", "Affine", "LOWER", "5e-23",
			"UPPER", "0.25", "CLASSES", "11", "MISTAKES", "12").Replace(string(text))
		if !written.MatchString(own) {
			t.Fatalf("%s is not replaced:\n%s", form.Name(), own)
		}
		for at := 0; at <= len(own); at++ {
			for _, more := range []string{"(* mine *)\n", "Lemma mine : True. Proof. easy. Qed.\n", "Axiom mine : False.\n"} {
				if at > 0 && own[at-1] != '\n' {
					continue
				}
				if mine := own[:at] + more + own[at:]; written.MatchString(mine) {
					t.Errorf("%s is replaced:\n%s", form.Name(), mine)
				}
			}
		}
	}
}
