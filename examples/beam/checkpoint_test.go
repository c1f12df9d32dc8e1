package main

import (
	"context"
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
		Job: job{Shards: []Shard{{0, "a", 10, 3, "00aa"}, {1, "b", 20, 4, ""}}, Format: libsvmFormat, Features: 4, Positive: &one, Mix: bySize, learner: learner{"gamma", -1.0 / 3, "last", 3}},
		State: State{
			Round: 2, Features: 4, Numbers: 5, Blocks: []string{"0.0123456789abcdef"}, Model: flat(t),
			History: []Round{{7, 3, 1.5}, {7, 2, 1}},
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
	c.Job.Bound = math.Inf(1)
	if _, err := c.encode(); err == nil {
		t.Error("accepted an infinite bound")
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

// TestDiffers: another bound, or another number of passes, is another job. A checkpoint without a number
// of passes is of one pass.
func TestDiffers(t *testing.T) {
	was := job{learner: learner{"gamma", 1, "last", 0}}
	for want, is := range map[string]learner{
		"":                     {"gamma", 1, "last", 1},
		"-bound was 1, now 2":  {"gamma", 2, "last", 1},
		"-passes was 1, now 5": {"gamma", 1, "last", 5},
	} {
		if got := (&job{learner: is}).differs(&was); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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
	c := setUp(t, libsvmFormat, noisy(1, 50, 3).split(3))
	c.rounds = 1
	trained(t, c)
	good := must(load(t.Context(), c.checkpoint))(t)
	c.model = filepath.Join(t.TempDir(), "model")
	for _, keep := range keeps {
		for want, change := range map[string]func(*checkpoint){
			"-5 numbers of 3 features":    func(c *checkpoint) { c.Numbers, c.Blocks = -5, nil },
			"12 numbers of 4 features":    func(c *checkpoint) { c.Features, c.Numbers = 4, 12 },
			"does not have the fields of": func(c *checkpoint) { c.Numbers = c.Job.vectors() * 4; c.Blocks[0] = "" },
			", want 0": func(c *checkpoint) {
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
				forged.Model = learner{"online", 0, keeps[1], 1}.form(t)
			}
			forged.Job.Keep, c.Keep = keep, keep
			change(&forged)
			if err := forged.save(t.Context(), c.checkpoint, 0o600); err != nil {
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
	good := setUp(t, libsvmFormat, shards)
	good.rounds = 1
	trained(t, good)
	before := must(os.ReadFile(good.checkpoint))(t)
	dir := filepath.Dir(good.pattern)
	for _, test := range []struct {
		want   string
		change func(*config)
	}{
		{"-mix was uniform, now size", func(c *config) { c.Mix = bySize }},
		{"-rule was online, now margin", func(c *config) { c.Rule = "margin" }},
		{"-rule was online, now gamma", func(c *config) { c.Rule, c.Bound = "gamma", 1 }},
		{"-keep was last, now average", func(c *config) { c.Keep = "average" }},
		{"-features was 0, now 3", func(c *config) { c.Features = 3 }},
		{"-format was libsvm, now rows", func(c *config) { c.Format = rowsFormat }},
		{"-positive was null, now 1", func(c *config) { c.setPositive("1") }},
		{"shard " + dir + "/c.libsvm is missing", func(c *config) { c.pattern = dir + "/[ab].libsvm" }},
		{"shard " + dir + "/a.libsvm is missing", func(c *config) { os.Rename(dir+"/a.libsvm", dir+"/aa.libsvm") }},
		{"shard " + dir + "/d.libsvm is new", func(c *config) {
			os.Rename(dir+"/aa.libsvm", dir+"/a.libsvm")
			os.WriteFile(dir+"/d.libsvm", []byte("1 1:1\n"), 0o600)
		}},
		{"shard " + dir + "/c.libsvm had", func(c *config) {
			os.Remove(dir + "/d.libsvm")
			os.WriteFile(dir+"/c.libsvm", []byte("1 1:1\n"), 0o600)
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
	if err := errors.Join(os.WriteFile(dir+"/c.libsvm", shards[2].text(), 0o600), os.WriteFile(good.checkpoint, before, 0o600)); err != nil {
		t.Fatal(err)
	}
	good.rounds = 4
	if got := trained(t, good); !equal(got.State, goroutines(t, good.Format, shards, uniform, 4)) {
		t.Error("with all shards again, the run gives another result")
	}
}

// TestRestart: a run that continues from a checkpoint is bit-identical to an uninterrupted
// run, even if an earlier run left a result file. No other files remain.
func TestRestart(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, libsvmFormat, shards)
	for _, c.rounds = range []int{1, 2, 5} {
		stale := some(t)
		if err := stale.save(t.Context(), c.checkpoint+".next", 0o600); err != nil {
			t.Fatal(err)
		}
		leave(t, c, ".beat.X", ".error", ".7", ".next.42", ".beat.X.3", ".lease.9")
		if got := trained(t, c); !equal(got.State, goroutines(t, c.Format, shards, uniform, c.rounds)) {
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
		if strings.ContainsAny(name, "0123456789") {
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
	c := setUp(t, libsvmFormat, noisy(1, 100, 4).split(3))
	stale := checkpoint{State: State{Failed: "stale"}}
	if err := stale.save(t.Context(), c.checkpoint+".next", 0o600); err != nil {
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

func path(name string) string { return strings.TrimPrefix(name, "lossy://") }

func (l lossy) List(ctx context.Context, pattern string) ([]string, error) {
	return l.Interface.List(ctx, path(pattern))
}

func (l lossy) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	return l.Interface.OpenRead(ctx, path(name))
}

func (l lossy) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	if strings.HasSuffix(name, nextFile) && kept.Add(-1) < 0 {
		name = "/dev/null"
	}
	return l.Interface.OpenWrite(ctx, path(name))
}

func (l lossy) Remove(_ context.Context, name string) error { return os.Remove(path(name)) }

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
		c := setUp(t, libsvmFormat, shards)
		name := c.checkpoint
		c.rounds, c.checkpoint = 3, "lossy://"+name
		kept.Store([]int64{0, 1, 3, 4}[i]) // the first is the survey
		err := run(t.Context(), io.Discard, c)
		if !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
		saved, err := loadAll(t, name)
		if rounds := max(0, i*3/2-1); rounds == 0 != missing(err) || rounds > 0 && !equal(saved.State, goroutines(t, c.Format, shards, uniform, rounds)) {
			t.Errorf("%d rounds: %v, %+v", rounds, err, saved.State)
		}
		c.checkpoint = name
		if got := trained(t, c); !equal(got.State, goroutines(t, c.Format, shards, uniform, 3)) {
			t.Errorf("after %s, the restart gives another result", want)
		}
	}
}

// TestListener: a listener accepts each result of its own run once, and sees the progress
// of its own workers only.
func TestListener(t *testing.T) {
	c := config{checkpoint: filepath.Join(t.TempDir(), "[checkpoint*"), origin: origin{ID: "mine"}}
	c.Shards = []Shard{{0, "a", 40, 0, ""}, {1, "b", 60, 0, ""}, {2, "c", -1, 0, ""}} // c is a pipe
	c.origin.Checkpoint = c.checkpoint
	var out strings.Builder
	var got []int
	l := c.listen(&out, func(_ context.Context, r checkpoint) error { got = append(got, r.Round); return nil })
	l.origin = c.origin
	step := func(want bool) {
		t.Helper()
		if moved, err := l.progress(t.Context()); moved != want || err != nil {
			t.Errorf("%v, %v, want %v", moved, err, want)
		}
	}
	put := func(name, content string) {
		if err := write(t.Context(), c.checkpoint+name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	result := func(id string) {
		r := some(t)
		r.Run = id
		put(nextFile, string(must(r.encode())(t)))
	}
	step(false)
	put(nextFile, "{}")
	step(false)
	if !strings.Contains(fmt.Sprint(l.problem), "damaged") {
		t.Error(l.problem)
	}
	result("other")
	step(false)
	if !strings.Contains(fmt.Sprint(l.problem), "another pipeline") {
		t.Error(l.problem)
	}
	result("mine")
	step(true)
	step(false)
	put(beatFile+"x", `{"Run":"other","Round":9,"Bytes":{"0":1}}`)
	step(false)
	put(beatFile+"y", `{"Run":"mine","Round":2,"Bytes":{"0":10}}`)
	step(true)
	step(false)
	l.origin.Beat = time.Hour // since the last line
	put(beatFile+"z", `{"Run":"mine","Round":2,"Bytes":{"0":5,"1":60}}`)
	step(true)
	put(beatFile+"w", `{"Run":"mine","Round":1,"Bytes":{"2":5}}`) // a round begins again
	step(true)
	l.origin.Beat = 0
	put(beatFile+"y", `{"Run":"mine","Round":3,"Bytes":{"1":30,"2":7}}`)
	step(true)
	put(beatFile+"y", `{"Run":"mine","Round":3,"Bytes":{"0":33,"1":33,"2":33}}`)
	step(true) // all is read, so nothing is printed
	if fmt.Sprint(got) != "[2]" || out.String() != "reading 1 of 3 shards: 10 % of 99 bytes; least of b: 0 %\n"+"reading 2 of 3 shards: 37 % of 99 bytes; least of a: 0 %\n" {
		t.Errorf("accepted %v, printed %q", got, out.String())
	}
}

// TestStore: shards and checkpoint may be in a store that cannot rename files.
func TestStore(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, libsvmFormat, shards)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		content := must(os.ReadFile(name))(t)
		if err := write(t.Context(), "memfs://shards/"+filepath.Base(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.pattern, c.checkpoint = "memfs://shards/*", "memfs://checkpoint"
	for _, c.rounds = range []int{2, 4} {
		if got := trained(t, c); !equal(got.State, goroutines(t, c.Format, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
}

// TestNoPlace: a run fails if it cannot write the checkpoint.
func TestNoPlace(t *testing.T) {
	c := setUp(t, libsvmFormat, noisy(1, 100, 4).split(3))
	for _, c.checkpoint = range []string{filepath.Dir(c.pattern), c.checkpoint + "/none/"} {
		if err := run(t.Context(), io.Discard, c); err == nil {
			t.Errorf("%s: no error", c.checkpoint)
		}
	}
}
