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
	beam.RegisterCoder(reflect.TypeFor[Block](), encodeBlock, decodeBlock)
	beam.RegisterCoder(reflect.TypeFor[Part](), encodePart, decodePart)
}

func encodeShard(s Shard) ([]byte, error)             { return json.Marshal(s) }
func decodeShard(content []byte) (s Shard, err error) { return s, json.Unmarshal(content, &s) }
func encodeBlock(b Block) ([]byte, error)             { return json.Marshal(b) }
func decodeBlock(content []byte) (b Block, err error) { return b, json.Unmarshal(content, &b) }
func encodePart(p Part) ([]byte, error)               { return pack(p, p.Change) }
func decodePart(content []byte) (p Part, err error)   { err = unpack(content, &p, &p.Change); return }

// pack returns the numbers of weights and of indexes, their bits, and the JSON of v, because
// JSON, and gob too, take many times as long for a float64 (BenchmarkWire). A number of
// indexes of −1 stands for nil.
func pack(v any, c Change) ([]byte, error) {
	text, err := json.Marshal(v)
	indexes := len(c.Index)
	if c.Index == nil {
		indexes = -1
	}
	content := make([]byte, 0, 8+8*len(c.Value)+2*len(c.Index)+len(text))
	content = binary.LittleEndian.AppendUint32(content, uint32(len(c.Value)))
	content = binary.LittleEndian.AppendUint32(content, uint32(indexes))
	content, _ = binary.Append(content, binary.LittleEndian, c.Value)
	content, _ = binary.Append(content, binary.LittleEndian, c.Index)
	return append(content, text...), err
}

// unpack is the inverse of pack.
func unpack(content []byte, v any, c *Change) error {
	cut := errors.New("an element is cut")
	if len(content) < 8 {
		return cut
	}
	values, indexes := binary.LittleEndian.Uint32(content), int32(binary.LittleEndian.Uint32(content[4:]))
	content = content[8:]
	if uint64(len(content)) < 8*uint64(values)+2*uint64(max(indexes, 0)) {
		return cut
	}
	c.Value = make([]float64, values)
	n, _ := binary.Decode(content, binary.LittleEndian, c.Value)
	content = content[n:]
	if c.Index = nil; indexes >= 0 {
		c.Index = make([]uint16, indexes)
		n, _ = binary.Decode(content, binary.LittleEndian, c.Index)
		content = content[n:]
	}
	return json.Unmarshal(content, v)
}
