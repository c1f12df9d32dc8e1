package main

import (
	"math"
	"math/rand/v2"
)

// A part of the rows: every row is either trained on or held out.
type part int

const (
	training part = iota
	heldOut
	parts
)

// A division says which rows to hold out: a share of the rows, or one of some folds.
// The division is stratified: each class has the same share in both parts, to a row.
type division struct {
	share       float64
	folds, fold int // folds is 0 without cross-validation; fold counts from 0
	seed        uint64
}

// A divider assigns the rows of one pass to parts. It needs one pass only, because it
// divides each class in blocks of consecutive rows.
type divider struct {
	division
	draw   *rand.Rand
	blocks map[string]*block
}

// A block holds the rows of one class that are not assigned yet.
type block struct {
	order      []int // of the folds
	n          int   // blocks begun
	rows, held int   // rows left in the block, and how many of them to hold out
}

// divider begins a pass.
func (d division) divider() *divider {
	// The library draws the order from PCG(Seed, 0). Another random stream keeps the
	// choice of the rows held out independent of the order.
	return &divider{d, rand.New(rand.NewPCG(d.seed, 1)), map[string]*block{}}
}

// part returns the part of the next row, which has the class.
func (d *divider) part(class string) part {
	if d.folds == 0 && d.share == 0 {
		return training
	}
	b := d.blocks[class]
	if b == nil {
		b = new(block)
		d.blocks[class] = b
	}
	held := false
	if d.folds > 0 {
		held = d.folded(b) == d.fold
	} else {
		held = d.shared(b)
	}
	if held {
		return heldOut
	}
	return training
}

// folded returns the fold of the next row. Each block has one row of each fold, in
// random order.
func (d *divider) folded(b *block) int {
	if len(b.order) == 0 {
		b.order = d.draw.Perm(d.folds)
	}
	fold := b.order[0]
	b.order = b.order[1:]
	return fold
}

// shared reports whether the next row is held out. A block has ⌈1/share⌉ rows, and so
// one or two rows to hold out (selection sampling, Knuth's Algorithm 3.4.2S).
func (d *divider) shared(b *block) bool {
	if b.rows == 0 {
		b.rows = int(min(math.Ceil(1/d.share), 1<<40))
		until := func(n int) int { return int(math.Floor(d.share*float64(n*b.rows) + 0.5)) }
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
