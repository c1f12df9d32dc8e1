package train

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestSlots: a vector with slots has the products of the vector without, and comes back from the form
// without zeros, while features come in any order.
func TestSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 1))
	for range 300 {
		width := 1 + r.IntN(1<<r.IntN(16))
		s, w := newSlots(width, false), make([]float64, width+1)
		w[width] = r.NormFloat64()
		v := s.widen(make([]float64, 1))
		v[len(v)-1] = w[width]
		for range r.IntN(200) {
			j := uint32(r.IntN(width))
			room := s.room
			if s.find(j, true); s.room != room {
				v = s.widen(v)
			}
			if at := s.find(j, false); at == 0 || int(at) >= s.used {
				t.Fatalf("width %d: feature %d has slot %d", width, j, at)
			}
			w[j] = r.NormFloat64()
			v[s.find(j, false)] = w[j]
		}
		p := few(v, s.ordered(), width+1)
		for what, got := range map[string][]float64{
			"dense": s.dense(v), "few": p.Dense(), "vector": s.dense(s.vector(p)),
		} {
			if !slices.Equal(got, w) {
				t.Fatalf("width %d: %s gives %v, want %v", width, what, got, w)
			}
		}
		x := vec.Row{Width: width}
		for j := range width {
			if r.IntN(1+width/50) == 0 {
				x.Index, x.Value = append(x.Index, uint32(j)), append(x.Value, r.NormFloat64())
			}
		}
		want := x.Score(w)
		if s.place(new([]uint32), &x, false); !naive.Same(x.Score(v), want) {
			t.Fatalf("width %d: the score is %v, want %v", width, x.Score(v), want)
		}
	}
}

// TestSlotsGivenUp: a state has slots as long as they pay, and a reader finds none in a file of
// features that would not.
func TestSlotsGivenUp(t *testing.T) {
	row := func(first, n, step int) vec.Row {
		x := vec.Row{Width: LeastSlots}
		for k := range n {
			x.Index, x.Value = append(x.Index, uint32(first+k*step)), append(x.Value, 1)
		}
		return x
	}
	m := newModel(Config{Rest: true})
	update := func(x vec.Row, label int) { must(m.Engine.Update(&m.Config, &m.Start, &x, label))(t) }
	update(row(0, 900, 1), 3)
	for n := range 3 {
		update(row(1000*(n+1), 900, 1), n)
		if r := must(restored(t, m, func(*State) {}))(t); m.now.slots == nil || r.now.slots == nil {
			t.Fatalf("no slots after %d rows", n+2)
		}
	}
	update(row(0, LeastSlots/3, 2), 4)
	if m.now.slots != nil || len(m.now.planes[0].w) != LeastSlots+1 {
		t.Error("there are slots for a third of the features")
	}
	for _, c := range []struct {
		width int
		start []float64
		rule  *Rule
		want  bool
	}{
		{LeastSlots, nil, OnMistake, true},
		{LeastSlots - 1, nil, OnMistake, false},
		{LeastSlots, make([]float64, LeastSlots), OnMistake, false},
		{LeastSlots, nil, WithinGamma, false},
	} {
		m := newModel(Config{Rule: c.rule})
		m.Start.Weights = c.start
		x := row(0, 10, 7)
		x.Width = c.width
		if must(m.Engine.Update(&m.Config, &m.Start, &x, -1))(t); (m.now.slots != nil) != c.want {
			t.Errorf("width %d, %v: slots: %t, want %t", c.width, c.rule, m.now.slots != nil, c.want)
		}
	}
}
