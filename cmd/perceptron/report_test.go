package main

import (
	"fmt"

	figures "perceptron/cmd/perceptron/pipeline/report"
)

type (
	report      = figures.Training
	quality     = figures.Quality
	evaluation  = figures.Evaluation
	crossReport = figures.Folds
	choice      = figures.Choice
)

// What the report calls the options of borders, and limits of package pipeline and what it uses.
const (
	borders     = "the borders"
	bent        = "300 waves"
	usualWaves  = 300
	mostTried   = 50_000
	mostClasses = 1000
)

// said returns the texts of warnings, in lines.
func said(warnings []figures.Remark) (text string) {
	for i, r := range warnings {
		text += map[bool]string{true: "\n"}[i > 0] + fmt.Sprint(r)
	}
	return text
}
