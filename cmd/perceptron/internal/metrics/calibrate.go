package metrics

import (
	"cmp"
	"math"
	"slices"
)

// A Calibration turns the scores of a row into probabilities. It has only one or two numbers, so a
// few hundred rows are enough to fit it. If Slope is positive, a class with a greater score has a
// greater probability.
//
// With two classes, there is one score s, and the second class has the probability
// 1/(1 + exp(−(Slope·s + Bias))) (Platt 1999). With more, each class has a score s, and its
// probability is proportional to exp(Slope·s): 1/Slope is a temperature.
type Calibration struct {
	Slope float64 `json:"slope"`
	Bias  float64 `json:"bias"`
}

// Probabilities appends the probabilities of all classes to dst. The scores are those of a row: one
// score for two classes, else one for each class.
func (c Calibration) Probabilities(dst, scores []float64) []float64 {
	z := make([]float64, 0, 1+len(scores))
	if len(scores) == 1 {
		z = append(z, 0)
	}
	// An infinite product would make probabilities NaN, which JSON cannot represent.
	for _, s := range scores {
		z = append(z, min(max(c.Slope*s+c.Bias, -math.MaxFloat64), math.MaxFloat64))
	}
	high, sum := slices.Max(z), 0.0 // exp(v−high) does not overflow
	for _, v := range z {
		dst = append(dst, math.Exp(v-high))
		sum += dst[len(dst)-1]
	}
	for k := range z {
		dst[len(dst)-1-k] /= sum
	}
	return dst
}

// An Outcome has the scores of a row that the model was not trained on, and the class of the row.
type Outcome struct {
	Scores []float64
	Class  int
}

// Calibrate returns the Calibration that makes the outcomes most likely.
//
// With two classes, it replaces the labels by Platt's priors: a row whose class has n rows is of
// this class with probability (n+1)/(n+2). Without priors, the slope would be infinite if the scores
// separate the classes. With more classes, only a temperature is fitted, usually without priors
// (Guo, Pleiss, Sun and Weinberger 2017). So then Calibrate uses priors only if the best slope would
// be infinite. The other classes then share the rest of the probability equally.
//
// Calibrate uses Newton's method, and halves a step that does not reduce the loss (Lin, Lin and
// Weng 2007).
func Calibrate(rows []Outcome) *Calibration {
	count, prior := map[int]float64{}, 1.0
	var rise, fall bool // the loss is infinite at slope −∞, and at slope +∞
	for _, r := range rows {
		count[r.Class]++
		if len(r.Scores) > 1 {
			own := r.Scores[r.Class]
			rise, fall = rise || own > slices.Min(r.Scores), fall || own < slices.Max(r.Scores)
		}
	}
	if rise && fall {
		prior = 0
	}
	var c Calibration
	loss, step := derive(rows, count, prior, c)
	for t := 1.0; t > 1e-6; {
		next := Calibration{c.Slope - t*step.Slope, c.Bias - t*step.Bias}
		if after, s := derive(rows, count, prior, next); after < loss-1e-12*loss {
			c, loss, step, t = next, after, s, 1
		} else {
			t /= 2
		}
	}
	return &c
}

// derive returns the loss of c and Newton's step, which is to be subtracted from c. The loss is
// −Σ t·log p over rows and classes, where t is 1 for the class of the row and else 0, or the prior.
func derive(rows []Outcome, count map[int]float64, prior float64, c Calibration) (loss float64, step Calibration) {
	var ga, gb, aa, ab, bb float64 // the gradient, and the matrix of second derivatives
	var p []float64
	for _, r := range rows {
		p = c.Probabilities(p[:0], r.Scores)
		// Let p be exp(Slope·u + Bias·v)/Σ. These are the means of u, v, u² and uv under p.
		var ma, mb, maa, mab float64
		for k, q := range p {
			u, v := 0.0, 0.0
			if len(r.Scores) > 1 {
				u = r.Scores[k]
			} else if k == 1 {
				u, v = r.Scores[0], 1
			}
			t := prior / (count[r.Class] + 2*prior) / float64(len(p)-1)
			if k == r.Class {
				t = (count[k] + prior) / (count[k] + 2*prior)
			}
			loss -= t * math.Log(max(q, 1e-300))
			ga, gb = ga+(q-t)*u, gb+(q-t)*v
			ma, mb, maa, mab = ma+q*u, mb+q*v, maa+q*u*u, mab+q*u*v
		}
		aa, ab, bb = aa+maa-ma*ma, ab+mab-ma*mb, bb+mb*(1-mb)
	}
	// With more than two classes, the bias stays 0, because it would add the same to each class. The
	// slope then stays 0 too if the scores of each row are equal. For two classes, equal scores do not
	// determine slope and bias: the factor 1+1e-12 keeps det above 0, also in spite of rounding.
	aa, bb = cmp.Or(aa*(1+1e-12), 1), cmp.Or(bb, 1)
	det := aa*bb - ab*ab
	return loss, Calibration{(bb*ga - ab*gb) / det, (aa*gb - ab*ga) / det}
}

// A Reliability measures predicted probabilities. The true probabilities have the least expected
// log loss and Brier score. The bins show where probabilities are too high or too low. With two
// classes, Brier and Bins use the probability of the second class only; with more, those of all
// classes. The JSON names are stable.
type Reliability struct {
	LogLoss float64 `json:"logLoss"` // mean of −log p of the true class
	Brier   float64 `json:"brier"`   // mean of Σ (p − y)², where y is 1 for the true class and else 0
	Bins    [10]Bin `json:"calibration"`
	rows    float64
}

// A Bin describes the probabilities in one tenth of [0, 1]. They are calibrated if Mean is near
// Share.
type Bin struct {
	Rows  int     `json:"rows"`  // probabilities in the bin
	Mean  float64 `json:"mean"`  // mean of the probabilities
	Share float64 `json:"share"` // share of the probabilities whose row is of the class
}

// Add adds the probabilities p that were predicted for a row, whose true class is given.
func (r *Reliability) Add(p []float64, class int) {
	r.rows++
	mean := func(of *float64, n, v float64) { *of += (v - *of) / n }
	mean(&r.LogLoss, r.rows, -math.Log(max(p[class], 0x1p-52))) // the limit of scikit-learn
	brier := 0.0
	for k := 3 - min(len(p), 3); k < len(p); k++ { // with two classes only the second, else all
		y := map[bool]float64{true: 1}[k == class]
		brier += (p[k] - y) * (p[k] - y)
		b := &r.Bins[min(int(10*p[k]), 9)]
		b.Rows++
		mean(&b.Mean, float64(b.Rows), p[k])
		mean(&b.Share, float64(b.Rows), y)
	}
	mean(&r.Brier, r.rows, brier)
}
