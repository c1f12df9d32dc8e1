package modelfile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// TestSparseForm: of sparse rows, the model is in the binary form, in which zeros take no room. A file
// of an older version, which has it as JSON, is read too.
func TestSparseForm(t *testing.T) {
	const width = 100_000
	m := &perceptron.Multiclass{Binary: &perceptron.Margin{Keep: perceptron.Average}}
	X := []perceptron.Sparse{{Index: []uint32{3, 99_000}, Value: []float64{1, 2}}, {Index: []uint32{7}, Value: []float64{3}}}
	if _, err := (perceptron.SparseModel{Model: m, Width: width}).Fit(X, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	f := &File{Model: m, Details: Details{Classes: []string{"a", "b"}, Data: Data{Rows: 2}, Schema: table.Schema{
		Sparse: true, Width: 2, Label: table.Column{Name: "y"}, Missing: table.MissingError, Columns: []table.Column{{Name: "x", Position: 1, Indexed: width}}}}}
	text, err := f.Encode()
	if err != nil || len(text) > 4000 || !bytes.Contains(text, []byte(`,"model":"`)) {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	form, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	older, err := f.parts(form)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"binary": text, "JSON": bytes.Join(older, nil)} {
		again, err := decode(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := again.Model.(*perceptron.Multiclass), m; !reflect.DeepEqual(got.Hyperplanes(), want.Hyperplanes()) {
			t.Errorf("%s: the hyperplanes differ", name)
		}
	}
	for at := bytes.Index(text, []byte(`"model":"`)) + 9; at < len(text)-4; at += 97 {
		bad := bytes.Clone(text)
		if bad[at]++; bytes.Equal(bad, text) {
			continue
		}
		if _, err := decode(bad); err == nil {
			t.Errorf("byte %d may change", at)
		}
	}
}
