package weights

import (
	"math"

	"perceptron/internal/saved"
)

// vectorsSaved is the number of vectors that are saved for a plane.
var vectorsSaved = [...]int{Last: 1, Average: 4, Pocket: 2}

// Save returns the vectors of all planes for a saved form, one plane after another. The first vector of a
// plane predicts, under every Keep, so that another program needs nothing else to predict. Under Average
// it is the mean, and the iterate in training, the sum u and its rounding errors follow. Under Pocket it is
// the best iterate, and the iterate in training follows. Each vector ends with the bias.
//
// The vectors may share memory with the planes. Any number of goroutines may call Save at once.
func (p *Planes) Save() (vectors [][]float64) {
	for i, q := range p.all {
		vectors = append(vectors, p.Predicting(i))
		if q = q.rescaled(); p.Keep != Last {
			for k := range kinds(p.Keep) {
				vectors = append(vectors, p.whole(nil, q.moving[k], q.stride))
			}
		}
	}
	return vectors
}

// CheckSaved returns an error unless n planes have this number of saved vectors.
func (p *Planes) CheckSaved(n, vectors int) error {
	want := n * vectorsSaved[p.Keep]
	return saved.Expect(vectors == want, "vectors", "%s, want %d", saved.Count(vectors, "vector", "vectors"), want)
}

// Load adds the planes whose vectors Save returned, in a number that CheckSaved accepts, to planes that have
// none. counted has the number of examples that the mean of each plane counts, or is nil unless Keep is
// Average. The planes may share memory with the vectors. Load does not compute the mean again, so predictions
// keep their bits even if a later version rounds it in another way.
func (p *Planes) Load(width int, counted []float64, vectors [][]float64) error {
	p.width = width
	each := vectorsSaved[p.Keep]
	for i, v := range vectors {
		if err := p.checkVector(v, i%each > 0 || p.Keep == Last); err != nil {
			return saved.Index(".vectors", i, err)
		}
	}
	for i := 0; i < len(vectors); i += each {
		q := &plane{stride: 1, weight: 1}
		if p.Keep != Last {
			q.kept = vectors[i]
		}
		copy(q.moving[:], vectors[i+each-kinds(p.Keep):i+each])
		if p.Keep == Average {
			q.counted = counted[i/each]
		}
		p.all = append(p.all, q)
		p.measure(len(p.all) - 1)
	}
	return nil
}

// checkVector validates a saved vector (w, b). If it moves in training, checkVector turns −0 into 0, because no
// weight in training is ever −0.
func (p *Planes) checkVector(v []float64, moves bool) error {
	if len(v)-1 != p.width {
		return saved.Errorf("%s, want %d", saved.Count(len(v), "number", "numbers"), uint64(p.width)+1)
	}
	for j, x := range v {
		if moves && x == 0 && math.Signbit(x) { // −0 alone: writing to a page of zeros would take memory
			v[j] = 0
		}
	}
	return saved.Expect(!p.Linear || v[p.width] == 0, "", "the bias is %v in Linear space, want 0", v[p.width])
}
