package perceptron

import (
	"math"
	"testing"
)

// TestMixNaive holds Mix against Σ μ_s w_s, exactly, and its averages against
// Σ μ_s S_s / Σ μ_s n_s.
func TestMixNaive(t *testing.T) {
	for _, keep := range []Keep{Last, Average} {
		for _, weights := range [][]float64{nil, {1, 1, 1}, {3, 0, 5}, {0.1, 0.7, 0.2}} {
			var models []*Online
			var naives []*naive
			for s := range 3 {
				p := &Online{Keep: keep, Rate: 0.1, Seed: uint64(10 + s)}
				n := naiveOf(p, 4)
				set := noisy(uint64(s), 20+10*s, 4)
				for i, x := range set.X {
					must(p.Update(x, set.y[i]))(t)
					n.see(x, set.y[i], nil, nil)
				}
				models, naives = append(models, p), append(naives, n)
			}
			mixed := must(Mix(models, weights))(t)
			if weights == nil {
				weights = []float64{1, 1, 1}
			}
			compareMix(t, mixed, naives, weights)
			if mixed.Seed != 10 || mixed.Keep != keep || mixed.Rate != 0.1 {
				t.Fatalf("the fields are not those of models[0]: %+v", mixed)
			}
		}
	}
}

func compareMix(t *testing.T, mixed *Online, naives []*naive, weights []float64) {
	t.Helper()
	total := weights[0] + weights[1] + weights[2]
	w, mean, count := make([]float64, 5), make([]float64, 5), 0.0
	for s, n := range naives {
		mu := weights[s] / total
		for j, v := range append(append([]float64(nil), n.w...), n.b) {
			w[j] += float64(mu * v)
		}
		count += mu * float64(len(n.iterates))
		for _, h := range n.iterates {
			for j, v := range append(append([]float64(nil), h.Weights...), h.Bias) {
				mean[j] += mu * v
			}
		}
	}
	l := mixed.now.units[0]
	for j, v := range w {
		if !sameBits(l.w[j], v) {
			t.Fatalf("w[%d] = %v, want %v", j, l.w[j], v)
		}
		if mixed.Keep == Average && !(math.Abs(l.average.mean[j]-mean[j]/count) <= 1e-14) {
			t.Fatalf("mean[%d] = %v, want %v", j, l.average.mean[j], mean[j]/count)
		}
	}
}

// TestMixGoesOn: a mix can be trained on, is independent of its parts, and
// leaves them as they were; the mix of one model is that model.
func TestMixGoesOn(t *testing.T) {
	set := noisy(3, 40, 3)
	for name, p := range onlineGrid(3, 0) {
		if p.config().keep == Pocket {
			continue
		}
		must(p.Learn(stream(set)))(t)
		var alone, before Hyperplane
		var mixed binaryModel
		before = p.Hyperplane()
		switch p := p.(type) {
		case *Online:
			mixed = must(Mix([]*Online{p}, []float64{4}))(t)
		case *Margin:
			mixed = must(Mix([]*Margin{p}, nil))(t)
		}
		alone = mixed.Hyperplane()
		if !samePlane(alone, before) {
			t.Fatalf("%s: the mix of one is %v, want %v", name, alone, before)
		}
		a := must(mixed.Learn(stream(set)))(t)
		if !samePlane(p.Hyperplane(), before) {
			t.Fatalf("%s: training the mix changed its part", name)
		}
		b := must(p.Learn(stream(set)))(t)
		if a != b || !samePlane(mixed.Hyperplane(), p.Hyperplane()) && p.config().keep == Last {
			t.Fatalf("%s: the mix of one goes on differently: %+v, want %+v", name, a, b)
		}
	}
}

// TestMixClasses mixes each class.
func TestMixClasses(t *testing.T) {
	var models []*OneVsRest
	for s := range 2 {
		m := &OneVsRest{Binary: &Online{Keep: Average}}
		set := multi(uint64(s), 30, 3, 3)
		must(m.Learn(stream(set)))(t)
		models = append(models, m)
	}
	mixed := must(Mix(models, []float64{1, 3}))(t)
	for c := range 3 {
		a, b := models[0].now.units[c].w, models[1].now.units[c].w
		for j, v := range mixed.now.units[c].w {
			if want := float64(0.25*a[j]) + float64(0.75*b[j]); v != want {
				t.Fatalf("class %d: w[%d] = %v, want %v", c, j, v, want)
			}
		}
	}
}

// TestMixBound: shards that train an epoch from the mean and mix again make, in
// the weighted sum, at most (R/γ)² mistakes, uniform or proportional to the
// mistakes (McDonald, Hall & Mann 2010, Theorem 3), and come to an end.
func TestMixBound(t *testing.T) {
	for _, proportional := range []bool{false, true} {
		set := separable(7, 90, 3, 0.1)
		shards := make([]*Online, 3)
		mean, weighted := &Online{Space: Linear, MaxEpochs: 1}, 0.0
		must(mean.Learn(stream(dataset{"", set.X[:1], set.y[:1]})))(t)
		weighted++ // the first example is a mistake from zero
		for round := 0; ; round++ {
			mistakes, weights := 0, make([]float64, 3)
			for s := range shards {
				shards[s] = mean.Clone()
				e := must(shards[s].Learn(stream(dataset{"", set.X[30*s : 30*s+30], set.y[30*s : 30*s+30]})))(t)
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
			mean = must(Mix(shards, weights))(t)
		}
		R := must(Radius(set.X, Linear))(t)
		if bound := MistakeBound(R, 0.1); weighted > bound {
			t.Errorf("weighted mistakes %v, bound %v", weighted, bound)
		}
		if must(Accuracy(mean, set.X, set.y))(t) != 1 {
			t.Error("the mix does not separate the shards")
		}
	}
}

// TestErrorMix: what cannot be mixed, and stays as it was.
func TestErrorMix(t *testing.T) {
	online := func(p *Online, x ...float64) *Online { must(p.Update(x, 1))(t); return p }
	margin := func(p *Margin, x ...float64) *Margin { must(p.Update(x, 1))(t); return p }
	multi := func(class int) *OneVsRest { m := new(OneVsRest); must(m.Update([]float64{1}, class))(t); return m }
	a, b := online(new(Online), 1), online(new(Online), 2)
	before := snapshot(a) + snapshot(b)
	is := func(kind error, text string, weights []float64, models ...*Online) {
		want{kind, -1, text}.check(t, only(Mix(models, weights)))
	}
	is(ErrEmpty, "empty: no models", nil)
	is(ErrUntrained, "untrained model: model 1 is nil", nil, a, nil)
	is(ErrUntrained, "untrained model: model 2 has seen no example", nil, a, b, new(Online))
	is(ErrDimension, "dimension mismatch: len(weights) is 1, want 2", []float64{1}, a, b)
	is(ErrDimension, "dimension mismatch: model 1 has width 2, model 0 has 1", nil, a, online(new(Online), 1, 2))
	is(ErrConfig, "bad configuration: model 1 has Space Linear, model 0 has Affine", nil, a, online(&Online{Space: Linear}, 1))
	is(ErrConfig, "bad configuration: model 1 has Keep Average, model 0 has Last", nil, a, online(&Online{Keep: Average}, 1))
	is(ErrConfig, "bad configuration: model 0 has Keep Pocket, which cannot be mixed", nil, online(&Online{Keep: Pocket}, 1))
	is(ErrConfig, "bad configuration: weight 1 is -1, want at least 0", []float64{2, -1}, a, b)
	is(ErrConfig, "bad configuration: weight 0 is NaN, want at least 0", []float64{math.NaN(), 1}, a, b)
	is(ErrConfig, "bad configuration: the weights sum to 0, want a positive finite number", []float64{0, 0}, a, b)
	want{ErrConfig, -1, "bad configuration: model 1 has the rule Margin with Gamma, model 0 has Margin"}.check(t, only(Mix([]*Margin{margin(new(Margin), 1), margin(&Margin{Gamma: 1}, 1)}, nil)))
	want{ErrNotFinite, -1, "not finite: the mean overflows"}.check(t, only(Mix([]*Margin{margin(&Margin{Rate: 1e200}, 1), margin(new(Margin), 1e100)}, nil)))
	want{ErrConfig, -1, "bad configuration: model 1 has classes [5], model 0 has [3]"}.check(t, only(Mix([]*OneVsRest{multi(3), multi(5)}, nil)))
	if snapshot(a)+snapshot(b) != before {
		t.Error("Mix changed a model")
	}
}
