// Package split divides the rows of a file into training rows and rows held out. The division
// depends only on the fields of a Division and on the classes of the rows in their order. So every
// pass over the file, in any program, gives the same division.
//
// So a model file need not list the rows held out, however many they are. With the seed and the
// share from the model file, a program finds these rows again in the training file, even if that
// file has another name.
package split

import (
	"math"
	"math/rand/v2"
	"strings"
)

// A Part is the part of the rows that a row belongs to.
type Part int

// The parts of the rows.
const (
	Training Part = iota
	HeldOut
	Parts // the number of parts

	// A Division that is Within another one does not divide the rows that the other one holds out: they are in neither
	// part. So a choice made with folds of the training rows does not depend on the rows held out.
	Neither
)

// A Division says which rows to hold out: a share of the rows, or one of several folds. The division
// is stratified: the number of rows held out of each class differs from the share by less than two. The rows are drawn,
// unless another field says which they are.
type Division struct {
	Share       float64 // share of the rows to hold out
	Folds, Fold int     // Folds is 0 without cross-validation; Fold counts from 0
	Seed        uint64
	Within      *Division      // holds out its rows first
	Rows        map[string]int // by class, of all Folds, which are then consecutive parts of each class
	First       map[string]int // by class, the rows to train on; all rows after them are held out
	Grouped     bool           // all rows of a group are in one part; then classes do not matter
}

// A Divider assigns the rows of one pass to parts. It need not know the number of rows in advance,
// because it divides each class into blocks of consecutive rows.
type Divider struct {
	Division
	before *Divider // of Within, or nil
	size   int      // number of rows in a block
	draw   *rand.Rand
	blocks map[string]block
	seen   map[string]int // rows of each class so far
	groups map[string]Part
}

// A block assigns a block of consecutive rows of one class.
type block struct {
	slots []int // for the rows that are not assigned yet: different numbers in random order
	held  int   // a row is held out if its slot is one of the held numbers from Fold on
	n     int   // number of this block in its class, from 1
}

// mostRows is the largest size of a block, which limits its memory.
const mostRows = 4096

// Divider returns a Divider for one pass.
func (d Division) Divider() *Divider {
	all := &Divider{Division: d, size: d.Folds, blocks: map[string]block{}, seen: map[string]int{}, groups: map[string]Part{}}
	// Training draws the order of the rows from PCG(Seed, 0). The rows held out are drawn from stream
	// 1, and folds of the other rows from stream 2, or 3 within a fold, so that these choices are independent.
	stream := uint64(1)
	if d.Within != nil {
		all.before, stream = d.Within.Divider(), 2
		if d.Within.Folds > 0 {
			stream = 3
		}
	}
	if d.Folds == 0 {
		all.size = int(math.Ceil(min(1/d.Share, mostRows))) // so at most two rows of a block are held out
	} else {
		all.Share = 1 / float64(d.Folds) // one row of each block
	}
	all.draw = rand.New(rand.NewPCG(d.Seed, stream))
	return all
}

// Part returns the part of the next row, whose class and group are given. The complete blocks of a class hold
// out the share of their rows, rounded to whole rows.
func (d *Divider) Part(class, group string) Part {
	switch {
	case d.before != nil && d.before.Part(class, group) != Training:
		return Neither
	case d.Share == 0:
		return Training
	case d.Grouped:
		if _, known := d.groups[group]; !known {
			d.groups[strings.Clone(group)] = d.drawn("")
		}
		return d.groups[group]
	case d.Rows == nil && d.First == nil:
		return d.drawn(class)
	}
	n := d.seen[class]
	d.seen[class]++
	if d.First != nil && n >= d.First[class] || d.Rows != nil && n*d.Folds/max(1, d.Rows[class]) == d.Fold {
		return HeldOut
	}
	return Training
}

// drawn returns the part of the next row of a class, in a random order.
func (d *Divider) drawn(class string) Part {
	b := d.blocks[class]
	if len(b.slots) == 0 {
		until := func(n int) int { return int(math.Round(d.Share * float64(n*d.size))) }
		b = block{d.draw.Perm(d.size), until(b.n+1) - until(b.n), b.n + 1}
	}
	// The same slots are drawn for every fold, so that each row is held out in exactly one fold.
	slot := b.slots[0] - d.Fold
	b.slots = b.slots[1:]
	d.blocks[class] = b
	if slot >= 0 && slot < b.held {
		return HeldOut
	}
	return Training
}
