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
	plane := must(Hyperplane{}.MarshalBinary())(t)
	named, words := must(Classifier[[]float64]{}.MarshalBinary())(t), must(Classifier[Sparse]{}.MarshalJSON())(t)
	for content, want := range map[string]string{
		"":                                  "not a saved model: no bytes",
		"some text that is no model at all": `not a saved model: it begins with "some tex"`,
		string(plane):                       "it is a Hyperplane: use its own methods",
		string(named):                       "it is a Classifier of dense rows: use Classifier[[]float64].Load",
		string(words):                       "it is a Classifier of sparse rows: use Classifier[Sparse].Load",
		`{"format":"perceptron command","version":1,`: "it is a model of the command perceptron: the command's package pipeline loads it",
		string(plane) + "x":                           "1 byte after the model",
		string(plane[:30]):                            "truncated: 30 bytes, but the header announces 49 bytes more",
		"{":                                           "truncated: byte 1: found the end, want a known field, once",
		" {}":                                         `not a saved model: JSON without "perceptron"`,
		`{"name":"a model","version":"1.0.0"}`:        `not a saved model: JSON without "perceptron"`,
		`{"name":"perceptron"}`:                       "byte 1: found `\"name\"`, want a known field, once",
		`{"perceptron":1,"name":"a model"}`:           "byte 16: found `\"name\"`, want a known field, once",
		`{"binary":{}}`:                               `binary: missing field "kind"`,
		`{"perceptron":1}`:                            "binary: want it, oneVsRest or multiclass",
		`{"binary":{},"perceptron":1}`:                `binary: missing field "kind"`,
		`{"perceptron":"1"}`:                          "perceptron: byte 14: found `\"1\"`, want int",
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
		for _, c := range []replacement{
			{trained, `{"kind":"Online","rate":0,"space":"Affine"`, `{"kind":"Online","rate":0,"space":` + value, "binary.space: byte 59: found `" + value + "`, want one of " + spaces},
			{trained, `"order":"Cyclic"`, `"order":` + value, "binary.order: byte 108: found `" + value + "`, want one of " + orders},
			{trained, `"keep":"Last"`, `"keep":` + value, "binary.keep: byte 124: found `" + value + "`, want one of " + keeps},
			{trained, `"keep":"Last","gamma":0,"threshold":0,"width"`, `"keep":` + value + `,"gamma":0,"threshold":0,"width"`, "learned.keep: byte 302: found `" + value + "`, want one of " + keeps},
		} {
			refuse(t, c.new, into, into.UnmarshalJSON, c.text(t), c.err)
		}
	}
}
