package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A journey is a training that is broken off half-way, to be gone on with.
type journey struct {
	name         string
	model        model
	first, after func(t testing.TB, m model)
	unbroken     func(t testing.TB, m model)
}

// journeys yields, for every kind of model, Order, Keep, rule and Space, epochs
// that are broken off after two, and a stream that is broken off in the midst.
func journeys() iter.Seq[journey] {
	return func(yield func(journey) bool) {
		for name, m := range unsaved() {
			set := caseRows(m)
			epochs := func(n int) func(testing.TB, model) {
				return func(t testing.TB, m model) { someEpochs(t, m, set, n) }
			}
			updates := func(lo, hi int) func(testing.TB, model) {
				return func(t testing.TB, m model) {
					for i := lo; i < hi; i++ {
						must(m.(streamer).Update(set.X[i], set.y[i]))(t)
					}
				}
			}
			if !yield(journey{name + "/epochs", m.fields(), epochs(2), epochs(2), epochs(4)}) {
				return
			}
			if len(methods(m, "Learn")) > 0 && !yield(journey{name + "/stream", m.fields(), updates(0, 23), updates(23, 60), updates(0, 60)}) {
				return
			}
		}
	}
}

// someEpochs trains for n epochs, unless the range ends before.
func someEpochs(t testing.TB, m model, set dataset, n int) {
	for range must2(t, m.(ranger).Epochs(set.X, set.y)) {
		if n--; n == 0 {
			break
		}
	}
}

// resumeFolder tells a child process where the models are.
const resumeFolder = "PERCEPTRON_RESUME"

// TestResume: every journey that is broken off, saved, and gone on with by another
// process ends where the unbroken one does, to the bit.
func TestResume(t *testing.T) {
	if dir := os.Getenv(resumeFolder); dir != "" {
		goOn(t, dir)
		return
	}
	dir := t.TempDir()
	var names []string
	var ends [][]byte
	for j := range journeys() {
		end := j.model.fields().(model)
		j.unbroken(t, end)
		j.first(t, j.model)
		must(0, Save(filepath.Join(dir, fmt.Sprint(len(names))), j.model))(t)
		names, ends = append(names, j.name), append(ends, must(end.(coder).MarshalBinary())(t))
	}
	if err, ok := inOther("TestResume", resumeFolder+"="+dir); !ok {
		t.Log("gone on with in this process: ", err)
		goOn(t, dir)
	} else if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if got := must(os.ReadFile(filepath.Join(dir, fmt.Sprint(i))))(t); !bytes.Equal(got, ends[i]) {
			t.Errorf("%s: resumed it ends as\n%x, want\n%x", name, got, ends[i])
		}
	}
	t.Logf("%d journeys", len(names))
}

// goOn is what the other process does.
func goOn(t *testing.T, dir string) {
	i := 0
	for j := range journeys() {
		file := filepath.Join(dir, fmt.Sprint(i))
		m := must(Load(file))(t).(model)
		j.after(t, m)
		must(0, Save(file, m))(t)
		i++
	}
}

// inOther runs one test of this binary in another process, with a variable in its
// environment, and returns what it ends with; false if this system cannot, as where
// the binary is emulated.
func inOther(test, variable string) (error, bool) {
	binary, err := os.Executable()
	if err != nil {
		return err, false
	}
	cmd := exec.Command(binary, "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), variable)
	err = cmd.Run()
	var exit *exec.ExitError
	return err, err == nil || errors.As(err, &exit)
}

// newFiles writes those files of testdata/saved that are not there. The others are
// the promise that what this version wrote is read for ever: they are never
// written anew.
var newFiles = flag.Bool("newfiles", false, "write those files of testdata/saved that are missing")

// savedFiles are the journeys of which testdata/saved has files: of each kind,
// rule, Keep and Order.
var savedFiles = strings.Fields(`
	Cyclic/Last/Affine/0/epochs Shuffled/Average/Affine/1/stream Sampled/Pocket/Linear/0/epochs Shuffled/Pocket/Affine/1/stream
	Cyclic/Average/Affine/2/epochs Shuffled/Last/Linear/3/stream Sampled/Pocket/Affine/4/stream Cyclic/Average/Linear/7/stream
	Batch/Affine/epochs OneVsRest/Batch/Linear/epochs OneVsRest/stream OneVsRest/Cyclic/Average/Affine/0/stream
	OneVsRest/Sampled/Pocket/Affine/2/epochs OneVsRest/Shuffled/Last/Affine/5/stream`)

// TestFiles: files that this version wrote are read, on every GOARCH, as what is
// trained anew here; written again they are the same bytes; and training goes on
// from them to the same end.
func TestFiles(t *testing.T) {
	have := map[string]bool{}
	for j := range journeys() {
		have[j.name] = true
		for _, name := range savedFiles {
			if name == j.name {
				compareFiles(t, j)
			}
		}
	}
	for _, name := range savedFiles {
		if !have[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

func compareFiles(t *testing.T, j journey) {
	base := filepath.Join("testdata", "saved", kindOf(j.model).String()+"-"+strings.ReplaceAll(strings.TrimPrefix(j.name, "OneVsRest/"), "/", "-"))
	j.first(t, j.model)
	data, text := encoded(t, j.model.(coder))
	compareFile(t, base+".perceptron", data)
	compareFile(t, base+".json", append(text, '\n'))
	for _, ending := range []string{".perceptron", ".json"} {
		m := must(Load(base + ending))(t).(model)
		if again := must(m.(coder).MarshalBinary())(t); !bytes.Equal(again, data) {
			t.Errorf("%s%s is written again as\n%x, want\n%x", base, ending, again, data)
		}
		j.after(t, m)
		compareFile(t, base+".after.perceptron", must(m.(coder).MarshalBinary())(t))
	}
}

// TestPlaneFiles: the same of a Hyperplane and a Separation.
func TestPlaneFiles(t *testing.T) {
	h := Hyperplane{[]float64{0.1, math.Copysign(0, -1), 5e-324}, -math.MaxFloat64}
	s := Separation{
		Space: Linear, Separable: true, Hyperplane: Hyperplane{Weights: []float64{3, -4}}, Lower: 0.3, Upper: math.Nextafter(0.3, 1), Radius: 5,
		Multipliers: []float64{0, 0.25, 1e-300},
	}
	for _, c := range []struct {
		name       string
		saved, new coder
	}{{"Hyperplane", &h, new(Hyperplane)}, {"Separation", &s, new(Separation)}} {
		data, text := encoded(t, c.saved)
		base := filepath.Join("testdata", "saved", c.name)
		compareFile(t, base+".perceptron", data)
		compareFile(t, base+".json", append(text, '\n'))
		for _, read := range []func() error{
			func() error { return c.new.UnmarshalBinary(must(os.ReadFile(base + ".perceptron"))(t)) },
			func() error { return c.new.UnmarshalJSON(must(os.ReadFile(base + ".json"))(t)) },
		} {
			must(0, read())(t)
			if again, textAgain := encoded(t, c.new); !bytes.Equal(again, data) || !bytes.Equal(textAgain, text) {
				t.Errorf("%s is written again as\n%s, want\n%s", base, textAgain, text)
			}
		}
	}
	var w table // by hand, after docs/format.md
	w.word(1)   // Linear
	w.word(1)   // separable
	w.plane([]float64{3, -4, 0})
	w.float(0.3, math.Nextafter(0.3, 1), 5)
	w.word(3)
	w.float(0, 0.25, 1e-300)
	if got := must(s.MarshalBinary())(t); !bytes.Equal(got, sealed(6, w)) {
		t.Errorf("%x, want\n%x", got, sealed(6, w))
	}
	w = nil
	w.plane(append(slices.Clone(h.Weights), h.Bias))
	if got := must(h.MarshalBinary())(t); !bytes.Equal(got, sealed(5, w)) {
		t.Errorf("%x, want\n%x", got, sealed(5, w))
	}
}

// TestHostileSeparation: claims that contradict each other.
func TestHostileSeparation(t *testing.T) {
	good := `{"space":"Affine","separable":true,"hyperplane":{"weights":[1],"bias":0},"lower":1,"upper":2,"radius":3,"multipliers":[1]}`
	var s Separation
	must(0, json.Unmarshal([]byte(good), &s))(t)
	for _, c := range []struct{ old, new, err string }{
		{`true`, `false`, "Separable is false, but Lower is 1"},
		{`"lower":1`, `"lower":0`, "Separable is true, but Lower is 0"},
		{`"lower":1`, `"lower":3`, "Lower is 3, more than Upper, 2"},
		{`"radius":3`, `"radius":-3`, "Radius is -3, want at least 0"},
		{`[1]}`, `[1,-1]}`, "multiplier 1 is -1, want at least 0"},
		{`"space":"Affine","separable":true,"hyperplane":{"weights":[1],"bias":0}`, `"space":"Linear","separable":true,"hyperplane":{"weights":[1],"bias":1}`, "the bias is 1 in Linear space, want 0"},
		{`"Affine"`, `"Afine"`, `space: "\"Afine\"", want the name of a Space`},
		{`"multipliers":[1]`, `"multipliers":[1e999]`, `multipliers[0]: "1e999", want a number of type float64`},
	} {
		refuse(t, c.new, &s, s.UnmarshalJSON, []byte(strings.Replace(good, c.old, c.new, 1)), c.err)
	}
}

// compareFile compares a file with what was computed here.
func compareFile(t *testing.T, name string, data []byte) {
	t.Helper()
	file, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && *newFiles {
		file, err = data, os.WriteFile(name, data, 0o644)
	}
	if must(0, err)(t); !bytes.Equal(file, data) {
		t.Errorf("%s holds\n%x, want\n%x", name, file, data)
	}
}

// BenchmarkEncode writes and reads ten classes of 784 features with averages.
func BenchmarkEncode(b *testing.B) {
	m := &OneVsRest{Binary: &Online{Keep: Average}}
	set := multi(33, 200, 784, 10)
	accept.of(b, m, set.X, set.y, "Learn")
	data, text := encoded(b, m)
	into := new(OneVsRest)
	for _, c := range []struct {
		name string
		size int
		do   func() error
	}{
		{"MarshalBinary", len(data), func() error { return only(m.MarshalBinary()) }},
		{"UnmarshalBinary", len(data), func() error { return into.UnmarshalBinary(data) }},
		{"MarshalJSON", len(text), func() error { return only(m.MarshalJSON()) }},
		{"UnmarshalJSON", len(text), func() error { return into.UnmarshalJSON(text) }},
		{"Save", len(data), func() error { return Save(filepath.Join(b.TempDir(), "model"), m) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			for b.Loop() {
				must(0, c.do())(b)
			}
		})
	}
}

// TestLoadedFields: the first Update after loading reads the fields, which may have
// changed before saving to what training cannot go on with.
func TestLoadedFields(t *testing.T) {
	for _, p := range []*Online{{Space: Linear}, {Keep: Average}, {Order: Shuffled}} {
		must(p.Update([]float64{1, 2}, 1))(t)
		p.Space, p.Keep, p.Order = Affine, Last, Cyclic
		q := new(Online)
		if err := q.UnmarshalBinary(must(p.MarshalBinary())(t)); err != nil {
			t.Fatal(err)
		}
		before := snapshot(q)
		if updated, err := q.Update([]float64{1, 2}, 1); !errors.Is(err, ErrConfig) || updated || snapshot(q) != before {
			t.Errorf("Update = %v, %v, want ErrConfig", updated, err)
		}
	}
}

// TestSeparationRound: what Separate finds comes back as it was, and proves as much.
func TestSeparationRound(t *testing.T) {
	for _, set := range []dataset{separable(3, 40, 5, 0.2), noisy(4, 60, 3), xor} {
		for _, space := range []Space{Affine, Linear} {
			s := must(Separate(set.X, set.y, space))(t)
			for _, next := range []*Separation{{}, {Radius: 7}} {
				if err := errors.Join(next.UnmarshalBinary(must(s.MarshalBinary())(t)), next.Verify(set.X, set.y)); err != nil || !reflect.DeepEqual(*next, s) {
					t.Fatalf("%s, %v: binary: %+v (%v), want %+v", set.name, space, *next, err, s)
				}
				*next = Separation{Radius: 7}
				if err := errors.Join(next.UnmarshalJSON(must(s.MarshalJSON())(t)), next.Verify(set.X, set.y)); err != nil || !reflect.DeepEqual(*next, s) {
					t.Fatalf("%s, %v: JSON: %+v (%v), want %+v", set.name, space, *next, err, s)
				}
			}
		}
	}
}

// TestLoadedCopied: until they are trained, copies by value of a loaded model are
// models each, which go on alike and do not know of each other; later ones are not.
func TestLoadedCopied(t *testing.T) {
	for name, m := range zoo(t, 2) {
		data := must(m.(coder).MarshalBinary())(t)
		for _, method := range methods(m, resume) {
			trained := copyOf(m)
			accept.of(t, trained, xor.X, xor.y, method)
			read := newModel(kindOf(m))
			must(0, read.(coder).UnmarshalBinary(data))(t)
			for i := range 3 {
				c := assigned(read)
				if i > 0 { // an error leaves nothing behind that copies share
					bad := want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}
					if method != "Update" {
						bad.index = 0
					}
					if m.engine().now != nil {
						bad.of(t, c, [][]float64{{1, 2, 3}}, []int{1}, method)
					}
					c = assigned(c)
				}
				accept.of(t, c, xor.X, xor.y, method)
				if snapshot(c) != snapshot(trained) {
					t.Fatalf("%s, %s: copy %d is\n%s, want\n%s", name, method, i, snapshot(c), snapshot(trained))
				}
				accept.of(t, c, xor.X, xor.y, resume)
				accept.of(t, c, xor.X, xor.y, resume)
				want{ErrConfig, -1, "bad configuration: the model was copied by value after training…"}.of(t, assigned(c), xor.X, xor.y, resume)
			}
			if !bytes.Equal(must(read.(coder).MarshalBinary())(t), data) {
				t.Fatalf("%s, %s: training copies changed the model that was read", name, method)
			}
		}
	}
	var some, read []Online
	for range 5 {
		some = append(some, Online{})
	}
	for i := range some {
		must(some[i].Update(xor.X[0], 1))(t)
	}
	must(0, json.Unmarshal(must(json.Marshal(some))(t), &read))(t)
	for i := range read {
		must(read[i].Update(xor.X[1], -1))(t)
	}
}

// assigned returns a copy of m's struct.
func assigned(m model) model {
	c := newModel(kindOf(m))
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(m).Elem())
	return c
}
