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
)

// A Part is the part of the rows that a row belongs to.
type Part int

// The parts of the rows.
const (
	Training Part = iota
	HeldOut
	Parts // the number of parts

	// Neither is the part that a Division with both a Share and Folds holds out first. The folds
	// divide the other rows, so that a choice made with the folds does not depend on this part.
	Neither
)

// A Division says which rows to hold out: a share of the rows, or one of several folds. The division
// is stratified: the number of rows held out of each class differs from the share by less than two.
type Division struct {
	Share       float64 // share of the rows to hold out
	Folds, Fold int     // Folds is 0 without cross-validation; Fold counts from 0
	Seed        uint64
	Within      *Division // holds out its rows first, as a Share does; for Folds of the training rows of a fold
}

// A Divider assigns the rows of one pass to parts. It need not know the number of rows in advance,
// because it divides each class into blocks of consecutive rows.
type Divider struct {
	Division
	before *Divider // holds out the Share first, if there are Folds too; otherwise nil
	size   int      // number of rows in a block
	draw   *rand.Rand
	blocks map[string]block
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
	var before *Divider
	size, stream := d.Folds, uint64(1)
	if size == 0 {
		size = int(math.Ceil(min(1/d.Share, mostRows))) // so at most two rows of a block are held out
	} else {
		if d.Within != nil {
			before, stream = d.Within.Divider(), 3
		} else if d.Share > 0 {
			before, stream = Division{Share: d.Share, Seed: d.Seed}.Divider(), 2
		}
		d.Share = 1 / float64(size) // one row of each block
	}
	// Training draws the order of the rows from PCG(Seed, 0). The rows held out are drawn from stream
	// 1, and folds of the other rows from stream 2, or 3 within a fold, so that these choices are independent.
	return &Divider{d, before, size, rand.New(rand.NewPCG(d.Seed, stream)), map[string]block{}}
}

// Part returns the part of the next row, whose class is given. The complete blocks of a class hold
// out the share of their rows, rounded to whole rows.
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
	// The same slots are drawn for every fold, so that each row is held out in exactly one fold.
	slot := b.slots[0] - d.Fold
	b.slots = b.slots[1:]
	d.blocks[class] = b
	if slot >= 0 && slot < b.held {
		return HeldOut
	}
	return Training
}
