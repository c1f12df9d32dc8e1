package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"perceptron"
)

// goroutines does the same training in this process, with Online. It returns the final state.
func goroutines(t *testing.T, shards []dataset, by string, rounds int) trainedState {
	t.Helper()
	return reference(t, online, shards, by, rounds)
}

// reference does the same training with a value of Keep.
func reference(t *testing.T, l learner, shards []dataset, by string, rounds int) trainedState {
	t.Helper()
	mean := &perceptron.Online{Keep: map[string]perceptron.Keep{"last": perceptron.Last, "average": perceptron.Average}[l.Keep]}
	s, _ := mixing(t, mean, len(shards), by, rounds, func(i int, m *perceptron.Online) (perceptron.Epoch, error) { return shards[i].learn(m) })
	return s
}

// mixing trains a model with goroutines. learn trains it on a shard. mixing also returns the model.
func mixing(t testing.TB, mean *perceptron.Online, shards int, by string, rounds int, learn func(int, *perceptron.Online) (perceptron.Epoch, error)) (s trainedState, _ *perceptron.Online) {
	t.Helper()
	for !s.Converged && s.Round < rounds {
		models, epochs := make([]*perceptron.Online, shards), make([]perceptron.Epoch, shards)
		var wg sync.WaitGroup
		for i := range shards {
			models[i] = mean.Clone()
			wg.Go(func() { epochs[i], _ = learn(i, models[i]) })
		}
		wg.Wait()
		var r Round
		weights, sum := make([]float64, shards), 0.0
		for i, e := range epochs {
			weights[i] = map[string]float64{uniform: 1, bySize: float64(e.Examples), byMistakes: float64(e.Mistakes)}[by]
			sum += weights[i]
			r.Examples += e.Examples
			r.Mistakes += e.Mistakes
		}
		s.Round++
		if s.Converged = r.Mistakes == 0; !s.Converged {
			for i, e := range epochs {
				r.Weighted += float64(weights[i] / sum * float64(e.Mistakes))
			}
			mean = must(perceptron.Mix(models, weights))(t)
		}
		s.History = append(s.History, r)
	}
	s.Hyperplane = mean.Hyperplane()
	return s, mean
}

// learn trains a model on the rows as a shard has them.
func (s dataset) learn(m perceptron.Learner) (perceptron.Epoch, error) {
	if len(s.X) == 0 {
		return m.Learn(perceptron.Examples(s.X, s.y))
	}
	return learnLines(m, s.text(), len(s.X[0]))
}

// learnLines trains a model on lines in LIBSVM's format.
func learnLines(m perceptron.Learner, lines []byte, features int) (perceptron.Epoch, error) {
	rows := perceptron.LIBSVM{R: bytes.NewReader(lines), Width: features}
	return perceptron.SparseModel{Model: m, Width: features}.Learn(rows.All())
}

// equal reports whether two states are equal bit for bit.
func equal(a, b trainedState) bool {
	return a.Round == b.Round && a.Converged == b.Converged && equalBits(a.Weights, b.Weights) &&
		equalBits([]float64{a.Bias}, []float64{b.Bias}) && fmt.Sprint(a.History) == fmt.Sprint(b.History)
}

// equalBits reports whether two vectors are equal bit for bit.
func equalBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// TestSameBits: the pipeline and goroutines give bit-identical results, for any number of
// rounds in a chunk.
func TestSameBits(t *testing.T) {
	for _, by := range mixes {
		for _, chunk := range []int{1, 2, 3, 100} {
			for name, set := range map[string]dataset{"separable": separable(1, 300, 7), "noisy": noisy(2, 300, 7)} {
				c := setUp(t, set.split(5))
				c.Mix, c.chunk, c.rounds = by, chunk, 5
				got, want := trained(t, c), goroutines(t, set.split(5), by, 5)
				if !equal(got.State, want) {
					t.Errorf("%s, %s, chunks of %d:\n%+v, want\n%+v", name, by, chunk, got.State, want)
				}
			}
		}
	}
}

// TestManyShards repeats TestSameBits with more shards than a bundle holds. Some shards are
// much longer than others, so that the runner splits bundles.
func TestManyShards(t *testing.T) {
	shards := noisy(3, 400, 20).split(20)
	long := noisy(4, 1000, 20)
	for range 6 {
		long.X, long.y = append(long.X, long.X...), append(long.y, long.y...)
	}
	shards[3], shards[11] = long, long
	c := setUp(t, shards)
	c.rounds = 4
	if got, want := trained(t, c), goroutines(t, shards, uniform, 4); !equal(got.State, want) {
		t.Errorf("%+v, want %+v", got.State, want)
	}
}

// TestMushroom repeats TestSameBits and TestBound on real data.
func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := mushroom(t)
	shards := set.split(4)
	for _, by := range mixes {
		c := setUp(t, shards)
		c.Mix, c.rounds, c.Features = by, 40, 126
		got := trained(t, c)
		if want := goroutines(t, shards, by, 40); !equal(got.State, want) {
			t.Errorf("%s: the result is not bit-identical to goroutines", by)
		}
		checkBound(t, "mushroom by "+by, got.State, set, gamma, len(shards), by)
	}
}

// checkBound checks a run against the theorem: Σ over rounds of Σ μ_s k_s ≤ (R/γ)². The
// theorem also bounds the number of rounds with a mistake. Such a round has at least one
// weighted mistake if μ is proportional to the mistakes, and at least 1/S if μ is uniform.
func checkBound(t *testing.T, name string, s trainedState, set dataset, gamma float64, shards int, by string) {
	t.Helper()
	K := perceptron.MistakeBound(must(perceptron.Radius(set.X, perceptron.Affine))(t), gamma)
	t.Logf("%s: %.2f weighted mistakes of at most %.2f in %d rounds", name, s.weighted(), K, s.Round)
	if s.weighted() > K {
		t.Errorf("%s: %v weighted mistakes, want at most %v", name, s.weighted(), K)
	}
	wrong := 0
	for _, r := range s.History {
		if r.Mistakes > 0 {
			wrong++
		}
	}
	most := map[string]float64{byMistakes: K, uniform: float64(shards) * K, bySize: math.Inf(1)}[by]
	if float64(wrong) > most {
		t.Errorf("%s: %d rounds with mistakes, want at most %v", name, wrong, most)
	}
}

// TestBound trains on sets of a known margin until they are separated.
func TestBound(t *testing.T) {
	for seed := range uint64(3) {
		set := separable(seed, 200, 5)
		u := perceptron.Hyperplane{Weights: direction(5), Bias: 0.3}
		gamma := must(perceptron.Gamma(u, set.X, set.y, perceptron.Affine))(t)
		for _, by := range mixes {
			c := setUp(t, set.split(4))
			c.Mix, c.rounds = by, 200
			s := trained(t, c).State
			if !s.Converged {
				t.Errorf("%s: not converged after %d rounds", by, s.Round)
			}
			checkBound(t, fmt.Sprint("seed ", seed, " by ", by), s, set, gamma, 4, by)
		}
	}
}

// TestNearBound: for equal shards of orthogonal rows (x, 1), the weighted mistakes equal
// the bound, for each kind of weights. The unweighted mistakes are far above it.
func TestNearBound(t *testing.T) {
	var set dataset
	var sum perceptron.Hyperplane // the best hyperplane is the sum of the rows
	sum.Weights = make([]float64, 15)
	for i := range 16 { // a row of the Hadamard matrix; its last entry is the label
		entry := func(j int) int { return 1 - 2*(bits.OnesCount(uint(i&j))%2) }
		x, y := make([]float64, 15), entry(15)
		for j := range x {
			x[j] = float64(y * entry(j))
			sum.Weights[j] += float64(entry(j))
		}
		set.X, set.y = append(set.X, x), append(set.y, y)
		sum.Bias += float64(y)
	}
	K := perceptron.MistakeBound(must(perceptron.Radius(set.X, perceptron.Affine))(t),
		must(perceptron.Gamma(sum, set.X, set.y, perceptron.Affine))(t))
	for _, by := range mixes {
		c := setUp(t, []dataset{set, set, set, set})
		c.Mix = by
		s := trained(t, c).State
		if s.weighted() > K || s.weighted() < K-1e-9 || !s.Converged || s.History[0].Mistakes != 64 {
			t.Errorf("%s: %v weighted mistakes, want (R/γ)² = %v; %+v", by, s.weighted(), K, s.History)
		}
	}
}

// TestAccuracy: on rows held out of these sets, the accuracy of a mean of 6 shards is at most 0.01 below
// that of Online trained on all rows by one machine. Other sets and more shards need more rounds: see
// BenchmarkShards.
func TestAccuracy(t *testing.T) {
	const rounds = 10
	for name, set := range map[string]func(*testing.T) dataset{
		"separable": func(*testing.T) dataset { return separable(1, 3000, 20) },
		"noisy":     func(*testing.T) dataset { return noisy(1, 3000, 20) },
		"mushroom":  mushroom,
		"digits":    digits,
	} {
		t.Run(name, func(t *testing.T) {
			set := set(t)
			n := len(set.X) * 4 / 5
			rows, test := dataset{set.X[:n], set.y[:n]}, dataset{set.X[n:], set.y[n:]}
			one := &perceptron.Online{MaxEpochs: rounds}
			must(one.Fit(rows.X, rows.y))(t)
			alone := must(perceptron.Accuracy(one, test.X, test.y))(t)
			for _, by := range mixes {
				c := setUp(t, rows.split(6))
				c.Mix, c.rounds, c.Features = by, rounds, len(rows.X[0])
				s := trained(t, c).State
				mixed := must(perceptron.Accuracy(s, test.X, test.y))(t)
				t.Logf("by %s: %.4f on 6 shards, %.4f alone", by, mixed, alone)
				if mixed < alone-0.01 {
					t.Errorf("by %s: accuracy %v, want at least %v − 0.01", by, mixed, alone)
				}
			}
		})
	}
}

// TestNoMistakes: a round without mistakes ends the training and keeps every bit of the
// mean. Mixing equal weights would change bits by rounding.
func TestNoMistakes(t *testing.T) {
	s := State{Round: 1, Features: 2, Blocks: []string{"0.ab"}, History: make([]Round, 1)}
	var parts []Part
	for i := range 3 {
		parts = append(parts, Part{Shard: i, Examples: i + 1})
	}
	want := s
	want.Round, want.Converged, want.History = 2, true, []Round{{}, {Examples: 6}}
	for _, by := range mixes {
		if next, weights := mix(s, parts, by); !reflect.DeepEqual(next, want) || weights != nil {
			t.Errorf("%s: %+v, want %+v", by, next, want)
		}
	}
}

// online is how the tests train unless they say otherwise.
var online = learner{keeps[0]}

// flat returns the form of an Online without its numbers.
func flat(t testing.TB) json.RawMessage { return online.form(t) }

// form returns the form of a model that has learned an example.
func (l learner) form(t testing.TB) json.RawMessage {
	m := l.untrained()
	must(m.Update([]float64{1}, 1))(t)
	form, _, err := numbers(m)
	must(0, err)(t)
	return form
}

// TestMixBlock: mixing changes weights that no shard has changed, by rounding, as Mix does. A
// shard without examples has no share. A change that does not fit is an error.
func TestMixBlock(t *testing.T) {
	parts := make([]Part, 4)
	for i := range parts {
		parts[i] = Part{Shard: i, Model: flat(t), Examples: 10}
	}
	parts[3] = Part{Shard: 3}
	weights, _ := weigh(parts, uniform)
	for range 2 {
		old := random(1000)
		mean := slices.Clone(old)
		must(online.mixBlock(mean, parts, weights))(t)
		differ := 0
		for j, v := range old {
			third := float64(v * (1.0 / 3))
			if mean[j] != third+third+third {
				t.Errorf("%v, want the sum of three thirds of %v", mean[j], v)
			}
			if mean[j] != v {
				differ++
			}
		}
		if differ == 0 {
			t.Error("no weight differs: the test shows nothing")
		}
	}
	for _, parts[1].Change = range []Change{{nil, make([]float64, 1)}, {[]uint16{2}, make([]float64, 1)}, {[]uint16{1}, nil}} {
		if _, err := online.mixBlock(make([]float64, 2), parts, weights); err == nil || !strings.Contains(err.Error(), "shard 1") {
			t.Errorf("mixBlock accepted %+v: %v", parts[1].Change, err)
		}
	}
}

// TestCollect: the parts may come in any order, but there must be exactly one of each
// shard.
func TestCollect(t *testing.T) {
	for want, shards := range map[string][]int{
		"<nil>":                             {2, 0, 1},
		"missing part of shard 1":           {2, 0},
		"missing part of shard 0":           {},
		"two: part of shard 2":              {2, 0, 2, 1},
		"part of shard 3, but there are 3":  {0, 1, 2, 3},
		"part of shard -1, but there are 3": {0, -1},
	} {
		i := 0
		parts, err := collect(func(p *Part) bool {
			if i == len(shards) {
				return false
			}
			*p = Part{Shard: shards[i]}
			i++
			return true
		}, 3)
		if fmt.Sprint(err) != want {
			t.Errorf("%v: %v, want %s", shards, err, want)
		}
		for s, p := range parts {
			if p.Shard != s {
				t.Errorf("%v: %v, want them in the order of the shards", shards, parts)
			}
		}
	}
}

// lease makes the test a launcher, for which workers work.
func lease(t *testing.T, c config) origin {
	if err := c.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.origin.Beat = 0
	return c.origin
}

// TestJoin: the blocks of a mean, in any order, give the state again. A missing block is an error.
func TestJoin(t *testing.T) {
	want := State{Round: 2, Features: 5, Numbers: 6, Blocks: []string{"a", "", "c"}, History: []Round{{5, 1, 1, ""}, {5, 2, 2, ""}}}
	for text, order := range map[string][]int{fmt.Sprintf("%+v <nil>", want): {2, 0, 1}, fmt.Sprintf("%+v missing block 1", State{}): {0, 2}} {
		got, err := join(func(b *Block) bool {
			if len(order) == 0 {
				return false
			}
			*b, order = want.split()[order[0]], order[1:]
			return true
		}, 3)
		if found := fmt.Sprintf("%+v %v", got, err); found != text {
			t.Errorf("%s, want %s", found, text)
		}
	}
}

// TestPartMissing: a pipeline that loses a shard fails and does not change the checkpoint. A
// whole pipeline continues from it.
func TestPartMissing(t *testing.T) {
	shards := noisy(1, 50, 3).split(3)
	c := setUp(t, shards)
	c.rounds = 2
	before := trained(t, c)
	p, scope := beam.NewPipelineWithRoot()
	o := lease(t, c)
	state := beam.CreateList(scope, before.State.split())
	two := beam.CreateList(scope, []Shard{before.Job.Shards[2], before.Job.Shards[0]})
	parts := beam.ParDo(scope, &trainFn{nil, online, o, 1, false, false}, two, beam.SideInput{Input: state})
	beam.ParDo(scope, &mixFn{3, uniform, online, o}, beam.GroupByKey(scope, parts))
	if err := beamx.Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), "missing part of shard 1") {
		t.Errorf("%v, want the error of a missing part", err)
	}
	if _, err := load(t.Context(), c.checkpoint+nextFile); err == nil {
		t.Error("a result was written")
	}
	if after := must(loadAll(t, c.checkpoint))(t); !equal(after.State, before.State) {
		t.Error("the checkpoint has changed")
	}
	c.rounds = 4
	if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, 4)) {
		t.Error("the restart gives another result")
	}
}
