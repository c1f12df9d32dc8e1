package naive

import (
	"math"
	"math/rand/v2"
	"slices"
)

// gradientRows is the number of rows whose gradients Batch adds up before it adds the sums.
const gradientRows = 256

// A Config has the fields of a Binary. The zero value of a field is the library's first constant.
type Config struct {
	Rule, Order, Keep      int
	Rate, Gamma, Threshold float64
	Linear                 bool
	Seed                   uint64
	Start                  Plane
}

// A Binary is a perceptron of two classes that learns by example, with any rule, Order and Keep.
type Binary struct {
	Config
	Plane             // in training
	R2        float64 // the largest ‖(x, 1)‖², or ‖x‖², updated on
	Held      Plane   // in the pocket
	Beat, Run int     // what a challenger of the pocket must exceed; the run of the iterate
	Longest   int     // the longest run of this epoch
	OfLongest Plane   // its iterate
	Passes    int
	Mistakes  int     // updates in all
	Loss      float64 // of the last epoch

	gen      *rand.PCG
	iterates []Plane // after each example
}

// New returns an untrained perceptron for rows of d features.
func New(c Config, d int) *Binary {
	n := &Binary{Config: c, gen: rand.NewPCG(c.Seed, 0)}
	n.Plane = Plane{make([]float64, d), c.Start.Bias}
	copy(n.Weights, c.Start.Weights)
	n.Held = n.Plane.Clone()
	return n
}

// theta returns θ: an example is right if y·score exceeds it.
func (n *Binary) theta() float64 {
	switch n.Rule {
	case WithinGamma:
		v := append(slices.Clone(n.Weights), n.Bias)
		return n.Gamma / 2 * math.Sqrt(Dot(v, v))
	case WithinTheta:
		return n.Threshold
	case WithinR:
		return n.Rate * n.R2
	}
	return 0
}

// See learns one example of an epoch.
func (n *Binary) See(x []float64, y int) (updated bool) {
	m := float64(y) * n.Score(x)
	n.Run++
	if updated = m <= n.theta(); updated {
		n.Run = 0
		n.Mistakes++
		n.Loss += max(0, -m)
		n.learn(x, float64(y))
	}
	if n.Run > n.Longest {
		n.Longest, n.OfLongest = n.Run, n.Plane.Clone()
	}
	n.iterates = append(n.iterates, n.Plane.Clone())
	return updated
}

// learn adds ηy(x, 1).
func (n *Binary) learn(x []float64, y float64) {
	for j := range x {
		n.Weights[j] += float64(n.Rate * y * x[j])
	}
	norm2 := Dot(x, x)
	if !n.Linear {
		n.Bias += float64(n.Rate * y)
		norm2++
	}
	if n.Rule == WithinR {
		n.R2 = max(n.R2, norm2)
	}
}

// Stream learns one example of a stream, where a run alone decides about the pocket.
func (n *Binary) Stream(x []float64, y int) (updated bool) {
	updated = n.See(x, y)
	if n.Run > n.Beat {
		n.Held, n.Beat = n.Plane.Clone(), n.Run
	}
	return updated
}

// Begin begins a range over epochs, which counts the pocket on its own rows.
func (n *Binary) Begin(X [][]float64, y []int) { n.Beat = n.Held.Right(X, y) }

// Epoch learns the rows once. Then the iterate of the longest run, and after it the last one,
// challenge the pocket. It reports whether the run has converged.
func (n *Binary) Epoch(X [][]float64, y []int) (converged bool) {
	n.Loss, n.Run, n.Longest = 0, 0, 0
	before := n.Mistakes
	for _, i := range Order(n.Order, n.gen, len(X)) {
		n.See(X[i], y[i])
	}
	all := []Plane{n.Plane.Clone()}
	if n.Longest > 0 {
		all = slices.Insert(all, 0, n.OfLongest)
	}
	for _, h := range all {
		if right := h.Right(X, y); right > n.Beat {
			n.Held, n.Beat = h, right
		}
	}
	n.Passes++
	n.Loss /= float64(len(X))
	converged = n.Mistakes == before
	for i, x := range X {
		converged = converged && float64(y[i])*n.Score(x) > n.theta()
	}
	return converged
}

// Predictor returns the hyperplane that Keep selects. For Average that is the exact mean of all
// iterates, rounded once.
func (n *Binary) Predictor() Plane {
	switch h := n.Plane.Clone(); n.Keep {
	case Pocket:
		return n.Held
	case Average:
		for j := range h.Weights {
			h.Weights[j] = Mean(n.iterates, func(h Plane) float64 { return h.Weights[j] })
		}
		h.Bias = Mean(n.iterates, func(h Plane) float64 { return h.Bias })
		return h
	default:
		return h
	}
}

// Batch descends the perceptron criterion by one full gradient an epoch. It returns also the
// mistakes of all epochs and the loss of the last.
func Batch(c Config, X [][]float64, y []int, epochs int) (h Plane, mistakes int, loss float64) {
	h = New(c, len(X[0])).Plane
	d := len(h.Weights)
	for range epochs {
		sum := make([]float64, d+1)
		loss = 0
		for lo := 0; lo < len(X); lo += gradientRows {
			block, shortfall := make([]float64, d+1), 0.0
			for i := lo; i < min(lo+gradientRows, len(X)); i++ {
				m := float64(y[i]) * h.Score(X[i])
				if m > 0 {
					continue
				}
				mistakes++
				shortfall -= m
				for j, v := range X[i] {
					block[j] += float64(y[i]) * v
				}
				if !c.Linear {
					block[d] += float64(y[i])
				}
			}
			for j := range sum {
				sum[j] += block[j]
			}
			loss += shortfall
		}
		for j := range h.Weights {
			h.Weights[j] += float64(c.Rate * sum[j])
		}
		h.Bias += float64(c.Rate * sum[d])
	}
	return h, mistakes, loss / float64(len(X))
}
