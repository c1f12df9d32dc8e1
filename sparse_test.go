package perceptron_test

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
)

// TestSparseBits: sparse rows give the same bits as dense ones, in every model and in any mixture of calls.
func TestSparseBits(t *testing.T) {
	cases := 4000
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), 77))
		if err := compareSparse(r); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func dense(x perceptron.Sparse, d int) []float64 {
	v := make([]float64, d)
	for k, j := range x.Index {
		v[j] = x.Value[k]
	}
	return v
}

type sparseLearner interface {
	perceptron.Model
	MarshalBinary() ([]byte, error)
	Update(x []float64, y int) (bool, error)
}

func compareSparse(r *rand.Rand) error {
	d, n, K := 1+r.IntN(100), 1+r.IntN(40), 2+r.IntN(4)
	kind := r.IntN(5)
	values := func() float64 {
		switch kind {
		case 0:
			return 1
		case 1:
			return float64(r.IntN(9) - 4)
		case 2:
			return r.NormFloat64() * math.Ldexp(1, r.IntN(40)-20)
		case 3:
			return float64(float32(r.NormFloat64()))
		}
		return r.NormFloat64()
	}
	density := r.Float64() * r.Float64()
	X, D, y := make([]perceptron.Sparse, n), make([][]float64, n), make([]int, n)
	many := r.IntN(2) == 0
	for i := range X {
		for j := range d {
			if r.Float64() < density {
				v := values()
				if r.IntN(20) == 0 {
					v = math.Copysign(0, v)
				}
				X[i].Index, X[i].Value = append(X[i].Index, uint32(j)), append(X[i].Value, v)
			}
		}
		D[i] = dense(X[i], d)
		if y[i] = 2*r.IntN(2) - 1; many {
			y[i] = r.IntN(K) * 3
		}
	}
	if many {
		y[0] = 0
		if n > 1 {
			y[1] = 3
		}
	}
	space, order, keep := perceptron.Space(r.IntN(2)), perceptron.Order(r.IntN(3)), perceptron.Keep(r.IntN(3))
	rate, epochs, seed := []float64{0, 0.1, 2}[r.IntN(3)], 1+r.IntN(12), r.Uint64()
	rule, which, workers := r.IntN(4), r.IntN(2), 1+r.IntN(2)
	var start perceptron.Hyperplane
	if r.IntN(3) == 0 && !(many && which == 1) {
		for range d {
			start.Weights = append(start.Weights, r.NormFloat64())
			if r.IntN(4) == 0 {
				start.Weights[len(start.Weights)-1] = math.Copysign(0, -1)
			}
		}
	}
	makeModel := func() sparseLearner {
		var b perceptron.Model
		switch rule {
		case 0:
			b = &perceptron.Online{Rate: rate, Space: space, Order: order, Keep: keep, MaxEpochs: epochs, Seed: seed, Start: start}
		default:
			m := &perceptron.Margin{Rate: rate, Space: space, Order: order, Keep: keep, MaxEpochs: epochs, Seed: seed, Start: start}
			switch rule {
			case 1:
				m.Gamma = 0.1
			case 2:
				m.Threshold = 0.5
			}
			b = m
		}
		switch {
		case !many:
			return b.(sparseLearner)
		case which == 0:
			return &perceptron.OneVsRest{Binary: b, Workers: workers}
		}
		return &perceptron.Multiclass{Binary: b}
	}
	a, b := makeModel(), makeModel()
	s := perceptron.SparseModel{Model: a, Width: d}
	same := func(what string, ea, eb error) error {
		if fmt.Sprint(ea) != fmt.Sprint(eb) {
			return fmt.Errorf("%s: errors %v and %v", what, ea, eb)
		}
		p, _ := a.MarshalBinary()
		q, _ := b.MarshalBinary()
		if !bytes.Equal(p, q) {
			ja, _ := a.(interface{ MarshalJSON() ([]byte, error) }).MarshalJSON()
			jb, _ := b.(interface{ MarshalJSON() ([]byte, error) }).MarshalJSON()
			return fmt.Errorf("%s: states differ:\n%.3000s\n%.3000s", what, ja, jb)
		}
		return nil
	}
	for range 1 + r.IntN(5) {
		var ea, eb error
		var va, vb any
		what := ""
		switch r.IntN(6) {
		case 0:
			what = "Fit"
			va, ea = s.Fit(X, y)
			vb, eb = b.Fit(D, y)
		case 1:
			what = "Epochs"
			stop := 1 + r.IntN(epochs)
			var la, lb []perceptron.Epoch
			for e, err := range s.Epochs(X, y) {
				la, ea = append(la, e), err
				if len(la) == stop {
					break
				}
			}
			for e, err := range b.(interface {
				Epochs([][]float64, []int) iter.Seq2[perceptron.Epoch, error]
			}).Epochs(D, y) {
				lb, eb = append(lb, e), err
				if len(lb) == stop {
					break
				}
			}
			va, vb = la, lb
		case 2:
			what = "Learn"
			va, ea = s.Learn(func(yield func(perceptron.Sparse, int) bool) {
				for i, x := range X {
					if !yield(x, y[i]) {
						return
					}
				}
			})
			vb, eb = learnDense(b, D, y)
		case 3: // both dense
			what = "dense Learn"
			va, ea = learnDense(a, D, y)
			vb, eb = learnDense(b, D, y)
		default:
			what = "Update"
			for range 1 + r.IntN(60) {
				i := r.IntN(n)
				var ua, ub bool
				if r.IntN(8) == 0 {
					ua, ea = a.Update(D[i], y[i])
				} else {
					ua, ea = s.Update(X[i], y[i])
				}
				ub, eb = b.Update(D[i], y[i])
				if ua != ub || ea != nil || eb != nil {
					return fmt.Errorf("update %v %v %v %v", ua, ub, ea, eb)
				}
				if r.IntN(9) == 0 {
					pa, _ := s.Predict(X[i])
					pb, _ := b.Predict(D[i])
					if pa != pb {
						return fmt.Errorf("predictions %v %v", pa, pb)
					}
				}
			}
		}
		if fmt.Sprint(va) != fmt.Sprint(vb) {
			return fmt.Errorf("%s: %v, dense %v", what, va, vb)
		}
		if err := same(what, ea, eb); err != nil {
			return err
		}
		for i, x := range X {
			pa, ea := s.Predict(x)
			pb, eb := b.Predict(D[i])
			if pa != pb || fmt.Sprint(ea) != fmt.Sprint(eb) {
				return fmt.Errorf("Predict %v %v, dense %v %v", pa, ea, pb, eb)
			}
		}
	}
	return nil
}

func learnDense(b sparseLearner, D [][]float64, y []int) (perceptron.Epoch, error) {
	switch b := b.(type) {
	case *perceptron.Online:
		return b.Learn(perceptron.Examples(D, y))
	case *perceptron.Margin:
		return b.Learn(perceptron.Examples(D, y))
	case *perceptron.OneVsRest:
		return b.Learn(perceptron.Examples(D, y))
	case *perceptron.Multiclass:
		return b.Learn(perceptron.Examples(D, y))
	}
	panic(b)
}
