package main

import (
	"math"
	"strconv"
)

// A chart shows ηkγ ≤ ‖w‖ ≤ η√k R. Its axes are √k and √‖w‖. There the lower curve is
// a straight line, and the upper one is a parabola. They meet at the bound. These axes
// also keep the first of many updates apart. Places are in shares of the axes.
type chart struct {
	Low   []vec  `json:"low"` // empty if no line separates the points
	High  []vec  `json:"high"`
	Dots  []vec  `json:"dots"` // ‖w‖
	Ticks []tick `json:"ticks"`
	Name  string `json:"name"` // the formula of the upper curve
	Top   string `json:"top"`  // its value at the end
}

// A tick is a labelled number of updates on the axis.
type tick struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// chart returns nil if the lengths are too large or too small to draw.
func (b *problem) chart() *chart {
	end := b.bound()
	if !(end < 1e15) {
		end = max(10, 1.25*float64(b.k))
	}
	top := b.high(end)
	if !(top > 0) || math.IsInf(top, 0) {
		return nil
	}
	c := &chart{Name: b.highName(), Top: number(top), Low: []vec{}, Dots: []vec{}}
	place := func(k, v float64) vec { return vec{math.Sqrt(k / end), math.Sqrt(max(0, min(v/top, 1)))} }
	const parts = 32
	for i := range parts + 1 {
		s := float64(i) / parts
		k := s * s * s * s * end // more points where the curve is steep
		if b.sep.Separable {
			c.Low = append(c.Low, place(k, b.low(k)))
		}
		c.High = append(c.High, place(k, b.high(k)))
	}
	for i, k := range b.lengths.k {
		c.Dots = append(c.Dots, place(float64(k), b.lengths.lengths[i]))
	}
	c.Ticks = ticks(end)
	return c
}

// ticks returns 0, a few round numbers and the end.
func ticks(end float64) []tick {
	all := []tick{{0, "0"}}
	for _, share := range []float64{0.3, 0.6} {
		k := round(share * share * end)
		if at := math.Sqrt(k / end); k >= 1 && at < 0.8 && at-all[len(all)-1].At > 0.15 {
			all = append(all, tick{at, number(k)})
		}
	}
	return append(all, tick{1, number(math.Floor(end))})
}

// round returns the number nearest v that is 1, 2 or 5 times a power of ten, or 0.
func round(v float64) float64 {
	if v < 0.5 {
		return 0
	}
	power, _ := strconv.ParseFloat("1e"+strconv.Itoa(int(math.Floor(math.Log10(v)))), 64)
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power*1.45 {
			return m * power
		}
	}
	return 10 * power
}
