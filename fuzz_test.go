package perceptron

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// raw returns the bytes of numbers, and floats is its inverse, for any bytes.
func raw(v ...float64) []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, v)
	return data
}

func floats(data []byte) []float64 {
	v := make([]float64, len(data)/8)
	_, _ = binary.Decode(data, binary.LittleEndian, v)
	return v
}

// FuzzModels trains every kind of model on rows of any bits and widths. Nothing panics, an error
// leaves the model as it was, and a model that has learned holds only finite numbers.
func FuzzModels(f *testing.F) {
	f.Add(uint16(0), uint8(2), raw(1, 0, 1, 1, 0, 1, -1, -1))
	f.Add(uint16(77), uint8(1), raw(1e300, -1e300, 1e308, 5e-324))
	f.Add(uint16(301), uint8(3), raw(math.NaN(), 1, 2, inf, 0, 0))
	f.Add(uint16(911), uint8(0), raw(1, 2))
	f.Add(uint16(727), uint8(1), raw(1, -1, 1e300, -1e300, 0.5))
	f.Add(uint16(867), uint8(2), raw(1, 2, 3, 4, inf, 0, 1e200, -1e200))
	f.Fuzz(func(t *testing.T, kind uint16, width uint8, data []byte) {
		m, set := fuzzed(kind, int(width%40), floats(data))
		for _, method := range []string{"Fit", "Update", "Epochs", "Predict", "Fit"} {
			if method == "Fit" || method == "Epochs" {
				m = follow(t, m, method, set)
				continue
			}
			for i := range set.X {
				m = follow(t, m, method, naive.Set{X: set.X[i:], Y: set.Y[i:]})
			}
		}
	})
}

// fuzzed returns a model and rows, most of one width.
func fuzzed(kind uint16, width int, v []float64) (model, naive.Set) {
	m := []model{new(Online), new(Margin), &Margin{Gamma: 0.5}, &Margin{Threshold: 1e3}, new(Online)}[kind/72%5]
	m = fields{
		"Order": Order(kind % 3), "Keep": Keep(kind / 3 % 3), "Space": Space(kind / 9 % 2),
		"Rate": []float64{0, 0.1, 1e300, 1e-300}[kind/18%4], "MaxEpochs": 3,
	}.some(m)
	switch kind / 360 % 3 {
	case 1:
		m = &OneVsRest{Binary: AsBinary(m)}
	case 2:
		m = &Multiclass{Binary: AsBinary(m)}
	}
	var set naive.Set
	for i := 0; len(v) > 0; i++ {
		n := min(max(width, 1), len(v))
		label := 1 - 2*(i*int(kind+7)/3%2)
		if kind/360%3 == 2 { // more classes, some of them late
			label *= 1 + i*i%5/3
		}
		set.X, set.Y = append(set.X, v[:n]), append(set.Y, label)
		v = v[n:]
	}
	return m, set
}

func checkFinite(t *testing.T, m model) {
	t.Helper()
	if stateOf(m) == nil {
		return
	}
	for _, v := range append(stateOf(m).Vectors, stateOf(m).R2) {
		if !vec.Finite(v) {
			t.Fatalf("the model holds %v", v)
		}
	}
}

// FuzzBounds: no argument panics, and the results are ordered as the theorems say.
func FuzzBounds(f *testing.F) {
	f.Add(1.0, 0.1, 1.0, 2.0, -3.0)
	f.Add(1e300, 1e-300, 5e-324, inf, math.NaN())
	f.Add(-1.0, 0.0, math.Copysign(0, -1), 1e308, 1e-308)
	f.Fuzz(func(t *testing.T, R, gamma, eta, a, b float64) {
		K := MistakeBound(R, gamma)
		k, margin := ThresholdBound(R, gamma, eta, a)
		A, B := StartEnvelope(R, gamma, eta, b)
		if A > B && gamma <= R {
			t.Errorf("StartEnvelope(%v, %v, %v, %v) = %v, %v", R, gamma, eta, b, A, B)
		}
		if margin > max(0, gamma) {
			t.Errorf("ThresholdBound promises a margin of %v of %v", margin, gamma)
		}
		for _, larger := range []float64{StartBound(R, gamma, eta, a, b), MarginBound(R, gamma, a), k, InseparableBound(R, gamma, a, b), BatchBound(2, R, gamma)} {
			if larger < K {
				t.Errorf("a bound of %v is below (R/γ)² = %v for %v, %v, %v, %v, %v", larger, K, R, gamma, eta, a, b)
			}
		}
		_, _ = MixBound(R, gamma, 3)
	})
}

// decoded are receivers of every type, which have learned something.
func decoded(t testing.TB) []coder {
	var all []coder
	for _, m := range []model{new(Online), new(Batch), new(Margin), new(OneVsRest), new(Multiclass)} {
		all = append(all, trainedOther(t, m).(coder))
	}
	for _, c := range classifiers(t) {
		must(c.Update(-2, "c"))(t)
		all = append(all, c)
	}
	return all
}

// A trainedClassifier is a Classifier of rows of either type.
type trainedClassifier interface {
	coder
	Update(v float64, label string) (bool, error)
}

// classifiers are one of each type.
func classifiers(t testing.TB) []trainedClassifier {
	d := classifierOf[[]float64]{row: func(v float64) []float64 { return []float64{v, 1} }}
	s := classifierOf[Sparse]{row: func(v float64) Sparse { return Sparse{[]uint32{0, 1}, []float64{v, 1}} }}
	s.Width = 2
	for v, label := range []string{"a", "b\n\u2028é", "<a \"label\">"} {
		must(s.Update(float64(v), label))(t)
	}
	must(d.Fit([][]float64{{1, 2}, {3, 4}, {-5, 7}}, []string{"x", `\`, ""}))(t)
	return []trainedClassifier{&d, &s}
}

type classifierOf[R []float64 | Sparse] struct {
	Classifier[R]
	row func(v float64) R
}

func (c *classifierOf[R]) Update(v float64, label string) (bool, error) {
	return c.Classifier.Update(c.row(v), label)
}

// use calls every method. None may panic, and what c accepts it can save.
func (c *classifierOf[R]) use(t *testing.T) {
	d := c.Clone()
	if d.Width > 1<<20 { // a model of this width would be as large as the file says
		return
	}
	_, _ = d.Predict(c.row(1))
	_, _ = d.Scores(nil, c.row(-1))
	for _, label := range append(d.Labels(), "new") {
		_, _ = d.Update(c.row(2), label)
		must(d.MarshalBinary())(t)
		_, _ = d.Predict(c.row(3))
	}
}

// A seed has both forms of something, and a receiver of its type, which has learned something else.
type seed struct {
	data, text []byte
	into       coder
}

// seeds are of every type.
func seeds(t testing.TB) (all []seed) {
	for name, m := range zoo(t, 2) {
		if strings.Contains(name, "kesler gamma") || strings.Contains(name, "kesler threshold") || strings.Contains(name, "kesler margin") {
			continue // their files have fields of other models
		}
		data, text := encoded(t, m.(coder))
		all = append(all, seed{data, text, trainedOther(t, m).(coder)})
	}
	few := &Online{Keep: Average}
	must(SparseModel{few, 64}.Update(Sparse{[]uint32{3, 40}, []float64{1, 0.1}}, -1))(t)
	data, text := encoded(t, few)
	all = append(all, seed{data, text, trainedOther(t, few).(coder)})
	others := decoded(t)
	for i, c := range classifiers(t) {
		data, text := encoded(t, c)
		all = append(all, seed{data, text, others[len(others)-2+i]})
	}
	return all
}

// hold reads something into c. If c accepts a form, it must write the same state in both forms.
// What it rejects must not change it.
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
	switch c := c.(type) {
	case model:
		use(t, c)
	case interface{ use(t *testing.T) }:
		c.use(t)
	}
}

// use calls all methods of a model. None may panic, and all that it learns must be finite.
func use(t *testing.T, m model) {
	m = fields{"MaxEpochs": 2}.some(m)
	if b := inner(m); b != nil {
		fields{"MaxEpochs": 2}.some(b)
	}
	d := 2
	if s := stateOf(m); s != nil && s.Width > 0 {
		d = s.Width
	}
	if d > 1<<20 { // dense rows of so many features would take all memory
		useWide(t, m, d)
		return
	}
	X := [][]float64{make([]float64, d), make([]float64, d)}
	X[0][0] = -1
	for _, method := range methods(m, read+" "+resume+" "+read+" Fit") {
		_ = calls[method](m, X, []int{1, -1})
		checkFinite(t, m)
		must(m.(coder).MarshalBinary())(t)
	}
}

// useWide is use for sparse rows.
func useWide(t *testing.T, m model, d int) {
	s, x := SparseModel{Model: m}, Sparse{[]uint32{0, uint32(d - 1)}, []float64{-1, 1}}
	for range 2 {
		_, _ = s.Predict(x)
		_, _ = s.Update(x, 1)
		_, _ = s.Fit([]Sparse{x, {}}, []int{1, -1})
		checkFinite(t, m)
		must(m.(coder).MarshalBinary())(t)
	}
}

// inFrame puts a JSON form, or else a payload, in a frame with a good checksum.
func inFrame(data []byte) []byte {
	if bytes.HasPrefix(data, []byte("{")) {
		return framed(data)
	}
	return sealed(data)
}

// FuzzUnmarshalBinary reads any bytes as a whole frame, or as what inFrame takes.
func FuzzUnmarshalBinary(f *testing.F) {
	saved.MostZeros = 1 << 12
	for _, s := range seeds(f) {
		f.Add(true, s.text)
		f.Add(true, s.data[20:len(s.data)-4])
		f.Add(false, s.data)
	}
	f.Fuzz(func(t *testing.T, inside bool, data []byte) {
		if inside {
			data = inFrame(data)
		}
		for _, c := range decoded(t) {
			hold(t, c, func(c coder) error { return c.UnmarshalBinary(data) })
		}
	})
}

// FuzzUnmarshalJSON reads any text.
func FuzzUnmarshalJSON(f *testing.F) {
	saved.MostZeros = 1 << 12
	for _, s := range seeds(f) {
		f.Add(s.text)
	}
	for _, text := range []string{" null", `{"kind":"perceptron.Model/1","learned":{"vectors":[[1e400]]}}`, `{"binary":{"start":{"weights":[[]],"weights":{}}}}`} {
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

// FuzzTrain makes a model and makes the calls of the script, with rows of any bits, widths and
// labels. Between them it saves, loads and changes the rate. Nothing panics. An error leaves the
// encoding as it was, except that Learn keeps the examples before it.
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
			var set naive.Set
			for i, rest := 0, v; i < 1+int(op)%7 && len(rest) > 0; i++ {
				width := min(1+int(op/7)%3, len(rest))
				if op > 250 && i > 0 { // of another width
					width--
				}
				labels := []int{+1, -1, +1, 5, math.MinInt}[:2+int(op/128)*3]
				set.X, set.Y = append(set.X, rest[:width]), append(set.Y, labels[(i+int(op))%len(labels)])
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
func follow(t *testing.T, m model, method string, set naive.Set) model {
	before := must(m.(coder).MarshalBinary())(t)
	var err error
	after := m
	switch {
	case method == "rate":
		rate := fields{"Rate": []float64{0, 0.3, 1e300, 1e-300}[len(set.X)%4]}
		if rate.some(m); inner(m) != nil {
			rate.some(inner(m))
		}
	case method == "save":
		after = another(m)
		err = after.(coder).UnmarshalBinary(before)
	case method == "save JSON":
		after = another(m)
		err = after.(coder).UnmarshalJSON(must(m.(coder).MarshalJSON())(t))
	case len(set.X) == 0 || len(methods(m, method)) == 0:
		return m
	case method == "Epochs":
		err = drain(m, set.X, set.Y, func() {
			checkFinite(t, m)
			before = must(m.(coder).MarshalBinary())(t)
		})
	default:
		err = calls[method](m, set.X, set.Y)
	}
	checkFinite(t, after)
	saved := strings.HasPrefix(method, "save")
	unchanged := err != nil && method != "Learn" || method == "Predict" || saved
	if data := must(after.(coder).MarshalBinary())(t); unchanged && !bytes.Equal(data, before) || saved && err != nil {
		t.Fatalf("%s: %v, but the model is\n%x, want\n%x", method, err, data, before)
	}
	return after
}
