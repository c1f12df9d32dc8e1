package perceptron

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSaveLoad saves and loads models of every kind, in both forms. Some editors put a byte order mark before the JSON.
func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	for name, m := range zoo(t, 2) {
		must(0, Save(path, m))(t)
		if got := must(Load(path))(t).(model); snapshot(got) != snapshot(m) || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", m) {
			t.Errorf("%s: loaded %T\n%s, want\n%s", name, got, snapshot(got), snapshot(m))
		}
		must(0, os.WriteFile(path+".json", append([]byte("\ufeff\n"), must(m.(coder).MarshalJSON())(t)...), 0o600))(t)
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

// TestSavedFields checks that fields that make no sense are not written.
func TestSavedFields(t *testing.T) {
	for _, m := range []valueCoder{
		Online{Rate: -1}, Margin{Gamma: 1, Threshold: 1}, Batch{Workers: -1}, OneVsRest{Binary: struct{ Binary }{new(Online)}},
		Online{Space: Linear, Start: Hyperplane{Bias: 1}}, Margin{Start: Hyperplane{Weights: []float64{math.NaN()}}}, Online{Keep: noKeep}, Batch{MaxEpochs: -1},
	} {
		refused(t, m, ErrConfig)
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

// TestFieldsNamed: the saved form names every exported field, so that no new one is lost unnoticed.
func TestFieldsNamed(t *testing.T) {
	for _, c := range []struct {
		of   []any
		form any
	}{
		{[]any{Online{}, Margin{}, Batch{}}, savedBinary{}},
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
		var got []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.form)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous && name != "kind" {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if want = slices.Compact(slices.Sorted(slices.Values(want))); !slices.Equal(got, want) {
			t.Errorf("%T has %v, want %v", c.form, got, want)
		}
	}
}

// TestHostileFields reads fields that no model has. Each replaces a part of the JSON of a model.
func TestHostileFields(t *testing.T) {
	online, margin, batch := new(Online), &Margin{Threshold: 2}, new(Batch)
	many, linear, kesler := &OneVsRest{Binary: new(Online)}, &Margin{Space: Linear}, &Multiclass{Binary: new(Online)}
	for _, c := range []replacement{
		{margin, `Model/1"`, `Model/2"`, "kind: byte 8: found `\"perceptron.Model/2\"`, want \"perceptron.Model/1\""},
		{margin, `"kind":"perceptron.Model/1",`, ``, `missing field "kind"`},
		{margin, `"binary"`, `"Binary"`, "byte 29: found `\"Binary\"`, want a known field, once"},
		{margin, `"Margin"`, `"Online"`, `binary: found a field that Online does not have`},
		{margin, `"Margin"`, `"margin"`, `binary.kind: "margin", want Online, Margin or Batch`},
		{margin, `"Margin"`, "\"\u1c89\"", `binary.kind: "\u1c89", want Online, Margin or Batch`},
		{margin, `"Margin"`, `"OneVsRest"`, `binary.kind: "OneVsRest", want Online, Margin or Batch`},
		{online, `"gamma":0`, `"gamma":1`, `binary: found a field that Online does not have`},
		{online, `"workers":0`, `"workers":1`, `binary: found a field that Online does not have`},
		{margin, `"workers":0`, `"workers":1`, `binary: found a field that Margin does not have`},
		{batch, `"order":"Cyclic"`, `"order":"Sampled"`, `binary: found a field that Batch does not have`},
		{batch, `"seed":"0"`, `"seed":"1"`, `binary: found a field that Batch does not have`},
		{batch, `"keep":"Last"`, `"keep":"Average"`, `binary: found a field that Batch does not have`},
		{batch, `"gamma":0`, `"gamma":1`, `binary: found a field that Batch does not have`},
		{batch, `"threshold":0`, `"threshold":1`, `binary: found a field that Batch does not have`},
		{many, `"oneVsRest":{`, `"learned":{`, "learned: byte 40: found `\"workers\"`, want a known field, once"},
		{many, `"oneVsRest":{"workers":0`, `"oneVsRest":{"workers":-1`, `Workers is -1, want at least 1, or 0 for GOMAXPROCS`},
		{many, `"oneVsRest":{`, `"oneVsRest":{"binary":{},`, "oneVsRest: byte 42: found `\"binary\"`, want a known field, once"},
		{many, `"binary":{`, `"binary":{"oneVsRest":{`, "binary: byte 65: found `\"oneVsRest\"`, want a known field, once"},
		{many, `"binary":{`, `"binary":7,"x":{`, "binary: byte 64: found `7`, want {"},
		{many, `"binary":{`, `"binary":null,"x":{`, "binary: byte 64: found `null`, want {"},
		{kesler, `"multiclass":{`, `"Multiclass":{`, "byte 29: found `\"Multiclass\"`, want a known field, once"},
		{kesler, `"multiclass":{`, `"multiclass":{"workers":0`, "multiclass: byte 43: found `\"workers\"`, want a known field, once"},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0},"multiclass":{`, `multiclass: want it or oneVsRest, not both`},
		{kesler, `"multiclass":{`, `"oneVsRest":{"workers":0`, `found a *perceptron.OneVsRest, want a *perceptron.Multiclass`},
		{many, `"oneVsRest":{"workers":0`, `"multiclass":{`, `found a *perceptron.Multiclass, want a *perceptron.OneVsRest`},
		{kesler, `"kind":"Online"`, `"kind":"Batch"`, `Binary is a *perceptron.Batch, want a *perceptron.Online or *perceptron.Margin`},
		{kesler, `"start":{"weights":[]`, `"start":{"weights":[1]`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"bias":0`, `"bias":1`, `Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"binary":{`, `"binary":{"multiclass":{`, "binary: byte 55: found `\"multiclass\"`, want a known field, once"},
		{margin, `"rate":0`, `"rat":0`, "binary: byte 55: found `\"rat\"`, want a known field, once"},
		{margin, `"rate":0,`, ``, `binary: missing field "rate"`},
		{margin, `"rate":0`, `"rate":-1`, `Rate is -1, want a positive finite number, or 0 for 1`},
		{margin, `"gamma":0`, `"gamma":1`, `Gamma is 1, Threshold is 2 and Share is 0, want at most one of them set`},
		{margin, `"maxEpochs":0`, `"maxEpochs":-4`, `MaxEpochs is -4, want at least 1, or 0 for 1000`},
		{linear, `"bias":0}`, `"bias":1}`, `Start.Bias is 1 in Linear space, want 0`},
	} {
		into := trainedOther(t, c.m.(model)).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, c.text(t), c.err)
	}
	p := trainedOther(t, new(Online)).(coder)
	refuse(t, "no kind", p, p.UnmarshalJSON, []byte(`{"kind":"perceptron.Model/1"}`), "binary: want it, oneVsRest or multiclass")
	refuse(t, "another kind", p, p.UnmarshalJSON, must(margin.MarshalJSON())(t), "found a *perceptron.Margin, want a *perceptron.Online")
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
	all := seeds(t)
	for i, s := range all {
		if !full && i%8 > 0 && i < len(all)-5 { // the last ones are of other kinds
			continue
		}
		var want any
		must(0, json.Unmarshal(s.text, &want))(t)
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

// TestClassifierSaved: each form restores predictions and training.
func TestClassifierSaved(t *testing.T) {
	X, labels := irisNames(t)
	labels[0] = "a \"quoted\" name, \\ with é\n<b> & 100 runes" + strings.Repeat("x", 100)
	for _, model := range []Model{nil, &OneVsRest{}, &Batch{MaxEpochs: 3}, new(Margin)} {
		c, X, labels := &Classifier[[]float64]{Model: model}, X, labels
		if _, binary := model.(Binary); binary {
			X, labels = X[1:100], labels[1:100]
		}
		must(c.Fit(X, labels))(t)
		path := filepath.Join(t.TempDir(), "c")
		must(0, c.Save(path))(t)
		var fromFile, fromJSON, fromText, fromBinary Classifier[[]float64]
		must(0, fromFile.Load(path))(t)
		text := must(json.Marshal(c))(t)
		must(0, os.WriteFile(path, append([]byte("\ufeff"), text...), 0o600))(t)
		must(0, fromText.Load(path))(t)
		must(0, json.Unmarshal(text, &fromJSON))(t)
		must(0, fromBinary.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		_, learns := model.(*Batch)
		for _, d := range []*Classifier[[]float64]{&fromFile, &fromJSON, &fromText, &fromBinary} {
			if !bytes.Equal(must(json.Marshal(d))(t), text) {
				t.Errorf("%T: another text", model)
			}
			if !slices.Equal(d.Labels(), c.Labels()) || reflect.TypeOf(d.Model) != reflect.TypeOf(c.Model) {
				t.Errorf("%v, %T", d.Labels(), d.Model)
			}
			if !learns {
				must(d.Update(X[7], labels[60]))(t)
			}
			if got, want := must(d.Scores(nil, X[80]))(t), must(c.Scores(nil, X[80]))(t); learns && !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		}
	}
	var none, empty Classifier[[]float64]
	if must(0, empty.UnmarshalBinary(must(none.MarshalBinary())(t)))(t); !reflect.DeepEqual(none, empty) {
		t.Error(empty)
	}
}

// TestClassifierHostile: a changed file is ErrFormat, and changes nothing.
func TestClassifierHostile(t *testing.T) {
	X, labels := irisNames(t)
	var c Classifier[[]float64]
	must(c.Fit(X, labels))(t)
	text := string(must(json.Marshal(c))(t))
	for old, replacement := range map[string]string{
		`"setosa",`:      ``,
		`"setosa"`:       `"virginica"`,
		`"setosa","v`:    `"setosa`,
		`"classes":[0`:   `"classes":[-1`,
		`4]/1"`:          `4]/2"`,
		`[[]float64]/`:   `[Sparse]/`,
		`"width":0`:      `"width":3`,
		`"scale":[`:      `"scale":[-1,`,
		`"mean":[`:       `"mean":[],"x":[`,
		`"model":{`:      `"modell":{`,
		`"labels":["set`: `"labels":["\`,
		`,"model":`:      `}`,
	} {
		changed := strings.Replace(text, old, replacement, 1)
		var d Classifier[[]float64]
		err := d.UnmarshalJSON([]byte(changed))
		if changed == text || !errors.Is(err, ErrFormat) || !reflect.DeepEqual(d, Classifier[[]float64]{}) {
			t.Errorf("%s for %s: %v", replacement, old, err)
		}
	}
}

// TestClassifierRows: a file is for rows of one type. Their predictions would differ.
func TestClassifierRows(t *testing.T) {
	X, labels := [][]float64{{3, 4}, {-3, 4}}, []string{"right", "left"}
	rows := []Sparse{{[]uint32{0, 1}, X[0]}, {[]uint32{0, 1}, X[1]}}
	dense, sparse := Classifier[[]float64]{Model: new(Multiclass)}, Classifier[Sparse]{Model: new(Multiclass)}
	must(dense.Fit(X, labels))(t)
	m, names, _, _ := dense.Parts()
	must(0, dense.SetParts(m, names, Scaling{}, Waves{}))(t) // then no other field differs
	must(sparse.Fit(rows, labels))(t)
	for _, into := range []coder{new(Classifier[[]float64]), new(Classifier[Sparse])} {
		_, isSparse := into.(*Classifier[Sparse])
		for _, from := range []coder{&dense, &sparse} {
			_, fromSparse := from.(*Classifier[Sparse])
			data, text := encoded(t, from)
			for _, err := range []error{into.UnmarshalBinary(data), into.UnmarshalJSON(text)} {
				if errors.Is(err, ErrFormat) == (isSparse == fromSparse) || err != nil && !strings.Contains(err.Error(), `, want "perceptron.Classifier[`) {
					t.Errorf("%T into a %T: %v", from, into, err)
				}
			}
		}
	}
}

// TestClassifierWidth: a Width without a trained model is saved.
func TestClassifierWidth(t *testing.T) {
	for _, m := range []Learner{nil, new(OneVsRest)} {
		c, read := Classifier[Sparse]{Model: m, Width: 9}, Classifier[Sparse]{}
		must(0, read.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		Diff(t, "Width", read.Width, 9)
	}
}

// TestSaveErrors checks the errors for what cannot be saved or loaded.
func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, m := range []Model{nil, struct{ Model }{}, &Online{Rate: -1}, struct{ *Online }{new(Online)}, &struct{ *Online }{}} {
		if err := Save(path, m); !errors.Is(err, ErrConfig) {
			t.Errorf("saving %#v: %v", m, err)
		}
	}
	for _, err := range []error{Save("", new(Online)), only(Load("")), new(Classifier[Sparse]).Save(""), new(Classifier[Sparse]).Load("")} {
		checkErrors(t, ErrConfig, -1, "bad configuration: the path is empty", err)
	}
	missing := filepath.Join(dir, "none", "model")
	for path, errs := range map[string][]error{missing: {Save(missing, new(Online)), only(Load(missing))}, path: {only(Load(path))}} {
		for _, err := range errs {
			if e, ok := err.(*fs.PathError); !ok || e.Path != path || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	err, loadErr := Save(dir, new(Online)), only(Load(dir))
	for _, err := range []error{err, loadErr, new(Classifier[Sparse]).Save(dir), new(Classifier[Sparse]).Load(dir)} {
		if strings.Count(fmt.Sprint(err), dir) != 1 {
			t.Errorf("%v, want %s once", err, dir)
		}
	}
	if !errors.Is(err, ErrConfig) || loadErr == nil || errors.Is(loadErr, ErrFormat) {
		t.Errorf("a folder: %v, %v", err, loadErr)
	}
	model := must(Online{}.MarshalBinary())(t)
	named, words := must(Classifier[[]float64]{}.MarshalBinary())(t), must(Classifier[Sparse]{}.MarshalJSON())(t)
	for content, want := range map[string]string{
		"":                                  "not a saved model: no bytes",
		"some text that is no model at all": `not a saved model: it begins with "some tex"`,
		string(named):                       "kind: byte 36: found `\"perceptron.Classifier[[]float64]/1\"`, want \"perceptron.Model/1\"",
		string(words):                       "kind: byte 8: found `\"perceptron.Classifier[Sparse]/1\"`, want \"perceptron.Model/1\"",
		string(model) + "x":                 "1 byte after the model",
		string(model[:30]):                  fmt.Sprintf("truncated: 30 bytes, but the header announces %d bytes more", len(model)-30),
		"{":                                 "truncated: byte 1: found the end, want a known field, once",
		" {}":                               `missing field "kind"`,
		`{"name":"a model","version":"1"}`:  "byte 1: found `\"name\"`, want a known field, once",
		`{"kind":"perceptron.Model/2"}`:     "kind: byte 8: found `\"perceptron.Model/2\"`, want \"perceptron.Model/1\"",
		`{"binary":{}}`:                     `binary: missing field "kind"`,
		`{"kind":"perceptron.Model/1"}`:     "binary: want it, oneVsRest or multiclass",
		`{"kind":1}`:                        "kind: byte 8: found `1`, want \"perceptron.Model/1\"",
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

// TestHostileNames: the error about a value that is no constant's name has the names, wherever it is.
func TestHostileNames(t *testing.T) {
	const spaces, orders, keeps = "Affine, Linear", "Cyclic, Shuffled, Sampled", "Last, Average, Pocket"
	trained := &Online{MaxEpochs: 1}
	must(trained.Fit(XOR.X, XOR.Y))(t)
	into := trainedOther(t, new(Online)).(coder)
	for _, value := range []string{`"Latest"`, `""`, `0`, `null`, `{`, `"none of them"`} {
		found := strings.Trim(value, `"`)
		said := func(kind, names string) string {
			if value == "null" {
				return "found `null`, want \"" + strings.Split(names, ", ")[0] + `"`
			}
			return fmt.Sprintf("%s %q is none of %s", kind, found, names)
		}
		for _, c := range []replacement{
			{trained, `{"kind":"Online","rate":0,"space":"Affine"`, `{"kind":"Online","rate":0,"space":` + value, "binary.space: byte 72: " + said("Space", spaces)},
			{trained, `"order":"Cyclic"`, `"order":` + value, "binary.order: byte 121: " + said("Order", orders)},
			{trained, `"keep":"Last"`, `"keep":` + value, "binary.keep: byte 137: " + said("Keep", keeps)},
			{trained, `"keep":"Last","gamma":0,"threshold":0,"share":0,"width"`, `"keep":` + value + `,"gamma":0,"threshold":0,"share":0,"width"`, "learned.keep: byte 336: " + said("Keep", keeps)},
		} {
			refuse(t, c.new, into, into.UnmarshalJSON, c.text(t), c.err)
		}
	}
}
