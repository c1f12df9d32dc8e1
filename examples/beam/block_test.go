package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"encoding/json"

	"perceptron"
)

// TestBlocks: training in several blocks, on sparse rows, is bit-identical to goroutines on
// dense rows. The last block is short, some blocks are not changed in some rounds, and one
// never. No blocks of earlier rounds remain.
func TestBlocks(t *testing.T) {
	const features = 3*blockSize + 100
	r := rand.New(rand.NewPCG(5, 0))
	var set dataset
	for i := range 60 {
		x := make([]float64, features)
		for range 20 {
			j := r.IntN(features)
			if j/blockSize != 1 && (i < 20 || j/blockSize != 2) { // block 2 is in the first shards
				x[j] = r.NormFloat64()
			}
		}
		x[features-1] = float64(i%3) - 1
		set.X, set.y = append(set.X, x), append(set.y, 2*r.IntN(2)-1)
	}
	shards := set.split(3)
	for _, by := range mixes {
		c := setUp(t, shards)
		c.Mix, c.chunk, c.rounds, c.model = by, 2, 5, filepath.Join(t.TempDir(), "model")
		got, want := trained(t, c), goroutines(t, shards, by, 5)
		if !equal(got.State, want) {
			t.Errorf("%s: the result is not bit-identical to goroutines", by)
		}
		names := must(filepath.Glob(c.checkpoint + ".*"))(t)
		if len(got.Blocks) != 4 || got.Blocks[1] != "" || len(names) != 3 {
			t.Errorf("%s: blocks %q, files %q", by, got.Blocks, names)
		}
		var h perceptron.Hyperplane
		if err := json.Unmarshal(must(os.ReadFile(c.model))(t), &h); err != nil || !equal(trainedState{Hyperplane: h}, trainedState{Hyperplane: want.Hyperplane}) {
			t.Errorf("%s: -model has another hyperplane: %v", by, err)
		}
	}
}

// TestChange: a change keeps every bit, is the indexes that differ or all weights, whichever
// is smaller, and is the same if it is applied again.
func TestChange(t *testing.T) {
	minus := math.Copysign(0, -1)
	old := []float64{0, minus, 1, 2, 3}
	for _, test := range []struct {
		w    []float64
		want Change
	}{
		{old, Change{[]uint16{}, nil}},
		{[]float64{minus, minus, 1, 2, 4}, Change{[]uint16{0, 4}, []float64{minus, 4}}},
		{[]float64{0, 0, 1, 5, 4}, Change{nil, []float64{0, 0, 1, 5, 4}}},
	} {
		c := change(old, test.w)
		if fmt.Sprintf("%#v", c) != fmt.Sprintf("%#v", test.want) {
			t.Errorf("%#v, want %#v", c, test.want)
		}
		got := slices.Clone(old)
		for range 2 {
			if err := c.apply(got); err != nil || !equalBits(got, test.w) {
				t.Errorf("%v, %v, want %v", err, got, test.w)
			}
		}
	}
}

// TestBlockDamaged: a block that is damaged or missing ends the run with an error that names
// its file. The checkpoint keeps the round before.
func TestBlockDamaged(t *testing.T) {
	shards := noisy(1, 60, 3).split(3)
	c := setUp(t, shards)
	c.rounds = 2
	before := trained(t, c)
	file := c.checkpoint + blockFile + before.Blocks[0]
	content := must(os.ReadFile(file))(t)
	c.rounds = 4
	for want, change := range map[string]func() error{
		"damaged: the hash is": func() error {
			return os.WriteFile(file, append(content[:len(content)-1:len(content)-1], content[len(content)-1]^1), 0o600)
		},
		"no such file": func() error { return os.Remove(file) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		err := run(t.Context(), io.Discard, c)
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if after := must(load(t.Context(), c.checkpoint))(t); after.Round != 2 {
			t.Errorf("%d rounds in the checkpoint", after.Round)
		}
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 4)) {
		t.Error("the restart gives another result")
	}
}
