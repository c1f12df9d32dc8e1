package perceptron_test

import (
	"testing"

	"perceptron"
)

func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := perceptron.Mushroom(t)
	R := must(perceptron.Radius(set.X, perceptron.Affine))(t)
	if len(set.X) != 6513 || R < 4.795831 || R > 4.795832 {
		t.Fatalf("%d rows, R = %v", len(set.X), R)
	}
	p := new(perceptron.Online)
	res := must(p.Fit(set.X, set.Y))(t)
	if res.Mistakes != 139 || res.Epochs != 15 || res.Stop != perceptron.Converged || res.Upper < gamma {
		t.Errorf("Online: %+v, want 139 mistakes in 15 epochs, Converged", res)
	}
	bound := perceptron.MistakeBound(R, gamma)
	slow := &perceptron.Online{Rate: 0.1}
	if res := must(slow.Fit(set.X, set.Y))(t); float64(res.Mistakes) > bound || res.Stop != perceptron.Converged {
		t.Errorf("Online with η = 0.1: %+v, want at most %v mistakes", res, bound)
	}
	for seed := range uint64(10) {
		for _, order := range []perceptron.Order{perceptron.Cyclic, perceptron.Shuffled, perceptron.Sampled} {
			m := &perceptron.Margin{Order: order, Seed: seed}
			res := must(m.Fit(set.X, set.Y))(t)
			achieved := must(perceptron.Gamma(m.Hyperplane(), set.X, set.Y, perceptron.Affine))(t)
			if float64(res.Mistakes) > 3*bound || achieved < gamma/3 || res.Upper < gamma {
				t.Errorf("Margin, %v: %+v of at most %v, margin %v", order, res, 3*bound, achieved)
			}
			if seed == 0 {
				t.Logf("Margin, %v: %d updates of at most %.0f, %.2f of the margin", order, res.Mistakes, 3*bound, achieved/gamma)
			}
		}
	}
}

// TestDigits: averaging gains three percentage points on MNIST's last 2,000 test
// digits.
func TestDigits(t *testing.T) {
	set := perceptron.Digits(t)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		m := &perceptron.OneVsRest{Binary: &perceptron.Online{Order: perceptron.Shuffled, Keep: keep, MaxEpochs: 5}}
		must(m.Fit(set.X[:8000], set.Y[:8000]))(t)
		accuracy := must(perceptron.Accuracy(m, set.X[8000:], set.Y[8000:]))(t)
		t.Logf("%v: %.4f", keep, accuracy)
		if keep == perceptron.Average && accuracy < 0.925 {
			t.Errorf("accuracy %v with Average, want at least .925", accuracy)
		}
	}
}
