package perceptron

import (
	"fmt"
	"slices"
	"testing"

	"perceptron/internal/train"
)

// A history is an averaged Multiclass beside a plain one, whose iterates it adds up. On
// integers and shares that are powers of two every sum is exact. So a mean is the exact
// rational, rounded once.
type history struct {
	mean, plain *Multiclass
	sums        map[int][]float64 // of the iterates (w, b), for each class
	n           float64           // examples seen
}

func newHistory(b, plain Model) *history {
	return &history{&Multiclass{Binary: AsBinary(b)}, &Multiclass{Binary: AsBinary(plain)}, map[int][]float64{}, 0}
}

// iterates returns the plain model's (w, b) for each class.
func (h *history) iterates() map[int][]float64 {
	all := map[int][]float64{}
	for i, p := range h.plain.Hyperplanes().Planes {
		all[h.plain.Classes()[i]] = append(p.Weights, p.Bias)
	}
	return all
}

// see shows the plain model an example, and adds its iterates. A class that has not
// arrived adds 0.
func (h *history) see(t *testing.T, x []float64, y int) {
	t.Helper()
	must(h.plain.Update(x, y))(t)
	h.n++
	for class, w := range h.iterates() {
		if h.sums[class] == nil {
			h.sums[class] = make([]float64, len(w))
		}
		for j, v := range w {
			h.sums[class][j] += v
		}
	}
}

// check fails unless the hyperplanes are the means of the iterates, over all examples.
func (h *history) check(t *testing.T, when string) {
	t.Helper()
	if got, want := h.mean.Classes(), h.plain.Classes(); !slices.Equal(got, want) {
		t.Fatalf("%s: classes %v, want %v", when, got, want)
	}
	for i, p := range h.mean.Hyperplanes().Planes {
		sums := h.sums[h.mean.Classes()[i]]
		for j, v := range append(p.Weights, p.Bias) {
			if want := sums[j] / h.n; v != want {
				t.Fatalf("%s: class %d: mean %d is %v, want %v = %v/%v", when, h.mean.Classes()[i], j, v, want, sums[j], h.n)
			}
		}
	}
}

// clone returns an independent copy.
func (h *history) clone() *history {
	sums := map[int][]float64{}
	for class, sum := range h.sums {
		sums[class] = slices.Clone(sum)
	}
	return &history{h.mean.Clone(), h.plain.Clone(), sums, h.n}
}

// mixHistories mixes with the shares 1/4 and 3/4: the sums and counts too.
func mixHistories(t *testing.T, a, b *history) *history {
	t.Helper()
	shares := []float64{1, 3}
	mixed := &history{sums: map[int][]float64{}, n: (a.n + 3*b.n) / 4}
	mixed.mean = must(Mix([]*Multiclass{a.mean, b.mean}, shares))(t)
	mixed.plain = must(Mix([]*Multiclass{a.plain, b.plain}, shares))(t)
	for class, sum := range a.sums {
		for j, v := range sum {
			mixed.sums[class] = append(mixed.sums[class], (v+3*b.sums[class][j])/4)
		}
	}
	return mixed
}

// TestMulticlassAverage: Average is the mean over all examples seen, also of a class that
// arrived late: before, it stood at 0. This holds through Update, Learn, Epochs and Mix.
func TestMulticlassAverage(t *testing.T) {
	for seed := range uint64(12) {
		space := Space(seed % 2)
		h := newHistory(&Online{Keep: Average, Space: space, Rate: 2}, &Online{Space: space, Rate: 2})
		if seed%4 > 1 {
			h = newHistory(&Margin{Keep: Average, Space: space}, &Margin{Space: space})
		}
		set := whole(seed, 60, 3)
		for i := range set.y { // classes arrive at 0, 3, 20, 35 and 50
			set.y[i] = []int{5, 9, 2, 7, 0}[(i*i)%(1+min(i, 3)/3+i/20+(i+5)/40+i/50)]
		}
		set.y[20], set.y[35], set.y[50] = 2, 7, 0
		for i, x := range set.X[:18] {
			must(h.mean.Update(x, set.y[i]))(t)
			h.see(t, x, set.y[i])
			h.check(t, fmt.Sprintf("Update %d", i))
		}
		h.learn(t, set, 18, 30)
		h.epochs(t, set, 22, 40)
		a, b := h.clone(), h.clone()
		a.learn(t, set, 0, 17)
		b.learn(t, set, 3, 40)
		mixed := mixHistories(t, a, b)
		mixed.check(t, "Mix")
		mixed.learn(t, set, 39, 60)
		h.check(t, "the clones are independent")
	}
}

// learn makes a pass over the rows lo, …, hi−1.
func (h *history) learn(t *testing.T, set dataset, lo, hi int) {
	t.Helper()
	must(h.mean.Learn(pairs(set.X[lo:hi], set.y[lo:hi])))(t)
	for i := lo; i < hi; i++ {
		h.see(t, set.X[i], set.y[i])
	}
	h.check(t, "Learn")
}

// admit adds a class that stands at 0, if it is new.
func admit(t *testing.T, m *Multiclass, label int) {
	i, found := slices.BinarySearch(m.Classes(), label)
	if found {
		return
	}
	edit(t, m, func(s *train.State) {
		h := s.Hyperplanes[0]
		h.Class, h.Weights, h.Bias = label, make([]float64, s.Width), 0
		s.Hyperplanes = slices.Insert(s.Hyperplanes, i, h)
	})
}

// epochs makes two epochs. A range knows all its classes from its start.
func (h *history) epochs(t *testing.T, set dataset, lo, hi int) {
	t.Helper()
	for _, label := range set.y[lo:hi] {
		admit(t, h.plain, label)
		if h.sums[label] == nil {
			h.sums[label] = make([]float64, len(set.X[0])+1)
		}
	}
	for e := range must2(t, h.mean.Epochs(set.X[lo:hi], set.y[lo:hi])) {
		for i := lo; i < hi; i++ {
			h.see(t, set.X[i], set.y[i])
		}
		if h.check(t, "Epochs"); e.N%2 == 0 {
			break
		}
	}
}

// rightRows counts the rows whose class scores above all others.
func rightRows(t *testing.T, m *Multiclass, set dataset) (right int) {
	t.Helper()
	for i, x := range set.X {
		scores, own := must(m.Scores(nil, x))(t), slices.Index(m.Classes(), set.y[i])
		if r, _ := lowestBest(scores, own); scores[own] > scores[r] {
			right++
		}
	}
	return right
}

// TestMulticlassPocket: the pocket counts the rows whose class scores above all others.
// The count never falls over the epochs, and later rows and classes are counted anew.
func TestMulticlassPocket(t *testing.T) {
	better := 0
	for seed := range uint64(10) {
		k := 3 + int(seed%3)
		set := multi(seed, 40, 2, k)
		if seed%2 == 0 {
			set = whole(seed, 40, 2)
			for i := range set.y {
				set.y[i] = i * i % k
			}
		}
		for _, b := range []Model{&Online{Keep: Pocket}, &Online{Keep: Pocket, Order: Shuffled}, &Margin{Keep: Pocket, Order: Sampled, Threshold: 2}} {
			m := &Multiclass{Binary: AsBinary(b)}
			for _, rows := range []dataset{{"", set.X[:20], set.y[:20]}, set} {
				epochs, last := 0, 0
				for e := range must2(t, m.Epochs(rows.X, rows.y)) {
					right := rightRows(t, m, rows)
					if p := stateOf(m).Hyperplanes[0].Pocket; int(p.Beat) != right || right < last || e.Stop == Converged && right < len(rows.X) {
						t.Fatalf("epoch %d: the pocket counts %d rows, want %d; before %d, %+v", epochs, p.Beat, right, last, e)
					}
					iterate := m.Clone()
					edit(t, iterate, func(s *train.State) {
						for i, h := range s.Hyperplanes {
							d := s.Width
							s.Hyperplanes[i].Weights, s.Hyperplanes[i].Bias = h.Pocket.Iterate[:d], h.Pocket.Iterate[d]
						}
					})
					if rightRows(t, iterate, rows) < right {
						better++
					}
					if last, epochs = right, epochs+1; epochs == 15 {
						break
					}
				}
			}
		}
	}
	if better < 200 {
		t.Errorf("the pocket is better than the iterate after %d epochs", better)
	}
}
