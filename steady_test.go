package perceptron

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestShortWay holds a model that may go Update's short way, of an example with
// nothing to learn, against one that never may, and against Learn: whatever came
// before, whichever field changes, whatever the example.
func TestShortWay(t *testing.T) {
	short := 0
	for name, b := range onlineGrid(2, 3) {
		r := rand.New(rand.NewPCG(6, 6))
		p, long := b.fields(), b.fields()
		for step := range 100 {
			if r.IntN(4) == 0 {
				before := min(r.IntN(8), r.IntN(8)) // 4, a copy by value, is good for nothing before the next Fit
				p, long = come(p, before), come(long, before)
			}
			x, y := anyExample(r)
			change := fields{}
			if r.IntN(3) == 0 {
				change = anyChange(r, p)
			}
			was := change.put(p)
			change.put(long)
			if m := p.engine(); m.owner == m && p.config() == m.now.config && m.now.settled(x, y) {
				short++
			}
			if now := long.engine().now; now != nil {
				now.maxEpochs = -99 // as no model has, so that some field has changed
			}
			learner := copyOf(p).(binaryModel)
			updated, err := p.(binaryModel).Update(x, y)
			want, wantErr := long.(binaryModel).Update(x, y)
			what := fmt.Sprintf("%s, step %d, %v, (%v, %d)", name, step, change, x, y)
			if updated != want || fmt.Sprint(err) != fmt.Sprint(wantErr) || snapshot(p) != snapshot(long) {
				t.Fatalf("%s: %v (%v)\n%s\nthe long way: %v (%v)\n%s", what, updated, err, snapshot(p), want, wantErr, snapshot(long))
			}
			e, err := learner.Learn(pairs([][]float64{x}, []int{y}))
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

// come returns what comes of m by one thing or another.
func come(m model, by int) model {
	set := separable(3, 10, 2, 0.5)
	switch by {
	case 0:
		_, _ = m.Fit(set.X, set.y)
	case 1:
		_ = drain(m, set.X, set.y, func() {})
	case 2:
		return copyOf(m)
	case 3:
		switch m := m.(type) {
		case *Online:
			if c, err := Mix([]*Online{m}, nil); err == nil {
				return c
			}
		case *Margin:
			if c, err := Mix([]*Margin{m}, nil); err == nil {
				return c
			}
		}
	case 4:
		c := reflect.New(reflect.TypeOf(m).Elem())
		c.Elem().Set(reflect.ValueOf(m).Elem())
		return c.Interface().(model)
	}
	return m
}

// anyExample is most often one that a model trained on such is sure of.
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

// anyChange gives one of m's fields another value, which may be a bad one.
func anyChange(r *rand.Rand, m model) fields {
	all := []fields{
		{"Rate": 2.5}, {"Rate": math.NaN()}, {"Rate": -1.0}, {"MaxEpochs": 7}, {"MaxEpochs": -1},
		{"Space": Linear}, {"Space": Affine}, {"Space": Space(2)}, {"Order": Cyclic}, {"Order": Order(3)},
		{"Keep": Last}, {"Keep": Average}, {"Keep": Pocket}, {"Keep": Keep(3)}, {"Seed": uint64(9)},
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

// put sets fields of m itself, and returns what they were.
func (f fields) put(m model) fields {
	was := maps.Clone(f)
	for name, v := range f {
		field := reflect.ValueOf(m).Elem().FieldByName(name)
		was[name] = field.Interface()
		field.Set(reflect.ValueOf(v))
	}
	return was
}
