package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// flowers returns the rows of iris.csv and their classes.
func flowers(t testing.TB) (X [][]float64, labels []string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(read(t, iris)), "\n")[1:] {
		var x [4]float64
		var label string
		if _, err := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%f %f %f %f %s", &x[0], &x[1], &x[2], &x[3], &label); err != nil {
			t.Fatal(line, err)
		}
		X, labels = append(X, x[:]), append(labels, label)
	}
	return X, labels
}

// classifiers returns Classifiers of many and of two classes, scaled and raw, whose labels are in an order of their
// own.
func classifiers(t testing.TB) map[string]*perceptron.Classifier[[]float64] {
	t.Helper()
	X, labels := flowers(t)
	all := map[string]*perceptron.Classifier[[]float64]{}
	for name, c := range map[string]*perceptron.Classifier[[]float64]{
		"scaled": {}, "raw": {Raw: true}, "one against the rest": {Model: &perceptron.OneVsRest{Binary: &perceptron.Online{Keep: perceptron.Average}}},
	} {
		if _, err := c.Fit(X, labels); err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	two := &perceptron.Classifier[[]float64]{Model: &perceptron.Online{Keep: perceptron.Average}, Raw: true}
	for i := range X[:100] { // versicolor comes first
		if _, err := two.Update(X[99-i], labels[99-i]); err != nil {
			t.Fatal(err)
		}
	}
	all["two"] = two
	return all
}

// TestClassifierFile: predict, evaluate, inspect, export, serve and package pipeline read the file of a Classifier,
// and predict as it does. The table may have names or not.
func TestClassifierFile(t *testing.T) {
	X, labels := flowers(t)
	bare := create(t, "bare.csv", read(t, iris)[strings.IndexByte(read(t, iris), '\n')+1:])
	for name, c := range classifiers(t) {
		model := filepath.Join(t.TempDir(), "m.classifier")
		if err := c.Save(model); err != nil {
			t.Fatal(err)
		}
		X, labels, rows := X, labels, len(X)
		if name == "two" {
			X, labels, rows = X[:100], labels[:100], 100
		}
		var want []string
		right := 0
		for i, x := range X {
			label, err := c.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			if want = append(want, label); label == labels[i] {
				right++
			}
		}
		for _, file := range []string{iris, bare} {
			if got := strings.Split(strings.TrimSpace(runs(t, "predict", "-m", model, file)), "\n"); strings.Join(got[:rows], " ") != strings.Join(want, " ") {
				t.Errorf("%s, %s: predict prints other labels than the Classifier", name, file)
			}
		}
		p := load(t, model)
		scores, err := p.Scores(nil, []string{"5", "3.5", "1.5", "0.25"})
		own, also := c.Scores(nil, []float64{5, 3.5, 1.5, 0.25})
		if err != nil || also != nil || len(scores) != len(own) || strings.Join(p.Classes(), " ") != strings.Join(c.Labels(), " ") || strings.Join(p.Columns(), " ") != "x1 x2 x3 x4" {
			t.Errorf("%s: %v, want %v; %v, %v", name, scores, own, err, also)
		}
		for k := range scores {
			if d := scores[k] - own[k]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s: scores %v, want %v", name, scores, own)
			}
		}
		if out := runs(t, "inspect", "-m", model); !strings.Contains(out, "trained by      a Go program, on ") || strings.Contains(out, "SHA-256") {
			t.Error(out)
		}
		runs(t, "export", "-m", model)
		if got := fails(t, "serve", "-m", model); !strings.Contains(got, "serve it with --readonly") {
			t.Error(got)
		}
		if got := fails(t, "train", "-m", model, "-o", model+"2", iris); !strings.Contains(got, "the Go program continues its training") {
			t.Error(got)
		}
		if text, err := c.MarshalJSON(); err != nil || runs(t, "export", "-m", create(t, "m.json", string(text))) != runs(t, "export", "-m", model) {
			t.Errorf("%s: the JSON of the Classifier is read otherwise: %v", name, err)
		}
		if name == "two" {
			first := create(t, "first.csv", strings.Join(strings.Split(read(t, iris), "\n")[:101], "\n"))
			if e := evaluated(t, model, first); e.AUC == nil || *e.AUC != 1 || e.Rows != 100 {
				t.Errorf("%s: AUC %v", name, e.AUC)
			}
			continue
		}
		if e := evaluated(t, model, iris); e.Rows != rows || e.Accuracy != float64(right)/float64(rows) {
			t.Errorf("%s: %v of %d rows, want %d of %d", name, e.Accuracy, e.Rows, right, rows)
		}
		_, url, _ := served(t, model, "--readonly")
		var answer prediction
		if status, err := send(url+"/predict", map[string]any{"row": X[7]}, &answer); status != 200 || err != nil || *answer.Class != want[7] {
			t.Errorf("%s: %d, %v", name, status, err)
		}
	}
}

// TestClassifierRemarks: what is said about a Classifier's rows names no training file, which the command does not know,
// and no flag of train. Two classes have an AUC, whatever the model.
func TestClassifierRemarks(t *testing.T) {
	var c perceptron.Classifier[[]float64] // its model is a Multiclass
	if _, err := c.Fit([][]float64{{1, 2}, {3, 1}, {1, 3}, {4, 1}}, []string{"a", "b", "a", "b"}); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "m.classifier")
	if err := c.Save(model); err != nil {
		t.Fatal(err)
	}
	if e := evaluated(t, model, create(t, "t.csv", "u,v,y\n1,2,a\n3,1,b\n2,2,a\n")); e.AUC == nil || *e.AUC != 1 || e.AveragePrecision == nil {
		t.Errorf("AUC %v, average precision %v", e.AUC, e.AveragePrecision)
	}
	for text, want := range map[string]string{
		"u,v\n1,\n":  `column "x2": "": the value is missing, and a Classifier has no rule for missing values`,
		"u,v\n1,-\n": `column "x2": "-", want a finite number`,
		"1,2%\n":     `column "x2": "2%", want a finite number; sed -E 's|([0-9]) ?%|\1|g' removes "%"`,
	} {
		var stdout, stderr strings.Builder
		err := run([]string{"predict", "-m", model, create(t, "n.csv", text)}, &stdout, &stderr)
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(stderr.String()+err.Error(), "train") {
			t.Errorf("%q: %v, %s", text, err, stderr.String())
		}
	}
}

// TestClassifierFileErrors: files that a Go program wrote and the command cannot use.
func TestClassifierFileErrors(t *testing.T) {
	file := func(save func(path string) error) string {
		path := filepath.Join(t.TempDir(), "m")
		if err := save(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var sparse perceptron.Classifier[perceptron.Sparse]
	if _, err := sparse.Fit([]perceptron.Sparse{perceptron.HashWords(64, "a"), perceptron.HashWords(64, "b")}, []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	one, odd := perceptron.Classifier[[]float64]{Raw: true}, perceptron.Classifier[[]float64]{Raw: true}
	for _, label := range []string{"", "b"} {
		_, err := odd.Update([]float64{1, 2}, label)
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := one.Update([]float64{1}, "only"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file(sparse.Save): `want "perceptron.Classifier[[]float64]/1"; the command reads a Classifier[[]float64]`,
		file(one.Save):    `a Classifier with the labels "only", want at least two`,
		file(odd.Save):    `want at least two, and none empty`,
		file(func(path string) error { return perceptron.Save(path, new(perceptron.Online)) }):    "found `\"perceptron.Model/1\"`",
		file(func(path string) error { return (&perceptron.Classifier[[]float64]{}).Save(path) }): "want at least two",
		create(t, "t", "\x89PTRN\r\n"): "",
		create(t, "t.csv", "a,b\n"):    `not a model of this program: it begins "a,b\n"`,
	} {
		if got := fails(t, "predict", "-m", path, iris); !strings.Contains(got, want) || !strings.Contains(got, path) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
