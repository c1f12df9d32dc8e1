package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLog checks what the file for Coq contains. Coq itself replays such files in
// .ci/steps/proofs.sh.
func TestLog(t *testing.T) {
	for name, c := range map[string]struct{ data, print, file string }{
		"and":     {"", "18 mistakes in 9 passes\n", "  [0; 3];\n  [0; 1; 3];\n"},
		"exact":   {"", "4 rows of the classes no, yes", "online_log Linear rows log 18 /\\ float64_log Linear rows log."},
		"decimal": {"x,label\n0.5,no\n1,yes\n", "2 rows", "Theorem verdict : online_log Linear rows log"},
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

// TestLogErrors checks data without a log.
func TestLogErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":               "0 labels",
		"1,a\n":          "1 labels",
		"1,a\nx,b\n":     "feature 1: \"x\", want a decimal number",
		"1,a\n2,b,c\n":   "wrong number of fields",
		"0x1p3,a\n2,b\n": "want a decimal number",
	} {
		file := filepath.Join(t.TempDir(), "data.csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := writeLog(new(strings.Builder), file+".v", file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
