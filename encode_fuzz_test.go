package perceptron

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// decoded are receivers of every type, which have learned something.
func decoded(t testing.TB) []coder {
	h := Hyperplane{[]float64{1, 2}, 3}
	all := []coder{&h, &Separation{Radius: 5, Multipliers: []float64{1}}}
	for _, m := range []model{new(Online), new(Batch), new(Margin), new(OneVsRest), new(Multiclass)} {
		all = append(all, trainedOther(t, m).(coder))
	}
	return all
}

// A seed has both forms of something, and a receiver of its type, which has learned
// something else.
type seed struct {
	data, text []byte
	into       coder
}

// seeds are of every type.
func seeds(t testing.TB) (all []seed) {
	for name, m := range zoo(t, 2) {
		if strings.Contains(name, "kesler gamma") || strings.Contains(name, "kesler threshold") || strings.Contains(name, "kesler margin") {
			continue // their files have the fields of others
		}
		data, text := encoded(t, m.(coder))
		all = append(all, seed{data, text, trainedOther(t, m).(coder)})
	}
	data, text := encoded(t, Hyperplane{[]float64{1, -2}, 0.5})
	all = append(all, seed{data, text, decoded(t)[0]})
	data, text = encoded(t, Separation{Separable: true, Hyperplane: Hyperplane{[]float64{1}, 0}, Lower: 1, Upper: 1, Radius: 2, Multipliers: []float64{0.5, 0.5}})
	return append(all, seed{data, text, decoded(t)[1]})
}

// hold reads something into c. What c accepts it must write alike in both forms. What
// it rejects must not change it.
func hold(t *testing.T, c coder, read func(c coder) error) {
	before := must(c.MarshalBinary())(t)
	if err := read(c); err != nil {
		if after := must(c.MarshalBinary())(t); !errors.Is(err, ErrFormat) || !bytes.Equal(after, before) {
			t.Fatalf("%v: the receiver is\n%s, want\n%s", err, after, before)
		}
		return
	}
	data, text := encoded(t, c)
	for range 2 { // in a circle: binary, JSON, binary
		must(0, c.UnmarshalJSON(text))(t)
		dataAgain, textAgain := encoded(t, c)
		if !bytes.Equal(dataAgain, data) || !bytes.Equal(textAgain, text) {
			t.Fatalf("after reading it is written as\n%s, want\n%s", textAgain, text)
		}
		must(0, c.UnmarshalBinary(data))(t)
	}
	if m, ok := c.(model); ok {
		use(t, m)
	}
}

// use calls all methods of a model. None may panic, and all that it learns must be
// finite.
func use(t *testing.T, m model) {
	m = fields{"MaxEpochs": 2}.some(m)
	if b := inner(m); b != nil {
		fields{"MaxEpochs": 2}.some(b)
	}
	d := 2
	if s := stateOf(m); s != nil && s.Width > 0 {
		d = s.Width
	}
	X := [][]float64{make([]float64, d), make([]float64, d)}
	X[0][0] = -1
	for _, method := range methods(m, read+" "+resume+" "+read+" Fit") {
		_ = calls[method](m, X, []int{1, -1})
		checkFinite(t, m)
		must(m.(coder).MarshalBinary())(t)
	}
}

// FuzzUnmarshalBinary reads any bytes as a whole frame, or as a payload.
func FuzzUnmarshalBinary(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(true, s.text)
		f.Add(false, s.data)
	}
	f.Fuzz(func(t *testing.T, payload bool, data []byte) {
		if payload {
			data = sealed(data)
		}
		for _, c := range decoded(t) {
			hold(t, c, func(c coder) error { return c.UnmarshalBinary(data) })
		}
	})
}

// FuzzUnmarshalJSON reads any text.
func FuzzUnmarshalJSON(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.text)
	}
	for _, text := range []string{" null", `{"bias":-0,"weights":[1e400]}`, `{"weights":[[]],"weights":{}}`} {
		f.Add([]byte(text))
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
	f.Add(uint16(726), []byte{0, 3, 130, 5, 2, 251, 7, 1}, raw(1, 0, 1, 1, 0, 1, -1, -1))
	f.Add(uint16(867), []byte{3, 131, 139, 6, 1, 9, 7, 1}, raw(1, -2, 3, 1e300, -1e308, 5))
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
	m, _ := fuzzed(n%1080, 0, nil)
	if n/1080%3 == 1 {
		m = &Batch{MaxEpochs: 3, Rate: 0.5}
	}
	if n/1080 > 30 && isMany(m) { // with nil Binary
		return another(m)
	} else if n/1080 > 30 {
		return &OneVsRest{Binary: AsBinary(m)}
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
		if b := inner(m); b != nil {
			configured = b
		}
		fields{"Rate": []float64{0, 0.3, 1e300, 1e-300}[len(set.X)%4]}.some(configured)
	case method == "save":
		after = another(m)
		err = after.(coder).UnmarshalBinary(before)
	case method == "save JSON":
		after = another(m)
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
