package perceptron

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

// TestErrorNames: every constant survives a round trip through its name, in any case. An unknown
// name, and a value that is no constant, are rejected.
func TestErrorNames(t *testing.T) {
	checkNames(t, "Stop", new(Stop), Running, Converged, Cycled, EpochLimit)
	checkNames(t, "Order", new(Order), Cyclic, Shuffled, Sampled)
	checkNames(t, "Keep", new(Keep), Last, Average, Pocket)
	checkNames(t, "Space", new(Space), Affine, Linear)
}

type constant interface {
	~uint8
	MarshalText() ([]byte, error)
}

func checkNames[E constant](t *testing.T, kind string, v encoding.TextUnmarshaler, constants ...E) {
	t.Helper()
	var names []string
	for _, c := range constants {
		name := string(must(c.MarshalText())(t))
		for _, text := range []string{name, strings.ToLower(name)} {
			if err := v.UnmarshalText([]byte(text)); err != nil || *any(v).(*E) != c || name != fmt.Sprint(c) {
				t.Errorf("%s: %v, %v", text, v, err)
			}
		}
		names = append(names, name)
	}
	list, last, none := strings.Join(names, ", "), fmt.Sprint(v), E(len(constants))
	checkErrors(t, ErrFormat, -1, "bad format: "+kind+` "left" is none of `+list, v.UnmarshalText([]byte("left")))
	text := fmt.Sprintf("%s(%d)", kind, len(constants))
	checkErrors(t, ErrFormat, -1, "bad format: "+text+" is none of "+list, only(none.MarshalText()))
	same(t, "no constant", none, text)
	same(t, "the value after errors", v, last)
}

// TestExamples: Learn learns what it learns from a hand-written stream. Where the lengths
// differ, the pairs are learned, and the error has the index of the one without a partner.
func TestExamples(t *testing.T) {
	set := naive.Whole(25, 20, 3)
	for _, m := range []binaryModel{new(Online), &Margin{Keep: Average}} {
		other := clone(m)
		same(t, "Learn", must(m.Learn(Examples(set.X, set.Y)))(t), must(other.Learn(stream(set)))(t))
		same(t, "the model", snapshot(m), snapshot(other))
	}
	for _, m := range []streamer{new(Online), new(Margin), new(OneVsRest), new(Multiclass)} {
		for _, c := range []struct{ rows, labels int }{{20, 13}, {13, 20}, {0, 1}, {1, 0}} {
			n := min(c.rows, c.labels)
			e, err := m.Learn(Examples(set.X[:c.rows], set.Y[:c.labels]))
			checkErrors(t, ErrEmpty, n, "empty: the row has no features", err)
			same(t, "examples", e.Examples, n)
		}
	}
	same(t, "no rows", must(new(Online).Learn(Examples(nil, nil)))(t).Examples, 0)
	for n := range 2 { // a loop that ends early must not panic
		for x := range Examples(set.X[:2], set.Y[:1]) {
			if n == 0 || x == nil {
				break
			}
		}
	}
}

// TestInfinite: JSON has null for an infinite Upper and an infinite Loss, and every bit of
// finite ones. Reading null changes nothing.
func TestInfinite(t *testing.T) {
	for _, c := range []struct{ of, into, want any }{
		{Result{3, 2, Converged, 0.1}, &Result{}, `{"Epochs":3,"Mistakes":2,"Stop":"Converged","Upper":0.1}`},
		{Result{1, 0, Cycled, inf}, &Result{Upper: inf}, `{"Epochs":1,"Mistakes":0,"Stop":"Cycled","Upper":null}`},
		{Epoch{4, 3, 2, 0.1, Running}, &Epoch{}, `{"N":4,"Examples":3,"Mistakes":2,"Stop":"Running","Loss":0.1}`},
		{Epoch{4, 3, 2, inf, Running}, &Epoch{Loss: inf}, `{"N":4,"Examples":3,"Mistakes":2,"Stop":"Running","Loss":null}`},
	} {
		data := must(json.Marshal(c.of))(t)
		must(0, json.Unmarshal(data, c.into))(t)
		same(t, "JSON", string(data), c.want)
		same(t, "read again", reflect.ValueOf(c.into).Elem(), c.of)
	}
}

// TestSealed: what only looks like a model does not compile as one.
func TestSealed(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("this system cannot run the go command: ", err)
	}
	head := "package main\nimport . \"" + reflect.TypeFor[Online]().PkgPath() + "\"\ntype foreign struct{}\nfunc (foreign) Predict([]float64) (int, error) { return 0, nil }\nfunc (foreign) Fit([][]float64, []int) (Result, error) { return Result{}, nil }\nfunc main() { _ = "
	for body, want := range map[string]string{
		"OneVsRest{Binary: &Online{}} }": "", "Save(\"\", &Margin{}) }": "",
		"OneVsRest{Binary: &OneVsRest{}} }": "missing method Hyperplane", "Multiclass{Binary: &Multiclass{}} }": "missing method Hyperplane",
		"OneVsRest{Binary: foreign{}} }": "missing method Hyperplane", "Save(\"\", foreign{}) }": "missing method learned",
		"SparseModel{Model: foreign{}} }": "missing method learned",
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		must(0, os.WriteFile(file, []byte(head+body+"\n"), 0o600))(t)
		out, err := exec.Command("go", "vet", file).CombinedOutput()
		if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s, want %q", body, err, out, want)
		}
	}
}

func TestEvaluate(t *testing.T) {
	h := Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{1}, {2}, {-1}, {-2}, {3}, {-3}}, []int{+1, -1, -1, 5, +1, +1}
	same(t, "Accuracy", must(Accuracy(h, X, y))(t), 0.5)
	c := must(Evaluate(h, X, y))(t)
	same(t, "classes", c.Classes, []int{-1, +1, 5})
	same(t, "counts", c.Counts, [][]int{{1, 1, 0}, {1, 2, 0}, {1, 0, 0}})
	for _, f := range []struct {
		what      string
		got, want float64
	}{
		{"accuracy", c.Accuracy(), 0.5}, {"precision of -1", c.Precision(-1), 1. / 3}, {"precision of +1", c.Precision(+1), 2. / 3}, {"precision of 5", c.Precision(5), 0},
		{"recall of -1", c.Recall(-1), 0.5}, {"recall of +1", c.Recall(+1), 2. / 3}, {"recall of 5", c.Recall(5), 0},
		{"F1 of -1", c.F1(-1), 0.4}, {"F1 of +1", c.F1(+1), 2. / 3}, {"F1 of 5", c.F1(5), 0}, {"F1 of 6", c.F1(6), 0},
		{"macro F1", c.MacroF1(), (0.4 + 2./3 + 0) / 3}, {"nothing's accuracy", Confusion{}.Accuracy(), 0}, {"nothing's macro F1", Confusion{}.MacroF1(), 0},
	} {
		same(t, f.what, f.got, f.want)
	}
	rows := []Sparse{{[]uint32{0}, []float64{2}}, {}}
	model := SparseModel{Model: &Online{}, Width: 1}
	must(model.Fit(rows, []int{1, -1}))(t)
	same(t, "the accuracy of sparse rows", must(Accuracy(model, rows, []int{1, -1}))(t), 1)
	same(t, "the labels afterwards", y, []int{+1, -1, -1, 5, +1, +1})
}
