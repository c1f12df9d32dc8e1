package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain runs the program instead of the tests in a process that child starts.
func TestMain(m *testing.M) {
	if os.Getenv("TRAIN_CHILD") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// child returns a command that runs the program in its own process.
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

// runs runs the program and returns its output. It wants stderr to be empty, because
// stderr is not a terminal.
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
		t.Fatalf("%q is accepted and prints\n%s", args, stdout.String())
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
		t.Skip("PERCEPTRON_DATA is not set; it must name the folder with mushroom.svm.gz")
	}
	return filepath.Join(dir, "mushroom.svm.gz")
}

// TestGolden compares the output with golden files, except the time and the folder.
func TestGolden(t *testing.T) {
	for name, args := range map[string][]string{
		"iris":      {"-data", iris, "-model", "onevsrest", "-keep", "average", "-holdout", "0.2", "-standardise", "-seed", "1"},
		"stream":    {"-data", iris, "-model", "onevsrest", "-memory", "0", "-epochs", "3"},
		"batch":     {"-data", iris, "-model", "onevsrest", "-binary", "batch", "-rate", "0.5", "-holdout", "0.3"},
		"multi":     {"-data", iris, "-model", "multiclass", "-keep", "average", "-holdout", "0.2", "-standardise", "-seed", "1"},
		"cv":        {"-data", iris, "-model", "multiclass", "-binary", "online", "-keep", "pocket", "-drop", "sepal length", "-cv", "4", "-epochs", "20"},
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

// prepared returns the table and the model just before training.
func prepared(t *testing.T, args ...string) (*table, perceptron.Model) {
	t.Helper()
	o, err := parse(args, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	tab := o.table()
	m, err := o.start(tab)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = o.prepare(tab, m); err != nil {
		t.Fatal(err)
	}
	return tab, m
}

// TestFlagErrors compares the program's own messages. Of the library's messages, it
// compares the beginning only.
func TestFlagErrors(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-epochs", "1", "-save", model)
	for line, want := range map[string]string{
		"":                         "-data is required; -data - reads standard input",
		"-data":                    "flag needs an argument: -data",
		"-data x.csv y":            `unexpected argument "y"`,
		"-data x.txt":              "x.txt: unknown extension, want .csv, .tsv, .svm or .libsvm (each may be followed by .gz), or set -format",
		"-data x -format xml":      `-format is "xml", want csv or libsvm`,
		"-data x.csv":              "open x.csv: no such file or directory",
		"-data IRIS -holdout 1":    "-holdout is 1, want at least 0 and less than 1",
		"-data IRIS -holdout -0.1": "-holdout is -0.1, want at least 0 and less than 1",
		"-data IRIS -holdout NaN":  "-holdout is NaN, want at least 0 and less than 1",
		"-data IRIS -epochs 0":     "-features 0, -memory 1024, -epochs 0: the minimum values are 0, 0 and 1",
		"-data IRIS -memory -1":    "-features 0, -memory -1, -epochs 100: the minimum values are 0, 0 and 1",
		"-data IRIS -model tree":   `unknown model "tree": want online, margin, batch or, for -model only, onevsrest or multiclass`,
		"-data IRIS -model onevsrest -binary onevsrest":                        `unknown model "onevsrest": want online, margin, batch or, for -model only, onevsrest or multiclass`,
		"-data IRIS -binary online":                                            "-binary applies to -model onevsrest and multiclass only, not to margin",
		"-data IRIS -model multiclass -binary batch":                           "-binary batch does not apply to multiclass",
		"-data IRIS -model multiclass -binary online -theta 1":                 "-theta does not apply to online",
		"-data IRIS -model online -gamma 1":                                    "-gamma does not apply to online",
		"-data IRIS -model batch -theta 1":                                     "-theta does not apply to batch",
		"-data IRIS -model onevsrest -binary batch -order cyclic":              "-order does not apply to batch",
		"-data IRIS -model batch -keep last":                                   "-keep does not apply to batch",
		"-data IRIS -order random":                                             `invalid value "random" for flag -order: perceptron: bad format: `,
		"-data IRIS":                                                           `IRIS: 3 classes, want two, or use -model onevsrest or multiclass: ["setosa" "versicolor" "virginica"]`,
		"-data IRIS -model onevsrest -rate -1":                                 "IRIS: perceptron: bad configuration: Rate",
		"-data IRIS -model onevsrest -gamma 1 -theta 1":                        "IRIS: perceptron: bad configuration: Gamma",
		"-data IRIS -model onevsrest -memory 0 -order shuffled":                "IRIS: onevsrest of margin, order Shuffled, keep Last: this needs the rows in memory, but they take 0.0 MiB and -memory is 0",
		"-data IRIS -model onevsrest -memory 0 -binary batch":                  "IRIS: onevsrest of batch: this needs the rows in memory, but they take 0.0 MiB and -memory is 0",
		"-data IRIS -model onevsrest -label kind":                              `IRIS:1:1: no column "kind"; the columns are ["sepal length" "sepal width" "petal length" "petal width" "species"]`,
		"-data IRIS -model onevsrest -save /no/such/folder/m":                  "open /no/such/folder/.train-",
		"-data IRIS -cv 1":                                                     "-cv is 1, want at least 2",
		"-data IRIS -cv 3 -save m":                                             "-save cannot be used with -cv",
		"-data IRIS -model onevsrest -cv 150":                                  "IRIS: no class has as many rows as -cv, 150",
		"-data IRIS -missing zero":                                             `-missing is "zero", want error, mean or drop`,
		"-data IRIS -comma ab":                                                 `-comma is "ab", want one character, tab or space`,
		"-data IRIS -threshold high":                                           `-threshold is "high", want f1 or a number; -theta sets θ of the margin model`,
		"-data IRIS -threshold f1":                                             "-threshold f1 requires -holdout: it is chosen on the rows held out",
		"-data IRIS -model onevsrest -threshold 1":                             "-threshold is for two classes; it does not apply to onevsrest",
		"-data IRIS -model multiclass -threshold 1":                            "-threshold is for two classes; it does not apply to multiclass",
		"-data IRIS -model multiclass -memory 0 -order shuffled":               "IRIS: multiclass of margin, order Shuffled, keep Last: this needs the rows in memory",
		"-data IRIS -load MODEL -threshold 1":                                  "-threshold is for two classes; the model is onevsrest of margin, order Shuffled, keep Last",
		"-data IRIS -load MODEL -drop species":                                 "-drop cannot be used with -load",
		"-data IRIS -load MODEL -missing mean":                                 "-missing mean: the model has no means, because it was trained without -missing mean and -standardise",
		"-data IRIS -scores":                                                   "-scores requires -predict",
		"-data IRIS -model onevsrest -drop petal":                              `IRIS:1:1: no column "petal"; the columns are [`,
		"-data x.svm -missing drop":                                            "-missing applies to CSV files only",
		"-data IRIS -predict":                                                  "-predict requires -load",
		"-data IRIS -model onevsrest -features 4":                              "-features applies to LIBSVM files only; the columns of a CSV file set the number",
		"-data x.svm -label first":                                             "-label applies to CSV files only; in a LIBSVM file the label comes first",
		"-data IRIS -model onevsrest -save /tmp":                               "/tmp is not a regular file",
		"-data IRIS -load MODEL -seed 1":                                       "-seed cannot be used with -load",
		"-data IRIS -load MODEL -standardise":                                  "-standardise cannot be used with -load",
		"-data IRIS -load MODEL -predict -epochs 3":                            "-epochs cannot be used with -predict",
		"-data IRIS -load MODEL -predict -save MODEL":                          "-save cannot be used with -predict",
		"-data IRIS -load no.bin":                                              "open no.bin: no such file or directory",
		"-data IRIS -load IRIS":                                                "IRIS: perceptron: bad format:",
		"-data ../separable/pets.csv -load MODEL":                              "../separable/pets.csv:1:1: features [\"weight kg\" \"height cm\" \"length cm\"], but the model has [\"sepal length\"",
		"-data ../separable/pets.csv -model onevsrest -label length":           `../separable/pets.csv:1:1: no column "length"`,
		"-data ../separable/pets.csv -label first -model online":               "../separable/pets.csv:2:11: \"cat\", want a finite number",
		"-data ../separable/pets.csv -model online -format libsvm":             "../separable/pets.csv: no row has a feature",
		"-data ../separable/pets.csv -format libsvm -features 3 -model online": `../separable/pets.csv:1:1: label "weight"`,
		"-data ../separable/pets.csv -load MODEL -predict":                     `../separable/pets.csv:1:1: features ["weight kg" "height cm" "length cm" "animal"], but the model has ["sepal length"`,
	} {
		line = strings.ReplaceAll(strings.ReplaceAll(line, "IRIS", iris), "MODEL", model)
		want = strings.ReplaceAll(want, "IRIS", iris)
		if got := fails(t, strings.Fields(line)...); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n%s, want\n%s", line, got, want)
		}
	}
}

// TestProgram tests the process: -help is not an error, and an error prints one line.
func TestProgram(t *testing.T) {
	help, err := child(t, "-help").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(help), "usage: train -data FILE") || !strings.Contains(string(help), "  -standardise\n") {
		t.Errorf("%v\n%s", err, help)
	}
	text, err := child(t, "-epochs", "many").CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 2 || string(text) != "train: invalid value \"many\" for flag -epochs: parse error\n" {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestLateErrors: the program reports a file that it cannot write after the training, and
// still evaluates the model.
func TestLateErrors(t *testing.T) {
	for _, flag := range []string{"-save", "-curves"} {
		args := []string{"-data", iris, "-model", "onevsrest", flag, "/no/such/folder/file"}
		o, err := parse(args, os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		tab, m := prepared(t, args...)
		b := newBars(new(strings.Builder))
		s := &summary{table: tab, model: m}
		if err := o.train(s, b); err != nil || !os.IsNotExist(s.unwritten) {
			t.Errorf("%s: %v, %v, want no such file or directory", flag, err, s.unwritten)
		}
		if r := s.report(); r.Accuracy < 0.5 || r.Saved != "" { // the results are not lost
			t.Errorf("%s: %+v", flag, r)
		}
		b.close()
	}
	model := filepath.Join(t.TempDir(), "m.bin")
	if err := os.Mkdir(beside(model), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, want := fails(t, "-data", iris, "-model", "onevsrest", "-save", model), beside(model)+" is not a regular file"; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestStatus: usage errors have exit status 2, bad data has 1.
func TestStatus(t *testing.T) {
	for args, want := range map[string]int{
		"-help": 0, "-nothing": 2, "-data x.txt": 2, "-data none.csv": 1, "-data " + iris: 1,
		"-data " + iris + " -model tree": 2, "-data " + iris + " -gamma 1 -model online": 2, "-data x.svm -label first": 2,
	} {
		var out strings.Builder
		if got := status(run(strings.Fields(args), &out, &out)); got != want {
			t.Errorf("%s: status %d, want %d", args, got, want)
		}
	}
}

// TestJSON: the names of the JSON report are stable.
func TestJSON(t *testing.T) {
	out := runs(t, "-data", iris, "-model", "onevsrest", "-epochs", "2", "-holdout", "0.2", "-json")
	var names []string
	for _, found := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(out, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	want := "file streamed trainingRows heldOutRows dropped features standardised classes model firstEpoch epochs stop mistakes lastMistakes lastLoss accuracy heldOutAccuracy perClass class rows precision recall f1 confusion seconds"
	if got := strings.Join(names, " "); got != want || strings.Count(out, "\n") != 1 {
		t.Errorf("names %s, want %s", got, want)
	}
}
