package perceptron

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

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
	Diff(t, "the fields", configured(a), configured(last[0]))
	Diff(t, "the fields", configured(b), configured(average[0]))
	set := Uniform(9, 50, 3, 5) // with a new class
	if !isMany(m) {
		set = naive.Noisy(9, 30, 3)
	}
	Diff(t, "Learn under Last, and under Average", must(a.(streamer).Learn(stream(set)))(t), must(b.(streamer).Learn(stream(set)))(t))
}

// TestMixGoesOn: a mix can be trained further, is independent of its parts, and leaves them as they
// were. The mix of one model equals that model.
func TestMixGoesOn(t *testing.T) {
	set := naive.Noisy(3, 40, 3)
	for name, m := range wholeGrid(3, 0) {
		models := map[string]model{name: m, "OneVsRest/" + name: &OneVsRest{Binary: AsBinary(m)}}
		if startOf(m).isZero() && joins(m) {
			models["Multiclass/"+name] = &Multiclass{Binary: AsBinary(m)}
		}
		for name, m := range models {
			m = clone(m)
			if configured(m).Keep == train.Pocket || configured(m).Share > 0 {
				continue
			}
			must(m.(streamer).Learn(Examples(set.X, set.Y)))(t)
			before, mixed := snapshot(m), must(mixOf([]model{m}, []float64{4}))(t)
			a := must(mixed.(streamer).Learn(Examples(set.X, set.Y)))(t)
			Diff(t, name+": the part of the mix", snapshot(m), before)
			b := must(m.(streamer).Learn(Examples(set.X, set.Y)))(t)
			if a != b || configured(m).Keep == train.Last && fmt.Sprint(vectorsOf(mixed)) != fmt.Sprint(vectorsOf(m)) {
				t.Fatalf("%s: the mix of one continues differently: %+v, want %+v", name, a, b)
			}
		}
	}
}

// TestErrorMix: Mix rejects models that do not agree, and a mean, a θ or a sum of iterates that
// overflows. It leaves the models as they were.
func TestErrorMix(t *testing.T) {
	is := func(kind error, text string, weights []float64, models ...model) {
		t.Helper()
		before := snapshot(models[0])
		checkErrors(t, kind, -1, text, only(mixOf(models, weights)))
		Diff(t, "the first model", snapshot(models[0]), before)
	}
	a, b := updated(t, new(Online), 1), updated(t, new(Online), 2)
	must(mixOf([]model{a, updated(t, &Online{Order: Shuffled}, 1)}, nil))(t) // Order may differ
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
	config("model 0 is Margin with Share, which cannot be mixed", nil, updated(t, &Margin{Share: 0.5}, 1))
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

// parts are what Split returns.
type parts struct {
	form    string
	vectors [][]float64
}

func split(t testing.TB, m Model) parts {
	t.Helper()
	form, v, err := Split(m)
	must(0, err)(t)
	return parts{string(form), v}
}

func (p parts) join() (Model, error) { return Join([]byte(p.form), p.vectors) }

// text returns the saved form of a model, with every bit.
func text(t testing.TB, m Model) string {
	t.Helper()
	return string(must(json.Marshal(m))(t))
}

// TestSplit: Join gives the model again, whose next epochs are the same, and neither shares memory
// with what it was given or returned.
func TestSplit(t *testing.T) {
	t.Parallel()
	set := naive.Noisy(7, 30, 3)
	for name, m := range zoo(t, 3) {
		before, p := text(t, m), split(t, m)
		joined := must(p.join())(t).(model)
		Diff(t, name+": the joined model", text(t, joined), before)
		Diff(t, name+": its parts", split(t, joined), p)
		for _, v := range p.vectors {
			for j := range v {
				v[j] = math.NaN()
			}
		}
		Diff(t, name+": after other vectors", text(t, joined)+text(t, m), before+before)
		for range 2 {
			for _, m := range []model{joined, m} {
				must(0, drain(m, set.X, set.Y, func() {}))(t)
			}
			Diff(t, name+": after more epochs", text(t, joined), text(t, m))
		}
	}
}

// TestSplitVectors: the vectors are those that the saved form has, in its order, and the form has no
// other numbers of features. The first vector of a class is what predicts.
func TestSplitVectors(t *testing.T) {
	type head struct{ Learned struct{ Vectors [][]float64 } }
	for name, m := range zoo(t, 5) {
		var whole, form head
		p := split(t, m)
		must(0, errors.Join(json.Unmarshal([]byte(text(t, m)), &whole), json.Unmarshal([]byte(p.form), &form)))(t)
		Diff(t, name, p.vectors, whole.Learned.Vectors)
		if form.Learned.Vectors != nil {
			t.Errorf("%s: the form is %s", name, p.form)
		}
		if b, ok := m.(Binary); ok && p.vectors != nil {
			Diff(t, name+": the first vector", p.vectors[0], vector(b.Hyperplane()))
		}
	}
	empty := new(Online)
	must(empty.Learn(Examples[[]float64, int](nil, nil)))(t)
	Diff(t, "vectors of a model that saw an empty stream", split(t, empty).vectors, nil)
}

// mixable yields an untrained model of each rule, Keep, Space and kind that Mix takes.
func mixable() iter.Seq2[string, model] {
	return func(yield func(string, model) bool) {
		for i, b := range []model{&Online{Rate: 0.1}, &Margin{Rate: 0.1}, &Margin{Gamma: 0.4}, &Margin{Threshold: 0.7, Rate: 3}} {
			for j, m := range []model{b, &Multiclass{Binary: AsBinary(b)}, &OneVsRest{Binary: AsBinary(b)}} {
				for _, keep := range []Keep{Last, Average} {
					for _, space := range []Space{Affine, Linear} {
						m := fields{"Keep": keep, "Space": space}.set(m)
						if !yield(fmt.Sprintf("rule %d, kind %d, %v, %v", i, j, keep, space), m) {
							return
						}
					}
				}
			}
		}
	}
}

// TestRanges: the models of ranges of features are mixed each alone, as on machines of a network.
// Put side by side, the means of the ranges are the mean of the whole models in every bit, under
// the form of any of them. Their next epochs are the same too.
func TestRanges(t *testing.T) {
	t.Parallel()
	const d = 7
	for name, m := range mixable() {
		var whole []model
		for s := range 3 {
			set := naive.Multi(uint64(s), 30+10*s, d, 3)
			if !isMany(m) {
				set = naive.Noisy(uint64(s), 30+10*s, d)
			}
			p := clone(m)
			must(p.(streamer).Learn(stream(set)))(t)
			must(p.(streamer).Update(Uniform(9, 1, d, 4).X[0], 1))(t)
			whole = append(whole, p)
		}
		weights := []float64{1, 0.3, 2}
		mean := must(mixOf(whole, weights))(t)
		want := text(t, mean)
		got := make([][]float64, len(split(t, mean).vectors))
		var forms []string
		for _, cut := range [][2]int{{0, 1}, {1, 4}, {4, d}} {
			var ranges []model
			for _, m := range whole {
				p := split(t, m)
				for i, v := range p.vectors {
					p.vectors[i] = append(slices.Clone(v[cut[0]:cut[1]]), []float64{v[d], 0}[min(d-cut[1], 1)])
				}
				ranges = append(ranges, must(p.join())(t).(model))
			}
			p := split(t, must(mixOf(ranges, weights))(t))
			forms = append(forms, p.form)
			for i, v := range p.vectors {
				got[i] = append(got[i], v[:len(v)-1+max(cut[1]-d+1, 0)]...)
			}
		}
		for _, form := range forms {
			Diff(t, name, text(t, must(Join([]byte(form), got))(t)), want)
		}
		Diff(t, name+": the vectors of the mean", got, split(t, mean).vectors)
	}
}

// TestErrorSplit: what Save refuses, Split refuses.
func TestErrorSplit(t *testing.T) {
	type foreign struct{ *Online }
	for want, m := range map[string]Model{
		"cannot split a <nil>, want a non-nil model of this package":              nil,
		"cannot split a perceptron.foreign, want a non-nil model of this package": foreign{new(Online)},
		"Rate is -1, want a positive finite number, or 0 for 1":                   &Online{Rate: -1},
	} {
		form, v, err := Split(m)
		if form != nil || v != nil || !errors.Is(err, ErrConfig) || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%s, %v, %v, want %s", form, v, err, want)
		}
	}
}

// TestErrorJoin: forms and vectors that no training leads to.
func TestErrorJoin(t *testing.T) {
	last, average, pocket := &Online{Space: Linear}, &Online{Keep: Average}, &Multiclass{Binary: &Online{Keep: Pocket}}
	started := &Online{Start: Hyperplane{Weights: []float64{1, 1}}}
	for _, m := range []Learner{last, average, pocket, started} {
		must(m.Update([]float64{1, 2}, -1))(t)
	}
	must(pocket.Update([]float64{-1, 2}, 5))(t)
	for want, c := range map[string]struct {
		of     Model
		change func(p *parts)
	}{
		"found null, want a model":                                  {last, func(p *parts) { p.form = "null" }},
		"truncated: byte 0: found the end, want {":                  {last, func(p *parts) { p.form = "" }},
		"vectors: found in the head, want none":                     {last, func(p *parts) { p.form = text(t, last) }},
		"learned.vectors: 0 vectors, want 1":                        {last, func(p *parts) { p.vectors = nil }},
		"learned.vectors: 2 vectors, want 1":                        {last, func(p *parts) { p.vectors = append(p.vectors, p.vectors[0]) }},
		"vectors: found 1, want none":                               {new(Online), func(p *parts) { p.vectors = [][]float64{{1, 2}} }},
		"learned.vectors: 3 vectors, want 4":                        {average, func(p *parts) { p.vectors = p.vectors[:3] }},
		"vector 0 is not finite":                                    {last, func(p *parts) { p.vectors[0][1] = math.NaN() }},
		"vector 3 is not finite":                                    {average, func(p *parts) { p.vectors[3][2] = -inf }},
		"learned.width: 0 with 1 class":                             {last, func(p *parts) { p.vectors[0] = []float64{1} }},
		"learned.width: 0 with 2 classes":                           {pocket, func(p *parts) { p.vectors[0] = nil }},
		"learned.vectors[2]: 0 numbers, want 3":                     {pocket, func(p *parts) { p.vectors[2] = nil }},
		"learned.vectors[0]: the bias is 3 in Linear space, want 0": {last, func(p *parts) { p.vectors[0][2] = 3 }},
		"learned.vectors[2]: 2 numbers, want 3":                     {average, func(p *parts) { p.vectors[2] = p.vectors[2][1:] }},
		"learned.vectors[3]: 4 numbers, want 3":                     {pocket, func(p *parts) { p.vectors[3] = append(p.vectors[3], 0) }},
		"learned.start: width 2, want 1":                            {started, func(p *parts) { p.vectors[0] = []float64{1, 2} }},
		"learned.seen: -1, want 0 to 2⁵³":                           {last, func(p *parts) { p.form = strings.Replace(p.form, `"seen":1`, `"seen":-1`, 1) }},
		"learned.kind: Online does not fit Margin":                  {last, func(p *parts) { p.form = strings.Replace(p.form, `"Online"`, `"Margin"`, 1) }},
		"learned.count: 1 numbers, want 0":                          {average, func(p *parts) { p.form = strings.ReplaceAll(p.form, `"Average"`, `"Last"`) }},
		"kind: byte 8: found":                                       {last, func(p *parts) { p.form = strings.Replace(p.form, `Model/1`, `Model/2`, 1) }},
	} {
		p := split(t, c.of)
		c.change(&p)
		m, err := p.join()
		if m != nil || !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), "perceptron: bad format: "+want) {
			t.Errorf("%v, %v, want %s", m, err, want)
		}
	}
}

// FuzzJoin joins any form with any numbers, cut into vectors of a width. If Join accepts vectors,
// its model can be used, and Split gives the vectors back. Join does not change them.
func FuzzJoin(f *testing.F) {
	for _, m := range zoo(f, 2) {
		p := split(f, m)
		f.Add([]byte(p.form), byte(3), raw(slices.Concat(p.vectors...)...))
	}
	f.Fuzz(func(t *testing.T, form []byte, width byte, numbers []byte) {
		p := parts{form: string(form)}
		for v := floats(numbers); len(v) > 0; v = v[len(p.vectors[len(p.vectors)-1]):] {
			p.vectors = append(p.vectors, v[:min(max(int(width%16), 1), len(v))])
		}
		if width >= 128 {
			p.vectors = append(p.vectors, nil)
		}
		m, err := p.join()
		if err != nil {
			if m != nil || !errors.Is(err, ErrFormat) {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		again := split(t, m)
		if !slices.EqualFunc(again.vectors, p.vectors, slices.Equal) { // except for the sign of 0
			t.Fatalf("%v, want %v", again.vectors, p.vectors)
		}
		Diff(t, "split again", split(t, must(again.join())(t)), again)
		use(t, m.(model))
		Diff(t, "the argument", string(raw(slices.Concat(p.vectors...)...)), string(numbers[:len(numbers)/8*8]))
	})
}
