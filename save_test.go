package perceptron

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
)

// TestSaveLoad saves and loads models of every kind, in both forms.
func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	for name, m := range zoo(t, 2) {
		must(0, Save(path, m))(t)
		if got := must(Load(path))(t).(model); snapshot(got) != snapshot(m) || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", m) {
			t.Errorf("%s: loaded %T\n%s, want\n%s", name, got, snapshot(got), snapshot(m))
		}
		must(0, os.WriteFile(path+".json", append([]byte("\n"), must(m.(coder).MarshalJSON())(t)...), 0o600))(t)
		if got := must(Load(path + ".json"))(t).(model); snapshot(got) != snapshot(m) {
			t.Errorf("%s: loaded from JSON\n%s, want\n%s", name, snapshot(got), snapshot(m))
		}
	}
}

// TestLoadBlanks checks that Load reads JSON behind any white space, as UnmarshalJSON does.
func TestLoadBlanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	text := string(must((&Online{Seed: 7}).MarshalJSON())(t))
	for _, n := range []int{0, 1, 19, 20, 21, 5000} {
		blanks := strings.Repeat(" \n\t\r", n)[:n]
		must(0, os.WriteFile(path, []byte(blanks+text), 0o600))(t)
		if m, ok := must(Load(path))(t).(*Online); !ok || m.Seed != 7 {
			t.Errorf("behind %d blanks: %+v", n, m)
		}
		must(0, os.WriteFile(path, []byte(blanks+"x"), 0o600))(t)
		if _, err := Load(path); !errors.Is(err, ErrFormat) {
			t.Errorf("a letter behind %d blanks: %v", n, err)
		}
	}
}

// TestSaveErrors checks the errors for what cannot be saved or loaded.
func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, m := range []Model{nil, (*Online)(nil), struct{ Model }{}, &Online{Rate: -1}, struct{ *Online }{new(Online)}, &struct{ *Online }{}} {
		if err := Save(path, m); !errors.Is(err, ErrConfig) {
			t.Errorf("saving %#v: %v", m, err)
		}
	}
	missing := filepath.Join(dir, "none", "model")
	for _, err := range []error{Save(missing, new(Online)), only(Load(missing)), only(Load(path))} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	err, loadErr := Save(dir, new(Online)), only(Load(dir))
	if !errors.Is(err, ErrConfig) || loadErr == nil || errors.Is(loadErr, ErrFormat) {
		t.Errorf("a folder: %v, %v", err, loadErr)
	}
	plane := must(Hyperplane{}.MarshalBinary())(t)
	for content, want := range map[string]string{
		"":                                  "0 bytes, want a header of 20",
		"some text that is no model at all": `byte 0: found "some tex", want "\x89PTRN\r\n\x1a"`,
		string(plane):                       "byte 1: found `\"weights\"`, want a known field, once",
		string(plane) + "x":                 "byte 12: a payload of 55 bytes in a frame of 80",
		string(plane[:30]):                  "byte 12: a payload of 55 bytes in a frame of 30",
		"{":                                 "byte 1: found ``, want a known field, once",
		" {}":                               `missing field "perceptron"`,
		`{"perceptron":1}`:                  "binary: want it, oneVsRest or multiclass",
		`{"binary":{},"perceptron":1}`:      `binary: missing field "kind"`,
		`{"perceptron":"1"}`:                "perceptron: byte 14: found `\"1\"`, want int",
	} {
		must(0, os.WriteFile(path, []byte(content), 0o600))(t)
		m, err := Load(path)
		if m != nil || !errors.Is(err, ErrFormat) || err.Error() != path+": perceptron: bad format: "+want {
			t.Errorf("%q: %v, %v, want %s", content, m, err, want)
		}
	}
	if os.PathSeparator == '/' {
		must(0, os.Symlink("nothing", path+".dangling"))(t)
		err := Save(path+".dangling", new(Online))
		if e, ok := err.(*fs.PathError); !ok || !errors.Is(e, fs.ErrNotExist) {
			t.Errorf("a link that leads nowhere: %v", err)
		}
		if files := must(os.ReadDir(dir))(t); len(files) != 2 { // the model and the link
			t.Errorf("Save left %v", files)
		}
	}
}

// TestSavedFields checks that fields that make no sense are not written.
func TestSavedFields(t *testing.T) {
	for _, m := range []valueCoder{
		Online{Rate: -1}, Margin{Gamma: 1, Threshold: 1}, Batch{Workers: -1}, OneVsRest{Binary: struct{ Binary }{new(Online)}}, OneVsRest{Binary: (*Margin)(nil)},
		Online{Space: Linear, Start: Hyperplane{Bias: 1}}, Margin{Start: Hyperplane{Weights: []float64{math.NaN()}}}, Online{Keep: 3}, Batch{MaxEpochs: -1},
		Separation{Separable: true}, Separation{Lower: 2, Upper: 1, Separable: true}, Separation{Radius: -1}, Separation{Multipliers: []float64{-1}},
		Separation{Space: 2}, Separation{Space: Linear, Hyperplane: Hyperplane{Bias: 1}},
	} {
		refused(t, m, ErrConfig)
	}
	for _, m := range []valueCoder{
		Hyperplane{Bias: math.NaN()}, Hyperplane{Weights: []float64{1, math.Inf(-1)}}, Separation{Lower: math.Inf(-1)}, Separation{Upper: math.Inf(1)},
		Separation{Radius: math.NaN()}, Separation{Multipliers: []float64{math.Inf(1)}}, Separation{Hyperplane: Hyperplane{Bias: math.Inf(1)}},
	} {
		refused(t, m, ErrNotFinite)
	}
}

// TestSavedNone: a Hyperplane without weights and a Separation without multipliers can be read, too.
func TestSavedNone(t *testing.T) {
	for read, zero := range map[coder]valueCoder{new(Hyperplane): Hyperplane{}, new(Separation): Separation{}} {
		data, text := encoded(t, zero)
		Diff(t, "reading the binary form", read.UnmarshalBinary(data), nil)
		Diff(t, "reading "+string(text), read.UnmarshalJSON(text), nil)
	}
}

func refused(t *testing.T, m valueCoder, kind error) {
	t.Helper()
	data, err := m.MarshalBinary()
	_, jsonErr := m.MarshalJSON()
	if data != nil || !errors.Is(err, kind) || !errors.Is(jsonErr, kind) {
		t.Errorf("%+v: %q, %v, %v, want %v", m, data, err, jsonErr, kind)
	}
}

// TestFieldsNamed checks that the saved form names every exported field, so that a
// new field is not lost unnoticed.
func TestFieldsNamed(t *testing.T) {
	for _, c := range []struct {
		of   []any
		form any
	}{
		{[]any{Online{}, Margin{}, Batch{}}, savedBinary{}}, {[]any{Hyperplane{}}, savedPlane{}}, {[]any{Separation{}}, savedSeparation{}},
		{[]any{OneVsRest{}, Multiclass{}}, struct {
			savedMany
			Binary *savedBinary `json:"binary"`
		}{}},
	} {
		var want []string
		for _, of := range c.of {
			for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
				if f.IsExported() {
					want = append(want, strings.ToLower(f.Name[:1])+f.Name[1:])
				}
			}
		}
		var tree map[string]any
		must(0, json.Unmarshal(must(json.Marshal(c.form))(t), &tree))(t)
		delete(tree, "kind")
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(tree)); !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("%T has %v, want %v", c.form, got, want)
		}
	}
}

// TestHostileFields reads fields that no model has. Each replaces a part of the JSON of a model.
func TestHostileFields(t *testing.T) {
	online, margin, batch := new(Online), &Margin{Threshold: 2}, new(Batch)
	many, linear, kesler := &OneVsRest{Binary: new(Online)}, &Margin{Space: Linear}, &Multiclass{Binary: new(Online)}
	for _, c := range []replacement{
		{margin, `"perceptron":1`, `"perceptron":2`, `perceptron: version 2, want 1`},
		{margin, `"perceptron":1`, `"perceptron":"1"`, "perceptron: byte 14: found `\"1\"`, want int"},
		{margin, `"perceptron":1,`, ``, `missing field "perceptron"`},
		{margin, `"binary"`, `"Binary"`, "byte 16: found `\"Binary\"`, want a known field, once"},
		{margin, `"Margin"`, `"Online"`, `binary.threshold: found in Online, want its zero value`},
		{margin, `"Margin"`, `"margin"`, `binary.kind: "margin", want Online, Margin or Batch`},
		{margin, `"Margin"`, "\"\u1c89\"", `binary.kind: "\u1c89", want Online, Margin or Batch`},
		{margin, `"Margin"`, `"OneVsRest"`, `binary.kind: "OneVsRest", want Online, Margin or Batch`},
		{online, `"gamma":0`, `"gamma":1`, `binary.gamma: found in Online, want its zero value`},
		{online, `"workers":0`, `"workers":1`, `binary.workers: found in Online, want its zero value`},
		{margin, `"workers":0`, `"workers":1`, `binary.workers: found in Margin, want its zero value`},
		{batch, `"order":"Cyclic"`, `"order":"Sampled"`, `binary.order: found in Batch, want its zero value`},
		{batch, `"seed":"0"`, `"seed":"1"`, `binary.seed: found in Batch, want its zero value`},
		{batch, `"keep":"Last"`, `"keep":"Average"`, `binary.keep: found in Batch, want its zero value`},
		{batch, `"gamma":0`, `"gamma":1`, `binary.gamma: found in Batch, want its zero value`},
		{batch, `"threshold":0`, `"threshold":1`, `binary.threshold: found in Batch, want its zero value`},
		{many, `"oneVsRest":{`, `"learned":{`, "learned: byte 27: found `\"workers\"`, want a known field, once"},
		{many, `"oneVsRest":{"workers":0`, `"oneVsRest":{"workers":-1`, `Workers is -1, want at least 1, or 0 for GOMAXPROCS`},
		{many, `"oneVsRest":{`, `"oneVsRest":{"binary":{},`, "oneVsRest: byte 29: found `\"binary\"`, want a known field, once"},
		{many, `"binary":{`, `"binary":{"oneVsRest":{`, "binary: byte 52: found `\"oneVsRest\"`, want a known field, once"},
		{many, `"binary":{`, `"binary":7,"x":{`, "binary: byte 51: found `7`, want {"},
		{many, `"binary":{`, `"binary":null,"x":{`, "binary: byte 51: found `null`, want {"},
		{kesler, `"multiclass":{`, `"Multiclass":{`, "byte 16: found `\"Multiclass\"`, want a known field, once"},
		{kesler, `"multiclass":{`, `"multiclass":{"workers":0`, "multiclass: byte 30: found `\"workers\"`, want a known field, once"},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0},"multiclass":{`, `multiclass: want it or oneVsRest, not both`},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0`, `found a *perceptron.OneVsRest, want a *perceptron.Multiclass`},
		{many, `"oneVsRest":{"workers":0`, `"multiclass":{`, `found a *perceptron.Multiclass, want a *perceptron.OneVsRest`},
		{kesler, `"kind":"Online"`, `"kind":"Batch"`, `Binary is a *perceptron.Batch, want a *perceptron.Online or *perceptron.Margin`},
		{kesler, `"start":{"weights":[]`, `"start":{"weights":[1]`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"bias":0`, `"bias":1`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"binary":{`, `"binary":{"multiclass":{`, "binary: byte 42: found `\"multiclass\"`, want a known field, once"},
		{margin, `"rate":0`, `"rat":0`, "binary: byte 42: found `\"rat\"`, want a known field, once"},
		{margin, `"rate":0,`, ``, `binary: missing field "rate"`},
		{margin, `"rate":0`, `"rate":-1`, `Rate is -1, want a positive finite number, or 0 for 1`},
		{margin, `"gamma":0`, `"gamma":1`, `Gamma is 1 and Threshold is 2, want at most one of them set`},
		{margin, `"maxEpochs":0`, `"maxEpochs":-4`, `MaxEpochs is -4, want at least 1, or 0 for 1000`},
		{linear, `"bias":0}`, `"bias":1}`, `Start.Bias is 1 in Linear space, want 0`},
	} {
		into := trainedOther(t, c.m.(model)).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, c.text(t), c.err)
	}
	p := trainedOther(t, new(Online)).(coder)
	refuse(t, "no kind", p, p.UnmarshalJSON, []byte(`{"perceptron":1}`), "binary: want it, oneVsRest or multiclass")
	refuse(t, "another kind", p, p.UnmarshalJSON, must(margin.MarshalJSON())(t), "found a *perceptron.Margin, want a *perceptron.Online")
}

// fewRows are sparse rows of few different features, and labels.
func fewRows(d, n, features int) (X []Sparse, y []int) {
	r := rand.New(rand.NewPCG(57, uint64(d)))
	for i := range n {
		var x Sparse
		for k := range features {
			if r.IntN(3) > 0 {
				x.Index, x.Value = append(x.Index, uint32(k*(d/features)+d/features-1)), append(x.Value, r.NormFloat64())
			}
		}
		X, y = append(X, x), append(y, 1-2*(i%2))
	}
	return X, y
}

// TestSavedWide: a model of sparse rows has a short saved form, where most weights are zero, and the
// bytes of a model of the same rows with their zeros. It is read and trained on with every bit.
func TestSavedWide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ d, features, most int }{{1 << 16, 2, 1100}, {5000, 1300, 1 << 20}, {5000, 1200, 1 << 20}, {65, 3, 1100}, {64, 0, 1100}} {
		X, y := fewRows(c.d, 6, c.features)
		for name, m := range mixable() {
			if !full && (strings.Contains(name, "Linear") || !strings.Contains(name, "rule 0")) {
				continue
			}
			dense := clone(m)
			for i, x := range X {
				must(SparseModel{m, c.d}.Update(x, y[i]))(t)
				must(dense.(streamer).Update(naive.Dense(c.d, x.Index, x.Value), y[i]))(t)
			}
			data, text := encoded(t, m.(coder))
			fromDense, _ := encoded(t, dense.(coder))
			if !bytes.Equal(data, framed(text)) || !bytes.Equal(data, fromDense) || !isMany(m) && len(data) > c.most {
				t.Fatalf("%s, %d features, %d of them: %d bytes, of dense rows %d", name, c.d, c.features, len(data), len(fromDense))
			}
			loaded := reloaded(t, m)
			must(0, drain(loaded, [][]float64{naive.Dense(c.d, X[0].Index, X[0].Value)}, y[:1], func() {}))(t)
			must(0, drain(m, [][]float64{naive.Dense(c.d, X[0].Index, X[0].Value)}, y[:1], func() {}))(t)
			if snapshot(loaded) != snapshot(m) {
				t.Fatalf("%s, %d features: trained on it is another model", name, c.d)
			}
		}
	}
}

// TestSavedLarge: above the limit, all elements are written, and such a form is refused.
func TestSavedLarge(t *testing.T) {
	defer func(most uint64) { saved.MostZeros = most }(saved.MostZeros)
	m := new(Online)
	must(SparseModel{m, 199}.Update(Sparse{[]uint32{3}, []float64{1}}, -1))(t)
	short := must(m.MarshalBinary())(t)
	for most, want := range map[uint64]int{199: len(short) + 8*198 - 8, 200: len(short)} {
		saved.MostZeros = most
		data, text := encoded(t, m)
		if err := new(Online).UnmarshalBinary(short); len(data) != want || (err == nil) != (most == 200) {
			t.Errorf("limit %d: %d bytes, want %d; reading the short form: %v", most, len(data), want, err)
		}
		must(0, errors.Join(new(Online).UnmarshalBinary(data), new(Online).UnmarshalJSON(text)))(t)
	}
}

// TestReadPython: the reader in Python finds in every kind of file what the JSON form has.
func TestReadPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("docs/read.py is not run: ", err)
	}
	path := filepath.Join(t.TempDir(), "model")
	read := func(data []byte) (form any, err error) {
		must(0, os.WriteFile(path, data, 0o600))(t)
		text, err := exec.Command(python, filepath.Join("docs", "read.py"), path).Output()
		return form, cmp.Or(err, json.Unmarshal(text, &form))
	}
	all, objects := seeds(t), regexp.MustCompile(`\{"length":[^}]*\}`)
	for i, s := range all {
		if !full && i%8 > 0 && i < len(all)-5 { // the last ones are of other kinds
			continue
		}
		whole := objects.ReplaceAllFunc(s.text, func(object []byte) []byte {
			var v struct {
				Length int
				Index  []uint32
				Value  []float64
			}
			must(0, json.Unmarshal(object, &v))(t)
			return must(json.Marshal(naive.Dense(v.Length, v.Index, v.Value)))(t)
		})
		var want any
		must(0, json.Unmarshal(whole, &want))(t)
		Diff(t, "what read.py prints", must(read(s.data))(t), want)
	}
	step := 191
	if full {
		step = 57
	}
	for i := 0; i < len(all[0].data); i += step {
		damaged := slices.Clone(all[0].data)
		damaged[i] ^= 1
		if form, err := read(damaged); err == nil {
			t.Errorf("read.py reads %v though byte %d is wrong", form, i)
		}
	}
}
