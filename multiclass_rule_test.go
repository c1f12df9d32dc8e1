package perceptron

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestMulticlassLine: Multiclass separates classes at −1, 0 and 1 on a line. OneVsRest
// cannot, because the middle class has no half-line to itself.
func TestMulticlassLine(t *testing.T) {
	X, y := [][]float64{{-1}, {0}, {1}}, []int{-1, 0, 1}
	for _, b := range []Model{nil, new(Margin), &Margin{Threshold: 3}, &Margin{Gamma: 0.1}, &Online{Order: Sampled}} {
		m := &Multiclass{Binary: b}
		res := must(m.Fit(X, y))(t)
		gamma := must(MulticlassGamma(m.Hyperplanes(), m.Classes(), X, y, Affine))(t)
		if res.Stop != Converged || !(gamma > 0) {
			t.Errorf("%v: %+v, margin %v; want a run that converges", b, res, gamma)
		}
	}
	m := &OneVsRest{Binary: &Online{MaxEpochs: 1e5}}
	if res := must(m.Fit(X, y))(t); res.Stop != Cycled {
		t.Errorf("OneVsRest: %+v, want a run that cycles", res)
	}
}

// TestMulticlassWider: data that OneVsRest separates is separable here. Its hyperplanes
// have a margin for several classes, and Multiclass converges.
func TestMulticlassWider(t *testing.T) {
	separated := 0
	for seed := range uint64(150) {
		set, space := multi(seed, 12, 2+int(seed%3), 3+int(seed%3)), Space(seed%2)
		b := &Online{Space: space, MaxEpochs: 50}
		rest := &OneVsRest{Binary: b}
		if must(rest.Fit(set.X, set.y))(t).Stop != Converged {
			continue
		}
		separated++
		gamma := must(MulticlassGamma(rest.Hyperplanes(), rest.Classes(), set.X, set.y, space))(t)
		m := &Multiclass{Binary: &Online{Space: space, MaxEpochs: 1e5}}
		if res := must(m.Fit(set.X, set.y))(t); !(gamma > 0) || res.Stop != Converged || res.Upper < gamma {
			t.Fatalf("seed %d: margin %v of OneVsRest, but %+v", seed, gamma, res)
		}
	}
	if separated < 30 || separated > 120 {
		t.Errorf("OneVsRest separates %d of 150 sets", separated)
	}
}

// lowestBest returns the position of the highest score, the lowest of several, where
// skip is left out. It reports whether there are several.
func lowestBest(scores []float64, skip int) (best int, tie bool) {
	best = -1
	for i, s := range scores {
		switch {
		case i == skip:
		case best < 0 || s > scores[best]:
			best, tie = i, false
		case s == scores[best]:
			tie = true
		}
	}
	return best, tie
}

// TestMulticlassTies: of several rivals with one score the lowest class falls. Of several
// classes with the highest score Predict returns the lowest. An update moves no others.
func TestMulticlassTies(t *testing.T) {
	ties := map[string]int{}
	for seed := range uint64(40) {
		set, m := whole(seed, 30, 2), &Multiclass{Binary: &Online{Space: Linear}}
		for i := range set.y {
			set.y[i] = []int{9, 2, 5, 7}[(i*i+int(seed))%4]
		}
		zeros := make([][]float64, 30)
		for i := range zeros {
			zeros[i] = []float64{0, 0}
		}
		for range must2(t, m.Epochs(zeros, append(set.y[4:], 2, 5, 7, 9))) {
			break // every class is at 0
		}
		for i, x := range set.X {
			scores, y := must(m.Scores(nil, x))(t), slices.Index(m.Classes(), set.y[i])
			best, tie := lowestBest(scores, -1)
			if got := must(m.Predict(x))(t); got != m.Classes()[best] {
				t.Fatalf("Predict = %d, want %d of %v with %v", got, m.Classes()[best], m.Classes(), scores)
			}
			if tie {
				ties["best"]++
			}
			r, tie := lowestBest(scores, y)
			want := m.Hyperplanes()
			if mistake := scores[y] <= scores[r]; mistake {
				for j, v := range x {
					want[y].Weights[j] += v
					want[r].Weights[j] -= v
				}
				if tie {
					ties["rival"]++
				}
			}
			must(m.Update(x, set.y[i]))(t)
			if got := m.Hyperplanes(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("class %d of %v with scores %v: %v, want %v", set.y[i], m.Classes(), scores, got, want)
			}
		}
	}
	if ties["best"] < 100 || ties["rival"] < 100 {
		t.Errorf("ties: %v", ties)
	}
}

// TestMulticlassAlone: an example of the only class known is no mistake, for any θ, in a
// stream and in epochs. An epoch of one class converges.
func TestMulticlassAlone(t *testing.T) {
	for i, p := range []Margin{{}, {Gamma: 1}, {Threshold: 1}, {Threshold: math.MaxFloat64}, {Gamma: 1e300}} {
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			for _, keep := range []Keep{Last, Average, Pocket} {
				p.Order, p.Keep, p.MaxEpochs = order, keep, 3
				for _, b := range []Model{&p, &Online{Order: order, Keep: keep, MaxEpochs: 3}} {
					checkAlone(t, fmt.Sprintf("%d %v %v", i, order, keep), &Multiclass{Binary: b})
				}
			}
		}
	}
}

func checkAlone(t *testing.T, name string, m *Multiclass) {
	t.Helper()
	X, y := [][]float64{{1, 2}, {-1e150, 3}, {0, 0}}, []int{7, 7, 7}
	for i, x := range X {
		if must(m.Update(x, y[i]))(t) {
			t.Fatalf("%s: Update %d = true", name, i)
		}
	}
	if e := must(m.Learn(pairs(X, y)))(t); e.Mistakes != 0 || e.Loss != 0 {
		t.Fatalf("%s: Learn = %+v", name, e)
	}
	for e := range must2(t, m.Epochs(X, y)) {
		if e.Mistakes != 0 || e.Loss != 0 || e.Stop != Converged {
			t.Fatalf("%s: %+v, want an epoch without mistakes that converges", name, e)
		}
	}
	if h := m.Hyperplanes(); len(h) != 1 || !h[0].isZero() || must(m.Predict(X[0]))(t) != 7 {
		t.Fatalf("%s: %v, want zeros", name, h)
	}
	if !must(m.Update([]float64{3, 4}, -2))(t) { // now there is a rival
		t.Fatalf("%s: the first example of the second class is no mistake", name)
	}
	if got := fmt.Sprint(iterateOf(m, 0), iterateOf(m, 1)); got != "[3 4 1] [-3 -4 -1]" {
		t.Fatalf("%s: %s", name, got)
	}
}
