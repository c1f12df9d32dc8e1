package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"perceptron"
)

// wordShards writes shards of sparse rows, and a row with both labels in each, so that every round
// has mistakes. It returns flags for them and their lines.
func wordShards(t testing.TB, shards, rows, features int) (c config, lines [][]byte) {
	c = setUp(t, nil)
	c.Features, c.chunk = features, 0
	for i := range shards {
		lines = append(lines, append(words(uint64(i), rows-2, features), "+1 1:1\n-1 1:1\n"...))
		name := strings.Replace(c.pattern, "*", fmt.Sprintf("%02d", i), 1)
		put(t, name, lines[i])
	}
	return c, lines
}

// TestFlinkLong: a run of 60 rounds with default flags ends with the bits of goroutines, for many shards on all slots.
func TestFlinkLong(t *testing.T) {
	f := flinkCluster(t)
	const slots, shards = 4, 16
	c, lines := wordShards(t, shards, 80, 47_236)
	c.rounds = 60
	want, _ := mixing(t, new(perceptron.Online), shards, uniform, c.rounds, func(i int, m *perceptron.Online) (perceptron.Epoch, error) {
		return learnLines(m, lines[i], c.Features)
	})
	f.ready(t)
	began := time.Now()
	f.start(t, append(f.flags(c), fmt.Sprint("--parallelism=", slots))).line(t, "still makes mistakes after 60 rounds")
	t.Logf("60 rounds took %v", time.Since(began))
	if got := must(loadAll(t, c.checkpoint))(t); !equal(got.State, want) {
		t.Error("the result differs from that of goroutines")
	}
}
