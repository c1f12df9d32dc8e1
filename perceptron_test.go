package perceptron

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// TestErrorNames: every constant survives a round trip through its name, in any case. An unknown
// name, and a value that is no constant, are rejected.
func TestErrorNames(t *testing.T) {
	checkNames(t, "Stop", new(Stop), Running, Converged, Cycled, EpochLimit)
	checkNames(t, "Order", new(Order), Cyclic, Shuffled, Sampled)
	checkNames(t, "Keep", new(Keep), keeps()...)
	Diff(t, "the names of Keeps", fmt.Sprint(Last, Average, Pocket), "Last Average Pocket")
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
	Diff(t, "no constant", fmt.Sprint(none), text)
	Diff(t, "the value after errors", fmt.Sprint(v), last)
}

// TestExamples: Learn learns what it learns from a hand-written stream. Where the lengths
// differ, the pairs are learned, and the error has the index of the one without a partner.
func TestExamples(t *testing.T) {
	set := naive.Whole(25, 20, 3)
	for _, m := range []binaryModel{new(Online), &Margin{Keep: Average}} {
		other := clone(m)
		Diff(t, "Learn", must(m.Learn(Examples(set.X, set.Y)))(t), must(other.Learn(stream(set)))(t))
		Diff(t, "the model", snapshot(m), snapshot(other))
	}
	for _, m := range []streamer{new(Online), new(Margin), new(OneVsRest), new(Multiclass)} {
		for _, c := range []struct{ rows, labels int }{{20, 13}, {13, 20}, {0, 1}, {1, 0}} {
			n := min(c.rows, c.labels)
			e, err := m.Learn(Examples(set.X[:c.rows], set.Y[:c.labels]))
			checkErrors(t, ErrEmpty, n, "empty: the row has no features", err)
			Diff(t, "examples", e.Examples, n)
		}
	}
	rows, labels := sparse(set.X), slices.Repeat([]string{"a", "b"}, 6)
	checkErrors(t, ErrEmpty, 12, "empty: the row has no features",
		only((&Classifier[[]float64]{Raw: true}).Learn(Examples(set.X, labels))), only((&Classifier[[]float64]{Model: new(Online)}).Learn(Examples(set.X, labels))),
		only((&Classifier[[]float64]{Waves: Waves{Count: 3}}).Learn(Examples(set.X, labels))))
	checkErrors(t, ErrDimension, 12, "dimension mismatch: Index has length 1, but Value has 0",
		only(SparseModel{new(Online), 3}.Learn(Examples(rows, set.Y[:12]))), only(SparseModel{new(Multiclass), 3}.Learn(Examples(rows, set.Y[:12]))),
		only((&Classifier[Sparse]{Width: 3}).Learn(Examples(rows, labels))))
	Diff(t, "no rows", must(new(Online).Learn(Examples[[]float64, int](nil, nil)))(t).Examples, 0)
	for n := range 2 { // a loop that ends early must not panic
		for x := range Examples(set.X[:2], set.Y[:1]) {
			if n == 0 || x == nil {
				break
			}
		}
	}
}

// TestInfinite: JSON has null for an infinite Upper and an infinite Loss, and every bit of
// finite ones. Reading null brings +Inf back.
func TestInfinite(t *testing.T) {
	for _, c := range []struct {
		of, into any
		want     string
	}{
		{Result{Epochs: 3, Mistakes: 2, Stop: Converged, Upper: 0.1, Rows: 2}, &Result{}, `{"Epochs":3,"Mistakes":2,"Stop":"Converged","Rows":2,"Upper":0.1}`},
		{Result{Epochs: 1, Stop: Cycled, Upper: inf}, &Result{Upper: 7}, `{"Epochs":1,"Mistakes":0,"Stop":"Cycled","Rows":0,"Upper":null}`},
		{Epoch{N: 4, Examples: 3, Mistakes: 2, Loss: 0.1}, &Epoch{}, `{"N":4,"Examples":3,"Mistakes":2,"Stop":"Running","Loss":0.1}`},
		{Epoch{N: 4, Examples: 3, Mistakes: 2, Loss: inf}, &Epoch{Loss: 7}, `{"N":4,"Examples":3,"Mistakes":2,"Stop":"Running","Loss":null}`},
	} {
		data := must(json.Marshal(c.of))(t)
		must(0, json.Unmarshal(data, c.into))(t)
		Diff(t, "JSON", string(data), c.want)
		Diff(t, "read again", reflect.ValueOf(c.into).Elem().Interface(), c.of)
	}
	r, e := Result{Upper: 7}, Epoch{Loss: 7} // a number that is missing is +Inf too
	must(0, errors.Join(json.Unmarshal([]byte(`{"Epochs":3}`), &r), json.Unmarshal([]byte(`{"N":4}`), &e)))(t)
	Diff(t, "without Upper", r, Result{Epochs: 3, Upper: inf})
	Diff(t, "without Loss", e, Epoch{N: 4, Loss: inf})
	for _, v := range []any{&Result{Epochs: 5}, &Epoch{N: 5}} {
		before := fmt.Sprint(v)
		if json.Unmarshal([]byte(`{"Epochs":"x","N":"x"}`), v) == nil || fmt.Sprint(v) != before {
			t.Errorf("bad JSON was read: %v", v)
		}
	}
}

func TestEvaluate(t *testing.T) {
	h := Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{1}, {2}, {-1}, {-2}, {3}, {-3}}, []int{+1, -1, -1, 5, +1, +1}
	Diff(t, "Accuracy", must(Accuracy(h, X, y))(t), 0.5)
	c := must(Evaluate(h, X, y))(t)
	Diff(t, "classes", c.Classes, []int{-1, +1, 5})
	Diff(t, "counts", c.Counts, [][]int{{1, 1, 0}, {1, 2, 0}, {1, 0, 0}})
	for _, f := range []struct {
		what      string
		got, want float64
	}{
		{"accuracy", c.Accuracy(), 0.5}, {"precision of -1", c.Precision(-1), 1. / 3}, {"precision of +1", c.Precision(+1), 2. / 3}, {"precision of 5", c.Precision(5), 0},
		{"recall of -1", c.Recall(-1), 0.5}, {"recall of +1", c.Recall(+1), 2. / 3}, {"recall of 5", c.Recall(5), 0},
		{"F1 of -1", c.F1(-1), 0.4}, {"F1 of +1", c.F1(+1), 2. / 3}, {"F1 of 5", c.F1(5), 0}, {"F1 of 6", c.F1(6), 0},
		{"macro F1", c.MacroF1(), (0.4 + 2./3 + 0) / 3}, {"nothing's accuracy", Confusion[int]{}.Accuracy(), 0}, {"nothing's macro F1", Confusion[int]{}.MacroF1(), 0},
	} {
		Diff(t, f.what, f.got, f.want)
	}
	rows := []Sparse{{[]uint32{0}, []float64{2}}, {}}
	model := SparseModel{Model: &Online{}, Width: 1}
	must(model.Fit(rows, []int{1, -1}))(t)
	Diff(t, "the accuracy of sparse rows", must(Accuracy(model, rows, []int{1, -1}))(t), 1)
	Diff(t, "the labels afterwards", y, []int{+1, -1, -1, 5, +1, +1})
}

// TestEvaluateNames: labels of any ordered type, and their names in the table.
func TestEvaluateNames(t *testing.T) {
	names := []string{"cat", "dog", "cat", "emu"}
	p := tableOf[string]{"cat", "cat", "dog", "emu"}
	c := must(Evaluate(p, []int{0, 1, 2, 3}, names))(t)
	Diff(t, "accuracy", must(Accuracy(p, []int{0, 1, 2, 3}, names))(t), 0.5)
	Diff(t, "the table", c.String(), `  true\predicted  cat  dog  emu  precision  recall     F1
             cat    1    1    0      0.500   0.500  0.500
             dog    1    0    0      0.000   0.000  0.000
             emu    0    0    1      1.000   1.000  1.000
`)
	numbers := tableOf[float64]{math.NaN(), 1, math.NaN()}
	n := must(Evaluate(numbers, []int{0, 1, 2}, []float64{math.NaN(), math.NaN(), 1}))(t)
	Diff(t, "NaN is one class", n.Counts, [][]int{{1, 1}, {1, 0}})
	Diff(t, "its accuracy", []float64{n.Accuracy(), must(Accuracy(numbers, []int{0}, numbers[:1]))(t)}, []float64{1. / 3, 1})
}

// A tableOf predicts label i for row i.
type tableOf[L any] []L

func (p tableOf[L]) Predict(i int) (L, error) { return p[i], nil }

// updatedOn returns the rows that a Fit updates on, by the reference, which shows one row after
// another.
func updatedOn(m model, set naive.Set) map[int]bool {
	n := naiveOf(m)
	for range n.epochs(set.X, set.Y) {
	}
	return n.updated
}

// sparse returns the rows without their zeros.
func sparse(X [][]float64) []Sparse {
	rows := make([]Sparse, len(X))
	for i, x := range X {
		for j, v := range x {
			if v != 0 {
				rows[i].Index, rows[i].Value = append(rows[i].Index, uint32(j)), append(rows[i].Value, v)
			}
		}
	}
	return rows
}

// TestRows compares Rows with the reference, for dense and sparse rows, whoever makes the
// updates. Only Rosenblatt's rule in a fixed order has Rows.
func TestRows(t *testing.T) {
	t.Parallel()
	for d := range widths(40) {
		r := rand.New(rand.NewPCG(9, uint64(d)))
		for i := range 3 * 2 * 4 {
			binary := &Online{Keep: Keep(i % 3), Space: Space(i / 3 % 2), MaxEpochs: 1 + r.IntN(4)}
			m, set := model(binary), naive.Noisy(r.Uint64(), 2+r.IntN(150), d)
			if k := i / 6; k > 0 {
				m, set = &Multiclass{Binary: binary}, naive.Multi(r.Uint64(), 2*k+r.IntN(150), d, 2*k)
			} else if r.IntN(2) == 0 {
				binary.Rate = 0.1
				binary.Start.Weights = naive.Gaussian(r, d)
			}
			want := len(updatedOn(m, set))
			what := fmt.Sprintf("%T, %v, %v, %d rows of %d", m, binary.Keep, binary.Space, len(set.X), d)
			Diff(t, what, must(m.Fit(set.X, set.Y))(t).Rows, want)
			Diff(t, what+", sparse", must(SparseModel{m, d}.Fit(sparse(set.X), set.Y))(t).Rows, want)
			if want == 0 {
				t.Errorf("%s: no row was updated on", what)
			}
			binary.Order = Order(1 + i%2)
			for _, m := range []model{m, &OneVsRest{Binary: &Online{MaxEpochs: 2}}, &Multiclass{Binary: &Margin{MaxEpochs: 2}}} {
				Diff(t, fmt.Sprintf("%v: %v", what, m), must(m.Fit(set.X, set.Y))(t).Rows, 0)
			}
		}
	}
	for _, m := range []Model{&Batch{MaxEpochs: 2}, &Margin{}, &Margin{Gamma: 0.1}, &Margin{Threshold: 0.1}} {
		Diff(t, fmt.Sprintf("%T", m), must(m.Fit(FourPoints.X, FourPoints.Y))(t).Rows, 0)
	}
}

// choose returns the first n rows of the classes. Of two classes, the labels become +1 and −1.
func choose(set naive.Set, n int, classes ...int) naive.Set {
	chosen := naive.Set{Name: fmt.Sprint(set.Name, classes)}
	for i, x := range set.X {
		if len(chosen.X) < n && slices.Contains(classes, set.Y[i]) {
			chosen.Add(x, set.Y[i])
		}
	}
	if len(classes) == 2 {
		chosen.Y = Against(chosen.Y, classes[0])
	}
	return chosen
}

// leaveOut trains m without each row, and returns how many of them the model then has wrong. The
// rows updated on lead to the same weights by themselves. So do all rows without one of the others.
func leaveOut(t *testing.T, m model, set naive.Set) (res Result, wrong int) {
	t.Helper()
	updated, some := updatedOn(m, set), naive.Set{}
	res = must(m.Fit(set.X, set.Y))(t)
	if res.Stop != Converged || res.Rows != len(updated) || res.Rows > res.Mistakes {
		t.Fatalf("%s: %+v, want Converged and %d rows", set.Name, res, len(updated))
	}
	weights := func(m model) (w []float64) {
		for i := range m.learned().Planes() {
			w = append(w, m.learned().Vector(i)...)
		}
		return w
	}
	for i, x := range set.X {
		if updated[i] {
			some.Add(x, set.Y[i])
		}
		few := m.unlearned()
		must(few.Fit(slices.Concat(set.X[:i], set.X[i+1:]), slices.Concat(set.Y[:i], set.Y[i+1:])))(t)
		if !updated[i] && !slices.Equal(weights(few), weights(m)) {
			t.Errorf("%s: other weights without row %d, which was not updated on", set.Name, i)
		}
		if must(few.Predict(x))(t) != set.Y[i] {
			wrong++
		}
	}
	few := m.unlearned()
	must(few.Fit(some.X, some.Y))(t)
	if !slices.Equal(weights(few), weights(m)) {
		t.Errorf("%s: other weights from the rows updated on", set.Name)
	}
	return res, wrong
}

// bounded checks that no more rows are wrong when left out than the theorem says.
func bounded(t *testing.T, space Space, set naive.Set) {
	t.Helper()
	res, wrong := leaveOut(t, &Online{Space: space}, set)
	most := must(Separate(set.X, set.Y, space))(t).MistakeBound()
	t.Logf("%s: of %d rows, %d are wrong when left out; Rows = %d, (R/γ)² = %.4g", set.Name, len(set.X), wrong, res.Rows, most)
	if wrong > res.Rows || float64(wrong) > most {
		t.Errorf("%s: %d rows are wrong when left out, but Rows = %d and (R/γ)² = %v", set.Name, wrong, res.Rows, most)
	}
}

// TestRowsLeftOut trains on real rows n times, each time without one of them.
func TestRowsLeftOut(t *testing.T) {
	iris := Iris(t)
	setosa := naive.Set{Name: "iris, setosa", X: iris.X, Y: Against(iris.Y, 0)}
	for _, set := range []naive.Set{choose(iris, 100, 0, 1), choose(iris, 100, 0, 2), setosa} {
		bounded(t, Affine, set)
		bounded(t, Linear, set)
	}
	sonar := Sonar(t)
	for first := range 3 {
		third := naive.Set{Name: fmt.Sprintf("sonar, rows %d, %d, …", first, first+3)}
		for i := first; i < len(sonar.X); i += 3 {
			third.Add(sonar.X[i], sonar.Y[i])
		}
		bounded(t, Affine, third)
	}
	if full {
		if res, wrong := leaveOut(t, &Online{MaxEpochs: 10_000}, sonar); wrong > res.Rows {
			t.Errorf("sonar: %d rows are wrong when left out, but Rows = %d", wrong, res.Rows)
		}
	}
}

// TestRowsLeftOutMore is TestRowsLeftOut for the sets of the folder PERCEPTRON_DATA.
func TestRowsLeftOutMore(t *testing.T) {
	mushroom, letter, digits := Mushroom(t), Letter(t), Digits(t)
	for _, set := range []naive.Set{
		choose(mushroom, 300, +1, -1),
		choose(letter, 300, 'A', 'B'), choose(letter, 200, 'A', 'M'), choose(letter, 200, 'I', 'L'), choose(letter, 200, 'M', 'V'),
		choose(digits, 200, 0, 1), choose(digits, 200, 3, 8), choose(digits, 200, 4, 9),
	} {
		bounded(t, Affine, set)
	}
	for _, set := range []naive.Set{choose(letter, 200, 'A', 'B', 'C'), choose(digits, 200, 0, 1, 2)} {
		if res, wrong := leaveOut(t, &Multiclass{}, set); wrong > res.Rows {
			t.Errorf("%s: %d rows are wrong when left out, but Rows = %d", set.Name, wrong, res.Rows)
		}
	}
}

// TestRowsEqual: each unit vector is updated on once, and is wrong when left out. Then all sides of
// the inequality are equal: n = Rows = (R/γ)². The labels are −1, because a score of 0 predicts +1.
func TestRowsEqual(t *testing.T) {
	for n := 2; n < 40; n++ {
		set := naive.OneHot(n)
		set.Y = slices.Repeat([]int{-1}, n)
		res, wrong := leaveOut(t, &Online{Space: Linear}, set)
		most := MistakeBound(1, 1/math.Sqrt(float64(n)))
		if wrong != n || res.Rows != n || math.Abs(most-float64(n)) > 1e-9 {
			t.Errorf("%d units: %d are wrong when left out, Rows = %d, (R/γ)² = %v", n, wrong, res.Rows, most)
		}
	}
}

// TestReport: package train reports a pass as an Epoch, or adds it to a Result. Its numbers for a Stop, an Order, a
// Keep and a Space are those of this package's constants.
func TestReport(t *testing.T) {
	var e Epoch
	var r Result
	for range 2 {
		if !report(e.set)(1, 2, 3, 4, train.Cycled) || !report(r.add)(1, 2, 3, 4, train.Cycled) {
			t.Error("a report ends the training")
		}
	}
	Diff(t, "Epoch", e, Epoch{N: 1, Examples: 2, Mistakes: 3, Loss: 4, Stop: Cycled})
	Diff(t, "Result", r, Result{Epochs: 2, Mistakes: 6, Stop: Cycled})
	Diff(t, "Stop", []Stop{train.Running, train.Converged, train.Cycled, train.EpochLimit}, []Stop{Running, Converged, Cycled, EpochLimit})
	Diff(t, "Order", []Order{train.Cyclic, train.Shuffled, train.Sampled}, []Order{Cyclic, Shuffled, Sampled})
	Diff(t, "Keep", []Keep{train.Last, train.Average, train.Pocket}, []Keep{Last, Average, Pocket})
	Diff(t, "Space", []Space{train.Affine, train.Linear}, []Space{Affine, Linear})
}

// TestRegistered: whoever adds a rule or a Keep gives its formula, and the grids of the tests draw it.
// The rules are the variables of the package's sources that are set to a train.Rule.
func TestRegistered(t *testing.T) {
	names, drawn := rulesOf(t), map[*train.Rule]bool{batchRule: true}
	kept := map[uint8]bool{}
	for _, m := range wholeGrid(3, 1) {
		c := configured(m)
		drawn[c.Rule], kept[c.Keep] = true, true
	}
	for _, name := range names {
		if r, known := naiveRules[name]; !known {
			t.Errorf("%s has no formula: give it one in naiveRules", name)
		} else if !drawn[r.Rule] {
			t.Errorf("wholeGrid draws no model with %s", name)
		}
	}
	Diff(t, "the number of rules", len(naiveRules), len(names))
	for i, name := range train.KeepNames {
		if naiveKeeps[uint8(i)] == nil {
			t.Errorf("Keep %s has no formula: give it one in naiveKeeps", name)
		} else if !kept[uint8(i)] {
			t.Errorf("wholeGrid draws no model with Keep %s", name)
		}
	}
}

// rulesOf returns the names of the variables that are set to a train.Rule.
func rulesOf(t *testing.T) (names []string) {
	declared := regexp.MustCompile(`(?m)^\s*(?:var )?(\w+)\s*=\s*&train\.Rule\{`)
	for _, file := range must(filepath.Glob("*.go"))(t) {
		if !strings.HasSuffix(file, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(string(must(os.ReadFile(file))(t)), -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}
