package perceptron

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"hash/crc32"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"perceptron/internal/vec"
)

// A coder is what can be saved, a valueCoder what can be saved from a copy.
type (
	valueCoder interface {
		encoding.BinaryAppender
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
	_ = []coder{(*Online)(nil), (*Batch)(nil), (*Margin)(nil), (*OneVsRest)(nil), (*Hyperplane)(nil), (*Separation)(nil)}
	_ = []valueCoder{Online{}, Batch{}, Margin{}, OneVsRest{}, Hyperplane{}, Separation{}}
)

// saveable yields models of every kind, rule, Order, Keep and Space: untrained,
// after a pass of no examples, in the midst of a stream, after epochs and a
// changed field, and, where that can be, mixed.
func saveable(t testing.TB) iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		for name, m := range unsaved() {
			set := caseRows(m)
			states := map[string]model{" untrained": copyOf(m)}
			accept.of(t, m, set.X[:20], set.y[:20], "Epochs")
			states[" epochs"] = copyOf(m)
			if len(methods(m, "Learn")) > 0 {
				empty := m.fields()
				must(empty.(streamer).Learn(pairs(nil, nil)))(t)
				states[" empty"] = empty
				for i := range 15 {
					must(m.(streamer).Update(set.X[20+i], set.y[20+i]))(t)
				}
				states[" stream"] = copyOf(m)
			}
			later := fields{"Rate": 0.25}.set(m)
			if later == nil { // Binary is nil
				later = fields{"Workers": 3}.set(m)
			}
			accept.of(t, later, set.X[35:], set.y[35:], "Epochs")
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
	if a, ok := a.(*Margin); ok {
		if m, err := Mix([]*Margin{a, b.(*Margin)}, []float64{1, 2}); err == nil {
			return m
		}
	}
	return nil
}

// unsaved yields untrained models of every kind, rule, Order, Keep and Space, the
// even ones with a Start.
func unsaved() iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		n := 0
		for name, b := range binaries(6, 5) {
			if n++; n%2 == 0 {
				b = fields{"Start": Hyperplane{Weights: []float64{1, 0, -2, 0.1, 0, math.Copysign(0, -1)}}}.set(b).(model)
			}
			if !yield(name, b) || !yield("OneVsRest/"+name, &OneVsRest{Binary: b.fields(), Workers: 2}) {
				return
			}
		}
		yield("OneVsRest", new(OneVsRest))
	}
}

// caseRows are rows for a model, the same on every GOARCH.
func caseRows(m model) dataset {
	k := 4
	if kindOf(m) != kindOneVsRest {
		k = 2
	}
	set := uniformRows(4, 60, 6, k)
	if k == 2 {
		set.y = against(set.y, 1)
	}
	return set
}

func encoded(t testing.TB, c valueCoder) (data, text []byte) {
	t.Helper()
	return must(c.MarshalBinary())(t), must(c.MarshalJSON())(t)
}

// TestSaved: whatever the state and whatever the receiver, the model that is read
// is the one that was written, in fields and training, and is written alike.
func TestSaved(t *testing.T) {
	n := 0
	for name, m := range saveable(t) {
		n++
		data, text := encoded(t, m.(coder))
		if behind := must(m.(coder).AppendBinary([]byte("file ")))(t); string(behind) != "file "+string(data) {
			t.Fatalf("%s: appended\n%x, want\n%x", name, behind, data)
		}
		before := snapshot(m)
		for i, into := range []model{newModel(kindOf(m)), newModel(kindOf(m)), trainedOther(t, m), trainedOther(t, m)} {
			read := into.(coder).UnmarshalBinary
			if i%2 == 1 {
				read = into.(coder).UnmarshalJSON
			}
			must(0, read(slices.Concat([][]byte{data, text}[i%2])))(t)
			again, textAgain := encoded(t, into.(coder))
			if snapshot(into) != before || !bytes.Equal(again, data) || !bytes.Equal(textAgain, text) {
				t.Fatalf("%s, receiver %d: read\n%s%s, want\n%s%s", name, i, snapshot(into), textAgain, before, text)
			}
			if !reflect.DeepEqual(into.fields(), m.fields()) {
				t.Fatalf("%s: fields %+v, want %+v", name, into.fields(), m.fields())
			}
			if i > 0 || m.engine().now == nil {
				continue
			}
			set := caseRows(m)
			if fields := m.config().complete(); m.engine().now.checkResume(&fields) == nil {
				one, other := copyOf(m), into
				accept.of(t, one, set.X, set.y, resume)
				if accept.of(t, other, set.X, set.y, resume); snapshot(one) != snapshot(other) {
					t.Fatalf("%s goes on differently:\n%s, want\n%s", name, snapshot(other), snapshot(one))
				}
			} else if m.engine().now.width > 0 {
				if err := drain(into, set.X, set.y, nil); !errors.Is(err, ErrConfig) {
					t.Fatalf("%s: a model whose fields were changed goes on after reading: %v", name, err)
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
	other := newModel(kindOf(m))
	accept.of(t, other, xor.X[:2], xor.y[:2], "Fit")
	return other
}

// TestSavedByValue: structs that hold models by value or pointer are saved whole by
// encoding/json and encoding/gob.
func TestSavedByValue(t *testing.T) {
	type program struct {
		Online Online
		Margin *Margin
		Multi  OneVsRest
		Batch  []Batch
		Plane  Hyperplane
	}
	p := program{Online: Online{Keep: Average}, Margin: &Margin{Order: Shuffled}, Batch: make([]Batch, 1), Plane: Hyperplane{[]float64{1e-300, 5e-324}, math.Copysign(0, -1)}}
	all := func(p *program) []model { return []model{&p.Online, p.Margin, &p.Multi, &p.Batch[0]} }
	for _, m := range all(&p) {
		accept.of(t, m, xor.X, xor.y, train)
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
	must(0, json.Unmarshal([]byte(`{"Online": null, "Plane": null}`), &q))(t) // by convention
	if snapshot(&q.Online) != snapshot(&p.Online) || !samePlane(p.Plane, q.Plane) {
		t.Error("null changed what it was read into")
	}
}

// TestSavedFields: fields that make no sense are not written, nor is anything
// appended.
func TestSavedFields(t *testing.T) {
	for _, m := range []valueCoder{
		Online{Rate: -1}, Margin{Gamma: 1, Threshold: 1}, Batch{Workers: -1}, OneVsRest{Binary: new(OneVsRest)}, OneVsRest{Binary: (*Margin)(nil)},
		Online{Space: Linear, Start: Hyperplane{Bias: 1}}, Margin{Start: Hyperplane{Weights: []float64{math.NaN()}}}, Online{Keep: 3}, Batch{MaxEpochs: -1},
		Separation{Separable: true}, Separation{Lower: 2, Upper: 1, Separable: true}, Separation{Radius: -1}, Separation{Multipliers: []float64{-1}},
		Separation{Space: 2}, Separation{Space: Linear, Hyperplane: Hyperplane{Bias: 1}},
	} {
		refused(t, m, ErrConfig)
	}
	for _, m := range []valueCoder{
		Hyperplane{Bias: math.NaN()}, Hyperplane{Weights: []float64{1, math.Inf(-1)}}, Separation{Multipliers: []float64{math.Inf(1)}}, Separation{Lower: math.Inf(-1)}, Separation{Upper: math.Inf(1)},
		Separation{Radius: math.NaN()}, Separation{Hyperplane: Hyperplane{Bias: math.Inf(1)}},
	} {
		refused(t, m, ErrNotFinite)
	}
}

func refused(t *testing.T, m valueCoder, kind error) {
	t.Helper()
	b := []byte("before")
	after, err := m.AppendBinary(b)
	_, jsonErr := m.MarshalJSON()
	_, otherErr := m.MarshalBinary()
	if string(after) != "before" || !errors.Is(err, kind) || !errors.Is(jsonErr, kind) || !errors.Is(otherErr, kind) {
		t.Errorf("%+v: %q, %v, %v, %v, want %v", m, after, err, jsonErr, otherErr, kind)
	}
}

// TestSavedInside: a model is written as it stands in the body of its own range,
// but none is read into it there, nor in Learn's iterator.
func TestSavedInside(t *testing.T) {
	set := separable(31, 20, 2, 0.5)
	for name, m := range zoo(t, 2) {
		data, text := encoded(t, m.(coder))
		into := func() {
			before := snapshot(m)
			for _, err := range []error{m.(coder).UnmarshalBinary(data), m.(coder).UnmarshalJSON(text)} {
				want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}.check(t, err)
			}
			c := newModel(kindOf(m))
			if must(0, c.(coder).UnmarshalBinary(must(m.(coder).MarshalBinary())(t)))(t); snapshot(c) != before || snapshot(m) != before {
				t.Fatalf("%s: written in the body\n%s, want\n%s", name, snapshot(c), before)
			}
		}
		must(0, drain(m, set.X, set.y, into))(t)
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

// table writes words as docs/format.md's tables have them.
type table []byte

func (w *table) word(n uint64) { *w = binary.LittleEndian.AppendUint64(*w, n) }

func (w *table) float(v ...float64) {
	for _, x := range v {
		w.word(math.Float64bits(x))
	}
}

func (w *table) plane(v []float64) {
	w.word(uint64(len(v) - 1))
	w.float(v...)
}

// TestFormatTable writes a model by hand, after docs/format.md.
func TestFormatTable(t *testing.T) {
	m := &OneVsRest{Workers: 3, Binary: &Margin{Rate: 0.5, Threshold: 2, Keep: Average, Order: Shuffled, Seed: 1 << 63, MaxEpochs: 9}}
	m.Binary.(*Margin).Start = Hyperplane{[]float64{1, 2}, 3}
	for i, class := range []int{5, -7} {
		must(m.Update([]float64{1, float64(i)}, class))(t)
	}
	var w table
	w.word(3) // Binary: a Margin
	w.float(0.5)
	w.word(0) // Affine
	w.plane([]float64{1, 2, 3})
	w.word(9) // MaxEpochs
	w.word(1) // Shuffled
	w.word(1 << 63)
	w.word(1)                          // Average
	w.float(0, 2)                      // Gamma, Threshold
	w.word(3)                          // Workers
	w.word(1)                          // learned
	w.float(0.5)                       // rate
	w.word(0)                          // Affine
	w.plane([]float64{1, 2, 3})        // start
	w.word(1)                          // Shuffled
	w.word(1)                          // Average
	w.word(2)                          // WithinTheta
	w.float(2)                         // bound
	w.word(2)                          // width
	w.word(0)                          // passes
	w.word(1 << 63)                    // generator, as seeded
	w.word(0)                          //
	w.word(2)                          // classes
	w.word(uint64(math.MaxUint64) - 6) // −7
	w.word(5)
	w.word(2) // hyperplanes
	for _, l := range m.engine().now.units {
		w.plane(l.average.mean)
		w.float(0) // r2
		w.word(1)
		w.plane(l.w) // iterate
		w.word(1)
		w.plane(l.average.sum)
		w.plane(l.average.low)
		w.float(l.average.count, l.average.since)
		w.word(0) // no pocket
	}
	if got := must(m.MarshalBinary())(t); !bytes.Equal(got, sealed(4, w)) {
		t.Errorf("%x, want\n%x", got, sealed(4, w))
	}
}

// sealed gives a payload its head and checksum.
func sealed(kind uint32, payload []byte) []byte {
	file := []byte("\x89PTRN\r\n\x1a\x01\x00\x00\x00")
	file = binary.LittleEndian.AppendUint32(file, kind)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(payload)))
	file = append(file, payload...)
	return binary.LittleEndian.AppendUint32(file, crc32.Checksum(file, crc32.MakeTable(crc32.Castagnoli)))
}

// TestSavedFloats: any finite float64 is read back to the bit from either form.
func TestSavedFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 0))
	h := Hyperplane{Weights: []float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 1e21, 1e-7, 123456789, 0.1}}
	for len(h.Weights) < 5000 {
		if v := math.Float64frombits(r.Uint64()); vec.IsFinite(v) {
			h.Weights = append(h.Weights, v)
		}
	}
	data, text := encoded(t, h)
	var a, b Hyperplane
	must(0, a.UnmarshalBinary(data))(t)
	if must(0, b.UnmarshalJSON(text))(t); !samePlane(a, h) || !samePlane(b, h) {
		t.Error("floats are changed by saving")
	}
	var plain struct { // as another program reads it
		Weights []float64
		Bias    *float64
	}
	must(0, json.Unmarshal(text, &plain))(t)
	if !samePlane(Hyperplane{plain.Weights, *plain.Bias}, h) {
		t.Error("encoding/json reads other floats")
	}
}

// TestSavedOverflow: a rate that makes θ overflow stops training, but neither
// writing nor reading.
func TestSavedOverflow(t *testing.T) {
	m, q := new(Margin), new(Margin)
	must(m.Update([]float64{1e100}, 1))(t)
	m.Rate = 1e200
	must(m.Learn(pairs(nil, nil)))(t) // takes the rate
	must(0, q.UnmarshalBinary(must(m.MarshalBinary())(t)))(t)
	for _, p := range []*Margin{m, q} {
		w := want{ErrNotFinite, -1, "not finite: the update overflows, though every feature is finite"}
		w.check(t, only(p.Update([]float64{1}, 1)))
		p.Rate = 1
		must(p.Update([]float64{-1}, 1))(t)
	}
	if snapshot(m) != snapshot(q) {
		t.Errorf("read and gone on with it is\n%s, want\n%s", snapshot(q), snapshot(m))
	}
}

// TestSavedAtOnce: writing reads only, and any number of goroutines may.
func TestSavedAtOnce(t *testing.T) {
	for name, m := range zoo(t, 3) {
		want := must(m.(coder).MarshalBinary())(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				data, err := m.(coder).MarshalBinary()
				if _, jsonErr := m.(coder).MarshalJSON(); err != nil || jsonErr != nil || !bytes.Equal(data, want) {
					t.Errorf("%s: %v, %v", name, err, jsonErr)
				}
				_, _ = m.Predict([]float64{1, 2, 3})
			})
		}
		wg.Wait()
	}
}
