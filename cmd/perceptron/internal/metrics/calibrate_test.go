package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// outcomes draws scores whose true probabilities are known: 1/(1+exp(−(as+b))) for two classes, and
// the softmax of a·s for more.
func outcomes(n, classes int, a, b float64) []Outcome {
	r := rand.New(rand.NewPCG(1, 2))
	var rows []Outcome
	for range n {
		o := Outcome{Scores: make([]float64, classes)}
		if classes == 2 {
			o.Scores = o.Scores[:1]
		}
		for k := range o.Scores {
			o.Scores[k] = 3 * r.NormFloat64() / a
		}
		draw := r.Float64()
		for k, p := range formula(Calibration{a, b}, o.Scores) {
			if draw -= p; draw < 0 {
				o.Class = k
				break
			}
		}
		rows = append(rows, o)
	}
	return rows
}

// formula computes probabilities from the formulas.
func formula(c Calibration, scores []float64) []float64 {
	if len(scores) == 1 {
		p := 1 / (1 + math.Exp(-(c.Slope*scores[0] + c.Bias)))
		return []float64{1 - p, p}
	}
	all, sum := make([]float64, len(scores)), 0.0
	for k, s := range scores {
		all[k] = math.Exp(c.Slope * s)
		sum += all[k]
	}
	for k := range all {
		all[k] /= sum
	}
	return all
}

// loss is what Calibrate minimises: with Platt's priors for two classes, and without for more.
func loss(rows []Outcome, classes int, c Calibration) (sum float64) {
	prior := map[bool]float64{true: 1}[classes == 2]
	count := make([]float64, classes)
	for _, r := range rows {
		count[r.Class]++
	}
	for _, r := range rows {
		for k, p := range formula(c, r.Scores) {
			t := prior / (count[r.Class] + 2*prior)
			if k == r.Class {
				t = (count[k] + prior) / (count[k] + 2*prior)
			}
			sum -= t * math.Log(p)
		}
	}
	return sum
}

// TestCalibrate: no other slope or bias has a smaller loss, whatever the unit of the scores, and
// the true ones are found.
func TestCalibrate(t *testing.T) {
	for _, c := range []struct {
		n, classes int
		a, b       float64
	}{{4000, 2, 2, 0.5}, {4000, 2, 1e-6, -1}, {50, 2, 1e6, 0}, {4000, 5, 0.7, 0}, {4000, 3, 1e9, 0}, {30, 4, 1, 0}, {12, 3, 1, 0}} {
		rows := outcomes(c.n, c.classes, c.a, c.b)
		got := *Calibrate(rows)
		if c.n >= 4000 && (math.Abs(got.Slope/c.a-1) > 0.1 || math.Abs(got.Bias-c.b) > 0.15) {
			t.Errorf("%+v: %+v", c, got)
		}
		least := loss(rows, c.classes, got)
		for _, d := range [][2]float64{{0.02, 0}, {-0.02, 0}, {0, 0.02}, {0, -0.02}, {0.01, 0.01}, {-0.01, 0.01}} {
			if c.classes > 2 && d[1] != 0 {
				continue
			}
			near := Calibration{got.Slope + d[0]*c.a, got.Bias + d[1]}
			if worse := loss(rows, c.classes, near); worse < least {
				t.Errorf("%+v: the loss is %v at %+v, and %v at %+v", c, least, got, worse, near)
			}
		}
		if c.classes > 2 && got.Bias != 0 {
			t.Errorf("%+v: bias %v", c, got.Bias)
		}
	}
}

// TestCalibrateExtremes: rows that no score confuses, equal scores and a single row give finite
// numbers.
func TestCalibrateExtremes(t *testing.T) {
	one := func(class int, scores ...float64) Outcome { return Outcome{scores, class} }
	for name, rows := range map[string][]Outcome{
		"separable": {one(0, -1), one(0, -2), one(1, 1), one(1, 3)},
		"three":     {one(0, 1, 0, 0), one(1, 0, 1, 0), one(2, 0, 0, 1)},
		"equal":     {one(0, 5), one(1, 5), one(1, 5)},
		"flat":      {one(0, 2, 2, 2), one(1, 2, 2, 2)},
		"one":       {one(1, 3)},
		"one of 3":  {one(1, 0, 3, 0)},
		"two":       {one(0, 1, 0), one(1, 0, 1), one(1, 1, 0)}, // no priors: softmax(slope) is 2/3
		"lowest":    {one(0, 1, 2, 3), one(1, 5, 4, 6)},
		"highest":   {one(0, 1, 2, 3), one(1, 5, 7, 6)}, // and lowest
		"none":      nil,
		"backwards": {one(1, -1), one(0, 1), one(1, -2), one(0, 2)},
	} {
		c := *Calibrate(rows)
		for _, r := range rows {
			sum := 0.0
			for k, p := range c.Probabilities(nil, r.Scores) {
				if sum += p; !(p > 0 && p < 1) || math.Abs(p-formula(c, r.Scores)[k]) > 1e-12 {
					t.Errorf("%s: probability %v under %+v", name, p, c)
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: the probabilities add up to %v", name, sum)
			}
		}
		if name == "equal" && math.Abs(c.Probabilities(nil, []float64{5})[1]-(2*0.75+1/3.)/3) > 1e-9 {
			t.Errorf("%s: %v, want the mean of Platt's targets", name, c.Probabilities(nil, []float64{5}))
		}
		if name == "two" && math.Abs(c.Slope-math.Log(2)) > 1e-6 {
			t.Errorf("%s: %+v", name, c)
		}
		if name == "backwards" && c.Slope >= 0 {
			t.Errorf("%s: %+v", name, c)
		}
		// Three rows of one class each: the leading class has (1+1)/(1+2), and two share the rest.
		if p := c.Probabilities(nil, []float64{1, 0, 0})[0]; name == "three" && math.Abs(p-2/3.) > 1e-5 {
			t.Errorf("%s: %v, want Platt's target", name, p)
		}
	}
	if p := (Calibration{Slope: 1}).Probabilities([]float64{7}, []float64{1e308, -1e308, 0}); p[0] != 7 || p[1] != 1 || p[2] != 0 || p[3] != 0 {
		t.Error(p)
	}
}

// TestProbabilitiesOverflow: where the product of slope and score overflows, probabilities are
// still numbers, and the greatest score has the greatest one.
func TestProbabilitiesOverflow(t *testing.T) {
	for _, c := range []struct {
		slope        float64
		scores, want []float64
	}{
		{40, []float64{1e308}, []float64{0, 1}},
		{40, []float64{-1e308}, []float64{1, 0}},
		{-40, []float64{1e308}, []float64{1, 0}},
		{40, []float64{1e308, -1e308, 0}, []float64{1, 0, 0}},
		{40, []float64{-1e308, -1.5e308, 1}, []float64{0, 0, 1}},
		{40, []float64{1e308, 1e308, 0}, []float64{0.5, 0.5, 0}},
		{40, []float64{-1e308, -1e308}, []float64{0.5, 0.5}},
	} {
		if p := (Calibration{Slope: c.slope, Bias: 3}).Probabilities(nil, c.scores); !slices.Equal(p, c.want) {
			t.Errorf("slope %v, scores %v: %v, want %v", c.slope, c.scores, p, c.want)
		}
	}
}

// TestReliability: the figures follow from the formulas.
func TestReliability(t *testing.T) {
	var two, three Reliability
	two.Add([]float64{0.25, 0.75}, 1)
	two.Add([]float64{0.3, 0.7}, 0)
	two.Add([]float64{0, 1}, 1)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	if !near(two.LogLoss, -(math.Log(0.75)+math.Log(0.3))/3) || !near(two.Brier, (0.0625+0.49)/3) {
		t.Errorf("%+v", two)
	}
	if b := two.Bins[7]; b.Rows != 2 || !near(b.Mean, 0.725) || b.Share != 0.5 || two.Bins[9] != (Bin{1, 1, 1}) || two.Bins[2].Rows != 0 {
		t.Errorf("%+v", two.Bins)
	}
	three.Add([]float64{0.5, 0.3, 0.2}, 2)
	three.Add([]float64{1, 0, 0}, 2)
	if !near(three.LogLoss, -(math.Log(0.2)+math.Log(0x1p-52))/2) || !near(three.Brier, (0.25+0.09+0.64+2)/2) {
		t.Errorf("%+v", three)
	}
	if three.Bins[0].Rows != 2 || three.Bins[0].Share != 0.5 || three.Bins[2].Share != 1 || three.Bins[5] != (Bin{1, 0.5, 0}) {
		t.Errorf("%+v", three.Bins)
	}
}
