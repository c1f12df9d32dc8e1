package tests_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

// shareSpiral builds rows on which Share makes nearly as many updates as its bound allows.
func shareSpiral(share float64) naive.Set {
	return spiral([3]float64{}, func(w [3]float64) float64 {
		k := math.Round(w[2] / nearGamma) // each row adds nearGamma to w[2]
		return share * (w[0]*w[0] + w[1]*w[1] + w[2]*w[2]) / max(1, k)
	})
}

// TestNearShare: below and above ½ the run comes near the bound, and it reaches its share of the margin.
func TestNearShare(t *testing.T) {
	for _, c := range []struct {
		share, near float64
		updates     int
	}{{1.0 / 3, 0.947, 2843}, {0.6, 0.765, 40428}} {
		set := shareSpiral(c.share) // γ is at least nearGamma, because each row's last feature is
		p := &perceptron.Margin{Space: perceptron.Linear, Share: c.share}
		res := fit(t, set, p)
		nearly(t, "ShareBound", float64(res.Mistakes), perceptron.ShareBound(1, nearGamma, c.share), c.near)
		diff(t, "updates", res.Mistakes, c.updates)
		m := &perceptron.Multiclass{Binary: p} // γ is √2 times the binary one, and √2·R stands for R
		res = fit(t, alternate(set), m)
		nearly(t, "ShareBound of Multiclass", float64(res.Mistakes), perceptron.ShareBound(root2, nearGamma*math.Sqrt2*(1-1e-15), c.share), c.near)
		diff(t, "updates of Multiclass", res.Mistakes, c.updates)
		if got := gammaOf(t, set, p.Hyperplane(), perceptron.Linear); got < c.share*nearGamma {
			t.Errorf("s = %v: margin %v, want at least this share of %v", c.share, got, nearGamma)
		}
	}
}

// TestShareKnown: the bound at values computed by hand, and below 1/2 it is the least of both forms.
func TestShareKnown(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ R, gamma, share, want float64 }{
		{10, 1, 0, 100}, {10, 1, 0.25, 200}, {10, 1, 0.75, 90000}, {6, 2, 0.75, 729}, {1, 1, 1, inf}, {1, 1, 2, inf}, {1, 0, 0.5, inf}, {1, -1, 0.5, inf},
		{1, inf, 0.5, 0}, {inf, 1, 0.5, inf}, {1, 1, inf, inf}, {1, 1, -0.1, nan}, {nan, 1, 0.5, nan}, {1, nan, 0.5, nan}, {1, 1, nan, nan}, {1e200, 1e-200, 0.6, inf},
	} {
		if got := perceptron.ShareBound(c.R, c.gamma, c.share); !naive.Same(got, c.want) {
			t.Errorf("%v: %v", c, got)
		}
	}
	for _, share := range []float64{0.47, 0.5, 0.51, 0.6, 0.9} { // from the formulas, with the precision of math.Pow
		want := inf
		if share < 0.5 {
			want = 1000 / (1 - 2*share)
		}
		for x := share; x < 0.99; x += 1e-4 {
			if x > 0.5 {
				want = min(want, math.Pow(2*x*1000/(2*x-1), 1/(2-2*x)))
			}
		}
		got := perceptron.ShareBound(math.Sqrt(1000), 1, share)
		if got < want*(1-1e-9) || got > 1.02*want {
			t.Errorf("s = %v: %v, want %v", share, got, want)
		}
	}
	if most := 2 * 1000 * (1 + math.Log(1000)); perceptron.ShareBound(math.Sqrt(1000), 1, 0.5) < 1000 || perceptron.ShareBound(math.Sqrt(1000), 1, 0.5) > 3*most {
		t.Errorf("s = 1/2: %v", perceptron.ShareBound(math.Sqrt(1000), 1, 0.5))
	}
}

// TestShareGuarantee: on separable rows of every kind the run ends within its bound, with its share of the best
// margin, in every order and space. Dense rows, sparse rows and a stream give the same end.
func TestShareGuarantee(t *testing.T) {
	r := rand.New(rand.NewPCG(86, 1))
	for i := range share(2000) {
		set := naive.Separable(uint64(i), 3+r.IntN(30), 1+r.IntN(6), 0.3*r.Float64())
		s := perceptron.Space(i % 2)
		sep := must(perceptron.Separate(set.X, set.Y, s))(t)
		if sep.Lower < 0.02*sep.Radius {
			continue // takes too long
		}
		p := perceptron.Margin{Space: s, Share: 0.9 * r.Float64(), Order: perceptron.Order(i % 3), Seed: uint64(i), Rate: math.Ldexp(1, r.IntN(9)-4), MaxEpochs: 1e6}
		m := p.Clone()
		res := fit(t, set, m)
		got := gammaOf(t, set, m.Hyperplane(), s)
		if bound := perceptron.ShareBound(sep.Radius, sep.Lower, p.Share); res.Stop != perceptron.Converged || float64(res.Mistakes) > bound || got < p.Share*sep.Lower*(1-1e-12) {
			t.Fatalf("set %d, s = %v: %+v, bound %v; margin %v of %v", i, p.Share, res, bound, got, sep.Upper)
		}
		if p.Order != perceptron.Cyclic {
			continue
		}
		stream, few := p.Clone(), p.Clone()
		for e := (perceptron.Epoch{Mistakes: 1}); e.Mistakes > 0; {
			e = must(stream.Learn(perceptron.Examples(set.X, set.Y)))(t)
		}
		diff(t, "the stream", stream.Hyperplane(), m.Hyperplane())
		if rows := sparse(set.X); s == perceptron.Linear { // no feature is 0, so the sums have the same order
			must(perceptron.SparseModel{Model: few, Width: len(set.X[0])}.Fit(rows, set.Y))(t)
			diff(t, "sparse rows", few.Hyperplane(), m.Hyperplane())
		}
	}
}

// TestShareRest: each class of OneVsRest, and Multiclass, reach their share.
func TestShareRest(t *testing.T) {
	iris := naive.Iris(t)
	X, y := iris.X[:100], iris.Y[:100] // setosa and versicolor are separable
	rest := &perceptron.OneVsRest{Binary: &perceptron.Margin{Share: 0.7, MaxEpochs: 1e6}}
	res := must(rest.Fit(X, y))(t)
	for c, h := range rest.Hyperplanes().Planes {
		signed := naive.Against(y, c)
		sep := must(perceptron.Separate(X, signed, perceptron.Affine))(t)
		if got := must(perceptron.Gamma(h, X, signed, perceptron.Affine))(t); res.Stop != perceptron.Converged || got < 0.7*sep.Lower {
			t.Errorf("class %d: %+v, margin %v of %v", c, res, got, sep.Upper)
		}
	}
}
