package perceptron

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// TestShortWay compares a model whose Update may take the short way, for an example
// with nothing to learn, with one whose Update never does, and with Learn. It
// varies what came before, the fields and the example.
func TestShortWay(t *testing.T) {
	t.Parallel()
	short := 0
	for name, b := range onlineGrid(2, 3) {
		r := rand.New(rand.NewPCG(6, 6))
		p, long := b.unlearned(), b.unlearned()
		for step := range 100 {
			if r.IntN(4) == 0 {
				before := min(r.IntN(8), r.IntN(8)) // a copy by value, 4, cannot be trained before the next Fit
				p, long = come(p, before), come(long, before)
			}
			x, y := anyExample(r)
			change := fields{}
			if r.IntN(3) == 0 {
				change = anyChange(r, p)
			}
			was := change.put(p)
			change.put(long)
			if c := p.learned().Current(); c != nil && c.Completed() == configured(p) {
				short++
			}
			if stateOf(long) != nil { // without an owner, so that Update takes the long way
				edit(t, long, func(*train.State) {})
			}
			learner := clone(p).(binaryModel)
			updated, err := p.(binaryModel).Update(x, y)
			want, wantErr := long.(binaryModel).Update(x, y)
			what := fmt.Sprintf("%s, step %d, %v, (%v, %d)", name, step, change, x, y)
			if updated != want || fmt.Sprint(err) != fmt.Sprint(wantErr) || snapshot(p) != snapshot(long) {
				t.Fatalf("%s: %v (%v)\n%s\nwant %v (%v)\n%s", what, updated, err, snapshot(p), want, wantErr, snapshot(long))
			}
			e, err := learner.Learn(Examples([][]float64{x}, []int{y}))
			if example := new(ExampleError); errors.As(err, &example) {
				err = example.Err
			}
			if !errors.Is(wantErr, ErrConfig) && (fmt.Sprint(err) != fmt.Sprint(wantErr) || (e.Mistakes == 1) != want) {
				t.Fatalf("%s: Learn: %+v (%v), want %v (%v)", what, e, err, want, wantErr)
			}
			was.put(p)
			was.put(long)
		}
	}
	if short < 900 {
		t.Errorf("the short way was open %d times", short)
	}
}

// come trains, copies or mixes m, as by selects.
func come(m model, by int) model {
	set := naive.Separable(3, 10, 2, 0.5)
	switch by {
	case 0:
		_, _ = m.Fit(set.X, set.Y)
	case 1:
		_ = drain(m, set.X, set.Y, func() {})
	case 2:
		return clone(m)
	case 3:
		if c, err := mixOf([]model{m}, nil); err == nil {
			return c
		}
	case 4:
		return byValue(m)
	}
	return m
}

// anyExample mostly returns an example that a model trained on such examples has right.
func anyExample(r *rand.Rand) (x []float64, y int) {
	x, y = []float64{5 + r.Float64(), r.NormFloat64()}, 1
	if r.IntN(4) == 0 {
		y = []int{-1, 0, 2, -3, math.MaxInt, -math.MaxInt, math.MinInt, math.MaxInt32}[r.IntN(8)]
	}
	if r.IntN(4) == 0 {
		x = [][]float64{{}, nil, {1}, {1, 2, 3}, {math.NaN(), 1}, {inf, 1}, {1, -inf}, {1e308, 1e308}, {0, 0}, {-1, 0}}[r.IntN(10)]
	}
	return x, y
}

// anyChange returns a change of one of m's fields, perhaps to a bad value.
func anyChange(r *rand.Rand, m model) fields {
	all := []fields{
		{"Rate": 2.5}, {"Rate": math.NaN()}, {"Rate": -1.0}, {"MaxEpochs": 7}, {"MaxEpochs": -1},
		{"Space": Linear}, {"Space": Affine}, {"Space": Space(2)}, {"Order": Cyclic}, {"Order": Order(3)},
		{"Keep": Last}, {"Keep": Average}, {"Keep": Pocket}, {"Keep": noKeep}, {"Seed": uint64(9)},
		{"Start": Hyperplane{Bias: inf}}, {"Start": Hyperplane{Weights: []float64{1, 2, 3}}},
		{"Gamma": 0.25}, {"Gamma": math.NaN()}, {"Threshold": 0.25}, {"Threshold": -1.0},
	}
	for _, i := range r.Perm(len(all)) {
		if all[i].set(m) != nil {
			return all[i]
		}
	}
	return fields{}
}

// put sets fields of m itself, and returns their old values.
func (f fields) put(m model) fields {
	was := maps.Clone(f)
	for name, v := range f {
		field := reflect.ValueOf(m).Elem().FieldByName(name)
		was[name] = field.Interface()
		field.Set(reflect.ValueOf(v))
	}
	return was
}

// TestNaive compares every model of two classes that learns by example with the formulas: weights,
// decisions, mistakes and loss, exactly. The average is compared exactly where every sum is exact,
// and to the last digit elsewhere.
func TestNaive(t *testing.T) {
	t.Parallel()
	sets := []naive.Set{naive.Separable(1, 60, 5, 0.1), naive.Noisy(2, 50, 3), naive.Noisy(3, 40, 39), naive.Whole(4, 50, 6)}
	for _, set := range sets {
		for _, epochs := range []int{1, 2, 10} {
			for name, p := range onlineGrid(len(set.X[0]), epochs) {
				t.Run(fmt.Sprintf("%s%d/%d/%s", set.Name, len(set.X[0]), epochs, name), func(t *testing.T) {
					compareEpochs(t, p, set)
				})
			}
		}
	}
}

// compareEpochs compares Epochs and Fit with the reference. It returns what Fit returns.
func compareEpochs(t *testing.T, m model, set naive.Set) Result {
	n, twin, all := naiveOf(m), cloneOf(m), []Epoch{}
	next, stop := iter.Pull(n.epochs(set.X, set.Y))
	defer stop()
	for e := range naive.Epochs(t, m.(ranger).Epochs(set.X, set.Y)) {
		want, _ := next()
		Diff(t, "the epoch", e, want)
		if all = append(all, e); e.N <= 10 || e.Stop != Running {
			n.compare(t, m, set)
		}
	}
	res := must(twin.Fit(set.X, set.Y))(t)
	Diff(t, "Fit", res, n.result(all))
	n.compare(t, twin, set)
	return res
}

// TestStreamNaive compares Update and Learn with the formulas, in the same way.
func TestStreamNaive(t *testing.T) {
	t.Parallel()
	for _, set := range []naive.Set{naive.Separable(5, 60, 5, 0.1), naive.Whole(6, 60, 4)} {
		for name, p := range onlineGrid(len(set.X[0]), 2) {
			t.Run(set.Name+"/"+name, func(t *testing.T) { compareStream(t, p, set) })
		}
	}
}

// compareStream compares Update and Learn with the reference, and then Epochs and Learn in turn.
func compareStream(t *testing.T, m interface {
	model
	Learner
}, set naive.Set) {
	n, twin, half := naiveOf(m), cloneOf(m), len(set.X)/2
	Diff(t, "Learn", must(twin.(streamer).Learn(stream(set)))(t), naiveOf(m).learn(set.X, set.Y))
	for i, x := range set.X {
		want, _ := n.stream(x, set.Y[i])
		Diff(t, "Update", must(m.Update(x, set.Y[i]))(t), want)
		if i < 3 || i == half {
			n.compare(t, m, set)
		}
	}
	n.compare(t, m, set)
	n.compare(t, twin, set)
	for _, part := range []int{half, len(set.X)} {
		want := slices.Collect(n.epochs(set.X[:part], set.Y[:part]))
		for e := range naive.Epochs(t, m.Epochs(set.X[:part], set.Y[:part])) {
			Diff(t, "the epoch", e, want[0])
			want = want[1:]
		}
		n.compare(t, m, set)
		Diff(t, "Learn", must(m.Learn(stream(set)))(t), n.learn(set.X, set.Y))
		n.compare(t, m, set)
	}
}

// TestPocketNaive: a pocket's decisions are those of the reference, in a stream and then over
// ranges whose body changes rows and labels.
func TestPocketNaive(t *testing.T) {
	t.Parallel()
	runs := 0 // ended by an iterate that is not the last
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 4))
			set := naive.Whole(seed, []int{12, 150}[seed%2], 4) // runs of equal length; challengers that cannot win any more
			for i, x := range set.X {
				for j := range x {
					x[j] += float64(set.Y[i])
				}
			}
			p := &Online{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 8}
			n := naiveOf(p)
			must(p.Learn(Examples(set.X, set.Y)))(t)
			n.learn(set.X, set.Y)
			for range 2 {
				n.begin(set.X, set.Y)
				for e := range naive.Epochs(t, p.Epochs(set.X, set.Y)) {
					n.epoch(set.X, set.Y)
					s, held := stateOf(p), n.pocket[1]
					if !samePlane(p.Hyperplane(), held) || int(s.Beat[0]) != n.beat || int(s.Run[0]) != n.run {
						t.Fatalf("%v, seed %d, epoch %d: %+v, want %v after %d with the run %d", order, seed, e.N, s, held, n.beat, n.run)
					}
					if n.longest > n.run && samePlane(held, n.ofLong[1]) {
						runs++
					}
					i := r.IntN(len(set.Y))
					set.Y[i] = -set.Y[i]
					set.X[r.IntN(len(set.X))][r.IntN(4)]++
				}
				must(p.Update(set.X[0], set.Y[0]))(t)
				n.stream(set.X[0], set.Y[0])
			}
		}
	}
	if runs < 100 {
		t.Errorf("only %d longest runs won: the test shows little", runs)
	}
}

// TestPocketBest: within a range, the pocket never has fewer rows right than an epoch
// before. When training converges, it has all of them right.
func TestPocketBest(t *testing.T) {
	for _, order := range []Order{Cyclic, Shuffled, Sampled} {
		for seed := range uint64(30) {
			set, easy := naive.Noisy(seed, 40, 3), naive.Separable(seed, 40, 3, 0.05)
			p := &Online{Keep: Pocket, Order: order, Seed: seed, MaxEpochs: 30}
			best := 0.0
			for range naive.Epochs(t, p.Epochs(set.X, set.Y)) {
				a := must(Accuracy(p, set.X, set.Y))(t)
				if a < best {
					t.Fatalf("the pocket fell from %v to %v", best, a)
				}
				best = a
			}
			p.MaxEpochs = 1e6
			must(p.Fit(easy.X, easy.Y))(t)
			Diff(t, "the accuracy of a pocket that converged", must(Accuracy(p, easy.X, easy.Y))(t), 1)
		}
	}
}

// TestPocketMemory: a pocket takes two vectors for each hyperplane, and nothing for each row.
func TestPocketMemory(t *testing.T) {
	const n = 20000
	set := naive.Multi(1, n, 20, 10)
	of := func(m Model) float64 { return float64(Allocated(func() { must(m.Fit(set.X, set.Y))(t) })) }
	last, pocket := &Online{MaxEpochs: 1}, &Online{Keep: Pocket, MaxEpochs: 1}
	for _, more := range []float64{
		of(&OneVsRest{Binary: pocket, Workers: 1}) - of(&OneVsRest{Binary: last, Workers: 1}),
		of(&Multiclass{Binary: pocket}) - of(&Multiclass{Binary: last}),
	} {
		if more > 2*n {
			t.Errorf("%v bytes more under Pocket, for %d rows", more, n)
		}
	}
}

// TestFirstTheta: a θ that is not finite makes no row right.
func TestFirstTheta(t *testing.T) {
	top := math.MaxFloat64
	p := &Margin{Gamma: 5e-324, Space: Linear, Start: Hyperplane{Weights: []float64{top, top}}}
	for _, order := range []Order{Cyclic, Sampled} {
		p.Order = order
		want{ErrNotFinite, 0, "not finite: the update overflows, though every feature is finite"}.check(t, alone(p.Fit([][]float64{{-1e-300, 0}}, []int{+1}))(t))
	}
}

// TestRateOfFailure: an Update that fails restores the rate and θ. A Rate changed
// after it takes effect.
func TestRateOfFailure(t *testing.T) {
	x := []float64{3, 4}
	m := new(Margin)
	must(m.Update(x, 1))(t) // w = x, b = 1, R² = 26, θ = 26, y·score = 26
	before := snapshot(m)
	for _, bad := range [][]float64{x, {inf, 0}, {1}} {
		m.Rate = 1e308
		if _, err := m.Update(bad, -1); err == nil || snapshot(m) != before {
			t.Fatalf("%v: %v, and the model is\n%s, want\n%s", bad, err, snapshot(m), before)
		}
		for rate, want := range map[float64]bool{0: true, 0.5: false} {
			c := m.Clone()
			c.Rate = rate
			Diff(t, fmt.Sprint("Update with the rate ", rate), must(c.Update(x, 1))(t), want)
		}
	}
}

// naiveOrder returns an epoch's order of the rows.
func naiveOrder(kind uint8, gen *rand.PCG, rows int) []int {
	index := make([]int, rows)
	for i := range index {
		if index[i] = i; kind == train.Sampled {
			index[i] = wordBelow(gen, rows)
		}
	}
	for i := rows - 1; i > 0 && kind == train.Shuffled; i-- {
		j := wordBelow(gen, i+1)
		index[i], index[j] = index[j], index[i]
	}
	return index
}

// wordBelow draws from [0, k) by Lemire's method in big integers: the integer part of k·u/2⁶⁴,
// unless its fraction is below 2⁶⁴ mod k.
func wordBelow(gen *rand.PCG, k int) int {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	reject := new(big.Int).Mod(two64, big.NewInt(int64(k)))
	for {
		u := new(big.Int).SetUint64(gen.Uint64())
		hi, lo := new(big.Int).DivMod(u.Mul(u, big.NewInt(int64(k))), two64, new(big.Int))
		if lo.Cmp(reject) >= 0 {
			return int(hi.Int64())
		}
	}
}

// TestSparseNaive compares training on sparse rows with the formulas, of which each product is that of
// a row's features that are not 0 and their window.
func TestSparseNaive(t *testing.T) {
	t.Parallel()
	set := naive.Noisy(5, 40, 70)
	r := rand.New(rand.NewPCG(5, 5))
	for _, x := range set.X {
		for j := range x {
			if r.IntN(10) < 4 {
				x[j] = 0
			}
		}
	}
	many := naive.Set{Name: "many", X: set.X, Y: slices.Clone(set.Y)}
	for i := range many.Y {
		many.Y[i] = i * i % 7
	}
	for name, m := range wholeGrid(70, 5) {
		sparseNaive(t, name, m, set)
		if len(startOf(m).Weights) == 0 && joins(m) {
			sparseNaive(t, name, &Multiclass{Binary: m}, many)
		}
	}
}

// sparseNaive compares Learn, Epochs and Fit on sparse rows with the reference.
func sparseNaive(t *testing.T, name string, m model, set naive.Set) {
	t.Run(fmt.Sprintf("%s/%T", name, m), func(t *testing.T) {
		n, twin, rows := naiveOf(m), cloneOf(m), sparse(set.X)
		n.sparse = true
		s := SparseModel{m, len(set.X[0])}
		Diff(t, "Learn", must(s.Learn(sparseExamples(rows, set.Y)))(t), n.learn(set.X, set.Y))
		n.compare(t, m, set)
		want := slices.Collect(n.epochs(set.X, set.Y))
		for e := range naive.Epochs(t, s.Epochs(rows, set.Y)) {
			Diff(t, "the epoch", e, want[0])
			want = want[1:]
		}
		n.compare(t, m, set)
		fit := naiveOf(twin)
		fit.sparse = true
		all := slices.Collect(fit.epochs(set.X, set.Y))
		Diff(t, "Fit", must(SparseModel{twin, s.Width}.Fit(rows, set.Y))(t), fit.result(all))
		fit.compare(t, twin, set)
	})
}

// forget halves what each iterate counts until less than 2·Window examples count.
func (n *naiveModel) forget() {
	n.n, n.passed = n.n+n.passed, 0
	for ; n.Window > 0 && n.n >= float64(2*n.Window); n.n /= 2 {
		for i := range n.counts {
			n.counts[i] /= 2
		}
	}
}
