// Package chart draws the rows of a table, what a model predicts, and how a run of the
// perceptron keeps to its theorem. Every number in a picture comes from the exported
// functions of the library.
//
// Rows of many features are drawn in a plane through their mean, which is chosen by name or by
// principal directions. Lines and regions are exact cuts of this plane with the hyperplanes, and
// not grids of predictions: an edge is where the model has it.
package chart

// Data holds labelled rows as a model trains on them.
type Data struct {
	Name     string      // of the file, for titles
	X        [][]float64 // scaled rows
	Class    []int       // of each row, an index of Classes
	Classes  []string
	Features []string  // names
	Mean     []float64 // the raw value of feature j is Mean[j] + Scale[j]·x; nil means x itself
	Scale    []float64
	Axes     [2]string // features of the axes; "" means principal directions
}

// labels returns −1 for rows of the first of two classes, and +1 for the second.
func (d *Data) labels() []int {
	y := make([]int, len(d.Class))
	for i, class := range d.Class {
		y[i] = 2*class - 1
	}
	return y
}
