package main

import (
	"bytes"
	"encoding/gob"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Runners see the elements as bytes. Beam's own format of a struct is one that Flink
// reads, and reads wrongly.
func init() {
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
	beam.RegisterCoder(reflect.TypeFor[Part](), encodePart, decodePart)
	beam.RegisterCoder(reflect.TypeFor[State](), encodeState, decodeState)
}

func encodeShard(s Shard) ([]byte, error)       { return pack(s) }
func decodeShard(content []byte) (Shard, error) { return unpack[Shard](content) }

func encodePart(p Part) ([]byte, error) {
	p.Weights, p.Bias = join(p.Weights, p.Bias), 0
	if p.Mean != nil {
		mean := *p.Mean
		mean.Weights, mean.Bias = join(mean.Weights, mean.Bias), 0
		p.Mean = &mean
	}
	return pack(p)
}

func decodePart(content []byte) (Part, error) {
	p, err := unpack[Part](content)
	p.Weights, p.Bias = cut(p.Weights)
	if p.Mean != nil {
		p.Mean.Weights, p.Mean.Bias = cut(p.Mean.Weights)
	}
	return p, err
}

func encodeState(s State) ([]byte, error) {
	s.Weights, s.Bias = join(s.Weights, s.Bias), 0
	return pack(s)
}

func decodeState(content []byte) (State, error) {
	s, err := unpack[State](content)
	s.Weights, s.Bias = cut(s.Weights)
	return s, err
}

// join puts the bias after the weights, because gob keeps every bit of an element, but
// turns a field of −0 into +0.
func join(weights []float64, bias float64) []float64 {
	return append(weights[:len(weights):len(weights)], bias)
}

// cut is the inverse of join.
func cut(joined []float64) (weights []float64, bias float64) {
	if len(joined) == 0 {
		return nil, 0 // after an error
	}
	last := len(joined) - 1
	return joined[:last:last], joined[last]
}

func pack(v any) ([]byte, error) {
	var content bytes.Buffer
	err := gob.NewEncoder(&content).Encode(v)
	return content.Bytes(), err
}

func unpack[T any](content []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(content)).Decode(&v)
	return v, err
}
