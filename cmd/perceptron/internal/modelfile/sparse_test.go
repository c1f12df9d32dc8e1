package modelfile

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// sparseExample returns a File of sparse rows with a trained model.
func sparseExample(t testing.TB, m perceptron.Model) *File {
	t.Helper()
	const width = 2_000
	X := []perceptron.Sparse{{Index: []uint32{3, 1_990}, Value: []float64{1, 2}}, {Index: []uint32{7, width - 1}, Value: []float64{3, 1. / 3}}, {}}
	labels := []int{0, 1, 2}
	if IsTwo(m) {
		labels = []int{-1, +1, +1}
	}
	if _, err := (perceptron.SparseModel{Model: m, Width: width}).Fit(X, labels); err != nil {
		t.Fatal(err)
	}
	scale := slices.Repeat([]float64{0.7}, width)
	return &File{Model: m, Details: Details{Classes: []string{"a", "b", "c"}[:map[bool]int{true: 2, false: 3}[IsTwo(m)]], Data: Data{Rows: 3},
		Scaling: perceptron.Scaling{Mean: make([]float64, width), Scale: scale}, Schema: table.Schema{
			Sparse: true, Width: 2, Label: table.Column{Name: "y"}, Missing: table.MissingError, Columns: []table.Column{{Name: "x", Position: 1, Indexed: width}}}}}
}

func sparseModels() []perceptron.Model {
	return []perceptron.Model{&perceptron.Multiclass{Binary: &perceptron.Margin{Keep: perceptron.Average}}, &perceptron.Online{Keep: perceptron.Average}, &perceptron.Margin{},
		&perceptron.OneVsRest{Binary: &perceptron.Online{Keep: perceptron.Pocket}}, &perceptron.Multiclass{}}
}

// TestSparseForm: of sparse rows, zeros take no room, the model is read back with all its state, and
// what is read for predictions alone has the same planes, bit for bit.
func TestSparseForm(t *testing.T) {
	for _, m := range sparseModels() {
		f := sparseExample(t, m)
		text, err := f.Encode()
		model, _ := f.parts(nil)
		size := 0
		for _, part := range model {
			size += len(part)
		}
		if err != nil || len(text)-size > 1000 {
			t.Fatalf("%T: %d bytes, %v", m, len(text)-size, err)
		}
		whole, err := decode(text, false)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		if again, err := whole.Encode(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%T: written again, it differs: %v", m, err)
		}
		part, err := decode(text, true)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		want, err := f.Predictor()
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []*File{whole, part} {
			if got, err := file.Predictor(); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%T: the predictor differs: %v", m, err)
			}
		}
		for at := len(text) - 4; at > len(text)-300; at -= 11 {
			bad := bytes.Clone(text)
			bad[at]++
			if _, err := decode(bad, true); err == nil {
				t.Errorf("byte %d may change", at)
			}
		}
	}
}

// TestSparseHostile: a checksum that is right makes no model right, and nothing makes the reader panic.
func TestSparseHostile(t *testing.T) {
	f := sparseExample(t, sparseModels()[0])
	f.Scaling = perceptron.Scaling{} // a long text
	frame, err := f.Model.(*perceptron.Multiclass).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for at := -1; at < len(frame); at += 7 {
		bad := bytes.Clone(frame)
		if at >= 0 {
			bad[at] ^= 0x55
		}
		model, err := pack(bad)
		if err != nil {
			continue
		}
		parts, err := f.parts(model)
		if err != nil {
			t.Fatal(err)
		}
		text := bytes.Join(parts, nil)
		if _, err := decode(text, false); (err == nil) != (at < 0) {
			t.Errorf("byte %d: %v", at, err)
		}
		if _, err := decode(text, true); err == nil {
			accepted++ // another weight, or a byte of the second part
		}
		for _, short := range [][]byte{nil, model[:len(model)/2], model[:len(model)-1], append(bytes.Clone(model), 0)} {
			parts, _ := f.parts(short)
			if _, err := decode(bytes.Join(parts, nil), false); err == nil {
				t.Errorf("byte %d: %d of %d bytes are accepted", at, len(short), len(model))
			}
		}
	}
	if accepted == 0 || accepted == len(frame)+1 {
		t.Errorf("%d of %d are accepted", accepted, len(frame))
	}
}
