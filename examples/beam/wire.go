package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
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

func encodeShard(s Shard) ([]byte, error)             { return json.Marshal(s) }
func decodeShard(content []byte) (s Shard, err error) { return s, json.Unmarshal(content, &s) }

func encodeState(s State) ([]byte, error) {
	weights := s.Weights
	s.Weights = nil
	return pack(s, weights)
}

func decodeState(content []byte) (s State, err error) {
	weights, err := unpack(content, &s)
	s.Weights = weights
	return s, err
}

func encodePart(p Part) ([]byte, error) {
	weights := p.Weights
	p.Weights = nil
	return pack(p, weights)
}

func decodePart(content []byte) (p Part, err error) {
	weights, err := unpack(content, &p)
	p.Weights = weights
	return p, err
}

// pack returns the number of weights, their bits, and the JSON of v. JSON for the weights
// would take ten times as long.
func pack(v any, weights []float64) ([]byte, error) {
	content := binary.LittleEndian.AppendUint64(nil, uint64(len(weights)))
	content, _ = binary.Append(content, binary.LittleEndian, weights)
	text, err := json.Marshal(v)
	return append(content, text...), err
}

// unpack is the inverse of pack.
func unpack(content []byte, v any) ([]float64, error) {
	if len(content) < 8 || binary.LittleEndian.Uint64(content) > uint64(len(content)-8)/8 {
		return nil, errors.New("an element is cut")
	}
	weights := make([]float64, binary.LittleEndian.Uint64(content))
	n, err := binary.Decode(content[8:], binary.LittleEndian, weights)
	return weights, errors.Join(err, json.Unmarshal(content[8+n:], v))
}
