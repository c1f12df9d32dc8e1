package main

import (
	"cmp"
	"strconv"
	"strings"

	"perceptron"
)

// onlyDense is the reason why sparse rows and text have no waves.
const onlyDense = "each word would be a part of every wave, and straight borders predict words better"

// checkWaves returns an error if there are no such waves, or not for the columns.
func (c *trainCmd) checkWaves() error {
	_, err := perceptron.Waves{Count: c.Waves}.Apply(nil, []float64{0})
	return cmp.Or(usageIf(err != nil, "%w", err), usageIf(c.Waves > 0 && len(c.Text) > 0, "--waves cannot be used with --text: %s", onlyDense))
}

// theta returns θ of the margin rule. For waves, the default is that of a Classifier: 8/3, about the mean of
// ‖(φ(z), 1)‖². A plane that separates one class from others is half the difference of two planes of many, so that
// with half of θ, both learn the same border.
func (l *learning) theta(algorithm string) float64 {
	if l.Waves == 0 || l.Theta != 0 || l.Gamma != 0 {
		return l.Theta
	}
	return map[bool]float64{true: 8. / 3, false: 4. / 3}[algorithm == "multiclass"]
}

// The folds compare usualWaves waves with straight borders.
const (
	usualWaves = 300
	borders    = "the borders"
	bent       = "300 waves"
)

// bend sets what --waves would.
func (c *trainCmd) bend() { c.Waves, c.usual = usualWaves, "margin" }

// decimals returns the exact values of a row: no float64 has more than 767 significant digits.
func decimals(x []float64) (text []string) {
	for _, v := range x {
		digits, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 767, 64), "e")
		text = append(text, strings.TrimRight(digits, "0")+"0e"+exponent)
	}
	return text
}
