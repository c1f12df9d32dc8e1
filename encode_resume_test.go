package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A journey is a training that is interrupted and resumed.
type journey struct {
	name          string
	model         model
	first, after  func(t testing.TB, m model)
	uninterrupted func(t testing.TB, m model)
}

// journeys yields, for every kind of model, Order, Keep, rule and Space, epochs
// that are interrupted after two, and a stream that is interrupted in the middle.
func journeys() iter.Seq[journey] {
	return func(yield func(journey) bool) {
		for name, m := range unsaved() {
			set := caseRows(m)
			epochs := func(n int) func(testing.TB, model) {
				return func(t testing.TB, m model) { must(ranges(m.(ranger).Epochs(set.X, set.Y), n))(t) }
			}
			updates := func(lo, hi int) func(testing.TB, model) {
				return func(t testing.TB, m model) {
					for i := lo; i < hi; i++ {
						must(m.(streamer).Update(set.X[i], set.Y[i]))(t)
					}
				}
			}
			if !yield(journey{name + "/epochs", m.unlearned(), epochs(2), epochs(2), epochs(4)}) {
				return
			}
			if len(methods(m, "Learn")) > 0 && !yield(journey{name + "/stream", m.unlearned(), updates(0, 23), updates(23, 60), updates(0, 60)}) {
				return
			}
		}
	}
}

// resumeFolder is an environment variable: the folder of the models, for a child process.
const resumeFolder = "PERCEPTRON_RESUME"

// TestResume interrupts every journey, saves it, and resumes it in another process. It
// must end with the same bits as the uninterrupted one.
func TestResume(t *testing.T) {
	if dir := os.Getenv(resumeFolder); dir != "" {
		resumeAll(t, dir)
		return
	}
	dir := t.TempDir()
	var names []string
	var ends [][]byte
	for j := range journeys() {
		end := j.model.unlearned()
		j.uninterrupted(t, end)
		j.first(t, j.model)
		must(0, Save(filepath.Join(dir, fmt.Sprint(len(names))), j.model))(t)
		names, ends = append(names, j.name), append(ends, must(end.(coder).MarshalBinary())(t))
	}
	if err, ok := inOther("TestResume", resumeFolder+"="+dir); !ok {
		t.Log("resumed in this process: ", err)
		resumeAll(t, dir)
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

// resumeAll resumes all journeys, in the other process.
func resumeAll(t *testing.T, dir string) {
	i := 0
	for j := range journeys() {
		file := filepath.Join(dir, fmt.Sprint(i))
		m := must(Load(file))(t).(model)
		j.after(t, m)
		must(0, Save(file, m))(t)
		i++
	}
}

// inOther runs one test of this binary in another process, with a variable in its environment, and
// returns what it ends with; false if this system cannot, as where the binary is emulated.
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

// newFiles writes the files of testdata/saved that are missing. The files that are
// there stay as they are: what this version wrote must be readable for good.
var newFiles = flag.Bool("newfiles", false, "write those files of testdata/saved that are missing")

// savedFiles are the journeys that have files in testdata/saved: of each kind, rule,
// Keep and Order.
var savedFiles = strings.Fields(`
	Cyclic/Last/Affine/0/epochs Shuffled/Average/Affine/1/stream Sampled/Pocket/Linear/0/epochs Shuffled/Pocket/Affine/1/stream
	Cyclic/Average/Affine/2/epochs Shuffled/Last/Linear/3/stream Sampled/Pocket/Affine/4/stream Cyclic/Average/Linear/7/stream
	Batch/Affine/epochs OneVsRest/Batch/Linear/epochs OneVsRest/stream OneVsRest/Cyclic/Average/Affine/0/stream
	OneVsRest/Sampled/Pocket/Affine/2/epochs OneVsRest/Shuffled/Last/Affine/5/stream
	Multiclass/stream Multiclass/Cyclic/Last/Affine/1/epochs Multiclass/Shuffled/Average/Affine/0/stream
	Multiclass/Sampled/Pocket/Linear/2/epochs Multiclass/Shuffled/Last/Linear/5/stream Multiclass/Cyclic/Pocket/Affine/6/stream`)

// TestFiles reads the committed files, on every GOARCH. Each holds what training gives here, is
// written again as the same bytes, and training continues from it to the same end.
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
	kind, name := reflect.TypeOf(j.model).Elem().Name(), j.name
	if isMany(j.model) {
		name = strings.TrimPrefix(name, kind+"/")
	}
	base := filepath.Join("testdata", "saved", kind+"-"+strings.ReplaceAll(name, "/", "-"))
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

// TestLoadedCopied checks that copies by value of a loaded model are independent until
// they are trained. A copy of a model that was trained later is rejected.
func TestLoadedCopied(t *testing.T) {
	for name, m := range zoo(t, 2) {
		data := must(m.(coder).MarshalBinary())(t)
		for _, method := range methods(m, resume) {
			trained := clone(m)
			accept.of(t, trained, XOR.X, XOR.Y, method)
			read := another(m)
			must(0, read.(coder).UnmarshalBinary(data))(t)
			for i := range 3 {
				c := byValue(read)
				if i > 0 { // an error leaves nothing behind that copies share
					bad := want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}
					if method != "Update" {
						bad.index = 0
					}
					if stateOf(m) != nil {
						bad.of(t, c, [][]float64{{1, 2, 3}}, []int{1}, method)
					}
					c = byValue(c)
				}
				accept.of(t, c, XOR.X, XOR.Y, method)
				if snapshot(c) != snapshot(trained) {
					t.Fatalf("%s, %s: copy %d is\n%s, want\n%s", name, method, i, snapshot(c), snapshot(trained))
				}
				accept.of(t, c, XOR.X, XOR.Y, resume)
				accept.of(t, c, XOR.X, XOR.Y, resume)
				want{ErrConfig, -1, "bad configuration: the model was copied by value after training…"}.of(t, byValue(c), XOR.X, XOR.Y, resume)
			}
			if !bytes.Equal(must(read.(coder).MarshalBinary())(t), data) {
				t.Fatalf("%s, %s: training copies changed the model that was read", name, method)
			}
		}
	}
	some, read := make([]Online, 5), []Online(nil)
	for i := range some {
		must(some[i].Update(XOR.X[0], 1))(t)
	}
	must(0, json.Unmarshal(must(json.Marshal(some))(t), &read))(t)
	for i := range read {
		must(read[i].Update(XOR.X[1], -1))(t)
	}
}
