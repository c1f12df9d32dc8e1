package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"perceptron"
)

// TestMain lets a test start this binary as the program, a job server or a pool of
// workers, so that the test can kill the process.
func TestMain(m *testing.M) {
	kind := os.Getenv("BEAM_TEST_PROCESS")
	if kind != "" {
		go orphan()
	}
	switch kind {
	case "program":
		main()
		return
	case "server":
		serve()
	}
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	// A killed process leaves its temporary files.
	dir, err := os.MkdirTemp("", "beam")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// orphan ends this process when its standard input ends, because then the test that
// started it is dead. Otherwise the process would keep a core busy.
func orphan() {
	io.Copy(io.Discard, os.Stdin)
	os.Exit(3)
}

// must returns a function that returns v, or ends the test if err is not nil.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// trained runs the program and returns its checkpoint.
func trained(t *testing.T, c config) whole {
	t.Helper()
	if err := run(t.Context(), io.Discard, c); err != nil {
		t.Fatal(err)
	}
	return must(loadAll(t, c.checkpoint))(t)
}

// A whole is a checkpoint with its hyperplane.
type whole struct {
	checkpoint
	State trainedState
}

// A trainedState is a state with its hyperplane.
type trainedState struct {
	State
	perceptron.Hyperplane
}

// load reads a checkpoint. The error is fs.ErrNotExist if the file does not exist.
func load(ctx context.Context, name string) (checkpoint, error) {
	content, err := read(ctx, name)
	if err != nil {
		return checkpoint{}, err
	}
	return decode(content)
}

// loadAll reads a checkpoint with its hyperplane.
func loadAll(t testing.TB, name string) (all whole, err error) {
	if all.checkpoint, err = load(t.Context(), name); err != nil {
		return all, err
	}
	all.State.State = all.checkpoint.State
	m, err := origin{Checkpoint: name}.predictor(t.Context(), all.Job.learner, all.checkpoint.State)
	if err == nil {
		all.State.Hyperplane = m.Hyperplane()
	}
	return all, err
}

// setUp writes the shards to a new folder and returns flags for them.
func setUp(t testing.TB, shards []dataset) config {
	t.Helper()
	dir := t.TempDir()
	for i, set := range shards {
		put(t, filepath.Join(dir, string(rune('a'+i))+".svm"), set.text())
	}
	return config{
		job:     job{Mix: uniform, learner: online},
		pattern: filepath.Join(dir, "*.svm"), checkpoint: filepath.Join(dir, "checkpoint"),
		rounds: 10, chunk: 10, stall: 2 * time.Minute,
	}
}

// put writes a shard that is old enough for a cache.
func put(t testing.TB, name string, content []byte) {
	t.Helper()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := errors.Join(os.WriteFile(name, content, 0o600), os.Chtimes(name, at, at)); err != nil {
		t.Fatal(err)
	}
}

// TestFlags: the program rejects bad flags before it writes any file.
func TestFlags(t *testing.T) {
	good := setUp(t, []dataset{separable(1, 10, 3)})
	for want, change := range map[string]func(*config){
		"-rounds 0":         func(c *config) { c.rounds = 0 },
		"-chunk: want":      func(c *config) { c.chunk = 0 },
		"-chunk: want at":   func(c *config) { c.chunk = -1 },
		"-stall 0s":         func(c *config) { c.stall = 0 },
		"-features -1":      func(c *config) { c.Features = -1 },
		`-mix "mean"`:       func(c *config) { c.Mix = "mean" },
		`-keep "pocket"`:    func(c *config) { c.Keep = "pocket" },
		"no such file":      func(c *config) { c.pattern += "x" },
		`-holdout: -shards`: func(c *config) { c.holdout = "none" },
		`is the shard`: func(c *config) {
			c.holdout = filepath.Dir(c.pattern) + "/../" + filepath.Base(filepath.Dir(c.pattern)) + "/a.svm"
		},
		`-shards ""`:         func(c *config) { c.pattern = "" },
		"syntax error":       func(c *config) { c.pattern = "[" },
		`scheme "none"`:      func(c *config) { c.pattern = "none://x" },
		`file system scheme`: func(c *config) { c.checkpoint = "none://x" },
	} {
		c := good
		change(&c)
		if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if names := must(filepath.Glob(filepath.Dir(good.pattern) + "/*"))(t); len(names) != 1 {
		t.Errorf("files: %v, want only the shard", names)
	}
}

// TestOutput: the program prints each round, and the accuracy on rows held out. One of these rows
// has a feature that no row of the training has. A restart after the end prints no rounds.
func TestOutput(t *testing.T) {
	c := setUp(t, []dataset{{X: [][]float64{{1}}, y: []int{1}}, {X: [][]float64{{-1}}, y: []int{-1}}})
	c.chunk, c.holdout = 1, filepath.Dir(c.pattern)+"/holdout"
	if err := os.WriteFile(c.holdout, []byte("+1 1:2 7:1\n-1 1:3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(t.Context(), &out, c); err != nil {
		t.Fatal(err)
	}
	want := "shard " + filepath.Dir(c.pattern) + "/a.svm: 1 example, 1 of them +1, 6 bytes, hash 1425749548825a5d\n" +
		"shard " + filepath.Dir(c.pattern) + "/b.svm: 1 example, 0 of them +1, 8 bytes, hash 6a6e509e1e9aa687\n" +
		"W" +
		"round 1: 2 mistakes on 2 examples, S s, R rows/s\nround 1: 50.00 % of 2 rows held out are right\n" +
		"round 2: 0 mistakes on 2 examples, S s, R rows/s\nround 2: 50.00 % of 2 rows held out are right\n" +
		"no mistakes on any shard after 2 rounds, 1 weighted mistake; weights in " + c.checkpoint + "\n"
	got := regexp.MustCompile(`[0-9.]+ s, [0-9]+ rows`).ReplaceAllString(out.String(), "S s, R rows")
	got = regexp.MustCompile(`(?s)warning: 2 of 2 shards: rows of one label only, .* dealt/\n`).ReplaceAllString(got, "W") // TestTrap has it
	if got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
	out.Reset()
	if err := run(t.Context(), &out, c); err != nil || !strings.HasPrefix(out.String(), "continuing from") || strings.Contains(out.String(), "\nround") {
		t.Errorf("%v, printed\n%s", err, out.String())
	}
}
