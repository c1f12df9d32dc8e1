package perceptron

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
			{trained, `"keep":"Last","gamma":0,"threshold":0,"width"`, `"keep":` + value + `,"gamma":0,"threshold":0,"width"`, "learned.keep: byte 326: " + said("Keep", keeps)},
		} {
			refuse(t, c.new, into, into.UnmarshalJSON, c.text(t), c.err)
		}
	}
}
