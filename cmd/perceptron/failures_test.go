package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/modelfile"
)

// The tests in this file repeat what users of earlier programs lost data or results by.

// TestLabelByName: a model knows its label by name, so a further column at the end of
// another file changes nothing.
func TestLabelByName(t *testing.T) {
	model := trained(t, iris)
	text := read(t, iris)
	var wider strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fmt.Fprintf(&wider, "%s,%s\n", line, map[bool]string{true: "note", false: "x"}[i == 0])
	}
	other := create(t, "wider.csv", wider.String())
	want := evaluated(t, model, iris, "--all")
	if got := evaluated(t, model, other); got.Accuracy != want.Accuracy || got.Rows != 150 || got.Accuracy < 0.95 {
		t.Errorf("accuracy %v on %d rows, want %v", got.Accuracy, got.Rows, want.Accuracy)
	}
	if runs(t, "predict", "-m", model, other) != runs(t, "predict", "-m", model, iris) {
		t.Error("predictions differ")
	}
	more := filepath.Join(t.TempDir(), "more")
	runs(t, "train", "-m", model, other, "--epochs", "1", "-o", more)
	if f, err := modelfile.Read(more); err != nil || f.Schema.Label.Name != "species" || len(f.Classes) != 3 {
		t.Errorf("continued with the label %+v, %v", f.Schema.Label, err)
	}
}

// evaluated returns the report of evaluate as JSON. Remarks on standard error are
// accepted.
func evaluated(t testing.TB, model, data string, args ...string) evaluation {
	t.Helper()
	var stdout, stderr strings.Builder
	if err := run(append([]string{"evaluate", "-m", model, data, "--json"}, args...), &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	e := evaluation{Quality: new(quality)}
	if err := json.Unmarshal([]byte(stdout.String()), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestDataLoss: no output replaces the data, another output, or a file that is not the
// program's own. Nothing is read before this is found.
func TestDataLoss(t *testing.T) {
	text := "a,y\n1,no\n2,yes\n3,no\n4,yes\n"
	data := create(t, "t.csv", text)
	dir := filepath.Dir(data)
	link := filepath.Join(dir, "link.csv")
	if err := os.Symlink("t.csv", link); err != nil {
		t.Fatal(err)
	}
	foreign := create(t, "notes.txt", "my notes\n")
	model := trained(t, data)
	for _, c := range []struct{ line, want string }{
		{"train DATA -o DATA", "2 -o DATA is the input: it would be replaced"},
		{"train LINK -o DATA", "2 -o DATA is the input: it would be replaced"},
		{"train DATA -o LINK", "2 -o LINK is the input: it would be replaced"},
		{"train DATA -o DIR/../DIRBASE/t.csv", "2 -o DIR/../DIRBASE/t.csv is the input: it would be replaced"},
		{"train DATA --curves DATA", "2 --curves DATA is the input: it would be replaced"},
		{"train DATA --curves DIR/new -o DIR/new", "2 -o and --curves are both DIR/new"},
		{"train DATA -o FOREIGN", "2 -o: FOREIGN exists and was not written by this program; remove it first, or choose another name"},
		{"train DATA --curves FOREIGN", "2 --curves: FOREIGN exists and was not written by this program; remove it first, or choose another name"},
		{"train DATA --curves MODEL", "2 --curves: MODEL exists and was not written by this program; remove it first, or choose another name"},
		{"train NO.csv -o FOREIGN", "2 -o: FOREIGN exists and was not written by this program; remove it first, or choose another name"},
		{"train DATA -o DIR", "2 -o: DIR is not a regular file"},
		{"train DATA -o DIR/no/such/m", "2 -o: open DIR/no/such/.perceptron-"},
		{"export -m MODEL -o MODEL", "2 -o MODEL is the input: it would be replaced"},
		{"export -m MODEL -o FOREIGN", "2 -o: FOREIGN exists and was not written by this program; remove it first, or choose another name"},
		{"export -m MODEL -o DATA", "2 -o: DATA exists and was not written by this program; remove it first, or choose another name"},
	} {
		fill := strings.NewReplacer("DATA", data, "LINK", link, "FOREIGN", foreign, "MODEL", model, "DIRBASE", filepath.Base(dir), "DIR", dir).Replace
		if got := fails(t, strings.Fields(fill(c.line))...); !strings.HasPrefix(got, fill(c.want)) {
			t.Errorf("%s:\n%s, want\n%s", c.line, got, fill(c.want))
		}
	}
	if read(t, data) != text || read(t, foreign) != "my notes\n" {
		t.Error("a file was changed")
	}
	for _, line := range []string{"train DATA -o MODEL --curves CURVES", "train DATA -m MODEL -o MODEL --curves CURVES", "export -m MODEL -o EXPORT", "export -m MODEL -o EXPORT"} {
		line = strings.NewReplacer("DATA", data, "MODEL", model, "CURVES", dir+"/curves", "EXPORT", dir+"/planes").Replace(line)
		runs(t, strings.Fields(line)...) // the program's own files are replaced
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".perceptron-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestRawRows: with the model file alone, raw rows are predicted right. The scaling, the
// threshold and the names of the classes are in it.
func TestRawRows(t *testing.T) {
	data := create(t, "tumours.csv", tumours(569))
	model := trained(t, data, "--label", "diagnosis", "--drop", "id", "--holdout", "0.3", "--threshold", "f1")
	f, err := modelfile.Read(model)
	if err != nil {
		t.Fatal(err)
	}
	if f.Threshold == 0 || f.Scaling.Mean == nil || fmt.Sprint(f.Classes) != "[B M]" {
		t.Fatalf("threshold %v, %d means, classes %q", f.Threshold, len(f.Scaling.Mean), f.Classes)
	}
	if out := runs(t, "inspect", "-m", model); !strings.Contains(out, fmt.Sprintf("\nthreshold       %v: from this score on, the class is M\n", f.Threshold)) {
		t.Errorf("no threshold %v in\n%s", f.Threshold, out)
	}
	if e := evaluated(t, model, data, "--all"); e.Accuracy < 0.95 || e.Rows != 569 {
		t.Errorf("accuracy %v on %d raw rows", e.Accuracy, e.Rows)
	}
}

// TestHeaderOfNumbers: pandas' header of numbers is neither a row nor a class.
func TestHeaderOfNumbers(t *testing.T) {
	data := create(t, "t.csv", "0,1,y\n0,1,a\n1,0,b\n1,1,a\n0,0,b\n")
	f, err := modelfile.Read(trained(t, data))
	if err != nil || fmt.Sprint(f.Classes) != "[a b]" || f.Data.Rows != 4 || f.Schema.Label.Name != "y" {
		t.Errorf("%+v, %v", f.Details, err)
	}
}

// TestHuge: values whose squares overflow train if they are scaled, and are an error with a position if they are not.
// separate needs neither.
func TestHuge(t *testing.T) {
	data := create(t, "t.csv", "a,y\n1e300,no\n-1e300,yes\n")
	if got := runs(t, "predict", "-m", trained(t, data, "--missing=mean"), data); got != "no\nyes\n" {
		t.Error(got)
	}
	if got, want := fails(t, "train", data, "--missing=mean", "--raw"), "1 "+data+":2:7: perceptron: not finite: the score overflows, though every feature is finite"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if out := runs(t, "separate", data); !strings.Contains(out, "checked in exact arithmetic") {
		t.Errorf("separate printed\n%s", out)
	}
}

// TestMissingLabels: ?, NA and null in the label's column are no classes.
func TestMissingLabels(t *testing.T) {
	data := create(t, "t.csv", "a,y\n1,no\n2,yes\n3,?\n4,NA\n5,null\n6,\n")
	if got, want := fails(t, "train", data), "1 "+data+":4:3: the label is missing; train with --missing drop, which leaves out the row"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, rule := range []string{"drop", "mean"} {
		f, err := modelfile.Read(trained(t, data, "--missing", rule))
		if err != nil || fmt.Sprint(f.Classes) != "[no yes]" || f.Data.Rows != 2 || f.Data.LeftOut != 4 {
			t.Errorf("%s: %+v, %v", rule, f.Details, err)
		}
	}
}

// TestLatin1: names in another encoding are refused, in training and in prediction.
func TestLatin1(t *testing.T) {
	model := trained(t, create(t, "t.csv", "a,y\n1,Jürgen\n2,Ole\n3,Jürgen\n"))
	data := create(t, "latin1.csv", "a,y\n1,Ole\n2,J\xfcrgen\n")
	want := data + ":3:4: byte 0xfc is not UTF-8"
	for _, line := range []string{"train ", "evaluate -m " + model + " ", "predict -m " + model + " "} {
		if got := fails(t, strings.Fields(line+data)...); !strings.HasPrefix(got, "1 "+want) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// TestUpdates: an update on a row that is predicted right is not called an error.
func TestUpdates(t *testing.T) {
	data := create(t, "t.csv", "a,y\n-2,no\n-1,no\n1,yes\n2,yes\n3,yes\n")
	var r report
	if err := json.Unmarshal([]byte(runs(t, "train", data, "--algorithm", "margin", "--raw", "--epochs", "1", "--json", "--theta", "1e9")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Updates != 5 || r.LastUpdates != 5 || r.ProgressiveError != nil || r.Training.Accuracy != 1 {
		t.Errorf("%d updates, progressive error %v, accuracy %v", r.Updates, r.ProgressiveError, r.Training.Accuracy)
	}
	if err := json.Unmarshal([]byte(runs(t, "train", data, "--raw", "--epochs", "1", "--json", "--order", "cyclic")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Updates != 1 || r.ProgressiveError == nil || *r.ProgressiveError != 0.2 {
		t.Errorf("%d updates, progressive error %v, want 1 of 5 rows: the first, whose score is 0", r.Updates, r.ProgressiveError)
	}
	if err := json.Unmarshal([]byte(runs(t, "train", iris, "--algorithm", "onevsrest", "--epochs", "1", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.ProgressiveError != nil { // several classes may update on one row
		t.Errorf("onevsrest: progressive error %v", *r.ProgressiveError)
	}
	text := runs(t, "train", data, "--algorithm", "margin")
	if strings.Contains(text, "mistake") || strings.Contains(text, "progressive error") || !strings.Contains(text, "\nupdates ") {
		t.Errorf("printed\n%s", text)
	}
}

// TestDefaults: standardized, averaged, shuffled; Online for two classes, Multiclass for
// more.
func TestDefaults(t *testing.T) {
	two := create(t, "tumours.csv", tumours(200))
	for data, want := range map[string]string{
		two:  "online, order Shuffled, keep Average",
		iris: "multiclass of online, order Shuffled, keep Average",
	} {
		var r report
		out := runs(t, "train", data, "--json", "--label", map[bool]string{true: "diagnosis", false: "species"}[data == two], "--columns", map[bool]string{true: "measure 1,measure 2", false: "petal width"}[data == two])
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Model != want || !r.Standardized {
			t.Errorf("%s, standardized %v, want %s; %v", r.Model, r.Standardized, want, err)
		}
	}
}
