package hull

import (
	"math"
	"math/rand/v2"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// A descent approaches p by dual coordinate descent (Hildreth 1957; Hsieh et al. 2008). It seeks the
// shortest w with ⟨w, zᵢ⟩ ≥ 1 for every i, which is p/‖p‖². Let w = Σαᵢzᵢ, α ≥ 0. A step sets one αᵢ
// to its best value for the present values of the others. If αᵢ grows, the step is a perceptron update
// at the rate that makes the score 1. A sweep makes a step for each busy row. Rows with
// αᵢ = 0 and a score of at least 1 rest until the next pass over all rows. A step takes O(z) for z
// non-zeros. So a descent is fast for many features and few non-zeros, where the factors of an active
// set take long.
//
// Near the end, float64 has too few digits for α and w. Then settle computes both in double-double.
// The later steps compute a correction of both, for which the digits of float64 are enough.
//
// If 0 is in the hull, no such w exists, and α grows without end while Σαᵢzᵢ stays bounded. Then the
// growth of α over many sweeps is, up to a factor, a λ with Σλᵢzᵢ near 0. The same holds for a
// perceptron whose weights repeat: the numbers of mistakes on each row in between are such a λ.
type descent struct {
	Points
	settled []exact.Double // α at the last settle
	moved   []float64      // what steps have added to α since the last settle
	base    []exact.Double // Σαᵢzᵢ at the last settle
	w       []float64      // what steps have added to Σαᵢzᵢ since the last settle
	rest    []float64      // 1 − ⟨base, zᵢ⟩
	squares []float64      // ‖zᵢ‖²
	busy    []int          // the rows that do not rest
	random  *rand.Rand

	leaps   int     // the most steps of conjugate gradients in the next leap
	sweeps  int     // the number of sweeps before the next pass
	support int     // rows with αᵢ > 0 at the last pass
	width   float64 // 1 − Lower/Upper, of the bracket of ‖p‖, at the last pass; 1 or more unless w separates
	upper   float64 // ‖w‖/Σα at the last pass
	settles float64 // the width at which settle is called next
	work    float64 // the work so far: see products
	patient float64 // slow reports false until work reaches this share of an active set's work
	all     float64 // the work of a pass

	best      []exact.Double // the w with the largest margin at a pass
	bestScore float64        // the least ⟨w, zᵢ⟩/‖w‖ of best

	before []float64 // α at the last call of contradiction
}

// leastLeap is the least value of descent.leaps, and the first.
const leastLeap = 32

// newDescent returns a descent with α = 0 and all rows busy.
func newDescent(p Points) *descent {
	n := len(p.X)
	d := &descent{
		Points: p, settled: make([]exact.Double, n), moved: make([]float64, n), before: make([]float64, n),
		rest: slices.Repeat([]float64{1}, n), base: make([]exact.Double, p.Width+1), w: make([]float64, p.Width+1),
		random: rand.New(rand.NewPCG(1, 0)), sweeps: 1, leaps: leastLeap, patient: 2.0 / 5, settles: 0x1p-24, bestScore: math.Inf(-1),
	}
	for i := range p.X {
		x := &p.X[i]
		d.squares = append(d.squares, vec.Dot(x.Value, x.Value)+d.one())
		d.busy, d.all = append(d.busy, i), d.all+products(x)
	}
	return d
}

func (d *descent) alpha(i int) float64 { return d.settled[i].Hi + d.moved[i] }

// lack returns 1 minus the score of row i. It is positive if the score is too low.
func (d *descent) lack(i int) float64 { return d.rest[i] - d.score(d.w, i) }

// busyWork returns the work of a dot product with each of the rows.
func (d *descent) busyWork(rows []int) (work float64) {
	for _, i := range rows {
		work += products(&d.X[i])
	}
	return work
}

// sweep makes a step for each busy row, in random order.
func (d *descent) sweep() {
	for k := len(d.busy) - 1; k >= 0; k-- {
		other := int(d.random.Uint64()>>33) % (k + 1)
		i := d.busy[other]
		d.busy[k], d.busy[other] = i, d.busy[k]
		d.work += products(&d.X[i])
		if d.squares[i] == 0 {
			continue
		}
		was := d.moved[i]
		if d.moved[i] = max(-d.settled[i].Hi, was+d.lack(i)/d.squares[i]); d.moved[i] != was {
			d.move(d.w, i, d.moved[i]-was)
			d.work += products(&d.X[i])
		}
	}
}

// pass computes the scores of all rows. From these it computes the bracket of ‖p‖, finds the busy rows,
// and keeps the w with the largest margin.
func (d *descent) pass() {
	most, sum := math.Inf(-1), exact.Double{}
	d.busy, d.support = d.busy[:0], 0
	for i := range d.moved {
		a, lack := d.alpha(i), d.lack(i)
		most = max(most, lack)
		if a > 0 || lack > 0 {
			d.busy = append(d.busy, i)
		}
		if a > 0 {
			d.support++
			sum = sum.Plus(d.settled[i]).Plus(exact.Double{Hi: d.moved[i]})
		}
	}
	w := d.sum()
	square := exact.Dot(w, w)
	least := exact.Double{Hi: 1}.Minus(exact.Double{Hi: most})
	length := math.Sqrt(square.Hi)
	if score := least.Hi / length; score >= d.bestScore {
		d.best, d.bestScore = w[:d.dims()], score
	}
	d.upper = length / sum.Hi
	d.width = square.Minus(sum.Times(least)).Hi / square.Hi
	d.sweeps = max(1, min(100, 2*len(d.X)/max(1, len(d.busy))))
	d.work += d.all
}

// sum returns Σ αᵢzᵢ in double-double: base plus the field w.
func (d *descent) sum() []exact.Double {
	w := doubles(d.w)
	exact.Axpy(w, exact.Double{Hi: 1}, d.base)
	return w
}

// settle adds moved to α in double-double, and computes base and rest for this α. It sets moved and w
// to 0.
func (d *descent) settle() {
	clear(d.base)
	clear(d.w)
	for i, moved := range d.moved {
		a := d.settled[i].Plus(exact.Double{Hi: moved})
		if d.alpha(i) <= 0 {
			a = exact.Double{}
		}
		if d.settled[i], d.moved[i] = a, 0; a.Hi > 0 {
			d.add(d.base, i, a)
		}
	}
	for i := range d.rest {
		rest := exact.Double{Hi: 1}
		d.each(i, func(j int, v float64) { rest = rest.Minus(d.base[j].Times(exact.Double{Hi: v})) })
		d.rest[i] = rest.Hi
	}
	d.settles = min(d.settles, d.width) * 0x1p-12
	d.work += 20 * d.all
}

// point returns the point that the descent has found.
func (d *descent) point() (p Point) {
	var alpha []exact.Double
	var sum exact.Double
	for i, moved := range d.moved {
		if d.alpha(i) > 0 {
			a := d.settled[i].Plus(exact.Double{Hi: moved})
			p.Support, alpha, sum = append(p.Support, i), append(alpha, a), sum.Plus(a)
		}
	}
	w := d.sum()[:d.dims()]
	if d.width >= 1 { // w does not separate
		w = d.best
	}
	p.Lambda, p.Direction = quotients(alpha, sum), quotients(w, exact.Dot(w, w).Root())
	return p
}
