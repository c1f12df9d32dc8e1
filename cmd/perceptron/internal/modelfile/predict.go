package modelfile

import (
	"fmt"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// A Predictor predicts raw rows with the hyperplanes that export writes, so that every
// program that reads them predicts the same. Its methods only read it.
type Predictor struct {
	Planes  perceptron.Hyperplanes // for raw rows; Classes are the file's Codes
	Classes []string
	Two     bool // a model of two classes: the first plane is the threshold
	fill    []float64
}

// two is a model of two classes, and many one of any number.
type (
	two  interface{ Hyperplane() perceptron.Hyperplane }
	many interface {
		Classes() []int
		Hyperplanes() perceptron.Hyperplanes
	}
)

// mostThreshold keeps the threshold and the number below it finite.
const mostThreshold = 1e300

// Predictor returns the Predictor of the model as it is now.
func (f *File) Predictor() (*Predictor, error) {
	p := &Predictor{Classes: f.Classes, fill: f.Fill}
	var err error
	switch m := f.Model.(type) {
	case two:
		p.Two = true
		p.Planes, err = f.twoPlanes(m.Hyperplane())
	case many:
		p.Planes, err = f.Scaling.UnscaleAll(m.Hyperplanes())
	}
	if err != nil {
		return nil, fmt.Errorf("the hyperplanes for raw rows: %w", err)
	}
	return p, nil
}

// twoPlanes returns a model of two classes as one hyperplane for each class. The second
// class is predicted if its score is at least the threshold. Of equal scores,
// Hyperplanes takes the first class, so the first class has the constant score just
// below the threshold.
func (f *File) twoPlanes(h perceptron.Hyperplane) (perceptron.Hyperplanes, error) {
	second, err := f.Scaling.Unscale(h)
	first := perceptron.Hyperplane{Weights: make([]float64, len(h.Weights)), Bias: math.Nextafter(f.Threshold, math.Inf(-1))}
	return perceptron.Hyperplanes{Classes: f.Codes(), Planes: []perceptron.Hyperplane{first, second}}, err
}

// Predict returns the index of the row's class. It fills in missing features of x.
func (p *Predictor) Predict(x []float64) (int, error) {
	if p.fill != nil {
		table.Fill(x, p.fill)
	}
	code, err := p.Planes.Predict(x)
	if err != nil {
		return 0, err
	}
	i, _ := slices.BinarySearch(p.Planes.Classes, code)
	return i, nil
}

// Scored returns the classes that have a score: of two classes, only the second.
func (p *Predictor) Scored() []string {
	if p.Two {
		return p.Classes[1:]
	}
	return p.Classes
}

// Scores appends the scores of the classes that Scored returns to dst.
func (p *Predictor) Scores(dst, x []float64) ([]float64, error) {
	if p.fill != nil {
		table.Fill(x, p.fill)
	}
	if !p.Two {
		return p.Planes.Scores(dst, x)
	}
	score, err := p.Planes.Planes[1].Score(x)
	return append(dst, score), err
}
