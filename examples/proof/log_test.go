package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/internal/coq"
)

// TestLog checks what the file for Coq contains. Coq itself replays such files in
// .ci/steps/proofs.sh.
func TestLog(t *testing.T) {
	for name, c := range map[string]struct{ data, print, file string }{
		"and":     {"", "18 mistakes in 9 passes\n", "  [0; 3];\n  [0; 1; 3];\n"},
		"exact":   {"", "4 rows of the classes no, yes", "online_log Linear rows log 18 /\\ float64_log Linear rows log."},
		"decimal": {"x,label\n0.5,no\n1,yes\n", "2 rows", "  ([1; 0.5], false) (* line 2 *);\n"},
		"classes": {"-1,a\n0,b\n1,c\n", "classes a, b, c", "  ([1; -1], 0%nat) (* line 1 *);\n"},
	} {
		dir := t.TempDir()
		data, proof := "", filepath.Join(dir, "log.v")
		if c.data != "" {
			data = filepath.Join(dir, "data.csv")
			if err := os.WriteFile(data, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		if err := writeLog(&out, proof, data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := os.ReadFile(proof)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.print) || !strings.Contains(string(file), c.file) || name == "decimal" && strings.Contains(string(file), "float64") {
			t.Errorf("%s: %s\n%s", name, &out, file)
		}
	}
}

// TestLogErrors checks data without a log, and that the file of the log stays as it was.
func TestLogErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "0 labels",
		"1,a\n":                                  "1 labels",
		"1,a\nx,b\n":                             "line 2: feature 1: \"x\", want a decimal number",
		"name,label\n1,a\n\nx,b\n":               "line 4: feature 1: \"x\"",
		"\nx,b\n1,a\n":                           "line 2: feature 1: \"x\"",
		"1,a\n2,b,c\n":                           "wrong number of fields",
		"0x1p3,a\n2,b\n":                         "want a decimal number",
		"0.1,a\n0.2,a\n-0.30000000000000001,b\n": "",
		"1,b\n2,a\n3,b\n":                        "no pass of 100000",
	} {
		dir := t.TempDir()
		file, proof := filepath.Join(dir, "data.csv"), filepath.Join(dir, "log.v")
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(proof, []byte(coq.Begins+"old\nPrint Assumptions verdict.\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		err := writeLog(new(strings.Builder), proof, file)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if old, err := os.ReadFile(proof); string(old) != coq.Begins+"old\nPrint Assumptions verdict.\n" {
			t.Errorf("%q: the log is %q, %v", text, old, err)
		}
	}
}

// TestLogKeeps: a log never replaces the data, or another file that is no log.
func TestLogKeeps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(file, []byte(and), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", file, "/no/such"} {
		if err := writeLog(new(strings.Builder), file, data); err == nil || !strings.Contains(err.Error(), "is no proof for Coq") {
			t.Errorf("%v, want an error", err)
		}
		if text, _ := os.ReadFile(file); string(text) != and {
			t.Errorf("the data is %q", text)
		}
	}
}

// TestLogRounded: a run that rounding changed has no log, and the error names the line.
func TestLogRounded(t *testing.T) {
	dir := t.TempDir()
	file, proof := filepath.Join(dir, "data.csv"), filepath.Join(dir, "log.v")
	if err := os.WriteFile(file, []byte("-0.1,a\n-0.2,b\n0.1,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var changed *coq.RoundingError
	if err := writeLog(new(strings.Builder), proof, file); !errors.As(err, &changed) || changed.Line != 2 {
		t.Errorf("%v, want line 2", err)
	}
	if _, err := os.Stat(proof); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log: %v", err)
	}
}
