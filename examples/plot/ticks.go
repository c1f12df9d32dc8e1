package main

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks places about five labels on an axis, at multiples of a round number.
type ticks struct {
	least float64 // minimum distance of two ticks: 1 for counts
}

func (t ticks) Ticks(low, high float64) []plot.Tick {
	const most = 6
	exponent := int(math.Floor(math.Log10((high - low) / most)))
	step, digits := 0.0, max(0, -exponent)
	for _, m := range []float64{1, 2, 5, 10} {
		step = max(m*math.Pow10(exponent), t.least)
		if (high-low)/step <= most {
			break
		}
	}
	if step == math.Trunc(step) {
		digits = 0
	}
	var places []plot.Tick
	for i := math.Ceil(low/step) + 0; i*step <= high; i++ { // + 0 changes −0 to 0
		label := strconv.FormatFloat(i*step, 'f', digits, 64)
		places = append(places, plot.Tick{Value: i * step, Label: strings.Replace(label, "-", "−", 1)})
	}
	return places
}

// decades places ticks on an axis of decimal logarithms, at 1, 2, …, 9 times each power of
// ten. It labels the powers. (plot.LogScale is not used, because it reserves space for the
// axis name at the end of the axis.)
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	var places []plot.Tick
	for exponent := math.Floor(low); exponent <= high; exponent++ {
		label := strconv.FormatFloat(math.Pow(10, exponent), 'g', -1, 64)
		for digit := 1.0; digit <= 9; digit++ {
			if v := exponent + math.Log10(digit); low <= v && v <= high {
				places = append(places, plot.Tick{Value: v, Label: label})
			}
			label = ""
		}
	}
	return places
}
