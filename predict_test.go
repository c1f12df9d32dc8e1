package perceptron

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/train"
)

// TestReplaced: a body or an iterator that assigns to the model's struct ends the training. What it
// assigned remains. A copy made inside is not marked as being trained, and shares nothing with a
// later training.
func TestReplaced(t *testing.T) {
	t.Parallel()
	set, other := naive.Noisy(15, 10, 2), naive.Noisy(18, 12, 2)
	for name, m := range zoo(t, 2) {
		for _, method := range methods(m, "Epochs Learn") {
			for _, kind := range []string{"untrained", "trained", "trained copy"} {
				p, with, inside, calls := clone(m), m.unlearned(), m, 0
				replace := func() {
					calls++
					if inside = byValue(p); kind == "trained copy" {
						with = byValue(p)
					}
					if kind != "untrained" {
						must(with.Fit(other.X, other.Y))(t)
					}
					assign(p, with)
				}
				var err error
				if method == "Epochs" {
					err = drain(p, set.X, set.Y, replace)
				} else {
					_, err = p.(streamer).Learn(func(yield func([]float64, int) bool) {
						yield(set.X[0], set.Y[0])
						replace()
					})
				}
				left := snapshot(p)
				if !errors.Is(err, ErrConfig) || calls != 1 || left != snapshot(with) || configured(p) != configured(with) {
					t.Fatalf("%s: %s by one that is %s, %d times: %v, %+v", name, method, kind, calls, err, p)
				}
				if kind != "untrained" {
					errCopied.of(t, p, other.X, other.Y, resume)
				}
				accept.of(t, with, other.X, other.Y, resume)
				accept.of(t, inside, set.X, set.Y, "Fit")
				Diff(t, name+" after a training of copies", snapshot(p), left)
			}
		}
	}
}

// errCopied is the error of a training call on a copy by value.
var errCopied = want{ErrConfig, -1, "bad configuration: the model was copied by value after training; use Clone for a copy that can be trained"}

// assign copies the struct of a model to that of another.
func assign(to, from model) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

// TestEmptyPass: a pass without examples counts. It does not fix any field. After it, a model of
// two classes still cannot predict, and has no hyperplane.
func TestEmptyPass(t *testing.T) {
	p := new(Online)
	none := func(func([]float64, int) bool) {}
	must(p.Learn(none))(t)
	want{ErrUntrained, -1, "untrained model: it has seen no example"}.check(t, alone(p.Predict([]float64{1}))(t))
	Diff(t, "the hyperplane", p.Hyperplane(), Hyperplane{})
	p.Space, p.Keep, p.Start = Linear, Average, Hyperplane{Weights: []float64{2}}
	Diff(t, "the second pass", must(p.Learn(none))(t), Epoch{N: 2})
	must(p.Update([]float64{1}, -1))(t)
	Diff(t, "the hyperplane", p.Hyperplane(), Hyperplane{Weights: []float64{1}})
}

// byValue copies the model's struct.
func byValue(m model) model {
	c := reflect.New(reflect.TypeOf(m).Elem()).Interface().(model)
	assign(c, m)
	return c
}

// TestCopyMemory: a clone, and a copy by value after Fit, share no memory with the original. No
// training of one model changes the other.
func TestCopyMemory(t *testing.T) {
	set := naive.Noisy(16, 10, 2)
	for name, m := range zoo(t, 2) {
		seed := uint64(50)
		for _, cloned := range []bool{true, false} {
			c := clone(m)
			if !cloned {
				c = byValue(m)
				must(c.Fit(set.X, set.Y))(t)
			}
			for _, method := range methods(m, "Update Update Epochs Update Learn Update Fit Update") {
				for _, pair := range [][2]model{{m, c}, {c, m}} {
					trained, other := pair[0], pair[1]
					before, rows := snapshot(other), naive.Noisy(seed, 10, 2)
					accept.of(t, trained, rows.X, rows.Y, method)
					for i := 1; i < len(rows.X) && method == "Update"; i++ {
						accept.of(t, trained, rows.X[i:], rows.Y[i:], method)
					}
					Diff(t, name+": the other model after "+method, snapshot(other), before)
					seed++
				}
			}
		}
	}
}

// TestString: a model prints its kind and its state, by pointer and by value.
func TestString(t *testing.T) {
	for _, c := range []struct {
		m        model
		training string
	}{
		{new(Online), "Online: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{&Margin{Space: Linear, Keep: Average}, "Margin: 2 classes, width 2, Linear, Average, examples: 12, passes: 3"},
		{new(Batch), "Batch: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{&OneVsRest{Binary: &Margin{Keep: Pocket}}, "OneVsRest of Margin: 2 classes, width 2, Affine, Pocket, examples: 12, passes: 3"},
		{&OneVsRest{Binary: new(Batch)}, "OneVsRest of Batch: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
		{&Multiclass{Binary: &Margin{Gamma: 1}}, "Multiclass of Margin with Gamma: 2 classes, width 2, Affine, Last, examples: 12, passes: 3"},
	} {
		printed := func() string { return fmt.Sprint(c.m, "|", reflect.ValueOf(c.m).Elem()) }
		kind := reflect.TypeOf(c.m).Elem().Name() + ": untrained"
		Diff(t, "untrained", printed(), kind+"|"+kind)
		must(c.m.Fit([][]float64{{1, 0}, {0, 1}}, []int{1, -1}))(t)
		edit(t, c.m, func(s *train.State) { s.Passes, s.Seen = 3, 12 })
		Diff(t, "trained", printed(), c.training+"|"+c.training)
	}
}

// TestErrorInside: in the body of its range, or in Learn's iterator, a model can be
// read but not trained. A copy by value made there keeps what it has learned.
func TestErrorInside(t *testing.T) {
	w, set := want{ErrConfig, -1, "bad configuration: the model is being trained by an enclosing Epochs or Learn"}, naive.Noisy(19, 30, 2)
	for name, m := range zoo(t, 2) {
		var first model
		var told string
		must(0, drain(m, set.X, set.Y, func() {
			if first != nil {
				return
			}
			w.of(t, m, set.X, set.Y, anew+" "+anew)
			accept.of(t, m, set.X, nil, read)
			first, told = byValue(m), snapshot(m)
		}))(t)
		Diff(t, name+": the copy of the first epoch", snapshot(first), told)
		Diff(t, name+" stayed as it was", snapshot(m) == told, false)
		if len(methods(m, "Learn")) > 0 {
			must(m.(streamer).Learn(func(yield func([]float64, int) bool) {
				w.of(t, m, set.X, set.Y, anew)
				yield(set.X[0], 1)
				w.of(t, m, set.X, set.Y, anew)
			}))(t)
		}
		accept.of(t, m, set.X, set.Y, anew) // the training has ended
	}
}

// TestErrorCopied: a copy by value of a trained model can be trained only by Fit.
func TestErrorCopied(t *testing.T) {
	for name, m := range zoo(t, 2) {
		c, before, afresh := byValue(m), snapshot(m), m.unlearned()
		if stateOf(m) != nil {
			errCopied.of(t, c, XOR.X, XOR.Y, resume)
		}
		accept.of(t, c, XOR.X, XOR.Y, anew)
		accept.of(t, afresh, XOR.X, XOR.Y, anew)
		Diff(t, name+": the copy", snapshot(c), snapshot(afresh))
		Diff(t, name+": the original", snapshot(m), before)
	}
}

// TestErrorPartial: an error undoes one epoch of Epochs. The error may be about a label that the
// body has changed. Learn keeps, and reports, the examples before the error.
func TestErrorPartial(t *testing.T) {
	w, good := want{ErrNotFinite, 5, "not finite: feature 1 is NaN"}, naive.Noisy(27, 30, 2)
	for name, m := range zoo(t, 2) {
		m, X, left := clone(m), slices.Clone(good.X), ""
		w.check(t, drain(m, X, good.Y, func() { left, X[5] = left+snapshot(m), []float64{1, math.NaN()} }))
		Diff(t, name, snapshot(m), left)
		if y := slices.Clone(good.Y); !isMany(m) {
			want{ErrLabel, 3, "bad label: 1000, want +1 or -1; Multiclass takes any int, and Classifier any string"}.check(t, drain(m, good.X, y, func() { left, y[3] = snapshot(m), 1000 }))
			Diff(t, name+" after a bad label", snapshot(m), left)
		}
		if len(methods(m, "Learn")) > 0 {
			told := must(clone(m).(streamer).Learn(Examples(X[:5], good.Y[:5])))(t)
			e, err := m.(streamer).Learn(Examples(X, good.Y))
			told.N-- // the pass did not finish
			Diff(t, name+": Learn", e, told)
			w.check(t, err)
		}
	}
}

// TestLateFails: a bad example of a new class adds no class, for every place of its label in the
// order, and for every Keep. The rest stays as it was.
func TestLateFails(t *testing.T) {
	good := naive.Multi(3, 30, 2, 4)
	for name, m := range keslerGrid(2, 0) {
		must(m.Learn(stream(good)))(t)
		for _, late := range []int{math.MinInt, -300, 1, 7, 9, math.MaxInt} {
			before, told := m.Clone(), snapshot(m)
			for _, x := range [][]float64{{inf, 1}, {math.NaN(), 1}, {1}, {}, {1, 2, 3}} {
				if updated, err := m.Update(x, late); err == nil || updated || snapshot(m) != told {
					t.Fatalf("%s: Update of %v, %d: %v, %v\n%s, want\n%s", name, x, late, updated, err, snapshot(m), told)
				}
				if _, err := m.Learn(Examples([][]float64{x}, []int{late})); err == nil || snapshot(m) != told {
					t.Fatalf("%s: Learn of %v, %d: %v", name, x, late, err)
				}
				if strings.Contains(name, "Sampled") { // an epoch may not draw the row
					continue
				}
				if err := drain(m, [][]float64{{1, 2}, x}, []int{7, late}, func() {}); err == nil || snapshot(m) != told {
					t.Fatalf("%s: Epochs of %v, %d: %v", name, x, late, err)
				}
			}
			for _, p := range []*Multiclass{m, before} {
				must(p.Update([]float64{2, 3}, late))(t)
				must(p.Learn(stream(good)))(t)
			}
			if snapshot(m) != snapshot(before) {
				t.Fatalf("%s: after bad examples of class %d the model learns\n%s, want\n%s", name, late, snapshot(m), snapshot(before))
			}
		}
	}
}

// vectorsOf returns the vectors (w, b) that predict.
func vectorsOf(m model) (v [][]float64) {
	for i := range m.learned().Planes() {
		v = append(v, m.learned().Vector(i))
	}
	return v
}

// TestConcurrentReads: any number of goroutines may read a model at once, as the race detector
// confirms. All see the same, even the first reads after training, which compute the means for
// Average.
func TestConcurrentReads(t *testing.T) {
	set := naive.Multi(1, 40, 3, 4)
	for name, m := range zoo(t, 3) {
		if stateOf(m) == nil {
			continue
		}
		for _, method := range methods(m, resume) {
			y := set.Y
			if !isMany(m) {
				y = Against(y, 7)
			}
			accept.of(t, m, set.X, y, method)
			alone := clone(m)
			for _, p := range []model{m, alone} { // the means are out of date again
				accept.of(t, p, set.X, y, methods(m, "Update Epochs")[0])
			}
			want := vectorsOf(alone)
			var wg sync.WaitGroup
			for g := range 4 {
				naive.Go(&wg, func() {
					_, _ = m.Predict(set.X[g])
					Diff(t, name, vectorsOf(m), want)
					for _, method := range methods(m, read) {
						_ = calls[method](m, set.X[g:], y)
					}
					_, _ = cloneOf(m), fmt.Sprint(m)
					_, _ = m.(coder).MarshalJSON()
					_ = come(m, 3) // a mix
				})
			}
			wg.Wait()
		}
	}
}

// TestLearnMemory: a pass over 10⁵ examples allocates no more than one over 10.
func TestLearnMemory(t *testing.T) {
	set := naive.Noisy(1, 10, 20)
	p := &Online{Keep: Average}
	pass := func(times int) float64 {
		return testing.AllocsPerRun(5, func() {
			must(p.Learn(func(yield func([]float64, int) bool) {
				for i := range 10 * times {
					if !yield(set.X[i%10], set.Y[i%10]) {
						return
					}
				}
			}))(t)
		})
	}
	pass(1)
	if few, many := pass(1), pass(10000); many > few {
		t.Errorf("%v allocations for 10 examples, %v for 100,000", few, many)
	}
}

// TestLoadedCopied checks that copies by value of a loaded model are independent until
// they are trained. A copy of a model that was trained later is rejected.
func TestLoadedCopied(t *testing.T) {
	for name, m := range zoo(t, 2) {
		data := must(m.(coder).MarshalBinary())(t)
		for _, method := range methods(m, resume) {
			trained := clone(m)
			accept.of(t, trained, XOR.X, XOR.Y, method)
			read := another(m)
			must(0, read.(coder).UnmarshalBinary(data))(t)
			for i := range 3 {
				c := byValue(read)
				if i > 0 { // an error leaves nothing behind that copies share
					bad := want{ErrDimension, -1, "dimension mismatch: width 3, want 2"}
					if method != "Update" {
						bad.index = 0
					}
					if stateOf(m) != nil {
						bad.of(t, c, [][]float64{{1, 2, 3}}, []int{1}, method)
					}
					c = byValue(c)
				}
				accept.of(t, c, XOR.X, XOR.Y, method)
				if snapshot(c) != snapshot(trained) {
					t.Fatalf("%s, %s: copy %d is\n%s, want\n%s", name, method, i, snapshot(c), snapshot(trained))
				}
				accept.of(t, c, XOR.X, XOR.Y, resume)
				accept.of(t, c, XOR.X, XOR.Y, resume)
				want{ErrConfig, -1, "bad configuration: the model was copied by value after training…"}.of(t, byValue(c), XOR.X, XOR.Y, resume)
			}
			if !bytes.Equal(must(read.(coder).MarshalBinary())(t), data) {
				t.Fatalf("%s, %s: training copies changed the model that was read", name, method)
			}
		}
	}
	some, read := make([]Online, 5), []Online(nil)
	for i := range some {
		must(some[i].Update(XOR.X[0], 1))(t)
	}
	must(0, json.Unmarshal(must(json.Marshal(some))(t), &read))(t)
	for i := range read {
		must(read[i].Update(XOR.X[1], -1))(t)
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
	Diff(t, "the late class", m.Hyperplanes().Planes[1], Hyperplane{[]float64{1, 2}, 0})
	h := m.Hyperplanes().Planes[0]
	h.Weights[0] = 99
	Diff(t, "the model keeps its weights", m.Hyperplanes().Planes[0].Weights[0] == 99, false)
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
	Diff(t, "a nil Binary", (&OneVsRest{}).Clone().Binary, nil)
	Diff(t, "a nil Binary", (&Multiclass{}).Clone().Binary, nil)
}
