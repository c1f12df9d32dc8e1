// Package split divides the rows of a file into those to train on and those held out.
// The division depends only on the seed, the share and the order of the rows, so every
// pass over the file, in any program, gives the same one.
//
// So a model file need not list the rows held out, whose number has no limit. Its seed and share
// find them again in the training file, also after years and under another name.
package split

import (
	"math"
	"math/rand/v2"
)

// A Part of the rows: every row is either trained on or held out.
type Part int

// The parts of the rows.
const (
	Training Part = iota
	HeldOut
	Parts // the number of parts

	// Neither is the part of the rows that a Division with a Share and Folds holds out before the
	// folds divide the others: what is chosen by these folds does not depend on them.
	Neither
)

// A Division says which rows to hold out: a share of the rows, or one of some folds.
// The division is stratified: each class has the same share in both parts, to a row.
type Division struct {
	Share       float64 // of the rows to hold out
	Folds, Fold int     // Folds is 0 without cross-validation; Fold counts from 0
	Seed        uint64
}

// A Divider assigns the rows of one pass to parts. It needs one pass only, because it
// divides each class in blocks of consecutive rows.
type Divider struct {
	Division
	before *Divider // with a Share and Folds: holds out the Share, and this one divides the other rows
	size   int      // of a block
	draw   *rand.Rand
	blocks map[string]block
}

// A block holds the rows of one class that are not assigned yet.
type block struct {
	slots []int // of these rows, in random order
	held  int   // this number of slots, from Fold on, is held out
	n     int   // blocks so far
}

// mostRows limits the memory of a block.
const mostRows = 4096

// Divider begins a pass.
func (d Division) Divider() *Divider {
	var before *Divider
	size, stream := d.Folds, uint64(1)
	if size == 0 {
		size = int(math.Ceil(min(1/d.Share, mostRows))) // at most one or two rows of a block are held out
	} else {
		if d.Share > 0 {
			before, stream = Division{Share: d.Share, Seed: d.Seed}.Divider(), 2
		}
		d.Share = 1 / float64(size) // one row of each block
	}
	// The library draws the order from PCG(Seed, 0). Other random streams keep the choice of the
	// rows held out independent of the order, and the folds independent of that choice.
	return &Divider{d, before, size, rand.New(rand.NewPCG(d.Seed, stream)), map[string]block{}}
}

// Part returns the part of the next row, which has the class. The blocks so far hold out the
// share of their rows, to a row.
func (d *Divider) Part(class string) Part {
	switch {
	case d.Share == 0:
		return Training
	case d.before != nil && d.before.Part(class) == HeldOut:
		return Neither
	}
	b := d.blocks[class]
	if len(b.slots) == 0 {
		until := func(n int) int { return int(math.Round(d.Share * float64(n*d.size))) }
		b = block{d.draw.Perm(d.size), until(b.n+1) - until(b.n), b.n + 1}
	}
	// The same slots are drawn for every fold, so that each row is in exactly one.
	slot := b.slots[0] - d.Fold
	b.slots = b.slots[1:]
	d.blocks[class] = b
	if slot >= 0 && slot < b.held {
		return HeldOut
	}
	return Training
}
