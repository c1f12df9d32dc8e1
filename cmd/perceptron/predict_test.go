package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// TestPredictStreams: each line in gives a line out before the next one is written, with
// and without a header.
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
	objects := strings.Split(runs(t, "predict", "-m", model, iris, "--scores", "--json"), "\n")
	for i, row := range records(t, iris)[1:] {
		x := make([]float64, 4)
		for j := range x {
			x[j], _ = strconv.ParseFloat(row[j], 64)
		}
		scores, err := h.Scores(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		var p prediction
		if err := json.Unmarshal([]byte(objects[i]), &p); err != nil {
			t.Fatal(err)
		}
		want := *p.Class
		for k, name := range []string{"setosa", "versicolor", "virginica"} {
			if p.Scores[name] != scores[k] {
				t.Errorf("row %d: score of %s is %v, want %v", i, name, p.Scores[name], scores[k])
			}
			want += "," + strconv.FormatFloat(scores[k], 'g', -1, 64)
		}
		if text[i] != want || p.Row != i+1 || p.ID != nil {
			t.Errorf("row %d: %s, want %s", p.Row, text[i], want)
		}
	}
	two := trained(t, cloud(t, 40))
	var p prediction
	out, _, _ := strings.Cut(runs(t, "predict", "-m", two, cloud(t, 2), "--scores", "--json", "--id", "side"), "\n")
	if err := json.Unmarshal([]byte(out), &p); err != nil || len(slices.Collect(maps.Keys(p.Scores))) != 1 || (*p.Class == "right") != (p.Scores["right"] >= 0) || p.ID == nil {
		t.Errorf("%s, %v", out, err)
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
			if got := runs(t, "predict", "-m", model, next, "--json"); !strings.HasSuffix(got, "\n{\"row\":3,\"class\":null}\n") {
				t.Errorf("%q", got)
			}
		}
		if e := evaluated(t, model, create(t, "e.csv", "a,b,y\n-3,0,no\n?,1,no\n9,9,\n")); e.LeftOut != map[string]int{"drop": 2, "mean": 1}[rule] || e.Rows+e.LeftOut != 3 {
			t.Errorf("%s: %+v", rule, e)
		}
	}
	model := trained(t, cloud(t, 20))
	bad := create(t, "bad.csv", "u,v,w\n1,2,3\n1,NA,3\n")
	if got := fails(t, "predict", "-m", model, bad); got != "1 "+bad+`:3:3: column "v": "NA": the value is missing; train with --missing mean, --missing drop or --drop "v"` {
		t.Error(got)
	}
}

// TestUnknownWord: a word that training did not see is an error, or no word with a flag.
func TestUnknownWord(t *testing.T) {
	model := trained(t, create(t, "t.csv", mushrooms(100)), "--label", "class")
	data := create(t, "n.csv", "class,cap shape,odor,ring number\nedible,bell,foul,0\nedible,bell,lemon,0\n")
	for _, command := range []string{"predict", "evaluate"} {
		if got := fails(t, command, "-m", model, data); !strings.Contains(got, data+`:3:13: column "odor": "lemon" does not occur in the training file`) {
			t.Error(got)
		}
		runs(t, command, "-m", model, data, "--unknown", "none")
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

// TestUnknownClass: rows of a class that the model does not know count as wrong and are
// named. The exit status is 1.
func TestUnknownClass(t *testing.T) {
	model := trained(t, create(t, "two.csv", "x,y\n1,b\n-1,a\n2,b\n-2,a\n"))
	file := create(t, "new.csv", "x,y\n2,b\n-2,a\n3,a\n"+strings.Repeat("4,tulip\n", 4)+"-4,rose\n")
	var stdout, stderr strings.Builder
	err := run([]string{"evaluate", "-m", model, file}, &stdout, &stderr)
	if status(err) != 1 || err.Error() != file+`: 5 of 8 rows have a class that the model does not know, and count as wrong: "rose", "tulip"` {
		t.Errorf("status %d, %v", status(err), err)
	}
	for _, line := range []string{
		"8 rows of " + file + ": accuracy 0.2500, macro F1 0.1964, AUC 0.2857, average precision 0.1667\n",
		"             a  b\n          a  1  1\n          b  0  1\n  (unknown)  1  4\n", // every row is in the matrix
		"  a     0.5000  0.5000  0.5000     2\n  b     0.1667  1.0000  0.2857     1\n",
	} {
		if !strings.Contains(stdout.String(), line) {
			t.Errorf("printed\n%s\nwithout\n%s", stdout.String(), line)
		}
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
		t.Errorf("%+v, want %+v", e.quality, r.HeldOut)
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
	out := runs(t, "inspect", model)
	for _, line := range []string{"classes         2: \"edible\", \"poisonous\"\n", "label           column \"class\"\n", "features        8 of 3 columns, standardised\n", "poisonous, bias ", "\n  odor=foul "} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if top := runs(t, "inspect", model, "--top", "1"); strings.Count(top, "\n  ") != 1 {
		t.Errorf("--top 1 prints\n%s", top)
	}
	var r struct {
		Model   string
		Weights []weightedClass
	}
	if err := json.Unmarshal([]byte(runs(t, "inspect", model, "--json")), &r); err != nil || len(r.Weights) != 1 || len(r.Weights[0].Weights) != 8 {
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
