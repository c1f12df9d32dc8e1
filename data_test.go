package perceptron_test

import (
	"iter"
	"math"
	"testing"

	"perceptron"
	"perceptron/internal/naive"
)

func TestMushroom(t *testing.T) {
	const gamma = 0.2747548378 // of the data, Affine
	set := perceptron.Mushroom(t)
	R := must(perceptron.Radius(set.X, perceptron.Affine))(t)
	if len(set.X) != 6513 || R < 4.795831 || R > 4.795832 {
		t.Fatalf("%d rows, R = %v", len(set.X), R)
	}
	res := fit(t, set, new(perceptron.Online))
	if res.Mistakes != 139 || res.Epochs != 15 || res.Stop != perceptron.Converged || res.Upper < gamma {
		t.Errorf("Online: %+v, want 139 mistakes in 15 epochs, Converged", res)
	}
	bound := perceptron.MistakeBound(R, gamma)
	if res := fit(t, set, &perceptron.Online{Rate: 0.1}); float64(res.Mistakes) > bound || res.Stop != perceptron.Converged {
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

// TestDigits: averaging gains three percentage points on MNIST's last 2,000 test digits.
func TestDigits(t *testing.T) {
	set := perceptron.Digits(t)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average} {
		binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: keep, MaxEpochs: 5}
		for i, m := range manyClasses(binary, 0) {
			if i == 1 && keep == perceptron.Last {
				continue // it takes long on emulated machines
			}
			accuracy := heldOut(t, m, set, 2000)
			t.Logf("%v: %.4f", m, accuracy)
			if keep == perceptron.Average && accuracy < 0.925 {
				t.Errorf("%v: accuracy %v, want at least .925", m, accuracy)
			}
		}
	}
}

// TestLetter: with 26 classes and 16 features, Multiclass's accuracy is .06 higher than
// OneVsRest's.
func TestLetter(t *testing.T) {
	set := perceptron.Letter(t)
	binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 10}
	var accuracy [2]float64
	for i, m := range manyClasses(binary, 0) {
		accuracy[i] = heldOut(t, m, set, 4000)
	}
	t.Logf("OneVsRest %.4f, Multiclass %.4f", accuracy[0], accuracy[1])
	if gain := accuracy[1] - accuracy[0]; accuracy[1] < 0.755 || math.Round(100*gain) != 6 {
		t.Errorf("accuracies %v, want at least .755 for Multiclass, and a gain of .06", accuracy)
	}
}

// BenchmarkManyClasses times an epoch of both models of many classes.
func BenchmarkManyClasses(b *testing.B) {
	letter, digits := perceptron.Letter(b), perceptron.Digits(b)
	for _, set := range []naive.Set{letter, digits} {
		for i, name := range []string{"OneVsRest", "Multiclass"} {
			b.Run(set.Name+"/"+name, func(b *testing.B) {
				binary := &perceptron.Online{Order: perceptron.Shuffled, Keep: perceptron.Average, MaxEpochs: 1 << 30}
				next, stop := iter.Pull2(manyClasses(binary, 1)[i].Epochs(set.X, set.Y))
				defer stop()
				next()
				for b.Loop() {
					if _, err, ok := next(); err != nil || !ok {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// manyClasses returns the two models of many classes.
func manyClasses(binary perceptron.Model, workers int) [2]perceptron.Learner {
	return [2]perceptron.Learner{
		&perceptron.OneVsRest{Binary: perceptron.AsBinary(binary), Workers: workers},
		&perceptron.Multiclass{Binary: perceptron.AsBinary(binary)},
	}
}

// heldOut fits m to all rows but the last, and returns its accuracy on these.
func heldOut(t *testing.T, m perceptron.Learner, set naive.Set, last int) float64 {
	n := len(set.X) - last
	must(m.Fit(set.X[:n], set.Y[:n]))(t)
	return must(perceptron.Accuracy(m, set.X[n:], set.Y[n:]))(t)
}
