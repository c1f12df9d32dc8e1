package tests_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"

	"perceptron"
)

// Radius is larger in Affine space, where a row x is the vector (x, 1).
func ExampleRadius() {
	X := [][]float64{{3, 4}, {2, 2}}
	linear, _ := perceptron.Radius(X, perceptron.Linear)
	affine, _ := perceptron.Radius(X, perceptron.Affine)
	fmt.Printf("%v %.4f\n", linear, affine)
	// Output:
	// 5 5.0990
}

// The row nearest the hyperplane determines the margin.
func ExampleGamma() {
	h := perceptron.Hyperplane{Weights: []float64{1, 0}}
	gamma, err := perceptron.Gamma(h, [][]float64{{2, 5}, {-3, 1}}, []int{+1, -1}, perceptron.Linear)
	fmt.Println(gamma, err)
	// Output:
	// 2 <nil>
}

// The first row is the nearest to another class: its own score is ahead by 3, and ‖W‖ is
// 2.
func ExampleMulticlassGamma() {
	h := perceptron.Hyperplanes{Classes: []int{10, 20, 30}, Planes: []perceptron.Hyperplane{
		{Weights: []float64{1, 0}}, {Weights: []float64{0, 1}}, {Weights: []float64{-1, -1}},
	}}
	X, y := [][]float64{{3, 0}, {0, 4}, {-3, -4}}, []int{10, 20, 30}
	gamma, err := perceptron.MulticlassGamma(h, X, y, perceptron.Linear)
	fmt.Println(gamma, err)
	// Output:
	// 1.5 <nil>
}

// The classes lie at −1, 0 and 1 on a line. No half-line holds the middle one alone, but
// the three scores −6x − 1, 2 and 6x − 1 separate them.
func ExampleMulticlassBound() {
	X, y := [][]float64{{-1}, {0}, {1}}, []int{-1, 0, 1}
	h := perceptron.Hyperplanes{Classes: []int{-1, 0, 1}, Planes: []perceptron.Hyperplane{
		{Weights: []float64{-6}, Bias: -1}, {Weights: []float64{0}, Bias: 2}, {Weights: []float64{6}, Bias: -1},
	}}
	R, _ := perceptron.Radius(X, perceptron.Affine)
	gamma, err := perceptron.MulticlassGamma(h, X, y, perceptron.Affine)
	if err != nil {
		log.Fatal(err)
	}
	var m perceptron.Multiclass
	res, err := m.Fit(X, y)
	fmt.Printf("%d mistakes, at most %.1f, %v\n", res.Mistakes, perceptron.MulticlassBound(R, gamma), err)
	// Output:
	// 13 mistakes, at most 34.7, <nil>
}

// Novikoff's theorem bounds the mistakes on the logical AND of two inputs.
func ExampleMistakeBound() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Online
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	R, _ := perceptron.Radius(X, perceptron.Affine)
	best := perceptron.Hyperplane{Weights: []float64{2, 2}, Bias: -3}
	gamma, _ := perceptron.Gamma(best, X, y, perceptron.Affine)
	fmt.Printf("R² = %.0f, 1/γ² = %.0f: at most %.0f mistakes, made %d\n",
		R*R, 1/(gamma*gamma), perceptron.MistakeBound(R, gamma), res.Mistakes)
	// Output:
	// R² = 3, 1/γ² = 17: at most 51 mistakes, made 18
}

// No line separates naive.XOR, yet the mistakes of an epoch are bounded.
func ExampleInseparableBound() {
	X, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, +1, +1, -1}
	p := &perceptron.Online{MaxEpochs: 1}
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	u := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -0.5}
	R, _ := perceptron.Radius(X, perceptron.Affine)
	D, L, _ := perceptron.Deviations(u, X, y, perceptron.Affine, 1)
	fmt.Printf("%d mistakes, at most %.1f\n", res.Mistakes, perceptron.InseparableBound(R, 1, D, L))
	// Output:
	// 4 mistakes, at most 9.3
}

// The three points have the margins 5, 1 and −1. The last two fall short of a
// margin of 2, by 1 and by 3.
func ExampleDeviations() {
	h := perceptron.Hyperplane{Weights: []float64{1}}
	X, y := [][]float64{{5}, {1}, {1}}, []int{+1, +1, -1}
	D, L, err := perceptron.Deviations(h, X, y, perceptron.Linear, 2)
	fmt.Printf("D² = %.0f, L = %.0f, %v\n", D*D, L, err)
	// Output:
	// D² = 10, L = 4, <nil>
}

// In exact arithmetic these weights never repeat: each is m − n√2 for the numbers m and n of updates on
// the two rows. In float64 a loop is possible, but it is long.
func ExampleStop_irrational() {
	p := perceptron.Online{Space: perceptron.Linear, MaxEpochs: 1000000}
	res, err := p.Fit([][]float64{{1}, {math.Sqrt2}}, []int{+1, -1})
	fmt.Println(res.Stop, err)
	// Output:
	// EpochLimit <nil>
}

// A start that is not zero changes the bound, here from 51 to 75.7.
func ExampleStartBound() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	start := perceptron.Hyperplane{Weights: []float64{-2, 1}, Bias: 2} // of length 3
	p := &perceptron.Online{Start: start}
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	mu := 0.0 // 2 min y·score of the start
	for i, x := range X {
		score, _ := start.Score(x)
		mu = min(mu, 2*float64(y[i])*score)
	}
	gamma := 1 / math.Sqrt(17)
	bound := perceptron.StartBound(math.Sqrt(3), gamma, 1, 3, mu)
	fmt.Printf("from zero at most %.1f mistakes\n", perceptron.MistakeBound(math.Sqrt(3), gamma))
	fmt.Printf("%d mistakes, at most %.1f\n", res.Mistakes, bound)
	// Output:
	// from zero at most 51.0 mistakes
	// 24 mistakes, at most 75.7
}

// From a ŵ(0) that solves AND, no update follows, and μ > 0. The k_max of Snapp's lecture notes is then negative here, and
// so it bounds nothing. StartBound counts such a μ as 0.
func ExampleStartBound_solvedStart() {
	X, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{-1, -1, -1, +1}
	p := &perceptron.Online{Start: perceptron.Hyperplane{Weights: []float64{8, 8}, Bias: -12}}
	r, _ := p.Fit(X, y)
	mu := math.Inf(1)
	for i, x := range X {
		s, _ := p.Start.Score(x)
		mu = min(mu, 2*float64(y[i])*s)
	}
	const M, a, square = 3, 1, 17 // max ‖x̂′‖², and min ŵ*ᵀx̂′ and ‖ŵ*‖² for ŵ* = (−3, 2, 2)
	bound := perceptron.StartBound(math.Sqrt(M), a/math.Sqrt(square), 1, math.Sqrt(272), mu)
	fmt.Printf("%d updates, μ = %v, k_max = %v, StartBound %.0f\n", r.Mistakes, mu, (M-mu)/(a*a)*square, bound)
	// Output:
	// 0 updates, μ = 8, k_max = -85, StartBound 51
}

// After k mistakes from w(0), ‖w(k) − w(0)‖² is between Ak² and Bk.
func ExampleStartEnvelope() {
	A, B := perceptron.StartEnvelope(2, 0.5, 1, -4)
	fmt.Printf("%.2f k² ≤ %.0f k for k up to %.0f\n", A, B, B/A)
	fmt.Println(perceptron.StartBound(2, 0.5, 1, 1, -4))
	// Output:
	// 0.25 k² ≤ 8 k for k up to 32
	// 20
}

// The first bound does not depend on the number of shards. The second does.
func ExampleMixBound() {
	for _, shards := range []int{4, 8} {
		mistakes, rounds := perceptron.MixBound(2, 0.5, shards)
		fmt.Println(shards, "shards:", mistakes, rounds)
	}
	// Output:
	// 4 shards: 16 64
	// 8 shards: 16 128
}

// With γ′ = γ, Margin reaches at least half of the best margin.
func ExampleMarginBound() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	gamma := 1 / math.Sqrt(17) // the best margin
	p := &perceptron.Margin{Gamma: gamma}
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	achieved, _ := perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Affine)
	fmt.Printf("%d updates, at most %.0f; margin %.3f, at least %.3f\n",
		res.Mistakes, perceptron.MarginBound(math.Sqrt(3), gamma, gamma), achieved, gamma/2)
	// Output:
	// 18 updates, at most 204; margin 0.186, at least 0.121
}

// ThresholdBound returns an upper bound on the updates and a lower bound on the
// margin.
func ExampleThresholdBound() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	gamma := 1 / math.Sqrt(17) // the best margin
	p := &perceptron.Margin{Threshold: 3}
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	achieved, _ := perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Affine)
	k, margin := perceptron.ThresholdBound(math.Sqrt(3), gamma, p.Rate, p.Threshold)
	fmt.Printf("%d updates, at most %.0f; margin %.3f, at least %.3f\n", res.Mistakes, k, achieved, margin)
	// Output:
	// 67 updates, at most 153; margin 0.226, at least 0.081
}

// The bound counts a row once for each epoch that misclassifies it.
func ExampleBatchBound() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, -1, -1, +1}
	var p perceptron.Batch
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	bound := perceptron.BatchBound(len(X), math.Sqrt(3), 1/math.Sqrt(17))
	fmt.Printf("%d misclassified in all, at most %.0f\n", res.Mistakes, bound)
	// Output:
	// 15 misclassified in all, at most 204
}

// Separate computes the margin γ of the rows, between two bounds. The margin bounds
// the mistakes of every run. The rows with λ > 0 prove the upper bound.
func ExampleSeparate() {
	X := [][]float64{{2, 1}, {1, 3}, {-1, 2}, {-3, 1}, {1, -2}}
	y := []int{+1, +1, -1, -1, +1}
	sep, err := perceptron.Separate(X, y, perceptron.Linear)
	if err != nil {
		log.Fatal(err)
	}
	var p perceptron.Online
	p.Space = perceptron.Linear
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("separable: %v, γ in [%.9f, %.9f]\n", sep.Separable, sep.Lower, sep.Upper)
	fmt.Printf("Online: %d mistakes of at most %.2f, γ ≤ %.3f\n", res.Mistakes, sep.MistakeBound(), res.Upper)
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			fmt.Printf("row %d supports with λ = %.3f\n", i, lambda)
		}
	}
	// Output:
	// separable: true, γ in [1.000000000, 1.000000000]
	// Online: 4 mistakes of at most 10.00, γ ≤ 1.250
	// row 1 supports with λ = 0.400
	// row 2 supports with λ = 0.600
}

// No line separates exclusive or. Upper = 0 proves it: the sum of λ·y·(x, 1) over the
// rows is exactly zero.
func ExampleSeparate_inseparable() {
	X := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	y := []int{-1, +1, +1, -1}
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("separable: %v, γ ≤ %v\n", sep.Separable, sep.Upper)
	fmt.Println("λ =", sep.Multipliers)
	fmt.Println("mistakes: at most", sep.MistakeBound())
	// Output:
	// separable: false, γ ≤ 0
	// λ = [0.25 0.25 0.25 0.25]
	// mistakes: at most +Inf
}

// Verify checks every number of a Separation from the rows alone. It rejects a false
// claim.
func ExampleVerify() {
	X := [][]float64{{2, 1}, {1, 3}, {-1, 2}, {-3, 1}, {1, -2}}
	y := []int{+1, +1, -1, -1, +1}
	sep, err := perceptron.Separate(X, y, perceptron.Linear)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(perceptron.Verify(sep, X, y))
	sep.Lower *= 1.001
	fmt.Println(errors.Is(perceptron.Verify(sep, X, y), perceptron.ErrCertificate))
	// Output:
	// <nil>
	// true
}

// Rows bounds the leave-one-out error after one training. Here it is compared with the error itself,
// for which 150 trainings leave out one of Fisher's flowers each.
func ExampleResult() {
	file, err := os.Open("examples/iris/iris.csv")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	flowers, err := csv.NewReader(file).ReadAll()
	if err != nil {
		log.Fatal(err)
	}
	var X [][]float64
	var y []int
	for _, flower := range flowers[1:] {
		x, label := make([]float64, 4), -1
		for j := range x {
			if x[j], err = strconv.ParseFloat(flower[j], 64); err != nil {
				log.Fatal(err)
			}
		}
		if flower[4] == "setosa" {
			label = +1
		}
		X, y = append(X, x), append(y, label)
	}
	var p perceptron.Online
	res, err := p.Fit(X, y)
	if err != nil {
		log.Fatal(err)
	}
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		log.Fatal(err)
	}
	wrong, others, labels := 0, make([][]float64, len(X)-1), make([]int, len(X)-1)
	for i, x := range X {
		copy(others[copy(others, X[:i]):], X[i+1:])
		copy(labels[copy(labels, y[:i]):], y[i+1:])
		var q perceptron.Online
		if _, err := q.Fit(others, labels); err != nil {
			log.Fatal(err)
		}
		if label, _ := q.Predict(x); label != y[i] {
			wrong++
		}
	}
	fmt.Printf("%d mistakes on %d of %d rows; (R/γ)² = %.1f\n", res.Mistakes, res.Rows, len(X), sep.MistakeBound())
	fmt.Printf("left out, %d are wrong: at most %d\n", wrong, min(res.Rows, int(sep.MistakeBound())))
	// Output:
	// 5 mistakes on 2 of 150 rows; (R/γ)² = 221.8
	// left out, 0 are wrong: at most 2
}

// After one training, Rows bounds the leave-one-out error of three sets in standardized features:
// irises, echoes of mines and rocks, and mushrooms that may be poisonous.
func ExampleResult_leaveOneOut() {
	for _, name := range []string{"iris", "sonar", "mushroom"} {
		file, err := os.Open("testdata/" + name + ".svm.gz")
		if err != nil {
			log.Fatal(err)
		}
		text, err := gzip.NewReader(file)
		if err != nil {
			log.Fatal(err)
		}
		rows, y, err := perceptron.ReadLIBSVM(text)
		if err != nil {
			log.Fatal(err)
		}
		file.Close()
		X := make([][]float64, len(rows))
		for i, row := range rows {
			X[i] = make([]float64, 117) // the most features
			for k, j := range row.Index {
				X[i][j] = row.Value[k]
			}
		}
		scaling, err := perceptron.Standardize(X)
		if err != nil {
			log.Fatal(err)
		}
		X, _ = scaling.ApplyAll(X)
		p := &perceptron.Online{MaxEpochs: 10_000}
		r, err := p.Fit(X, y)
		if err != nil {
			log.Fatal(err)
		}
		s, err := perceptron.Separate(X, y, perceptron.Affine)
		if err != nil {
			log.Fatal(err)
		}
		most := min(float64(r.Rows), math.Floor(s.MistakeBound()))
		fmt.Printf("%s, %v: Rows = %d, (R/γ)² = %.1f; ", name, r.Stop, r.Rows, s.MistakeBound())
		fmt.Printf("left out, at most %.0f of %d are wrong: %.1f %%\n", most, len(X), 100*most/float64(len(X)))
	}
	// Output:
	// iris, Converged: Rows = 4, (R/γ)² = 47.9; left out, at most 4 of 150 are wrong: 2.7 %
	// sonar, Converged: Rows = 108, (R/γ)² = 686207.2; left out, at most 108 of 208 are wrong: 51.9 %
	// mushroom, Converged: Rows = 37, (R/γ)² = 3570.3; left out, at most 37 of 8124 are wrong: 0.5 %
}
