package perceptron_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// TestMixNaive compares Mix with Σ μ_s w_s, exactly, and its averages with
// Σ μ_s S_s / Σ μ_s n_s.
func TestMixNaive(t *testing.T) {
	for _, weights := range [][]float64{nil, {1, 1, 1}, {3, 0, 5}, {0.1, 0.7, 0.2}} {
		var last, average []*perceptron.Online
		var iterates [][]perceptron.Hyperplane // after each example
		for s := range 3 {
			p := &perceptron.Online{Rate: 0.1, Seed: uint64(10 + s)}
			q := &perceptron.Online{Rate: 0.1, Seed: uint64(20 + s), Keep: perceptron.Average}
			var seen []perceptron.Hyperplane
			for x, y := range naive.Noisy(uint64(s), 20+10*s, 4).Pairs() {
				must(p.Update(x, y))(t)
				must(q.Update(x, y))(t)
				seen = append(seen, p.Hyperplane())
			}
			last, average, iterates = append(last, p), append(average, q), append(iterates, seen)
		}
		a, b := must(perceptron.Mix(last, weights))(t), must(perceptron.Mix(average, weights))(t)
		if weights == nil {
			weights = []float64{1, 1, 1}
		}
		compareMix(t, a, b, iterates, weights)
		if a.Seed != 10 || b.Seed != 20 || b.Keep != perceptron.Average || b.Rate != 0.1 {
			t.Fatalf("the fields are not those of models[0]: %+v, %+v", a, b)
		}
		set := naive.Noisy(9, 30, 4)
		if e, f := must(a.Learn(set.Pairs()))(t), must(b.Learn(set.Pairs()))(t); e != f {
			t.Fatalf("the mixed iterates differ: Learn = %+v under Last, %+v under Average", e, f)
		}
	}
}

// compareMix compares the means with those of the shards' iterates.
func compareMix(t *testing.T, last, average *perceptron.Online, iterates [][]perceptron.Hyperplane, weights []float64) {
	t.Helper()
	total := weights[0] + weights[1] + weights[2]
	w, sum, count := make([]float64, 5), make([]float64, 5), 0.0
	for s, seen := range iterates {
		mu := weights[s] / total
		for j, v := range vector(seen[len(seen)-1]) {
			w[j] += float64(mu * v)
		}
		count += mu * float64(len(seen))
		for _, h := range seen {
			for j, v := range vector(h) {
				sum[j] += mu * v
			}
		}
	}
	got, mean := vector(last.Hyperplane()), vector(average.Hyperplane())
	for j := range w {
		if !naive.SameBits(got[j], w[j]) {
			t.Fatalf("w[%d] = %v, want %v", j, got[j], w[j])
		}
		if !(math.Abs(mean[j]-sum[j]/count) <= 1e-14) {
			t.Fatalf("mean[%d] = %v, want %v", j, mean[j], sum[j]/count)
		}
	}
}

// mixOne returns the mix of one model, and whether its iterate is what predicts.
func mixOne(t *testing.T, m perceptron.Model) (mixed streamer, last bool) {
	switch p := m.(type) {
	case *perceptron.Online:
		return must(perceptron.Mix([]*perceptron.Online{p}, []float64{4}))(t), p.Keep == perceptron.Last
	case *perceptron.Margin:
		return must(perceptron.Mix([]*perceptron.Margin{p}, nil))(t), p.Keep == perceptron.Last
	}
	return nil, false
}

// TestMixGoesOn: a mix can be trained further, is independent of its parts, and
// leaves them as they were. The mix of one model equals that model.
func TestMixGoesOn(t *testing.T) {
	set := naive.Noisy(3, 40, 3)
	for name, m := range perceptron.Binaries(3, 0) {
		p, ok := m.(streamer)
		if !ok || keepOf(m) == perceptron.Pocket {
			continue
		}
		must(p.Learn(set.Pairs()))(t)
		before := p.Hyperplane()
		mixed, last := mixOne(t, m)
		if !samePlane(mixed.Hyperplane(), before) {
			t.Fatalf("%s: the mix of one is %v, want %v", name, mixed.Hyperplane(), before)
		}
		a := must(mixed.Learn(set.Pairs()))(t)
		if !samePlane(p.Hyperplane(), before) {
			t.Fatalf("%s: training the mix changed its part", name)
		}
		b := must(p.Learn(set.Pairs()))(t)
		if a != b || last && !samePlane(mixed.Hyperplane(), p.Hyperplane()) {
			t.Fatalf("%s: the mix of one continues differently: %+v, want %+v", name, a, b)
		}
	}
}

// TestMixBound: shards train an epoch from the mean and are mixed again. Their
// weighted mistakes are at most (R/γ)², with uniform weights and with weights in
// proportion to the mistakes (McDonald, Hall & Mann 2010, Theorem 3). The rounds end.
func TestMixBound(t *testing.T) {
	for _, proportional := range []bool{false, true} {
		set := naive.Separable(7, 90, 3, 0.1)
		shards := make([]*perceptron.Online, 3)
		mean, weighted := &perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1}, 0.0
		must(mean.Learn(set.Part(0, 1).Pairs()))(t)
		weighted++ // the first example is a mistake from zero
		for {
			mistakes, weights := 0, make([]float64, 3)
			for s := range shards {
				shards[s] = mean.Clone()
				e := must(shards[s].Learn(set.Part(30*s, 30*s+30).Pairs()))(t)
				mistakes += e.Mistakes
				weights[s] = float64(e.Mistakes)
			}
			if mistakes == 0 {
				break
			}
			for s, k := range weights {
				if proportional {
					weighted += k * k / float64(mistakes)
				} else {
					weighted += k / 3
					weights[s] = 1
				}
			}
			mean = must(perceptron.Mix(shards, weights))(t)
		}
		R := must(perceptron.Radius(set.X, perceptron.Linear))(t)
		if bound := perceptron.MistakeBound(R, 0.1); weighted > bound {
			t.Errorf("weighted mistakes %v, bound %v", weighted, bound)
		}
		if must(perceptron.Accuracy(mean, set.X, set.Y))(t) != 1 {
			t.Error("the mix does not separate the shards")
		}
	}
}

// updated returns the model after an Update with (x, +1).
func updated[M streamer](t *testing.T, m M, x ...float64) M {
	must(m.Update(x, +1))(t)
	return m
}

// checkError checks an error's kind and text.
func checkError(t *testing.T, err, kind error, text string) {
	t.Helper()
	if !errors.Is(err, kind) || err.Error() != "perceptron: "+text {
		t.Errorf("error %v, want %q of kind %q", err, text, kind)
	}
}

// TestErrorMix: Mix rejects models that do not agree, and leaves them as they were.
func TestErrorMix(t *testing.T) {
	type model = perceptron.Online
	a, b := updated(t, new(model), 1), updated(t, new(model), 2)
	before := []perceptron.Hyperplane{a.Hyperplane(), b.Hyperplane()}
	is := func(kind error, text string, weights []float64, models ...*model) {
		t.Helper()
		_, err := perceptron.Mix(models, weights)
		checkError(t, err, kind, text)
	}
	config := perceptron.ErrConfig
	is(perceptron.ErrEmpty, "empty: no models", nil)
	is(perceptron.ErrUntrained, "untrained model: model 1 is nil", nil, a, nil)
	is(perceptron.ErrUntrained, "untrained model: model 2 has seen no example", nil, a, b, new(model))
	is(perceptron.ErrDimension, "dimension mismatch: len(weights) is 1, want 2", []float64{1}, a, b)
	is(perceptron.ErrDimension, "dimension mismatch: model 1 has width 2, model 0 has 1", nil, a, updated(t, new(model), 1, 2))
	is(config, "bad configuration: model 1 has Space Linear, model 0 has Affine", nil, a, updated(t, &model{Space: perceptron.Linear}, 1))
	is(config, "bad configuration: model 1 has Keep Average, model 0 has Last", nil, a, updated(t, &model{Keep: perceptron.Average}, 1))
	is(config, "bad configuration: model 0 has Keep Pocket, which cannot be mixed", nil, updated(t, &model{Keep: perceptron.Pocket}, 1))
	is(config, "bad configuration: weight 1 is -1, want at least 0", []float64{2, -1}, a, b)
	is(config, "bad configuration: weight 0 is NaN, want at least 0", []float64{math.NaN(), 1}, a, b)
	is(config, "bad configuration: the weights sum to 0, want a positive finite number", []float64{0, 0}, a, b)
	is(config, "bad configuration: the weights sum to +Inf, want a positive finite number", []float64{1e308, 1e308}, a, b)
	if !samePlane(a.Hyperplane(), before[0]) || !samePlane(b.Hyperplane(), before[1]) {
		t.Error("Mix changed a model")
	}
	for text, m := range map[string][2]perceptron.Margin{
		"the rule Margin with Gamma, model 0 has Margin":                {{}, {Gamma: 1}},
		"the rule Margin with Threshold, model 0 has Margin with Gamma": {{Gamma: 1}, {Threshold: 1}},
		"Margin with Gamma 2, model 0 has 1":                            {{Gamma: 1}, {Gamma: 2}},
		"Margin with Threshold 0.5, model 0 has 2":                      {{Threshold: 2}, {Threshold: 0.5}},
	} {
		_, err := perceptron.Mix([]*perceptron.Margin{updated(t, &m[0], 1), updated(t, &m[1], 1)}, nil)
		checkError(t, err, config, "bad configuration: model 1 has "+text)
	}
	classes := []*perceptron.OneVsRest{new(perceptron.OneVsRest), new(perceptron.OneVsRest)}
	must(classes[0].Update([]float64{1}, 3))(t)
	must(classes[1].Update([]float64{1}, 5))(t)
	_, err := perceptron.Mix(classes, nil)
	checkError(t, err, config, "bad configuration: model 1 has classes [5], model 0 has [3]")
}

// TestErrorMixTogether: Mix rejects Multiclass models that do not agree.
func TestErrorMixTogether(t *testing.T) {
	type model = perceptron.Multiclass
	over := func(b perceptron.Model, classes ...int) *model {
		m := &model{Binary: perceptron.AsBinary(b)}
		for _, c := range classes {
			must(m.Update([]float64{1}, c))(t)
		}
		return m
	}
	a, pocket := over(nil, 3, 5), &perceptron.Online{Keep: perceptron.Pocket}
	for text, models := range map[string][]*model{
		"bad configuration: model 1 has classes [3], model 0 has [3 5]":      {a, over(nil, 3)},
		"bad configuration: model 1 has classes [3 5 7], model 0 has [3 5]":  {a, over(nil, 3, 5, 7)},
		"bad configuration: model 1 has classes [3 6], model 0 has [3 5]":    {a, over(nil, 3, 6)},
		"bad configuration: model 0 has Keep Pocket, which cannot be mixed":  {over(pocket, 3, 5)},
		"bad configuration: model 1 has the rule Margin, model 0 has Online": {a, over(new(perceptron.Margin), 3, 5)},
		"untrained model: model 1 has seen no example":                       {a, over(nil)},
		"untrained model: model 1 is nil":                                    {a, nil},
		"bad configuration: model 1 has Space Linear, model 0 has Affine":    {a, over(&perceptron.Online{Space: perceptron.Linear}, 3, 5)},
		"bad configuration: model 1 has Keep Average, model 0 has Last":      {a, over(&perceptron.Online{Keep: perceptron.Average}, 3, 5)},
	} {
		kind := perceptron.ErrConfig
		if text[0] == 'u' {
			kind = perceptron.ErrUntrained
		}
		_, err := perceptron.Mix(models, nil)
		checkError(t, err, kind, text)
	}
}

// TestMixOverflow: Mix rejects a mean, a θ and a sum of iterates that overflow.
func TestMixOverflow(t *testing.T) {
	_, err := perceptron.Mix([]*perceptron.Margin{updated(t, &perceptron.Margin{Rate: 1e200}, 1), updated(t, new(perceptron.Margin), 1e100)}, nil)
	checkError(t, err, perceptron.ErrNotFinite, "not finite: the mean overflows") // θ = 10²⁰⁰ · 10²⁰⁰

	// A weight of 1 and one of 2⁻⁵³ sum to 1: the shares sum to more than 1.
	top := math.MaxFloat64
	from := func(keep perceptron.Keep) *perceptron.Online {
		p := &perceptron.Online{Keep: keep, Space: perceptron.Linear, Start: perceptron.Hyperplane{Weights: []float64{top}}}
		return updated(t, p, 1e-10) // right: the iterate stays at the largest number
	}
	weights := []float64{1, 0x1p-53}
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		_, err = perceptron.Mix([]*perceptron.Online{from(keep), from(keep)}, weights)
		checkError(t, err, perceptron.ErrNotFinite, "not finite: the mean overflows")
	}
	p := from(perceptron.Average)
	updated(t, p, 1e-10) // the sum is 2·top, though the mean is top
	_, err = perceptron.Mix([]*perceptron.Online{p}, nil)
	checkError(t, err, perceptron.ErrNotFinite, "not finite: the mean overflows")
}

// TestMixTogether compares Mix of Multiclass with the weighted means: of the iterates
// exactly, and of the averages with Σ μ_s S_s / Σ μ_s n_s. One class arrives late.
func TestMixTogether(t *testing.T) {
	weights := []float64{3, 1, 4}
	for _, b := range []perceptron.Model{new(perceptron.Online), &perceptron.Margin{Rate: 0.1}, &perceptron.Margin{Gamma: 0.4}} {
		var last, average []*perceptron.Multiclass
		var sums [3][4][]float64 // the iterates of each shard and class, added up
		for s := range 3 {
			p, q := &perceptron.Multiclass{Binary: perceptron.AsBinary(b)}, &perceptron.Multiclass{Binary: perceptron.AsBinary(averaged(b))}
			for i, row := range naive.Uniform(uint64(s), 40+10*s, 3, 4).X {
				class := i % 4
				if i < 20 {
					class = i % 3
				}
				must(p.Update(row, class))(t)
				must(q.Update(row, class))(t)
				for c, h := range p.Hyperplanes().Planes {
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
			w, mean := vector(mixed.Hyperplanes().Planes[c]), vector(means.Hyperplanes().Planes[c])
			for j := range 4 {
				var iterate, sum, n float64
				for s, mu := range weights {
					iterate += float64(mu / 8 * vector(last[s].Hyperplanes().Planes[c])[j])
					sum += mu * sums[s][c][j]
					n += mu * float64(40+10*s)
				}
				if !naive.SameBits(w[j], iterate) {
					t.Errorf("class %d: w[%d] = %v, want %v", c, j, w[j], iterate)
				}
				if !(math.Abs(mean[j]-sum/n) <= 1e-14) {
					t.Errorf("class %d: mean[%d] = %v, want %v", c, j, mean[j], sum/n)
				}
			}
		}
		set := naive.Uniform(9, 50, 3, 5) // with a new class
		if e, f := must(mixed.Learn(set.Pairs()))(t), must(means.Learn(set.Pairs()))(t); e != f {
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
	set := naive.Multi(3, 40, 3, 4)
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
		m := &perceptron.Multiclass{Binary: perceptron.AsBinary(b)}
		must(m.Learn(set.Pairs()))(t)
		mixed := must(perceptron.Mix([]*perceptron.Multiclass{m}, nil))(t)
		before := fmt.Sprint(m.Hyperplanes())
		if got := fmt.Sprint(mixed.Hyperplanes()); got != before {
			t.Fatalf("%s: the mix of one is %s, want %s", name, got, before)
		}
		a := must(mixed.Learn(set.Pairs()))(t)
		if got := fmt.Sprint(m.Hyperplanes()); got != before {
			t.Fatalf("%s: training the mix changed its part", name)
		}
		if e := must(m.Learn(set.Pairs()))(t); e != a || keep == perceptron.Last && fmt.Sprint(m.Hyperplanes()) != fmt.Sprint(mixed.Hyperplanes()) {
			t.Fatalf("%s: the mix of one continues differently: %+v, want %+v", name, a, e)
		}
	}
}
