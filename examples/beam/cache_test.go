package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perceptron"
)

// cached returns flags for shards of sparse rows that are old enough for a cache, and the first shard after the survey
// has written its cache.
func cached(t *testing.T) (c config, o origin, shard Shard) {
	c = setUp(t, libsvmFormat, noisy(1, 90, 40).split(3))
	c.cache, c.Passes = true, 2
	setTime(t, c, time.Hour)
	c.Shards = must(expand(t.Context(), c.pattern))(t)
	o, shard = lease(t, c), c.Shards[0]
	shard.Sum = must(c.reading().survey(t.Context(), shard, 0, o, func(row, int) error { return nil }))(t)
	return c, o, shard
}

// setTime makes shards as old as age.
func setTime(t *testing.T, c config, age time.Duration) {
	at := time.Now().Add(-age)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// passes returns the formats of the passes over a shard, and the rows of all passes since they last began.
func passes(t *testing.T, r reading, shard Shard, o origin) (formats, rows []string, err error) {
	err = r.train(t.Context(), shard, 40, o, func() error {
		rows = nil
		return nil
	}, func(format string, all examples) error {
		formats = append(formats, format)
		for x, y := range all {
			rows = append(rows, fmt.Sprintf("%d %x %x", y, x.sparse.Index, x.sparse.Value))
		}
		return nil
	})
	return formats, rows, err
}

// TestCache: after the survey, the rows come from the cache. A cache that is damaged, cut or too long is
// removed, and the shard is read anew, with the same rows. A shard that changes is never read from the
// cache.
func TestCache(t *testing.T) {
	c, o, shard := cached(t)
	plain := c.reading()
	plain.Cache = false
	_, want, err := passes(t, plain, shard, o)
	must(0, err)(t)
	name := must(filepath.Glob(c.checkpoint + cacheFile + "*"))(t)[0]
	content := must(os.ReadFile(name))(t)
	check := func(what string, formats ...string) {
		t.Helper()
		if got, rows, err := passes(t, c.reading(), shard, o); err != nil || !slices.Equal(got, formats) || !slices.Equal(rows, want) {
			t.Errorf("%s: %v, %v, want %v; rows as in the shard: %v", what, err, got, formats, slices.Equal(rows, want))
		}
	}
	check("whole", sparseFormat, sparseFormat)
	for at := range content {
		if at > 200 && at%37 > 0 {
			continue
		}
		bad := slices.Clone(content)
		bad[at] ^= 1 << (at % 8)
		must(0, os.WriteFile(name, bad, 0o600))(t)
		if formats, rows, err := passes(t, c.reading(), shard, o); err != nil || formats[len(formats)-1] != libsvmFormat && at/8 != 1 || !slices.Equal(rows, want) {
			t.Errorf("byte %d: %v, %v; rows as in the shard: %v", at, err, formats, slices.Equal(rows, want))
		}
		if _, err := os.Stat(name); !missing(err) && at/8 != 1 { // a larger width is no damage
			t.Errorf("byte %d: the damaged cache is still there", at)
		}
	}
	for _, bad := range [][]byte{nil, content[:20], content[:len(content)-12], append(slices.Clone(content), 0)} {
		must(0, os.WriteFile(name, bad, 0o600))(t)
		check(fmt.Sprint(len(bad), " bytes"), libsvmFormat, libsvmFormat)
	}
	must(0, os.WriteFile(name, content, 0o600))(t)
	text := must(os.ReadFile(shard.Name))(t)
	if text[0] != '-' {
		t.Fatal("the test needs a first label of -1")
	}
	must(0, os.WriteFile(shard.Name, append([]byte("+"), text[1:]...), 0o600))(t)
	if _, _, err := passes(t, c.reading(), shard, o); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("%v, want the error of a shard that has changed", err)
	}
}

// TestDone: the progress of a shard grows from 0 to its size in all passes, from its cache too.
func TestDone(t *testing.T) {
	for _, source := range []int64{0, 1000} {
		size, got := int64(1000), []int64{}
		if source > 0 {
			size = 100 // of the cache
		}
		for pass := range 2 {
			for _, n := range []int64{0, size / 2, size} {
				got = append(got, reading{Passes: 2, pass: pass, source: source}.done(n, size))
			}
		}
		if want := []int64{0, 250, 500, 500, 750, 1000}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := (reading{}).done(7, -1); got != 7 {
		t.Errorf("%d bytes of a pipe, want 7", got)
	}
}

// TestCacheNone: a shard that has just changed, or of which a cache cannot be written, has no cache.
func TestCacheNone(t *testing.T) {
	c, o, shard := cached(t)
	must(0, o.clear(t.Context(), cacheFile+"*"))(t)
	setTime(t, c, 0)
	must(c.reading().survey(t.Context(), shard, 0, o, func(row, int) error { return nil }))(t)
	setTime(t, c, time.Hour)
	o.Checkpoint = filepath.Dir(c.checkpoint) + "/none/checkpoint"
	must(c.reading().survey(t.Context(), shard, 0, o, func(row, int) error { return nil }))(t)
	if names := must(filepath.Glob(filepath.Dir(c.checkpoint) + "/*" + cacheFile + "*"))(t); len(names) != 0 {
		t.Errorf("%v, want no cache", names)
	}
}

// TestCacheBits: a training with caches has the bits of goroutines, and leaves no cache. The labels may
// need -positive. A bad label is reported with its line in the shard.
func TestCacheBits(t *testing.T) {
	shards := noisy(1, 300, 40).split(3)
	c := setUp(t, libsvmFormat, shards)
	c.cache = true
	c.setPositive("1")
	setTime(t, c, time.Hour)
	if got := trained(t, c); !equal(got.State, goroutines(t, c.Format, shards, uniform, c.rounds)) {
		t.Error("the result differs from that of goroutines")
	}
	if names := must(filepath.Glob(filepath.Dir(c.checkpoint) + "/*" + cacheFile + "*"))(t); len(names) != 0 {
		t.Errorf("left %v", names)
	}
	c, o, shard := cached(t)
	err := c.reading().train(t.Context(), shard, 40, o, func() error { return nil }, func(string, examples) error {
		return &perceptron.ExampleError{Index: 4, Err: perceptron.ErrLabel}
	})
	if !errors.Is(err, perceptron.ErrLabel) || !strings.Contains(err.Error(), shard.Name+": row 5") {
		t.Errorf("%v, want row 5 of %s", err, shard.Name)
	}
}

// TestSparse: the format sparse rejects headers that do not fit the file, and the position of a bad row.
func TestSparse(t *testing.T) {
	good := sparse([]byte("+1 1:2 7:1\n-1 1:3\n"))
	for want, content := range map[string][]byte{
		"not of the format":  append([]byte("x"), good[1:]...),
		"header: unexpected": good[:30],
		"cannot hold":        append(slices.Clone(good), 0),
		"row 1: damaged":     append(append(slices.Clone(good[:44]), 9), good[45:]...),
		"damaged: the hash":  append(slices.Clone(good[:len(good)-1]), 1),
		"want at most":       sparse([]byte("+1 9:1\n")),
	} {
		c := setUp(t, sparseFormat, nil)
		c.Features = 8
		name := strings.Replace(c.pattern, "*", "a", 1)
		must(0, os.WriteFile(name, content, 0o600))(t)
		shard := must(expand(t.Context(), name))(t)[0]
		_, err := c.reading().each(t.Context(), shard, c.Features, origin{}, func(rows examples) error {
			for range rows {
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
