package perceptron

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"perceptron/internal/naive"
)

// TestUntouched: training, Separate and Scaling neither change nor keep their arguments.
func TestUntouched(t *testing.T) {
	// Each function uses a set, and returns one that prints the result.
	uses := map[string]func(set naive.Set) func() string{
		"Separate": func(set naive.Set) func() string {
			s := must(Separate(set.X, set.Y, Affine))(t)
			return func() string { return fmt.Sprint(s) }
		},
		"Scaling": func(set naive.Set) func() string {
			s := must(Standardize(set.X))(t)
			rows, row := must(s.ApplyAll(set.X))(t), must(s.Apply(nil, set.X[0]))(t)
			return func() string { return fmt.Sprint(s, rows, row) }
		},
	}
	for name, b := range binaries(3, 5) {
		models := map[string]model{name: b, name + " in OneVsRest": &OneVsRest{Binary: AsBinary(b)}}
		if _, batch := b.(*Batch); !batch && startOf(b).isZero() {
			models[name+" in Multiclass"] = &Multiclass{Binary: AsBinary(b)}
		}
		start := startOf(b).clone()
		for name, m := range models {
			uses[name] = func(set naive.Set) func() string {
				must(m.Fit(set.X, set.Y))(t)
				same(t, name+": Start", *startOf(b), start)
				return func() string { return snapshot(m) }
			}
		}
	}
	for name, use := range uses {
		set, want := naive.Noisy(1, 40, 3), naive.Noisy(1, 40, 3)
		result := use(set)
		same(t, name+": the input", set, want)
		before := result()
		for i := range set.X {
			clear(set.X[i])
			set.Y[i] = 77
		}
		same(t, name+": the result after a change of the input", result(), before)
	}
}

// TestStartCopied: after training has begun, changing Start's array changes
// nothing, even for a class that arrives late.
func TestStartCopied(t *testing.T) {
	start := Hyperplane{Weights: []float64{1, 2}}
	m := &OneVsRest{Binary: &Online{Start: start, Space: Linear}}
	must(m.Update([]float64{-1, -1}, 1))(t)
	start.Weights[0] = 50
	must(m.Update([]float64{1, 1}, 2))(t)
	same(t, "the late class", m.Hyperplanes().Planes[1], Hyperplane{[]float64{1, 2}, 0})
	h := m.Hyperplanes().Planes[0]
	h.Weights[0] = 99
	same(t, "the model keeps its weights", m.Hyperplanes().Planes[0].Weights[0] == 99, false)
}

// TestCloneFields: a clone has a copy of the fields and of what was learned. The clone
// of an untrained model, and a clone's Binary, have learned nothing.
func TestCloneFields(t *testing.T) {
	set, start := naive.Noisy(4, 10, 1), Hyperplane{Weights: []float64{2}}
	for _, b := range []model{&Online{Start: start, Rate: 3}, &Margin{Start: start, Rate: 3}, &Batch{Start: start, Rate: 3}} {
		for range 2 {
			c := cloneOf(b)
			if &startOf(c).Weights[0] == &start.Weights[0] || configured(c) != configured(b) || snapshot(c) != snapshot(b) {
				t.Errorf("the clone of a %T is %+v\n%s, want\n%s", b, c, snapshot(c), snapshot(b))
			}
			for _, many := range []model{&OneVsRest{Binary: AsBinary(b), Workers: 3}, &Multiclass{Binary: AsBinary(b)}} {
				c := cloneOf(many)
				if over := inner(c); over == b || stateOf(over) != nil || configured(over) != configured(b) || configured(c) != configured(many) {
					t.Errorf("the clone of a %T over a %T is %+v", many, b, c)
				}
			}
			must(b.Fit(set.X, set.Y))(t)
		}
	}
	same(t, "a nil Binary", (&OneVsRest{}).Clone().Binary, nil)
	same(t, "a nil Binary", (&Multiclass{}).Clone().Binary, nil)
}

// TestAllocations: reading and updating do not allocate.
func TestAllocations(t *testing.T) {
	set := naive.Multi(3, 40, 50, 4)
	signs := naive.Set{X: set.X, Y: Against(set.Y, 7)}
	check := func(name string, m model, set naive.Set) {
		t.Helper()
		must(m.(streamer).Learn(stream(set)))(t)
		i, scores := 0, make([]float64, 0, 4)
		for _, method := range methods(m, "Update "+read) {
			f := func() { _ = calls[method](m, set.X[i%40:], set.Y[(i+i/40)%40:]) }
			if method == "Scores" {
				f = func() { _, _ = m.(manyModel).Scores(scores, set.X[i%40]) }
			}
			same(t, name+": allocations of "+method, testing.AllocsPerRun(200, func() { i++; f() }), 0)
		}
	}
	for name, b := range onlineGrid(50, 2) {
		check(name, b.unlearned(), signs)
		check("OneVsRest/"+name, &OneVsRest{Binary: b}, set)
	}
	for name, m := range keslerGrid(50, 2) {
		check(name, m, set)
	}
	h := Hyperplane{Weights: set.X[0]}
	same(t, "allocations of Hyperplane.Predict", testing.AllocsPerRun(100, func() { _, _ = h.Predict(set.X[1]) }), 0)
}

// TestAllocationsFirst: the first Update after any other call, and after a new class, does not
// allocate, nor does one with weights whose squares underflow.
func TestAllocationsFirst(t *testing.T) {
	set := naive.Multi(5, 40, 3, 4)
	signs := naive.Set{X: set.X, Y: Against(set.Y, 7)}
	for name, b := range onlineGrid(3, 2) {
		checkFirst(t, name, b.(twinModel), signs, 1)
	}
	for name, m := range keslerGrid(3, 2) {
		checkFirst(t, name, m, set, 1000)
	}
}

// checkFirst checks the first Update after each other call. label is that of a new class, if m may
// have one.
func checkFirst(t *testing.T, name string, m twinModel, set naive.Set, label int) {
	loaded := m.unlearned().(twinModel)
	for i, before := range []func() twinModel{
		func() twinModel { must(m.Update(set.X[0], set.Y[0]))(t); return m },
		func() twinModel { must(m.Fit(set.X, set.Y))(t); return m },
		func() twinModel { accept.of(t, m, set.X, set.Y, "Epochs"); return m },
		func() twinModel { must(m.Learn(stream(set)))(t); return m },
		func() twinModel { must(m.Update(set.X[0], label))(t); return m },
		func() twinModel { return cloneOf(m).(twinModel) },
		func() twinModel {
			must(0, loaded.UnmarshalBinary(must(m.MarshalBinary())(t)))(t)
			must(loaded.Update(set.X[0], set.Y[0]))(t) // takes the fields
			return loaded
		},
	} {
		for _, x := range [][]float64{set.X[1], {1e-140, 0, 0}} {
			// The least of some runs, because the runtime allocates too.
			least := uint64(math.MaxUint64)
			for i := 0; i < 5 && least > 0; i++ {
				p := before()
				y := wrong(t, p, x)
				_, times := allocated(func() { _, _ = p.Update(x, y) })
				least = min(least, times)
			}
			same(t, fmt.Sprint(name, ": allocations after call ", i), least, 0)
		}
	}
}

// wrong returns a label of x that m does not predict: that of the lowest score.
func wrong(t *testing.T, m model, x []float64) int {
	many, ok := m.(manyModel)
	if !ok {
		return -must(m.Predict(x))(t)
	}
	scores := must(many.Scores(nil, x))(t)
	return many.Classes()[slices.Index(scores, slices.Min(scores))]
}
