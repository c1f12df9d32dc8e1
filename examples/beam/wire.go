package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Elements are encoded as bytes, because Flink misreads Beam's own format of a struct. Runners do not
// decode bytes.
func init() {
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
	beam.RegisterCoder(reflect.TypeFor[Block](), encodeBlock, decodeBlock)
	beam.RegisterCoder(reflect.TypeFor[Part](), encodePart, decodePart)
}

func encodeShard(s Shard) ([]byte, error)             { return json.Marshal(s) }
func decodeShard(content []byte) (s Shard, err error) { return s, json.Unmarshal(content, &s) }
func encodeBlock(b Block) ([]byte, error)             { return json.Marshal(b) }
func decodeBlock(content []byte) (b Block, err error) { return b, json.Unmarshal(content, &b) }
func encodePart(p Part) ([]byte, error)               { return pack(p, p.Change) }
func decodePart(content []byte) (p Part, err error)   { err = unpack(content, &p, &p.Change); return }

// pack encodes a change and v. The result has the number of weights and the number of indexes, then
// the weights and indexes in binary, then v as JSON. Weights are in binary because JSON and gob
// take many times as long for a float64 (BenchmarkWire). −1 indexes stand for a nil Index.
func pack(v any, c Change) ([]byte, error) {
	text, err := json.Marshal(v)
	n := [2]int32{int32(len(c.Value)), int32(len(c.Index))}
	if c.Index == nil {
		n[1] = -1
	}
	content := make([]byte, 0, 8+8*len(c.Value)+2*len(c.Index)+len(text))
	for _, numbers := range []any{n, c.Value, c.Index} {
		content, _ = binary.Append(content, binary.LittleEndian, numbers)
	}
	return append(content, text...), err
}

// unpack is the inverse of pack.
func unpack(content []byte, v any, c *Change) error {
	var n [2]int32
	next := func(numbers any) error {
		size, err := binary.Decode(content, binary.LittleEndian, numbers)
		content = content[size:]
		return err
	}
	if err := next(&n); err != nil || n[0] < 0 || int64(len(content)) < 8*int64(n[0])+2*int64(max(n[1], 0)) {
		return errors.New("an element is cut")
	}
	if c.Value, c.Index = make([]float64, n[0]), nil; n[1] >= 0 {
		c.Index = make([]uint16, n[1])
	}
	next(c.Value)
	next(c.Index)
	return json.Unmarshal(content, v)
}
