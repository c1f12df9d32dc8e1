package modelfile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// A Predictor predicts raw rows with the same hyperplanes that export writes for other programs. Its
// methods do not change the Predictor, so that they can run concurrently.
//
// The scaling is folded into the planes once. Then a dense row takes one product for each feature and
// class, and a sparse row one product for each non-zero and class. With Waves nothing can be folded: each row is
// scaled and mapped.
type Predictor struct {
	*Details
	Planes perceptron.Hyperplanes // for raw rows, or for rows mapped by Waves; its classes are indices of Classes
	Two    bool                   // a binary model; the score of the first plane is constant, just below the threshold
}

// mostThreshold is the largest absolute value of a threshold. The next smaller number is finite too.
const mostThreshold = 1e300

// Predictor returns the Predictor of the model as it is now. Further training does not change the
// Predictor, because it has copies of the weights.
func (f *File) Predictor() (*Predictor, error) {
	p := &Predictor{Details: &f.Details, Two: IsTwo(f.Model)}
	var err error
	switch {
	case f.planes != nil:
		p.Planes = *f.planes
	case f.Bent():
		p.Planes = planesOf(f.Model)
	default:
		p.Planes, err = f.Scaling.UnscaleAll(planesOf(f.Model))
	}
	if err != nil {
		return nil, fmt.Errorf("the hyperplanes for raw rows: %w", err)
	}
	// A binary model predicts the second class if its score is at least the threshold. So the first
	// class gets a constant score. This is the number just below the threshold, because Hyperplanes
	// predicts the first class if the scores are equal.
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

// LeavesOut reports whether the model leaves out a row that lacks a value.
func (d *Details) LeavesOut(lacks bool) bool { return lacks && d.Schema.Missing == table.MissingDrop }

// Predict returns the index of the row's class. It changes x: it fills in missing features.
func (p *Predictor) Predict(x table.Vector) (class int, err error) {
	class, _, err = p.Leaders(x)
	return class, err
}

// Leaders returns the index of the row's class, and of the class with the best score of the others. Of equal
// scores, the first is the best. It changes x as Predict does.
func (p *Predictor) Leaders(x table.Vector) (class, next int, err error) {
	err = p.mapped(x, func(row table.Vector) error {
		class, next, err = p.leaders(row)
		return err
	})
	return class, next, err
}

// leaders is Leaders for a row that Planes take.
func (p *Predictor) leaders(x table.Vector) (class, next int, err error) {
	high, second := math.Inf(-1), math.Inf(-1)
	for k, h := range p.Planes.Planes {
		v := h.Bias // of the first of two classes, the score
		if k > 0 || !p.Two {
			if v, err = score(h, x); err != nil {
				return 0, 0, err
			}
		}
		switch {
		case v > high:
			class, high, next, second = k, v, class, high
		case v > second:
			next, second = k, v
		}
	}
	return class, next, nil
}

// score returns ⟨w, x⟩ + b. For a sparse row, it adds the products in the order of the features, so
// that another program can compute the same bits.
func score(h perceptron.Hyperplane, x table.Vector) (float64, error) {
	if x.Dense() {
		return h.Score(x.Value)
	}
	sum := 0.0
	for k, j := range x.Index {
		sum += float64(h.Weights[j] * x.Value[k]) // rounded, so that no machine fuses the product and the sum
	}
	if sum += h.Bias; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, fmt.Errorf("%w: the score is %v", perceptron.ErrNotFinite, sum)
	}
	return sum, nil
}

// Scored returns the classes that have a score. In a binary model, this is only the second class.
func (p *Predictor) Scored() []string {
	if p.Two {
		return p.Classes[1:]
	}
	return p.Classes
}

// Scores appends to dst the scores of the classes that Scored returns. It changes x: it fills in
// missing features.
func (p *Predictor) Scores(dst []float64, x table.Vector) ([]float64, error) {
	err := p.mapped(x, func(row table.Vector) error {
		for _, h := range p.Planes.Planes[len(p.Planes.Planes)-len(p.Scored()):] {
			v, err := score(h, row)
			if err != nil {
				return err
			}
			dst = append(dst, v)
		}
		return nil
	})
	return dst, err
}

// ErrUncalibrated reports that a model has scores, but no probabilities.
var ErrUncalibrated = errors.New("the model has no probabilities: train it with --calibrate")

// Probabilities appends the probabilities of all classes to dst, or returns ErrUncalibrated.
func (p *Predictor) Probabilities(dst []float64, x table.Vector) ([]float64, error) {
	if p.Calibration == nil {
		return dst, ErrUncalibrated
	}
	scores, err := p.Scores(nil, x)
	if err != nil {
		return dst, err
	}
	return p.Calibration.Probabilities(dst, scores), nil
}

// Lead returns by how much a class leads in the scores that Scores returned for a row. A greater lead
// means that the row is more likely of the class. In a binary model, the lead is the score for the
// second class, and its negative for the first. Otherwise it is the class's score less the highest
// score of the other classes.
func (p *Predictor) Lead(scores []float64, class int) float64 {
	switch {
	case !p.Two:
		return scores[class] - slices.Max(slices.Concat(scores[:class], scores[class+1:]))
	case class == 0:
		return -scores[0]
	}
	return scores[0]
}

// Effect returns what feature j with value v adds to the lead of a class over another. If the file has
// the feature's mean, Effect compares with it. The file has it if missing values are filled in, or if the
// feature is a scaled one of dense rows.
func (p *Predictor) Effect(class, other, j int, v float64, number bool) float64 {
	switch {
	case number && p.Fill != nil:
		v -= p.Fill[j]
	case p.Scaling.Mean != nil:
		v -= p.Scaling.Mean[j]
	}
	return (p.Planes.Planes[class].Weights[j] - p.Planes.Planes[other].Weights[j]) * v
}

// Rounded returns a Predictor with weights that a small program holds: float64, float32 or int8. An int8
// weight of feature j counts in units of scale[j], so that one byte suffices for features of any size: the
// Predictor takes rows whose features are multiplied by scale. Rounding would change the score of the mean
// row; the bias makes up for that.
func (p *Predictor) Rounded(as string) (small *Predictor, scale []float64, err error) {
	q := *p
	q.Planes.Planes, scale = nil, slices.Repeat([]float64{1}, len(p.Planes.Planes[0].Weights))
	for j := 0; j < len(scale) && as == "int8"; j++ {
		most := 0.0
		for _, h := range p.Planes.Planes {
			most = max(most, math.Abs(h.Weights[j]))
		}
		scale[j] = cmp.Or(float64(float32(most/127)), 1)
	}
	for _, h := range p.Planes.Planes {
		h.Weights = slices.Clone(h.Weights)
		for j, w := range h.Weights {
			switch as {
			case "float32":
				h.Weights[j] = float64(float32(w))
			case "int8":
				h.Weights[j] = math.RoundToEven(w / scale[j])
				if p.Scaling.Mean != nil {
					h.Bias += float64((w - h.Weights[j]*scale[j]) * p.Scaling.Mean[j])
				}
			}
			if math.IsInf(h.Weights[j], 0) || math.IsInf(scale[j], 0) {
				return nil, nil, fmt.Errorf("a weight is too large for %s", as)
			}
		}
		q.Planes.Planes = append(q.Planes.Planes, h)
	}
	return &q, scale, nil
}
