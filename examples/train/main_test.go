package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain is the program itself in a child process.
func TestMain(m *testing.M) {
	if os.Getenv("TRAIN_CHILD") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// child returns the program as a process to start.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "TRAIN_CHILD=1")
	return cmd
}

const iris = "../iris/iris.csv"

// runs runs the program and returns what it printed; stderr, which is no terminal,
// is to be empty.
func runs(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if err := run(args, &stdout, &stderr); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	if stderr.Len() > 0 {
		t.Fatalf("%q writes %q to standard error", args, stderr.String())
	}
	return stdout.String()
}

// fails runs the program and returns its error.
func fails(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	err := run(args, &stdout, &stderr)
	if err == nil {
		t.Fatalf("%q is taken, and prints\n%s", args, stdout.String())
	}
	return err.Error()
}

func create(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mushroom is UCI's agaricus-lepiota: 6,513 rows of 126 binary features.
func mushroom(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" {
		t.Skip("PERCEPTRON_DATA names no folder with mushroom.svm.gz")
	}
	return filepath.Join(dir, "mushroom.svm.gz")
}

// TestGolden holds what is printed, but for the time taken and the folder.
func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"iris":      {"-data", iris, "-model", "onevsrest", "-keep", "average", "-holdout", "0.2", "-standardise", "-seed", "1"},
		"stream":    {"-data", iris, "-model", "onevsrest", "-memory", "0", "-epochs", "3"},
		"batch":     {"-data", iris, "-model", "onevsrest", "-binary", "batch", "-rate", "0.5", "-holdout", "0.3"},
		"mushroom":  {"-data", "", "-holdout", "0.2"},
		"mushroom2": {"-data", "", "-model", "online", "-order", "sampled", "-keep", "pocket", "-epochs", "4"},
	} {
		t.Run(name, func(t *testing.T) {
			if args[1] == "" {
				args[1] = mushroom(t)
			}
			got := runs(t, args...)
			got = strings.ReplaceAll(got, filepath.Dir(args[1])+"/", "")
			got = regexp.MustCompile(`(?m)^time .*$`).ReplaceAllString(got, "time")
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want := read(t, golden); got != want {
				t.Errorf("printed\n%swant\n%s", got, want)
			}
		})
	}
}

// TestCounts: the accuracies and the confusion printed are the library's own on
// the parts.
func TestCounts(t *testing.T) {
	tab, m := prepared(t, "-data", iris, "-model", "onevsrest", "-holdout", "0.3")
	for _, err := range tab.epochs(m, 5, func(int) {}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	counts, err := tab.evaluate(m)
	if err != nil {
		t.Fatal(err)
	}
	for p := range parts {
		want, err := perceptron.Accuracy(m, tab.X[p], tab.y[p])
		if err != nil {
			t.Fatal(err)
		}
		_, matrix, err := perceptron.Confusion(m, tab.X[p], tab.y[p])
		if err != nil {
			t.Fatal(err)
		}
		if got, n := accuracy(counts[p]); got != want || n != len(tab.X[p]) || fmt.Sprint(counts[p]) != fmt.Sprint(matrix) {
			t.Errorf("part %d: %v of %d, %v; want %v, %v", p, got, n, counts[p], want, matrix)
		}
	}
}

// prepared returns the table and the model as they are before training.
func prepared(t *testing.T, args ...string) (*table, perceptron.Model) {
	t.Helper()
	o, err := parse(args, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	tab := &table{file: o.data, reading: unseen}
	m, err := o.start(tab)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = o.prepare(tab, m); err != nil {
		t.Fatal(err)
	}
	return tab, m
}

func TestFlagErrors(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-epochs", "1", "-save", model)
	for line, want := range map[string]string{
		"":                         "want -data with a file",
		"-data":                    "flag needs an argument: -data",
		"-data x.csv y":            `"y" is no flag`,
		"-data x.txt":              "x.txt: its name ends in none of .csv, .svm, .libsvm, each also with .gz: want -format",
		"-data x -format xml":      `-format is "xml", want csv or libsvm`,
		"-data x.csv":              "open x.csv: no such file or directory",
		"-data IRIS -holdout 1":    "-holdout is 1, want at least 0 and less than 1",
		"-data IRIS -holdout -0.1": "-holdout is -0.1, want at least 0 and less than 1",
		"-data IRIS -holdout NaN":  "-holdout is NaN, want at least 0 and less than 1",
		"-data IRIS -epochs 0":     "-features 0, -memory 1024, -epochs 0: want at least 0, 0, 1",
		"-data IRIS -memory -1":    "-features 0, -memory -1, -epochs 100: want at least 0, 0, 1",
		"-data IRIS -model tree":   `model "tree", want online, margin, batch or onevsrest, and one of the first three for -binary`,
		"-data IRIS -model onevsrest -binary onevsrest":                        `model "onevsrest", want online, margin, batch or onevsrest, and one of the first three for -binary`,
		"-data IRIS -binary online":                                            "-binary goes with -model onevsrest, not margin",
		"-data IRIS -model online -gamma 1":                                    "-gamma has no meaning for online",
		"-data IRIS -model batch -threshold 1":                                 "-threshold has no meaning for batch",
		"-data IRIS -model onevsrest -binary batch -order cyclic":              "-order has no meaning for batch",
		"-data IRIS -model batch -keep last":                                   "-keep has no meaning for batch",
		"-data IRIS -order random":                                             `invalid value "random" for flag -order: perceptron: bad format: Order "random" is none of Cyclic, Shuffled, Sampled`,
		"-data IRIS":                                                           `IRIS: 3 classes, want two, or -model onevsrest: ["setosa" "versicolor" "virginica"]`,
		"-data IRIS -model onevsrest -rate -1":                                 "IRIS: perceptron: bad configuration: Rate is -1, want a positive finite number, or 0 for 1",
		"-data IRIS -model onevsrest -gamma 1 -threshold 1":                    "IRIS: perceptron: bad configuration: Gamma is 1 and Threshold is 1, want at most one of them set",
		"-data IRIS -model onevsrest -memory 0 -order shuffled":                "IRIS: onevsrest of margin, order Shuffled, keep Last: it needs the rows in memory, where they take 0.0 MiB, more than -memory 0",
		"-data IRIS -model onevsrest -memory 0 -binary batch":                  "IRIS: onevsrest of batch: it needs the rows in memory, where they take 0.0 MiB, more than -memory 0",
		"-data IRIS -model onevsrest -label kind":                              `IRIS:1:1: no column "kind" among ["sepal length" "sepal width" "petal length" "petal width" "species"]`,
		"-data IRIS -model onevsrest -save /no/such/folder/m":                  "open /no/such/folder/.train-",
		"-data IRIS -predict":                                                  "-predict wants -load with a model",
		"-data IRIS -model onevsrest -features 4":                              "-features goes with LIBSVM's format; CSV has its own number",
		"-data x.svm -label first":                                             "-label goes with CSV; in LIBSVM's format the label is the first word",
		"-data IRIS -model onevsrest -save /tmp":                               "/tmp is no regular file",
		"-data IRIS -load MODEL -seed 1":                                       "-seed does not go with -load",
		"-data IRIS -load MODEL -standardise":                                  "-standardise does not go with -load",
		"-data IRIS -load MODEL -predict -epochs 3":                            "-epochs does not go with -predict",
		"-data IRIS -load MODEL -predict -save MODEL":                          "-save does not go with -predict",
		"-data IRIS -load no.bin":                                              "open no.bin: no such file or directory",
		"-data IRIS -load IRIS":                                                "IRIS: perceptron: bad format:",
		"-data ../separable/pets.csv -load MODEL":                              "../separable/pets.csv:1:1: 3 features, want the model's 4",
		"-data ../separable/pets.csv -model onevsrest -label length":           `../separable/pets.csv:1:1: no column "length"`,
		"-data ../separable/pets.csv -label first -model online":               "../separable/pets.csv:2:11: \"cat\", want a finite number",
		"-data ../separable/pets.csv -model online -format libsvm":             "../separable/pets.csv: no row has a feature",
		"-data ../separable/pets.csv -format libsvm -features 3 -model online": `../separable/pets.csv:1:1: label "weight", want an integer`,
		"-data ../separable/pets.csv -load MODEL -predict":                     `../separable/pets.csv:1:1: features ["weight kg" "height cm" "length cm" "animal"], want the model's ["sepal length"`,
	} {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "IRIS", iris), "MODEL", model)
		want = strings.ReplaceAll(want, "IRIS", iris)
		if got := fails(t, strings.Fields(line)...); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n%s, want\n%s", line, got, want)
		}
	}
}

// TestLabelColumn: wherever the classes stand, and whatever they are called, the
// model is the same.
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
			t.Errorf("%s: another model", name)
		}
	}
}

// TestBadFiles: file, line and column of what is wrong, and what was found.
func TestBadFiles(t *testing.T) {
	for _, c := range [][3]string{
		{"value.csv", "a,b,c\n1,2,x\n3,four,y\n", ":3:3: \"four\", want a finite number"},
		{"empty value.csv", "1,2,x\n3,,y\n", ":2:3: \"\", want a finite number"},
		{"nan.csv", "1,2,x\n3,NaN,y\n", ":2:3: \"NaN\", want a finite number"},
		{"large.csv", "1,2,x\n3,1e999,y\n", ":2:3: \"1e999\", want a finite number"},
		{"class.csv", "1,2,x\n3,1,\n", ":2:5: no label"},
		{"fields.csv", "1,2,x\n3,y\n", ":2:1: 2 fields, want 3 as in the first line"},
		{"quote.csv", "1,\"2,x\n", ":1:8: extraneous or missing \" in quoted-field"},
		{"bare.csv", "1,2,x\n1,2\"3,y\n", ":2:4: bare \" in non-quoted-field"},
		{"one.csv", "x\ny\n", ":1:1: 1 fields, want a label and at least one feature"},
		{"empty.csv", "", ": no rows"},
		{"names.csv", "a,b,c\n", ": no rows to train on"},
		{"alone.csv", "1,a\n2,a\n", ": every row is of class \"a\", want at least two classes"},
		{"value.svm", "1 1:1\n0 1:x\n", ":2:5: value \"x\", want a finite number"},
		{"index.svm", "1 1:1\n0 99999999:1\n", ":2:3: index 99999999, want at most 16777216, or -features"},
		{"order.svm", "1 1:1\n0 2:1 1:1\n", ":2:7: index 1 after 2, want ascending indices"},
		{"empty.svm", "", ": no row has a feature"},
		{"zip.csv.gz", "1,2,x\n3,4,y\n", ": gzip: invalid header"},
		{"overflow.csv", "1e200,1e300,x\n-1e200,1e300,y\n1e300,1e300,x\n", ": perceptron: example 0: not finite: the update overflows, though every feature is finite"},
	} {
		file := create(t, c[0], c[1])
		for _, memory := range []string{"0", "1"} {
			if got := fails(t, "-data", file, "-memory", memory, "-order", "cyclic"); got != file+c[2] {
				t.Errorf("%v, want %s%s", got, file, c[2])
			}
		}
	}
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "1,%d\n", i)
	}
	file := create(t, "many.csv", many.String())
	if got, want := fails(t, "-data", file, "-model", "onevsrest"), file+":1001:3: \"1000\" is one class more than the most, 1000: is this the label's column?"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	file = create(t, "wide.csv", "1e300,x\n-1e300,y\n")
	if got, want := fails(t, "-data", file, "-standardise"), file+": feature 1 is too large to be standardised"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestClasses: integers stay what they are, in the library's model too.
func TestClasses(t *testing.T) {
	for text, want := range map[string]string{
		"1,7\n2,-3\n3,10\n":  "[-3 7 10] [-3 7 10]",
		"1,7\n2,07\n3,10\n":  "[07 7 10] [0 1 2]",
		"1,b\n2,10\n3,9\n":   "[10 9 b] [0 1 2]",
		"1,2.5\n2,10\n3,9\n": "[2.5 9 10] [0 1 2]",
	} {
		tab, m := prepared(t, "-data", create(t, "c.csv", text), "-model", "onevsrest")
		if got := fmt.Sprint(tab.Classes, tab.Labels); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for _, err := range tab.epochs(m, 1, func(int) {}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := m.(*perceptron.OneVsRest).Classes(); !slices.Equal(got, tab.Labels) {
			t.Errorf("the model has %v, want %v", got, tab.Labels)
		}
	}
}

// TestProgram: what the process itself does: help is no error, an error is one line.
func TestProgram(t *testing.T) {
	help, err := child(t, "-help").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(help), "usage: train -data FILE") || !strings.Contains(string(help), "  -standardise\n") {
		t.Errorf("%v\n%s", err, help)
	}
	told, err := child(t, "-epochs", "many").CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 || string(told) != "invalid value \"many\" for flag -epochs: parse error\n" {
		t.Errorf("%v\n%s", err, told)
	}
}

// TestLateErrors: what cannot be written after the training is told.
func TestLateErrors(t *testing.T) {
	for _, flag := range []string{"-save", "-curves"} {
		args := []string{"-data", iris, "-model", "onevsrest", flag, "/no/such/folder/file"}
		o, err := parse(args, os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		tab, m := prepared(t, args...)
		b := newBars(new(strings.Builder))
		if err := o.train(&summary{table: tab, model: m}, b); !os.IsNotExist(err) {
			t.Errorf("%s: %v, want that there is no such folder", flag, err)
		}
		b.close()
	}
	model := filepath.Join(t.TempDir(), "m.bin")
	if err := os.Mkdir(beside(model), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := fails(t, "-data", iris, "-model", "onevsrest", "-save", model), beside(model)+" is no regular file"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestReadingBar: there is one for a file that has a size.
func TestReadingBar(t *testing.T) {
	b := newBars(new(strings.Builder))
	defer b.close()
	for file, want := range map[string]bool{iris: true, create(t, "empty", ""): false, os.DevNull: false} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if r := b.reading(f); (r != f) != want {
			t.Errorf("%s: a bar: %v, want %v", file, r != f, want)
		}
	}
}
