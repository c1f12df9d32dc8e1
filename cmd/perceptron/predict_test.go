package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// TestPredictStreams: each line of input is answered before the next one is written, with and
// without a header.
func TestPredictStreams(t *testing.T) {
	model := trained(t, iris)
	for _, header := range []string{"", "libsvm", "sepal length;sepal width;petal length;petal width;name\n"} {
		args := []string{"predict", "-m", model, "-"}
		row := "5.1,3.5,1.4,0.2\n"
		switch header {
		case "":
		case "libsvm":
			header, args, row = "", append(args, "--format", "libsvm"), "0 1:5.1 2:3.5 3:1.4 4:0.2\n"
		default:
			args, row = append(args, "--id", "name"), "5,1;3,5;1,4;0,2;Eve\n"
		}
		cmd := child(t, args...)
		in, err := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewScanner(out)
		for i := range 3 {
			// Each write ends in the middle of a line, or the next one.
			text := row[3:] + row[:3]
			if i == 0 {
				text = header + row + row[:3]
			}
			if _, err := io.WriteString(in, text); err != nil {
				t.Fatal(err)
			}
			// If the program waited for more input, this would wait for ever.
			want := map[bool]string{true: "setosa", false: "Eve,setosa"}[header == ""]
			if !answers.Scan() || answers.Text() != want {
				t.Fatalf("answer %q, want %q", answers.Text(), want)
			}
		}
		if _, err := io.WriteString(in, row[3:]); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || answers.Scan() {
			t.Error("the last answer is missing, or another one follows")
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestScores: --scores prints the score of each class, or of the second of two, which
// are those of the exported planes.
func TestScores(t *testing.T) {
	model, planes := trained(t, iris), filepath.Join(t.TempDir(), "planes")
	runs(t, "export", "-m", model, "-o", planes)
	var h perceptron.Hyperplanes
	if err := json.Unmarshal([]byte(read(t, planes)), &h); err != nil {
		t.Fatal(err)
	}
	text := strings.Split(runs(t, "predict", "-m", model, iris, "--scores"), "\n")
	if text[0] != "class,setosa,versicolor,virginica" {
		t.Errorf("the header is %q", text[0])
	}
	text = text[1:]
	for i, row := range records(t, iris)[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j], _ = strconv.ParseFloat(row[j], 64)
		}
		scores, err := h.Scores(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"setosa", "versicolor", "virginica"}[slices.Index(scores, slices.Max(scores))]
		for _, score := range scores {
			want += "," + strconv.FormatFloat(score, 'g', -1, 64)
		}
		if text[i] != want {
			t.Errorf("row %d: %s, want %s", i, text[i], want)
		}
	}
	two := trained(t, cloud(t, 40))
	text = strings.Fields(runs(t, "predict", "-m", two, cloud(t, 9), "--scores", "--id", "side"))
	if text[0] != "side,class,right" {
		t.Errorf("the header is %q", text[0])
	}
	text = text[1:]
	for _, line := range text {
		fields := strings.Split(line, ",") // side, class and the score of right
		if score, err := strconv.ParseFloat(fields[len(fields)-1], 64); len(fields) != 3 || err != nil || (fields[1] == "right") != (score >= 0) {
			t.Errorf("%s, %v", line, err)
		}
	}
	if len(text) != 9 || !slices.ContainsFunc(text, func(line string) bool { return strings.HasPrefix(line, "left,left,-") }) {
		t.Errorf("printed %q", text)
	}
}

// TestPredictMissing: a row without a value keeps its line, whatever the rule.
func TestPredictMissing(t *testing.T) {
	data := create(t, "t.csv", "a,b,y\n-2,1,no\n-1,?,no\n1,2,yes\n2,3,yes\n4,5,?\n")
	next := create(t, "next.csv", "name,a,b\nu,-3,0\nv,?,1\nw,5,?\n")
	for rule, want := range map[string]string{"drop": "u,no\nv,\nw,\n", "mean": "u,no\nv,no\nw,yes\n"} {
		model := trained(t, data, "--missing", rule)
		if got := runs(t, "predict", "-m", model, next, "--id", "name"); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
		if rule == "drop" {
			if got := runs(t, "predict", "-m", model, next); got != "no\n\n\n" {
				t.Errorf("%q", got)
			}
			if got := runs(t, "predict", "-m", model, next, "--scores"); !strings.HasSuffix(got, "\n,\n,\n") {
				t.Errorf("%q", got)
			}
		}
		file := create(t, "e.csv", "a,b,y\n-3,0,no\n?,1,no\n9,9,\n")
		if e := evaluated(t, model, file); e.LeftOut != map[string]int{"drop": 2, "mean": 1}[rule] || e.Rows+e.LeftOut != 3 {
			t.Errorf("%s: %+v", rule, e)
		}
		if got, want := runs(t, "evaluate", "-m", model, file), fmt.Sprintf(" rows of %s, %d left out because a value is missing: accuracy 1", file, map[string]int{"drop": 2, "mean": 1}[rule]); !strings.Contains(got, want) {
			t.Errorf("%s: printed\n%s\nwithout %q", rule, got, want)
		}
	}
	model := trained(t, cloud(t, 20))
	bad := create(t, "bad.csv", "u,v,w\n1,2,3\n1,NA,3\n")
	if got := fails(t, "predict", "-m", model, bad); got != "1 "+bad+`:3:3: column "v": "NA": the value is missing; train with --missing mean, --missing drop or --drop "v"` {
		t.Error(got)
	}
}

// TestUnknownWord: a word that training did not see is all zeros and counted, or an error with a flag.
func TestUnknownWord(t *testing.T) {
	model := trained(t, create(t, "t.csv", mushrooms(100)), "--label", "class")
	data := create(t, "n.csv", "class,cap shape,odor,ring number\nedible,bell,foul,0\nedible,bell,lemon,0\n")
	said := `1 row with a word that training did not see, in column "odor": it counts as none of the known ones; --strict refuses it`
	for _, line := range []string{"predict -m", "evaluate -m", "train -m"} {
		args := append(strings.Fields(line), model, data)
		if got := fails(t, append(args, "--strict")...); !strings.Contains(got, data+`:3:13: column "odor": "lemon" does not occur in the training file`) {
			t.Error(got)
		}
		var stdout, stderr strings.Builder
		if err := run(args, &stdout, &stderr); err != nil || !strings.Contains(stdout.String()+stderr.String(), said) {
			t.Errorf("%s: %v\n%s%s", line, err, stdout.String(), stderr.String())
		}
	}
	if e := evaluated(t, model, data); e.UnseenRows != 1 || fmt.Sprint(e.Unseen) != "map[odor:1]" {
		t.Errorf("%+v", e.Novelty)
	}
	// The row is scored by its other features: the weights of all odors are left out.
	f := mustRead(t, model)
	p, err := f.Predictor()
	if err != nil {
		t.Fatal(err)
	}
	e, x := f.Schema.Encoder(true), new(table.Vector)
	if _, err := e.Encode(x, []any{"bell", "lemon", 0.0}); err != nil || x.Value[0] != 1 || slices.Contains(x.Value[3:7], 1) {
		t.Errorf("%v, %v, %q", x.Value, err, f.Schema.Names())
	}
	class, err := p.Predict(*x)
	out := strings.Split(runs(t, "predict", "-m", model, create(t, "o.csv", "class,cap shape,odor,ring number\nedible,bell,foul,0\n")), "\n")
	if err != nil || p.Classes[class] == "" || out[0] == "" {
		t.Error(err, out)
	}
}

func mustRead(t testing.TB, path string) *modelfile.File {
	t.Helper()
	f, err := modelfile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestEvaluate: the figures of a table by hand. A row of a class that the model does not
// know is an error.
func TestEvaluate(t *testing.T) {
	model := trained(t, create(t, "two.csv", "x,y\n1,b\n-1,a\n2,b\n-2,a\n"))
	rows := "x,y\n2,b\n-2,a\n3,a\n" + strings.Repeat("4,a\n", 3)
	file := create(t, "new.csv", rows)
	out := runs(t, "evaluate", "-m", model, file)
	for _, line := range []string{
		"6 rows of " + file + ": accuracy 0.3333, macro F1 0.3333, AUC 0.2000, average precision 0.2000; the most frequent class alone: 0.8333\n",
		"\n   rows  precision  recall  F1      a  b\na  5     1.0000     0.2000  0.3333  1  4\nb  1     0.2000     1.0000  0.3333  0  1\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("printed\n%s\nwithout\n%s", out, line)
		}
	}
	// The first class has the negative scores of the second: b, b, a, … by score from the least.
	for args, want := range map[string]string{
		"":             ", AUC 0.2000, average precision 0.2000;",
		"--positive b": ", of b: AUC 0.2000, average precision 0.2000;",
		"--positive a": ", of a: AUC 0.2000, average precision 0.8333;",
	} {
		if out := runs(t, append([]string{"evaluate", "-m", model, file}, strings.Fields(args)...)...); !strings.Contains(out, want) {
			t.Errorf("%s printed\n%s", args, out)
		}
	}
	if got := fails(t, "evaluate", "-m", model, file, "--positive", "c"); got != `2 --positive is "c", want one of "a", "b"` {
		t.Error(got)
	}
	file = create(t, "empty.csv", "x,y\n")
	if got := fails(t, "evaluate", "-m", model, file); got != "1 "+file+": no rows to measure" {
		t.Error(got)
	}
	file = create(t, "new.csv", rows+"4,tulip\n")
	if got := fails(t, "evaluate", "-m", model, file); got != "1 "+file+`:8:3: class "tulip" is not among the model's "a", "b"; a model learns no new class later: train anew, without -m` {
		t.Error(got)
	}
}

// TestEvaluateTrainingFile: of the training file, the rows held out are measured. If
// there are none, a remark says that the figures are too good.
func TestEvaluateTrainingFile(t *testing.T) {
	var r report
	model := filepath.Join(t.TempDir(), "m")
	if err := json.Unmarshal([]byte(runs(t, "train", iris, "--holdout", "0.2", "--seed", "4", "-o", model, "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if e := evaluated(t, model, iris); e.Part != "heldOut" || e.Rows != 30 || e.Accuracy != r.HeldOut.Accuracy {
		t.Errorf("%+v, want %+v", e.Quality, r.HeldOut)
	}
	// train and evaluate print the same table, of the rows held out.
	_, table, _ := strings.Cut(runs(t, "evaluate", "-m", model, iris), "\n")
	if out := runs(t, "train", iris, "--holdout", "0.2", "--seed", "4"); !strings.HasSuffix(out, table) || !strings.Contains(table, "\nsetosa      10 ") {
		t.Errorf("train printed\n%s\nand evaluate\n%s", out, table)
	}
	if e := evaluated(t, model, iris, "--all"); e.Part != "all" || e.Rows != 150 {
		t.Errorf("%+v", e)
	}
	var stdout, stderr strings.Builder
	if err := run([]string{"evaluate", "-m", trained(t, iris), iris}, &stdout, &stderr); err != nil || !strings.Contains(stderr.String(), "the model was trained on these rows") {
		t.Errorf("%v, %q", err, stderr.String())
	}
}

// TestInspect: the weights have the names of the features, and reproduce the scores.
func TestInspect(t *testing.T) {
	model := trained(t, create(t, "t.csv", mushrooms(200)), "--label", "class")
	out := runs(t, "inspect", "-m", model)
	for _, line := range []string{"classes         2: \"edible\", \"poisonous\"\n", "label           column \"class\"\n", "features        8 from 3 columns, standardized\n", "poisonous, bias ", "\n  odor=foul "} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	last := math.Inf(1)
	for _, found := range regexp.MustCompile(`\n  .+? +(-?[0-9.e-]+)`).FindAllStringSubmatch(out, -1) {
		weight, err := strconv.ParseFloat(found[1], 64)
		if err != nil || math.Abs(weight) > last {
			t.Errorf("%v after %v, %v: the largest do not come first in\n%s", weight, last, err, out)
		}
		last = math.Abs(weight)
	}
	if last > 1e300 {
		t.Errorf("no weights in\n%s", out)
	}
	if top := runs(t, "inspect", "-m", model, "--top", "1"); strings.Count(top, "\n  ") != 1 {
		t.Errorf("--top 1 prints\n%s", top)
	}
	var r struct {
		Model   string
		Weights []weightedClass
	}
	if err := json.Unmarshal([]byte(runs(t, "inspect", "-m", model, "--json")), &r); err != nil || len(r.Weights) != 1 || len(r.Weights[0].Weights) != 8 {
		t.Fatalf("%+v, %v", r, err)
	}
	h := mustRead(t, model).Model.(*perceptron.Online).Hyperplane()
	for j, name := range mustRead(t, model).Schema.Names() {
		if r.Weights[0].Weights[name] != h.Weights[j] {
			t.Errorf("%s has weight %v, want %v", name, r.Weights[0].Weights[name], h.Weights[j])
		}
	}
}

// TestFIFO: data from a named pipe or standard input trains the same model as a file.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	want := trained(t, iris, "--epochs", "3")
	model := filepath.Join(dir, "m")
	f, err := os.Open(iris)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := child(t, "train", "-", "--epochs", "3", "-o", model)
	cmd.Stdin = f
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if state(t, model) != state(t, want) {
		t.Error("standard input gives another model")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	cmd = child(t, "predict", "-m", model, "-")
	cmd.Stdin = f
	if out, err := cmd.Output(); err != nil || string(out) != runs(t, "predict", "-m", want, iris) {
		t.Errorf("predictions differ: %v", err)
	}
}

// TestProvenance: the model knows the files and the rows that it has learned, in whatever order,
// and evaluate says what it cannot promise any more.
func TestProvenance(t *testing.T) {
	a, b, c := cloud(t, 60), cloud(t, 90), cloud(t, 30)
	model := trained(t, a, "--holdout", "0.2", "--epochs", "1")
	evaluates := func(file, part string, served int, others ...string) {
		t.Helper()
		e := evaluated(t, model, file)
		var got []string
		for _, o := range e.Others {
			got = append(got, fmt.Sprintf("%d rows of %s", o.Rows, o.File))
		}
		if e.Part != part || e.Served != served || !slices.Equal(got, others) {
			t.Errorf("%s, %d, %q, want %s, %d, %q", e.Part, e.Served, got, part, served, others)
		}
	}
	further := func(file string) { runs(t, "train", file, "-m", model, "-o", model, "--epochs", "1") }
	evaluates(a, "heldOut", 0)
	further(a)
	evaluates(a, "heldOut", 0)
	evaluates(c, "all", 0)
	rowsA := fmt.Sprintf("%d rows of %s", mustRead(t, model).Data.Rows, a)
	further(b)
	rowsB := fmt.Sprintf("%d rows of %s", mustRead(t, model).Data.Rows, b)
	for range 2 { // the order of the files makes no difference
		evaluates(a, "heldOut", 0, rowsB)
		evaluates(b, "heldOut", 0, rowsA)
		evaluates(c, "all", 0)
		further(a)
	}
	f := mustRead(t, model)
	if len(f.Data.Earlier) != 1 || f.Data.Earlier[0].File != b {
		t.Errorf("%+v", f.Data)
	}
	f.Data.Served = 12
	if err := f.Write(model); err != nil {
		t.Fatal(err)
	}
	evaluates(a, "heldOut", 12, rowsB)
	evaluates(c, "all", 12)
	if out := runs(t, "evaluate", "-m", model, a); !strings.Contains(out, " rows of "+a+" that were held out of training on this file; the model has also learned 12 rows sent to a server, "+rowsB+", and these rows may be among them: accuracy ") {
		t.Errorf("printed\n%s", out)
	}
	rows := strings.Fields(rowsB)[0] + " rows\n"
	if out := runs(t, "inspect", "-m", model); !strings.Contains(out, "\nbefore on       "+b+", "+rows+"SHA-256         "+f.Data.Earlier[0].SHA256+"\nfrom a server   12 rows\nwritten by ") {
		t.Errorf("printed\n%s", out)
	}
	further(b)
	if f := mustRead(t, model); f.Data.Served != 12 || f.Data.Earlier[0].File != a {
		t.Errorf("%+v", f.Data)
	}
}

// TestPositive: of several classes, the score of one is its lead over the best other one. So the
// rows of a class that is always predicted right come first.
func TestPositive(t *testing.T) {
	model := trained(t, iris)
	for class, perfect := range map[string]bool{"setosa": true, "versicolor": false, "virginica": false} {
		e := evaluated(t, model, iris, "--positive", class)
		if e.Positive != class || e.AUC == nil || (*e.AUC == 1) != perfect || *e.AUC < 0.98 || *e.AveragePrecision < 0.95 {
			t.Errorf("%s: %+v", class, e.Quality)
		}
	}
	if e := evaluated(t, model, iris); e.AUC != nil || e.Positive != "" {
		t.Errorf("%+v", e.Quality)
	}
}
