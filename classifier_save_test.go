package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/saved"
)

// TestClassifierSaved: each form restores predictions and training.
func TestClassifierSaved(t *testing.T) {
	X, labels := IrisNames(t)
	labels[0] = "a \"quoted\" name, \\ with é\n<b> & 100 runes" + strings.Repeat("x", 100)
	for _, model := range []Model{nil, &OneVsRest{}, &Batch{MaxEpochs: 3}, new(Margin)} {
		c, X, labels := &Classifier[[]float64]{Model: model}, X, labels
		if _, binary := model.(Binary); binary {
			X, labels = X[1:100], labels[1:100]
		}
		must(c.Fit(X, labels))(t)
		path := filepath.Join(t.TempDir(), "c")
		must(0, c.Save(path))(t)
		var fromFile, fromJSON, fromBinary Classifier[[]float64]
		must(0, fromFile.Load(path))(t)
		text := must(json.Marshal(c))(t)
		must(0, json.Unmarshal(text, &fromJSON))(t)
		must(0, fromBinary.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		_, learns := model.(*Batch)
		for _, d := range []*Classifier[[]float64]{&fromFile, &fromJSON, &fromBinary} {
			if !bytes.Equal(must(json.Marshal(d))(t), text) {
				t.Errorf("%T: another text", model)
			}
			if !slices.Equal(d.Labels, c.Labels) || reflect.TypeOf(d.Model) != reflect.TypeOf(c.Model) {
				t.Errorf("%v, %T", d.Labels, d.Model)
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
	X, labels := IrisNames(t)
	var c Classifier[[]float64]
	must(c.Fit(X, labels))(t)
	text := string(must(json.Marshal(c))(t))
	for old, replacement := range map[string]string{
		`"setosa",`:      ``,
		`"setosa"`:       `"virginica"`,
		`"setosa","v`:    `"setosa`,
		`"class":0`:      `"class":-1`,
		`"classifier":1`: `"classifier":2`,
		`"sparse":false`: `"sparse":true`,
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
	without := text[:strings.Index(text, `,"model"`)] + "}"
	without = without[:strings.Index(without, `"labels"`)] + `"labels":[]` + without[strings.Index(without, `,"mean"`):]
	var d Classifier[[]float64]
	if err := d.UnmarshalJSON([]byte(without)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "chosen") {
		t.Errorf("a model that was chosen, but is missing: %v", err)
	}
	must(0, d.UnmarshalJSON([]byte(strings.Replace(without, `"chosen":true`, `"chosen":false`, 1))))(t)
}

// TestClassifierRows: a file is for rows of one type. Their predictions would differ.
func TestClassifierRows(t *testing.T) {
	X, labels := [][]float64{{3, 4}, {-3, 4}}, []string{"right", "left"}
	rows := []Sparse{{[]uint32{0, 1}, X[0]}, {[]uint32{0, 1}, X[1]}}
	dense, sparse := Classifier[[]float64]{Model: new(Multiclass)}, Classifier[Sparse]{Model: new(Multiclass)}
	must(dense.Fit(X, labels))(t)
	dense.Scaling = Scaling{} // then no other field differs
	must(sparse.Fit(rows, labels))(t)
	for _, into := range []coder{new(Classifier[[]float64]), new(Classifier[Sparse])} {
		_, isSparse := into.(*Classifier[Sparse])
		for _, from := range []coder{&dense, &sparse} {
			_, fromSparse := from.(*Classifier[Sparse])
			data, text := encoded(t, from)
			for _, err := range []error{into.UnmarshalBinary(data), into.UnmarshalJSON(text)} {
				if errors.Is(err, ErrFormat) == (isSparse == fromSparse) || err != nil && !strings.Contains(err.Error(), "sparse: found") {
					t.Errorf("%T into a %T: %v", from, into, err)
				}
			}
		}
	}
}

// TestClassifierPacked: a short file cannot claim a long mean or scale, for which no model would
// have to have weights.
func TestClassifierPacked(t *testing.T) {
	form := func(v, w saved.Vector) []byte {
		return must(saved.Binary(&savedClassifier{Version: 1, Labels: []string{}, Mean: v, Scale: w}, nil))(t)
	}
	long, short := saved.Vector{N: 1 << 25, Index: []uint32{7}, Value: []float64{1}}, saved.Whole([]float64{1})
	for _, data := range [][]byte{form(long, long), form(long, short), form(short, long), form(saved.Vector{N: 1, Index: []uint32{}, Value: nil}, short)} {
		var c Classifier[[]float64]
		var err error
		if n := Allocated(func() { err = c.UnmarshalBinary(data) }); n > 1<<16 || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "left out") {
			t.Errorf("%d bytes allocated, %v", n, err)
		}
	}
	var c Classifier[[]float64]
	must(0, c.UnmarshalBinary(form(short, short)))(t)
	text := `{"classifier":1,"sparse":false,"raw":false,"chosen":false,"width":0,"labels":[],"mean":{"length":1,"index":[0],"value":[1]},"scale":[1]}`
	if err := c.UnmarshalJSON([]byte(text)); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// TestClassifierNil: every method of a nil Classifier that may fail returns ErrConfig.
func TestClassifierNil(t *testing.T) {
	var c *Classifier[[]float64]
	_, errFit := c.Fit([][]float64{{1}}, []string{"a"})
	_, errUpdate := c.Update([]float64{1}, "a")
	_, errPredict := c.Predict([]float64{1})
	_, errScores := c.Scores(nil, []float64{1})
	path, full := filepath.Join(t.TempDir(), "c"), Classifier[[]float64]{Raw: true}
	must(0, full.Save(path))(t)
	data, text := encoded(t, &full)
	for i, err := range []error{errFit, errUpdate, errPredict, errScores, c.Save(path), c.Load(path), c.UnmarshalBinary(data), c.UnmarshalJSON(text)} {
		if !errors.Is(err, ErrConfig) {
			t.Errorf("%d: %v", i, err)
		}
	}
	Diff(t, "a clone of nil", c.Clone() == nil, true)
}

// TestClassifierRaw: under Raw, reads and Update use a row as it is, also if there is a Scaling. A
// change of Raw after training changes what a row is, and not the Scaling.
func TestClassifierRaw(t *testing.T) {
	X, labels := [][]float64{{30, 400}, {-30, 500}}, []string{"a", "b"}
	var c Classifier[[]float64]
	must(c.Fit(X, labels))(t)
	scaled := must(c.Scores(nil, X[0]))(t)
	c.Raw = true
	Diff(t, "scores of a raw row", must(c.Scores(nil, X[0]))(t), must(c.Model.(*Multiclass).Scores(nil, X[0]))(t))
	if slices.Equal(must(c.Scores(nil, X[0]))(t), scaled) {
		t.Error("the Scaling changes nothing")
	}
	other := clone(c.Model.(*Multiclass))
	must(c.Update(X[1], "b"))(t)
	must(other.Update(X[1], 1))(t)
	Diff(t, "scores after Update", must(c.Scores(nil, X[0]))(t), must(other.Scores(nil, X[0]))(t))
	var loaded Classifier[[]float64]
	must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
	Diff(t, "the scaling", loaded.Scaling, c.Scaling)
	must(c.Fit(X, labels))(t)
	Diff(t, "the Scaling of a raw Fit", c.Scaling, Scaling{})
}

// TestClassifierWidth: a Width without a trained model is saved.
func TestClassifierWidth(t *testing.T) {
	for _, m := range []Learner{nil, new(OneVsRest)} {
		c, read := Classifier[Sparse]{Model: m, Width: 9}, Classifier[Sparse]{}
		must(0, read.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		Diff(t, "Width", read.Width, 9)
	}
}

// TestClassifierRepeated: two classes may have one label for predictions. It cannot be learned or
// saved.
func TestClassifierRepeated(t *testing.T) {
	X := [][]float64{{1, 0}, {-1, 1}, {0, -2}}
	var c Classifier[[]float64]
	must(c.Fit(X, []string{"a", "b", "c"}))(t)
	c.Labels = []string{"x", "y", "y"}
	Diff(t, "the labels", must(PredictAll(nil, &c, X))(t), c.Labels)
	before := must(c.Scores(nil, X[0]))(t)
	_, errUpdate := c.Update(X[1], "y")
	_, errSave := c.MarshalBinary()
	for _, err := range []error{errUpdate, errSave} {
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "repeated") {
			t.Error(err)
		}
	}
	Diff(t, "the scores", must(c.Scores(nil, X[0]))(t), before)
	must(c.Update(X[0], "x"))(t)
}

// TestClassifierRefit: Fit chooses θ anew for its rows, also for a Classifier that was loaded. A
// Model that is not its own choice keeps its fields.
func TestClassifierRefit(t *testing.T) {
	labels := []string{"a", "b"}
	wide, narrow := [][]float64{{1, 2, 3}, {3, -4, 5}}, [][]float64{{1}, {2}}
	theta := func(c *Classifier[[]float64]) float64 {
		if m, ok := c.Model.(*Multiclass).Binary.(*Margin); ok {
			return m.Threshold
		}
		return 0
	}
	var c Classifier[[]float64]
	must(c.Update(wide[0], "a"))(t)
	first := c.Model
	for _, fit := range []struct {
		X    [][]float64
		raw  bool
		want float64
	}{{wide, false, 4}, {narrow, false, 2}, {wide, true, 0}, {wide, false, 4}} {
		c.Raw = fit.raw
		must(c.Fit(fit.X, labels))(t)
		Diff(t, "θ", theta(&c), fit.want)
		var loaded Classifier[[]float64]
		must(0, loaded.UnmarshalBinary(must(c.MarshalBinary())(t)))(t)
		clone := c.Clone()
		for _, d := range []*Classifier[[]float64]{&loaded, clone} {
			d.Raw = false
			must(d.Fit(narrow, labels))(t)
			Diff(t, "θ after loading or Clone", theta(d), 2)
		}
	}
	Diff(t, "another Model", c.Model != first, true)
	m := c.Model.(*Multiclass).Binary.(*Margin)
	m.MaxEpochs = 3
	text := must(json.Marshal(&c))(t)
	must(c.Fit(narrow, labels))(t)
	Diff(t, "θ of changed fields", []float64{theta(&c), float64(m.MaxEpochs)}, []float64{4, 3})
	must(0, json.Unmarshal(text, &c))(t)
	must(c.Fit(narrow, labels))(t)
	Diff(t, "θ of changed fields after loading", theta(&c), 4)
	own := &Multiclass{Binary: &Margin{Threshold: 7, Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	c = Classifier[[]float64]{Model: own}
	for _, X := range [][][]float64{wide, narrow} {
		must(c.Fit(X, labels))(t)
		Diff(t, "the user's Model stays", c.Model == Model(own) && theta(&c) == 7, true)
	}
}

// TestClassifierFiles reads the committed files, on every GOARCH: they hold what training gives
// here.
func TestClassifierFiles(t *testing.T) {
	c, s := Classifier[[]float64]{}, Classifier[Sparse]{Width: 70}
	X, labels := [][]float64{{1, 2}, {3, 4}, {-5, 7}, {2, -2}}, []string{"x", `\`, "é\n<b>", "x"}
	must(c.Fit(X, labels))(t)
	for i, x := range X {
		must(s.Update(Sparse{[]uint32{3, 64}, x}, labels[i]))(t)
	}
	for name, from := range map[string]coder{"dense": &c, "sparse": &s} {
		base := filepath.Join("testdata", "saved", "Classifier-"+name)
		data, text := encoded(t, from)
		compareFile(t, base+".perceptron", data)
		compareFile(t, base+".json", append(text, '\n'))
	}
}
