package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// The numbers of a model are mixed in blocks. Each block is mixed by one worker, so that many workers
// share the mixing, and no element of a pipeline has more numbers than a block. The size is a
// multiple of learner.vectors.
const blockSize = 1<<16 - 1

// blocks returns the number of blocks for the given number of numbers.
func blocks(numbers int) int { return (numbers + blockSize - 1) / blockSize }

// blockOf returns the part of v that is the given block.
func blockOf(v []float64, block int) []float64 {
	return v[block*blockSize : min((block+1)*blockSize, len(v))]
}

// A Change has the numbers of a block that differ from an older version of the block.
type Change struct {
	Index []uint16  `json:"-"` // ascending; nil if Value has all numbers of the block
	Value []float64 `json:"-"`
}

// change returns the numbers of a block w that differ from the old ones. If more than half of them
// differ, it returns all numbers.
func change(old, w []float64) (c Change) {
	c.Index = []uint16{}
	for j, v := range w {
		if math.Float64bits(v) != math.Float64bits(old[j]) {
			c.Index, c.Value = append(c.Index, uint16(j)), append(c.Value, v)
		}
	}
	if 2*len(c.Index) > len(w) {
		return Change{Value: w}
	}
	return c
}

// apply writes the numbers of c to the block w.
func (c *Change) apply(w []float64) error {
	switch {
	case c.Index == nil && len(c.Value) == len(w):
		copy(w, c.Value)
	case len(c.Index) != len(c.Value) || len(c.Index) > 0 && int(slices.Max(c.Index)) >= len(w):
		return fmt.Errorf("%d weights at %d places do not fit a block of %d", len(c.Value), len(c.Index), len(w))
	}
	for k, j := range c.Index {
		w[j] = c.Value[k]
	}
	return nil
}

// A block of the mean is a file, whose content is the block's change from zero. Its name has a
// hash of the content, so a stage that is repeated writes the same file. A block of zeros has
// no file, and the name "".
const blockFile = ".block."

// saveBlock writes a block and returns its name. If the name equals old, the block has not changed,
// and saveBlock does not write it.
func (o origin) saveBlock(ctx context.Context, block int, old string, w []float64) (string, error) {
	c := change(make([]float64, len(w)), w)
	if c.Index != nil && len(c.Index) == 0 {
		return "", nil
	}
	content, err := pack(struct{}{}, c)
	name := fmt.Sprintf("%d.%.16x", block, sha256.Sum256(content))
	if err == nil && name != old {
		err = o.write(ctx, blockFile+name, content)
	}
	return name, err
}

// block reads a block into w, which must be zero.
func (o origin) block(ctx context.Context, name string, w []float64) error {
	if name == "" { // a block of zeros
		return nil
	}
	file := o.Checkpoint + blockFile + name
	content, err := read(ctx, file)
	if err != nil {
		return fmt.Errorf("weights %s: %w; restore the file, or remove the checkpoint to train anew", file, err)
	}
	if is := fmt.Sprintf("%.16x", sha256.Sum256(content)); !strings.HasSuffix(name, "."+is) {
		return fmt.Errorf("weights %s: damaged: the hash is %s; restore the file, or remove the checkpoint to train anew", file, is)
	}
	var c Change
	if err := unpack(content, &struct{}{}, &c); err != nil {
		return err
	}
	return c.apply(w)
}

// prune removes the files of all blocks that do not belong to the state.
func (o origin) prune(ctx context.Context, s State) error {
	files, err := list(ctx, quote(o.Checkpoint+blockFile)+"*")
	for _, file := range files {
		if _, name, _ := strings.Cut(file, blockFile); !slices.Contains(s.Blocks, name) {
			err = errors.Join(err, remove(ctx, quote(file)))
		}
	}
	return err
}

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
