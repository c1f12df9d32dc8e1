package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/coq"
)

const and = "0,0,no\n0,1,no\n1,0,no\n1,1,yes\n" // the logical AND

// TestLog checks what the file for Coq contains. Coq itself replays such files in
// .ci/steps/proofs.sh.
func TestLog(t *testing.T) {
	for name, c := range map[string]struct{ data, flags, print, file string }{
		"and":     {and, "", ": 4 rows of the classes no, yes: 18 mistakes in 9 passes\n", "  [0; 3];\n  [0; 1; 3];\n"},
		"exact":   {and, "", "Coq checks them with proofs/verify LOG DATA\n", "online_log Linear rows log 18 /\\ float64_log Linear rows log."},
		"decimal": {"x,label\n0.5,no\n1,yes\n", "--label label", "proofs/verify LOG DATA label\n", "  ([1; 0.5], false) (* line 2 *);\n"},
		"comma":   {"x;label\n0,5;no\n1;yes\n", "", "2 rows", "  ([1; 0.5], false) (* line 2 *);\n"},
		"columns": {"n,x,label\n7,0.5,no\n7,1,yes\n", "--columns x", "2 rows", "  ([1; 0.5], false) (* line 2 *);\n"},
		"classes": {"-1,a\n0,b\n1,c\n", "--header no", "classes a, b, c", "  ([1; -1], 0%nat) (* line 1 *);\n"},
	} {
		data, log := create(t, "data.csv", c.data), filepath.Join(t.TempDir(), "log.v")
		out := runs(t, append([]string{"log", data, "-o", log}, strings.Fields(c.flags)...)...)
		out = strings.NewReplacer(data, "DATA", log, "LOG").Replace(out)
		file := read(t, log)
		if !strings.Contains(out, c.print) || !strings.Contains(file, c.file) || strings.Contains(c.data, "5") && strings.Contains(file, "float64") {
			t.Errorf("%s: %s\n%s", name, out, file)
		}
	}
}

// TestLogErrors: for some data there is no log. Then the file of the log stays as it was.
func TestLogErrors(t *testing.T) {
	const old = coq.Begins + "old\nPrint Assumptions verdict.\n"
	for text, want := range map[string]string{
		"":                             "1 DATA: ",
		"x,y\n1,a\n":                   `1 DATA: column "y": every row has class "a"`,
		"x,y\n1,a\n2,b,c\n":            "1 DATA:3:",
		"x,y\n1e-2000,a\n2,b\n":        `1 DATA:2:9: column "x": "1e-2000", want an exponent from -1000 to 1000`,
		"x,y\n1,b\n2,a\n3,b\n":         "1 DATA: no pass of 100000 was without a mistake",
		"x,y\n-0.1,a\n-0.2,b\n0.1,a\n": "1 DATA: line 3: rounding changed a decision",
	} {
		data, log := create(t, "data.csv", text), create(t, "log.v", old)
		if got := strings.ReplaceAll(fails(t, "log", data, "-o", log), data, "DATA"); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		if got := read(t, log); got != old {
			t.Errorf("%q: the log is %q", text, got)
		}
	}
}

// TestLogKeeps: a log never replaces the data, or another file that is no log. A failed run
// makes no file.
func TestLogKeeps(t *testing.T) {
	data, other := create(t, "data.csv", and), create(t, "other.csv", and)
	for _, file := range []string{data, other} {
		if got := fails(t, "log", data, "-o", file); !strings.HasPrefix(got, "2 ") || read(t, file) != and {
			t.Errorf("%s: %s", file, got)
		}
	}
	log := filepath.Join(t.TempDir(), "log.v")
	fails(t, "log", create(t, "never.csv", "x,y\n1,b\n2,a\n3,b\n"), "-o", log)
	if _, err := os.Stat(log); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the log: %v", err)
	}
}
