package main

import (
	"math"
	"reflect"
	"testing"
)

// TestWire: elements keep every bit and every field on their way between workers.
func TestWire(t *testing.T) {
	shard := Shard{3, "a", 10, 4, "0123456789abcdef"}
	if got := must(decodeShard(must(encodeShard(shard))(t)))(t); got != shard {
		t.Errorf("%+v, want %+v", got, shard)
	}
	minus := math.Copysign(0, -1)
	weights := []float64{0.1, minus, math.MaxFloat64, math.SmallestNonzeroFloat64}
	for _, bias := range []float64{minus, -1.0 / 3} {
		part := Part{Shard: 2, Weights: weights, Bias: bias, Examples: 5, Mistakes: 4, Features: 3, Sum: "0123", Failed: "x", Mean: []byte("\x00m")}
		got := must(decodePart(must(encodePart(part))(t)))(t)
		if !reflect.DeepEqual(got, part) || !equal(State{Weights: got.Weights, Bias: got.Bias}, State{Weights: weights, Bias: bias}) {
			t.Errorf("%+v, want %+v", got, part)
		}
		state := State{Round: 2, Converged: true, Weights: weights, Bias: bias, History: []Round{{7, 3, 1.5}, {7, 2, 1}}, Failed: "y"}
		if got := must(decodeState(must(encodeState(state))(t)))(t); !equal(got, state) || !reflect.DeepEqual(got, state) {
			t.Errorf("%+v, want %+v", got, state)
		}
	}
	content := must(encodeState(State{Weights: weights}))(t)
	for i := range content {
		if _, err := decodeState(content[:i]); err == nil {
			t.Errorf("decodeState accepted %d bytes of %d", i, len(content))
		}
	}
}
