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

func encodeState(s State) ([]byte, error)             { return pack(&s, &s.Weights) }
func decodeState(content []byte) (s State, err error) { err = unpack(content, &s, &s.Weights); return }
func encodePart(p Part) ([]byte, error)               { return pack(&p, &p.Weights) }
func decodePart(content []byte) (p Part, err error)   { err = unpack(content, &p, &p.Weights); return }

// pack returns the number of weights, their bits, and the JSON of v without them, because
// JSON, and gob too, take many times as long for a float64 (BenchmarkWire). It sets the
// weights to nil.
func pack(v any, weights *[]float64) ([]byte, error) {
	content := binary.LittleEndian.AppendUint64(nil, uint64(len(*weights)))
	content, _ = binary.Append(content, binary.LittleEndian, *weights)
	*weights = nil
	text, err := json.Marshal(v)
	return append(content, text...), err
}

// unpack is the inverse of pack.
func unpack(content []byte, v any, weights *[]float64) error {
	if len(content) < 8 || binary.LittleEndian.Uint64(content) > uint64(len(content)-8)/8 {
		return errors.New("an element is cut")
	}
	w := make([]float64, binary.LittleEndian.Uint64(content))
	n, _ := binary.Decode(content[8:], binary.LittleEndian, w)
	err := json.Unmarshal(content[8+n:], v)
	*weights = w
	return err
}
