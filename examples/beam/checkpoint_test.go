package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"perceptron"
)

// some returns a checkpoint with unusual numbers.
func some(t testing.TB) checkpoint {
	one := 1
	return checkpoint{
		Run: "run",
		Job: job{Shards: []Shard{{0, "a", 10, 3, 4, 2, 1, "00aa", ""}, {1, "b", 20, 4, 3, 1, 0, "", ""}}, Features: 4, Positive: &one, Mix: bySize, learner: learner{"last"}},
		State: State{
			Round: 2, Features: 4, Numbers: 5, Blocks: []string{"0.0123456789abcdef"}, Model: flat(t),
			History: []Round{{7, 3, 1.5, ""}, {7, 2, -1.0 / 3, "note"}},
		},
	}
}

// TestCheckpoint: a checkpoint keeps every bit of the numbers. decode detects every
// flipped bit and every truncation.
func TestCheckpoint(t *testing.T) {
	c := some(t)
	content := must(c.encode())(t)
	got := must(decode(content))(t)
	if !reflect.DeepEqual(got, c) {
		t.Errorf("%+v, want %+v", got, c)
	}
	for i := range content {
		for bit := range 8 {
			damaged := slices.Clone(content)
			damaged[i] ^= 1 << bit
			if _, err := decode(damaged); err == nil {
				t.Fatalf("accepted with bit %d of byte %d flipped", bit, i)
			}
		}
		if _, err := decode(content[:i]); err == nil {
			t.Fatalf("accepted after truncation at byte %d", i)
		}
	}
	c.History[0].Weighted = math.Inf(1)
	if _, err := c.encode(); err == nil {
		t.Error("accepted an infinite number")
	}
}

// TestDecode: decode rejects inconsistent content even if the checksum is right.
func TestDecode(t *testing.T) {
	for want, change := range map[string]func(*checkpoint){
		"inconsistent: 3 rounds, a history of 2 rounds, 5 numbers of 4 features in 1 blocks":     func(c *checkpoint) { c.Round = 3 },
		"inconsistent: 2 rounds, a history of 2 rounds, 0 numbers of 0 features in 0 blocks":     func(c *checkpoint) { c.Features, c.Numbers, c.Blocks = 0, 0, nil },
		"inconsistent: 2 rounds, a history of 2 rounds, 65536 numbers of 4 features in 1 blocks": func(c *checkpoint) { c.Numbers = 65536 },
		"inconsistent: no model": func(c *checkpoint) { c.Model = nil },
		"inconsistent: no":       func(c *checkpoint) { c.Round, c.History, c.Converged, c.Model = 0, nil, true, nil },
	} {
		c := some(t)
		change(&c)
		if _, err := decode(must(c.encode())(t)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestOtherVersion: a checkpoint with a field of another version is an error, because the field may
// determine the weights.
func TestOtherVersion(t *testing.T) {
	text := `{"job":{"passes":5},"round":0}`
	if _, err := decode(fmt.Appendf(nil, "%s\n%x\n", text, sha256.Sum256([]byte(text)))); err == nil || !strings.Contains(err.Error(), `unknown field "passes"`) {
		t.Error(err)
	}
}

// FuzzDecode: what decode accepts survives a round trip through encode.
func FuzzDecode(f *testing.F) {
	content, _ := some(f).encode()
	f.Add(content)
	f.Add([]byte("{}\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := decode(content)
		if err != nil {
			return
		}
		again := must(decode(must(c.encode())(t)))(t)
		if !reflect.DeepEqual(again, c) {
			t.Errorf("%+v becomes %+v after encode and decode", c, again)
		}
	})
}

// TestForged: a checkpoint that is consistent only at first sight is an error, also for -model.
func TestForged(t *testing.T) {
	c := setUp(t, noisy(1, 50, 3).split(3))
	c.rounds = 1
	trained(t, c)
	good := must(load(t.Context(), c.checkpoint))(t)
	c.model = filepath.Join(t.TempDir(), "model")
	for _, keep := range keeps {
		for want, change := range map[string]func(*checkpoint){
			"-5 numbers of 3 features":    func(c *checkpoint) { c.Numbers, c.Blocks = -5, nil },
			"12 numbers of 4 features":    func(c *checkpoint) { c.Features, c.Numbers = 4, 12 },
			"does not have the fields of": func(c *checkpoint) { c.Numbers = c.Job.vectors() * 4; c.Blocks[0] = "" },
			"perceptron: bad format: learned.width: 3 with 0 classes": func(c *checkpoint) {
				m := c.Job.untrained()
				must(m.Learn(perceptron.Examples[[]float64, int](nil, nil)))(t)
				form, _, err := perceptron.Split(m)
				must(0, err)(t)
				c.Numbers, c.Blocks[0], c.Model = c.Job.vectors()*4, "", form
			},
			"a history of 1 rounds, 0 nu": func(c *checkpoint) { c.Features, c.Numbers, c.Blocks = -1, 0, nil },
		} {
			forged := good
			forged.Blocks = slices.Clone(good.Blocks)
			if keep == keeps[0] { // a form of the other Keep
				forged.Model = learner{keeps[1]}.form(t)
			}
			forged.Job.Keep, c.Keep = keep, keep
			change(&forged)
			if err := forged.save(t.Context(), c.checkpoint); err != nil {
				t.Fatal(err)
			}
			if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("keep %s: %v, want %s", keep, err, want)
			}
		}
	}
}

// TestOtherJob: a run rejects a checkpoint of other data or flags, and does not change it. With
// all shards as they were, the run continues to the result of an undisturbed run.
func TestOtherJob(t *testing.T) {
	shards := noisy(1, 50, 3).split(3)
	good := setUp(t, shards)
	good.rounds = 1
	trained(t, good)
	before := must(os.ReadFile(good.checkpoint))(t)
	dir := filepath.Dir(good.pattern)
	for _, test := range []struct {
		want   string
		change func(*config)
	}{
		{"-mix was uniform, now size", func(c *config) { c.Mix = bySize }},
		{"-keep was last, now average", func(c *config) { c.Keep = "average" }},
		{"-features was 0, now 3", func(c *config) { c.Features = 3 }},
		{"-positive was null, now 1", func(c *config) { c.Positive = new(int); *c.Positive = 1 }},
		{"shard " + dir + "/c.svm is missing", func(c *config) { c.pattern = dir + "/[ab].svm" }},
		{"shard " + dir + "/a.svm is missing", func(c *config) { os.Rename(dir+"/a.svm", dir+"/aa.svm") }},
		{"shard " + dir + "/d.svm is new", func(c *config) {
			os.Rename(dir+"/aa.svm", dir+"/a.svm")
			os.WriteFile(dir+"/d.svm", []byte("1 1:1\n"), 0o600)
		}},
		{"shard " + dir + "/c.svm had", func(c *config) {
			os.Remove(dir + "/d.svm")
			os.WriteFile(dir+"/c.svm", []byte("1 1:1\n"), 0o600)
		}},
		{"damaged: the second line", func(c *config) { os.WriteFile(c.checkpoint, before[:len(before)/2], 0o600) }},
	} {
		c := good
		c.rounds = 2
		test.change(&c)
		if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), c.checkpoint) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	if after := must(os.ReadFile(good.checkpoint))(t); string(after) != string(before[:len(before)/2]) {
		t.Error("the checkpoint has changed")
	}
	if err := errors.Join(os.WriteFile(dir+"/c.svm", shards[2].text(), 0o600), os.WriteFile(good.checkpoint, before, 0o600)); err != nil {
		t.Fatal(err)
	}
	good.rounds = 4
	if got := trained(t, good); !equal(got.State, goroutines(t, shards, uniform, 4)) {
		t.Error("with all shards again, the run gives another result")
	}
}

// TestRestart: a run that continues from a checkpoint is bit-identical to an uninterrupted
// run, even if an earlier run left a result file. No other files remain.
func TestRestart(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, shards)
	for _, c.rounds = range []int{1, 2, 5} {
		stale := some(t)
		if err := stale.save(t.Context(), c.checkpoint+".next"); err != nil {
			t.Fatal(err)
		}
		leave(t, c, ".beat.3", ".rows.X.3.1.2", ".rows.X.new.Y", "12345678", ".next123456789", ".beat.3123456789", ".lease1234567890")
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
	if names := must(filepath.Glob(filepath.Dir(c.pattern) + "/*"))(t); len(names) != 5 {
		t.Errorf("files: %v, want three shards, a checkpoint and a block", names)
	}
}

// leave writes files that a killed launcher or worker has left: files beside the checkpoint,
// and temporary files, whose names end with a number.
func leave(t *testing.T, c config, names ...string) {
	for _, name := range names {
		folder, base := filepath.Split(c.checkpoint)
		if strings.ContainsAny(name, "9") || len(name) == 8 {
			base = "." + base
		}
		if err := os.WriteFile(folder+base+name, []byte("left"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStaleFailure: if a run fails, it does not report the error that an earlier run left
// in its result file.
func TestStaleFailure(t *testing.T) {
	c := setUp(t, noisy(1, 100, 4).split(3))
	stale := checkpoint{State: State{Failed: "stale"}}
	if err := stale.save(t.Context(), c.checkpoint+".next"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, io.Discard, c); err == nil || strings.Contains(err.Error(), "stale") {
		t.Errorf("%v, want the error of a canceled run", err)
	}
}

// lossy is a file system of local files at lossy://. It loses the results of workers after
// the first kept ones, as if a worker of an earlier run had overwritten them.
type lossy struct{ filesystem.Interface }

var kept atomic.Int64

func init() {
	filesystem.Register("lossy", func(ctx context.Context) filesystem.Interface { return lossy{local.New(ctx)} })
}

func pathOf(name string) string { return strings.TrimPrefix(name, "lossy://") }

func (l lossy) List(ctx context.Context, pattern string) ([]string, error) {
	return l.Interface.List(ctx, pathOf(pattern))
}

func (l lossy) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	return l.Interface.OpenRead(ctx, pathOf(name))
}

func (l lossy) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	if strings.HasSuffix(name, nextFile) && kept.Add(-1) < 0 {
		name = "/dev/null"
	}
	return l.Interface.OpenWrite(ctx, pathOf(name))
}

func (l lossy) Remove(_ context.Context, name string) error { return os.Remove(pathOf(name)) }

// TestLostResult: a run fails if the result of a round is lost. The checkpoint has the
// round before, and the same command continues to the result of an undisturbed run.
func TestLostResult(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	for i, want := range []string{
		"no result of the workers: file does not exist; " + errPlace.Error(),
		"no result of the workers: file does not exist; " + errPlace.Error(),
		"ends with round 2",
		"<nil>",
	} {
		c := setUp(t, shards)
		name := c.checkpoint
		c.rounds, c.checkpoint = 3, "lossy://"+name
		kept.Store([]int64{0, 1, 3, 4}[i]) // the first is the survey
		err := run(t.Context(), io.Discard, c)
		if !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
		saved, err := loadAll(t, name)
		if rounds := max(0, i*3/2-1); rounds == 0 != missing(err) || rounds > 0 && !equal(saved.State, goroutines(t, shards, uniform, rounds)) {
			t.Errorf("%d rounds: %v, %+v", rounds, err, saved.State)
		}
		c.checkpoint = name
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 3)) {
			t.Errorf("after %s, the restart gives another result", want)
		}
	}
}

// TestListener: a listener accepts each result of its own run once, and sees the progress of its own
// workers only. If another worker reads a round again, this counts as progress, and a message says so
// once. This holds even with the default -stall and with files of dead workers.
func TestListener(t *testing.T) {
	c := config{checkpoint: filepath.Join(t.TempDir(), "[checkpoint*"), origin: origin{ID: "mine"}}
	c.Shards = []Shard{{Name: "a", Size: 40}, {Number: 1, Name: "b", Size: 60}}
	c.origin.Checkpoint = c.checkpoint
	var out strings.Builder
	var got []int
	l := c.listen(&out, func(_ context.Context, r checkpoint) error { got = append(got, r.Round); return nil })
	l.origin = c.origin
	step := func(moves bool, prints string) {
		t.Helper()
		out.Reset()
		if moved, err := l.progress(t.Context()); moved != moves || err != nil || out.String() != prints {
			t.Errorf("%v, %v, want %v; printed %q, want %q", moved, err, moves, out.String(), prints)
		}
	}
	put := func(name, content string) {
		if err := write(t.Context(), c.checkpoint+name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	result := func(id string) {
		r := some(t)
		r.Run = id
		put(nextFile, string(must(r.encode())(t)))
	}
	step(false, "")
	put(nextFile, "{}")
	step(false, "")
	if !strings.Contains(fmt.Sprint(l.problem), "damaged") {
		t.Error(l.problem)
	}
	result("other")
	step(false, "")
	if !strings.Contains(fmt.Sprint(l.problem), "another pipeline") {
		t.Error(l.problem)
	}
	result("mine")
	step(true, "")
	step(false, "")
	put(beatFile+"0", `{"Run":"other","Round":9,"Done":1}`)
	step(false, "")
	beat := func(process string, shard, round int, done float64) {
		put(fmt.Sprint(beatFile, shard), string(must(json.Marshal(progress{"mine", process, shard, round, done}))(t)))
	}
	beat("x", 0, 4, 0.25)
	step(true, "reading: 10 % of 100 bytes\n")
	step(false, "")
	l.origin.Beat = time.Hour // since the last line
	beat("y", 1, 4, 1)
	step(true, "")
	beat("y", 1, 3, 0.5) // Flink begins the pipeline again, and x is dead
	step(true, "round 3 again: a worker was lost\n")
	beat("y", 0, 3, 0.5)
	step(true, "")
	beat("y", 0, 4, 0.1)
	step(true, "")
	beat("z", 0, 4, 0.1) // y is lost in the same round
	step(true, "round 4 again: a worker was lost\n")
	l.origin.Beat = 0
	beat("z", 1, 4, 0.5)
	step(true, "reading: 34 % of 100 bytes\n")
	beat("z", 0, 4, 1)
	step(true, "reading: 70 % of 100 bytes\n")
	beat("z", 1, 4, 1)
	step(true, "")
	if fmt.Sprint(got) != "[2]" {
		t.Errorf("accepted %v", got)
	}
}

// TestStore: shards and checkpoint may be in a store that cannot rename files.
func TestStore(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, shards)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		content := must(os.ReadFile(name))(t)
		if err := write(t.Context(), "memfs://shards/"+filepath.Base(name), content); err != nil {
			t.Fatal(err)
		}
	}
	c.pattern, c.checkpoint = "memfs://shards/*", "memfs://checkpoint"
	for _, c.rounds = range []int{2, 4} {
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
}

// TestNoPlace: a run fails if it cannot write the checkpoint.
func TestNoPlace(t *testing.T) {
	c := setUp(t, noisy(1, 100, 4).split(3))
	for _, c.checkpoint = range []string{filepath.Dir(c.pattern), c.checkpoint + "/none/"} {
		if err := run(t.Context(), io.Discard, c); err == nil {
			t.Errorf("%s: no error", c.checkpoint)
		}
	}
}
