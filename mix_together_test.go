package perceptron_test

import (
	"fmt"
	"math"
	"testing"

	"perceptron"
)

// TestMixTogether compares Mix of Multiclass with the weighted means: of the iterates
// exactly, and of the averages with Σ μ_s S_s / Σ μ_s n_s. One class arrives late.
func TestMixTogether(t *testing.T) {
	weights := []float64{3, 1, 4}
	for _, b := range []perceptron.Model{new(perceptron.Online), &perceptron.Margin{Rate: 0.1}, &perceptron.Margin{Gamma: 0.4}} {
		var last, average []*perceptron.Multiclass
		var sums [3][4][]float64 // the iterates of each shard and class, added up
		for s := range 3 {
			p, q := &perceptron.Multiclass{Binary: b}, &perceptron.Multiclass{Binary: averaged(b)}
			for i, row := range perceptron.Uniform(uint64(s), 40+10*s, 3, 4).X {
				class := i % 4
				if i < 20 {
					class = i % 3
				}
				must(p.Update(row, class))(t)
				must(q.Update(row, class))(t)
				for c, h := range p.Hyperplanes() {
					for j, v := range vector(h) {
						sums[s][c] = append(sums[s][c], make([]float64, 4-len(sums[s][c]))...)
						sums[s][c][j] += v
					}
				}
			}
			last, average = append(last, p), append(average, q)
		}
		mixed, means := must(perceptron.Mix(last, weights))(t), must(perceptron.Mix(average, weights))(t)
		for c := range 4 {
			w, mean := vector(mixed.Hyperplanes()[c]), vector(means.Hyperplanes()[c])
			for j := range 4 {
				var iterate, sum, n float64
				for s, mu := range weights {
					iterate += float64(mu / 8 * vector(last[s].Hyperplanes()[c])[j])
					sum += mu * sums[s][c][j]
					n += mu * float64(40+10*s)
				}
				if !sameBits(w[j], iterate) {
					t.Errorf("class %d: w[%d] = %v, want %v", c, j, w[j], iterate)
				}
				if !(math.Abs(mean[j]-sum/n) <= 1e-14) {
					t.Errorf("class %d: mean[%d] = %v, want %v", c, j, mean[j], sum/n)
				}
			}
		}
		set := perceptron.Uniform(9, 50, 3, 5) // with a new class
		if e, f := must(mixed.Learn(all(set)))(t), must(means.Learn(all(set)))(t); e != f {
			t.Errorf("the mixed iterates differ: Learn = %+v under Last, %+v under Average", e, f)
		}
	}
}

// averaged returns a copy of the model, with Keep Average.
func averaged(m perceptron.Model) perceptron.Model {
	switch m := m.(type) {
	case *perceptron.Online:
		return &perceptron.Online{Rate: m.Rate, Keep: perceptron.Average}
	case *perceptron.Margin:
		return &perceptron.Margin{Rate: m.Rate, Gamma: m.Gamma, Keep: perceptron.Average}
	}
	return nil
}

// TestMixTogetherGoesOn: the mix of one Multiclass equals it, is independent of it, and
// learns what it would.
func TestMixTogetherGoesOn(t *testing.T) {
	set := perceptron.Multi(3, 40, 3, 4)
	for name, b := range perceptron.Binaries(3, 0) {
		keep := keepOf(b)
		switch b := b.(type) {
		case *perceptron.Batch:
			continue
		case *perceptron.Online:
			b.Start = perceptron.Hyperplane{}
		case *perceptron.Margin:
			b.Start = perceptron.Hyperplane{}
		}
		if keep == perceptron.Pocket {
			continue
		}
		m := &perceptron.Multiclass{Binary: b}
		must(m.Learn(all(set)))(t)
		mixed := must(perceptron.Mix([]*perceptron.Multiclass{m}, nil))(t)
		before := fmt.Sprint(m.Hyperplanes())
		if got := fmt.Sprint(mixed.Hyperplanes()); got != before {
			t.Fatalf("%s: the mix of one is %s, want %s", name, got, before)
		}
		a := must(mixed.Learn(all(set)))(t)
		if got := fmt.Sprint(m.Hyperplanes()); got != before {
			t.Fatalf("%s: training the mix changed its part", name)
		}
		if e := must(m.Learn(all(set)))(t); e != a || keep == perceptron.Last && fmt.Sprint(m.Hyperplanes()) != fmt.Sprint(mixed.Hyperplanes()) {
			t.Fatalf("%s: the mix of one continues differently: %+v, want %+v", name, a, e)
		}
	}
}
