package perceptron

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSignZero: a score of 0 is +1 in prediction, and a mistake in training,
// so that the zero vector learns from its first example, whatever its label.
func TestSignZero(t *testing.T) {
	for _, label := range []int{+1, -1} {
		for _, p := range []binaryModel{new(Online), new(Margin), &Online{Space: Linear}} {
			if updated := must(p.Update([]float64{2}, label))(t); !updated {
				t.Errorf("%T does not learn its first example, labelled %+d", p, label)
			}
		}
		b := &Batch{MaxEpochs: 1}
		if res := must(b.Fit([][]float64{{2}}, []int{label}))(t); res.Mistakes != 1 {
			t.Errorf("Batch does not learn its first example, labelled %+d", label)
		}
	}
	h := Hyperplane{Weights: []float64{1, -1}}
	for _, x := range [][]float64{{3, 3}, {0, 0}, {math.Copysign(0, -1), 0}} {
		if label := must(h.Predict(x))(t); label != +1 {
			t.Errorf("Predict(%v) = %d, want +1", x, label)
		}
	}
	if label := must(h.Predict([]float64{1, 1.5}))(t); label != -1 {
		t.Errorf("Predict of a negative score = %d, want -1", label)
	}
}

// TestRosenblatt is the rule by hand: two updates and a right answer.
func TestRosenblatt(t *testing.T) {
	p := &Online{Rate: 2}
	for _, c := range []struct {
		x       []float64
		y       int
		updated bool
		want    Hyperplane
	}{
		{[]float64{1, 3}, -1, true, Hyperplane{[]float64{-2, -6}, -2}},
		{[]float64{2, 1}, +1, true, Hyperplane{[]float64{2, -4}, 0}},
		{[]float64{1, 0}, +1, false, Hyperplane{[]float64{2, -4}, 0}},
		{[]float64{2, 1}, -1, true, Hyperplane{[]float64{-2, -6}, -2}},
	} {
		if updated := must(p.Update(c.x, c.y))(t); updated != c.updated || !samePlane(p.Hyperplane(), c.want) {
			t.Fatalf("Update(%v, %d) = %v, %v; want %v, %v", c.x, c.y, updated, p.Hyperplane(), c.updated, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	h := Hyperplane{Weights: []float64{3, 4}, Bias: -5}
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3, 4}, 4}, {[]float64{0, 0}, -1}, {[]float64{3, -1}, 0}} {
		if got := must(h.Distance(c.x))(t); got != c.want {
			t.Errorf("Distance(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

// TestDistanceExtreme: where ‖w‖, or its square, leaves float64's range.
func TestDistanceExtreme(t *testing.T) {
	top := math.MaxFloat64
	long := Hyperplane{Weights: slices.Repeat([]float64{0.99 * 0x1p-460}, 9), Bias: 0x1p564}
	if d, want := must(long.Distance(make([]float64, 9)))(t), 0x1p1023/(0.99*3)*2; math.Abs(d-want) > 1e-15*want {
		t.Errorf("distance %v, want %v", d, want)
	}
	for _, c := range []struct{ w, x, want float64 }{
		{top, 1e-10, 1e-10 / math.Sqrt2}, {1e200, 2, 2 / math.Sqrt2}, {1e-200, 2, 2 / math.Sqrt2}, {5e-324, 2, 2 / math.Sqrt2},
	} {
		h := Hyperplane{Weights: []float64{c.w, c.w}}
		if d := must(h.Distance([]float64{c.x, 0}))(t); math.Abs(d-c.want) > 1e-15*c.want {
			t.Errorf("w = %v: distance %v, want %v", c.w, d, c.want)
		}
	}
}

// TestNames: every constant's name survives the round trip, in any case.
func TestNames(t *testing.T) {
	checkNames(t, new(Stop), Running, Converged, Cycled, EpochLimit)
	checkNames(t, new(Order), Cyclic, Shuffled, Sampled)
	checkNames(t, new(Keep), Last, Average, Pocket)
	checkNames(t, new(Space), Affine, Linear)
	if got := fmt.Sprint(Converged, Sampled, Average, Linear, Stop(9), Order(3)); got != "Converged Sampled Average Linear Stop(9) Order(3)" {
		t.Error(got)
	}
}

type named interface {
	comparable
	MarshalText() ([]byte, error)
}

func checkNames[E named](t *testing.T, zero interface{ UnmarshalText([]byte) error }, constants ...E) {
	t.Helper()
	for _, c := range constants {
		text := must(c.MarshalText())(t)
		if err := zero.UnmarshalText(text); err != nil || *any(zero).(*E) != c || string(text) != fmt.Sprint(c) {
			t.Errorf("%s: %v, %v", text, zero, err)
		}
		lower := slices.Clone(text)
		for i := range lower {
			lower[i] |= 0x20
		}
		if err := zero.UnmarshalText(lower); err != nil || *any(zero).(*E) != c {
			t.Errorf("%s: %v, %v", lower, zero, err)
		}
	}
}

func TestAccuracyConfusion(t *testing.T) {
	h := Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{1}, {2}, {-1}, {-2}, {3}, {-3}}, []int{+1, -1, -1, 5, +1, +1}
	if a := must(Accuracy(h, X, y))(t); a != 0.5 {
		t.Errorf("Accuracy = %v, want 0.5", a)
	}
	classes, counts, err := Confusion(h, X, y)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{-1, +1, 5}, classes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int{{1, 1, 0}, {1, 2, 0}, {1, 0, 0}}, counts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{+1, -1, -1, 5, +1, +1}, y); diff != "" {
		t.Errorf("Confusion changed the labels: %s", diff)
	}
}

// TestUntouched: nothing that is passed in is changed or kept.
func TestUntouched(t *testing.T) {
	for name, b := range binaries(3, 5) {
		start := b.start().clone()
		set, want := noisy(1, 40, 3), noisy(1, 40, 3)
		m := &OneVsRest{Binary: b}
		must(b.Fit(set.X, set.y))(t)
		must(m.Fit(set.X, set.y))(t)
		if diff := cmp.Diff(want.X, set.X) + cmp.Diff(want.y, set.y); diff != "" {
			t.Fatalf("%s changed its input: %s", name, diff)
		}
		if !samePlane(start, b.start()) {
			t.Fatalf("%s changed Start", name)
		}
		before := must(m.Scores(nil, want.X[0]))(t)
		for i := range set.X {
			clear(set.X[i])
			set.y[i] = 77
		}
		if diff := cmp.Diff(before, must(m.Scores(nil, want.X[0]))(t)); diff != "" {
			t.Fatalf("%s kept its input: %s", name, diff)
		}
	}
}

// TestStartCopied: changing Start's array after training began changes nothing,
// also for a class that comes late.
func TestStartCopied(t *testing.T) {
	start := Hyperplane{Weights: []float64{1, 2}}
	m := &OneVsRest{Binary: &Online{Start: start, Space: Linear}}
	must(m.Update([]float64{-1, -1}, 1))(t)
	start.Weights[0] = 50
	must(m.Update([]float64{1, 1}, 2))(t)
	if got, want := m.Hyperplanes()[1], (Hyperplane{[]float64{1, 2}, 0}); !samePlane(got, want) {
		t.Fatalf("the late class began elsewhere: %v, want %v", got, want)
	}
	h := m.Hyperplanes()[0]
	h.Weights[0] = 99
	if m.Hyperplanes()[0].Weights[0] == 99 {
		t.Fatal("Hyperplanes returned the model's own weights")
	}
}

// TestClone: a clone and its origin train independently, and alike.
func TestClone(t *testing.T) {
	set, more := multi(1, 40, 3, 3), multi(2, 40, 3, 3)
	for name, b := range onlineGrid(3, 3) {
		m := &OneVsRest{Binary: b}
		must(m.Fit(set.X, set.y))(t)
		c := m.Clone()
		before := m.Hyperplanes()
		must(c.Learn(stream(more)))(t)
		if diff := cmp.Diff(before, m.Hyperplanes()); diff != "" {
			t.Fatalf("%s: training the clone changed the model: %s", name, diff)
		}
		must(m.Learn(stream(more)))(t)
		if diff := cmp.Diff(c.Hyperplanes(), m.Hyperplanes()); diff != "" {
			t.Fatalf("%s: the clone learned otherwise: %s", name, diff)
		}
	}
	p := &Online{Start: Hyperplane{Weights: []float64{1}}}
	if q := p.Clone(); q.now != nil || &q.Start.Weights[0] == &p.Start.Weights[0] {
		t.Error("the clone of an untrained model shares Start or has learned")
	}
	q := (&OneVsRest{Binary: p, Workers: 3}).Clone()
	if q.Binary == Model(p) || q.Binary.(*Online).Start.Weights[0] != 1 || q.Workers != 3 {
		t.Errorf("the clone's Binary: %+v", q)
	}
	if (&OneVsRest{}).Clone().Binary != nil {
		t.Error("nil Binary does not stay nil")
	}
	if b := (&Batch{Rate: 3, Workers: 2}).Clone(); b.Rate != 3 || b.Workers != 2 {
		t.Errorf("the clone's fields: %+v", b)
	}
}

// TestConcurrentReads is for the race detector: reads never write.
func TestConcurrentReads(t *testing.T) {
	set := multi(1, 40, 3, 3)
	for _, keep := range []Keep{Last, Average, Pocket} {
		m := &OneVsRest{Binary: &Margin{Keep: keep}}
		p := &Online{Keep: keep}
		must(m.Fit(set.X, set.y))(t)
		must(p.Learn(stream(dataset{"", set.X, against(set.y, 7)})))(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for _, x := range set.X {
					_, _ = m.Predict(x)
					_, _ = m.Scores(nil, x)
					_, _ = p.Predict(x)
				}
				_, _ = m.Clone(), p.Clone()
				_, _, _ = m.Hyperplanes(), p.Hyperplane(), m.Classes()
				_, _ = Mix([]*Online{p, p}, nil)
			})
		}
		wg.Wait()
	}
}

// TestAllocations: reading and updating allocate nothing.
func TestAllocations(t *testing.T) {
	set := multi(3, 40, 50, 4)
	for name, b := range onlineGrid(50, 2) {
		p := b.fields().(binaryModel)
		m := &OneVsRest{Binary: b}
		must(p.Learn(stream(dataset{"", set.X, against(set.y, 7)})))(t)
		must(m.Learn(stream(set)))(t)
		i, scores := 0, make([]float64, 0, 4)
		for what, f := range map[string]func(){
			"Update":  func() { i++; _, _ = p.Update(set.X[i%40], 1-2*(i/40%2)) },
			"Score":   func() { i++; _, _ = p.Score(set.X[i%40]) },
			"Predict": func() { i++; _, _ = p.Predict(set.X[i%40]) },

			"OneVsRest.Update":  func() { i++; _, _ = m.Update(set.X[i%40], set.y[(i+i/40)%40]) },
			"OneVsRest.Predict": func() { i++; _, _ = m.Predict(set.X[i%40]) },
			"OneVsRest.Scores":  func() { i++; _, _ = m.Scores(scores, set.X[i%40]) },
		} {
			if n := testing.AllocsPerRun(200, f); n != 0 {
				t.Errorf("%s: %s allocates %v times", name, what, n)
			}
		}
	}
	// Not even once, with the second example, after Fit, or with weights whose
	// squares vanish. AllocsPerRun makes one call before it counts.
	for name, b := range onlineGrid(50, 2) {
		p, q := b.fields().(binaryModel), b
		must(q.Fit(set.X, against(set.y, 7)))(t)
		tiny := make([]float64, 50)
		tiny[0] = 1e-140
		for _, m := range []binaryModel{p, q} {
			calls := 0
			n := testing.AllocsPerRun(1, func() {
				if calls++; calls > 1 || m == q {
					_, _ = m.Update(tiny, 1-2*(calls%2))
				} else {
					_, _ = m.Update(set.X[0], 1)
				}
			})
			if n != 0 {
				t.Errorf("%s: an Update allocates %v times", name, n)
			}
		}
	}
	h := Hyperplane{Weights: set.X[0]}
	if n := testing.AllocsPerRun(100, func() { _, _ = h.Predict(set.X[1]) }); n != 0 {
		t.Errorf("Hyperplane.Predict allocates %v times", n)
	}
}

// TestLearnMemory: a pass allocates as much for 10⁵ examples as for 10.
func TestLearnMemory(t *testing.T) {
	set := noisy(1, 10, 20)
	p := &Online{Keep: Average}
	pass := func(times int) float64 {
		return testing.AllocsPerRun(5, func() {
			must(p.Learn(func(yield func([]float64, int) bool) {
				for i := range 10 * times {
					if !yield(set.X[i%10], set.y[i%10]) {
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
