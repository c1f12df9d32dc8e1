package weights

import (
	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// Mix returns the weighted mean of the planes of several models, which have the same shape, width and
// number of planes. mu has the share of each model, and the shares sum to 1. The vectors are added in
// the order of the models, so the result always has the same bits. It reports whether all elements are
// finite.
func Mix(models []*Planes, mu []float64) (mixed Planes, finite bool) {
	for s, m := range models {
		if m.beside {
			c := m.laid(false)
			models[s] = &c
		}
	}
	first := models[0]
	mixed = New(first.Shape)
	mixed.width = first.width
	mixed.reads.outdate()
	for i := range first.all {
		q, parts := newPlane(mixed.Keep, mixed.width+1), make([]*plane, len(models))
		for s, m := range models {
			parts[s] = m.all[i].rescaled()
		}
		mixed.all = append(mixed.all, q)
		if q.mix(parts, mu); !vec.Finite(q.w()) || !vec.Finite(q.moving[rests]) {
			return mixed, false
		}
	}
	for i := range mixed.all {
		mixed.measure(i)
	}
	return mixed, true
}

// mix sets q's iterate and sums to the means of those of the parts. The sum of the plane's iterates
// becomes the mean of the sums of the parts' iterates. Each sum is n·w less u: see [moving]. The products
// and differences are computed in double-double, because large sums may nearly cancel. If a number
// overflows, an element of rests is not finite.
func (q *plane) mix(parts []*plane, mu []float64) {
	w, u, rest := q.w(), q.moving[sums], q.moving[rests]
	for s, o := range parts {
		vec.Axpy(w, w, mu[s], o.w())
		q.counted = min(q.counted+float64(mu[s]*o.counted), Countable)
	}
	product := func(a, b float64) exact.Double { return exact.Double{Hi: a}.Times(exact.Double{Hi: b}) }
	for i := range u {
		sum := product(q.counted, w[i])
		for s, o := range parts {
			iterates := product(o.counted, o.w()[i]).Minus(exact.Double{Hi: o.moving[sums][i], Lo: o.moving[rests][i]})
			sum = sum.Minus(iterates.Times(exact.Double{Hi: mu[s]}))
		}
		u[i], rest[i] = sum.Hi, sum.Lo // Hi and Lo of a difference are never −0
	}
}
