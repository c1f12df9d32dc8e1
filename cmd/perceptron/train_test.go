package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
)

// cloud returns a file of two overlapping classes.
func cloud(t testing.TB, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("u,v,w,side\n")
	for range n {
		u, v, w := r.NormFloat64(), 10*r.NormFloat64(), 100+r.NormFloat64()
		class := "left"
		if u+v/10+0.5*r.NormFloat64() > 0 {
			class = "right"
		}
		fmt.Fprintf(&text, "%.6f,%.6f,%.6f,%s\n", u, v, w, class)
	}
	return create(t, "cloud.csv", text.String())
}

// state returns a saved model as text, without MaxEpochs and the file's checksums.
func state(t testing.TB, file string) string {
	t.Helper()
	f, err := modelfile.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	*modelfile.SettingsOf(f.Model).Epochs = 1
	text, err := json.Marshal(f.Model)
	if err != nil {
		t.Fatal(err)
	}
	f.Data.File = ""
	return fmt.Sprintf("%s %+v", text, f.Details)
}

// TestSampled: a report says that its AUC is from a sample.
func TestSampled(t *testing.T) {
	auc, precision := 0.75, 0.5
	var out strings.Builder
	q := quality{AUC: &auc, AveragePrecision: &precision, Sampled: true}
	if err := layouts().ExecuteTemplate(&out, "figures", q); err != nil || out.String() != "accuracy 0.0000, macro F1 0.0000, AUC 0.7500, average precision 0.5000 (the last two on a sample); the most frequent class alone: 0.0000\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestCurves: the file has one line for each epoch.
func TestCurves(t *testing.T) {
	file := filepath.Join(t.TempDir(), "curves.csv")
	runs(t, "train", iris, "--epochs", "4", "--holdout", "0.2", "--curves", file)
	lines := strings.Split(read(t, file), "\n")
	if len(lines) != 6 || lines[0]+"\n" != curvesHead || !strings.HasPrefix(lines[4], "4,120,") || strings.HasSuffix(lines[4], ",") {
		t.Errorf("%q", lines)
	}
	runs(t, "train", iris, "--epochs", "2", "--curves", file) // nothing held out
	if lines = strings.Split(read(t, file), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[2], "2,150,") || !strings.HasSuffix(lines[2], ",") {
		t.Errorf("%q", lines)
	}
}

// TestThreshold: f1 chooses the best threshold on the rows held out, which predict uses.
func TestThreshold(t *testing.T) {
	file, model := cloud(t, 500), filepath.Join(t.TempDir(), "m")
	f1 := func(threshold string) float64 {
		var r report
		if err := json.Unmarshal([]byte(runs(t, "train", file, "--holdout", "0.3", "--epochs", "2", "--threshold", threshold, "-o", model, "--json")), &r); err != nil {
			t.Fatal(err)
		}
		return r.HeldOut.PerClass[1].F1
	}
	best := f1("f1")
	for _, other := range []string{"0", "0.5", "-0.5", "2", "-2", "1e299"} {
		if got := f1(other); got > best {
			t.Errorf("threshold %s has F1 %v, but f1 chose %v", other, got, best)
		}
	}
	if got := runs(t, "predict", "-m", model, file); strings.Contains(got, "right") {
		t.Error("a row reaches the score 1e299")
	}
	if e := evaluated(t, model, file); e.Part != "heldOut" || e.PerClass[1].Recall != 0 || e.Rows < 148 || e.Rows > 152 {
		t.Errorf("%+v, %+v", e, e.Quality)
	}
}

// TestCrossValidation: the folds cover all rows, mean and deviation are those of the
// folds, and rows from the file give the same result as rows in memory.
func TestCrossValidation(t *testing.T) {
	args := []string{"train", cloud(t, 203), "--cv", "4", "--order", "cyclic", "--epochs", "5", "--json", "--seed", "2", "--waves", "0"}
	var r crossReport
	out := runs(t, args...)
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	sum, squares, rows := 0.0, 0.0, 0
	for _, f := range r.Folds {
		sum += f.Accuracy
		squares += f.Accuracy * f.Accuracy
		rows += f.Rows
	}
	mean := sum / 4
	if deviation := math.Sqrt((squares - 4*mean*mean) / 3); rows != 203 || math.Abs(r.Mean-mean) > 1e-12 || math.Abs(r.Deviation-deviation) > 1e-9 || r.Mean < 0.7 {
		t.Errorf("%s, want mean %v and deviation %v", out, mean, deviation)
	}
	if again := runs(t, append(args, "--memory", "0")...); again != out {
		t.Errorf("from the file\n%s, want\n%s", again, out)
	}
	if other := runs(t, append(args, "--seed", "3")...); other == out {
		t.Error("another seed gives the same folds")
	}
}

// TestFlagErrors: each wrong use is found before anything is written, with its status.
func TestFlagErrors(t *testing.T) {
	model := trained(t, iris, "--epochs", "1")
	two := trained(t, cloud(t, 20), "--epochs", "1")
	for line, want := range map[string]string{
		"train":                                                     `2 expected "<data>"`,
		"train x y":                                                 "2 unexpected argument y",
		"train IRIS --model-file x":                                 "2 unknown flag --model-file",
		"train IRIS --header maybe":                                 `2 --header must be one of "auto","yes","no" but got "maybe"`,
		"train no.csv":                                              "1 open no.csv: no such file or directory",
		"train /tmp":                                                "1 /tmp: read /tmp: is a directory",
		"train IRIS --holdout 1":                                    "2 --holdout is 1, want at least 0 and less than 1",
		"train IRIS --holdout NaN":                                  "2 --holdout is NaN, want at least 0 and less than 1",
		"train IRIS --epochs 0":                                     "2 --features, --memory, --patience and --checkpoint must be at least 0, and --epochs at least 1",
		"train IRIS --cv 1":                                         "2 --cv is 1, want at least 2",
		"train IRIS --cv 3 -o m":                                    "2 --output cannot be used with --cv",
		"train IRIS --cv 3 --patience 2":                            "2 --patience cannot be used with --cv",
		"train IRIS --cv 150":                                       "2 IRIS: no class has as many rows as --cv, 150",
		"train IRIS --patience 3":                                   "2 --patience, --threshold f1 and --calibrate require --holdout: they use the rows held out",
		"train IRIS --checkpoint 3":                                 "2 --checkpoint requires -o, the file to save in",
		"train IRIS --refit --patience 2 --holdout 0.2":             "2 --refit requires --patience, which finds the number of epochs, and -o, the file to save in",
		"train IRIS --refit -o m":                                   "2 --refit requires --patience, which finds the number of epochs",
		"train IRIS --cv 3 --refit":                                 "2 --refit cannot be used with --cv",
		"train IRIS -m MODEL --refit":                               "2 --refit cannot be used with -m",
		"train IRIS --threshold f1":                                 "2 --patience, --threshold f1 and --calibrate require --holdout: they use the rows held out",
		"train IRIS --threshold high":                               `2 --threshold is "high", want f1 or a number; --theta sets θ of the margin rule`,
		"train IRIS --threshold NaN":                                `2 --threshold is "NaN", want f1 or a number; --theta sets θ of the margin rule`,
		"train IRIS --threshold 1":                                  "2 --threshold is for two classes; the model is multiclass of online, order Shuffled, keep Average",
		"train IRIS --comma ab":                                     `2 --comma must be one of "auto","comma","semicolon","tab","bar","space","caret","tilde","none" but got "ab"`,
		"train IRIS --algorithm online":                             "2 --algorithm online separates two classes, but there are 3; multiclass and onevsrest take any number",
		"train IRIS --algorithm online --rule x":                    `2 --rule must be one of "auto","online","margin","batch" but got "x"`,
		"train IRIS --algorithm batch --rule batch":                 "2 --rule cannot be used with --algorithm batch",
		"train IRIS --algorithm multiclass --rule batch":            "2 --rule batch does not apply to multiclass",
		"train IRIS --rule batch":                                   "2 --rule batch does not apply to multiclass: use --algorithm batch for two classes, or --algorithm onevsrest --rule batch for more",
		"train IRIS --algorithm onevsrest --rule batch --keep last": "2 --keep cannot be used with the rule batch",
		"train IRIS --gamma 1":                                      "2 --gamma cannot be used with the rule online",
		"train IRIS --rule margin --gamma 1 --theta 1":              "2 perceptron: bad configuration: Gamma",
		"train no.csv --rate -1":                                    "2 perceptron: bad configuration: Rate is -1",
		"train no.csv --algorithm batch --rate Inf":                 "2 perceptron: bad configuration: Rate is +Inf",
		"train IRIS --features 4":                                   "1 IRIS: --features applies to LIBSVM files only; the columns of a CSV file set the number",
		"train IRIS -m MODEL --seed 1":                              "2 --seed cannot be used with -m",
		"train IRIS -m MODEL --raw":                                 "2 --raw cannot be used with -m",
		"train IRIS -m MODEL --na x":                                "2 --na cannot be used with -m",
		"train IRIS -m MODEL --patience 1":                          "2 no rows are held out for --threshold f1, --patience and --calibrate",
		"train IRIS -m TWO":                                         `1 IRIS:1:1: no column "u"; the columns are "sepal length"`,
		"train IRIS -m no.model":                                    "1 open no.model: no such file or directory",
		"train IRIS -m IRIS":                                        "1 IRIS: not a model of this program: it begins",
		"predict IRIS":                                              "2 missing flags: --model=FILE",
		"predict IRIS -m MODEL --id name":                           `1 IRIS:1:1: no column "name"; the columns are "sepal length"`,
		"evaluate IRIS -m MODEL --label name":                       `1 IRIS:1:1: no column "name"; the columns are "sepal length"`,
		"separate IRIS":                                             `1 IRIS: set --positive to one of the 3 classes "setosa", "versicolor", "virginica"`,
		"separate IRIS --positive tulip":                            `1 IRIS: set --positive to one of the 3 classes "setosa", "versicolor", "virginica"`,
		"inspect IRIS":                                              "2 unexpected argument ../../examples/iris/iris.csv",
		"inspect -m IRIS":                                           "1 IRIS: not a model of this program: it begins",
		"export -m IRIS":                                            "1 IRIS: not a model of this program: it begins",
		"export IRIS -m MODEL":                                      "2 unexpected argument IRIS",
	} {
		fill := strings.NewReplacer("IRIS", iris, "MODEL", model, "TWO", two).Replace
		if got := fails(t, strings.Fields(fill(line))...); !strings.HasPrefix(got, fill(want)) {
			t.Errorf("%s\n%s, want\n%s", line, got, fill(want))
		}
	}
}

// TestClasses: a file without two classes, or with too many, cannot be trained on.
func TestClasses(t *testing.T) {
	var many strings.Builder
	for i := range mostClasses + 1 {
		fmt.Fprintf(&many, "%d.5,c%d\n%d.5,c%d\n", i, i, i, i)
	}
	for text, want := range map[string]string{
		"a,y\n1,no\n2,no\n":     `column "y": every row has class "no", want at least two classes; --label names another`,
		"a,y\n1,no\n2,?\n":      `column "y": every row has class "no", want at least two classes; --label names another`,
		"label,b\n1,no\n2,no\n": `column "b": every row has class "no", want at least two classes; --label "label" names another`,
		"a,y\n1,?\n2,?\n":       `column "y", the label, has no value: --label names another`,
		"a,y\n":                 "no rows to train on",
		many.String():           `class "c1000" is one more than the limit of 1000; is "x2" the label's column? --label names another`,
	} {
		data := create(t, "t.csv", text)
		if got := fails(t, "train", data, "--missing", "drop"); !strings.HasPrefix(got, "1 "+data+":") || !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	data := create(t, "rare.csv", "a,y\n1,no\n2,yes\n3,no\n4,no\n5,no\n6,no\n7,no\n8,no\n9,no\n")
	if f := mustRead(t, trained(t, data, "--holdout", "0.9", "--columns", "a")); f.Data.HeldOut != 7 || fmt.Sprint(f.Data.Kept) != "[yes]" {
		t.Errorf("%+v", f.Data)
	}
}

// TestHeldOutScaling: the rows held out have no influence on the scaling.
func TestHeldOutScaling(t *testing.T) {
	file := cloud(t, 200)
	f := mustRead(t, trained(t, file, "--holdout", "0.3", "--seed", "3", "--epochs", "1"))
	rows := split.Division{Share: 0.3, Seed: 3}.Divider()
	sum, n := 0.0, 0.0
	for _, row := range records(t, file)[1:] {
		if rows.Part(row[3], "") == split.Training {
			u, _ := strconv.ParseFloat(row[0], 64)
			sum += u
			n++
		}
	}
	if n == 200 || f.Data.Rows != int(n) || math.Abs(f.Scaling.Mean[0]-sum/n) > 1e-12 {
		t.Errorf("mean %v of %d rows, want %v of %v", f.Scaling.Mean[0], f.Data.Rows, sum/n, n)
	}
}

// TestSeparate: bounds, verdict and proof of a separable and an inseparable table.
func TestSeparate(t *testing.T) {
	for _, c := range []struct {
		text, flags string
		want        []string
	}{
		{"a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n", "", []string{"proved: no hyperplane separates these numbers\nThis is true of the decimal numbers of the file.\n", "These rows prove it: their weighted sum of y·(x, 1) is 0.\n          0.25 × line 2: -1 (no)", "× line 5: -1 (no)", "4 rows of 2 features; +1 is \"yes\""}},
		{"a,b,y\n0,2,no\n0,1,yes\n1,0,yes\n", "", []string{"proved: separable; Rosenblatt's rule makes at most (R/γ)² = 65 mistakes", " -0.5547 × b\n", "\n      0.384615 × line 2: -1 (no)\n      0.615385 × line 3: +1 (yes)\n\nAll of"}},
		{"a,b,y\n0,2,no\n0,1,yes\n1,0,yes\n", "--positive no", []string{"+1 is \"no\"", "  0.5547 × b\n", "× line 3: -1 (yes)\n"}},
		{"a,y\n1e-400,yes\n2e-400,no\n", "", []string{"γ is in [4.9999999999999999e-401, 5e-401]\nproved: separable; ", " = 4.00001e800 mistakes"}},
		{"a,y\n1e-2000,yes\n2e-2000,no\n", "", []string{"proved: no hyperplane separates these numbers\nThis is true of the numbers as float64.\n"}},
		{"a;y\n0,1;yes\n0,1000000000000000000001;no\n", "--coq " + filepath.Join(t.TempDir(), "p.v"), []string{"proved: separable; Rosenblatt's rule", "This is true of the decimal numbers of the file.\n\nThe hyperplane ⟨w, x⟩ + b = 0 proves the lower bound on γ:\n     -0.995037 × a\n     0.0995037\n", "\nCoq checks them with proofs/verify "}},
	} {
		out := runs(t, append([]string{"separate", create(t, "t.csv", c.text)}, strings.Fields(c.flags)...)...)
		if strings.Contains(c.flags, "--coq") {
			proof := strings.Fields(c.flags)[1]
			if text := read(t, proof); !strings.HasPrefix(text, "(* Check this file, ") || !strings.Contains(text, "([0.1], true) (* line 2 *);\n  ([0.1000000000000000000001], false) (* line 3 *)") {
				t.Errorf("the proof is\n%s", text)
			}
		}
		for _, want := range append(c.want, "\nAll of these statements were checked in exact arithmetic.\n") {
			if !strings.Contains(out, want) {
				t.Errorf("%q: no %q in\n%s", c.text, want, out)
			}
		}
	}
}

// TestSeparateLimits: the exact answer is left out if there are too many numbers for it, or
// if it takes too long, but not with --coq.
func TestSeparateLimits(t *testing.T) {
	numbers, limit := mostNumbers, mostTime
	defer func() { mostNumbers, mostTime = numbers, limit }()
	versicolor := []string{"separate", iris, "--positive", "versicolor"}
	exact, float := "proved: no hyperplane separates these numbers\nThis is true of the decimal", "no separating hyperplane was found; none has a margin above "
	for _, c := range []struct {
		numbers int
		limit   time.Duration
		coq     bool
		want    string
	}{{600, limit, false, exact}, {599, limit, false, float}, {600, 0, false, float}, {1, 0, true, exact}} {
		mostNumbers, mostTime = c.numbers, c.limit
		args := versicolor
		if c.coq {
			args = append(args, "--coq", filepath.Join(t.TempDir(), "p.v"))
		}
		out := runs(t, args...)
		if !strings.Contains(out, c.want) || strings.Contains(out, "numbers as float64") != (c.want == float) || strings.Contains(out, "is not longer than it") != (c.want == float) {
			t.Errorf("%+v: no %q in\n%s", c, c.want, out)
		}
	}
	odd := create(t, "odd.csv", "a,y\n1e-2000,yes\n2e-2000,no\n")
	if text := fails(t, "separate", odd, "--coq", filepath.Join(t.TempDir(), "p.v")); !strings.Contains(text, `column "a": "1e-2000", want an exponent from -1000 to 1000`) {
		t.Error(text)
	}
}

// TestLateErrors: if the model or the curves cannot be written after the training, as on
// a full disk, the results are printed all the same, and the exit status is 1.
func TestLateErrors(t *testing.T) {
	for _, files := range []string{"-o GONE/m", "--curves GONE/c", "-o KEPT/m --curves GONE/c", "-o GONE/m --curves KEPT/c"} {
		dir := t.TempDir()
		gone, kept, pipe := filepath.Join(dir, "gone"), filepath.Join(dir, "kept"), filepath.Join(dir, "pipe")
		if err := errors.Join(os.Mkdir(gone, 0o700), os.Mkdir(kept, 0o700), syscall.Mkfifo(pipe, 0o600)); err != nil {
			t.Fatal(err)
		}
		go func() {
			text, _ := os.ReadFile(iris)
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // when the flags are checked
			if err == nil {
				_ = os.RemoveAll(gone)
				_, _ = w.Write(text)
				_ = w.Close()
			}
		}()
		args := strings.Fields(strings.NewReplacer("GONE", gone, "KEPT", kept).Replace(files))
		var stdout, stderr strings.Builder
		err := run(append([]string{"train", pipe, "--epochs", "2"}, args...), &stdout, &stderr)
		if !errors.Is(err, os.ErrNotExist) || status(err) != 1 {
			t.Fatalf("%s: %v, want no such file or directory", files, err)
		}
		if out := stdout.String(); !strings.Contains(out, "150 rows trained on: accuracy 0.9") || strings.Contains(out, "\nsaved ") != strings.Contains(files, "KEPT/m") {
			t.Errorf("%s printed\n%s", files, out)
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFull: an output that cannot be written is one error.
func TestFull(t *testing.T) {
	model := trained(t, iris, "--epochs", "1")
	for _, line := range []string{"train " + iris, "inspect -m " + model, "inspect --json -m " + model, "predict -m " + model + " " + iris, "export -m " + model} {
		if err := run(strings.Fields(line), full{}, new(strings.Builder)); err != syscall.ENOSPC && fmt.Sprint(err) != syscall.ENOSPC.Error() || status(err) != 1 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestJSON: the names of the JSON report are stable.
func TestJSON(t *testing.T) {
	out := runs(t, "train", iris, "--epochs", "2", "--holdout", "0.2", "--json")
	var names []string
	for _, found := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(out, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	want := "data file sha256 rows heldOut leftOut holdout seed streamed features waves standardized classes model firstEpoch epochs stop updates lastUpdates progressiveError lastLoss seconds curve epoch loss heldOutError numbers training accuracy baseline macroF1 macroF1Classes perClass class precision recall f1 confusion choices of margin online chosen default leastLead straight consecutive"
	if got := strings.Join(names, " "); got != want || strings.Count(out, "\n") != 1 {
		t.Errorf("names\n%s, want\n%s", got, want)
	}
}
