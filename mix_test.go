package perceptron

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// mixOf mixes models of one kind.
func mixOf[M Model](models []M, weights []float64) (model, error) {
	switch any(models[0]).(type) {
	case *Online:
		return mixAs[*Online](models, weights)
	case *Margin:
		return mixAs[*Margin](models, weights)
	case *OneVsRest:
		return mixAs[*OneVsRest](models, weights)
	case *Multiclass:
		return mixAs[*Multiclass](models, weights)
	}
	return nil, errors.New("Mix takes no Batch")
}

// MixOf mixes models of one kind.
func MixOf(models []Learner, weights []float64) (Model, error) { return mixOf(models, weights) }

func mixAs[T *Online | *Margin | *OneVsRest | *Multiclass, M Model](models []M, weights []float64) (model, error) {
	var all []T
	for _, m := range models {
		all = append(all, any(m).(T))
	}
	mixed, err := Mix(all, weights)
	if err != nil {
		return nil, err
	}
	return any(mixed).(model), nil
}

// TestMixNaive compares Mix with Σ μ_s w_s, exactly, and its averages with Σ μ_s S_s / Σ μ_s n_s.
// One class arrives late.
func TestMixNaive(t *testing.T) {
	for _, b := range []model{&Online{Rate: 0.1}, &Margin{Rate: 0.1}, &Margin{Gamma: 0.4}} {
		for _, m := range []model{b, &Multiclass{Binary: AsBinary(b)}, &OneVsRest{Binary: AsBinary(b)}} {
			for _, weights := range [][]float64{nil, {1, 1, 1}, {3, 0, 5}, {0.1, 0.7, 0.2}} {
				compareMix(t, m, weights)
			}
		}
	}
}

// compareMix mixes three shards, whose iterates it adds up. In OneVsRest each class has its own
// count of examples, so its averages are not compared.
func compareMix(t *testing.T, m model, weights []float64) {
	t.Helper()
	var last, average []model
	var w, sums [4][4]float64 // for each class
	add := func(sum *[4][4]float64, mu float64, m model) {
		for c, v := range vectorsOf(m) {
			for j := range v {
				sum[c][j] += float64(mu * v[j])
			}
		}
	}
	mu, count := slices.Clone(weights), 0.0
	if mu == nil {
		mu = []float64{1, 1, 1}
	}
	for s, total := 0, mu[0]+mu[1]+mu[2]; s < 3; s++ {
		p, q := clone(fields{"Seed": uint64(10 + s)}.set(m)), fields{"Keep": Average, "Seed": uint64(20 + s)}.set(m)
		mu[s] /= total
		for i, x := range Uniform(uint64(s), 40+10*s, 3, 4).X {
			y := 1 - 2*(i%2)
			if isMany(m) {
				y = i % (3 + min(i/20, 1))
			}
			must(p.(streamer).Update(x, y))(t)
			must(q.(streamer).Update(x, y))(t)
			add(&sums, mu[s], p)
			count += mu[s]
		}
		add(&w, mu[s], p)
		last, average = append(last, p), append(average, q)
	}
	a, b := must(mixOf(last, weights))(t), must(mixOf(average, weights))(t)
	_, restOnly := m.(*OneVsRest)
	means := vectorsOf(b)
	for c, v := range vectorsOf(a) {
		for j := range v {
			if !naive.SameBits(v[j], w[c][j]) || !restOnly && !(math.Abs(means[c][j]-sums[c][j]/count) <= 1e-14) {
				t.Fatalf("%T, class %d: w[%d] = %v, want %v; mean %v, want %v", m, c, j, v[j], w[c][j], means[c][j], sums[c][j]/count)
			}
		}
	}
	same(t, "the fields", configured(a), configured(last[0]))
	same(t, "the fields", configured(b), configured(average[0]))
	set := Uniform(9, 50, 3, 5) // with a new class
	if !isMany(m) {
		set = naive.Noisy(9, 30, 3)
	}
	same(t, "Learn under Last, and under Average", must(a.(streamer).Learn(stream(set)))(t), must(b.(streamer).Learn(stream(set)))(t))
}

// TestMixGoesOn: a mix can be trained further, is independent of its parts, and leaves them as they
// were. The mix of one model equals that model.
func TestMixGoesOn(t *testing.T) {
	set := naive.Noisy(3, 40, 3)
	for name, m := range wholeGrid(3, 0) {
		models := map[string]model{name: m, "OneVsRest/" + name: &OneVsRest{Binary: AsBinary(m)}}
		if startOf(m).isZero() {
			models["Multiclass/"+name] = &Multiclass{Binary: AsBinary(m)}
		}
		for name, m := range models {
			m = clone(m)
			if configured(m).Keep == train.Pocket {
				continue
			}
			must(m.(streamer).Learn(Examples(set.X, set.Y)))(t)
			before, mixed := snapshot(m), must(mixOf([]model{m}, []float64{4}))(t)
			a := must(mixed.(streamer).Learn(Examples(set.X, set.Y)))(t)
			same(t, name+": the part of the mix", snapshot(m), before)
			b := must(m.(streamer).Learn(Examples(set.X, set.Y)))(t)
			if a != b || configured(m).Keep == train.Last && fmt.Sprint(vectorsOf(mixed)) != fmt.Sprint(vectorsOf(m)) {
				t.Fatalf("%s: the mix of one continues differently: %+v, want %+v", name, a, b)
			}
		}
	}
}

// updated returns the model after an Update with (x, +1).
func updated[M streamer](t *testing.T, m M, x ...float64) M {
	must(m.Update(x, +1))(t)
	return m
}

// TestErrorMix: Mix rejects models that do not agree, and a mean, a θ or a sum of iterates that
// overflows. It leaves the models as they were.
func TestErrorMix(t *testing.T) {
	is := func(kind error, text string, weights []float64, models ...model) {
		t.Helper()
		before := snapshot(models[0])
		checkErrors(t, kind, -1, text, only(mixOf(models, weights)))
		same(t, "the first model", snapshot(models[0]), before)
	}
	a, b := updated(t, new(Online), 1), updated(t, new(Online), 2)
	checkErrors(t, ErrEmpty, -1, "empty: no models", only(Mix[*Online](nil, nil)))
	is(ErrUntrained, "untrained model: model 1 is nil", nil, a, (*Online)(nil))
	is(ErrUntrained, "untrained model: model 2 has seen no example", nil, a, b, new(Online))
	is(ErrUntrained, "untrained model: model 1 has seen no example", nil, over(t, new(Multiclass), 3), &Multiclass{Binary: new(Margin)})
	is(ErrDimension, "dimension mismatch: len(weights) is 1, want 2", []float64{1}, a, b)
	is(ErrDimension, "dimension mismatch: model 1 has width 2, model 0 has 1", nil, a, updated(t, new(Online), 1, 2))
	config := func(text string, weights []float64, models ...model) {
		t.Helper()
		is(ErrConfig, "bad configuration: "+text, weights, models...)
	}
	config("model 1 has Space Linear, model 0 has Affine", nil, a, updated(t, &Online{Space: Linear}, 1))
	config("model 1 has Keep Average, model 0 has Last", nil, a, updated(t, &Online{Keep: Average}, 1))
	config("model 0 has Keep Pocket, which cannot be mixed", nil, updated(t, &Online{Keep: Pocket}, 1))
	config("weight 1 is -1, want at least 0", []float64{2, -1}, a, b)
	config("weight 0 is NaN, want at least 0", []float64{math.NaN(), 1}, a, b)
	config("the weights sum to 0, want a positive finite number", []float64{0, 0}, a, b)
	config("the weights sum to +Inf, want a positive finite number", []float64{1e308, 1e308}, a, b)
	gamma, theta := updated(t, &Margin{Gamma: 1}, 1), updated(t, &Margin{Threshold: 2}, 1)
	config("model 1 has the rule Margin with Gamma, model 0 has Margin", nil, updated(t, new(Margin), 1), gamma)
	config("model 1 has the rule Margin with Threshold, model 0 has Margin with Gamma", nil, gamma, theta)
	config("model 1 has Margin with Gamma 2, model 0 has 1", nil, gamma, updated(t, &Margin{Gamma: 2}, 1))
	config("model 1 has Margin with Threshold 0.5, model 0 has 2", nil, theta, updated(t, &Margin{Threshold: 0.5}, 1))
	config("model 1 has classes [5], model 0 has [3]", nil, over(t, new(OneVsRest), 3), over(t, new(OneVsRest), 5))
	for _, classes := range [][]int{{3}, {3, 5, 7}, {3, 6}} {
		text := fmt.Sprintf("model 1 has classes %v, model 0 has [3 5]", classes)
		config(text, nil, over(t, new(Multiclass), 3, 5), over(t, new(Multiclass), classes...))
	}

	const overflows = "not finite: the mean overflows"
	is(ErrNotFinite, overflows, nil, updated(t, &Margin{Rate: 1e200}, 1), updated(t, new(Margin), 1e100)) // θ = 10²⁰⁰ · 10²⁰⁰
	// The example is right: the iterate stays at the largest number.
	top := Online{Space: Linear, Start: Hyperplane{Weights: []float64{math.MaxFloat64}}}
	mean := Online{Space: Linear, Start: top.Start, Keep: Average}
	last, average := updated(t, &top, 1e-10), updated(t, &mean, 1e-10)
	// A weight of 1 and one of 2⁻⁵³ sum to 1: the shares sum to more than 1.
	is(ErrNotFinite, overflows, []float64{1, 0x1p-53}, last, last)
	is(ErrNotFinite, overflows, []float64{1, 0x1p-53}, average, average)
	updated(t, average, 1e-10) // the sum is twice as much, though the mean is finite
	is(ErrNotFinite, overflows, nil, average)
}

// over returns the model after an example of each class.
func over(t *testing.T, m manyModel, classes ...int) manyModel {
	for _, c := range classes {
		must(m.Update([]float64{1}, c))(t)
	}
	return m
}
