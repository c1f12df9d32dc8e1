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
	"testing"
)

// Every error has its text, its kind and its example, and changes no model.

// A want is what an error must be; accept is for none.
type want struct {
	kind  error
	index int    // of the ExampleError, −1 if there must be none
	text  string // behind "perceptron: " and the example; "…" at the end leaves the rest open
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

// of calls the methods that m has. An error changes m only by a stream's earlier examples.
func (w want) of(t testing.TB, m model, X [][]float64, y []int, list string) {
	t.Helper()
	for _, method := range methods(m, list) {
		w, m, left, X, y := w, m, m, X, y
		if w.index >= 0 && (method == "Learn" || method == "Update") {
			m, left = copyOf(m), copyOf(m)
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
const resume, train, read = "Epochs Learn Update", "Fit Epochs Learn Update", "Predict Score Scores"
const scoreText = "not finite: the score overflows, though every feature is finite"

// calls are the methods that can fail, with all rows or the first.
var calls = map[string]func(m model, X [][]float64, y []int) error{
	"Fit":     func(m model, X [][]float64, y []int) error { return only(m.Fit(X, y)) },
	"Epochs":  func(m model, X [][]float64, y []int) error { return drain(m, X, y, func() {}) },
	"Learn":   func(m model, X [][]float64, y []int) error { return only(m.(streamer).Learn(pairs(X, y))) },
	"Update":  func(m model, X [][]float64, y []int) error { return only(m.(streamer).Update(X[0], y[0])) },
	"Predict": func(m model, X [][]float64, y []int) error { return only(m.Predict(X[0])) },
	"Score":   func(m model, X [][]float64, y []int) error { return only(m.(scorer).Score(X[0])) },
	"Scores":  func(m model, X [][]float64, y []int) error { return only(m.(*OneVsRest).Scores(nil, X[0])) },
}

type (
	fields map[string]any // exported fields of a model by name
	scorer interface {
		Score([]float64) (float64, error)
	}
	ranger interface {
		Epochs([][]float64, []int) iter.Seq2[Epoch, error]
	}
	streamer interface {
		Learn(iter.Seq2[[]float64, int]) (Epoch, error)
		Update([]float64, int) (bool, error)
	}
)

func only[T any](_ T, err error) error { return err }

// drain ranges over Epochs and returns the error, which must come last and once.
func drain(m model, X [][]float64, y []int, body func()) (last error) {
	for e, err := range m.(ranger).Epochs(X, y) {
		if last != nil || err != nil && e != (Epoch{}) {
			return fmt.Errorf("%+v, %v after %w", e, err, last)
		}
		if last = err; err == nil {
			body()
		}
	}
	return last
}

// pairs yields the rows themselves, of any widths.
func pairs(X [][]float64, y []int) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i := 0; i < len(X) && yield(X[i], y[i]); i++ {
		}
	}
}

// methods returns those of the list that m has.
func methods(m model, list string) []string {
	return slices.DeleteFunc(strings.Fields(list), func(name string) bool {
		if o, ok := m.(*OneVsRest); ok && (name == "Learn" || name == "Update") {
			_, batch := o.Binary.(*Batch)
			return batch
		}
		return !reflect.ValueOf(m).MethodByName(name).IsValid()
	})
}

// zoo yields all kinds of models, untrained and trained on d features by every method.
func zoo(t testing.TB, d int) iter.Seq2[string, model] {
	set := noisy(20, 12, d)
	models := map[string]model{
		"binary online": &Online{Rate: 4}, "binary average": &Online{Rate: 4, Keep: Average}, "binary margin": &Margin{Rate: 4}, "binary batch": &Batch{Rate: 4},
		"binary pocket": &Online{Rate: 4, Keep: Pocket, Order: Shuffled}, "binary gamma average": &Margin{Gamma: 0.5, Keep: Average, Rate: 4},
		"binary threshold pocket": &Margin{Threshold: 2, Keep: Pocket, Order: Shuffled, Rate: 4}, "multi": new(OneVsRest),
		"multi average": &OneVsRest{Binary: &Online{Rate: 4, Keep: Average}}, "multi batch": &OneVsRest{Binary: new(Batch)},
		"multi pocket": &OneVsRest{Binary: &Margin{Keep: Pocket, Order: Shuffled}},
	}
	return func(yield func(string, model) bool) {
		for _, name := range slices.Sorted(maps.Keys(models)) {
			m, trained := models[name], copyOf(models[name])
			accept.of(t, trained, set.X, set.y, train)
			if !yield(name+" untrained", m) || !yield(name+" trained", trained) {
				return
			}
		}
	}
}

func copyOf(m model) model {
	c := m.fields()
	c.engine().copyFrom(m.engine())
	return c
}

// set returns a copy of m with fields of it, or of its Binary, set; nil if it lacks one.
func (f fields) set(m model) model {
	m = copyOf(m)
	for name, v := range f {
		field := reflect.ValueOf(m).Elem().FieldByName(name)
		if o, ok := m.(*OneVsRest); ok && !field.IsValid() && o.Binary != nil {
			field = reflect.ValueOf(o.Binary).Elem().FieldByName(name)
		}
		if !field.IsValid() {
			return nil
		}
		field.Set(reflect.ValueOf(v))
	}
	return m
}

// A fault is what methods must refuse.
type fault struct {
	on      string // part of the name of the models in the zoo
	methods string
	fields  fields // set before; a model that lacks one is passed over
	X       [][]float64
	y       []int
	want
}

// show shows faults to models, and then that these go on as if nothing had been.
func show(t *testing.T, d int, faults []fault) {
	shown, good := make([]int, len(faults)), noisy(22, 9, d)
	for name, m := range zoo(t, d) {
		tried := copyOf(m)
		for i, f := range faults {
			c := f.fields.set(m)
			if c == nil || !strings.Contains(name, f.on) {
				continue
			}
			if shown[i]++; f.fields == nil {
				c = tried
			}
			t.Run(fmt.Sprint(name, " ", f.text), func(t *testing.T) { f.of(t, c, f.X, f.y, f.methods) })
			if f.fields != nil && c.engine().now != nil {
				must(c.Predict(xor.X[0]))(t) // reading reads no field
			}
		}
		accept.of(t, tried, good.X, good.y, resume)
		if accept.of(t, m, good.X, good.y, resume); snapshot(m) != snapshot(tried) {
			t.Errorf("%s goes on differently after errors:\n%s, want\n%s", name, snapshot(tried), snapshot(m))
		}
	}
	if i := slices.Index(shown, 0); i >= 0 {
		t.Errorf("no model was shown %+v", faults[i])
	}
}

// bad returns rows the third of which is bad.
func bad(row ...float64) [][]float64 { return [][]float64{{1, 2}, {-1, -2}, row, {2, 1}} }

// TestErrorRows: bad rows and labels, among them a late class's first.
func TestErrorRows(t *testing.T) {
	start, huge := fields{"Start": Hyperplane{Weights: []float64{1, 1}}}, [][]float64{{math.MaxFloat64, math.MaxFloat64}}
	y, one, wide, none := []int{1, -1, 1, 1}, []int{1}, [][]float64{{1, 2, 3}, {3, 2, 1}}, [][]float64{nil, nil}
	show(t, 2, []fault{
		{"", train, nil, bad(1, 2, 3), y, want{ErrDimension, 2, "dimension mismatch: width 3, want 2"}},
		{"", train, nil, bad([]float64{}...), y, want{ErrEmpty, 2, "empty: the row has no features"}},
		{"", train, nil, none, y[:2], want{ErrEmpty, 0, "empty: the row has no features"}},
		{"", train, nil, bad(math.NaN(), 0), y, want{ErrNotFinite, 2, "not finite: feature 0 is NaN"}},
		{"", train, nil, bad(0, inf)[2:], y[1:3], want{ErrNotFinite, 0, "not finite: feature 1 is +Inf"}},
		{"multi", train, nil, bad(-inf, inf), []int{1, -1, 9, 1}, want{ErrNotFinite, 2, "not finite: feature 0 is -Inf"}},
		{"multi", "Fit", nil, bad(1, 1), []int{7, 7, 7, 7}, want{ErrLabel, -1, "bad label: every label is 7, want at least two classes"}},
		{"binary", train, nil, bad(1, 1), []int{1, -1, 0, 1}, want{ErrLabel, 2, "bad label: 0, want +1 or -1"}},
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
	var faults []fault
	for i := range 3 * 40 { // each value in every coordinate of a wide row
		set, v := noisy(23, 3, 40), []float64{math.NaN(), inf, -inf}[i%3]
		set.X[2][i/3] = v
		text := fmt.Sprintf("not finite: feature %d is %v", i/3, v)
		faults = append(faults, fault{"", train, nil, set.X, set.y, want{ErrNotFinite, 2, text}},
			fault{" trained", read, nil, set.X[2:], nil, want{ErrNotFinite, -1, text}})
	}
	show(t, 40, faults)
}

// TestErrorConfig: fields that make no sense stop training, some changes its going on.
func TestErrorConfig(t *testing.T) {
	faults, on := []fault(nil), ""
	refuse := func(f fields, text string, args ...any) {
		w := want{ErrConfig, -1, "bad configuration: " + fmt.Sprintf(text, args...)}
		faults = append(faults, fault{"", "Fit", f, xor.X, xor.y, w}, fault{on, resume, f, xor.X, xor.y, w})
	}
	for _, v := range []float64{-1, math.NaN(), inf, -inf} {
		refuse(fields{"Rate": v}, "Rate is %v, want a positive finite number, or 0 for 1", v)
		refuse(fields{"Gamma": v}, "Gamma is %v, want a positive finite number, or 0 for another rule", v)
		refuse(fields{"Threshold": v}, "Threshold is %v, want a positive finite number, or 0 for another rule", v)
	}
	for _, m := range []Model{(*Online)(nil), (*Batch)(nil), (*Margin)(nil)} {
		refuse(fields{"Binary": m}, "Binary is a nil %T; use a non-nil model, or leave Binary nil", m)
	}
	for _, m := range []Model{new(OneVsRest), struct{ Model }{}} {
		refuse(fields{"Binary": m}, "Binary is a %T, want a *perceptron.Online, *perceptron.Batch or *perceptron.Margin", m)
	}
	must((&OneVsRest{Binary: &Batch{Workers: -1}}).Fit(xor.X, xor.y))(t) // is ignored
	refuse(fields{"Gamma": 1.0, "Threshold": 2.0}, "Gamma is 1 and Threshold is 2, want at most one of them set")
	refuse(fields{"MaxEpochs": -1}, "MaxEpochs is -1, want at least 1, or 0 for 1000")
	refuse(fields{"Workers": -2}, "Workers is -2, want at least 1, or 0 for GOMAXPROCS")
	refuse(fields{"Space": Space(2)}, "Space is 2, want one of Affine, Linear")
	refuse(fields{"Order": Order(3)}, "Order is 3, want one of Cyclic, Shuffled, Sampled")
	refuse(fields{"Keep": Keep(3)}, "Keep is 3, want one of Last, Average, Pocket")
	on = " untrained" // where training goes on, Start is not read
	refuse(fields{"Space": Linear, "Start": Hyperplane{Bias: 1}}, "Start.Bias is 1 in Linear space, want 0")
	refuse(fields{"Start": Hyperplane{Bias: math.NaN()}}, "Start.Bias is NaN, want a finite number")
	refuse(fields{"Start": Hyperplane{Weights: []float64{0, -inf}}}, "Start.Weights[1] is -Inf, want a finite number")
	changed := func(on string, f fields, text string) {
		w := want{ErrConfig, -1, "bad configuration: " + text + "; Fit starts from scratch"}
		faults = append(faults, fault{on + " trained", resume, f, xor.X, xor.y, w}, fault{on, train, f, xor.X, xor.y, accept})
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
		faults = append(faults, fault{" trained", resume, f, xor.X, xor.y, accept})
	}
	show(t, 2, faults)
	w, m := want{ErrConfig, -1, "bad configuration: Binary is a *perceptron.Batch, which has only Fit and Epochs"}, &OneVsRest{Binary: new(Batch)}
	w.check(t, only(m.Learn(pairs(xor.X, xor.y))))
	if w.check(t, only(m.Update(xor.X[0], 1))); snapshot(m) != "nothing" {
		t.Error("an example is learned over Batch")
	}
}

// TestErrorInside: a model in training can be read, but not trained.
func TestErrorInside(t *testing.T) {
	w, set := want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}, separable(25, 20, 2, 0.5)
	for _, m := range zoo(t, 2) {
		must(0, drain(m, set.X, set.y, func() {
			w.of(t, m, set.X, set.y, train+" "+train)
			accept.of(t, m, set.X, nil, read)
		}))(t)
		if len(methods(m, "Learn")) > 0 {
			must(m.(streamer).Learn(func(yield func([]float64, int) bool) {
				w.of(t, m, set.X, set.y, train)
				yield(set.X[0], 1)
				w.of(t, m, set.X, set.y, train)
			}))(t)
		}
		accept.of(t, m, set.X, set.y, train) // the training is over
	}
}

// TestErrorCopied: of a trained model, a copy by value goes on only after Fit.
func TestErrorCopied(t *testing.T) {
	w := want{ErrConfig, -1, "bad configuration: the model was copied by value after training; use Clone for a copy that can be trained"}
	for name, m := range zoo(t, 2) {
		v, before, afresh := reflect.New(reflect.TypeOf(m).Elem()), snapshot(m), m.fields()
		v.Elem().Set(reflect.ValueOf(m).Elem())
		c := v.Interface().(model)
		if m.engine().now != nil {
			w.of(t, c, xor.X, xor.y, resume)
		}
		accept.of(t, c, xor.X, xor.y, train)
		if accept.of(t, afresh, xor.X, xor.y, train); snapshot(c) != snapshot(afresh) || snapshot(m) != before {
			t.Errorf("%s: the copy is\n%s, want\n%s; the original\n%s, want\n%s", name, snapshot(c), snapshot(afresh), snapshot(m), before)
		}
	}
}

// TestErrorPartial: an error undoes one epoch; of Learn it leaves, and tells, what came before.
func TestErrorPartial(t *testing.T) {
	w, good := want{ErrNotFinite, 5, "not finite: feature 1 is NaN"}, noisy(27, 30, 2)
	for name, m := range zoo(t, 2) {
		m, X, left := copyOf(m), slices.Clone(good.X), ""
		w.check(t, drain(m, X, good.y, func() { left, X[5] = left+snapshot(m), []float64{1, math.NaN()} }))
		if snapshot(m) != left {
			t.Fatalf("%s is\n%s, want\n%s", name, snapshot(m), left)
		}
		if len(methods(m, "Learn")) > 0 {
			told := must(copyOf(m).(streamer).Learn(pairs(X[:5], good.y)))(t)
			e, err := m.(streamer).Learn(pairs(X, good.y))
			if told.N--; e != told { // the pass is not finished
				t.Errorf("%s: Learn = %+v, want %+v", name, e, told)
			}
			w.check(t, err)
		}
	}
}

// TestErrorOverflow: finite features that lead out of float64's range.
func TestErrorOverflow(t *testing.T) {
	const update, sum = "not finite: the update overflows, though every feature is finite", "not finite: the sum of the iterates overflows"
	overflow := func(m model, list string, X [][]float64, y []int, index int, text string) {
		w, c := want{ErrNotFinite, index, text}, copyOf(m)
		w.of(t, m, X, y, list)
		accept.of(t, c, [][]float64{{1e-300}, {-1e-300}}, []int{1, -1}, "Fit")
		w.of(t, c, X, y, "Fit")
	}
	two, long, yes, differ := [][]float64{{1e300}, {1e300}}, [][]float64{{1e200}, {0}}, []int{1, 1, -1}, []int{1, -1}
	overflow(new(Online), "Fit Learn Update", two, yes[:2], 1, scoreText)
	overflow(new(OneVsRest), "Fit Learn Update", two, differ, 1, scoreText)
	overflow(new(Batch), "Fit", two, yes[:2], 0, scoreText)
	overflow(&Online{Keep: Pocket, Start: Hyperplane{Weights: []float64{1e300}}}, train, two, yes[:2], 0, scoreText)
	overflow(&Online{Rate: 1e200}, train, long, differ, 0, update)
	overflow(&Online{Order: Sampled, Seed: 8}, "Fit", [][]float64{{1}, {-1}, {inf}}, []int{1, -1, 1}, 2, "not finite: feature 0 is +Inf") // when confirming
	overflow(&Batch{Rate: 1e200}, train, long, differ, -1, update)
	overflow(new(Margin), train, long, differ, 0, update)           // R²
	overflow(&Margin{Gamma: 1e300}, train, long, differ, 0, update) // γ′‖(w, b)‖
	average, ones := &Online{Keep: Average, Space: Linear, Rate: 1e308}, [][]float64{{1}, {1}, {1}}
	overflow(average, train, ones, yes, 2, sum)
	must(average.Fit(ones[:2], yes[:2]))(t) // 1e308 twice is a sum out of range, of which the mean is not
	if h := average.Hyperplane(); h.Weights[0] != 1e308 {
		t.Errorf("the mean of 1e308 and 1e308 is %v", h.Weights[0])
	}
}

// TestErrorFunctions: errors of what is no method of a model.
func TestErrorFunctions(t *testing.T) {
	is := func(kind error, index int, text string, errs ...error) {
		t.Helper()
		for _, err := range errs {
			want{kind, index, text}.check(t, err)
		}
	}
	plane := func(w ...float64) Hyperplane { return Hyperplane{Weights: w} }
	h, nan, top, one, empty, overflow := plane(3, 4), math.NaN(), math.MaxFloat64, []int{1}, [][]float64{nil}, [][]float64{{math.MaxFloat64, math.MaxFloat64}}
	measure := func(kind error, text string, h Hyperplane, x ...float64) {
		is(kind, -1, text, only(h.Score(x)), only(h.Predict(x)), only(h.Distance(x)))
	}
	measure(ErrUntrained, "untrained model: the hyperplane has no weights", plane(), 1)
	measure(ErrDimension, "dimension mismatch: width 1, want 2", h, 1)
	measure(ErrEmpty, "empty: the row has no features", h)
	measure(ErrNotFinite, "not finite: feature 1 is NaN", h, 1, nan)
	measure(ErrNotFinite, scoreText, h, top, top)
	measure(ErrNotFinite, "not finite: weight 1 is -Inf", plane(1, -inf), 1, 2)
	measure(ErrNotFinite, "not finite: the bias is NaN", Hyperplane{[]float64{1}, nan}, 1)
	is(ErrNotFinite, -1, "not finite: distance NaN: score 0 over ‖w‖ = 0", only(plane(0).Distance([]float64{5})))
	judge := func(kind error, index int, text string, p Predictor, X [][]float64, y []int) {
		_, _, err := Confusion(p, X, y)
		is(kind, index, text, only(Accuracy(p, X, y)), err)
	}
	judge(ErrConfig, -1, "bad configuration: the predictor is nil", nil, xor.X, xor.y)
	judge(ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1", h, xor.X, one)
	judge(ErrEmpty, -1, "empty: no rows", h, nil, nil)
	judge(ErrNotFinite, 2, "not finite: feature 0 is +Inf", h, bad(inf, 0), xor.y)
	judge(ErrUntrained, 0, "untrained model: it has seen no example", new(OneVsRest), xor.X, xor.y)
	is(ErrEmpty, -1, "empty: no rows", only(Radius(nil, Affine)), only(Gamma(h, nil, nil, Affine)))
	is(ErrEmpty, 0, "empty: the row has no features", only(Radius(empty, Affine)), only(Gamma(h, empty, one, Affine)))
	is(ErrDimension, 2, "dimension mismatch: width 1, want 2", only(Radius(bad(1), Affine)), only(Gamma(h, bad(1), xor.y, Affine)))
	is(ErrNotFinite, 2, "not finite: feature 0 is -Inf", only(Radius(bad(-inf, nan), Linear)), only(Gamma(h, bad(-inf, nan), xor.y, Linear)))
	is(ErrConfig, -1, "bad configuration: Space is 2, want one of Affine, Linear", only(Radius(xor.X, 2)), only(Gamma(h, xor.X, xor.y, 2)))
	is(ErrNotFinite, -1, "not finite: R overflows, though every feature is finite", only(Radius(overflow, Linear)))
	is(ErrNotFinite, -1, "not finite: the margin overflows, though every feature is finite", only(Gamma(h, overflow, []int{-1}, Linear)))
	is(ErrDimension, -1, "dimension mismatch: len(X) is 4, but len(y) is 1", only(Gamma(h, xor.X, one, Affine)))
	is(ErrLabel, 1, "bad label: 3, want +1 or -1", only(Gamma(h, xor.X[:2], []int{1, 3}, Affine)))
	is(ErrUntrained, -1, "untrained model: the hyperplane has no weights", only(Gamma(plane(), xor.X, xor.y, Affine)))
	is(ErrConfig, -1, "bad configuration: the bias is 5 in Linear space, want 0", only(Gamma(Hyperplane{h.Weights, 5}, xor.X, xor.y, Linear)))
	is(ErrNotFinite, -1, "not finite: weight 0 is NaN", only(Gamma(plane(nan, 1), xor.X, xor.y, Affine)))
	is(ErrNotFinite, -1, "not finite: the hyperplane is all zero and has no margin", only(Gamma(plane(0, 0), xor.X, xor.y, Affine)))
	stop, order, keep, space := Stop(4), Order(3), Keep(3), Space(2)
	for names, v := range map[string]any{"Running, Converged, Cycled, EpochLimit": &stop, "Cyclic, Shuffled, Sampled": &order, "Last, Average, Pocket": &keep, "Affine, Linear": &space} {
		kind := "bad format: " + reflect.TypeOf(v).Elem().Name()
		is(ErrFormat, -1, kind+` "left" is none of `+names, v.(interface{ UnmarshalText([]byte) error }).UnmarshalText([]byte("left")))
		is(ErrFormat, -1, fmt.Sprintf("%s(%d) is none of %s", kind, strings.Count(names, ",")+1, names), only(v.(interface{ MarshalText() ([]byte, error) }).MarshalText())) // as it was
	}
}

// TestErrorMix: what cannot be mixed, and stays as it was.
func TestErrorMix(t *testing.T) {
	online := func(p *Online, x ...float64) *Online { must(p.Update(x, 1))(t); return p }
	margin := func(p *Margin, x ...float64) *Margin { must(p.Update(x, 1))(t); return p }
	multi := func(class int) *OneVsRest { m := new(OneVsRest); must(m.Update([]float64{1}, class))(t); return m }
	a, b := online(new(Online), 1), online(new(Online), 2)
	before := snapshot(a) + snapshot(b)
	is := func(kind error, text string, weights []float64, models ...*Online) {
		want{kind, -1, text}.check(t, only(Mix(models, weights)))
	}
	is(ErrEmpty, "empty: no models", nil)
	is(ErrUntrained, "untrained model: model 1 is nil", nil, a, nil)
	is(ErrUntrained, "untrained model: model 2 has seen no example", nil, a, b, new(Online))
	is(ErrDimension, "dimension mismatch: len(weights) is 1, want 2", []float64{1}, a, b)
	is(ErrDimension, "dimension mismatch: model 1 has width 2, model 0 has 1", nil, a, online(new(Online), 1, 2))
	is(ErrConfig, "bad configuration: model 1 has Space Linear, model 0 has Affine", nil, a, online(&Online{Space: Linear}, 1))
	is(ErrConfig, "bad configuration: model 1 has Keep Average, model 0 has Last", nil, a, online(&Online{Keep: Average}, 1))
	is(ErrConfig, "bad configuration: model 0 has Keep Pocket, which cannot be mixed", nil, online(&Online{Keep: Pocket}, 1))
	is(ErrConfig, "bad configuration: weight 1 is -1, want at least 0", []float64{2, -1}, a, b)
	is(ErrConfig, "bad configuration: weight 0 is NaN, want at least 0", []float64{math.NaN(), 1}, a, b)
	is(ErrConfig, "bad configuration: the weights sum to 0, want a positive finite number", []float64{0, 0}, a, b)
	want{ErrConfig, -1, "bad configuration: model 1 has the rule Margin with Gamma, model 0 has Margin"}.check(t, only(Mix([]*Margin{margin(new(Margin), 1), margin(&Margin{Gamma: 1}, 1)}, nil)))
	want{ErrNotFinite, -1, "not finite: the mean overflows"}.check(t, only(Mix([]*Margin{margin(&Margin{Rate: 1e200}, 1), margin(new(Margin), 1e100)}, nil)))
	want{ErrConfig, -1, "bad configuration: model 1 has classes [5], model 0 has [3]"}.check(t, only(Mix([]*OneVsRest{multi(3), multi(5)}, nil)))
	if snapshot(a)+snapshot(b) != before {
		t.Error("Mix changed a model")
	}
}

// TestBadInput: odd input with a defined answer.
func TestBadInput(t *testing.T) {
	for name, m := range zoo(t, 2) {
		if c := copyOf(m); len(methods(m, "Learn")) > 0 {
			want{ErrEmpty, -1, "empty: the iterator is nil"}.check(t, only(c.(streamer).Learn(nil)))
			e := must(c.(streamer).Learn(pairs(nil, nil)))(t) // no examples, yet a pass
			if now := c.engine().now; e != (Epoch{N: now.passes}) || now.width == 0 && e.N != 1 {
				t.Errorf("%s: an empty stream is %+v", name, e)
			} else if now.passes--; now.width == 0 {
				want{ErrUntrained, -1, "untrained model: it has seen no example"}.of(t, c, xor.X, nil, read)
			} else if snapshot(c) != snapshot(m) {
				t.Errorf("%s has learned from nothing", name)
			}
		}
		accept.of(t, copyOf(m), [][]float64{{1, 2}, {2, 1}}, []int{-1, -1}, map[bool]string{true: train, false: resume}[name[0] == 'b']) // one class
		set := noisy(28, 9, 2)
		accept.of(t, m, set.X, set.y, "Fit")
		before := snapshot(m)
		set.X[0][0], set.X[3][1], set.y[5] = math.NaN(), inf, 77 // the caller reuses the rows
		if snapshot(m) != before {
			t.Errorf("%s keeps the rows", name)
		}
		if o, ok := m.(*OneVsRest); ok {
			dst := []float64{42}
			if got, err := o.Scores(dst, set.X[0]); err == nil || len(got) != 1 || &got[0] != &dst[0] || got[0] != 42 {
				t.Errorf("%s: Scores = %v, %v, want dst as it was", name, got, err)
			}
		}
	}
}
