package chart

import (
	"math"
	"strings"
	"testing"

	"perceptron"
)

// TestUpdates: the run equals one that is computed here from the rule.
func TestUpdates(t *testing.T) {
	twice := &Data{Name: "two mistakes on one row", X: [][]float64{{3, 0}, {1, 0}}, Class: []int{1, 0}}
	for _, d := range []*Data{clouds(40, 1.5, 7), xor(), clouds(1, 1, 1), twice} {
		got, all, right, err := updates(d.X, d.labels(), 6)
		if err != nil {
			t.Fatal(err)
		}
		model := perceptron.Online{}
		if res, err := model.Fit(d.X, d.labels()); err != nil || right != (res.Stop == perceptron.Converged) || right && all != res.Mistakes {
			t.Errorf("%s: %d updates, right %v, want %v: %v", d.Name, all, right, res, err)
		}
		w, b, n := []float64{0, 0}, 0.0, 0
		for i := 0; i < 50*len(d.X) && n < 6; i++ {
			row := i % len(d.X)
			x, y := d.X[row], float64(d.labels()[row])
			if y*(w[0]*x[0]+w[1]*x[1]+b) > 0 {
				continue
			}
			w[0], w[1], b = w[0]+y*x[0], w[1]+y*x[1], b+y
			if n >= len(got) || got[n].row != row || !near(got[n].after.Weights[0], w[0]) || !near(got[n].after.Weights[1], w[1]) || !near(got[n].after.Bias, b) {
				t.Fatalf("%s: update %d is not row %d with %v, %v: %v", d.Name, n+1, row, w, b, got)
			}
			n++
		}
		if n != len(got) {
			t.Errorf("%s: %d updates, want %d", d.Name, len(got), n)
		}
	}
}

func TestSeparators(t *testing.T) {
	d := clouds(60, 0.6, 5)
	found, err := separators(d.X, d.labels())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range found {
		want := math.Inf(1)
		for i, x := range d.X {
			score, _ := s.hyperplane.Score(x)
			want = min(want, float64(d.labels()[i])*score/math.Hypot(math.Hypot(s.hyperplane.Weights[0], s.hyperplane.Weights[1]), s.hyperplane.Bias))
		}
		if !near(s.gamma, want) || s.method != []string{"Separate", "Margin", "Online"}[i] {
			t.Errorf("%s has γ %v, want %v", s.method, s.gamma, want)
		}
	}
	if !(found[0].gamma > found[1].gamma && found[1].gamma > found[0].gamma/3 && found[2].gamma > 0) {
		t.Errorf("the margins are %v, %v and %v", found[0].gamma, found[1].gamma, found[2].gamma)
	}
	if n := len(found[0].support); n < 2 || n > 3 || found[1].support != nil {
		t.Errorf("%d rows prove γ in the plane, want 2 or 3", n)
	}
	if _, err := separators(xor().X, xor().labels()); err == nil || !strings.Contains(err.Error(), "separates the classes by a margin of more than 0") {
		t.Errorf("xor: %v", err)
	}
}

func TestProve(t *testing.T) {
	for _, c := range []struct {
		d                *Data
		separable, right bool
	}{
		{clouds(60, 0.6, 5), true, true},
		{clouds(1, 0.6, 5), true, true},
		{clouds(60, 2, 5), false, false},
		{xor(), false, false},
		{&Data{X: [][]float64{{0}, {1e-5}}, Class: []int{0, 1}}, true, false},
	} {
		y := c.d.labels()
		p, err := prove(c.d.X, y)
		if err != nil {
			t.Fatal(err)
		}
		if p.Separable != c.separable || p.right != c.right || !(float64(len(p.mistakes)) <= p.bound) {
			t.Fatalf("separable %v, right %v, %d mistakes of at most %v", p.Separable, p.right, len(p.mistakes), p.bound)
		}
		model := perceptron.Online{MaxEpochs: epochs}
		res, err := model.Fit(c.d.X, y)
		if err != nil {
			t.Fatal(err)
		}
		if c.right != (res.Stop == perceptron.Converged) || res.Epochs*len(c.d.X) >= p.seen && res.Mistakes != len(p.mistakes) {
			t.Errorf("Online has %v and %d mistakes, the picture %d", res.Stop, res.Mistakes, len(p.mistakes))
		}
		if R, err := perceptron.Radius(c.d.X, perceptron.Affine); err != nil || R != p.Radius || !(p.gamma > 0) {
			t.Errorf("R = %v, want %v; γ = %v; %v", p.Radius, R, p.gamma, err)
		}
		if c.separable && p.bound != perceptron.MistakeBound(p.Radius, p.gamma) {
			t.Errorf("the bound is %v, want %v", p.bound, perceptron.MistakeBound(p.Radius, p.gamma))
		}
		if c.right && p.seen != p.mistakes[len(p.mistakes)-1]+len(c.d.X) {
			t.Errorf("%d examples seen, the last mistake on %d, of %d rows", p.seen, p.mistakes[len(p.mistakes)-1], len(c.d.X))
		}
		if !c.separable && (p.seen != epochs*len(c.d.X) || !(p.Upper < 1e-9)) {
			t.Errorf("%d examples seen, and no margin is above %v", p.seen, p.Upper)
		}
	}
}

// TestApproximate: the bound is the one of its γ, with terms for each epoch, and no other
// γ that is tried has a smaller one.
func TestApproximate(t *testing.T) {
	outlier := clouds(400, 0.1, 5)
	outlier.Class[0] = 1 - outlier.Class[0]
	for _, d := range []*Data{clouds(60, 2, 5), xor(), outlier} {
		y := d.labels()
		model := perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 100}
		if _, err := model.Fit(d.X, y); err != nil {
			t.Fatal(err)
		}
		R, err := perceptron.Radius(d.X, perceptron.Affine)
		if err != nil {
			t.Fatal(err)
		}
		p := proof{Separation: perceptron.Separation{Radius: R}}
		if err := p.approximate(d.X, y); err != nil {
			t.Fatal(err)
		}
		bound := func(gamma, epochs float64) float64 {
			D, L, err := perceptron.Deviations(model.Hyperplane(), d.X, y, perceptron.Affine, gamma)
			if err != nil {
				t.Fatal(err)
			}
			return perceptron.InseparableBound(R, gamma, math.Sqrt(epochs)*D, epochs*L)
		}
		if got := bound(p.gamma, 10); got != p.bound {
			t.Errorf("the bound is %v, want %v", p.bound, got)
		}
		for _, f := range []float64{0.25, 0.5, 2, 4} {
			if bound(f*p.gamma, 10) < 0.999*p.bound {
				t.Errorf("γ = %v gives %v, less than %v", f*p.gamma, bound(f*p.gamma, 10), p.bound)
			}
		}
	}
}
