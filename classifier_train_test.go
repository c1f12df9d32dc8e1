package perceptron

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

// named returns rows of three classes, and their labels.
func named(t testing.TB) (X [][]float64, labels []string) {
	set := naive.Multi(5, 90, 4, 3)
	for _, y := range set.Y {
		labels = append(labels, string(rune('c'-y)))
	}
	return set.X, labels
}

// sameClassifier reports whether two Classifiers have equal saved forms.
func sameClassifier[R Row](t testing.TB, a, b *Classifier[R]) bool {
	t.Helper()
	return string(must(a.MarshalBinary())(t)) == string(must(b.MarshalBinary())(t))
}

// classifierEpochs checks Epochs of one row type: a range equals Fit, a range in two parts equals one,
// and an error leaves c as it was.
func classifierEpochs[R Row](t *testing.T, X []R, labels []string, bad R) {
	var fitted, ranged, parts Classifier[R]
	res := must(fitted.Fit(X, labels))(t)
	n := 0
	for e := range naive.Epochs(t, ranged.Epochs(X, labels)) {
		if n++; e.N != n || ranged.Seen() != int64(n*len(X)) || e.Stop != Running && e.Stop != res.Stop {
			t.Errorf("%T: epoch %d is %v after %d examples", ranged, n, e, ranged.Seen())
		}
	}
	if n != res.Epochs || !sameClassifier(t, &fitted, &ranged) {
		t.Errorf("%T: %d epochs of a range differ from %v of Fit", ranged, n, res)
	}
	for e := range naive.Epochs(t, parts.Epochs(X, labels)) {
		if e.N == 3 {
			break
		}
	}
	var loaded Classifier[R]
	must(0, loaded.UnmarshalBinary(must(parts.MarshalBinary())(t)))(t)
	before := must(loaded.MarshalJSON())(t)
	worse := append(slices.Clone(X), bad)
	for _, err := range loaded.Epochs(worse, append(slices.Clone(labels), "new")) {
		if e := (*ExampleError)(nil); !errors.As(err, &e) || e.Index != len(X) {
			t.Errorf("%T: a bad row: %v", loaded, err)
		}
	}
	if string(must(loaded.MarshalJSON())(t)) != string(before) {
		t.Errorf("%T: an error changed the Classifier", loaded)
	}
	_, old, scaling, _ := loaded.Parts()
	for range naive.Epochs(t, loaded.Epochs(X[:9], append(slices.Clone(labels[:8]), "new"))) {
		break
	}
	_, names, after, _ := loaded.Parts()
	Diff(t, "the scaling stays", after, scaling)
	Diff(t, "labels", names, append(old, "new"))
	for range parts.Epochs(X, labels[1:]) {
	}
}

// rowsOfBoth returns dense rows and the same rows as sparse ones.
func rowsOfBoth(t testing.TB) (X [][]float64, S []Sparse, labels []string) {
	X, labels = named(t)
	return X, sparse(X), labels
}

func TestClassifierEpochs(t *testing.T) {
	X, S, labels := rowsOfBoth(t)
	classifierEpochs(t, X, labels, []float64{1, 2, math.NaN(), 4})
	classifierEpochs(t, S, labels, Sparse{[]uint32{2, 1}, []float64{1, 2}})
}

// classifierLearn checks that a stream learns as Update does, and what a bad example leaves.
func classifierLearn[R Row](t *testing.T, X []R, labels []string, fields Classifier[R], bad R) {
	stream, rows := fields, fields
	for i, x := range X {
		must(rows.Update(x, labels[i]))(t)
	}
	e := must(stream.Learn(Examples(X, labels)))(t)
	if e.N != 1 || e.Examples != len(X) || stream.Seen() != int64(len(X)) || fmt.Sprint(stream.Labels()) != fmt.Sprint(rows.Labels()) {
		t.Errorf("%T: %v, labels %q, want %q", stream, e, stream.Labels(), rows.Labels())
	}
	for _, x := range X[:5] {
		Diff(t, "scores", must(stream.Scores(nil, x))(t), must(rows.Scores(nil, x))(t))
	}
	before := must(stream.MarshalBinary())(t)
	must(stream.Learn(Examples[R, string](nil, nil)))(t)
	Diff(t, "a stream that has ended changes nothing", string(must(stream.MarshalBinary())(t)), string(before))
	for at, c := range map[int]struct {
		row   R
		label string
		kind  error
	}{0: {bad, "late", nil}, 4: {bad, "late", nil}, 2: {X[0], "\xff", ErrLabel}} {
		c2 := stream.Clone()
		mixed := append(slices.Clone(X[:at]), c.row)
		names := append(slices.Clone(labels[:at]), c.label)
		e, err := c2.Learn(Examples(mixed, names))
		var of *ExampleError
		if !errors.As(err, &of) || of.Index != at || e.Examples != at || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%T: a bad example at %d: %v, %v", stream, at, e, err)
		}
		if c2.Seen() != stream.Seen()+int64(at) || len(c2.Labels()) != len(stream.Labels()) {
			t.Errorf("%T: after a bad example at %d: %d examples, labels %q", stream, at, c2.Seen(), c2.Labels())
		}
	}
	want{ErrEmpty, -1, "empty: the iterator is nil"}.check(t, only(stream.Learn(nil)))
}

func TestClassifierLearn(t *testing.T) {
	X, S, labels := rowsOfBoth(t)
	classifierLearn(t, X, labels, Classifier[[]float64]{Raw: true}, []float64{1, 2})
	classifierLearn(t, S, labels, Classifier[Sparse]{Width: 4}, Sparse{[]uint32{4}, []float64{1}})
	c := Classifier[[]float64]{Model: &OneVsRest{Binary: new(Batch)}, Raw: true}
	for range 2 { // before training, and after it
		want{ErrConfig, -1, "bad configuration: Binary is a *perceptron.Batch, which has only Fit and Epochs"}.check(t, only(c.Update(X[0], "a")))
		want{ErrConfig, -1, "bad configuration: Binary is a *perceptron.Batch, which has only Fit and Epochs"}.check(t, only(c.Learn(Examples(X, labels))))
		must(c.Fit(X, labels))(t)
	}
	var recipe Classifier[[]float64]
	must(recipe.Fit(X, labels))(t)
	before := string(must(recipe.MarshalBinary())(t))
	must(recipe.Learn(func(yield func([]float64, string) bool) {
		Diff(t, "saved by the iterator of Learn", string(must(recipe.MarshalBinary())(t)), before)
		yield(X[0], labels[0])
	}))(t)
	b := Classifier[[]float64]{Model: new(Batch)}
	must(b.Fit(X[:2], []string{"a", "b"}))(t)
	for _, err := range []error{only(b.Update(X[0], "a")), only(b.Learn(Examples(X, labels)))} {
		want{ErrConfig, -1, "bad configuration: a Batch learns by Fit and Epochs alone"}.check(t, err)
	}
}

// TestClassifierHyperplane: the hyperplane of a label gives raw rows the label's score, up to rounding; a
// binary Model gives the two labels opposite ones.
func TestClassifierHyperplane(t *testing.T) {
	X, S, labels := rowsOfBoth(t)
	for i := range X {
		X[i][1] = 1000*X[i][1] + 7
	}
	two := slices.Clone(labels)
	for i := range two {
		two[i] = map[bool]string{true: "no", false: "yes"}[labels[i] == "c"]
	}
	for _, model := range []Model{nil, new(OneVsRest), new(Online), &Margin{Keep: Average}} {
		c, names := Classifier[[]float64]{Model: model}, labels
		if _, binary := model.(Binary); binary {
			names = two
		}
		want{ErrUntrained, -1, "untrained model: …"}.check(t, only(c.Hyperplane("c")))
		must(c.Fit(X, names))(t)
		for k, label := range c.Labels() {
			h := must(c.Hyperplane(label))(t)
			for _, x := range X {
				scores, got := must(c.Scores(nil, x))(t), must(h.Score(x))(t)
				of := scores[min(k, len(scores)-1)]
				if len(scores) == 1 && k == 0 {
					of = -of
				}
				if math.Abs(got-of) > 1e-9*(1+math.Abs(of)) {
					t.Fatalf("%T, %s: the score is %v, want %v", model, label, got, of)
				}
			}
		}
		want{ErrLabel, -1, `bad label: "nobody" is not among the labels`}.check(t, only(c.Hyperplane("nobody")))
	}
	var c Classifier[Sparse]
	must(c.Fit(S, labels))(t)
	k := 1
	h := must(c.Hyperplane(c.Labels()[k]))(t)
	for i, x := range S {
		got := (must(h.Score(withZeros(x, 4)))(t)-h.Bias)/norm(x.Value) + h.Bias
		if want := must(c.Scores(nil, x))(t)[k]; math.Abs(got-want) > 1e-9 {
			t.Fatalf("row %d: %v, want %v", i, got, want)
		}
	}
}

// TestClassifierCopied: a copy by value shares what was learned, as a copy of a map does, and a clone shares
// nothing. Fit and loading replace what one copy has learned. The other copies keep the old state. One
// configured Classifier, or one Model, serves any number of trainings.
func TestClassifierCopied(t *testing.T) {
	X, labels := named(t)
	file := func(c *Classifier[[]float64]) string { return string(must(c.MarshalBinary())(t)) }
	for name, learn := range map[string]func(c *Classifier[[]float64]){
		"Update": func(c *Classifier[[]float64]) { must(c.Update(X[7], "new"))(t) },
		"Learn":  func(c *Classifier[[]float64]) { must(c.Learn(Examples(X[:9], slices.Repeat([]string{"new"}, 9))))(t) },
		"Epochs": func(c *Classifier[[]float64]) {
			for range naive.Epochs(t, c.Epochs(append(X[:20:20], X[0]), append(labels[:20:20], "new"))) {
				copied := *c
				Diff(t, "a copy in the body", copied.Labels(), c.Labels())
			}
		},
	} {
		var c Classifier[[]float64]
		must(c.Fit(X, labels))(t)
		copied, cloned, before := c, c.Clone(), file(&c)
		array, pointed := [1]Classifier[[]float64]{c}, &struct{ Classifier[[]float64] }{c}
		learn(&copied)
		after := file(&copied)
		if after == before || len(copied.Labels()) != 4 {
			t.Errorf("%s learned nothing", name)
		}
		for _, d := range []*Classifier[[]float64]{&c, &array[0], &pointed.Classifier} {
			Diff(t, name+": a copy", file(d), after)
			Diff(t, name+": its labels", d.Labels(), copied.Labels())
		}
		Diff(t, name+": the clone", file(cloned), before)
		learn(cloned)
		Diff(t, name+": the clone, trained alike", file(cloned), after)
		must(copied.Fit(X[:40], labels[:40]))(t)
		Diff(t, name+": the original, after Fit of the copy", file(&c), after)
		must(0, copied.UnmarshalBinary([]byte(before)))(t)
		must(copied.Update(X[0], "a"))(t)
		Diff(t, name+": the original, after loading the copy", file(&c), after)
		must(0, copied.SetParts(c.Parts()))(t)
		must(copied.Update(X[0], "a"))(t)
		Diff(t, name+": the original, after SetParts of the copy", file(&c), after)
	}
	configured := Classifier[[]float64]{Model: &OneVsRest{Binary: &Margin{Keep: Average, MaxEpochs: 9}}}
	one, other := configured, Classifier[[]float64]{Model: configured.Model}
	must(one.Fit(X, labels))(t)
	before := file(&one)
	must(other.Fit(X[30:], labels[:60]))(t)
	must(configured.Learn(Examples(X, labels)))(t)
	Diff(t, "the first of three", file(&one), before)
}

// TestClassifierNested: in the body of Epochs and the iterator of Learn, a call is an error if its result
// would be lost. The Classifier may be trained or untrained. Assigning to it is found afterwards.
func TestClassifierNested(t *testing.T) {
	X, labels := named(t)
	var other Classifier[[]float64]
	must(other.Fit(X, labels))(t)
	data := must(other.MarshalBinary())(t)
	nested := want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}
	replaced := want{ErrConfig, -1, "bad configuration: the Classifier was replaced while it was being trained"}
	for _, fresh := range []func() *Classifier[[]float64]{
		func() *Classifier[[]float64] { return &Classifier[[]float64]{Raw: true} },
		func() *Classifier[[]float64] { return &Classifier[[]float64]{Model: new(Multiclass), Raw: true} }, other.Clone,
	} {
		c := fresh()
		calls := func() {
			m, names, s, w := other.Parts()
			for _, err := range []error{
				only(c.Fit(X, labels)), only(c.Update(X[0], "a")), only(c.Learn(Examples(X, labels))), only(ranges(c.Epochs(X, labels), 1)),
				c.SetParts(m, names, s, w),
			} {
				nested.check(t, err)
			}
			if err := c.UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), "enclosing Epochs") {
				t.Errorf("UnmarshalBinary: %v", err)
			}
		}
		for e := range naive.Epochs(t, c.Epochs(X, labels)) {
			cloned := c.Clone()
			must(cloned.Fit(X, labels))(t)
			if calls(); e.N > 2 {
				break
			}
		}
		seen := c.Seen()
		must(c.Learn(func(yield func([]float64, string) bool) {
			calls()
			yield(X[0], labels[0])
		}))(t)
		Diff(t, "examples", c.Seen(), seen+1)
		for _, c = range []*Classifier[[]float64]{c, fresh()} {
			last := only(c.Learn(func(yield func([]float64, string) bool) {
				*c = *other.Clone()
				yield(X[0], labels[0])
			}))
			replaced.check(t, last)
			Diff(t, "the Classifier after it was replaced", string(must(c.MarshalBinary())(t)), string(data))
			for _, err := range c.Epochs(X, labels) {
				*c, last = *other.Clone(), err
			}
			replaced.check(t, last)
			must(c.Fit(X, labels))(t)
		}
	}
}

// TestClassifierFaults: widths, long labels, and Result.Rows.
func TestClassifierFaults(t *testing.T) {
	X, labels := named(t)
	c := Classifier[[]float64]{Model: new(OneVsRest), Raw: true}
	must(c.Fit(X, labels))(t)
	long := strings.Repeat("x", 1<<20)
	if err := only(c.Hyperplane(long)); len(err.Error()) > 200 || !strings.Contains(err.Error(), "1048576 bytes") {
		t.Errorf("a long label: %.300v", err)
	}
	two := make([]string, len(labels))
	for i := range two {
		two[i] = []string{"no", "yes"}[i%2]
	}
	scaled, raw := Classifier[[]float64]{Model: &Online{MaxEpochs: 3}}, Classifier[[]float64]{Model: &Online{MaxEpochs: 3}, Raw: true}
	if a, b := must(scaled.Fit(X, two))(t), must(raw.Fit(X, two))(t); a.Rows != 0 || b.Rows == 0 {
		t.Errorf("Rows is %d of scaled rows, want 0; %d of raw rows", a.Rows, b.Rows)
	}
	wide := Classifier[Sparse]{Width: 1 << 25}
	must(wide.Fit([]Sparse{HashWords(1<<25, "a"), HashWords(1<<25, "b")}, []string{"a", "b"}))(t)
	Diff(t, "label", must(wide.Predict(HashWords(1<<25, "b", "x")))(t), "b")
	want{ErrEmpty, -1, "empty: Width is 0, and Model is untrained; set Width"}.check(t, only(new(Classifier[Sparse]).Fit([]Sparse{{}, {}}, []string{"a", "b"})))
	none := Classifier[[]float64]{Raw: true}
	want{ErrNotFinite, 0, "not finite: feature 1 is NaN"}.check(t, only(none.Learn(Examples([][]float64{{1, math.NaN()}}, labels[:1]))))
	must(none.Learn(Examples[[]float64, string](nil, nil)))(t)
	Diff(t, "a stream that learned nothing", none, Classifier[[]float64]{Raw: true})
	before := c.Labels()
	if _, err := c.Learn(nil); err == nil {
		t.Error("Learn of a nil stream: no error")
	}
	Diff(t, "labels after it", c.Labels(), before)
}

// TestWavesWidth: errors about the width of a row count its own features.
func TestWavesWidth(t *testing.T) {
	X, labels := quadrants(rand.New(rand.NewPCG(67, 1)), 40)
	long := [][]float64{{1, 2, 3}, {1, 2, 3}}
	{
		c := Classifier[[]float64]{Waves: Waves{Count: 9}}
		e, err := c.Learn(Examples(append(X[:9:9], long...), labels[:11]))
		want{ErrDimension, 9, "dimension mismatch: width 3, want 2"}.check(t, err)
		Diff(t, "rows learned", e.Examples, 9)
		must(c.Fit(X, labels))(t)
		for _, err := range []error{only(c.Predict(long[0])), only(c.Scores(nil, long[0])), only(c.Update(long[0], "no"))} {
			want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}.check(t, err)
		}
		for _, err := range []error{only(c.Learn(Examples(long, labels[:2]))), only(ranges(c.Epochs(long, labels[:2]), 1))} {
			want{ErrDimension, 0, "dimension mismatch: width 3, want 2"}.check(t, err)
		}
		want{ErrDimension, 40, "dimension mismatch: width 3, want 2"}.check(t, only(c.Fit(append(X[:40:40], long[0]), append(labels[:40:40], "no"))))
		want{ErrEmpty, -1, "empty: the row has no features"}.check(t, only(c.Predict(nil)))
		must(c.Fit(long, []string{"no", "yes"}))(t)
	}
}

// TestHashWords: indexes are CRC-32 modulo the width, and ascend; counts are summed.
func TestHashWords(t *testing.T) {
	r := rand.New(rand.NewPCG(69, 1))
	for range 300 {
		width, counts := 1+r.IntN(1<<r.IntN(min(32, bits.UintSize-1))), map[uint32]float64{}
		var words []string
		for range r.IntN(40) {
			word := fmt.Sprint("ä", r.IntN(30))
			words = append(words, word)
			counts[uint32(uint64(crc32.ChecksumIEEE([]byte(word)))%uint64(width))]++
		}
		x := HashWords(width, words...)
		if !slices.IsSorted(x.Index) || len(x.Index) != len(counts) || len(x.Value) != len(counts) {
			t.Fatalf("%v: %v, want %v", words, x, counts)
		}
		for k, j := range x.Index {
			if x.Value[k] != counts[j] {
				t.Fatalf("%v: %v, want %v", words, x, counts)
			}
		}
	}
	want{ErrDimension, 0, "dimension mismatch: Index has length 1, but Value has 0"}.check(t, only(new(Classifier[Sparse]).Fit([]Sparse{HashWords(0, "a"), {}}, []string{"a", "b"})))
	Diff(t, "known", HashWords(1<<20, "spam"), Sparse{[]uint32{crc32.ChecksumIEEE([]byte("spam")) % (1 << 20)}, []float64{1}})
	if n := testing.AllocsPerRun(10, func() { HashWords(1000, "a", "b", "c", "a") }); n > 3 {
		t.Errorf("%v allocations", n)
	}
}

// TestStrings: a Result and an Epoch are one line each.
func TestStrings(t *testing.T) {
	Diff(t, "Result", Result{Epochs: 20, Mistakes: 1631, Stop: EpochLimit}.String(), "20 epochs, 1631 mistakes, EpochLimit")
	Diff(t, "Result", fmt.Sprint(Result{Epochs: 1, Mistakes: 1, Stop: Converged}), "1 epoch, 1 mistake, Converged")
	Diff(t, "Epoch", fmt.Sprint(Epoch{N: 3, Examples: 150, Mistakes: 7, Loss: 0.02134}), "epoch 3: 150 examples, 7 mistakes, loss 0.0213, Running")
}
