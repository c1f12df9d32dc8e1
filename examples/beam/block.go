package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
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

// lately caches, for each block number, the content that this process read last in the current
// pipeline. So the shards of a worker read the same block only once.
var lately = struct {
	sync.Mutex
	run  string
	last map[string]named // by the number of the block
}{last: map[string]named{}}

// A named is the content of a block with its name.
type named struct {
	name string
	Change
}

// block reads a block into w, which must be zero.
func (o origin) block(ctx context.Context, name string, w []float64) error {
	lately.Lock() // also during the read, because other shards wait for the same block
	defer lately.Unlock()
	if lately.run != o.ID {
		lately.run, lately.last = o.ID, map[string]named{}
	}
	number, hash, _ := strings.Cut(name, ".")
	block := lately.last[number]
	if block.name != name { // both are "" for a block of zeros
		file := o.Checkpoint + blockFile + name
		content, err := read(ctx, file)
		if err != nil {
			return fmt.Errorf("weights %s: %w", file, err)
		}
		if is := fmt.Sprintf("%.16x", sha256.Sum256(content)); is != hash {
			return fmt.Errorf("weights %s: damaged: the hash is %s", file, is)
		}
		block = named{name: name}
		if err := unpack(content, &struct{}{}, &block.Change); err != nil {
			return err
		}
		lately.last[number] = block
	}
	return block.apply(w)
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
