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
	first := models[0]
	mixed = New(first.Shape)
	mixed.width = first.width
	mixed.reads.outdate()
	for i := range first.all {
		q, parts := newPlane(mixed.Keep, mixed.width+1), make([]*plane, len(models))
		for s, m := range models {
			parts[s] = m.all[i].plain()
		}
		mixed.all = append(mixed.all, q)
		if q.mix(parts, mu); !vec.Finite(q.w) || q.mean != nil && !vec.Finite(q.mean.low) {
			return mixed, false
		}
	}
	for i := range mixed.all {
		mixed.measure(i)
	}
	return mixed, true
}

// mix sets q's iterate and sums to the means of those of the parts. The sum of the plane's iterates
// becomes the mean of the sums of the parts' iterates. Each sum is n·w less u: see [mean]. The products
// and differences are computed in double-double, because large sums may nearly cancel. If a number
// overflows, an element of low is not finite.
func (q *plane) mix(parts []*plane, mu []float64) {
	for s, o := range parts {
		vec.Axpy(q.w, q.w, mu[s], o.w)
	}
	m := q.mean
	if m == nil {
		return
	}
	for s, o := range parts {
		m.seen = min(m.seen+float64(mu[s]*o.mean.seen), Countable)
	}
	product := func(a, b float64) exact.Double { return exact.Double{Hi: a}.Times(exact.Double{Hi: b}) }
	for i := range m.sum {
		sum := product(m.seen, q.w[i])
		for s, o := range parts {
			iterates := product(o.mean.seen, o.w[i]).Minus(exact.Double{Hi: o.mean.sum[i], Lo: o.mean.low[i]})
			sum = sum.Minus(iterates.Times(exact.Double{Hi: mu[s]}))
		}
		m.sum[i], m.low[i] = sum.Hi, sum.Lo // Hi and Lo of a difference are never −0
	}
}
