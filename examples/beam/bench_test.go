package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// BenchmarkWire: what a worker needs to write and read a state of 100,000 weights, and
// what it would need with gob and with JSON.
func BenchmarkWire(b *testing.B) {
	s := State{Weights: random(100_000), History: make([]Round, 20)}
	for _, form := range []struct {
		name   string
		encode func() ([]byte, error)
		decode func([]byte) (State, error)
	}{
		{"bits", func() ([]byte, error) { return encodeState(s) }, decodeState},
		{"gob", func() ([]byte, error) {
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(s)
			return out.Bytes(), err
		}, func(content []byte) (s State, err error) {
			err = gob.NewDecoder(bytes.NewReader(content)).Decode(&s)
			return s, err
		}},
		{"json", func() ([]byte, error) { return json.Marshal(s) }, func(content []byte) (s State, err error) {
			err = json.Unmarshal(content, &s)
			return s, err
		}},
	} {
		b.Run(form.name, func(b *testing.B) {
			began := used()
			for b.Loop() {
				content := must(form.encode())(b)
				if got := must(form.decode(content))(b); len(got.Weights) != len(s.Weights) {
					b.Fatalf("%d weights", len(got.Weights))
				}
			}
			b.ReportMetric((used()-began)*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// BenchmarkSparse: training on rows with 100 values that are not zero.
func BenchmarkSparse(b *testing.B) {
	for _, features := range []int{1_000_000, 1 << 18, 1 << 14} {
		b.Run(fmt.Sprint(features), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 0))
			var content []byte
			const rows = 300
			for range rows {
				content = fmt.Append(content, 2*r.IntN(2)-1)
				for j := range 100 {
					content = fmt.Appendf(content, " %d:%.3f", 1+j*(features/100)+r.IntN(features/100), r.Float64())
				}
				content = append(content, '\n')
			}
			epochs(b, libsvmFormat, content, features, rows)
		})
	}
}

// BenchmarkDense: training on rows of 1,000 features, in both formats.
func BenchmarkDense(b *testing.B) {
	set := noisy(1, 4000, 1000)
	for _, format := range []string{rowsFormat, libsvmFormat} {
		b.Run(format, func(b *testing.B) { epochs(b, format, set.encode(format), 1000, len(set.X)) })
	}
}

// epochs trains on a shard from the weights 0, as a worker does.
func epochs(b *testing.B, format string, content []byte, features, rows int) {
	shard := Shard{Name: filepath.Join(b.TempDir(), "shard"), Size: int64(len(content))}
	if err := os.WriteFile(shard.Name, content, 0o600); err != nil {
		b.Fatal(err)
	}
	f := trainFn{Reading: reading{Format: format}}
	began := used()
	for b.Loop() {
		var part Part
		if err := f.train(context.Background(), shard, State{Weights: make([]float64, features)}, &part); err != nil || part.Examples != rows {
			b.Fatalf("%v, %d examples", err, part.Examples)
		}
	}
	seconds := used() - began
	b.ReportMetric(float64(rows*b.N)/seconds, "rows/cpu-s")
	b.ReportMetric(float64(shard.Size)*float64(b.N)/seconds/1e9, "GB/cpu-s")
}

// BenchmarkMix: the mean of 100 shards of 10,000 features.
func BenchmarkMix(b *testing.B) {
	parts := make([]Part, 100)
	for i := range parts {
		parts[i] = Part{Shard: i, Weights: random(10_000), Examples: 10, Mistakes: 1}
	}
	began := used()
	for b.Loop() {
		must(mix(State{Weights: make([]float64, 10_000)}, parts, bySize))(b)
	}
	b.ReportMetric((used()-began)*1000/float64(b.N), "cpu-ms/op")
}
