package perceptron_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"perceptron"
)

// The logical AND of two inputs is the smallest lesson that a hyperplane can
// learn.
var (
	andX = [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	andY = []int{-1, -1, -1, +1}
)

func ExampleOnline() {
	var p perceptron.Online
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs and", res.Mistakes, "mistakes")
	label, err := p.Predict([]float64{1, 1})
	fmt.Println(label, err)
	fmt.Println(p.Hyperplane())
	// Output:
	// Converged after 9 epochs and 18 mistakes
	// 1 <nil>
	// {[3 2] -4}
}

func ExampleOnline_Epochs() {
	p := &perceptron.Online{Order: perceptron.Shuffled, Seed: 1}
	for e, err := range p.Epochs(andX, andY) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("epoch %d: %d mistakes, loss %.2f, %v\n", e.N, e.Mistakes, e.Loss, e.Stop)
	}
	// Output:
	// epoch 1: 4 mistakes, loss 0.50, Running
	// epoch 2: 2 mistakes, loss 0.50, Running
	// epoch 3: 1 mistakes, loss 0.25, Running
	// epoch 4: 3 mistakes, loss 0.50, Running
	// epoch 5: 2 mistakes, loss 0.25, Running
	// epoch 6: 3 mistakes, loss 0.25, Running
	// epoch 7: 0 mistakes, loss 0.00, Converged
}

func ExampleOnline_Learn() {
	p := &perceptron.Online{Keep: perceptron.Average}
	e, err := p.Learn(func(yield func([]float64, int) bool) {
		for i, x := range andX {
			if !yield(x, andY[i]) {
				return
			}
		}
	})
	fmt.Println(e.Examples, "examples,", e.Mistakes, "mistakes,", err)
	// Output:
	// 4 examples, 2 mistakes, <nil>
}

func ExampleOnline_Update() {
	var p perceptron.Online
	for i, x := range andX {
		updated, err := p.Update(x, andY[i])
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(updated, p.Hyperplane())
	}
	// Output:
	// true {[0 0] -1}
	// false {[0 0] -1}
	// false {[0 0] -1}
	// true {[1 1] 0}
}

func ExampleBatch() {
	var p perceptron.Batch
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Stop, "after", res.Epochs, "epochs")
	fmt.Println(p.Hyperplane())
	// Output:
	// Converged after 10 epochs
	// {[2 2] -3}
}

func ExampleMargin() {
	var p perceptron.Margin
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	gamma, err := perceptron.Gamma(p.Hyperplane(), andX, andY, perceptron.Affine)
	if err != nil {
		fmt.Println(err)
		return
	}
	// The largest margin of AND is 1/√17, about 0.243.
	fmt.Printf("%v after %d updates, with margin %.3f\n", res.Stop, res.Mistakes, gamma)
	// Output:
	// Converged after 67 updates, with margin 0.226
}

func ExampleOneVsRest() {
	X := [][]float64{{0, 1}, {1, 9}, {9, 2}, {1, 0}, {0, 8}, {8, 1}}
	y := []int{10, 20, 30, 10, 20, 30}
	var m perceptron.OneVsRest
	if _, err := m.Fit(X, y); err != nil {
		fmt.Println(err)
		return
	}
	label, err := m.Predict([]float64{2, 7})
	fmt.Println(m.Classes(), label, err)
	// Output:
	// [10 20 30] 20 <nil>
}

// A class that was never seen may arrive at any time.
func ExampleOneVsRest_Update() {
	var m perceptron.OneVsRest
	for _, e := range []struct {
		x     []float64
		label int
	}{{[]float64{0, 1}, 1}, {[]float64{1, 0}, 2}, {[]float64{-1, -1}, 3}} {
		if _, err := m.Update(e.x, e.label); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Classes())
	}
	// Output:
	// [1]
	// [1 2]
	// [1 2 3]
}

func ExampleOneVsRest_Scores() {
	var m perceptron.OneVsRest
	if _, err := m.Fit([][]float64{{2}, {-2}}, []int{7, 8}); err != nil {
		fmt.Println(err)
		return
	}
	scores := make([]float64, 0, 2)
	scores, err := m.Scores(scores, []float64{3})
	fmt.Println(m.Classes(), scores, err)
	// Output:
	// [7 8] [7 -7] <nil>
}

func ExampleHyperplane_Distance() {
	h := perceptron.Hyperplane{Weights: []float64{3, 4}, Bias: -5}
	d, err := h.Distance([]float64{3, 4})
	fmt.Println(d, err)
	// Output:
	// 4 <nil>
}

func ExampleAccuracy() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	a, err := perceptron.Accuracy(h, andX, andY)
	fmt.Println(a, err)
	// Output:
	// 0.5 <nil>
}

func ExampleConfusion() {
	h := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	classes, counts, err := perceptron.Confusion(h, andX, andY)
	fmt.Println(classes, counts, err)
	// Output:
	// [-1 1] [[1 2] [0 1]] <nil>
}

// Novikoff's theorem, held against a run.
func ExampleMistakeBound() {
	var p perceptron.Online
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	R, _ := perceptron.Radius(andX, perceptron.Affine)
	best := perceptron.Hyperplane{Weights: []float64{2, 2}, Bias: -3}
	gamma, _ := perceptron.Gamma(best, andX, andY, perceptron.Affine)
	fmt.Printf("R² = %.0f, 1/γ² = %.0f: at most %.0f mistakes, made %d\n",
		R*R, 1/(gamma*gamma), perceptron.MistakeBound(R, gamma), res.Mistakes)
	// Output:
	// R² = 3, 1/γ² = 17: at most 51 mistakes, made 18
}

// XOR has no separating plane, yet the mistakes of an epoch are bounded.
func ExampleInseparableBound() {
	X, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1}
	p := &perceptron.Online{MaxEpochs: 1}
	res, err := p.Fit(X, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	u := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	R, _ := perceptron.Radius(X, perceptron.Affine)
	D, L, _ := perceptron.Deviations(u, X, y, perceptron.Affine, 1)
	fmt.Printf("%d mistakes, at most %.1f\n", res.Mistakes, perceptron.InseparableBound(R, 1, D, L))
	// Output:
	// 4 mistakes, at most 9.3
}

// From a start that is not zero the bound grows.
func ExampleStartBound() {
	p := &perceptron.Online{Start: perceptron.Hyperplane{Weights: []float64{-2, 1}, Bias: 2}}
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	mu := 0.0 // 2 min y·score of the start
	for i, x := range andX {
		score, _ := p.Start.Score(x)
		mu = min(mu, 2*float64(andY[i])*score)
	}
	gamma := 1 / math.Sqrt(17)
	bound := perceptron.StartBound(math.Sqrt(3), gamma, 1, 3, mu)
	fmt.Printf("%d mistakes, at most %.1f\n", res.Mistakes, bound)
	// Output:
	// 24 mistakes, at most 75.7
}

// The k-th mistake from w(0) leaves ‖w(k) − w(0)‖² between Ak² and Bk.
func ExampleStartEnvelope() {
	A, B := perceptron.StartEnvelope(2, 0.5, 1, -4)
	fmt.Printf("%.2f k² ≤ %.0f k for k up to %.0f\n", A, B, B/A)
	fmt.Println(perceptron.StartBound(2, 0.5, 1, 1, -4))
	// Output:
	// 0.25 k² ≤ 8 k for k up to 32
	// 20
}

// How far points on a line fall short of a margin of 2.
func ExampleDeviations() {
	h := perceptron.Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{5}, {1}, {1}}, []int{+1, +1, -1}
	D, L, err := perceptron.Deviations(h, X, y, perceptron.Linear, 2)
	fmt.Printf("D² = %.0f, L = %.0f, %v\n", D*D, L, err)
	// Output:
	// D² = 10, L = 4, <nil>
}

// Mixing four shards' models costs no mistakes in the weighted sum.
func ExampleMixBound() {
	mistakes, rounds := perceptron.MixBound(2, 0.5, 4)
	fmt.Println(mistakes, rounds)
	// Output:
	// 16 64
}

func ExampleMarginBound() {
	gamma := 1 / math.Sqrt(17) // of AND
	p := &perceptron.Margin{Gamma: gamma}
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	achieved, _ := perceptron.Gamma(p.Hyperplane(), andX, andY, perceptron.Affine)
	fmt.Printf("%d updates, at most %.0f; margin %.3f, at least %.3f\n",
		res.Mistakes, perceptron.MarginBound(math.Sqrt(3), gamma, gamma), achieved, gamma/2)
	// Output:
	// 18 updates, at most 204; margin 0.186, at least 0.121
}

func ExampleThresholdBound() {
	gamma := 1 / math.Sqrt(17) // of AND
	p := &perceptron.Margin{Threshold: 3}
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	achieved, _ := perceptron.Gamma(p.Hyperplane(), andX, andY, perceptron.Affine)
	k, margin := perceptron.ThresholdBound(math.Sqrt(3), gamma, p.Rate, p.Threshold)
	fmt.Printf("%d updates, at most %.0f; margin %.3f, at least %.3f\n", res.Mistakes, k, achieved, margin)
	// Output:
	// 67 updates, at most 153; margin 0.226, at least 0.081
}

func ExampleBatchBound() {
	var p perceptron.Batch
	res, err := p.Fit(andX, andY)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d misclassified in all, at most %.0f\n", res.Mistakes, perceptron.BatchBound(4, math.Sqrt(3), 1/math.Sqrt(17)))
	// Output:
	// 15 misclassified in all, at most 204
}

func ExampleRadius() {
	X := [][]float64{{3, 4}, {2, 2}}
	linear, _ := perceptron.Radius(X, perceptron.Linear)
	affine, _ := perceptron.Radius(X, perceptron.Affine)
	fmt.Printf("%v %.4f\n", linear, affine)
	// Output:
	// 5 5.0990
}

func ExampleGamma() {
	h := perceptron.Hyperplane{Weights: []float64{1, 0}}
	gamma, err := perceptron.Gamma(h, [][]float64{{2, 5}, {-3, 1}}, []int{+1, -1}, perceptron.Linear)
	fmt.Println(gamma, err)
	// Output:
	// 2 <nil>
}

// Two shards are trained side by side from the mean of the round before.
func ExampleMix() {
	shards := [][]int{{0, 3}, {1, 2, 3}} // rows of AND
	mean := new(perceptron.Online)
	for round := 1; ; round++ {
		var models []*perceptron.Online
		mistakes := 0
		for _, rows := range shards {
			p := mean.Clone()
			e, err := p.Learn(examples(rows))
			if err != nil {
				fmt.Println(err)
				return
			}
			mistakes += e.Mistakes
			models = append(models, p)
		}
		if mistakes == 0 {
			fmt.Println("no mistakes in round", round)
			return
		}
		var err error
		if mean, err = perceptron.Mix(models, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// no mistakes in round 15
}

func examples(rows []int) iter.Seq2[[]float64, int] {
	return func(yield func([]float64, int) bool) {
		for i := range slices.Values(rows) {
			if !yield(andX[i], andY[i]) {
				return
			}
		}
	}
}

func ExampleExampleError() {
	var p perceptron.Online
	_, err := p.Fit([][]float64{{1, 2}, {3}}, []int{+1, -1})
	var at *perceptron.ExampleError
	fmt.Println(err)
	fmt.Println(errors.Is(err, perceptron.ErrDimension), errors.As(err, &at), at.Index)
	// Output:
	// perceptron: example 1: dimension mismatch: width 1, want 2
	// true true 1
}
