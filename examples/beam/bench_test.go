package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// The benchmarks here and in flink_bench_test.go have the figures of the README. They
// report CPU time too, because it varies less on a machine that others use.

// used returns the seconds of CPU that this process has used.
func used() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// random returns n weights with all their digits, as training leaves them.
func random(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 0))
	w := make([]float64, n)
	for i := range w {
		w[i] = r.NormFloat64()
	}
	return w
}

// BenchmarkWire: what a worker needs to write and read 100,000 weights, and what it would
// need with gob and with JSON.
func BenchmarkWire(b *testing.B) {
	s := Part{Change: Change{Value: random(100_000)}}
	for _, form := range []struct {
		name   string
		encode func() ([]byte, error)
		decode func([]byte) (Part, error)
	}{
		{"bits", func() ([]byte, error) { return encodePart(s) }, decodePart},
		{"gob", func() ([]byte, error) {
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(s.Change)
			return out.Bytes(), err
		}, func(content []byte) (s Part, err error) {
			err = gob.NewDecoder(bytes.NewReader(content)).Decode(&s.Change)
			return s, err
		}},
		{"json", func() ([]byte, error) { return json.Marshal(s.Change.Value) }, func(content []byte) (s Part, err error) {
			err = json.Unmarshal(content, &s.Change.Value)
			return s, err
		}},
	} {
		b.Run(form.name, func(b *testing.B) {
			began := used()
			for b.Loop() {
				content := must(form.encode())(b)
				if got := must(form.decode(content))(b); len(got.Change.Value) != len(s.Change.Value) {
					b.Fatalf("%d weights", len(got.Change.Value))
				}
			}
			b.ReportMetric((used()-began)*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkSparse: training on rows with 100 values that are not zero, whose features are
// frequent as words are. The rounds after the survey read caches.
func BenchmarkSparse(b *testing.B) {
	for _, features := range []int{100_000, 1_000_000, 10_000_000} {
		const rows = 40_000
		lines := words(1, rows, features)
		for _, way := range ways {
			b.Run(fmt.Sprint(features, "/", way), func(b *testing.B) { epochs(b, way, online, lines, features, rows) })
		}
	}
}

// words returns rows of 100 features, drawn by Zipf's law. Those of the first third of the
// features are more frequent in rows of the label +1.
func words(seed uint64, rows, features int) (content []byte) {
	r := rand.New(rand.NewPCG(seed, 0))
	z := rand.NewZipf(r, 1.1, 10, uint64(features-1))
	for range rows {
		y := 2*r.IntN(2) - 1
		at := map[int]bool{}
		for len(at) < 100 {
			if j := int(z.Uint64() * 7919 % uint64(features)); j >= features/3 || y > 0 || r.IntN(10) < 3 {
				at[j] = true
			}
		}
		content = fmt.Append(content, y)
		for _, j := range slices.Sorted(maps.Keys(at)) {
			content = fmt.Appendf(content, " %d:%.3f", j+1, r.Float64())
		}
		content = append(content, '\n')
	}
	return content
}

// BenchmarkKeep: training at 2²² features, with both values of -keep.
func BenchmarkKeep(b *testing.B) {
	const features, rows = 1 << 22, 20_000
	lines := words(1, rows, features)
	for _, keep := range keeps {
		b.Run(keep, func(b *testing.B) { epochs(b, "cache", learner{keep}, lines, features, rows) })
	}
}

// BenchmarkDense: training on rows of 1,000 features.
func BenchmarkDense(b *testing.B) {
	set := noisy(1, 4000, 1000)
	for _, way := range ways {
		b.Run(way, func(b *testing.B) { epochs(b, way, online, set.text(), 1000, len(set.X)) })
	}
}

var ways = []string{"text", "cache"} // that the rounds may read

// epochs trains on a shard from the weights 0, as a worker does.
func epochs(b *testing.B, way string, l learner, content []byte, features, rows int) {
	dir := b.TempDir()
	shard, o := Shard{Name: filepath.Join(dir, "shard"), Size: int64(len(content))}, origin{Checkpoint: filepath.Join(dir, "checkpoint")}
	put(b, shard.Name, content)
	if way == "cache" {
		o.Run = "run"
		_, failed, err := reading{}.parse(context.Background(), shard, o, o.cacheOf(shard), func(rows examples) error {
			for range rows {
			}
			return nil
		})
		must(0, errors.Join(failed, err))(b)
	}
	s := zero(features)
	s.Numbers = l.vectors() * (features + 1)
	s.Blocks = make([]string, blocks(s.Numbers))
	f, changes := trainFn{Learner: l, Origin: o}, make([]Change, len(s.Blocks))
	began := used()
	for b.Loop() {
		part := Part{}
		if err := f.train(context.Background(), shard, s, &part, changes); err != nil || part.Examples != rows || part.Note != "" {
			b.Fatalf("%v, %d examples", err, part.Examples)
		}
	}
	seconds := used() - began
	sent, changed := 0, 0
	for i, c := range changes {
		sent += len(must(encodePart(Part{Shard: 1, Change: c, Examples: rows, Mistakes: rows}))(b))
		w := blockOf(make([]float64, s.Numbers), i)
		if err := c.apply(w); err != nil {
			b.Fatal(err)
		}
		for _, v := range w {
			if v != 0 {
				changed++
			}
		}
	}
	b.ReportMetric(float64(sent)/float64(8*changed), "bytes/changed")
	b.ReportMetric(100*float64(changed)/float64(features), "%changed")
	b.ReportMetric(float64(rows*b.N)/seconds, "rows/cpu-s")
	b.ReportMetric(float64(shard.Size)*float64(b.N)/seconds/1e9, "GB/cpu-s")
}

// zero returns the state before the first round.
func zero(features int) State {
	return State{Features: features, Numbers: features + 1, Blocks: make([]string, blocks(features+1))}
}

// BenchmarkMix: the mean of 100 shards of 10,000 features.
func BenchmarkMix(b *testing.B) {
	parts := make([]Part, 100)
	for i := range parts {
		parts[i] = Part{Shard: i, Model: flat(b), Change: Change{Value: random(10_000)}, Examples: 10, Mistakes: 1}
	}
	began := used()
	for b.Loop() {
		_, weights := mix(State{}, parts, bySize)
		must(online.mixBlock(make([]float64, 10_000), parts, weights))(b)
	}
	b.ReportMetric((used()-began)*1000/float64(b.N), "cpu-ms/op")
}
