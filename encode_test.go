package perceptron

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
)

// A coder is what can be saved, a valueCoder what can be saved from a copy.
type (
	valueCoder interface {
		encoding.BinaryMarshaler
		json.Marshaler
	}
	coder interface {
		valueCoder
		encoding.BinaryUnmarshaler
		json.Unmarshaler
	}
)

var (
	_ = []coder{(*Online)(nil), (*Batch)(nil), (*Margin)(nil), (*OneVsRest)(nil), (*Multiclass)(nil)}
	_ = []valueCoder{Online{}, Batch{}, Margin{}, OneVsRest{}, Multiclass{}}
)

// saveable yields models of every kind, rule, Order, Keep and Space: untrained, after a pass of no
// examples, in the middle of a stream, and after epochs and a changed field. Where models can be
// mixed, it yields mixed ones too.
func saveable(t testing.TB) iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		for name, m := range unsaved() {
			set, few := caseRows(m), 20
			if isMany(m) && inner(m) == nil { // up to 1000 epochs: these rows are separable
				few = 7
			}
			states := map[string]model{" untrained": clone(m)}
			accept.of(t, m, set.X[:few], set.Y[:few], "Epochs")
			states[" epochs"] = clone(m)
			if len(methods(m, "Learn")) > 0 {
				empty := m.unlearned()
				must(empty.(streamer).Learn(Examples[[]float64, int](nil, nil)))(t)
				states[" empty"] = empty
				for i := range 15 {
					must(m.(streamer).Update(set.X[20+i], set.Y[20+i]))(t)
				}
				states[" stream"] = clone(m)
			}
			later := fields{"Rate": 0.25}.set(m)
			if later == nil { // Binary is nil
				later = fields{"Workers": 3}.some(m)
			}
			accept.of(t, later, set.X[35:][:few], set.Y[35:][:few], "Epochs")
			states[" later"] = fields{"Space": Linear, "Order": Sampled, "Binary": nil}.some(later)
			if mixed := mixedWith(m, later); mixed != nil {
				states[" mixed"] = mixed
			}
			for state, m := range states {
				if !yield(name+state, m) {
					return
				}
			}
		}
	}
}

// some sets those fields that m has.
func (f fields) some(m model) model {
	for name, v := range f {
		field := reflect.ValueOf(m).Elem().FieldByName(name)
		if field.IsValid() && v == nil {
			field.SetZero()
		} else if field.IsValid() {
			field.Set(reflect.ValueOf(v))
		}
	}
	return m
}

func mixedWith(a, b model) model {
	m, _ := mixOf([]model{a, b}, []float64{1, 2}) // shares that are no floats make the averages' counts fractions
	return m
}

// unsaved yields untrained models of every kind, rule, Order, Keep and Space, the
// even ones with a Start. A sample has those of savedFiles too.
func unsaved() iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		n := 0
		for name, b := range withBatch(6, 5, wholeGrid(6, 5)) {
			c := configured(b)
			kind := sampled(Order(c.Order), Keep(c.Keep), Space(c.Space), n%8)
			if n++; n%2 == 0 {
				b = fields{"Start": Hyperplane{Weights: []float64{1, 0, -2, 0.1, 0, math.Copysign(0, -1)}}}.set(b)
			}
			all := []model{b, &OneVsRest{Binary: AsBinary(b.unlearned()), Workers: 2}, &Multiclass{Binary: AsBinary(b.unlearned())}}
			if *startOf(all[2]) = (Hyperplane{}); !joins(b) {
				all = all[:2]
			}
			for i, m := range all {
				name := []string{"", "OneVsRest/", "Multiclass/"}[i] + name
				file := func(file string) bool { return strings.HasPrefix(file, name+"/") }
				if (full || kind || slices.ContainsFunc(savedFiles, file)) && !yield(name, m) {
					return
				}
			}
		}
		_ = yield("OneVsRest", new(OneVsRest)) && yield("Multiclass", new(Multiclass))
	}
}

// caseRows are rows for a model, the same on every GOARCH. For Multiclass, class 3 arrives late.
func caseRows(m model) naive.Set {
	k := 4
	if !isMany(m) {
		k = 2
	}
	set := Uniform(4, 60, 6, k)
	if _, ok := m.(*Multiclass); ok {
		for i := range 30 {
			set.Y[i] %= 3
		}
	}
	if k == 2 {
		set.Y = Against(set.Y, 1)
	}
	return set
}

// another returns an untrained model of m's kind.
func another(m model) model {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(model)
}

func encoded(t testing.TB, c valueCoder) (data, text []byte) {
	t.Helper()
	return must(c.MarshalBinary())(t), must(c.MarshalJSON())(t)
}

// reloaded returns m after it was written and read, which must change nothing.
func reloaded(t testing.TB, m model) model {
	t.Helper()
	loaded := another(m)
	must(0, loaded.(coder).UnmarshalBinary(must(m.(coder).MarshalBinary())(t)))(t)
	if snapshot(loaded) != snapshot(m) {
		t.Fatalf("loaded\n%s, want\n%s", snapshot(loaded), snapshot(m))
	}
	return loaded
}

// TestSaved checks every state with every receiver: the model that is read has the fields and the
// training of the model that was written. Written again, it has the same bytes.
func TestSaved(t *testing.T) {
	t.Parallel()
	n := 0
	for name, m := range saveable(t) {
		n++
		data, text := encoded(t, m.(coder))
		before := snapshot(m)
		for i, into := range []model{another(m), another(m), trainedOther(t, m), trainedOther(t, m)} {
			read := into.(coder).UnmarshalBinary
			if i%2 == 1 {
				read = into.(coder).UnmarshalJSON
			}
			must(0, read(slices.Concat([][]byte{data, text}[i%2])))(t)
			again, textAgain := encoded(t, into.(coder))
			if snapshot(into) != before || !bytes.Equal(again, data) || !bytes.Equal(textAgain, text) {
				t.Fatalf("%s, receiver %d: read\n%s%s, want\n%s%s", name, i, snapshot(into), textAgain, before, text)
			}
			if !reflect.DeepEqual(into.unlearned(), m.unlearned()) {
				t.Fatalf("%s: fields %+v, want %+v", name, into.unlearned(), m.unlearned())
			}
			if i > 0 || stateOf(m) == nil {
				continue
			}
			set := caseRows(m)
			X, y := set.X[:7], set.Y[:7]
			if resumes(m) {
				one, other := clone(m), into
				accept.of(t, one, X, y, resume)
				if accept.of(t, other, X, y, resume); snapshot(one) != snapshot(other) {
					t.Fatalf("%s goes on differently:\n%s, want\n%s", name, snapshot(other), snapshot(one))
				}
				continue
			}
			for _, method := range methods(into, "Update Learn Epochs") {
				err := calls[method](into, X, y)
				if stateOf(m).Width > 0 && (!errors.Is(err, ErrConfig) || snapshot(into) != before) {
					t.Fatalf("%s: a model whose fields were changed goes on after reading: %s: %v", name, method, err)
				}
			}
		}
		if snapshot(m) != before {
			t.Fatalf("%s was changed by writing", name)
		}
	}
	t.Logf("%d states", n)
}

// trainedOther returns a model of m's kind that has learned something else.
func trainedOther(t testing.TB, m model) model {
	other := another(m)
	accept.of(t, other, XOR.X[:2], XOR.Y[:2], "Fit")
	return other
}

// TestSavedByValue checks that encoding/json and encoding/gob save structs that hold
// models by value or by pointer.
func TestSavedByValue(t *testing.T) {
	type program struct {
		Online Online
		Margin *Margin
		Multi  OneVsRest
		Kesler Multiclass
		Batch  []Batch
		Plane  Hyperplane
	}
	p := program{Online: Online{Keep: Average}, Margin: &Margin{Order: Shuffled}, Batch: make([]Batch, 1), Plane: Hyperplane{[]float64{1e-300, 5e-324}, -0x1p-1074}}
	all := func(p *program) []model { return []model{&p.Online, p.Margin, &p.Multi, &p.Kesler, &p.Batch[0]} }
	for _, m := range all(&p) {
		accept.of(t, m, XOR.X, XOR.Y, anew)
	}
	var q, r program
	text := must(json.Marshal(p))(t)
	must(0, json.Unmarshal(text, &q))(t)
	var file bytes.Buffer
	must(0, gob.NewEncoder(&file).Encode(p))(t)
	must(0, gob.NewDecoder(&file).Decode(&r))(t)
	for i, m := range all(&p) {
		if snapshot(m) != snapshot(all(&q)[i]) || snapshot(m) != snapshot(all(&r)[i]) {
			t.Errorf("%T: json has\n%s, gob\n%s, want\n%s", m, snapshot(all(&q)[i]), snapshot(all(&r)[i]), snapshot(m))
		}
	}
	if !samePlane(p.Plane, q.Plane) || !samePlane(p.Plane, r.Plane) {
		t.Errorf("%v and %v, want %v", q.Plane, r.Plane, p.Plane)
	}
}

// TestSavedInside checks that a model can be written in the body of its own range. No model can be
// read into it there or in Learn's iterator.
func TestSavedInside(t *testing.T) {
	set := naive.Separable(31, 20, 2, 0.5)
	for name, m := range zoo(t, 2) {
		data, text := encoded(t, m.(coder))
		into := func() {
			before := snapshot(m)
			for _, err := range []error{m.(coder).UnmarshalBinary(data), m.(coder).UnmarshalJSON(text)} {
				want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}.check(t, err)
			}
			if reloaded(t, m); snapshot(m) != before {
				t.Fatalf("%s: after writing in the body\n%s, want\n%s", name, snapshot(m), before)
			}
		}
		must(0, drain(m, set.X, set.Y, into))(t)
		if len(methods(m, "Learn")) > 0 {
			must(m.(streamer).Learn(func(yield func([]float64, int) bool) {
				into()
				yield(set.X[0], 1)
				into()
			}))(t)
		}
		must(0, m.(coder).UnmarshalBinary(data))(t) // the training is over
	}
}

// TestSavedOverflow checks that training returns an error if the rate makes θ overflow, and that
// the model can still be written and read.
func TestSavedOverflow(t *testing.T) {
	m := new(Margin)
	must(m.Update([]float64{1e100}, 1))(t)
	m.Rate = 1e200
	must(m.Learn(Examples[[]float64, int](nil, nil)))(t) // takes the rate
	q := reloaded(t, m).(*Margin)
	for _, p := range []*Margin{m, q} {
		w := want{ErrNotFinite, -1, "not finite: the update overflows, though every feature is finite"}
		w.check(t, only(p.Update([]float64{1}, 1)))
		p.Rate = 1
		must(p.Update([]float64{-1}, 1))(t)
	}
	if snapshot(m) != snapshot(q) {
		t.Errorf("after reading and training it is\n%s, want\n%s", snapshot(q), snapshot(m))
	}
}

// BenchmarkEncode writes and reads ten classes of 784 features with averages.
func BenchmarkEncode(b *testing.B) {
	m := &OneVsRest{Binary: &Online{Keep: Average}}
	set := naive.Multi(33, 200, 784, 10)
	accept.of(b, m, set.X, set.Y, "Learn")
	data, text := encoded(b, m)
	into := new(OneVsRest)
	for _, c := range []struct {
		name string
		size int
		do   func() error
	}{
		{"MarshalBinary", len(data), func() error { return only(m.MarshalBinary()) }},
		{"UnmarshalBinary", len(data), func() error { return into.UnmarshalBinary(data) }},
		{"MarshalJSON", len(text), func() error { return only(m.MarshalJSON()) }},
		{"UnmarshalJSON", len(text), func() error { return into.UnmarshalJSON(text) }},
		{"Save", len(data), func() error { return Save(filepath.Join(b.TempDir(), "model"), m) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			for b.Loop() {
				must(0, c.do())(b)
			}
		})
	}
}

// TestFiles reads the committed files, on every GOARCH. Each holds what training gives here, is
// written again as the same bytes, and training continues from it to the same end.
func TestFiles(t *testing.T) {
	have := map[string]bool{}
	for j := range journeys() {
		have[j.name] = true
		for _, name := range savedFiles {
			if name == j.name {
				compareFiles(t, j)
			}
		}
	}
	for _, name := range savedFiles {
		if !have[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

func compareFiles(t *testing.T, j journey) {
	kind, name := reflect.TypeOf(j.model).Elem().Name(), j.name
	if isMany(j.model) {
		name = strings.TrimPrefix(name, kind+"/")
	}
	base := filepath.Join("testdata", "saved", kind+"-"+strings.ReplaceAll(name, "/", "-"))
	j.first(t, j.model)
	data, text := encoded(t, j.model.(coder))
	compareFile(t, base+".perceptron", data)
	compareFile(t, base+".json", append(text, '\n'))
	for _, ending := range []string{".perceptron", ".json"} {
		m := must(Load(base + ending))(t).(model)
		if again := must(m.(coder).MarshalBinary())(t); !bytes.Equal(again, data) {
			t.Errorf("%s%s is written again as\n%x, want\n%x", base, ending, again, data)
		}
		j.after(t, m)
		compareFile(t, base+".after.perceptron", must(m.(coder).MarshalBinary())(t))
	}
}

// compareFile compares a file with what was computed here.
func compareFile(t *testing.T, name string, data []byte) {
	t.Helper()
	file, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && *newFiles {
		file, err = data, os.WriteFile(name, data, 0o644)
	}
	if must(0, err)(t); !bytes.Equal(file, data) {
		t.Errorf("%s holds\n%x, want\n%x", name, file, data)
	}
}

// TestClassifierFiles reads the committed files, on every GOARCH: they hold what training gives
// here.
func TestClassifierFiles(t *testing.T) {
	c, s := Classifier[[]float64]{}, Classifier[Sparse]{Width: 70}
	X, labels := [][]float64{{1, 2}, {3, 4}, {-5, 7}, {2, -2}}, []string{"x", `\`, "é\n<b>", "x"}
	must(c.Fit(X, labels))(t)
	for i, x := range X {
		must(s.Update(Sparse{[]uint32{3, 64}, x}, labels[i]))(t)
	}
	for name, from := range map[string]coder{"dense": &c, "sparse": &s} {
		base := filepath.Join("testdata", "saved", "Classifier-"+name)
		data, text := encoded(t, from)
		compareFile(t, base+".perceptron", data)
		compareFile(t, base+".json", append(text, '\n'))
	}
}
