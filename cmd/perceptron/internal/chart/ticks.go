package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks are gonum's. All have labels if there is room, of as many digits as they need to
// be different.
type ticks struct{}

// Ticks returns the ticks of an axis. Their labels have as many digits as the range needs:
// 1000.1 and 1000.2 must not both be 1000.
func (ticks) Ticks(low, high float64) []plot.Tick {
	all := plot.DefaultTicks{}.Ticks(low, high)
	digits := 2 + math.Ceil(math.Log10(max(math.Abs(low), math.Abs(high))/(high-low)))
	labels, room := make([]string, len(all)), 32 // characters below the smallest panel
	for i, t := range all {
		labels[i] = label(t.Value, max(0, int(digits)))
		room -= len(labels[i]) + 2
	}
	for i := range all {
		if room >= 0 || all[i].Label != "" {
			all[i].Label = labels[i]
		}
	}
	return all
}

// label formats a number with at most the given digits after the first.
func label(v float64, digits int) string {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits, 64), 64)
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', -1, 64), "-", "−")
}

// decades places ticks on an axis of decimal logarithms, at powers of ten or, if they
// are few, also between them. (plot.LogScale is not used, because it reserves space for
// the axis name at the end of the axis.)
type decades struct{}

// Ticks returns the ticks between two logarithms. Over many powers of ten, it skips some.
func (decades) Ticks(low, high float64) []plot.Tick {
	var places []plot.Tick
	step := max(1, math.Ceil((high-low)/6))
	digits := []float64{1}
	if high-low < 2 {
		digits = []float64{1, 2, 5}
	}
	for exponent := math.Floor(low/step) * step; exponent <= high; exponent += step {
		for _, d := range digits {
			if v := exponent + math.Log10(d); low <= v && v <= high {
				places = append(places, plot.Tick{Value: v, Label: label(d*math.Pow(10, exponent), 0)})
			}
		}
	}
	return places
}
