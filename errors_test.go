package perceptron

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// A want describes an error: its text, its kind and its example. The zero kind is no error.
type want struct {
	kind  error
	index int    // of the ExampleError; −1 if there must be none
	text  string // after "perceptron: " and the example; "…" stands for any rest
}

func (w want) check(t testing.TB, err error) {
	t.Helper()
	text, open := strings.CutSuffix("perceptron: "+w.text, "…")
	if w.index >= 0 {
		text = fmt.Sprintf("perceptron: example %d: %s", w.index, w.text)
	}
	if err == nil || err.Error() != text && !(open && strings.HasPrefix(err.Error(), text)) || !errors.Is(err, w.kind) {
		t.Errorf("error %v, want %s of kind %q", err, text, w.kind)
	}
	var e *ExampleError
	if named := errors.As(err, &e); named != (w.index >= 0) || named && (e.Index != w.index || e.Unwrap() != e.Err) {
		t.Errorf("%v: example %+v, want index %d", err, e, w.index)
	}
}

// of calls those methods of the list that m has. After an error m has learned the
// stream's earlier examples, and nothing else.
func (w want) of(t testing.TB, m model, X [][]float64, y []int, list string) {
	t.Helper()
	for _, method := range methods(m, list) {
		w, m, left, X, y := w, m, m, X, y
		if w.index >= 0 && (method == "Learn" || method == "Update") {
			m, left = clone(m), clone(m)
			for i := range w.index {
				accept.of(t, left, X[i:], y[i:], "Update")
			}
			if method == "Update" {
				m, X, y, w.index = left, X[w.index:], y[w.index:], -1
			}
		}
		before, err := snapshot(left), calls[method](m, X, y)
		if w.kind == nil {
			must(0, err)(t)
		} else if w.check(t, err); snapshot(m) != before {
			t.Fatalf("%s: the model is\n%s, want\n%s", method, snapshot(m), before)
		}
	}
}

var accept = want{index: -1} // no error

const resume, anew, read = "Epochs Learn Update", "Fit Epochs Learn Update", "Predict Score Scores"

const scoreText = "not finite: the score overflows, though every feature is finite"

// calls are the methods that can fail, on all rows or on the first.
var calls = map[string]func(m model, X [][]float64, y []int) error{
	"Fit":    func(m model, X [][]float64, y []int) error { return only(m.Fit(X, y)) },
	"Epochs": func(m model, X [][]float64, y []int) error { return drain(m, X, y, func() {}) },
	"Learn":  func(m model, X [][]float64, y []int) error { return only(m.(streamer).Learn(Examples(X, y))) },
	"Update": func(m model, X [][]float64, y []int) error {
		updated, err := m.(streamer).Update(X[0], y[0])
		if updated && err != nil {
			return fmt.Errorf("Update reports an update, and %w", err)
		}
		return err
	},
	"Predict": func(m model, X [][]float64, y []int) error { return only(m.Predict(X[0])) },
	"Score":   func(m model, X [][]float64, y []int) error { return only(m.(scorer).Score(X[0])) },
	"Scores":  func(m model, X [][]float64, y []int) error { return only(m.(manyModel).Scores(nil, X[0])) },
}

type (
	fields map[string]any // exported fields of a model by name
	scorer interface {
		Score([]float64) (float64, error)
	}
	ranger interface {
		Epochs([][]float64, []int) iter.Seq2[Epoch, error]
	}
	streamer = Learner
)

// trainedZoo has the trained models of zoo, because many tests need them, some at the same time.
var trainedZoo = struct {
	sync.Mutex
	models map[string]model
}{models: map[string]model{}}

// zoo yields all kinds of models, untrained, and trained by every method on rows of d features.
func zoo(t testing.TB, d int) iter.Seq2[string, model] {
	set := naive.Noisy(20, 12, d)
	models := map[string]model{
		"binary online": &Online{Rate: 4}, "binary average": &Online{Rate: 4, Keep: Average}, "binary margin": &Margin{Rate: 4}, "binary batch": &Batch{Rate: 4},
		"binary pocket": &Online{Rate: 4, Keep: Pocket, Order: Shuffled}, "binary gamma average": &Margin{Gamma: 0.5, Keep: Average, Rate: 4},
		"binary threshold pocket": &Margin{Threshold: 2, Keep: Pocket, Order: Shuffled, Rate: 4}, "multi": new(OneVsRest),
		"multi average": &OneVsRest{Binary: &Online{Rate: 4, Keep: Average}}, "multi batch": &OneVsRest{Binary: new(Batch)},
		"multi pocket": &OneVsRest{Binary: &Margin{Keep: Pocket, Order: Shuffled}},
		"multi kesler": new(Multiclass), "multi kesler online": &Multiclass{Binary: &Online{Rate: 4}},
		"multi kesler average": &Multiclass{Binary: &Online{Rate: 4, Keep: Average}},
		"multi kesler margin":  &Multiclass{Binary: &Margin{Rate: 4, Order: Shuffled}},
		"multi kesler pocket":  &Multiclass{Binary: &Online{Keep: Pocket, Order: Shuffled}}, "multi kesler margin average": &Multiclass{Binary: &Margin{Rate: 4, Keep: Average}},
		"multi kesler gamma average":    &Multiclass{Binary: &Margin{Gamma: 0.5, Keep: Average, Rate: 4}},
		"multi kesler threshold pocket": &Multiclass{Binary: &Margin{Threshold: 2, Keep: Pocket, Order: Shuffled, Rate: 4}},
	}
	return func(yield func(string, model) bool) {
		for _, name := range slices.Sorted(maps.Keys(models)) {
			m := models[name]
			if short := (fields{"MaxEpochs": 40}).set(m); short != nil { // nil if Binary is nil
				m = short
			}
			trained := func() model {
				trainedZoo.Lock()
				defer trainedZoo.Unlock()
				key := fmt.Sprint(name, d)
				if trainedZoo.models[key] == nil {
					trainedZoo.models[key] = clone(m)
					accept.of(t, trainedZoo.models[key], set.X, set.Y, anew)
				}
				return clone(trainedZoo.models[key])
			}
			if !yield(name+" untrained", m) || !yield(name+" trained", trained()) {
				return
			}
		}
	}
}

// set returns a copy of m with fields of it, or of its Binary, set. It returns nil
// if m lacks a field, as Multiclass lacks a Start.
func (f fields) set(m model) model {
	m = clone(m)
	_, together := m.(*Multiclass)
	for name, v := range f {
		field := reflect.ValueOf(m).Elem().FieldByName(name)
		if b := inner(m); !field.IsValid() && b != nil {
			field = reflect.ValueOf(b).Elem().FieldByName(name)
		}
		if !field.IsValid() || together && name == "Start" {
			return nil
		}
		field.Set(reflect.ValueOf(v))
	}
	return m
}

// A fault is an input that methods must reject.
type fault struct {
	on      string // a part of the names of the models in the zoo
	methods string
	fields  fields // set before; a model that lacks one is skipped
	X       [][]float64
	y       []int
	want
}

// show gives the models every fault. Then it compares their further training with that of models
// without faults.
func show(t *testing.T, d int, faults []fault) {
	shown, good := make([]int, len(faults)), naive.Noisy(22, 9, d)
	for name, m := range zoo(t, d) {
		tried := clone(m)
		for i, f := range faults {
			c := f.fields.set(m)
			if c == nil || !strings.Contains(name, f.on) {
				continue
			}
			if shown[i]++; f.fields == nil {
				c = tried
			}
			t.Run(fmt.Sprint(name, " ", f.text), func(t *testing.T) { f.of(t, c, f.X, f.y, f.methods) })
			if f.fields != nil && stateOf(c) != nil {
				must(c.Predict(XOR.X[0]))(t) // prediction reads no exported field
			}
		}
		accept.of(t, tried, good.X, good.Y, resume)
		accept.of(t, m, good.X, good.Y, resume)
		Diff(t, name+" after errors", snapshot(tried), snapshot(m))
	}
	if i := slices.Index(shown, 0); i >= 0 {
		t.Errorf("no model was shown %+v", faults[i])
	}
}

// checkErrors checks that all errors are of one kind, with one index and text.
func checkErrors(t *testing.T, kind error, index int, text string, errs ...error) {
	t.Helper()
	for _, err := range errs {
		want{kind, index, text}.check(t, err)
	}
}

// TestErrorRows: every call rejects bad rows and labels, also as the first example of a late class.
func TestErrorRows(t *testing.T) {
	t.Parallel()
	start, huge := fields{"Start": Hyperplane{Weights: []float64{1, 1}}}, [][]float64{{math.MaxFloat64, math.MaxFloat64}}
	y, one, wide, none := []int{1, -1, 1, 1}, []int{1}, [][]float64{{1, 2, 3}, {3, 2, 1}}, [][]float64{nil, nil}
	show(t, 2, []fault{
		{"", anew, nil, bad(1, 2, 3), y, want{ErrDimension, 2, "dimension mismatch: width 3, want 2"}},
		{"", anew, nil, bad([]float64{}...), y, want{ErrEmpty, 2, "empty: the row has no features"}},
		{"", anew, nil, none, y[:2], want{ErrEmpty, 0, "empty: the row has no features"}},
		{"", anew, nil, bad(math.NaN(), 0), y, want{ErrNotFinite, 2, "not finite: feature 0 is NaN"}},
		{"", anew, nil, bad(0, inf)[2:], y[1:3], want{ErrNotFinite, 0, "not finite: feature 1 is +Inf"}},
		{"multi", anew, nil, bad(-inf, inf), []int{1, -1, 9, 1}, want{ErrNotFinite, 2, "not finite: feature 0 is -Inf"}},
		{"multi", "Fit", nil, bad(1, 1), []int{7, 7, 7, 7}, want{ErrLabel, -1, "bad label: every label is 7, want at least two classes"}},
		{"binary", anew, nil, bad(1, 1), []int{1, -1, 0, 1}, want{ErrLabel, 2, "bad label: 0, want +1 or -1; Multiclass takes any int, and Classifier any string"}},
		{"", "Fit Epochs", nil, bad(1, 1), one, want{ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1"}},
		{"", "Fit Epochs", nil, nil, nil, want{ErrEmpty, -1, "empty: no rows"}},
		{" trained", resume, nil, wide, y[:2], want{ErrDimension, 0, "dimension mismatch: width 3, want 2"}},
		{" trained", "Learn Update", nil, huge, one, want{ErrNotFinite, 0, scoreText}},
		{" trained", read, nil, huge, nil, want{ErrNotFinite, -1, scoreText}},
		{" trained", read, nil, wide, nil, want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}},
		{" trained", read, nil, none, nil, want{ErrEmpty, -1, "empty: the row has no features"}},
		{" untrained", read, nil, none, nil, want{ErrUntrained, -1, "untrained model: it has seen no example"}},
		{" untrained", read, start, bad(), nil, want{ErrUntrained, -1, "untrained model: it has seen no example"}},
		{" untrained", "Fit Epochs", start, wide, y[:2], want{ErrDimension, -1, "dimension mismatch: Start has width 2, but the rows have 3"}},
		{" untrained", "Learn Update", start, wide, y[:2], want{ErrDimension, 0, "dimension mismatch: Start has width 2, but the rows have 3"}},
	})
	var labels []fault // a label whose square or cube overflows to 1 is bad too
	for _, y := range []int{2, -2, 3, -3, math.MaxInt, -math.MaxInt, math.MinInt, 1 << 16, 1<<16 + 1, math.MaxInt / 2} {
		w := want{ErrLabel, 0, fmt.Sprintf("bad label: %d, want +1 or -1; Multiclass takes any int, and Classifier any string", y)}
		labels = append(labels, fault{"binary", anew, nil, [][]float64{{9, 9}}, []int{y}, w}, fault{"binary", anew, nil, [][]float64{{-9, -9}}, []int{y}, w})
	}
	show(t, 2, labels)
	var faults []fault
	for i := range 3 * 40 { // each value in every coordinate of a wide row, or of every lane of 8
		if !full && (i/3+i%3)%5 > 0 {
			continue
		}
		set, v := naive.Noisy(23, 3, 40), []float64{math.NaN(), inf, -inf}[i%3]
		set.X[2][i/3] = v
		text := fmt.Sprintf("not finite: feature %d is %v", i/3, v)
		faults = append(faults, fault{"", anew, nil, set.X, set.Y, want{ErrNotFinite, 2, text}},
			fault{" trained", read, nil, set.X[2:], nil, want{ErrNotFinite, -1, text}})
	}
	show(t, 40, faults)
}

// TestErrorOverflow: finite features whose scores, updates or sums overflow.
func TestErrorOverflow(t *testing.T) {
	const update = "not finite: the update overflows, though every feature is finite"
	overflow := func(m model, list string, X [][]float64, y []int, index int, text string) {
		w, c := want{ErrNotFinite, index, text}, clone(m)
		w.of(t, m, X, y, list)
		accept.of(t, c, [][]float64{{1e-300}, {-1e-300}}, []int{1, -1}, "Fit")
		w.of(t, c, X, y, "Fit")
	}
	two, long, yes, differ := [][]float64{{1e300}, {1e300}}, [][]float64{{1e200}, {0}}, []int{1, 1, -1}, []int{1, -1}
	overflow(new(Online), "Fit Learn Update", two, yes[:2], 1, scoreText)
	overflow(new(OneVsRest), "Fit Learn Update", two, differ, 1, scoreText)
	overflow(new(Batch), "Fit", two, yes[:2], 0, scoreText)
	overflow(&Online{Keep: Pocket, Start: Hyperplane{Weights: []float64{1e300}}}, anew, two, yes[:2], 0, scoreText)
	overflow(&Online{Rate: 1e200}, anew, long, differ, 0, update)
	overflow(&Online{Order: Sampled, Seed: 8}, "Fit", [][]float64{{1}, {-1}, {inf}}, []int{1, -1, 1}, 2, "not finite: feature 0 is +Inf") // in the confirmation
	overflow(&Batch{Rate: 1e200}, anew, long, differ, -1, update)
	overflow(new(Margin), anew, long, differ, 0, update)           // R²
	overflow(&Margin{Gamma: 1e300}, anew, long, differ, 0, update) // γ′‖(w, b)‖
	average, ones := &Online{Keep: Average, Space: Linear, Rate: 1e308}, [][]float64{{1}, {1}, {1}}
	overflow(average, anew, ones, yes, 2, update)
	must(average.Fit(ones[:2], yes[:2]))(t) // 1e308 + 1e308 overflows, but not the mean
	Diff(t, "the mean of 1e308 and 1e308", average.Hyperplane().Weights[0], 1e308)
}

// TestRefusedTheta: a row that one class refuses leaves the norms, and so θ, of the other classes as they
// were. A change of Seed makes the next call compute θ again.
func TestRefusedTheta(t *testing.T) {
	m := &OneVsRest{Binary: &Margin{Gamma: 1, Space: Linear}}
	must(m.Update([]float64{0x1p1022, 1}, 1))(t)
	must(m.Update([]float64{-1, 0}, 0))(t)
	spared := m.Clone()
	want{ErrNotFinite, -1, "not finite: …"}.check(t, only(m.Update([]float64{-0x1p512, -0x1p512}, 1)))
	m.Binary.(*Margin).Seed, spared.Binary.(*Margin).Seed = 2, 2
	Diff(t, "updated", must(m.Update([]float64{-2, 0}, 0))(t), must(spared.Update([]float64{-2, 0}, 0))(t))
	Diff(t, "saved", string(must(m.MarshalJSON())(t)), string(must(spared.MarshalJSON())(t)))
}

// TestBadInput: unusual input with a defined result.
func TestBadInput(t *testing.T) {
	for name, m := range zoo(t, 2) {
		if c := clone(m); len(methods(m, "Learn")) > 0 {
			want{ErrEmpty, -1, "empty: the iterator is nil"}.check(t, only(c.(streamer).Learn(nil)))
			e := must(c.(streamer).Learn(Examples[[]float64, int](nil, nil)))(t) // a pass of no examples
			if now := stateOf(c); e != (Epoch{N: now.Passes}) || now.Width == 0 && e.N != 1 {
				t.Errorf("%s: an empty stream is %+v", name, e)
			} else if now.Width == 0 {
				want{ErrUntrained, -1, "untrained model: it has seen no example"}.of(t, c, XOR.X, nil, read)
			} else if snapshot(c) != snapshot(m) {
				t.Errorf("%s has learned from an empty stream", name)
			}
		}
		accept.of(t, clone(m), [][]float64{{1, 2}, {2, 1}}, []int{-1, -1}, map[bool]string{true: anew, false: resume}[name[0] == 'b']) // one class
		if many, ok := m.(manyModel); ok {
			dst := []float64{42}
			if got, err := many.Scores(dst, []float64{1, inf}); err == nil || len(got) != 1 || &got[0] != &dst[0] || got[0] != 42 {
				t.Errorf("%s: Scores = %v, %v, want dst as it was", name, got, err)
			}
		}
	}
}

// bad returns four rows. The third is row.
func bad(row ...float64) [][]float64 { return [][]float64{{1, 2}, {-1, -2}, row, {2, 1}} }

// TestErrorConfig: training rejects fields that make no sense, and changes of
// fields that must not change once training has begun.
func TestErrorConfig(t *testing.T) {
	faults, on := []fault(nil), ""
	refuse := func(f fields, text string, args ...any) {
		w := want{ErrConfig, -1, "bad configuration: " + fmt.Sprintf(text, args...)}
		faults = append(faults, fault{"", "Fit", f, XOR.X, XOR.Y, w}, fault{on, resume, f, XOR.X, XOR.Y, w})
	}
	for _, v := range []float64{-1, math.NaN(), inf, -inf} {
		refuse(fields{"Rate": v}, "Rate is %v, want a positive finite number, or 0 for 1", v)
		refuse(fields{"Gamma": v}, "Gamma is %v, want a positive finite number, or 0 for another rule", v)
		refuse(fields{"Threshold": v}, "Threshold is %v, want a positive finite number, or 0 for another rule", v)
	}
	for _, m := range []Binary{struct{ Binary }{}, struct{ *Online }{new(Online)}} {
		refuse(fields{"Binary": m}, "Binary is a %T, want a *perceptron.Online or *perceptron.Margin, or in OneVsRest a *perceptron.Batch", m)
	}
	must((&OneVsRest{Binary: &Batch{Workers: -1}}).Fit(XOR.X, XOR.Y))(t) // Batch's own Workers is ignored
	refuse(fields{"Gamma": 1.0, "Threshold": 2.0}, "Gamma is 1, Threshold is 2 and Share is 0, want at most one of them set")
	refuse(fields{"Gamma": 1.0, "Share": 0.5, "Threshold": 0.0}, "Gamma is 1, Threshold is 0 and Share is 0.5, want at most one of them set")
	refuse(fields{"Gamma": 0.0, "Share": 0.5, "Threshold": 2.0}, "Gamma is 0, Threshold is 2 and Share is 0.5, want at most one of them set")
	refuse(fields{"Gamma": 0.0, "Share": 1.0, "Threshold": 0.0}, "Share is 1, want less than 1")
	refuse(fields{"MaxEpochs": -1}, "MaxEpochs is -1, want at least 1, or 0 for 1000")
	refuse(fields{"Workers": -2}, "Workers is -2, want at least 1, or 0 for GOMAXPROCS")
	refuse(fields{"Space": Space(2)}, "Space is 2, want one of Affine, Linear")
	refuse(fields{"Order": Order(3)}, "Order is 3, want one of Cyclic, Shuffled, Sampled")
	refuse(fields{"Keep": noKeep}, "Keep is %d, want one of %s", noKeep, strings.Join(train.KeepNames, ", "))
	on = " untrained" // continued training does not read Start
	refuse(fields{"Space": Linear, "Start": Hyperplane{Bias: 1}}, "Start.Bias is 1 in Linear space, want 0")
	refuse(fields{"Start": Hyperplane{Bias: math.NaN()}}, "Start.Bias is NaN, want a finite number")
	refuse(fields{"Start": Hyperplane{Weights: []float64{inf, 0}}}, "Start.Weights[0] is +Inf, want a finite number")
	refuse(fields{"Start": Hyperplane{Weights: []float64{0, -inf}}}, "Start.Weights[1] is -Inf, want a finite number")
	changed := func(on string, f fields, text string) {
		w := want{ErrConfig, -1, "bad configuration: " + text + "; Fit starts from scratch"}
		faults = append(faults, fault{on + " trained", resume, f, XOR.X, XOR.Y, w}, fault{on, anew, f, XOR.X, XOR.Y, accept})
	}
	changed("", fields{"Space": Linear}, "Space is Linear, but training began with Affine")
	changed("pocket", fields{"Order": Sampled}, "Order is Sampled, but training began with Shuffled")
	changed("pocket", fields{"Keep": Average}, "Keep is Average, but training began with Pocket")
	changed("margin", fields{"Gamma": 1.0}, "the rule is Margin with Gamma, but training began with Margin")
	changed("gamma average", fields{"Gamma": 1.0}, "Margin with Gamma is 1, but training began with 0.5")
	changed("threshold pocket", fields{"Threshold": 1.0}, "Margin with Threshold is 1, but training began with 2")
	changed("multi", fields{"Binary": &Margin{Threshold: 1}}, "the rule is Margin with Threshold, but training began with Online")
	changed("batch", fields{"Binary": new(Online)}, "the rule is Online, but training began with Batch")
	for _, f := range []fields{{"Rate": 0.5, "MaxEpochs": 7}, {"Workers": 3}, {"Seed": uint64(5)}, {"Start": Hyperplane{Bias: inf}}} {
		faults = append(faults, fault{" trained", resume, f, XOR.X, XOR.Y, accept})
	}
	show(t, 2, faults)
	w, m := want{ErrConfig, -1, "bad configuration: Binary is a *perceptron.Batch, which has only Fit and Epochs"}, &OneVsRest{Binary: new(Batch)}
	w.check(t, only(m.Learn(Examples(XOR.X, XOR.Y))))
	w.check(t, only(m.Update(XOR.X[0], 1)))
	Diff(t, "learned over Batch", snapshot(m), "nothing")
}

// TestBinaryChanged: Binary's fields are read by each call. A rule, Space, Order or Keep that
// has changed is an error, and the model stays as it was. A rate that has changed takes
// effect, and θ follows.
func TestBinaryChanged(t *testing.T) {
	set := noisyClasses(8, 30, 2, 3)
	b := &Margin{Rate: 0.5}
	m := &Multiclass{Binary: b}
	must(m.Learn(stream(set)))(t)
	w := want{ErrConfig, -1, "bad configuration: the rule is Online, but training began with Margin; Fit starts from scratch"}
	m.Binary = new(Online)
	w.of(t, m, set.X, set.Y, resume)
	m.Binary, w.text = new(Batch), "bad configuration: Binary is a *perceptron.Batch, want a *perceptron.Online or *perceptron.Margin"
	w.of(t, m, set.X, set.Y, anew)
	m.Binary, w.text = &Margin{Start: Hyperplane{Bias: 1}}, "bad configuration: Binary has a Start, but Multiclass starts from zero"
	w.of(t, m, set.X, set.Y, "Fit")
	w.of(t, new(Multiclass), nil, nil, "")
	w.of(t, &Multiclass{Binary: &Online{Start: Hyperplane{Weights: []float64{0, 1}}}}, set.X, set.Y, anew)
	accept.of(t, m, set.X, set.Y, "Update Learn") // does not read Start
	b.Rate = 1.5
	m.Binary = b
	must(m.Learn(Examples(set.X, set.Y)))(t) // takes the rate
	if c, _, _, _ := m.learned().Summary(); c.Rate != 1.5 {
		t.Errorf("the rate is %v, want 1.5", c.Rate)
	}
	zero := &Multiclass{Binary: &Online{Start: Hyperplane{Weights: []float64{0, math.Copysign(0, -1)}}}}
	accept.of(t, zero, set.X, set.Y, anew)
	want{ErrDimension, -1, "dimension mismatch: Start has width 2, but the rows have 3"}.of(t, &Multiclass{Binary: zero.Binary}, naive.Noisy(1, 2, 3).X, []int{1, 2}, "Fit Epochs")
}
