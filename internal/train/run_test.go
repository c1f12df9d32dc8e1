package train

import (
	"math"
	"runtime"
	"testing"

	"perceptron/internal/naive"
)

// TestMoreWorkers: the number of processors may grow in the body of a range, because a program
// or the runtime changes it.
func TestMoreWorkers(t *testing.T) {
	manyWorkers(t)
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	set := naive.Multi(1, 40, 40, 6)
	m, alone := newModel(Config{Rest: true, MaxEpochs: 4}), newModel(Config{Rest: true, MaxEpochs: 4, Workers: 1})
	for range naive.Epochs(t, alone.Epochs(set.X, set.Y)) {
	}
	for e := range naive.Epochs(t, m.Epochs(set.X, set.Y)) {
		runtime.GOMAXPROCS(1 + e.N%4)
	}
	if got, want := snapshot(m), snapshot(alone); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestUpperOfNoSteps: Upper is +Inf for a rule that never moves the weights.
func TestUpperOfNoSteps(t *testing.T) {
	m := newModel(Config{Rule: &Rule{Name: "Online", Step: func(Example) float64 { return 0 }}, MaxEpochs: 2})
	if res := must(m.Fit([][]float64{{1}, {-1}}, []int{1, -1}))(t); !math.IsInf(res.Upper, 1) {
		t.Errorf("%+v", res)
	}
}

// TestUpperRate: from zero, Rate only scales the weights, so Result.Upper does not depend on it.
func TestUpperRate(t *testing.T) {
	set := naive.Separable(1, 40, 5, 0.3)
	for _, rule := range []*Rule{OnMistake, WithinR, OnGradient} {
		one, half := newModel(Config{Rule: rule}), newModel(Config{Rule: rule, Rate: 0.5})
		a, b := must(one.Fit(set.X, set.Y))(t), must(half.Fit(set.X, set.Y))(t)
		if a != b || !(a.Upper < inf) {
			t.Errorf("%s: %+v with rate 1, %+v with 0.5", rule.Name, a, b)
		}
	}
}
