package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// cached returns a shard after its survey, and the name of its cache.
func cached(t *testing.T) (o origin, shard Shard, name string) {
	c := setUp(t, noisy(1, 30, 40).split(1))
	o, shard = lease(t, c), must(expand(t.Context(), c.pattern))(t)[0]
	_, failed, err := reading{}.parse(t.Context(), shard, o, o.cacheOf(shard), func(rows examples) error {
		for range rows {
		}
		return nil
	})
	must(0, errors.Join(failed, err))(t)
	return o, shard, caches(t, c)[0]
}

// caches returns the names of the caches beside a checkpoint.
func caches(t *testing.T, c config) []string {
	return must(filepath.Glob(c.checkpoint + cacheFile + "*"))(t)
}

// rowsOf returns what training sees of a shard.
func rowsOf(t *testing.T, o origin, shard Shard) (note string, rows []string, err error) {
	note, err = reading{Features: 40}.train(t.Context(), shard, o, func(all examples) error {
		rows = nil
		for x, y := range all {
			rows = append(rows, fmt.Sprintf("%d %x %x", y, x.Index, x.Value))
		}
		return nil
	})
	return note, rows, err
}

// TestCache: after the survey, the rows come from the cache. A cache that is lost, damaged, cut or too long
// is written once more, with the same rows. A message says so once. A shard that changes is never read from
// the cache.
func TestCache(t *testing.T) {
	o, shard, name := cached(t)
	content, text := must(os.ReadFile(name))(t), must(os.ReadFile(shard.Name))(t)
	_, want, err := rowsOf(t, origin{}, shard) // without a cache
	must(0, err)(t)
	check := func(what, note string) {
		t.Helper()
		if got, rows, err := rowsOf(t, o, shard); err != nil || !strings.Contains(got, note) || (got == "") != (note == "") || !slices.Equal(rows, want) {
			t.Errorf("%s: %q, %v; rows as in the shard: %v", what, got, err, slices.Equal(rows, want))
		}
	}
	put(t, shard.Name, slices.Concat([]byte{'#'}, text[1:])) // the text is not read
	check("whole", "")
	put(t, shard.Name, text)
	for at := range content {
		if at > 60 && at%37 > 0 {
			continue
		}
		bad := slices.Clone(content)
		bad[at] ^= 1 << (at % 8)
		must(0, os.WriteFile(o.named(t), bad, 0o600))(t)
		check(fmt.Sprint("byte ", at), "was lost, and is written anew")
		check(fmt.Sprint("byte ", at, ", again"), "")
	}
	for _, bad := range [][]byte{nil, content[:20], content[:len(content)-12], append(slices.Clone(content), 0), content[:4]} {
		must(0, os.WriteFile(o.named(t), bad, 0o600))(t)
		check(fmt.Sprint(len(bad), " bytes"), "was lost, and is written anew")
		check("again", "")
	}
	must(0, os.Remove(o.named(t)))(t)
	check("removed", "there was none")
	check("again", "")
	put(t, shard.Name, append([]byte("+1"), text[2:]...))
	must(0, os.Chtimes(shard.Name, time.Now().Add(-time.Minute), time.Now().Add(-time.Minute)))(t)
	if text[0] != '-' {
		t.Fatal("the test needs a first label of -1")
	}
	shard.Sum = "0123"
	if _, _, err := rowsOf(t, o, shard); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("%v, want the error of a shard that has changed", err)
	}
}

// named returns the name of the only cache.
func (o origin) named(t *testing.T) string {
	names := must(filepath.Glob(o.Checkpoint + cacheFile + "*"))(t)
	if len(names) != 1 {
		t.Fatalf("caches: %v", names)
	}
	return names[0]
}

// TestCacheNone: if a cache cannot be written, the note says so, and the rows are those of the text. A shard that has
// just changed gets its cache after a while.
func TestCacheNone(t *testing.T) {
	o, shard, name := cached(t)
	_, want, _ := rowsOf(t, o, shard)
	must(0, os.Remove(name))(t)
	at := time.Now()
	must(0, os.Chtimes(shard.Name, at, at))(t)
	if note, rows, err := rowsOf(t, o, shard); note == "" || err != nil || !slices.Equal(rows, want) || time.Since(at) < racy {
		t.Errorf("%q, %v, after %v", note, err, time.Since(at))
	}
	o.Run = "none/none"
	if note, rows, err := rowsOf(t, o, shard); !strings.Contains(note, "a shard has no cache beside the checkpoint, so each round reads its text: no such file") || err != nil || !slices.Equal(rows, want) {
		t.Errorf("%q, %v", note, err)
	}
}

// TestCacheBits: a training with the default caches has the bits of goroutines, and leaves no cache. If somebody
// removes them, or their folder is full of an older run's, it says so once, and the bits stay.
func TestCacheBits(t *testing.T) {
	shards := noisy(1, 300, 40).split(3)
	other := goroutines(t, shards, uniform, 6)
	c := setUp(t, shards)
	c.rounds, c.chunk = 6, 3
	for _, label := range []int{-1, 1} { // the caches of the first would give the other signs
		c.Positive, c.checkpoint = &label, c.checkpoint+"x"
		flipped := slices.Clone(shards)
		for i, s := range flipped {
			flipped[i].y = slices.Clone(s.y)
			for k, y := range s.y {
				flipped[i].y[k] = label * y
			}
		}
		want := goroutines(t, flipped, uniform, 6)
		if label == -1 && equal(want, other) {
			t.Fatal("the test shows nothing")
		}
		stale := c
		must(0, stale.begin(t.Context()))(t)
		wrong := 2
		stale.Positive = &wrong
		for i, shard := range must(expand(t.Context(), c.pattern))(t) { // a run with another label that was killed
			_, failed, err := reading{Positive: stale.Positive}.parse(t.Context(), shard, stale.origin, stale.origin.cacheOf(shard), func(rows examples) error {
				for range rows {
				}
				return nil
			})
			must(i, errors.Join(failed, err))(t)
		}
		var out strings.Builder
		lines := lineFunc(func(line string) {
			out.WriteString(line)
			if strings.HasPrefix(line, "round 3:") {
				for _, name := range caches(t, c) {
					os.Remove(name)
				}
			}
		})
		must(0, run(t.Context(), lines, c))(t)
		if got := must(loadAll(t, c.checkpoint))(t); !equal(withoutNotes(got.State), want) {
			t.Error("the result differs from that of goroutines")
		}
		if n := strings.Count(out.String(), "was lost, and is written anew: there was none"); n != 1 {
			t.Errorf("said %d times:\n%s", n, out.String())
		}
		if names := caches(t, c); len(names) != 0 {
			t.Errorf("left %v", names)
		}
	}
}

// withoutNotes returns a state without the notes of its rounds.
func withoutNotes(s trainedState) trainedState {
	s.History = slices.Clone(s.History)
	for i := range s.History {
		s.History[i].Note = ""
	}
	return s
}

// TestTwoLaunchers: if a second launcher takes the checkpoint, the first ends with an error, even if it is canceled.
// The second's lease, result and caches stay.
func TestTwoLaunchers(t *testing.T) {
	for _, stop := range []bool{false, true} {
		c := setUp(t, noisy(1, 300, 7).split(3))
		c.rounds, c.chunk = 1000, 2
		second := c
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var cache string
		err := run(ctx, lineFunc(func(line string) {
			if strings.HasPrefix(line, "round 4:") {
				must(0, second.begin(t.Context()))(t)
				cache = cacheFile + second.origin.Run + ".0.1.2"
				must(0, errors.Join(second.origin.write(t.Context(), cache, nil), second.origin.write(t.Context(), nextFile, nil)))(t)
				if stop {
					cancel()
				}
			}
		}), c)
		want := errCanceled.Error()
		if stop {
			want = "the run was canceled: context canceled"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if second.origin.taken(t.Context()) || second.origin.leased(t.Context()) != nil {
			t.Error("the second launcher has lost its lease")
		}
		for _, file := range []string{cache, nextFile} {
			if _, err := os.Stat(c.checkpoint + file); err != nil {
				t.Error(err)
			}
		}
		if names := caches(t, c); len(names) != 1 {
			t.Errorf("caches: %v, want the second's alone", names)
		}
		second.rounds = 8
		must(0, run(t.Context(), io.Discard, second))(t)
	}
}
