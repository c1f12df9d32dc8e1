package main

import (
	"bytes"
	"context"
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
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
)

func some() checkpoint {
	one := 1
	return checkpoint{
		Job: job{Shards: []Shard{{0, "a", 10}, {1, "b", 20}}, Format: libsvmFormat, Features: 4, Positive: &one, Mix: bySize},
		State: State{
			Round: 2, Weights: []float64{0.1, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64}, Bias: -1.0 / 3,
			History: []Round{{7, 3, 1.5}, {7, 2, 1}},
		},
	}
}

// TestCheckpoint: it keeps every bit, and any of its bytes that changes is found.
func TestCheckpoint(t *testing.T) {
	c := some()
	content := must(c.encode())(t)
	got := must(decode(content))(t)
	if !equal(got.State, c.State) || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v, want %+v", got, c)
	}
	var h struct {
		Weights []float64
		Bias    float64
	}
	if err := json.NewDecoder(strings.NewReader(string(content))).Decode(&h); err != nil || !slices.Equal(h.Weights, c.Weights) || h.Bias != c.Bias {
		t.Errorf("as weights and bias: %v, %v", h, err)
	}
	for i := range content {
		for bit := range 8 {
			damaged := slices.Clone(content)
			damaged[i] ^= 1 << bit
			if _, err := decode(damaged); err == nil {
				t.Fatalf("bit %d of byte %d is changed, and it is taken", bit, i)
			}
		}
		if _, err := decode(content[:i]); err == nil {
			t.Fatalf("cut off at byte %d, it is taken", i)
		}
	}
	c.Bias = math.Inf(1)
	if _, err := c.encode(); err == nil {
		t.Error("an infinite bias is written")
	}
}

// TestDecode: a sum that fits does not make a file a checkpoint.
func TestDecode(t *testing.T) {
	for want, change := range map[string]func(*checkpoint){
		"3 rounds with a history of 2, and 4 weights": func(c *checkpoint) { c.Round = 3 },
		"2 rounds with a history of 2, and 0 weights": func(c *checkpoint) { c.Weights = nil },
	} {
		c := some()
		change(&c)
		if _, err := decode(must(c.encode())(t)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	content, _ := some().encode()
	f.Add(content)
	f.Add([]byte("{}\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := decode(content)
		if err != nil {
			return
		}
		again := must(decode(must(c.encode())(t)))(t)
		if !equal(again.State, c.State) || again.differsFrom(c) != "" {
			t.Errorf("%+v, written and read: %+v", c, again)
		}
	})
}

func (c checkpoint) differsFrom(d checkpoint) string { return c.Job.differs(&d.Job) }

// TestOtherJob: a checkpoint of other data or flags is refused, and left alone.
func TestOtherJob(t *testing.T) {
	set := separable(1, 50, 3)
	good := setUp(t, libsvmFormat, set.split(3))
	good.rounds = 1
	train(t, good)
	before := must(os.ReadFile(good.checkpoint))(t)
	dir := filepath.Dir(good.pattern)
	for _, test := range []struct {
		want   string
		change func(*config)
	}{
		{"-mix was uniform, now size", func(c *config) { c.Mix = bySize }},
		{"-features was 0, now 3", func(c *config) { c.Features = 3 }},
		{"-format was libsvm, now rows", func(c *config) { c.Format = rowsFormat }},
		{"-positive was none, now 1", func(c *config) { c.setPositive("1") }},
		{"it was 3 shards, now 2", func(c *config) { c.pattern = dir + "/[ab].libsvm" }},
		{"shard 0 was " + dir + "/a.libsvm of", func(c *config) { os.Rename(dir+"/a.libsvm", dir+"/aa.libsvm") }},
		{"damaged: its second line", func(c *config) { os.WriteFile(c.checkpoint, before[:len(before)/2], 0o600) }},
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
}

// TestRestart: a run that goes on from a checkpoint is the unbroken one, also if
// a result of an earlier try lies about, and nothing else is left behind.
func TestRestart(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, libsvmFormat, shards)
	for _, c.rounds = range []int{1, 2, 5} {
		stale := some()
		if err := stale.save(t.Context(), c.checkpoint+".next"); err != nil {
			t.Fatal(err)
		}
		if got := train(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
	if names := must(filepath.Glob(filepath.Dir(c.pattern) + "/*"))(t); len(names) != 4 {
		t.Errorf("files beside three shards and a checkpoint: %v", names)
	}
}

// TestStaleFailure: what an earlier run said of the data is not said again of a run
// that fails for another reason.
func TestStaleFailure(t *testing.T) {
	c := setUp(t, libsvmFormat, noisy(1, 100, 4).split(3))
	stale := checkpoint{State: State{Failed: "stale"}}
	if err := stale.save(t.Context(), c.checkpoint+".next"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, io.Discard, c); err == nil || strings.Contains(err.Error(), "stale") {
		t.Errorf("%v, want that of a run broken off", err)
	}
}

// late is a file system of local files, at late://, on which a run's result is
// once what a worker of an earlier run has written over it.
type late struct{ filesystem.Interface }

var zombie *checkpoint

func init() {
	filesystem.Register("late", func(ctx context.Context) filesystem.Interface { return late{local.New(ctx)} })
}

func path(name string) string { return strings.TrimPrefix(name, "late://") }

func (l late) List(ctx context.Context, pattern string) ([]string, error) {
	return l.Interface.List(ctx, path(pattern))
}

func (l late) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	if !strings.HasSuffix(name, ".next") {
		return l.Interface.OpenRead(ctx, path(name))
	}
	if zombie == nil {
		return nil, errors.New("the run has gone on from another's result")
	}
	content, err := zombie.encode()
	zombie = nil
	return io.NopCloser(bytes.NewReader(content)), err
}

func (l late) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return l.Interface.OpenWrite(ctx, path(name))
}

func (l late) Remove(_ context.Context, name string) error { return os.Remove(path(name)) }

// TestLateResult: a result of other rounds, or of another job, becomes no
// checkpoint.
func TestLateResult(t *testing.T) {
	c := setUp(t, libsvmFormat, noisy(1, 100, 4).split(3))
	c.rounds = 2
	done := train(t, c)
	c.checkpoint += ".late"
	for want, change := range map[string]func(*checkpoint){
		"is of another run: 1 rounds, want 2":           func(c *checkpoint) { c.Round, c.History = 1, c.History[:1] },
		"is of another run: 3 rounds, want 2":           func(c *checkpoint) { c.Round, c.History = 3, make([]Round, 3) },
		"is of another run: -mix was size, now uniform": func(c *checkpoint) { c.Job.Mix = bySize },
		"<nil>": func(*checkpoint) {},
	} {
		c, name := c, c.checkpoint
		c.checkpoint = "late://" + name
		result := done
		change(&result)
		zombie = &result
		err := run(t.Context(), io.Discard, c)
		if !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, missing := os.Stat(name); (err == nil) != (missing == nil) {
			t.Errorf("%v, and of the checkpoint %v", err, missing)
		}
		os.Remove(name)
	}
}

// TestStore: shards and checkpoint in a store that renames nothing.
func TestStore(t *testing.T) {
	shards := noisy(1, 100, 4).split(3)
	c := setUp(t, libsvmFormat, shards)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		content := must(os.ReadFile(name))(t)
		if err := write(t.Context(), "memfs://shards/"+filepath.Base(name), content); err != nil {
			t.Fatal(err)
		}
	}
	c.pattern, c.checkpoint = "memfs://shards/*", "memfs://checkpoint"
	for _, c.rounds = range []int{2, 4} {
		if got := train(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
			t.Errorf("after %d rounds: %+v", c.rounds, got.State)
		}
	}
}

// TestNoPlace: where no checkpoint can be written, the run fails.
func TestNoPlace(t *testing.T) {
	c := setUp(t, libsvmFormat, noisy(1, 100, 4).split(3))
	for _, c.checkpoint = range []string{filepath.Dir(c.pattern), c.checkpoint + "/none/"} {
		if err := run(t.Context(), io.Discard, c); err == nil {
			t.Errorf("%s: no error", c.checkpoint)
		}
	}
}
