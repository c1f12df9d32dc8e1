package modelfile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
	"perceptron/cmd/perceptron/internal/table"
)

// A Predictor predicts raw rows with the hyperplanes that export writes, so that every
// program that reads them predicts the same. Its methods only read it.
//
// The scaling is folded into the planes once. A row then costs one product per feature and class,
// and a sparse row one per non-zero: it would be dense if it were centred.
type Predictor struct {
	Planes  perceptron.Hyperplanes // for raw rows; its classes are places in Classes
	Classes []string
	Two     bool // a model of two classes: the first plane is the threshold
	fill    []float64

	calibration *metrics.Calibration
}

// mostThreshold keeps the threshold and the number below it finite.
const mostThreshold = 1e300

// Predictor returns the Predictor of the model as it is now. Further training does not
// change it: it has copies of the weights.
func (f *File) Predictor() (*Predictor, error) {
	p := &Predictor{Classes: f.Classes, Two: IsTwo(f.Model), fill: f.Fill, calibration: f.Calibration}
	var err error
	if f.planes != nil {
		p.Planes = *f.planes
	} else {
		p.Planes, err = f.Scaling.UnscaleAll(planesOf(f.Model))
	}
	if err != nil {
		return nil, fmt.Errorf("the hyperplanes for raw rows: %w", err)
	}
	// A model of two classes predicts the second one if its score is at least the threshold. So the
	// first class has a constant score: the number just below the threshold, because of equal scores
	// Hyperplanes predicts the first class.
	if p.Two {
		first := perceptron.Hyperplane{Weights: make([]float64, len(p.Planes.Planes[0].Weights)), Bias: math.Nextafter(f.Threshold, math.Inf(-1))}
		p.Planes = perceptron.Hyperplanes{Classes: places(2), Planes: []perceptron.Hyperplane{first, p.Planes.Planes[0]}}
	}
	return p, nil
}

// planesOf returns the hyperplanes of a model: the only one of a perceptron.Binary, else one for each
// class.
func planesOf(m perceptron.Model) perceptron.Hyperplanes {
	if two, ok := m.(perceptron.Binary); ok {
		return perceptron.Hyperplanes{Classes: []int{0}, Planes: []perceptron.Hyperplane{two.Hyperplane()}}
	}
	return m.(interface {
		Hyperplanes() perceptron.Hyperplanes
	}).Hyperplanes()
}

// Predict returns the index of the row's class. It fills in missing features of x.
func (p *Predictor) Predict(x table.Vector) (int, error) {
	table.Fill(x, p.fill)
	if x.Dense() {
		return p.Planes.Predict(x.Value)
	}
	best, high := 0, math.Inf(-1)
	for k, h := range p.Planes.Planes {
		v, err := score(h, x)
		if err != nil {
			return 0, err
		}
		if v > high {
			best, high = k, v
		}
	}
	return best, nil
}

// score returns ⟨w, x⟩ + b. Of a sparse row, it adds the products in the order of the features, so
// that another program gets the same bits.
func score(h perceptron.Hyperplane, x table.Vector) (float64, error) {
	if x.Dense() {
		return h.Score(x.Value)
	}
	sum := 0.0
	for k, j := range x.Index {
		sum += float64(h.Weights[j] * x.Value[k]) // rounded, so that no machine fuses the two
	}
	if sum += h.Bias; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, fmt.Errorf("%w: the score is %v", perceptron.ErrNotFinite, sum)
	}
	return sum, nil
}

// Scored returns the classes that have a score: of two classes, only the second.
func (p *Predictor) Scored() []string {
	if p.Two {
		return p.Classes[1:]
	}
	return p.Classes
}

// Scores appends the scores of the classes that Scored returns to dst. Of two classes, the
// first has no score of its own: its plane is the threshold.
func (p *Predictor) Scores(dst []float64, x table.Vector) ([]float64, error) {
	table.Fill(x, p.fill)
	for _, h := range p.Planes.Planes[len(p.Planes.Planes)-len(p.Scored()):] {
		v, err := score(h, x)
		if err != nil {
			return dst, err
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// ErrUncalibrated reports that a model has scores only.
var ErrUncalibrated = errors.New("the model has no probabilities: train it with --calibrate")

// Probabilities appends the probabilities of all classes to dst. The model must be calibrated.
func (p *Predictor) Probabilities(dst []float64, x table.Vector) ([]float64, error) {
	scores, err := p.Scores(nil, x)
	if err != nil {
		return dst, err
	}
	return p.calibration.Probabilities(dst, scores), nil
}

// Lead returns by how much a class leads in the scores of a row that Scores returned: it
// orders rows by how much they look like the class. Of two classes, the one's gain is the
// other's loss. Of more, the lead is that over the best other class.
func (p *Predictor) Lead(scores []float64, class int) float64 {
	switch {
	case !p.Two:
		return scores[class] - slices.Max(slices.Concat(scores[:class], scores[class+1:]))
	case class == 0:
		return -scores[0]
	}
	return scores[0]
}
