package main

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lines has two classes. The class of a line is the index of its larger feature.
const lines = "1 1:3 2:1\n2 1:1 2:4\n1 1:2\n2 2:5\n1 1:4 2:1\n"

// TestRun checks the reports: the first line of a class is never predicted right.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, strings.NewReader(strings.Repeat(lines, 20)), nil, 2, 50, ""); err != nil {
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
	if err := run(&out, nil, []string{"iris.svm"}, 4, 1000, ""); err != nil {
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
	err := run(&out, nil, []string{name}, 2, 50, "")
	if want := name + `: perceptron: bad format: line 6, column 5: value "oops", want a finite number`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !strings.Contains(out.String(), "5 lines") {
		t.Errorf("printed %q", out.String())
	}
	if err := run(&out, nil, []string{name + "x"}, 2, 5, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want a not-exist error", err)
	}
}

// TestKilled: runs may be killed at any time, each followed by another. They end with the checkpoint
// and the results of a run that was not killed.
func TestKilled(t *testing.T) {
	if arguments, ok := os.LookupEnv("STREAM_ARGUMENTS"); ok {
		os.Args = append([]string{"stream"}, strings.Fields(arguments)...)
		main()
		return
	}
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	r := rand.New(rand.NewPCG(1, 0))
	var text []string
	for range 20_000 {
		text = append(text, strings.SplitAfter(lines, "\n")[r.IntN(5)])
	}
	var want strings.Builder
	if err := run(&want, strings.NewReader(strings.Join(text, "")), nil, 2, 100, whole); err != nil {
		t.Fatal(err)
	}
	checkpoint := func() string { data, _ := os.ReadFile(cut); return string(data) }
	for n := 1000; n <= len(text); n += 1000 + r.IntN(3000) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env, cmd.Stderr = append(os.Environ(), "STREAM_ARGUMENTS=-features 2 -every 100 -checkpoint "+cut), os.Stderr
		stdin, err := cmd.StdinPipe()
		if err = errors.Join(err, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		go io.WriteString(stdin, strings.Join(text[:n], "")) // which has no end, so only the kill ends the program
		for before, end := checkpoint(), time.Now().Add(time.Minute); checkpoint() == before; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no checkpoint in a minute")
			}
		}
		_, _ = cmd.Process.Kill(), cmd.Wait()
	}
	var got strings.Builder
	if err := run(&got, strings.NewReader(strings.Join(text, "")), nil, 2, 100, cut); err != nil {
		t.Fatal(err)
	}
	a, err := os.ReadFile(whole)
	if b := checkpoint(); err != nil || string(a) != b {
		t.Errorf("%v: the checkpoint is\n%.300s, want\n%.300s", err, b, a)
	}
	if n := len(got.String()); n == 0 || n >= want.Len() || !strings.HasSuffix(want.String(), got.String()) {
		t.Errorf("printed\n%swant the end of\n%s", &got, &want)
	}
}

// TestContinue: a run of a stream that has grown learns the new lines alone. A checkpoint of another
// program is an error, and stays.
func TestContinue(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "checkpoint")
	var out strings.Builder
	for n := range 3 {
		if err := run(&out, strings.NewReader(strings.Repeat(lines, n)), nil, 2, 50, file); err != nil {
			t.Fatal(err)
		}
	}
	const want = `       5 lines, 2 classes: 0.2000 of them predicted right before they were learned
      10 lines, 2 classes: 0.6000 of them predicted right before they were learned
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", &out, want)
	}
	if err := os.WriteFile(file, []byte(`{"Lines":1,"Model":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(&out, strings.NewReader(lines), nil, 2, 50, file); err == nil {
		t.Error("a bad checkpoint is accepted")
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".stream-*")); err != nil || left != nil {
		t.Errorf("%v, %v: temporary files", left, err)
	}
}
