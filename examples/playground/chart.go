package main

import "math"

// A chart shows ‖w‖ between its bounds, such as ηkγ ≤ ‖w‖ ≤ η√k R for Online. The axes of a plain
// chart are k and ‖w‖. The axes of other charts are √k and √‖w‖: there ηkγ is a straight line too,
// and the first updates of a long run do not overlap. Places go from 0 to 1 along each axis.
type chart struct {
	Low  []vec  `json:"low"` // empty if no separating line is known
	High []vec  `json:"high"`
	Dots []vec  `json:"dots"` // ‖w‖
	Meet vec    `json:"meet"` // where the curves meet
	Name string `json:"name"` // the formula of the upper curve
	Base string `json:"base"` // the formula of the lower curve
}

// chart returns nil if the lengths are too large or too small to draw. The axes end a
// little beyond the bound.
func (b *problem) chart(plain bool) *chart {
	end, axis := 1.15*b.bound(), math.Sqrt
	if !(end < 1e15) {
		end = max(10, 1.25*float64(b.k))
	}
	if plain {
		axis = func(v float64) float64 { return v }
	}
	top := max(b.high(end), b.low(end))
	if !(top > 0) || math.IsInf(top, 0) || b.Model == byHand {
		return nil
	}
	c := &chart{Name: b.inUnits(b.highName()), Base: b.inUnits("ηkγ"), Low: []vec{}, Dots: []vec{}}
	place := func(k, v float64) vec { return vec{axis(k / end), axis(max(0, min(v/top, 1)))} }
	if most := b.bound(); most <= end {
		c.Meet = place(most, b.low(most))
	}
	const parts = 32
	for i := range parts + 1 {
		s := float64(i) / parts
		k := s * s * s * s * end // more points where the curve is steep
		if b.sep.Separable {
			c.Low = append(c.Low, place(k, b.low(k)))
		}
		c.High = append(c.High, place(k, b.high(k)))
	}
	for _, e := range thin(b.entries) {
		c.Dots = append(c.Dots, place(float64(e.k), e.length))
	}
	return c
}
