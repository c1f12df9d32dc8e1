package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

// decoded are receivers of every kind, which have learned something.
func decoded(t testing.TB) []coder {
	h := Hyperplane{[]float64{1, 2}, 3}
	all := []coder{&h, &Separation{Radius: 5, Multipliers: []float64{1}}}
	for _, k := range []kind{kindOnline, kindBatch, kindMargin, kindOneVsRest} {
		all = append(all, trainedOther(t, newModel(k)).(coder))
	}
	return all
}

// seeds are encodings of every kind.
func seeds(t testing.TB) (data, text [][]byte) {
	add := func(c valueCoder) {
		d, j := encoded(t, c)
		data, text = append(data, d), append(text, j)
	}
	for _, m := range zoo(t, 2) {
		add(m.(coder))
	}
	add(Hyperplane{[]float64{1, -2}, 0.5})
	add(Separation{Separable: true, Hyperplane: Hyperplane{[]float64{1}, 0}, Lower: 1, Upper: 1, Radius: 2, Multipliers: []float64{0.5, 0.5}})
	return data, text
}

// hold reads data into c: what is read must be written as one and the same in both
// forms, and what is refused must leave c alone.
func hold(t *testing.T, c coder, read func(c coder) error) {
	before := must(c.MarshalBinary())(t)
	if err := read(c); err != nil {
		if after := must(c.MarshalBinary())(t); !errors.Is(err, ErrFormat) || !bytes.Equal(after, before) {
			t.Fatalf("%v: the receiver is\n%x, want\n%x", err, after, before)
		}
		return
	}
	data, text := encoded(t, c)
	if !json.Valid(text) {
		t.Fatalf("%s is no JSON", text)
	}
	for range 2 { // in a circle: binary, JSON, binary
		must(0, c.UnmarshalJSON(text))(t)
		dataAgain, textAgain := encoded(t, c)
		if !bytes.Equal(dataAgain, data) || !bytes.Equal(textAgain, text) {
			t.Fatalf("read, it is written as\n%x\n%s, want\n%x\n%s", dataAgain, textAgain, data, text)
		}
		must(0, c.UnmarshalBinary(data))(t)
	}
	if m, ok := c.(model); ok {
		use(t, m)
	}
}

// use does all that can be done with a model, none of which may panic, and holds
// what it learns to be finite.
func use(t *testing.T, m model) {
	m = fields{"MaxEpochs": 2}.some(m)
	if o, ok := m.(*OneVsRest); ok && o.Binary != nil {
		fields{"MaxEpochs": 2}.some(o.Binary.(model))
	}
	d := 2
	if m.engine().now != nil && m.engine().now.width > 0 {
		d = m.engine().now.width
	}
	X := [][]float64{make([]float64, d), make([]float64, d)}
	X[0][0] = -1
	for _, method := range methods(m, read+" "+resume+" "+read+" Fit") {
		_ = calls[method](m, X, []int{1, -1})
		checkFinite(t, m)
		must(m.(coder).MarshalBinary())(t)
	}
}

// FuzzUnmarshalBinary: a payload, or with kind 0 a whole file, of any bits.
func FuzzUnmarshalBinary(f *testing.F) {
	data, _ := seeds(f)
	for _, d := range data {
		f.Add(d[12], d[headerSize:len(d)-sumSize])
		f.Add(uint8(0), d)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		if kind > 0 {
			data = sealed(uint32(kind), data)
		}
		for _, c := range decoded(t) {
			hold(t, c, func(c coder) error {
				err := c.UnmarshalBinary(data)
				if err == nil && !bytes.Equal(must(c.MarshalBinary())(t), data) {
					t.Fatalf("%x is written again as %x", data, must(c.MarshalBinary())(t))
				}
				return err
			})
		}
	})
}

// FuzzUnmarshalJSON: any text.
func FuzzUnmarshalJSON(f *testing.F) {
	_, text := seeds(f)
	for _, j := range append(text, []byte(" null"), []byte(`{"bias":-0,"weights":[1e400]}`), []byte(`{"weights":[[]],"weights":{}}`)) {
		f.Add(j)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if string(text) == "null" { // changes nothing, and is no error
			return
		}
		for _, c := range decoded(t) {
			hold(t, c, func(c coder) error { return c.UnmarshalJSON(text) })
		}
	})
}

// FuzzTrain makes a model and calls whatever the script says, with rows of any
// bits, widths and labels, saving, loading and changing the rate between: nothing panics, and an
// error leaves the encoding as it was, but for the examples that Learn had
// learned before it.
func FuzzTrain(f *testing.F) {
	f.Add(uint16(0), []byte{0, 1, 2, 3, 4, 5}, raw(1, 0, 1, 1, 0, 1, -1, -1))
	f.Add(uint16(1211), []byte{9, 64, 130, 255, 17}, raw(1e300, -1e300, 1e308, 5e-324))
	f.Add(uint16(301), []byte{2, 2, 7, 200, 5}, raw(math.NaN(), 1, 2, inf, 0, 0))
	f.Add(uint16(911), []byte{3, 77, 78, 79}, raw(1, 2))
	f.Fuzz(func(t *testing.T, kind uint16, script []byte, numbers []byte) {
		m := scripted(kind)
		v := floats(numbers)
		for _, op := range script[:min(len(script), 30)] {
			var set dataset
			for i, rest := 0, v; i < 1+int(op)%7 && len(rest) > 0; i++ {
				width := min(1+int(op/7)%3, len(rest))
				if op > 250 && i > 0 { // of another width
					width--
				}
				labels := []int{+1, -1, +1, 5, math.MinInt}[:2+int(op/128)*3]
				set.X, set.y = append(set.X, rest[:width]), append(set.y, labels[(i+int(op))%len(labels)])
				rest = rest[max(width, 1):]
			}
			m = follow(t, m, []string{"Fit", "Epochs", "Learn", "Update", "Predict", "save", "save JSON", "rate"}[int(op)%8], set)
		}
	})
}

// scripted makes an untrained model.
func scripted(n uint16) model {
	m, _ := fuzzed(n%720, 0, nil)
	if n/720%3 == 1 {
		m = &Batch{MaxEpochs: 3, Rate: 0.5}
	}
	if n/720 > 40 {
		m = &OneVsRest{Binary: m}
		if _, nested := m.(*OneVsRest).Binary.(*OneVsRest); nested { // ErrConfig, always
			m = new(OneVsRest)
		}
	}
	return m
}

// follow calls a method, and returns the model to go on with.
func follow(t *testing.T, m model, method string, set dataset) model {
	before := must(m.(coder).MarshalBinary())(t)
	var err error
	after := m
	switch {
	case method == "rate":
		configured := m
		if o, ok := m.(*OneVsRest); ok && o.Binary != nil {
			configured = o.Binary.(model)
		}
		fields{"Rate": []float64{0, 0.3, 1e300, 1e-300}[len(set.X)%4]}.some(configured)
	case method == "save":
		after = newModel(kindOf(m))
		err = after.(coder).UnmarshalBinary(before)
	case method == "save JSON":
		after = newModel(kindOf(m))
		err = after.(coder).UnmarshalJSON(must(m.(coder).MarshalJSON())(t))
	case len(set.X) == 0 || len(methods(m, method)) == 0:
		return m
	case method == "Epochs":
		for _, err = range m.(ranger).Epochs(set.X, set.y) {
			if err == nil {
				before = must(m.(coder).MarshalBinary())(t)
			}
		}
	default:
		err = calls[method](m, set.X, set.y)
	}
	checkFinite(t, after)
	unchanged := err != nil && method != "Learn" || method == "Predict" || len(method) > 3 && method[:4] == "save"
	if data := must(after.(coder).MarshalBinary())(t); unchanged && !bytes.Equal(data, before) {
		t.Fatalf("%s: %v, but the model is\n%x, want\n%x", method, err, data, before)
	}
	if len(method) > 3 && method[:4] == "save" && err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return after
}
