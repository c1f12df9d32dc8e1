package main

import (
	"math"
	"reflect"
	"testing"
)

// TestWire: elements keep every bit and every field on their way between workers.
func TestWire(t *testing.T) {
	shard := Shard{3, "a", 10, 4, 7, 2, 1, "0123456789abcdef", "note"}
	if got := must(decodeShard(must(encodeShard(shard))(t)))(t); got != shard {
		t.Errorf("%+v, want %+v", got, shard)
	}
	minus := math.Copysign(0, -1)
	block := Block{7, "7.ab", State{Round: 2, Converged: true, Features: 9, Numbers: 10, Model: flat(t), History: []Round{{7, 3, 1.0 / 3, "note"}, {7, 2, 1, ""}}, Failed: "y"}}
	if got := must(decodeBlock(must(encodeBlock(block))(t)))(t); !reflect.DeepEqual(got, block) {
		t.Errorf("%+v, want %+v", got, block)
	}
	part := Part{Shard: 2, Model: flat(t), Examples: 5, Mistakes: 4, Surveyed: shard, Note: "n", Failed: "x", Mean: &block}
	weights := []float64{0.1, minus, math.MaxFloat64, math.SmallestNonzeroFloat64}
	for _, part.Change = range []Change{{nil, weights}, {[]uint16{0, 1, 4, 65535}, weights}, {[]uint16{}, []float64{}}} {
		content := must(encodePart(part))(t)
		got := must(decodePart(content))(t)
		if !reflect.DeepEqual(got, part) || !equalBits(got.Change.Value, part.Change.Value) {
			t.Errorf("%+v, want %+v", got, part)
		}
		for i := range content {
			if _, err := decodePart(content[:i]); err == nil {
				t.Errorf("decodePart accepted %d bytes of %d", i, len(content))
			}
		}
	}
}
