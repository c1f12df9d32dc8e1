package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks places about five labels on an axis, at multiples of a round number. It places
// fewer if the labels are long.
type ticks struct{}

func (ticks) Ticks(low, high float64) []plot.Tick {
	const room = 36 // characters on the axis of the smallest panel
	most := 6
	for {
		places, characters := between(low, high, most), 0
		for _, p := range places {
			characters += len([]rune(p.Label)) + 2
		}
		if characters <= room || most == 2 {
			return places
		}
		most--
	}
}

// between returns at most about the given number of ticks.
func between(low, high float64, most int) []plot.Tick {
	span := (high - low) / float64(most)
	exponent := math.Floor(math.Log10(span))
	step := math.Pow(10, exponent)
	for _, m := range []float64{2, 5, 10} {
		if step < span {
			step = m * math.Pow(10, exponent)
		}
	}
	var places []plot.Tick
	first := math.Ceil(low / step)
	for i := range most + 2 { // a counter ends also where adding a step changes nothing
		if v := (first + float64(i)) * step; v <= high {
			places = append(places, plot.Tick{Value: v, Label: label(v, step)})
		}
	}
	return places
}

// label formats a multiple of step. Large and small numbers have an exponent.
func label(v, step float64) string {
	size := max(abs(v), step)
	digits := max(0, -int(math.Floor(math.Log10(step*1.0001)))) // of a step such as 0.2
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if v != 0 && (size >= 1e6 || step < 1e-4) {
		text = strconv.FormatFloat(v, 'e', max(0, int(math.Floor(math.Log10(abs(v)))-math.Floor(math.Log10(step*1.0001)))), 64)
		text = strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(text)
	}
	if v == 0 {
		text = "0"
	}
	return strings.ReplaceAll(text, "-", "−")
}

// decades places ticks on an axis of decimal logarithms, at powers of ten. If they are
// few, it also places ticks at 2, 3, …, 9 times each. (plot.LogScale is not used, because
// it reserves space for the axis name at the end of the axis.)
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	var places []plot.Tick
	step := max(1, math.Ceil((high-low)/6))
	for exponent := math.Floor(low/step) * step; exponent <= high; exponent += step {
		label := strings.ReplaceAll(strconv.FormatFloat(math.Pow(10, exponent), 'g', -1, 64), "e+", "e")
		for digit := 1.0; digit <= 9 && (digit == 1 || step == 1); digit++ {
			if v := exponent + math.Log10(digit); low <= v && v <= high {
				places = append(places, plot.Tick{Value: v, Label: strings.ReplaceAll(label, "-", "−")})
			}
			label = ""
		}
	}
	return places
}
