package modelfile

import (
	"bytes"
	"compress/flate"
	"encoding"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestSparseForm: zeros of sparse rows take no room, and the model is read back with all its state.
// If it is read for predictions alone, it has the same planes, bit for bit.
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

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestSmallFiles: a small file takes little memory, whatever it says about features, classes and sizes.
func TestSmallFiles(t *testing.T) {
	f := sparseExample(t, sparseModels()[0])
	frame, err := f.Model.(*perceptron.Multiclass).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	model, err := pack(frame)
	if err != nil {
		t.Fatal(err)
	}
	var zeros bytes.Buffer // a part of many zeros
	w, _ := flate.NewWriter(&zeros, 9)
	for range 300 {
		_, _ = w.Write(make([]byte, 1<<20))
	}
	w.Close()
	wide := *f
	wide.Scaling = perceptron.Scaling{}
	wide.Schema.Columns = []table.Column{{Name: "x", Position: 1, Indexed: 1 << 24}}
	for name, file := range map[string]struct {
		*File
		model []byte
	}{"first": {f, zeros.Bytes()}, "second": {f, append(bytes.Clone(model), zeros.Bytes()...)}, "wide": {&wide, model}} {
		parts, err := file.parts(file.model)
		if err != nil {
			t.Fatal(err)
		}
		text := bytes.Join(parts, nil)
		for _, predicts := range []bool{true, false} {
			var err error
			if bytes := allocated(func() { _, err = decode(bytes.Clone(text), predicts) }); bytes > 30*uint64(len(text))*2+300<<20 || err == nil && !(name == "second" && predicts) {
				t.Errorf("%s, %v: %d bytes for %d, %v", name, predicts, bytes, len(text), err)
			}
		}
	}
	// A Classifier's file leaves out zeros.
	for _, d := range []int{1 << 19, 1 << 22} {
		c := perceptron.Classifier[[]float64]{Model: &perceptron.Online{Start: perceptron.Hyperplane{}}, Raw: true}
		X := [][]float64{make([]float64, d), make([]float64, d)}
		X[0][0], X[1][0] = 1, -1
		if _, err := c.Fit(X, []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "c")
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "features are too many for the size of the file") || time.Since(begin) > 10*time.Second {
			t.Errorf("%d features: %v after %v", d, err, time.Since(begin))
		}
	}
}

// limited calls f, which must take little memory and time for a file of a size.
func limited(t *testing.T, size int, f func()) {
	t.Helper()
	begin := time.Now()
	if bytes := allocated(f); bytes > 3000*uint64(size)+300<<20 {
		t.Errorf("%d bytes are allocated for %d", bytes, size)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("%d bytes take %v", size, took)
	}
}

// FuzzPacked: nothing in a model of sparse rows, with a checksum that is right, makes the reader panic or take much.
func FuzzPacked(f *testing.F) {
	for _, m := range sparseModels() {
		frame, err := m.(encoding.BinaryMarshaler).MarshalBinary()
		if sparseExample(f, m); err == nil {
			frame, err = m.(encoding.BinaryMarshaler).MarshalBinary()
		}
		model, also := pack(frame)
		if err != nil || also != nil {
			f.Fatal(err, also)
		}
		f.Add(model, uint32(2000), true)
	}
	f.Fuzz(func(t *testing.T, model []byte, width uint32, predicts bool) {
		file := sparseExample(t, &perceptron.Multiclass{})
		file.Scaling, file.Schema.Columns[0].Indexed = perceptron.Scaling{}, int(width)
		parts, err := file.parts(model)
		if err != nil {
			t.Fatal(err)
		}
		text := bytes.Join(parts, nil)
		limited(t, len(text), func() { _, _ = decode(text, predicts) })
	})
}

// FuzzClassifier: nothing in the file of a Classifier makes the reader panic or take much.
func FuzzClassifier(f *testing.F) {
	for _, waves := range []int{0, 3} {
		c := perceptron.Classifier[[]float64]{Waves: perceptron.Waves{Count: waves}}
		if _, err := c.Fit([][]float64{{1, 2}, {3, 1}, {0, 5}}, []string{"a", "b", "a"}); err != nil {
			f.Fatal(err)
		}
		text, err := c.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "c")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		limited(t, len(text), func() { _, _ = Read(path) })
	})
}
