package perceptron

import "testing"

func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := mushroom(t)
	R := must(Radius(set.X, Affine))(t)
	if len(set.X) != 6513 || R < 4.795831 || R > 4.795832 {
		t.Fatalf("%d rows, R = %v", len(set.X), R)
	}
	p := new(Online)
	res := must(p.Fit(set.X, set.y))(t)
	if res.Mistakes != 139 || res.Epochs != 15 || res.Stop != Converged || res.Upper < gamma {
		t.Errorf("Online: %+v, want 139 mistakes in 15 epochs, Converged", res)
	}
	slow := &Online{Rate: 0.1}
	if res := must(slow.Fit(set.X, set.y))(t); float64(res.Mistakes) > MistakeBound(R, gamma) || res.Stop != Converged {
		t.Errorf("Online with η = 0.1: %+v, want at most %v mistakes", res, MistakeBound(R, gamma))
	}
	for seed := range uint64(10) {
		for _, order := range []Order{Cyclic, Shuffled, Sampled} {
			m := &Margin{Order: order, Seed: seed}
			res := must(m.Fit(set.X, set.y))(t)
			achieved := must(Gamma(m.Hyperplane(), set.X, set.y, Affine))(t)
			if bound := 3 * MistakeBound(R, gamma); float64(res.Mistakes) > bound || achieved < gamma/3 || res.Upper < gamma {
				t.Errorf("Margin, %v: %+v of at most %v, margin %v", order, res, bound, achieved)
			}
			if seed == 0 {
				t.Logf("Margin, %v: %d updates of at most %.0f, %.2f of the margin", order, res.Mistakes, 3*MistakeBound(R, gamma), achieved/gamma)
			}
		}
	}
}

// TestDigits: averaging is worth three points on MNIST's last 2,000 test digits.
func TestDigits(t *testing.T) {
	set := digits(t)
	for _, keep := range []Keep{Last, Average} {
		m := &OneVsRest{Binary: &Online{Order: Shuffled, Keep: keep, MaxEpochs: 5}}
		must(m.Fit(set.X[:8000], set.y[:8000]))(t)
		accuracy := must(Accuracy(m, set.X[8000:], set.y[8000:]))(t)
		t.Logf("%v: %.4f", keep, accuracy)
		if keep == Average && accuracy < 0.925 {
			t.Errorf("accuracy %v with Average, want at least .925", accuracy)
		}
	}
}
