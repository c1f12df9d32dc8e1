package main

import (
	"math"
	"strconv"
	"strings"
)

// A chart shows ηkγ ≤ ⟨u, w⟩ ≤ ‖w‖ ≤ η√k R. Its axes are √k and √‖w‖. There the lower
// curve is a straight line, and the upper one is a parabola. They meet at the bound.
// These axes also keep the first of many updates apart. Places are in shares of the
// axes.
type chart struct {
	Low    []vec  `json:"low"` // empty if no separating line is known
	High   []vec  `json:"high"`
	Dots   []vec  `json:"dots"`   // ‖w‖
	Along  []vec  `json:"along"`  // ⟨u, w⟩
	Ticks  []tick `json:"ticks"`  // of the axis of k
	YTicks []tick `json:"yticks"` // of the other
	Meet   vec    `json:"meet"`   // where the curves meet
	Name   string `json:"name"`   // the formula of the upper curve
	Under  string `json:"under"`  // that of the lower one
	Top    string `json:"top"`    // its value at the end
}

// A tick is a labelled place on an axis.
type tick struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// chart returns nil if the lengths are too large or too small to draw. Plain axes are k
// and ‖w‖ themselves, and end a little beyond the bound.
func (b *problem) chart(plain bool) *chart {
	end, axis := b.bound(), math.Sqrt
	if !(end < 1e15) {
		end = max(10, 1.25*float64(b.k))
	} else if plain {
		end *= 1.15
	}
	if plain {
		axis = func(v float64) float64 { return v }
	}
	top := b.high(end)
	if !(top > 0) || math.IsInf(top, 0) || b.Model == byHand {
		return nil
	}
	c := &chart{Name: b.inUnits(b.highName()), Under: b.inUnits("ηkγ"), Top: number(top), Low: []vec{}, Dots: []vec{}, Along: []vec{}}
	if plain {
		top = max(top, b.low(end))
	}
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
	for _, e := range b.history.entries {
		c.Dots = append(c.Dots, place(float64(e.k), e.length))
		if b.sep.Separable {
			c.Along = append(c.Along, place(float64(e.k), e.along))
		}
	}
	c.Ticks = append(ticks(end, 1, 0.2, 0.8), tick{1, short(math.Floor(end))})
	c.YTicks = append(ticks(top, 0, 0.17, 0.85), tick{1, short(top)})
	return c
}

// ticks returns 0 and a few round numbers, from least up, below the end. They are at
// least gap apart, and not beyond last, both in shares of the axis.
func ticks(end, least, gap, last float64) []tick {
	all := []tick{{0, "0"}}
	for share := gap; share <= last; share += gap / 2 {
		v := round(share * share * end)
		at := math.Sqrt(v / end)
		if v > 0 && v >= least && at <= last && at-all[len(all)-1].At >= gap {
			all = append(all, tick{at, short(v)})
		}
	}
	return all
}

// round returns the number nearest v that is 1, 2 or 5 times a power of ten.
func round(v float64) float64 {
	power, _ := strconv.ParseFloat("1e"+strconv.Itoa(int(math.Floor(math.Log10(v)))), 64)
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power*1.45 {
			return m * power
		}
	}
	return 10 * power
}

// short formats a number so that it fits below an axis.
func short(v float64) string {
	if v < 1e5 && v >= 1e-3 || v == 0 {
		return digits(v, 3)
	}
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
	raised := strings.NewReplacer("+0", "", "+", "", "-0", "⁻", "-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³",
		"4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(power)
	return strings.TrimPrefix(strings.TrimSuffix(mantissa, ".0")+"·10"+raised, "1·")
}
