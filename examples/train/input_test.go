package main

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"
)

// TestSeparator: the separator is the one that divides every line.
func TestSeparator(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b\n1,2\n":                ',',
		"a;b;c\n1,5;2,5;x\n":        ';',
		"a\tb\n1\t2\n":              '\t',
		"1|2|x\n":                   '|',
		"1,2,x;y\n3,4,z\n":          ',',
		"\"a;b;c;d\",e\n1,2\n":      ',',
		"one\ntwo\n":                ',',
		"a;b\n\n1;2\n":              ';',
		"1;2;x\n3;4;a,b,c\n":        ';',
		"1,5;2,5;x\n3,5;4,5;y\n5,5": ';',
	} {
		if got := separator(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestStandardInput: training and prediction read standard input, compressed or not,
// and give the results of a file.
func TestStandardInput(t *testing.T) {
	dir := t.TempDir()
	model, piped := filepath.Join(dir, "m.bin"), filepath.Join(dir, "piped.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-save", model)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(read(t, iris))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{read(t, iris), zipped.String()} {
		for _, memory := range []string{"1", "0"} {
			cmd := child(t, "-data", "-", "-model", "onevsrest", "-memory", memory, "-save", piped)
			cmd.Stdin = strings.NewReader(text)
			cmd.Env = append(cmd.Env, "TMPDIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if memory == "1" && read(t, model) != read(t, piped) {
				t.Error("the model differs from that of the file")
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "train-*")); left != nil {
		t.Errorf("the program leaves %q", left)
	}
	want, _, err := predicts(t, "-load", model, "-data", iris)
	if err != nil {
		t.Fatal(err)
	}
	cmd := child(t, "-load", model, "-predict", "-data", "-")
	cmd.Stdin = strings.NewReader(read(t, iris))
	if out, err := cmd.Output(); err != nil || string(out) != want {
		t.Errorf("%v: the predictions differ from those of the file", err)
	}
}

// TestMissing: -missing mean trains on the mean of the training rows, -missing drop on
// the other rows.
func TestMissing(t *testing.T) {
	file := create(t, "gaps.csv", "x,y,kind\n1,2,b\n,4,a\n3,?,b\n-1,0,a\n5,NA,\n")
	model := filepath.Join(t.TempDir(), "m.bin")
	trained := func(text string, args ...string) string {
		runs(t, append([]string{"-data", create(t, "t.csv", text), "-save", model}, args...)...)
		return read(t, model)
	}
	text := read(t, file)
	if got, want := fails(t, "-data", file), file+`:3:1: "": the value is missing; -missing mean or -missing drop accepts this`; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := trained(text, "-missing", "drop"), trained("x,y,kind\n1,2,b\n-1,0,a\n"); got != want {
		t.Error("-missing drop differs from a file without the rows")
	}
	if got, want := fails(t, "-data", file, "-missing", "mean"), file+":6:6: no label; -missing drop leaves out the row"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	labelled := strings.TrimSuffix(text, "5,NA,\n")
	want := trained("x,y,kind\n1,2,b\n1,4,a\n3,2,b\n-1,0,a\n") // means 1 and 2
	if got := trained(labelled, "-missing", "mean"); got != want {
		t.Error("-missing mean differs from a file with the means")
	}
	rows := create(t, "new.csv", "x,y\n,2\n-9,\n")
	stdout, _, err := predicts(t, "-load", model, "-data", rows)
	filled, _, err2 := predicts(t, "-load", model, "-data", create(t, "full.csv", "x,y\n1,2\n-9,2\n"))
	if err != nil || err2 != nil || stdout != filled {
		t.Errorf("%v, %v: predicted %q, want %q", err, err2, stdout, filled)
	}
	stdout, stderr, err := predicts(t, "-load", model, "-data", create(t, "new.csv", "x,y,kind\n,2,a\n-9,0,a\n"), "-missing", "drop", "-scores")
	if err != nil || !strings.HasPrefix(stdout, ",\na,-") || !strings.HasPrefix(stderr, "1 of 2 rows have a missing value and no prediction\naccuracy 1.0000 on 1 row ") {
		t.Errorf("%v: %q, %q", err, stdout, stderr)
	}
}
