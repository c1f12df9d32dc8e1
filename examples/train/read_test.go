package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead: no file makes the program panic. Every error begins with the file name.
// A second pass reads the same rows as the first.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b,c\n1,2,x\n3,4,y\n", "1,2,x\n\n3,\"4\",y\n", "\ufeffx,1\ny,2\n", "1 1:2 3:4 # c\n-1 2:1\n", "x\n", "1,\"\n", "1,2\n1\n"} {
		for _, label := range []string{"first", "last", "c"} {
			f.Add(text, label)
		}
	}
	f.Fuzz(func(t *testing.T, text, label string) {
		for _, name := range []string{"f.csv", "f.svm"} {
			file := create(t, name, text)
			tab := &table{file: file, watch: unseen, columns: columns{layout: layout{Label: label, Missing: missingMean}, Holdout: 0.3}}
			tab.Format, _ = formatOf(name)
			err := error(nil)
			if tab.Format == "libsvm" {
				if err = tab.count(); tab.Features > 1000 {
					continue
				}
			}
			if err == nil {
				err = tab.survey(false)
			}
			if err == nil {
				err = tab.number(false)
				if err != nil {
					continue
				}
				err = tab.load()
			}
			if err != nil && (!strings.HasPrefix(err.Error(), file+":") || strings.Contains(err.Error(), "has changed")) {
				t.Errorf("%v, want an error that begins with the file name and is not about a change", err)
			}
		}
	})
}

// TestLabelColumn: the model does not depend on the position of the label column or on
// the names of the classes.
func TestLabelColumn(t *testing.T) {
	rows := []string{"1,2,b", "2,1,a", "3,5,b", "4,3,a", "-1,0,b"}
	first, named := []string{}, []string{"x,kind,y"}
	for _, row := range rows {
		f := strings.Split(row, ",")
		first = append(first, strings.Join([]string{f[2], f[0], f[1]}, ","))
		named = append(named, strings.Join([]string{f[0], " " + f[2], f[1]}, ", "))
	}
	text := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	weights := func(file string, args ...string) string {
		model := filepath.Join(t.TempDir(), "m.bin")
		runs(t, append([]string{"-data", file, "-save", model}, args...)...)
		return read(t, model)
	}
	want := weights(create(t, "last.csv", text(rows)))
	for name, got := range map[string]string{
		"first":     weights(create(t, "first.csv", text(first)), "-label", "first"),
		"leading":   weights(create(t, "leading.csv", "kind,x,y\n"+text(first)), "-label", "kind"),
		"named":     weights(create(t, "named.csv", text(named)), "-label", "kind"),
		"mark":      weights(create(t, "mark.csv", "\ufeff"+text(rows))),
		"header":    weights(create(t, "header.csv", "x,y,kind\n"+text(rows))),
		"numbers":   weights(create(t, "numbers.csv", "2019,2020,kind\n"+text(rows)), "-label", "kind"),
		"format":    weights(create(t, "rows", text(rows)), "-format", "csv"),
		"libsvm":    weights(create(t, "rows.svm", "1 1:1 2:2\n-1 1:2 2:1 # no\n1 1:3 2:5\n-1 1:4 2:3\n1 1:-1\n")),
		"integers":  weights(create(t, "10.csv", strings.NewReplacer("a", "9", "b", "10").Replace(text(rows)))),
		"not alpha": weights(create(t, "A.csv", strings.NewReplacer("a", "10", "b", "9x").Replace(text(rows)))),
	} {
		if got != want {
			t.Errorf("%s: the model differs", name)
		}
	}
}

// TestBadFiles: an error states the file, line and column, and the bad value. Of the
// library's messages, the test compares the beginning only.
func TestBadFiles(t *testing.T) {
	for _, c := range [][3]string{
		{"value.csv", "a,b,c\n1,2,x\n3,four,y\n", ":3:3: \"four\", want a finite number"},
		{"empty value.csv", "1,2,x\n3,,y\n", ":2:3: \"\": the value is missing; -missing mean or -missing drop accepts this"},
		{"nan.csv", "1,2,x\n3,NaN,y\n", ":2:3: \"NaN\": the value is missing; -missing"},
		{"large.csv", "1,2,x\n3,1e999,y\n", ":2:3: \"1e999\", want a finite number"},
		{"class.csv", "1,2,x\n3,1,\n", ":2:5: no label"},
		{"fields.csv", "1,2,x\n3,y\n", ":2:1: 2 fields separated by ',', want 3 as in the first line; -comma sets the separator"},
		{"quote.csv", "1,\"2,x\n", ":1:8: extraneous or missing \" in quoted-field"},
		{"bare.csv", "1,2,x\n1,2\"3,y\n", ":2:4: bare \" in non-quoted-field"},
		{"one.csv", "x\ny\n", ":1:1: 1 field separated by ',', want a label and at least one feature; -comma sets"},
		{"empty.csv", "", ": no rows"},
		{"names.csv", "a,b,c\n", ": no rows to train on"},
		{"alone.csv", "1,a\n2,a\n", ": every row has class \"a\", want at least two classes"},
		{"value.svm", "1 1:1\n0 1:x\n", ":2:5: value \"x\""},
		{"index.svm", "1 1:1\n0 99999999:1\n", ":2:3: index 99999999, want at most 16777216 unless -features is set"},
		{"order.svm", "1 1:1\n0 2:1 1:1\n", ":2:7: index 1 "},
		{"empty.svm", "", ": no row has a feature"},
		{"zip.csv.gz", "1,2,x\n3,4,y\n", ": gzip: invalid header"},
		{"overflow.csv", "1e200,1e300,x\n-1e200,1e300,y\n1e300,1e300,x\n", ": perceptron: example 0: not finite: "},
	} {
		file := create(t, c[0], c[1])
		for _, memory := range []string{"0", "1"} {
			if got := fails(t, "-data", file, "-memory", memory, "-order", "cyclic"); !strings.HasPrefix(got, file+c[2]) {
				t.Errorf("%v, want %s%s", got, file, c[2])
			}
		}
	}
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "1,%d\n", i)
	}
	file := create(t, "many.csv", many.String())
	if got, want := fails(t, "-data", file, "-model", "onevsrest"), file+":1001:3: class \"1000\" is one more than the limit of 1000 classes; is this the label column? -label selects another"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	file = create(t, "wide.csv", "1e300,x\n-1e300,y\n")
	if got, want := fails(t, "-data", file, "-standardise"), file+": the values of feature 1 are too large to standardise"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
