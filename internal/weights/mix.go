package weights

import (
	"perceptron/internal/exact"
	"perceptron/internal/vec"
)

// Mix returns the weighted mean of the planes of several models, which have the same shape, width and
// number of planes. mu has the share of each model, and the shares sum to 1. The vectors are added in
// the order of the models, so the result always has the same bits. It reports whether all elements are
// finite. If all vectors are held by places, so is the mean, with the features of all models.
func Mix(models []*Planes, mu []float64) (mixed Planes, finite bool) {
	mixed = like(models)
	mixed.reads.outdate()
	for i, q := range mixed.all {
		parts := make([]part, len(models))
		for s, m := range models {
			parts[s] = mixed.align(m, m.all[i])
		}
		if q.mix(parts, mu); !vec.Finite(q.w) || q.mean != nil && !vec.Finite(q.mean.low) {
			return mixed, false
		}
	}
	for i := range mixed.all {
		mixed.measure(i)
	}
	return mixed, true
}

// A part has the vectors of a model's plane in the layout of the mean.
type part struct {
	w, sum, low []float64
	seen        float64
}

// like returns planes that are 0, in the layout of the mean of the models.
func like(models []*Planes) Planes {
	first := models[0]
	p := New(first.Shape)
	p.width, p.places = first.width, newPlaces(first.width, len(first.all) == 1)
	for _, m := range models {
		if m.places == nil || p.places == nil {
			p.places = nil
			break
		}
		for _, e := range m.places.ordered() {
			p.places.find(uint32(e>>32), true)
		}
		if !p.places.saves() {
			p.places = nil
		}
	}
	for range first.all {
		p.all = append(p.all, newPlane(p.Keep, p.length()))
	}
	return p
}

// align returns the vectors of q, a plane of m, in the layout of p. They share the memory of q if it
// has the same layout.
func (p *Planes) align(m *Planes, q *plane) part {
	in := func(v []float64) []float64 {
		switch {
		case m.places == nil:
			return v
		case p.places == nil:
			return m.places.dense(v)
		}
		w := make([]float64, p.length())
		for _, e := range p.places.hash {
			if e != 0 {
				w[uint32(e)] = v[m.places.find(uint32(e>>32), false)]
			}
		}
		w[len(w)-1] = v[len(v)-1]
		return w
	}
	if o := q.mean; o != nil {
		return part{in(q.w), in(o.sum), in(o.low), o.seen}
	}
	return part{w: in(q.w)}
}

// mix sets q's iterate and sums to the means of those of the parts. The sum of the plane's iterates
// becomes the mean of the sums of the parts' iterates. Each sum is n·w less u: see [mean]. The products
// and differences are computed in double-double, because large sums may nearly cancel. If a number
// overflows, an element of low is not finite.
func (q *plane) mix(parts []part, mu []float64) {
	for s, o := range parts {
		vec.Axpy(q.w, q.w, mu[s], o.w)
	}
	m := q.mean
	if m == nil {
		return
	}
	for s, o := range parts {
		m.seen = min(m.seen+float64(mu[s]*o.seen), Countable)
	}
	product := func(a, b float64) exact.Double { return exact.Double{Hi: a}.Times(exact.Double{Hi: b}) }
	for i := range m.sum {
		sum := product(m.seen, q.w[i])
		for s, o := range parts {
			iterates := product(o.seen, o.w[i]).Minus(exact.Double{Hi: o.sum[i], Lo: o.low[i]})
			sum = sum.Minus(iterates.Times(exact.Double{Hi: mu[s]}))
		}
		m.sum[i], m.low[i] = sum.Hi, sum.Lo // Hi and Lo of a difference are never −0
	}
}
