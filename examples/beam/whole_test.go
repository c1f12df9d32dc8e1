package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
)

// faulty is a file system of local files at faulty://. From the opening number faultFrom
// of shard b, fault replaces the content.
type faulty struct{ filesystem.Interface }

var (
	fault     func(content []byte) io.Reader
	faultFrom int64
	opened    atomic.Int64
)

func init() {
	filesystem.Register("faulty", func(ctx context.Context) filesystem.Interface { return faulty{local.New(ctx)} })
}

func (f faulty) List(ctx context.Context, pattern string) ([]string, error) {
	names, err := f.Interface.List(ctx, strings.TrimPrefix(pattern, "faulty://"))
	for i := range names {
		names[i] = "faulty://" + names[i]
	}
	return names, err
}

func (f faulty) Size(ctx context.Context, name string) (int64, error) {
	return f.Interface.Size(ctx, strings.TrimPrefix(name, "faulty://"))
}

func (f faulty) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	content, err := os.ReadFile(strings.TrimPrefix(name, "faulty://"))
	if err != nil || !strings.Contains(name, "/b.") || opened.Add(1) < faultFrom {
		return io.NopCloser(bytes.NewReader(content)), err
	}
	return io.NopCloser(fault(content)), nil
}

// failing is a reader that fails after some content.
func failing(content []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(content), errReader{})
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("the disk is broken") }

// faults has what may happen to the file of a shard while the program reads it.
// Each fault leaves a file that is valid as a file, except for the number of rows.
func faults(cut, row int) map[string]func([]byte) io.Reader {
	return map[string]func([]byte) io.Reader{
		": unexpected EOF":   func(c []byte) io.Reader { return bytes.NewReader(c[:cut]) },
		"the disk is broken": func(c []byte) io.Reader { return failing(c[:cut]) },
		" bytes in place of": func(c []byte) io.Reader { return bytes.NewReader(append(slices.Clip(c), c[len(c)-row:]...)) },
		" in place of the hash": func(c []byte) io.Reader { // the rows in another order
			return bytes.NewReader(slices.Concat(c[:cut-row], c[cut:], c[cut-row:cut]))
		},
	}
}

// TestWholeShards: a shard that is cut at the end of a row, or that changes or cannot be
// read, ends the run with an error that names it. The checkpoint has the rounds before.
// Without the fault, the same command continues to the result of an undisturbed run.
func TestWholeShards(t *testing.T) {
	set := noisy(1, 60, 7)
	for i, x := range set.X {
		clear(x)
		x[i%7] = float64(1000 + i)
	}
	shards := set.split(3)
	c := setUp(t, shards)
	c.rounds, c.chunk = 4, 2
	b := must(os.ReadFile(strings.Replace(c.pattern, "*", "b", 1)))(t)
	cut := bytes.LastIndexByte(b[:len(b)*3/4], '\n') + 1
	row := cut - 1 - bytes.LastIndexByte(b[:cut-1], '\n')
	c.pattern = "faulty://" + c.pattern
	for want, f := range faults(cut, row) {
		for _, from := range []int64{1, 2, 5} { // the survey, round 1 and round 4
			if from == 1 && strings.Contains(want, "hash") {
				continue // the survey finds the hash
			}
			c := c
			c.checkpoint += fmt.Sprint(want, from)
			fault, faultFrom = f, from
			opened.Store(0)
			err := run(t.Context(), io.Discard, c)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "/b.svm") {
				t.Errorf("opening %d: %v, want %q", from, err, want)
			}
			saved, missing := loadAll(t, c.checkpoint)
			if rounds := max(0, int(from)-2); (rounds == 0) != (missing != nil) || rounds > 0 && !equal(saved.State, goroutines(t, shards, uniform, rounds)) {
				t.Errorf("opening %d, %s: the checkpoint has %d rounds, %v", from, want, saved.Round, missing)
			}
			faultFrom = 1000
			got := trained(t, c)
			if !equal(got.State, goroutines(t, shards, uniform, 4)) {
				t.Errorf("opening %d, %s: the restart gives another result", from, want)
			}
			for i, s := range got.Job.Shards {
				if s.Examples != len(shards[i].X) {
					t.Errorf("shard %d has %d examples in the checkpoint, want %d", i, s.Examples, len(shards[i].X))
				}
			}
		}
	}
}

// stages replaces the work of the runner "hasty".
var stages func() error

func init() {
	beam.RegisterRunner("hasty", func(context.Context, *beam.Pipeline) (beam.PipelineResult, error) { return nil, stages() })
}

// TestFirstError: after a stage has failed, a runner may start the next one, and report that it misses a block.
// The run ends with the error of the first stage. If none has failed, it ends with the runner's own error.
func TestFirstError(t *testing.T) {
	c := setUp(t, noisy(1, 60, 3).split(3))
	c.Shards = must(expand(t.Context(), c.pattern))(t)
	runner := flag.Lookup("runner").Value
	defer runner.Set(runner.String())
	runner.Set("hasty")
	block := zero(3).split()[0]
	train := func(o origin, shard Shard, mean func(*Block) bool) error {
		return (&trainFn{nil, online, o, 1, false, false}).ProcessElement(t.Context(), shard, mean, func(int, Part) {})
	}
	none := func(*Block) bool { return false }
	next := func() error { return train(c.origin, c.Shards[1], none) }
	for want, f := range map[string]func() error{
		"b.svmx: no such file": func() error {
			lost := c.Shards[1]
			lost.Name += "x"
			train(c.origin, lost, one(block))
			return next()
		},
		"restore the file, or remove": func() error { // the block that the mean begins with
			lost := block
			lost.Name = "0.00"
			part, done := Part{Examples: 1, Mistakes: 1, Mean: &lost}, false
			parts := func(p *Part) bool { *p, done = part, !done; return done }
			(&mixFn{1, uniform, online, c.origin}).ProcessElement(t.Context(), 0, parts, func(Block) {})
			return next()
		},
		"missing block 0": next,
		"the runner is ill": func() error {
			train(origin{ID: "of another pipeline"}, c.Shards[1], none)
			return errors.New("the runner is ill")
		},
	} {
		stages = f
		err := c.runWatched(t.Context(), c.listen(io.Discard, nil), func(beam.Scope) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestFlipped: a run rejects shards whose content has changed since the checkpoint, even
// if each file has the same name and size. With the old content, it continues.
func TestFlipped(t *testing.T) {
	set := noisy(1, 60, 7)
	c := setUp(t, set.split(3))
	c.rounds = 1
	before := trained(t, c)
	other := 31 + slices.Index(set.y[31:], -set.y[30])
	set.y[30], set.y[other] = set.y[other], set.y[30] // so that the sizes stay
	for i, s := range set.split(3) {
		put(t, filepath.Join(filepath.Dir(c.pattern), string(rune('a'+i))+".svm"), s.text())
	}
	c.rounds = 2
	if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), "c.svm had the hash") {
		t.Errorf("%v, want the error of another hash", err)
	}
	if after := must(loadAll(t, c.checkpoint))(t); !equal(after.State, before.State) {
		t.Error("the checkpoint has changed")
	}
	set.y[30], set.y[other] = set.y[other], set.y[30]
	shards := set.split(3)
	put(t, filepath.Dir(c.pattern)+"/c.svm", shards[2].text())
	if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 2)) {
		t.Error("with the old content, the run gives another result")
	}
}

// TestRetried: an error that another attempt may repair is returned to the runner. Bad
// data is a result, so that no runner retries it.
func TestRetried(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	for want, test := range map[string]struct {
		change func(*Shard, *origin)
		retry  bool
	}{
		"":                        {func(*Shard, *origin) {}, false},
		"no such file":            {func(s *Shard, _ *origin) { s.Name += "x" }, true},
		"unexpected EOF":          {func(s *Shard, _ *origin) { s.Name = "faulty://" + s.Name }, true},
		"19 bytes in place of 20": {func(s *Shard, _ *origin) { os.WriteFile(s.Name, make([]byte, 19), 0o600); s.Size = 20 }, false},
		"in place of the hash 00": {func(s *Shard, _ *origin) { s.Sum = "00" }, false},
		"bad label":               {func(s *Shard, _ *origin) { os.WriteFile(s.Name, []byte("7 1:1\n"), 0o600); s.Size = 6 }, false},
		"they must be the same":   {func(_ *Shard, o *origin) { o.Program = "another" }, false},
		errCanceled.Error():       {func(_ *Shard, o *origin) { o.ID = "another" }, false},
		errPlace.Error():          {func(_ *Shard, o *origin) { o.Checkpoint += "x" }, true},
	} {
		c := setUp(t, shards)
		o := lease(t, c)
		shard := must(expand(t.Context(), c.pattern))(t)[1]
		test.change(&shard, &o)
		fault, faultFrom = func(c []byte) io.Reader { return bytes.NewReader(c[:0]) }, 0
		var part *Part
		err := (&trainFn{nil, online, o, 1, false, false}).ProcessElement(t.Context(), shard, one(zero(3).split()[0]), func(_ int, p Part) { part = &p })
		if test.retry != (err != nil) || test.retry != (part == nil) {
			t.Errorf("%s: %v, %+v", want, err, part)
			continue
		}
		text := fmt.Sprint(err)
		if part != nil {
			text = part.Failed
		}
		if !strings.Contains(text, want) || want == "" && text != "" {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// one returns an iterator of one block.
func one(block Block) func(*Block) bool {
	done := false
	return func(b *Block) bool { *b, done = block, !done; return done }
}

// TestTakenOver: a worker that reads a shard stops when the launcher cancels the run, or
// when another launcher takes the checkpoint. This is a result, so that no runner retries.
func TestTakenOver(t *testing.T) {
	for _, name := range []string{canceled, "another", "missing"} {
		c := setUp(t, noisy(1, 600, 3).split(3))
		o := lease(t, c)
		o.Beat = 1
		shard := must(expand(t.Context(), c.pattern))(t)[1]
		shard.Name = "faulty://" + shard.Name
		fault, faultFrom = func(content []byte) io.Reader {
			return io.MultiReader(bytes.NewReader(content[:100]), readerFunc(func() error {
				if name == "missing" {
					return os.Remove(c.checkpoint + leaseFile)
				}
				return o.lease(t.Context(), name)
			}), bytes.NewReader(content[100:]))
		}, 0
		var part Part
		err := (&trainFn{nil, online, o, 1, false, false}).ProcessElement(t.Context(), shard, one(zero(3).split()[0]), func(_ int, p Part) { part = p })
		if err != nil || !strings.Contains(part.Failed, errCanceled.Error()) {
			t.Errorf("%s: %v, %+v", name, err, part)
		}
		if p := o.progress(t.Context()); len(p) != 1 || p[0].Round != 1 || p[0].Shard != 1 || p[0].Done == 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestLeaseLost: if the lease disappears, or another launcher takes it, while a worker reads a
// shard, the run ends with an error. The same command continues to the result of an undisturbed
// run.
func TestLeaseLost(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	for other, want := range map[string]string{"": leaseFile, "another": errCanceled.Error()} {
		c := setUp(t, shards)
		c.pattern, c.rounds, c.chunk, c.stall = "faulty://"+c.pattern, 5, 5, 4*time.Second // workers read the lease every half second
		fault, faultFrom = func(content []byte) io.Reader {
			return io.MultiReader(bytes.NewReader(content[:20]), readerFunc(func() error {
				time.Sleep(c.stall / 4)
				if other == "" {
					return os.Remove(c.checkpoint + leaseFile)
				}
				return os.WriteFile(c.checkpoint+leaseFile, []byte(other), 0o600)
			}), bytes.NewReader(content[20:]))
		}, 4 // the survey and two rounds before
		opened.Store(0)
		if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("lease %q: %v, want %s", other, err, want)
		}
		faultFrom, c.stall = 1000, 2*time.Minute
		if saved := must(loadAll(t, c.checkpoint))(t); !equal(saved.State, goroutines(t, shards, uniform, 2)) {
			t.Errorf("lease %q: %d rounds in the checkpoint, want 2", other, saved.Round)
		}
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 5)) {
			t.Errorf("lease %q: the restart gives another result", other)
		}
	}
}

// A readerFunc is an empty reader that calls a function.
type readerFunc func() error

func (f readerFunc) Read([]byte) (int, error) { return 0, errors.Join(f(), io.EOF) }

// TestLength: a chunk by time has as many rounds as the last one allows, at most as many
// as Flink accepts. The first has one round.
func TestLength(t *testing.T) {
	var c config
	for _, test := range []struct {
		flag       string
		last, took int // rounds, seconds
		want       int
	}{
		{"7", 0, 0, 7}, {"7", 7, 1, 7}, {"100", 0, 0, maxChunk},
		{"5m", 0, 0, 1}, {"5m", 1, 33, 9}, {"5m", 10, 600, 5}, {"5m", 1, 301, 1}, {"5m", 1, 299, 1}, {"5m", 1, 150, 2},
		{"5m", 60, 60, maxChunk}, {"1000h", 1, 0, maxChunk}, {"1s", 4, 1000, 1},
	} {
		if err := c.setChunk(test.flag); err != nil || c.length(test.last, time.Duration(test.took)*time.Second) != test.want {
			t.Errorf("%+v: %v, %d", test, err, c.length(test.last, time.Duration(test.took)*time.Second))
		}
	}
	if c.setChunk("long") == nil {
		t.Error("setChunk accepted a text that is neither number nor time")
	}
	c = setUp(t, noisy(1, 60, 3).split(3))
	c.chunk, c.span = 0, time.Second
	if got := trained(t, c); !equal(got.State, goroutines(t, noisy(1, 60, 3).split(3), uniform, 10)) {
		t.Error("a chunk by time gives another result")
	}
}

// TestStall: a run without progress ends with an error, and so does a run that is
// canceled. The same command then continues.
func TestStall(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	for _, want := range []string{"no progress for 2s (-stall)", "the run was canceled: context canceled"} {
		c := setUp(t, shards)
		name := c.pattern
		c.pattern, c.rounds, c.chunk, c.stall = "faulty://"+c.pattern, 5, 5, 2*time.Second
		if strings.Contains(want, "canceled") {
			c.stall = 2 * time.Minute
		}
		ctx, cancel := context.WithCancel(t.Context())
		end := make(chan struct{})
		fault, faultFrom = func(content []byte) io.Reader {
			return io.MultiReader(bytes.NewReader(content), readerFunc(func() error {
				if strings.Contains(want, "canceled") {
					cancel()
				}
				<-end
				return nil
			}))
		}, 4 // the survey and two rounds before
		opened.Store(0)
		if err := run(ctx, io.Discard, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		close(end)
		cancel()
		faultFrom = 1000
		c.stall = 2 * time.Minute
		if saved := must(loadAll(t, c.checkpoint))(t); !equal(saved.State, goroutines(t, shards, uniform, 2)) {
			t.Errorf("%s: %d rounds in the checkpoint, want 2", want, saved.Round)
		}
		if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 5)) {
			t.Errorf("%s: the restart gives another result", want)
		}
		if names := must(filepath.Glob(filepath.Dir(name) + "/*"))(t); len(names) != 5 {
			t.Errorf("files: %v, want three shards, a checkpoint and a block", names)
		}
	}
}
