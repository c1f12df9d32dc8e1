package weights

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/vec"
)

// TestPlaces: a vector by places has the products of the window and comes back whole, and from the form
// without zeros, while features come in any order. Its norm has the bits of the whole vector's.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 1))
	for range 300 {
		width := 1 + r.IntN(1<<r.IntN(16))
		s, w := newPlaces(width, false), make([]float64, width+1)
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
				t.Fatalf("width %d: feature %d has place %d", width, j, at)
			}
			w[j] = r.NormFloat64()
			v[s.find(j, false)] = w[j]
		}
		p := s.few(v, s.ordered(), true)
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
		if got, want := vec.Norm(s.lanes(v)), vec.Norm(w); got != want {
			t.Fatalf("width %d: the norm is %v, want %v", width, got, want)
		}
		want := x.Score(w)
		at, lacks := s.locate(nil, &x, false)
		if x.Places = &at; !naive.Same(x.Score(v), want) {
			t.Fatalf("width %d: the score is %v, want %v", width, x.Score(v), want)
		}
		if lacks != slices.ContainsFunc(x.Index, func(j uint32) bool { return s.find(j, false) == 0 }) {
			t.Fatalf("width %d: a feature has no place: %t", width, lacks)
		}
	}
}
