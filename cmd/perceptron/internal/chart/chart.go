// Package chart draws the rows of a table, what a model predicts, and the mistakes of a run beside
// the bound of its theorem. Radii, margins and bounds come from exported functions of the library.
//
// Rows with more than two features are drawn in a plane through their mean. The user names two
// features as axes, or the axes are the first two principal directions. Lines and regions are
// exact intersections of this plane with the hyperplanes. No grid of predictions is used, so
// each edge is where the model changes its prediction.
package chart

// Data holds labelled rows as a model trains on them.
type Data struct {
	Name     string      // name of the file, for titles
	X        [][]float64 // scaled rows
	Class    []int       // class of each row, an index of Classes
	Classes  []string
	Features []string  // names
	Mean     []float64 // the raw value of feature j is Mean[j] + Scale[j]·x
	Scale    []float64 // nil if the rows are not scaled: x is the raw value
	Axes     [2]string // features of the axes; "" means both features, or principal directions of more
}

// labels returns −1 for rows of the first of two classes, and +1 for the second.
func (d *Data) labels() []int {
	y := make([]int, len(d.Class))
	for i, class := range d.Class {
		y[i] = 2*class - 1
	}
	return y
}
