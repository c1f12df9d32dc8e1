package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write creates a file and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRun checks the report for each kind of input and answer.
func TestRun(t *testing.T) {
	known := string(pets)
	for name, c := range map[string]struct {
		file string
		o    options
		want []string
	}{
		"pets":   {"", options{}, []string{"pets.csv: 16 rows of 3 features; +1 is \"dog\"\n", "no row (x, 1) is longer\n", "γ is in [1.848418", "at most (R/γ)² = 2947.11 mistakes", "0.577409 × line 11: +1 (dog) weight kg 2.4, height"}},
		"linear": {"", options{linear: true, positive: "cat"}, []string{"+1 is \"cat\"", "no row x is longer\n", "separable: ", "\n             0\n", "sum of y·x is"}},
		"contradiction": {write(t, "pets.csv", known+"4.1, 24, 46, dog\n"), options{},
			[]string{"no separating hyperplane was found; none has a margin above ", "These rows prove that bound", " × line 18: +1 (dog) weight kg 4.1, height cm 24, length cm 46\n"}},
		"no names": {write(t, "xor.csv", "0,0,n\n\n0,1,y\n1,0,y\n1,1,n\n2,2,maybe\n"), options{positive: "y"},
			[]string{"5 rows of 2 features; +1 is \"y\"", "proved: no hyperplane separates the rows\n", "contradict each other", "0.25 × line 3: +1 (y) x2 1\n"}},
		"libsvm": {write(t, "and.svm", "0 # nothing\n0 2:1\n\n0 1:1\n1 1:1 2:1\n"), options{features: 2},
			[]string{"4 rows of 2 features; +1 is \"1\"", "γ is in [0.242535", "line 5: +1 (1) x1 1, x2 1\n"}},
		"numbers":   {write(t, "numbers.csv", "1,+10\n2,-9\n"), options{}, []string{"+1 is \"+10\"", "separable: "}},
		"words":     {write(t, "words.csv", "1,10\n2,ten\n"), options{}, []string{"+1 is \"ten\""}},
		"one class": {write(t, "one.csv", "1,a\n2,a\n"), options{}, []string{"separable: "}},
		"many":      {write(t, "many.csv", "1,2,3,4,5,6,7,8,a\n"), options{}, []string{"x6 6, and 2 more\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := run(&out, c.file, c.o); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s\nwant %q", out.String(), want)
				}
			}
		})
	}
}

// TestErrors checks that errors contain the file, and the line and column if there
// are any.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		o                options
	}{
		{"value.csv", "a,b,c\n1,2,x\n3,four,y\n", ":3:3: \"four\", want a finite number", options{}},
		{"nan.csv", "1,2,x\n3,NaN,y\n", ":2:3: \"NaN\", want a finite number", options{}},
		{"fields.csv", "1,2,x\n3,y\n", ":2:1: wrong number of fields", options{}},
		{"quote.csv", "1,\"2,x\n", ":1:8: extraneous or missing \" in quoted-field", options{}},
		{"value.svm", "1 1:1\n0 1:x\n", ":2:5: value \"x\", want a finite number", options{features: 1}},
		{"labels.csv", "1,x\n2,y\n3,z\n", ": 3 labels, want two; or set -positive to one of x, y, z", options{}},
		{"label.csv", "1,x\n2,y\n", ": no row has the label \"z\"", options{positive: "z"}},
		{"empty.csv", "", ": perceptron: empty: no rows", options{}},
		{"names.csv", "a,b,c\n", ": perceptron: empty: no rows", options{}},
		{"width.csv", "x\ny\n", ": perceptron: example 0: empty: the row has no features", options{}},
	} {
		file := write(t, c.name, c.text)
		err := run(new(strings.Builder), file, c.o)
		if err == nil || err.Error() != file+c.want {
			t.Errorf("%v, want %s%s", err, file, c.want)
		}
	}
	if err := run(new(strings.Builder), "no such file", options{}); !os.IsNotExist(err) {
		t.Errorf("%v, want a not-exist error", err)
	}
}
