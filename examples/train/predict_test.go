package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// predicts runs the program with -predict and returns both outputs.
func predicts(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, report strings.Builder
	err = run(append(args, "-predict"), &out, &report)
	return out.String(), report.String(), err
}

// TestPredict: -predict labels rows as a program does that uses Load and the saved
// means and scales. The rows may have labels of their own.
func TestPredict(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-standardise", "-holdout", "0.2", "-save", model)
	m, err := perceptron.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	_, c, err := restore(model)
	if err != nil {
		t.Fatal(err)
	}
	tab, _ := prepared(t, "-data", iris, "-model", "onevsrest")
	folded := make([]perceptron.Hyperplane, 3) // as the README describes
	for k, h := range m.(*perceptron.OneVsRest).Hyperplanes().Planes {
		for j, w := range h.Weights {
			folded[k].Weights = append(folded[k].Weights, w/c.Scale[j])
			h.Bias -= w * c.Mean[j] / c.Scale[j]
		}
		folded[k].Bias = h.Bias
	}
	var want strings.Builder
	right := 0
	for i, x := range tab.X[training] {
		z := make([]float64, len(x))
		for j := range x {
			z[j] = (x[j] - c.Mean[j]) / c.Scale[j]
		}
		label, err := m.Predict(z)
		if err != nil {
			t.Fatal(err)
		}
		if label == tab.y[training][i] {
			right++
		}
		for k, h := range folded {
			s, err := h.Score(x)
			if best, err2 := folded[label].Score(x); err != nil || err2 != nil || s > best {
				t.Errorf("row %d has class %d, but the hyperplane of class %d on raw rows scores higher", i, label, k)
			}
		}
		fmt.Fprintln(&want, []string{"setosa", "versicolor", "virginica"}[label])
	}
	var unlabelled strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(read(t, iris)), "\n") {
		fmt.Fprintln(&unlabelled, line[:strings.LastIndex(line, ",")])
	}
	report := fmt.Sprintf("accuracy %.4f on 150 rows with a label\n", float64(right)/150)
	for file, first := range map[string]string{
		iris:                                  report,
		create(t, "rows.data", read(t, iris)): report, // read in the format of the training file
		create(t, "unlabelled.csv", unlabelled.String()): "",
	} {
		stdout, stderr, err := predicts(t, "-load", model, "-data", file)
		if err != nil {
			t.Fatal(err)
		}
		if stdout != want.String() {
			t.Errorf("%s: the predictions differ from the model's", file)
		}
		if !strings.HasPrefix(stderr, first) || first == "" && stderr != "" {
			t.Errorf("%s: printed %q, want %q", file, stderr, first)
		}
	}
	bad := create(t, "bad.csv", "1,2,3,4\n1,2,x,4\n")
	if got, want := fails(t, "-load", model, "-predict", "-data", bad), bad+`:2:5: "x", want a finite number; -drop leaves out columns, -label names the label's column`; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	other := create(t, "new.csv", strings.Replace(read(t, iris), "setosa", "tulip", 1))
	if got, want := fails(t, "-load", model, "-data", other), other+`:2:17: class "tulip" is not among the model's ["setosa" "versicolor" "virginica"]`; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestUnknown: rows of a class that the model does not know are predicted, reported by
// name, and count as wrong. The exit status is 1.
func TestUnknown(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", create(t, "two.csv", "1,b\n-1,a\n"), "-save", model)
	file := create(t, "new.csv", "2,b\n-2,a\n3,a\n"+strings.Repeat("4,tulip\n", 4)+"-4,rose\n")
	stdout, stderr, err := predicts(t, "-load", model, "-data", file)
	if want := "b\na\nb\nb\nb\nb\nb\na\n"; stdout != want {
		t.Errorf("predicted %q, want %q", stdout, want)
	}
	if status(err) != 1 || !strings.HasSuffix(err.Error(), ": 5 of 8 labelled rows have a class that the model does not know") {
		t.Errorf("status %d, %v", status(err), err)
	}
	_, text, _ := predicts(t, "-load", model, "-data", file, "-json")
	if !strings.Contains(text, `"confusion":[[1,1],[0,1]],"unknownConfusion":[1,4]}`) {
		t.Errorf("report %s", text)
	}
	// Of the rows predicted as b, one of six is of b: precision 1/6.
	for _, line := range []string{
		"accuracy 0.2500 on 8 rows with a label\n5 of them have a class that the model does not know, and count as wrong:\n  \"rose\": 1\n  \"tulip\": 4\n",
		"             a  b\n          a  1  1\n          b  0  1\n  (unknown)  1  4\n", // every row is in the matrix
		"  a     0.5000  0.5000  0.5000     2\n  b     0.1667  1.0000  0.2857     1\n",
	} {
		if !strings.Contains(stderr, line) {
			t.Errorf("printed\n%s\nwithout\n%s", stderr, line)
		}
	}
}

// TestPredictJSON: -json prints one object for each row. -scores adds the scores, which
// are the model's.
func TestPredictJSON(t *testing.T) {
	for _, kind := range []string{"onevsrest", "multiclass"} {
		t.Run(kind, func(t *testing.T) { testPredictJSON(t, kind) })
	}
}

func testPredictJSON(t *testing.T, kind string) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", kind, "-save", model)
	m, err := perceptron.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, err := predicts(t, "-load", model, "-data", create(t, "one.csv", "5,3,2,0.5,setosa\n"), "-json", "-scores")
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.(ranker).Scores(nil, []float64{5, 3, 2, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Row          int
		Class, Label string
		Scores       map[string]float64
	}
	if err := json.Unmarshal([]byte(stdout), &line); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(map[string]float64{"setosa": s[0], "versicolor": s[1], "virginica": s[2]})
	if line.Row != 1 || line.Class != "setosa" || line.Label != "setosa" || fmt.Sprint(line.Scores) != want {
		t.Errorf("%s, want scores %s", stdout, want)
	}
	if !strings.Contains(stderr, `"predicted":1,"dropped":0,"labelled":1,"unknown":{},"accuracy":1,`) {
		t.Errorf("report %s", stderr)
	}
	stdout, _, err = predicts(t, "-load", model, "-data", create(t, "row.csv", "5,3,2,0.5\n"), "-scores")
	if want := fmt.Sprintf("setosa,%v,%v,%v\n", s[0], s[1], s[2]); err != nil || stdout != want {
		t.Errorf("%v, %q, want %q", err, stdout, want)
	}
}

// TestColumns: a file to predict may have its columns in any order, and other columns.
// Names are used only if every feature has one.
func TestColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	train := create(t, "train.csv", "id,x,kind,y\n7,1,b,5\n8,-1,a,6\n9,2,b,5\n")
	runs(t, "-data", train, "-label", "kind", "-drop", "id", "-save", model)
	for text, want := range map[string]string{
		"y,x\n5,3\n5,-3\n":           "b\na\n",
		"kind,y,z,x\nb,5,no,3\n":     "b\n",
		"3,5\n-3,5\n":                "b\na\n",
		"x;y\r\n3;5\r\n":             "b\n",
		"\ufeff\"x\",\"y\"\n\"3\",5": "b\n",
	} {
		stdout, _, err := predicts(t, "-load", model, "-data", create(t, "new.csv", text))
		if err != nil || stdout != want {
			t.Errorf("%q: %v, %q, want %q", text, err, stdout, want)
		}
	}
	if _, _, err := predicts(t, "-load", model, "-data", create(t, "new.csv", "x,z,kind\n1,2,b\n")); err == nil || !strings.Contains(err.Error(), `features ["x" "z"], but the model has ["x" "y"]`) {
		t.Errorf("%v", err)
	}
}
