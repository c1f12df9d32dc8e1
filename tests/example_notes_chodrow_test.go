package tests_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"perceptron"
)

// These examples run the lecture notes of Snapp, Chodrow and Sarath: docs/notes.md has the rows.

var (
	gateX = [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	gateY = []int{-1, -1, -1, +1} // AND
	xorY  = []int{-1, +1, +1, -1}
	halfX = [][]float64{{0, 0, 0.5}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0.5}} // (x, 1)/2
)

// clouds returns n points around (0, 0) and (1, 1). The noise of a feature is a sum of three random
// integers, with a deviation of 1, so that it has the same bits on every machine.
func clouds(n int, noise float64) (X [][]float64, y []int) {
	r := rand.New(rand.NewPCG(1234, 0))
	feature := func(class int) float64 {
		return float64(class) + float64(noise*float64(r.IntN(1024)+r.IntN(1024)+r.IntN(1024)-1535)/512)
	}
	for i := range n {
		class := 2 * i / n
		X, y = append(X, []float64{feature(class), feature(class)}), append(y, 2*class-1)
	}
	return X, y
}

func inner(a, b []float64) (sum float64) {
	for j, v := range a {
		sum += float64(v * b[j])
	}
	return sum
}

// Snapp's listings from one random start, where no sum is 0: plain, fixed increment η = ½,
// homogeneous and normalised.
func ExampleOnline_randomStart() {
	r := rand.New(rand.NewPCG(54, 0))
	w := []float64{float64(r.IntN(64)) / 16, float64(r.IntN(64)) / 16, float64(r.IntN(64)) / 16}
	var rows, normal [][]float64
	for i, x := range gateX {
		y := float64(gateY[i])
		rows = append(rows, []float64{x[0], x[1], 1})
		normal = append(normal, []float64{y * x[0], y * x[1], y})
	}
	start := perceptron.Hyperplane{Weights: w[:2], Bias: w[2]}
	plain := &perceptron.Online{Start: start}
	fixed := &perceptron.Online{Start: start, Rate: 0.5}
	whole := &perceptron.Online{Start: perceptron.Hyperplane{Weights: w}, Rate: 0.5, Space: perceptron.Linear}
	for i, p := range []*perceptron.Online{plain, fixed, whole, whole} {
		X, y := [][][]float64{gateX, gateX, rows, normal}[i], [][]int{gateY, gateY, gateY, {1, 1, 1, 1}}[i]
		r, _ := p.Fit(X, y)
		fmt.Println(p.Start, r.Stop, p.Hyperplane(), r.Mistakes)
	}
	// Output:
	// {[3.0625 2.1875] 2.5} Converged {[2.0625 1.1875] -2.5} 9
	// {[3.0625 2.1875] 2.5} Converged {[1.0625 1.1875] -2} 11
	// {[3.0625 2.1875 2.5] 0} Converged {[1.0625 1.1875 -2] 0} 11
	// {[3.0625 2.1875 2.5] 0} Converged {[1.0625 1.1875 -2] 0} 11
}

// The score is ‖ŵ‖‖x̂‖cos θ, and its square at most ‖ŵ‖²‖x̂‖² (Cauchy and Schwarz): equal for a
// multiple of ŵ. It is also equal for a = 0, although no multiple c·a is then b.
func ExampleHyperplane_Score_angle() {
	h := perceptron.Hyperplane{Weights: []float64{2, 1}, Bias: -2}
	w := []float64{2, 1, -2}
	for _, x := range [][]float64{{0, 0}, {1, 0}, {1, 1}, {-1, -0.5}} {
		score, _ := h.Score(x)
		z := []float64{x[0], x[1], 1}
		long := math.Sqrt(inner(w, w) * inner(z, z))
		fmt.Printf("%v: score %v, θ = %.0f°, %v ≤ %v\n", x, score, math.Acos(score/long)*180/math.Pi, score*score, inner(w, w)*inner(z, z))
	}
	a, b := []float64{0, 0}, []float64{1, 0}
	fmt.Println("a = 0:", inner(a, b)*inner(a, b), "=", inner(a, a)*inner(b, b))
	// Output:
	// [0 0]: score -2, θ = 132°, 4 ≤ 9
	// [1 0]: score 0, θ = 90°, 0 ≤ 18
	// [1 1]: score 1, θ = 79°, 1 ≤ 27
	// [-1 -0.5]: score -4.5, θ = 180°, 20.25 ≤ 20.25
	// a = 0: 0 = 0
}

// Snapp's proof, update by update, on three points of a line, from a random ŵ(0): ŵ moves by ηΣx̂′, by
// at least ηak along ŵ*, and Ak² ≤ ‖ŵ(k) − ŵ(0)‖² ≤ Bk. So k ≤ B/A.
func ExampleStartEnvelope_proof() {
	X, y, Z := [][]float64{{0}, {1}, {3}}, []int{-1, -1, +1}, [][]float64{{0, -1}, {-1, -1}, {3, 1}} // Z has x̂′
	star, eta, r := []float64{2, -4}, 0.5, rand.New(rand.NewPCG(38, 0))
	w0 := []float64{float64(r.IntN(64)-32) / 16, float64(r.IntN(64)-32) / 16}
	a, M, mu := math.Inf(1), 0.0, math.Inf(1)
	for _, z := range Z {
		a, M, mu = min(a, inner(star, z)), max(M, inner(z, z)), min(mu, 2*inner(w0, z))
	}
	R, gamma := math.Sqrt(M), a/math.Sqrt(inner(star, star))
	A, B := perceptron.StartEnvelope(R, gamma, eta, mu)
	fmt.Printf("a = %v, M = %v, μ = %v: A = %.4f, B = %.2f = %v\n", a, M, mu, A, B, eta*(eta*M-mu))
	p := &perceptron.Online{Start: perceptron.Hyperplane{Weights: w0[:1], Bias: w0[1]}, Rate: eta}
	k, sum := 0.0, []float64{0, 0}
	for i := range 60 {
		if updated, _ := p.Update(X[i%3], y[i%3]); updated {
			k++
			sum = []float64{sum[0] + eta*Z[i%3][0], sum[1] + eta*Z[i%3][1]}
			h := p.Hyperplane()
			moved := []float64{h.Weights[0] - w0[0], h.Bias - w0[1]}
			fmt.Printf("%v = %v, %v ≥ %v; ", moved, sum, inner(star, moved), eta*a*k)
			fmt.Printf("%.2f ≤ %.2f ≤ %.2f\n", A*k*k, inner(moved, moved), B*k)
		}
	}
	bound := perceptron.StartBound(R, gamma, eta, math.Sqrt(inner(w0, w0)), mu)
	fmt.Printf("%v updates, B/A = %.1f, StartBound %.1f\n", k, B/A, bound)
	// Output:
	// a = 2, M = 10, μ = -1.75: A = 0.0500, B = 3.38 = 3.375
	// [0 -0.5] = [0 -0.5], 2 ≥ 1; 0.05 ≤ 0.25 ≤ 3.38
	// [-0.5 -1] = [-0.5 -1], 3 ≥ 2; 0.20 ≤ 1.25 ≤ 6.75
	// [1 -0.5] = [1 -0.5], 4 ≥ 3; 0.45 ≤ 1.25 ≤ 10.13
	// [1 -1] = [1 -1], 6 ≥ 4; 0.80 ≤ 2.00 ≤ 13.50
	// [0.5 -1.5] = [0.5 -1.5], 7 ≥ 5; 1.25 ≤ 2.50 ≤ 16.88
	// 5 updates, B/A = 67.5, StartBound 58.0
}

// From ŵ(0) = 0, μ is 0 and not below, although 0 does not solve AND. The first update is at a score
// of 0 and not below. The line ŵ(0) = ŵ(1) + ηx̂′(0) is wrong by 2ηx̂′(1), if x̂′(0) is x̂′(1).
func ExampleStartBound_zeroStart() {
	p := &perceptron.Online{Start: perceptron.Hyperplane{Weights: []float64{0, 0}}}
	score, _ := p.Start.Score(gateX[0])
	updated, _ := p.Update(gateX[0], gateY[0])
	h := p.Hyperplane()
	fmt.Println("score", score, updated, "ŵ(1) =", h, "ŵ(1) + ηx̂′(1) =", h.Weights, h.Bias+float64(gateY[0]))
	s, _ := perceptron.Separate(gateX, gateY, perceptron.Affine)
	fmt.Printf("%.1f = %.1f\n", perceptron.StartBound(s.Radius, s.Lower, 1, 0, 2*score), s.MistakeBound())
	// Output:
	// score 0 true ŵ(1) = {[0 0] -1} ŵ(1) + ηx̂′(1) = [0 0] -2
	// 51.0 = 51.0
}

// A line separates Chodrow's clouds if y·s > 0 for all points. His A is the share of those, and R =
// 1 − A. In the code of his figure the line x₁ + x₂ = 1 is (1, 1, −1).
func ExampleAccuracy_candidateLines() {
	X, y := clouds(300, 0.2)
	for _, h := range []perceptron.Hyperplane{{Weights: []float64{1, -1}}, {Weights: []float64{1, 1}, Bias: -1}} {
		positive := 0.0
		for i, x := range X {
			if s, _ := h.Score(x); float64(y[i])*s > 0 {
				positive++
			}
		}
		right, _ := perceptron.Accuracy(h, X, y)
		gamma, _ := perceptron.Gamma(h, X, y, perceptron.Affine)
		on, _ := h.Score([]float64{0.25, -(h.Weights[0]/4 + h.Bias) / h.Weights[1]})
		fmt.Printf("%v: A = %.3f, Accuracy %.3f, R = %.3f, separates %v, on the line %v\n", h, positive/300, right, 1-right, gamma > 0, on)
	}
	// Output:
	// {[1 -1] 0}: A = 0.463, Accuracy 0.463, R = 0.537, separates false, on the line 0
	// {[1 1] -1}: A = 1.000, Accuracy 1.000, R = 0.000, separates true, on the line 0
}

// At w = 0 no row has y·s > 0, so A is 0. The rule "s > 0 exactly for y = 1" is true of three rows of
// AND. Accuracy counts a score of 0 as +1, and finds one row right. Training counts four mistakes.
func ExampleAccuracy_zeroScores() {
	zero := perceptron.Hyperplane{Weights: []float64{0, 0}}
	positive, rule := 0, 0
	for i, x := range gateX {
		s, _ := zero.Score(x)
		if float64(gateY[i])*s > 0 {
			positive++
		}
		if (s > 0) == (gateY[i] == 1) {
			rule++
		}
	}
	right, _ := perceptron.Accuracy(zero, gateX, gateY)
	r, _ := (&perceptron.Batch{MaxEpochs: 1}).Fit(gateX, gateY)
	fmt.Println("y·s > 0:", positive, "rule:", rule, "Accuracy:", 4*right, "mistakes:", r.Mistakes)
	// Output:
	// y·s > 0: 0 rule: 3 Accuracy: 1 mistakes: 4
}

// Chodrow's hyperplane is ⟨w, x⟩ − b = 0, so b = 3 is the Bias −3. His sum over i = 1 … p − 1 leaves
// out the last feature.
func ExampleHyperplane_oppositeBias() {
	h, x, b := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -3}, []float64{1, 4}, 3.0
	score, _ := h.Score(x)
	fmt.Println("⟨w, x⟩ − b =", inner(h.Weights, x)-b, "Score", score, "sum to p − 1", inner(h.Weights[:1], x)-b)
	// Output:
	// ⟨w, x⟩ − b = 2 Score 2 sum to p − 1 -2
}

// An update turns w towards yx, and moves the score of its row by y‖x‖². That may not suffice: the
// third row is still wrong.
func ExampleOnline_Update_localImprovement() {
	X, y := [][]float64{{2, 0}, {2, 0}, {3, -3}}, []int{+1, -1, +1}
	for i, w := range [][]float64{{-1, 2}, {1, 2}, {-6, 8}} {
		p := &perceptron.Online{Space: perceptron.Linear, Start: perceptron.Hyperplane{Weights: w}}
		p.Update(X[i], y[i])
		after, _ := p.Score(X[i])
		angle := func(w []float64) float64 {
			return math.Acos(float64(y[i])*inner(w, X[i])/math.Sqrt(inner(X[i], X[i])*inner(w, w))) * 180 / math.Pi
		}
		fmt.Printf("s′ = %v = %v %+d·%v, ", after, inner(w, X[i]), y[i], inner(X[i], X[i]))
		fmt.Printf("angle of w and yx %.0f°, then %.0f°\n", angle(w), angle(p.Hyperplane().Weights))
	}
	// Output:
	// s′ = 2 = -2 +1·4, angle of w and yx 117°, then 63°
	// s′ = -2 = 2 -1·4, angle of w and yx 117°, then 63°
	// s′ = -24 = -42 +1·18, angle of w and yx 172°, then 166°
}

// Chodrow's training loop: random points, from (1, 1, 1), until the loss is 0. Most draws are right
// and change nothing. An update may raise the loss.
func ExampleOnline_lossCurve() {
	X, y := clouds(50, 0.3)
	p := &perceptron.Online{Start: perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: 1}}
	right, _ := perceptron.Accuracy(p.Start, X, y)
	r, draws, curve := rand.New(rand.NewPCG(2, 0)), 0, []float64{1 - right}
	for ; right < 1; draws++ {
		i := r.IntN(len(X))
		if updated, _ := p.Update(X[i], y[i]); updated {
			right, _ = perceptron.Accuracy(p, X, y)
			curve = append(curve, math.Round(100*(1-right))/100)
		}
	}
	fmt.Println(draws, "draws, losses at the start and after the updates:", curve)
	// Output:
	// 44 draws, losses at the start and after the updates: [0.5 0.3 0.04 0.3 0]
}

// Separable data ends a run. On other data, here naive.XOR and four points, no weights have all rows
// right. The weights at the end of an epoch repeat, so the run can never end.
func ExampleStop_separable() {
	four := [][]float64{{5, -6}, {1, -2}, {-2, -5}, {7, 3}}
	for i, y := range [][]int{gateY, xorY, {+1, +1, -1, -1}} {
		X := [][][]float64{gateX, gateX, four}[i]
		var p, q perceptron.Online
		s, _ := perceptron.Separate(X, y, perceptron.Affine)
		r, _ := p.Fit(X, y)
		best := 0.0
		for i := range 4 * r.Epochs {
			q.Update(X[i%4], y[i%4])
			right, _ := perceptron.Accuracy(&q, X, y)
			best = max(best, right)
		}
		fmt.Println("separable", s.Separable, r.Stop, "in epoch", r.Epochs, "best accuracy", best)
	}
	// Output:
	// separable true Converged in epoch 9 best accuracy 1
	// separable false Cycled in epoch 1 best accuracy 0.5
	// separable false Cycled in epoch 320 best accuracy 0.75
}

// Chodrow prints the bound (2 + r²)/γ, without the square of γ. 100 unit vectors refute it.
func ExampleThresholdBound_squareOfGamma() {
	X, y := make([][]float64, 100), make([]int, 100)
	for i := range X {
		X[i], y[i] = make([]float64, 100), +1
		X[i][i] = 1
	}
	s, _ := perceptron.Separate(X, y, perceptron.Linear)
	r, _ := (&perceptron.Online{Space: perceptron.Linear}).Fit(X, y)
	k, _ := perceptron.ThresholdBound(s.Radius, s.Lower, 1, 1)
	fmt.Printf("%d mistakes, (2 + r²)/γ = %.0f, (2 + r²)/γ² = %.0f\n", r.Mistakes, (2+s.Radius*s.Radius)/s.Lower, k)
	// Output:
	// 100 mistakes, (2 + r²)/γ = 30, (2 + r²)/γ² = 300
}

// The hyperplane w·x + b = 0 has the signed distance b/‖w‖ from the origin. Sarath's second line,
// −2x + 3y = 5, has b = −5, so its sign is −. Three weights make a plane in space (x₂ is at x₃ = 0).
func ExampleHyperplane_Distance_origin() {
	for _, h := range []perceptron.Hyperplane{
		{Weights: []float64{1, 1}, Bias: -3}, {Weights: []float64{-2, 3}, Bias: -5}, {Weights: []float64{1, 2, 2}, Bias: 6},
	} {
		long := math.Sqrt(inner(h.Weights, h.Weights))
		d, _ := h.Distance(make([]float64, len(h.Weights)))
		fmt.Printf("%v: distance %.4f = b′ = %.4f, unit normal %.4f, %.4f …, x₂ = %.4f·x₁ %+.4f\n",
			h, d, h.Bias/long, h.Weights[0]/long, h.Weights[1]/long, -h.Weights[0]/h.Weights[1], -h.Bias/h.Weights[1])
	}
	// Output:
	// {[1 1] -3}: distance -2.1213 = b′ = -2.1213, unit normal 0.7071, 0.7071 …, x₂ = -1.0000·x₁ +3.0000
	// {[-2 3] -5}: distance -1.3868 = b′ = -1.3868, unit normal -0.5547, 0.8321 …, x₂ = 0.6667·x₁ +1.6667
	// {[1 2 2] 6}: distance 2.0000 = b′ = 2.0000, unit normal 0.3333, 0.6667 …, x₂ = -0.5000·x₁ -3.0000
}

// In Affine space Gamma divides by ‖(w, b)‖, and the Euclidean margin by ‖w‖. Online's line need not
// have the largest margin. Margin's hyperplane has at least a third of the best margin, and
// Separate's has all of it.
func ExampleGamma_euclidean() {
	var online perceptron.Online
	var margin perceptron.Margin
	online.Fit(gateX, gateY)
	margin.Fit(gateX, gateY)
	s, _ := perceptron.Separate(gateX, gateY, perceptron.Affine)
	for _, h := range []perceptron.Hyperplane{online.Hyperplane(), margin.Hyperplane(), s.Hyperplane} {
		gamma, _ := perceptron.Gamma(h, gateX, gateY, perceptron.Affine)
		nearest := math.Inf(1)
		for i, x := range gateX {
			d, _ := h.Distance(x)
			nearest = min(nearest, float64(gateY[i])*d)
		}
		fmt.Printf("γ = %.4f, %.2f of the largest; Euclidean %.4f\n", gamma, gamma/s.Upper, nearest)
	}
	// Output:
	// γ = 0.1857, 0.77 of the largest; Euclidean 0.2774
	// γ = 0.2257, 0.93 of the largest; Euclidean 0.3322
	// γ = 0.2425, 1.00 of the largest; Euclidean 0.3536
}

// Sarath assumes y(w*·x) ≥ 0. Two opposite rows, both +1, fulfil that, and are not separable.
func ExampleGamma_zero() {
	X, y := [][]float64{{1, 0}, {-1, 0}}, []int{+1, +1}
	gamma, _ := perceptron.Gamma(perceptron.Hyperplane{Weights: []float64{0, 1}}, X, y, perceptron.Linear)
	s, _ := perceptron.Separate(X, y, perceptron.Linear)
	r, _ := (&perceptron.Online{Space: perceptron.Linear}).Fit(X, y)
	fmt.Println("γ = 0:", gamma == 0, "bound", perceptron.MistakeBound(1, 0), "separable", s.Separable, r.Stop)
	// Output:
	// γ = 0: true bound +Inf separable false Cycled
}

// If no row is longer than 1, the bound is 1/γ², and tγ ≤ ⟨w*, w⟩ ≤ ‖w‖ ≤ √t.
func ExampleMistakeBound_unitRows() {
	s, _ := perceptron.Separate(halfX, gateY, perceptron.Linear)
	p := &perceptron.Online{Space: perceptron.Linear}
	r, _ := p.Fit(halfX, gateY)
	w, star, t := p.Hyperplane().Weights, s.Hyperplane.Weights, float64(r.Mistakes)
	along, long := inner(star, w)/math.Sqrt(inner(star, star)), math.Sqrt(inner(w, w))
	fmt.Printf("t = %v ≤ 1/γ² = %.0f; %.3f ≤ %.3f ≤ %.3f ≤ %.3f\n", t, 1/(s.Lower*s.Lower), t*s.Lower, along, long, math.Sqrt(t))
	// Output:
	// t = 18 ≤ 1/γ² = 68; 2.183 ≤ 2.668 ≤ 2.693 ≤ 4.243
}

// Sarath's bound for his margin rule, on rows no longer than 1, is 8/γ². The package's is 4/γ², and
// its sharp form τ/γ² with τ = 2 ln(1 + τ). An update adds at most 1/(2‖w‖) + γ/2 to ‖w‖: excess is
// what it adds more. For a γ below the margin, 8/γ² is larger than Sarath's claim. With 8Mγ/4 for 3Mγ/4 the last comparison is true for every M.
func ExampleMarginBound_proof() {
	s, _ := perceptron.Separate(halfX, gateY, perceptron.Linear)
	gamma, tau := s.Lower, 2.5129
	K := 1 / (gamma * gamma)
	fmt.Printf("8K = %.0f, MarginBound %.0f, %.4fK = %.0f; ", 8*K, perceptron.MarginBound(1, gamma, gamma), 2*math.Log1p(tau), tau*K)
	fmt.Printf("R = %.3f; half of γ: 8/γ² = %.0f, MarginBound %.0f\n", s.Radius, 8/(gamma*gamma/4), perceptron.MarginBound(1, gamma, gamma/2))
	p := &perceptron.Margin{Space: perceptron.Linear, Gamma: gamma}
	M, long, excess, step := 0.0, 0.0, math.Inf(-1), 0.0
	for i := range 200 {
		if updated, _ := p.Update(halfX[i%4], gateY[i%4]); updated {
			w := p.Hyperplane().Weights
			next := math.Sqrt(inner(w, w))
			excess, step = max(excess, next-long-1/(2*long)-gamma/2), max(step, next-long) // −Inf from w = 0
			M, long = M+1, next
		}
	}
	reached, _ := perceptron.Gamma(p.Hyperplane(), halfX, gateY, perceptron.Linear)
	fmt.Printf("M = %v, ‖w‖ = %.2f < 2/γ = %.1f, excess %.3f, step %.3f, margin %.3f ≥ γ/2 = %.3f\n", M, long, 2/gamma, excess, step, reached, gamma/2)
	for _, M := range []float64{M, 1e6} {
		fmt.Printf("Mγ = %.1f, 3γ/4 = %.3f, 2/γ + 3Mγ/4 = %.1f, 2/γ + 8Mγ/4 = %.1f\n", M*gamma, 3*gamma/4, 2/gamma+3*M*gamma/4, 2/gamma+8*M*gamma/4)
	}
	// Output:
	// 8K = 544, MarginBound 272, 2.5129K = 171; R = 0.866; half of γ: 8/γ² = 2176, MarginBound 121
	// M = 18, ‖w‖ = 2.69 < 2/γ = 16.5, excess -0.116, step 0.500, margin 0.093 ≥ γ/2 = 0.061
	// Mγ = 2.2, 3γ/4 = 0.091, 2/γ + 3Mγ/4 = 18.1, 2/γ + 8Mγ/4 = 20.9
	// Mγ = 121267.8, 3γ/4 = 0.091, 2/γ + 3Mγ/4 = 90967.4, 2/γ + 8Mγ/4 = 242552.1
}

// Steps of Sarath's margin proof. At w = 0 his quotient y⟨w, x⟩/‖w‖ is 0/0, which no comparison fits.
// Margin's rule multiplies by ‖w‖, and learns there. A pair of numbers refutes each other slip.
func ExampleMargin_proofSteps() {
	p, score, length := &perceptron.Margin{Space: perceptron.Linear, Gamma: 1}, 0.0, 0.0
	updated, _ := p.Update([]float64{1, 0}, +1)
	right, _ := p.Update([]float64{0.25, 0}, +1)
	fmt.Println("0/0 < γ/2:", score/length < 0.5, "Margin:", updated, "and from a row that is right:", right)
	for _, y := range []float64{-1, +1} {
		s := -1.0 // ⟨w, x⟩ for w = (1, 0), x = (−1, 0)
		fmt.Println("2ys =", 2*y*s, "printed: at most", 2*s, "ys <", 0.5, y*s < 0.5, "1/(ys) > 2:", 1/(y*s) > 2)
	}
	w, x := 2.0, 1.0
	fmt.Println("‖w + x‖² =", (w+x)*(w+x), "=", w*w*(1+2/w*x+x*x/w/w), "printed:", w*w*(1+1/w*x+x*x/w/w), "√(1 + x) < 1 + x/2:", math.Sqrt(1+x) < 1+x/2)
	// Output:
	// 0/0 < γ/2: false Margin: true and from a row that is right: true
	// 2ys = 2 printed: at most -2 ys < 0.5 false 1/(ys) > 2: false
	// 2ys = -2 printed: at most -2 ys < 0.5 true 1/(ys) > 2: false
	// ‖w + x‖² = 9 = 9 printed: 7 √(1 + x) < 1 + x/2: true
}

// Sarath's first listing makes one pass, as Learn does: not enough for AND. His margin rule leaves
// points within γ/2 of the line without an answer. Predict answers always.
func ExampleOnline_onePass() {
	var p perceptron.Online
	e, _ := p.Learn(perceptron.Examples(gateX, gateY))
	once, _ := perceptron.Accuracy(&p, gateX, gateY)
	r, _ := p.Fit(gateX, gateY)
	fmt.Println("one pass:", e.Mistakes, "mistakes, accuracy", once, "Fit:", r.Epochs, "passes,", r.Stop)
	s, _ := perceptron.Separate(gateX, gateY, perceptron.Affine)
	label, _ := p.Predict([]float64{0.75, 1})
	near, _ := perceptron.Gamma(p.Hyperplane(), [][]float64{{0.75, 1}}, []int{+1}, perceptron.Affine)
	fmt.Printf("%.3f < γ/2 = %.3f, label %d\n", near, s.Lower/2, label)
	// Output:
	// one pass: 2 mistakes, accuracy 0.25 Fit: 9 passes, Converged
	// 0.046 < γ/2 = 0.121, label 1
}
