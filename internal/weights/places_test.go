package weights

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perceptron/internal/naive"
	"perceptron/internal/saved"
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
		p := s.nonZeros(v, s.ordered(), true)
		for what, got := range map[string][]float64{
			"dense": s.dense(v), "nonZeros": p.Dense(), "vector": s.dense(s.vector(p)),
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
		if got, want := vec.Norm(s.forNorm(v)), vec.Norm(w); got != want {
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

// TestPlacesGivenUp: vectors are held by places as long as these save memory, and a file of features that
// would not gets none. Whole vectors have the same elements.
func TestPlacesGivenUp(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 2))
	for keep := range KeepNames {
		p, w := trained(t, Keep(keep), LeastPlaced, 5), make([]float64, LeastPlaced+1)
		if p.places == nil {
			t.Fatal("there are no places")
		}
		forms := p.Save()
		loaded := New(p.Shape)
		if err := loaded.BeginLoad(LeastPlaced, true, false, len(forms), func(i int) Form { return forms[i] }); err != nil || loaded.places == nil {
			t.Errorf("a loaded model has no places; error %v", err)
		}
		before := slices.Clone(p.Predictor(3))
		for n := 0; p.places != nil && n < 1000; n++ {
			x := vec.Row{Index: []uint32{}, Width: LeastPlaced}
			for j := range uint32(200) {
				x.Index, x.Value = append(x.Index, uint32(200*n)+j), append(x.Value, r.NormFloat64())
			}
			for k, j := range x.Index {
				w[j] += x.Value[k]
			}
			w[LeastPlaced]++
			learnRow(t, p, 3, x, 1)
		}
		if p.places != nil || len(p.all[3].w) != LeastPlaced+1 {
			t.Errorf("keep %d: there are places for many features", keep)
		}
		if keep == int(Last) {
			for j := range w {
				if got, want := p.Predictor(3)[j], before[j]+w[j]; got != want {
					t.Fatalf("element %d is %v, want %v", j, got, want)
				}
			}
		}
	}
	for _, c := range []struct {
		shape  Shape
		width  int
		placed bool
		want   bool
	}{{Shape{}, LeastPlaced, true, true}, {Shape{}, LeastPlaced - 1, true, false}, {Shape{}, LeastPlaced, false, false}, {Shape{Norms: true}, LeastPlaced, true, false}} {
		p := New(c.shape)
		if p.SetWidth(c.width, c.placed, true); (p.places != nil) != c.want {
			t.Errorf("%+v: places: %t", c, p.places != nil)
		}
	}
}

// TestMixPlaced: the mean of models has the bits of the mean of the same models with whole vectors, and is
// held by places if all models are.
func TestMixPlaced(t *testing.T) {
	mu := []float64{0.5, 0.2, 0.3}
	for _, keep := range []Keep{Last, Average} {
		r := rand.New(rand.NewPCG(67, 3))
		var placed, whole []*Planes
		for range mu {
			p := trained(t, keep, LeastPlaced, 3)
			for range 20 {
				learnRow(t, p, r.IntN(3), randomRow(r, LeastPlaced, 9), r.NormFloat64())
			}
			q := p.Clone()
			q.spread()
			placed, whole = append(placed, p), append(whole, &q)
		}
		want, _ := Mix(whole, mu)
		for i := range len(placed) + 1 { // the first i models have whole vectors
			models := slices.Concat(whole[:i], placed[i:])
			got, finite := Mix(models, mu)
			if !finite || (got.places != nil) != (i == 0) {
				t.Errorf("keep %d, %d whole models: places: %t", keep, i, got.places != nil)
			}
			for k := range 3 {
				if got.Seen(k) != want.Seen(k) || !slices.Equal(got.Predictor(k), want.Predictor(k)) {
					t.Errorf("keep %d, %d whole models: plane %d differs", keep, i, k)
				}
			}
		}
	}
}

// TestSameGrown: an iterate equals its copy after the vectors have become longer, as long as no weight and
// no bias has changed.
func TestSameGrown(t *testing.T) {
	p := trained(t, Last, LeastPlaced, 2)
	was := p.Copy(nil, 0)
	if !p.Same(was, 0) || p.Same(was, 1) || p.Same(nil, 0) {
		t.Error("the copy is that of plane 0 alone")
	}
	var v RowPlaces
	X := []vec.Sparse{{}}
	for j := range uint32(300) {
		X[0].Index, X[0].Value = append(X[0].Index, 7*j), append(X[0].Value, 1)
	}
	if p.LocateAll(&v, X, 300, true); len(p.all[0].w) == len(was) {
		t.Fatal("the vectors are not longer")
	}
	if !p.Same(was, 0) {
		t.Error("a longer vector differs from its copy")
	}
	w := p.all[0].w
	for _, j := range []int{3, len(was), len(w) - 1} { // an old weight, a new one, and the bias
		w[j]++
		if p.Same(was, 0) {
			t.Errorf("element %d has changed, and the vector equals its copy", j)
		}
		w[j]--
	}
}

// TestSaveLarge: if so many vectors without their zeros could not be loaded, Save writes whole ones.
func TestSaveLarge(t *testing.T) {
	defer func(most uint64) { saved.MostZeros = most }(saved.MostZeros)
	p := trained(t, Average, 1<<17, 3)
	for most, whole := range map[uint64]bool{saved.MostZeros: false, 1: true} {
		saved.MostZeros = most
		for _, q := range []*Planes{p, p.whole()} {
			for _, f := range q.Save() {
				for _, v := range f.Vectors() {
					if (v.Index == nil) != whole {
						t.Errorf("with at most %d zeros, a vector of %d has %d values", most, v.N, len(v.Value))
					}
				}
			}
		}
	}
}
