// Package split divides the rows of a file into those to train on and those held out.
// The division depends only on the seed, the share and the order of the rows, so every
// pass over the file, in any program, gives the same one.
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
)

// A Division says which rows to hold out: a share of the rows, or one of some folds.
// The division is stratified: each class has the same share in both parts, to a row.
type Division struct {
	Share       float64 // of the rows to hold out; ignored if Folds is not 0
	Folds, Fold int     // Folds is 0 without cross-validation; Fold counts from 0
	Seed        uint64
}

// A Divider assigns the rows of one pass to parts. It needs one pass only, because it
// divides each class in blocks of consecutive rows.
type Divider struct {
	Division
	draw   *rand.Rand
	blocks map[string]*block
}

// A block holds the rows of one class that are not assigned yet.
type block struct {
	order      []int // of the folds
	n          int   // blocks begun
	rows, held int   // rows left in the block, and how many of them to hold out
}

// Divider begins a pass.
func (d Division) Divider() *Divider {
	// The library draws the order from PCG(Seed, 0). Another random stream keeps the
	// choice of the rows held out independent of the order.
	return &Divider{d, rand.New(rand.NewPCG(d.Seed, 1)), map[string]*block{}}
}

// Part returns the part of the next row, which has the class.
func (d *Divider) Part(class string) Part {
	if d.Folds == 0 && d.Share == 0 {
		return Training
	}
	b := d.blocks[class]
	if b == nil {
		b = new(block)
		d.blocks[class] = b
	}
	held := false
	if d.Folds > 0 {
		held = d.folded(b) == d.Fold
	} else {
		held = d.shared(b)
	}
	if held {
		return HeldOut
	}
	return Training
}

// folded returns the fold of the next row. Each block has one row of each fold, in
// random order.
func (d *Divider) folded(b *block) int {
	if len(b.order) == 0 {
		b.order = d.draw.Perm(d.Folds)
	}
	fold := b.order[0]
	b.order = b.order[1:]
	return fold
}

// shared reports whether the next row is held out. A block has ⌈1/share⌉ rows, and so
// one or two rows to hold out (selection sampling, Knuth's Algorithm 3.4.2S).
func (d *Divider) shared(b *block) bool {
	if b.rows == 0 {
		b.rows = int(min(math.Ceil(1/d.Share), 1<<40))
		until := func(n int) int { return int(math.Floor(d.Share*float64(n*b.rows) + 0.5)) }
		b.held = until(b.n+1) - until(b.n)
		b.n++
	}
	held := d.draw.IntN(b.rows) < b.held
	b.rows--
	if held {
		b.held--
	}
	return held
}
