package hull

import (
	"maps"
	"slices"

	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// Points are the points zᵢ = yᵢxᵢ, or zᵢ = yᵢ(xᵢ, 1).
type Points struct {
	X     []vec.Row // the rows xᵢ: finite
	Y     []int     // the signs yᵢ: +1 or −1, one for each row
	Width int       // the number of features
	Ones  bool      // whether a 1 is appended to each row
}

// A Point is the point Σλᵢzᵢ of a hull.
type Point struct {
	// Support has the indexes i with λᵢ > 0. An active set returns at most d + 1 of them, for points
	// of d coordinates. A descent may return more.
	Support []int
	// Lambda has λᵢ for each index in Support.
	Lambda []float64
	// Direction is a vector of length 1. If 0 is not in the hull, the Directions approach p/‖p‖, and
	// the last one is p/‖p‖ up to rounding. If 0 is in the hull, the last Direction has the largest
	// minimum of ⟨Direction, zᵢ⟩ over i that has been found.
	Direction []float64
}

// dims returns the number of coordinates of a point.
func (p *Points) dims() int {
	if p.Ones {
		return p.Width + 1
	}
	return p.Width
}

// one returns 1 if a 1 is appended to each row, else 0.
func (p *Points) one() float64 { return float64(p.dims() - p.Width) }

// products returns the work of a dot product with x. Work is an estimate of time, in arbitrary units.
func products(x *vec.Row) float64 {
	if x.Index == nil {
		return denseWork(len(x.Value))
	}
	return sparseWork(len(x.Value))
}

// denseWork and sparseWork return the work of a dot product with a row of z elements. An element of a
// dense row takes an eighth of the work of an element of a sparse row.
func denseWork(z int) float64  { return float64(z) / 2 }
func sparseWork(z int) float64 { return 4 * float64(z+2) }

func nonzeros(v []float64) (z int) {
	for _, x := range v {
		if x != 0 {
			z++
		}
	}
	return z
}

// pass returns the work of a dot product with every row, each in the form that takes less work.
func (p *Points) pass() (work float64) {
	for i := range p.X {
		work += min(denseWork(p.Width), sparseWork(nonzeros(p.X[i].Value)))
	}
	return work
}

// compact returns p with each row in the form that takes less work, dense or sparse. The sparse form
// has no zeros. So the bits of a descent depend on the values alone, not on the caller's form.
func (p Points) compact() Points {
	p.X = slices.Clone(p.X)
	for i, x := range p.X {
		z := nonzeros(x.Value)
		if sparse := sparseWork(z) < denseWork(p.Width); sparse && (x.Index == nil || z < len(x.Value)) {
			row := vec.Row{Index: make([]uint32, 0, z), Value: make([]float64, 0, z)}
			for k, v := range x.Value {
				if v != 0 {
					row.Index, row.Value = append(row.Index, uint32(x.At(k))), append(row.Value, v)
				}
			}
			p.X[i] = row
		} else if !sparse && x.Index != nil {
			p.X[i] = vec.Row{Value: make([]float64, p.Width)}
			x.AddTo(p.X[i].Value, 1)
		}
	}
	return p
}

// score returns ⟨w, zᵢ⟩.
func (p *Points) score(w []float64, i int) float64 {
	return float64(p.Y[i]) * (p.one()*w[p.Width] + p.X[i].Dot(w[:p.Width]))
}

// move adds step·zᵢ to w.
func (p *Points) move(w []float64, i int, step float64) {
	step *= float64(p.Y[i])
	p.X[i].AddTo(w[:p.Width], step)
	w[p.Width] += step * p.one()
}

// add adds c·zᵢ to w in double-double.
func (p *Points) add(w []exact.Double, i int, c exact.Double) {
	p.each(i, func(j int, v float64) { w[j] = w[j].Plus(c.Times(exact.Double{Hi: v})) })
}

// each calls use with the index and value of each stored element of zᵢ, and then with the index Width
// and the value of the appended coordinate. Without Ones, that value is 0.
func (p *Points) each(i int, use func(j int, v float64)) {
	sign := float64(p.Y[i])
	for k, v := range p.X[i].Value {
		use(p.X[i].At(k), sign*v)
	}
	use(p.Width, sign*p.one())
}

// among returns the points of the given rows. It renumbers the features, in their order, and leaves out
// those that none of these rows stores.
func (p *Points) among(rows []int) Points {
	at, some := map[int]uint32{}, Points{Ones: p.Ones}
	for _, i := range rows {
		for k := range p.X[i].Value {
			at[p.X[i].At(k)] = 0
		}
	}
	for n, j := range slices.Sorted(maps.Keys(at)) {
		at[j] = uint32(n)
	}
	for _, i := range rows {
		x := vec.Row{Index: []uint32{}, Value: p.X[i].Value}
		for k := range x.Value {
			x.Index = append(x.Index, at[p.X[i].At(k)])
		}
		some.X, some.Y = append(some.X, x), append(some.Y, p.Y[i])
	}
	some.Width = len(at)
	return some
}

// quotients returns v/by, with each quotient rounded to float64.
func quotients(v []exact.Double, by exact.Double) []float64 {
	q := make([]float64, len(v))
	for j, x := range v {
		q[j] = x.Over(by).Hi
	}
	return q
}
