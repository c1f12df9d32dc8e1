package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines has two classes. The class of a line is the index of its larger feature.
const lines = "1 1:3 2:1\n2 1:1 2:4\n1 1:2\n2 2:5\n1 1:4 2:1\n"

// TestRun checks the reports: the first line of a class is never predicted right.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, strings.NewReader(strings.Repeat(lines, 20)), nil, 2, 50); err != nil {
		t.Fatal(err)
	}
	want := "      50 lines, 2 classes: 0.9200 of them predicted right before they were learned\n" +
		"     100 lines, 2 classes: 0.9600 of them predicted right before they were learned\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

// TestIris checks the share of Fisher's irises that README states.
func TestIris(t *testing.T) {
	var out strings.Builder
	if err := run(&out, nil, []string{"iris.svm"}, 4, 1000); err != nil {
		t.Fatal(err)
	}
	if want := "     150 lines, 3 classes: 0.7267 of them predicted right before they were learned\n"; out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

// TestBadLine checks that run reports the lines before a bad line, and that the
// error contains the file, line and column.
func TestBadLine(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bad.svm")
	if err := os.WriteFile(name, []byte(lines+"1 1:oops\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := run(&out, nil, []string{name}, 2, 50)
	if want := name + `:6:5: value "oops", want a finite number`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !strings.Contains(out.String(), "5 lines") {
		t.Errorf("printed %q", out.String())
	}
	if err := run(&out, nil, []string{name + "x"}, 2, 5); !os.IsNotExist(err) {
		t.Errorf("%v, want a not-exist error", err)
	}
}
