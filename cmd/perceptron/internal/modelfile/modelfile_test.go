package modelfile

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

var (
	X = [][]float64{{1, 10, 1}, {2, 30, 0}, {3, 20, 1}, {5, 60, 0}, {8, 40, 1}}
	y = []int{-1, -1, +1, +1, +1}
	z = []int{0, 1, 2, 2, 1}
)

// example returns a File with a trained model. The labels are 0, 1 and 2 for a model of
// three classes.
func example(t testing.TB, m perceptron.Model) *File {
	t.Helper()
	s, err := perceptron.Standardize(X)
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := s.ApplyAll(X)
	if err != nil {
		t.Fatal(err)
	}
	labels, classes := z, []string{"3", "5", "7"}
	if IsTwo(m) {
		labels, classes = y, []string{"no", "yes"}
	}
	if _, err := m.Fit(scaled, labels); err != nil {
		t.Fatal(err)
	}
	return &File{Model: m, Details: Details{Program: "test", Scaling: s, Fill: []float64{1, 2, 0.5}, Classes: classes,
		Data: Data{File: "t.csv", SHA256: "00", Rows: 5, HeldOut: 1, Holdout: 0.2, Seed: 3},
		Schema: table.Schema{Named: true, Width: 4, Label: table.Column{Name: "y", Position: 3}, Missing: table.MissingMean,
			Columns: []table.Column{{Name: "a"}, {Name: "b", Position: 1}, {Name: "c", Position: 2}}}}}
}

func all() []perceptron.Model {
	return []perceptron.Model{&perceptron.Online{Keep: perceptron.Average}, &perceptron.Margin{}, &perceptron.Batch{MaxEpochs: 50},
		&perceptron.OneVsRest{}, &perceptron.Multiclass{Binary: &perceptron.Margin{Keep: perceptron.Pocket}}}
}

// TestRoundTrip: each model reads back as it was written, and predicts the same.
func TestRoundTrip(t *testing.T) {
	for _, m := range all() {
		f := example(t, m)
		if IsTwo(m) {
			f.Threshold = 0.25
		}
		path := filepath.Join(t.TempDir(), "m")
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if err != nil {
			t.Errorf("%T: %v", m, err)
			continue
		}
		if fmt.Sprintf("%+v %v", got.Details, got.Model) != fmt.Sprintf("%+v %v", f.Details, f.Model) {
			t.Errorf("%T: %+v, want %+v", m, got.Details, f.Details)
		}
		p, err := f.Predictor()
		q, err2 := got.Predictor()
		if err != nil || err2 != nil || fmt.Sprint(p.Planes) != fmt.Sprint(q.Planes) {
			t.Errorf("%T: %v, want %v; %v, %v", m, q, p, err, err2)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("permissions %v, %v", info.Mode(), err)
		}
	}
}

// TestPredictor: raw rows get the class that the model gives the scaled rows, and the
// threshold decides between two classes, also at a tie.
func TestPredictor(t *testing.T) {
	for _, m := range all() {
		f := example(t, m)
		labels := f.Labels()
		for _, threshold := range []float64{0, 1.5, -2} {
			if !IsTwo(m) && threshold != 0 {
				continue
			}
			f.Threshold = threshold
			p, err := f.Predictor()
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range X {
				got, err := p.Predict(table.Vector{Value: slices.Clone(x)})
				scaled, err2 := f.Scaling.Apply(nil, x)
				want, err3 := m.Predict(scaled)
				if scorer, ok := m.(interface {
					Score([]float64) (float64, error)
				}); ok {
					var score float64
					score, err3 = scorer.Score(scaled)
					want = map[bool]int{true: +1, false: -1}[score >= threshold]
					own, err := p.Scores(nil, table.Vector{Value: x})
					if err != nil || math.Abs(own[0]-score) > 1e-12 || len(p.Scored()) != 1 {
						t.Errorf("%T: score %v, want %v; %v", m, own, score, err)
					}
				} else if scores, err := p.Scores(nil, table.Vector{Value: x}); err != nil || len(scores) != len(p.Scored()) {
					t.Errorf("%T: %d scores of %q, %v", m, len(scores), p.Scored(), err)
				}
				if err != nil || err2 != nil || err3 != nil || labels[got] != want {
					t.Errorf("%T, threshold %v: %v is %d, want %d; %v", m, threshold, x, labels[got], want, err)
				}
			}
		}
	}
}

// TestTie: a score that equals the threshold means the second class, whatever the
// threshold.
func TestTie(t *testing.T) {
	f := example(t, &perceptron.Online{})
	f.Scaling = perceptron.Scaling{}
	for _, x := range X {
		score, err := f.Model.(*perceptron.Online).Score(x)
		if err != nil {
			t.Fatal(err)
		}
		for threshold, want := range map[float64]int{score: 1, math.Nextafter(score, math.Inf(1)): 0, math.Nextafter(score, math.Inf(-1)): 1} {
			f.Threshold = threshold
			p, err := f.Predictor()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.Predict(table.Vector{Value: x}); err != nil || got != want {
				t.Errorf("score %v, threshold %v: class %d, want %d; %v", score, threshold, got, want, err)
			}
		}
	}
}

// TestFill: missing features get their replacement before prediction.
func TestFill(t *testing.T) {
	f := example(t, &perceptron.Multiclass{})
	p, err := f.Predictor()
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Scores(nil, table.Vector{Value: []float64{math.NaN(), 5, math.NaN()}})
	want, err2 := p.Scores(nil, table.Vector{Value: []float64{1, 5, 0.5}})
	if err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v; %v", got, want, err)
	}
	class, err := p.Predict(table.Vector{Value: []float64{math.NaN(), 5, math.NaN()}})
	if err != nil || want[class] != slices.Max(want) {
		t.Errorf("class %d of the scores %v; %v", class, want, err)
	}
	f.Data.HeldOut, f.Data.Holdout = 0, 0
	if err := f.check(); err != nil {
		t.Error(err)
	}
}

// TestLabels: the labels of many classes are their places; those of two are signs.
func TestLabels(t *testing.T) {
	f := &File{Model: &perceptron.Multiclass{}, Details: Details{Classes: []string{"3", "5", "x"}}}
	if fmt.Sprint(f.Labels()) != "[0 1 2]" {
		t.Error(f.Labels())
	}
	if f.Model = new(perceptron.Margin); fmt.Sprint(f.Labels()) != "[-1 1]" {
		t.Error(f.Labels())
	}
}

// TestDamage: a file with any byte changed, left out or doubled is rejected.
func TestDamage(t *testing.T) {
	text, err := example(t, &perceptron.Online{}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(text, false); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for name, bad := range map[string][]byte{
			"changed":  slices.Concat(text[:i], []byte{text[i] ^ 1}, text[i+1:]),
			"left out": slices.Concat(text[:i], text[i+1:]),
			"doubled":  slices.Concat(text[:i+1], text[i:]),
			"cut":      text[:i],
		} {
			if _, err := decode(bad, false); err == nil && !bytes.Equal(bad, text) {
				t.Fatalf("byte %d %s is accepted", i, name)
			}
		}
	}
}

// TestHostile: a file whose checksum is right, but whose content makes no sense, is
// rejected.
func TestHostile(t *testing.T) {
	for want, change := range map[string]func(*File){
		`classes "no", want at least two, sorted and different`:         func(f *File) { f.Classes = f.Classes[:1] },
		`classes "no", "no", want at least two, sorted and different`:   func(f *File) { f.Classes[1] = "no" },
		`classes "z", "a", want at least two, sorted and different`:     func(f *File) { f.Classes = []string{"z", "a"} },
		`classes "", "a", want at least two, sorted and different`:      func(f *File) { f.Classes = []string{"", "a"} },
		`3 classes, but the model has [0 1], want them numbered from 0`: func(f *File) { f.Classes = []string{"a", "b", "c"} },
		`2 values for missing ones, but 3 features`:                     func(f *File) { f.Fill = f.Fill[:2] },
		`0 values for missing ones, but 3 features`:                     func(f *File) { f.Fill = nil },
		`threshold 1e+301`: func(f *File) { f.Threshold = 1e301 },
		`data {File:t.csv SHA256:00 Rows:5 HeldOut:1 LeftOut:0 Holdout:0.2 Seed:3 First:map[] Group: Kept:[] Served:-1 Since:0 Earlier:[]}`: func(f *File) { f.Data.Served = -1 },
		`data {File:t.csv SHA256:00 Rows:5 HeldOut:1 LeftOut:0 Holdout:0.2 Seed:3 First:map[] Group: Kept:[] Served:1 Since:2 Earlier:[]}`:  func(f *File) { f.Data.Served, f.Data.Since = 1, 2 },
		`data {File:t.csv SHA256:00 Rows:5 HeldOut:1 LeftOut:0 Holdout:1 Seed:3 First:map[] Group: Kept:[] Served:0 Since:0 Earlier:[]}`:    func(f *File) { f.Data.Holdout = 1 },
		`data {File:t.csv SHA256:00 Rows:0 HeldOut:1 LeftOut:0 Holdout:0 Seed:3 First:map[] Group: Kept:[] Served:0 Since:0 Earlier:[]}`:    func(f *File) { f.Data.Rows, f.Data.Holdout = 0, 0 },
		`missing "", want error, mean or drop`:                           func(f *File) { f.Schema.Missing = "" },
		`the hyperplanes for raw rows: perceptron: bad configuration: `:  func(f *File) { f.Scaling.Scale[1] = 0 },
		`the hyperplanes for raw rows: perceptron: dimension mismatch: `: func(f *File) { f.Scaling.Mean = f.Scaling.Mean[:2] },
		`7 features, but the model has 3 weights`:                        func(f *File) { f.Waves.Count = 4 },
		`waves {Count:0 Width:0 Seed:4}`:                                 func(f *File) { f.Waves.Seed = 4 },
		`perceptron: bad configuration: Waves has Count -1`:              func(f *File) { f.Waves.Count = -1 },
		`2 features, but the model has 3 weights`: func(f *File) {
			f.Schema.Columns, f.Fill, f.Scaling = f.Schema.Columns[:2], f.Fill[:2], perceptron.Scaling{}
		},
	} {
		f := example(t, &perceptron.Online{})
		change(f)
		text, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(text, false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	f := example(t, &perceptron.Multiclass{})
	f.Classes = append(f.Classes, "8")
	text, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(text, false); err == nil || err.Error() != "4 classes, but the model has [0 1 2], want them numbered from 0" {
		t.Error(err)
	}
}

// TestHostileModel: a checksum that is right makes no model right.
func TestHostileModel(t *testing.T) {
	f := example(t, &perceptron.Online{})
	good, err := f.Model.(*perceptron.Online).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	other, _ := example(t, &perceptron.Margin{}).Model.(*perceptron.Margin).MarshalJSON()
	for _, model := range []string{"", "null", "{}", "[]", string(other), string(good) + "}", string(good) + `,"model":` + string(good), string(good) + "\n}"} {
		parts, err := f.parts([]byte(model))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(bytes.Join(parts, nil), false); err == nil {
			t.Errorf("%q is accepted", model)
		}
	}
}

// TestForeign: another file, of any size, is refused by its beginning.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "csv": "a,b\n", "other": `{"perceptron":1}`, "long": strings.Repeat("x", 100)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s: not a model of this program: it begins %q", path, text[:min(len(text), len(Begins))])
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read("/dev/zero"); err == nil {
		t.Error("/dev/zero is a model")
	}
	if err := example(t, &perceptron.Online{}).Write(dir); err == nil {
		t.Error("a folder is replaced")
	}
}

// FuzzDecode: no text makes the reader panic, and what it accepts is what Write writes.
func FuzzDecode(f *testing.F) {
	for _, m := range all() {
		text, err := example(f, m).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var file *File
		var err error
		limited(t, len(text), func() { file, err = decode(text, false) })
		if err != nil {
			return
		}
		if again, err := file.Encode(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestLead: for two classes, the leads are the score and its negative. For more classes, a lead is
// over the best other class, so only the predicted class has a positive one.
func TestLead(t *testing.T) {
	two, three := &Predictor{Two: true}, &Predictor{}
	for want, got := range map[float64]float64{
		2.5: two.Lead([]float64{2.5}, 1), -2.5: two.Lead([]float64{2.5}, 0),
		3: three.Lead([]float64{1, 7, 4}, 1), -3: three.Lead([]float64{1, 7, 4}, 2), -6: three.Lead([]float64{1, 7, 4}, 0),
	} {
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
