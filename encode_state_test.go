package perceptron

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestHostileValues puts values that mean mischief in the place of every value, in
// both forms, under a good checksum.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	values := strings.Fields(`0 -0 1 -1 2 3 0.5 5e-324 1.7976931348623157e+308 -1.7976931348623157e+308 2147483648 4294967296 9007199254740993
		4611686018427387904 9223372036854775807 -9223372036854775808 9223372036854775808 1e999 true null "" "0" "18446744073709551615" "Linear" "Pocket" "Sampled" "OnGradient" [] {} [[]]`)
	value := regexp.MustCompile(`(-?[0-9][-+.e0-9]*|"[^"]*"|true|false|\[\])[],}]`)
	i, every := 0, 1 // a prime number that does not divide len(values), or 1
	if !full {
		every = 37
	} else if os.Getenv("PERCEPTRON_DEEP") == "" {
		every = 7
	}
	for _, s := range seeds(t) {
		for _, at := range value.FindAllSubmatchIndex(s.text, -1) {
			for _, v := range values {
				if i++; i%every != 0 {
					continue
				}
				text := fmt.Appendf(nil, "%s%s%s", s.text[:at[2]], v, s.text[at[3]:])
				hold(t, s.into, func(c coder) error { return c.UnmarshalBinary(framed(text)) })
				hold(t, s.into, func(c coder) error { return c.UnmarshalJSON(text) })
				must(0, s.into.UnmarshalBinary(s.data))(t)
			}
		}
	}
}

// If a part of m's JSON is replaced, reading it gives the error err.
type replacement struct {
	m             coder
	old, new, err string
}

// text returns the JSON with the replacement.
func (r replacement) text(t *testing.T) []byte {
	t.Helper()
	text := string(must(r.m.MarshalJSON())(t))
	if !strings.Contains(text, r.old) {
		t.Errorf("%s has no %s", text, r.old)
	}
	return []byte(strings.Replace(text, r.old, r.new, 1))
}

// TestHostileState reads states that training cannot reach. Each replaces a part of
// the JSON of a trained model.
func TestHostileState(t *testing.T) {
	average, pocket := &Margin{Keep: Average, Threshold: 2}, &OneVsRest{Binary: &Online{Keep: Pocket, Order: Shuffled, Start: Hyperplane{[]float64{0, 0}, 0}}}
	linear, flat, batch, empty := &Margin{Space: Linear}, &Online{Space: Linear, Keep: Average}, new(Batch), new(Online)
	growing, last, fresh := new(Margin), new(Online), &Online{Keep: Average}
	kesler, sums, best := &Multiclass{Binary: new(Margin)}, &Multiclass{Binary: &Online{Keep: Average}}, &Multiclass{Binary: &Online{Keep: Pocket}}
	for _, m := range []model{average, pocket, linear, flat, batch, kesler, sums, best, growing, last} {
		accept.of(t, m, XOR.X[2:], XOR.Y[2:], "Fit")
	}
	must(fresh.Update([]float64{3, 4}, 1))(t)
	must(empty.Learn(Examples[[]float64, int](nil, nil)))(t)
	for _, c := range []replacement{
		{average, `"Margin","rate":1`, `"Margin","rate":0`, `rate: 0, want more than 0`},
		{average, `"Margin","rate":1`, `"Margin","rate":-1`, `rate: -1, want more than 0`},
		{linear, `"rate":1,"space":"Linear","start":{"weights":[],"bias":0}`, `"rate":1,"space":"Linear","start":{"weights":[],"bias":1}`, `: Start.Bias is 1 in Linear space, want 0`},
		{pocket, `"rate":1,"space":"Affine","start":{"weights":[0,0]`, `"rate":1,"space":"Affine","start":{"weights":[0]`, `start: width 1, want 2`},
		{average, `"kind":"Margin","rate":1`, `"kind":"Online","rate":1`, `: found a field that Online does not have`},
		{average, `"kind":"Margin","rate":1`, `"kind":"","rate":1`, `kind: "", want Online, Margin or Batch`},
		{linear, `"kind":"Margin","rate":1`, `"kind":"Online","rate":1`, `kind: Online does not fit Margin`},
		{batch, `"kind":"Batch","rate":1`, `"kind":"Online","rate":1`, `kind: Online does not fit Batch`},
		{empty, `"kind":"Online","rate":1`, `"kind":"Batch","rate":1`, `kind: Batch does not fit Online`},
		{average, `"threshold":2,"share":0,"width"`, `"threshold":-2,"share":0,"width"`, `: Threshold is -2, want a positive finite number, or 0 for another rule`},
		{average, `"gamma":0,"threshold":2,"share":0,"width"`, `"gamma":1,"threshold":2,"share":0,"width"`, `: Gamma is 1, Threshold is 2 and Share is 0, want at most one of them set`},
		{linear, `"gamma":0,"threshold":0,"share":0,"width"`, `"gamma":-2,"threshold":0,"share":0,"width"`, `: Gamma is -2, want a positive finite number, or 0 for another rule`},
		{batch, `"order":"Cyclic","keep":"Last","gamma":0,"threshold":0,"share":0,"width"`, `"order":"Sampled","keep":"Last","gamma":0,"threshold":0,"share":0,"width"`, `: found a field that Batch does not have`},
		{batch, `"keep":"Last","gamma":0,"threshold":0,"share":0,"width"`, `"keep":"Pocket","gamma":0,"threshold":0,"share":0,"width"`, `: found a field that Batch does not have`},
		{average, `"width":2`, `"width":-1`, `width: -1, want 0 to 2³² − 1`},
		{average, `"width":2`, `"width":3`, `vectors[0]: 3 numbers, want 4`},
		{average, `"width":2`, `"width":1000000000`, `vectors[0]: 3 numbers, want 1000000001`},
		{average, `"width":2`, `"width":0`, `width: 0 with 1 class`},
		{empty, `"width":0`, `"width":1`, `width: 1 with 0 classes`},
		{empty, `"width":0`, `"width":-1`, `width: -1, want 0 to 2³² − 1`},
		{batch, `"classes":[1]`, `"classes":[1,2]`, `classes: [1 2], want [1] in a binary model`},
		{batch, `"classes":[1]`, `"classes":[0]`, `classes: [0], want [1] in a binary model`},
		{pocket, `"classes":[-1`, `"classes":[1`, `classes: want classes that ascend`},
		{pocket, `"classes":[-1`, `"classes":[2`, `classes: want classes that ascend`},
		{pocket, `"classes":[-1,1]`, `"classes":[1]`, `r2: 2 numbers, want 1`},
		{pocket, `"beat":[`, `"beat":[0,`, `beat: 3 numbers, want 2`},
		{pocket, `"run":[`, `"run":[0,`, `run: 3 numbers, want 2`},
		{average, `"count":[`, `"count":[1,`, `count: 2 numbers, want 1`},
		{average, `"vectors":[`, `"vectors":[[1,2,3],`, `vectors: 5 vectors, want 4`},
		{pocket, `"width":2`, `"width":0`, `width: 0 with 2 classes`},
		{average, `"passes":`, `"passes":-`, `passes: -10, want at least 0`},
		{average, `"seen":`, `"seen":-`, `seen: -20, want 0 to 2⁵³`},
		{average, `"seen":`, `"seen":900719925474099`, `seen: 90071992547409920, want 0 to 2⁵³`},
		{linear, `"r2":[2]`, `"r2":[-2]`, `r2[0]: -2, want at least 0`},
		{last, `"r2":[0]`, `"r2":[7]`, `r2[0]: 7, want 0: only Margin's default rule needs R`},
		{average, `"r2":[0]`, `"r2":[7]`, `r2[0]: 7, want 0: only Margin's default rule needs R`},
		{batch, `"r2":[0]`, `"r2":[7]`, `r2[0]: 7, want 0: only Margin's default rule needs R`},
		{linear, `,0]]}`, `,1]]}`, `vectors[0]: the bias is 1 in Linear space, want 0`},
		{average, `]]}`, `,0]]}`, `vectors[3]: 4 numbers, want 3`},
		{pocket, `]]}`, `,0]]}`, `vectors[3]: 4 numbers, want 3`},
		{flat, `,0]]}`, `,1]]}`, `vectors[3]: the bias is 1 in Linear space, want 0`},
		{average, `"count":[20`, `"count":[-16`, `count[0]: -16, want 1 to 2⁵³`},
		{average, `"count":[20`, `"count":[1e16`, `count[0]: 1e+16, want 1 to 2⁵³`},
		{pocket, `"beat":[`, `"beat":[-`, `beat: found -2 in beat or run, want 0 to 2⁵³`},
		{fresh, `"count":[1`, `"count":[0`, `count[0]: 0, want 1 to 2⁵³`},
		{pocket, `"run":[`, `"run":[-`, `beat: found -2 in beat or run, want 0 to 2⁵³`},
		{pocket, `"run":[2`, `"run":[9007199254740993`, `beat: found 9007199254740993 in beat or run, want 0 to 2⁵³`},
		{kesler, `"Margin","rate":1`, `"Batch","rate":1`, `kind: Batch in Multiclass, want Online or Margin`},
		{kesler, `"rate":1,"space":"Affine","start":{"weights":[]`, `"rate":1,"space":"Affine","start":{"weights":[0,2]`, `: Binary has a Start, but Multiclass starts from zero`},
		{kesler, `"classes":[-1`, `"classes":[1`, `classes: want classes that ascend`},
		{kesler, `"r2":[`, `"r2":[6,`, `r2: 2 numbers, want 1`},
		{sums, `"count":[`, `"count":[1,`, `count: 2 numbers, want 1`},
		{best, `"beat":[`, `"beat":[1,`, `beat: 2 numbers, want 1`},
		{kesler, `"r2":[6]`, `"r2":[6],"beat":[0],"run":[0]`, `beat: 1 numbers, want 0`},
	} {
		changed, into := c.text(t), trainedOther(t, c.m.(model)).(coder)
		refuse(t, c.new, into, into.UnmarshalJSON, changed, strings.Replace("learned."+c.err, ".:", ":", 1))
		refuse(t, c.new, into, into.UnmarshalBinary, framed(changed), "")
	}
}

// limits are the largest counts that are accepted.
var limits = []struct {
	name  string
	limit uint64
	keep  Keep
}{
	{"passes", math.MaxInt, Last}, {"count", 1 << 53, Average}, {"beat", 1 << 53, Pocket}, {"beat|run", 1 << 53, Pocket},
}

// atLimit returns the JSON of a trained model with all counts of a name set.
func atLimit(t *testing.T, m model, name string, n uint64) []byte {
	t.Helper()
	text := must(m.(coder).MarshalJSON())(t)
	if name != "passes" {
		field := regexp.MustCompile(`"(` + name + `)":\[[0-9.,]+\]`)
		list := strings.TrimSuffix(strings.Repeat(fmt.Sprint(n, ","), len(stateOf(m).R2)), ",")
		if !field.Match(text) {
			t.Fatalf("no %s in %s", name, text)
		}
		return field.ReplaceAll(text, fmt.Appendf(nil, `"$1":[%s]`, list))
	}
	field := regexp.MustCompile(`"(` + name + `)":[0-9.]+`)
	if !field.Match(text) {
		t.Fatalf("no %s in %s", name, text)
	}
	return field.ReplaceAll(text, fmt.Appendf(nil, `"$1":%d`, n))
}

// TestLimits checks that counts are accepted up to their limits, and rejected above.
// Whatever a model at its limits learns then, it can still be saved and loaded.
func TestLimits(t *testing.T) {
	t.Parallel()
	set := naive.Noisy(3, 20, 2)
	for _, c := range limits {
		for _, m := range []model{&Online{Keep: c.keep}, &OneVsRest{Binary: &Margin{Keep: c.keep}}, &Multiclass{Binary: &Online{Keep: c.keep}}} {
			accept.of(t, m, set.X, set.Y, "Fit")
			above := c.limit + 2 // 2⁵³+1 is no float64
			refuse(t, c.name, m.(coder), m.(coder).UnmarshalJSON, atLimit(t, m, c.name, above), "")
			must(0, m.(coder).UnmarshalJSON(atLimit(t, m, c.name, c.limit)))(t)
			for _, method := range []string{"Update", "Learn", "Epochs", "Update"} {
				accept.of(t, m, set.X, set.Y, method)
				reloaded(t, m)
				if n := stateOf(m).Passes; c.name == "passes" && n != math.MaxInt {
					t.Errorf("%s: %d passes", method, n)
				}
			}
		}
	}
}

// TestLimitsShare: the number of updates of a rule with Share has the same limit.
func TestLimitsShare(t *testing.T) {
	m := &Margin{Share: 0.5}
	accept.of(t, m, XOR.X, XOR.Y, "Learn")
	text := string(must(m.MarshalJSON())(t))
	updates := regexp.MustCompile(`"updates":[0-9]+`)
	for n, taken := range map[uint64]bool{1 << 53: true, 1<<53 + 2: false} {
		err := m.UnmarshalJSON([]byte(updates.ReplaceAllString(text, fmt.Sprintf(`"updates":%d`, n))))
		if taken != (err == nil) || !taken && !errors.Is(err, ErrFormat) {
			t.Errorf("%d updates: %v", n, err)
		}
	}
}

// TestLimitsMixed checks that mixing models at their limits gives one that can be saved and loaded.
func TestLimitsMixed(t *testing.T) {
	var m [2]Online
	for i := range m {
		m[i].Keep = Average
		accept.of(t, &m[i], XOR.X, XOR.Y, "Learn")
		must(0, m[i].UnmarshalJSON(atLimit(t, &m[i], "count", 1<<53)))(t)
	}
	reloaded(t, must(Mix([]*Online{&m[0], &m[1]}, nil))(t))
}

// TestLimitsLate: a class may arrive when a model is at its limits. Its counts can be saved and
// loaded, even if no epoch draws an example of it.
func TestLimitsLate(t *testing.T) {
	set, undrawn := naive.Multi(6, 20, 2, 3), 0
	for seed := range uint64(10) {
		m := &Multiclass{Binary: &Online{Keep: Average, Order: Sampled, MaxEpochs: 1, Seed: seed}}
		accept.of(t, m, set.X, set.Y, "Epochs")
		must(0, m.UnmarshalJSON(atLimit(t, m, "count", 1<<53)))(t)
		y := slices.Clone(set.Y)
		y[3] = 77
		accept.of(t, m, set.X, y, "Epochs")
		if i := slices.Index(m.Classes(), 77); vec.Norm(m.learned().Vector(i)) == 0 {
			undrawn++
		}
		reloaded(t, m)
	}
	if undrawn == 0 {
		t.Error("each epoch drew the new class: the test shows nothing")
	}
}

// TestFractions checks that averages load whose counts mixing has made fractions.
func TestFractions(t *testing.T) {
	set := naive.Multi(5, 600, 3, 4)
	for seed := range uint64(Share(30)) {
		r, parts := rand.New(rand.NewPCG(seed, 2)), []*Multiclass{nil, nil}
		for s := range parts {
			parts[s] = &Multiclass{Binary: &Online{Keep: Average}}
			must(parts[s].Learn(stream(naive.Set{X: set.X[:4+s], Y: set.Y})))(t)
		}
		m := must(Mix(parts, []float64{r.Float64(), r.Float64()}))(t)
		for i, x := range set.X {
			must(m.Update(x, set.Y[i]))(t)
			if i%50 == 0 {
				reloaded(t, m)
			}
		}
	}
}

// TestSmallRadius checks that the smallest R of each space loads: 1 in Affine space, and any
// in Linear space.
func TestSmallRadius(t *testing.T) {
	for space, x := range []float64{Affine: 0, Linear: 0.5} {
		m := &Margin{Space: Space(space)}
		must(m.Update([]float64{x}, 1))(t)
		if r2 := stateOf(reloaded(t, m)).R2[0]; r2 != x*x+1-float64(space) {
			t.Errorf("%v: R² = %v", m.Space, r2)
		}
	}
}

// TestFirstSum checks that the sum of two examples loads.
func TestFirstSum(t *testing.T) {
	m := &Online{Keep: Average}
	must(m.Update([]float64{2}, 1))(t)
	must(m.Update([]float64{2}, -1))(t)
	if s := stateOf(reloaded(t, m)); s.Count[0] != 2 || s.Vectors[2][0] != -2 {
		t.Errorf("%v examples sum to %v", s.Count, s.Vectors[2])
	}
}

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
	t.Parallel()
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
// returns its result. It returns false if this system cannot do this, for example because the
// binary is emulated.
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

// TestShareFarStart: the squared length of a Start may overflow; the model saves what it has learned.
func TestShareFarStart(t *testing.T) {
	m := &Margin{Share: .5, Start: Hyperplane{Weights: []float64{1e200, 0}}}
	must(m.Update([]float64{1, 0}, 1))(t)
	var loaded Margin
	if err := loaded.UnmarshalJSON(must(m.MarshalJSON())(t)); err != nil {
		t.Fatal(err)
	}
	Diff(t, "loaded", loaded.Hyperplane(), m.Hyperplane())
}
