package tests_test

import (
	"fmt"
	"math"

	"perceptron"
)

// These examples run the lecture notes of Kalyanakrishnan and Kondor, and misprinted listings of
// all five. docs/notes.md has a row for each statement.

var (
	andX  = [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	andY  = []int{-1, -1, -1, +1}
	fourX = [][]float64{{1, 3}, {1, 1}, {-1, 2}, {-1, 3}} // separable through the origin
	fourY = []int{+1, +1, -1, -1}
)

// byHand runs a note's listing on rows (x, 1), from zero. For a row's score s and its label y, step
// returns the multiple of the row that the listing adds. byHand returns the weights, the bias last,
// and the updates of each pass. It ends after a pass without updates, or after 1,000 passes.
func byHand(X [][]float64, y []int, step func(s float64, y int) float64) (w []float64, updates []int) {
	w = make([]float64, len(X[0])+1)
	for pass := 0; pass == 0 || pass < 1000 && updates[pass-1] > 0; pass++ {
		updates = append(updates, 0)
		for i, x := range X {
			s := w[len(x)]
			for j, v := range x {
				s += float64(w[j] * v)
			}
			if c := step(s, y[i]); c != 0 {
				updates[pass]++
				w[len(x)] += c
				for j, v := range x {
					w[j] += float64(c * v)
				}
			}
		}
	}
	return w, updates
}

// whereSign returns the step of a listing that updates where sign(s) is not y.
func whereSign(zero, negative int) func(s float64, y int) float64 {
	return func(s float64, y int) float64 {
		sign := +1
		if s < 0 {
			sign = negative
		} else if s == 0 {
			sign = zero
		}
		if sign == y {
			return 0
		}
		return float64(y)
	}
}

// Lecture notes disagree about sign(0): it is +1, −1, or a mistake, as in this package. A bias of ±2⁻³⁰ at
// the start decides every tie as ±1. This is exact if all scores and their terms are below 2²², and are
// multiples of one power of two that is larger. Those of small integers are such multiples.
func ExampleOnline_signOfZero() {
	for _, zero := range []int{+1, -1, 0} {
		w, updates := byHand(andX, andY, whereSign(zero, -1))
		start := perceptron.Hyperplane{Bias: float64(zero) / (1 << 30)}
		p := &perceptron.Online{Start: start}
		r, _ := p.Fit(andX, andY)
		h := p.Hyperplane()
		fmt.Println("by hand", w, updates, "Online", h.Weights, h.Bias-start.Bias, r.Mistakes)
	}
	// Output:
	// by hand [2 1 -3] [2 3 3 2 1 0] Online [2 1] -3 11
	// by hand [2 1 -2] [1 3 3 2 1 0] Online [2 1] -2 10
	// by hand [3 2 -4] [2 3 3 2 2 3 2 1 0] Online [3 2] -4 18
}

// Listings as they are printed, and what they do on AND, whose last row is its only positive one.
func ExampleOnline_misprints() {
	for _, c := range []struct {
		slip string
		rows int
		step func(s float64, y int) float64
	}{
		{"sign is 0 or 1, labels are ±1", 4, whereSign(1, 0)},
		{"both branches ask for y_i = −1", 4, func(s float64, y int) float64 { return float64(y-1) / 2 * math.Copysign(1, s) }},
		{"y·s < 0 is the test", 4, func(s float64, y int) float64 { return whereSign(y, -1)(s, y) }},
		{"the loop ends at i < m", 3, whereSign(-1, -1)},
		{"the test uses w₀ for w_t", 4, func(_ float64, y int) float64 { return whereSign(+1, -1)(0, y) }},
	} {
		w, updates := byHand(andX[:c.rows], andY, c.step)
		fmt.Printf("%s: w = %v, %d passes with %d … %d updates\n", c.slip, w, len(updates), updates[0], updates[len(updates)-1])
	}
	var p perceptron.Online
	r, _ := p.Fit(andX, andY)
	fmt.Println("Online:", r.Stop, p.Hyperplane(), r.Mistakes)
	// Output:
	// sign is 0 or 1, labels are ±1: w = [0 0 -2000], 1000 passes with 4 … 4 updates
	// both branches ask for y_i = −1: w = [0 0 0], 1000 passes with 3 … 3 updates
	// y·s < 0 is the test: w = [0 0 0], 1 passes with 0 … 0 updates
	// the loop ends at i < m: w = [0 0 0], 1 passes with 0 … 0 updates
	// the test uses w₀ for w_t: w = [-1000 -1000 -3000], 1000 passes with 3 … 3 updates
	// Online: Converged {[3 2] -4} 18
}

// The hyperplane has the normal w. Its positive side is the side to which w points. The length of w
// does not matter.
func ExampleHyperplane_Predict_normal() {
	for _, x := range [][]float64{{3, 4}, {4, -3}, {-3, -4}} {
		for _, w := range [][]float64{{3, 4}, {24, 32}} {
			h := perceptron.Hyperplane{Weights: w}
			score, _ := h.Score(x)
			label, _ := h.Predict(x)
			d, _ := h.Distance(x)
			fmt.Println(x, "score", score, "label", label, "distance", d)
		}
	}
	// Output:
	// [3 4] score 25 label 1 distance 5
	// [3 4] score 200 label 1 distance 5
	// [4 -3] score 0 label 1 distance 0
	// [4 -3] score 0 label 1 distance 0
	// [-3 -4] score -25 label -1 distance -5
	// [-3 -4] score -200 label -1 distance -5
}

// A bias is the weight of a feature that is always 1, wherever that stands in the row.
func ExampleSpace_constantFeature() {
	var after, before [][]float64
	for _, x := range andX {
		after, before = append(after, []float64{x[0], x[1], 1}), append(before, []float64{1, x[0], x[1]})
	}
	for i, X := range [][][]float64{andX, after, before} {
		p := &perceptron.Online{Space: perceptron.Space(min(i, 1))} // Affine, then Linear
		r, _ := p.Fit(X, andY)
		fmt.Println(p.Space, p.Hyperplane(), r.Mistakes)
	}
	// Output:
	// Affine {[3 2] -4} 18
	// Linear {[3 2 -4] 0} 18
	// Linear {[-4 3 2] 0} 18
}

// No line through the origin separates AND, but a line with a bias does. Interchanged labels change
// neither γ nor the number of mistakes, and negate w.
func ExampleSeparate_throughOrigin() {
	linear, _ := perceptron.Separate(andX, andY, perceptron.Linear)
	fmt.Println("through the origin:", linear.Separable)
	for _, y := range [][]int{{-1, -1, -1, +1}, {+1, +1, +1, -1}} {
		s, _ := perceptron.Separate(andX, y, perceptron.Affine)
		var p perceptron.Online
		r, _ := p.Fit(andX, y)
		fmt.Printf("%v, γ = %.4f, R = %.4f: %d mistakes, %v\n", s.Separable, s.Lower, s.Radius, r.Mistakes, p.Hyperplane())
	}
	// Output:
	// through the origin: false
	// true, γ = 0.2425, R = 1.7321: 18 mistakes, {[3 2] -4}
	// true, γ = 0.2425, R = 1.7321: 18 mistakes, {[-3 -2] 4}
}

// A line may have a point on it, where sign(0) decides. The line x₁ + x₂ = 1 passes through two
// points of AND; another line separates AND with a margin. The rows 0 and 1, Linear, have no other.
func ExampleSeparate_pointOnHyperplane() {
	line := perceptron.Hyperplane{Weights: []float64{1, 1}, Bias: -1}
	score, _ := line.Score(andX[1])
	label, _ := line.Predict(andX[1])
	gamma, _ := perceptron.Gamma(line, andX, andY, perceptron.Affine)
	fmt.Println("score", score, "predicted", label, "label", andY[1], "no margin", gamma == 0)
	s, _ := perceptron.Separate(andX, andY, perceptron.Affine)
	fmt.Printf("AND: separable %v, γ = %.4f\n", s.Separable, s.Lower)
	s, _ = perceptron.Separate([][]float64{{0}, {1}}, []int{-1, +1}, perceptron.Linear)
	fmt.Println("0 and 1: separable", s.Separable)
	// Output:
	// score 0 predicted 1 label -1 no margin true
	// AND: separable true, γ = 0.2425
	// 0 and 1: separable false
}

// Each update turns w, the normal of the line, and so tilts the line, until no point is wrong.
func ExampleOnline_tilt() {
	p := &perceptron.Online{Space: perceptron.Linear}
	for i := range 3 * len(fourX) {
		x, y := fourX[i%len(fourX)], fourY[i%len(fourX)]
		if updated, _ := p.Update(x, y); updated {
			w := p.Hyperplane().Weights
			fmt.Printf("%v %+d: w = %v at %.0f°\n", x, y, w, math.Atan2(w[1], w[0])*180/math.Pi)
		}
	}
	right, _ := perceptron.Accuracy(p, fourX, fourY)
	fmt.Println("right:", right)
	// Output:
	// [1 3] +1: w = [1 3] at 72°
	// [-1 2] -1: w = [2 1] at 27°
	// [-1 3] -1: w = [3 -2] at -34°
	// [1 3] +1: w = [4 1] at 14°
	// right: 1
}

// The proof, update by update: kγ ≤ ⟨w, w*⟩ ≤ ‖w‖, and ‖w‖² = ‖v‖² + ‖x‖² + 2y⟨v, x⟩ ≤ kR², where v
// is w before the update. So k ≤ (R/γ)².
func ExampleMistakeBound_proof() {
	best, _ := perceptron.Separate(fourX, fourY, perceptron.Linear)
	star, gamma, R := best.Hyperplane, best.Lower, best.Radius
	dot := func(a, b []float64) float64 { return a[0]*b[0] + a[1]*b[1] }
	p, v, k := &perceptron.Online{Space: perceptron.Linear}, []float64{0, 0}, 0.0
	for i := range 3 * len(fourX) {
		x, y := fourX[i%len(fourX)], fourY[i%len(fourX)]
		if updated, _ := p.Update(x, y); updated {
			w := p.Hyperplane().Weights
			k++
			along := dot(w, star.Weights) / math.Sqrt(dot(star.Weights, star.Weights))
			fmt.Printf("%.2f ≤ %.2f ≤ %.2f; ", k*gamma, along, math.Sqrt(dot(w, w)))
			fmt.Printf("%v = %v + %v − %v ≤ %.0f\n", dot(w, w), dot(v, v), dot(x, x), 0-2*float64(y)*dot(v, x), k*R*R)
			v = w
		}
	}
	fmt.Printf("%v updates, at most %.1f\n", k, perceptron.MistakeBound(R, gamma))
	// Output:
	// 1.00 ≤ 1.00 ≤ 3.16; 10 = 0 + 10 − 0 ≤ 10
	// 2.00 ≤ 2.00 ≤ 2.24; 5 = 10 + 5 − 10 ≤ 20
	// 3.00 ≤ 3.00 ≤ 3.61; 13 = 5 + 10 − 2 ≤ 30
	// 4.00 ≤ 4.00 ≤ 4.12; 17 = 13 + 10 − 6 ≤ 40
	// 4 updates, at most 10.0
}

// The bound is reached: the vectors 2eᵢ in 100 dimensions have R = 2 and γ = 2/10, and 100 mistakes,
// in any order. So "fewer than (R/γ)²" is true only of a γ below the margin, and R/γ² is no bound.
func ExampleMistakeBound_attained() {
	X, y := make([][]float64, 100), make([]int, 100)
	for i := range X {
		X[i], y[i] = make([]float64, 100), +1
		X[i][i] = 2
	}
	s, _ := perceptron.Separate(X, y, perceptron.Linear)
	fmt.Printf("(R/γ)² = %.0f, R/γ² = %.0f\n", s.MistakeBound(), s.Radius/(s.Lower*s.Lower))
	for _, order := range []perceptron.Order{perceptron.Cyclic, perceptron.Shuffled, perceptron.Sampled} {
		p := &perceptron.Online{Space: perceptron.Linear, Order: order}
		r, _ := p.Fit(X, y)
		gamma, _ := perceptron.Gamma(p.Hyperplane(), X, y, perceptron.Linear)
		fmt.Printf("%v: %d mistakes, %v, margin %.1f\n", order, r.Mistakes, r.Stop, gamma)
	}
	// Output:
	// (R/γ)² = 100, R/γ² = 50
	// Cyclic: 100 mistakes, Converged, margin 0.2
	// Shuffled: 100 mistakes, Converged, margin 0.2
	// Sampled: 100 mistakes, Converged, margin 0.2
}

// An update may shorten w. The proof needs only kγ ≤ ‖w‖ ≤ √k·R.
func ExampleOnline_lengthMayFall() {
	X, y := [][]float64{{3, 0}, {-2, 1}}, []int{+1, +1}
	best, _ := perceptron.Separate(X, y, perceptron.Linear)
	p := &perceptron.Online{Space: perceptron.Linear}
	for i, x := range X {
		p.Update(x, y[i])
		w, k := p.Hyperplane().Weights, float64(i+1)
		fmt.Printf("w = %v: %.3f ≤ ‖w‖ = %.3f ≤ %.3f\n", w, k*best.Lower, math.Hypot(w[0], w[1]), math.Sqrt(k)*best.Radius)
	}
	r, _ := p.Fit(X, y)
	fmt.Printf("%v after %d mistakes, at most %.0f\n", r.Stop, r.Mistakes, best.MistakeBound())
	// Output:
	// w = [3 0]: 0.588 ≤ ‖w‖ = 3.000 ≤ 3.000
	// w = [1 1]: 1.177 ≤ ‖w‖ = 1.414 ≤ 4.243
	// Converged after 7 mistakes, at most 26
}

// No line separates the points by the signs of x₁x₂. With the feature x₁x₂ a plane does.
func ExampleSeparate_productFeature() {
	X, y := [][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []int{+1, +1, -1, -1}
	s, _ := perceptron.Separate(X, y, perceptron.Affine)
	fmt.Printf("x₁, x₂: separable %v, γ ≤ %v\n", s.Separable, s.Upper)
	for i, x := range X {
		X[i] = append(x, x[0]*x[1])
	}
	s, _ = perceptron.Separate(X, y, perceptron.Affine)
	fmt.Printf("x₁, x₂, x₁x₂: separable %v, γ = %.3f\n", s.Separable, s.Lower)
	// Output:
	// x₁, x₂: separable false, γ ≤ 0
	// x₁, x₂, x₁x₂: separable true, γ = 1.000
}

// Training is useful on data that no line separates, too. One label is flipped, so every
// line makes an error. Pocket finds a line with no other.
func ExampleKeep_inseparable() {
	var X [][]float64
	for v := -5.5; v < 6; v++ {
		X = append(X, []float64{v})
	}
	y := []int{-1, +1, -1, -1, -1, -1, +1, +1, +1, +1, +1, +1}
	s, _ := perceptron.Separate(X, y, perceptron.Affine)
	for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
		p := &perceptron.Online{Keep: keep, Order: perceptron.Shuffled, MaxEpochs: 10}
		r, _ := p.Fit(X, y)
		right, _ := perceptron.Accuracy(p, X, y)
		fmt.Printf("separable %v: %v, %v, %.0f errors\n", s.Separable, keep, r.Stop, 12*(1-right))
	}
	// Output:
	// separable false: Last, EpochLimit, 2 errors
	// separable false: Average, EpochLimit, 2 errors
	// separable false: Pocket, EpochLimit, 1 errors
}

// Each class has a perceptron of its own, trained against all others. The prediction is the class
// with the highest score.
func ExampleOneVsRest_argmax() {
	X := [][]float64{{2, 0}, {0, 2}, {-2, -2}}
	var m perceptron.OneVsRest
	var second perceptron.Online
	m.Fit(X, []int{1, 2, 3})
	second.Fit(X, []int{-1, +1, -1})
	scores, _ := m.Scores(nil, []float64{1, 3})
	label, _ := m.Predict([]float64{1, 3})
	fmt.Println(m.Hyperplanes().Planes[1], "alone", second.Hyperplane(), "scores", scores, "class", label)
	// Output:
	// {[0 4] -1} alone {[0 4] -1} scores [3 11 -3] class 2
}

// Kondor's loss is the sum of −yθᵀx over the misclassified rows, and Epoch.Loss its mean. Its
// gradient is Σ −yx. Batch goes −η times that. The number of errors has the gradient 0.
func ExampleBatch_gradient() {
	risk := func(a, b, c float64) (loss, errors float64, next perceptron.Hyperplane) {
		p := &perceptron.Batch{Rate: 0.5, Start: perceptron.Hyperplane{Weights: []float64{1 + a, -2 + b}, Bias: 1.5 + c}}
		for e := range p.Epochs(andX, andY) {
			loss, errors, next = 4*e.Loss, float64(e.Mistakes), p.Hyperplane()
			break
		}
		return loss, errors, next
	}
	const d = 1.0 / 1024
	for _, at := range [][3]float64{{d, 0, 0}, {0, d, 0}, {0, 0, d}} {
		up, more, _ := risk(at[0], at[1], at[2])
		down, fewer, _ := risk(-at[0], -at[1], -at[2])
		fmt.Println("gradient of the loss", (up-down)/(2*d), "of the errors", (more-fewer)/(2*d))
	}
	loss, errors, next := risk(0, 0, 0) // rows (0, 0) and (1, 0) are wrong, by 1.5 and 2.5
	fmt.Println("loss", loss, "errors", errors, "step from {[1 -2] 1.5} to", next)
	// Output:
	// gradient of the loss 1 of the errors 0
	// gradient of the loss 0 of the errors 0
	// gradient of the loss 2 of the errors 0
	// loss 4 errors 2 step from {[1 -2] 1.5} to {[0.5 -2] 0.5}
}

// Kondor calls max(0, −ys) the hinge loss. The hinge is max(0, 1 − ys). A Margin with Threshold 1
// descends the hinge: it also learns from rows with 0 < ys ≤ 1. Descent makes no step where the loss is 0,
// but the rules test ≤: each has one update more, at ys = 0 and at ys = 1.
func ExampleMargin_hinge() {
	for _, s := range []float64{-1, 0, 0.5} {
		fmt.Println("ys =", s, "printed", max(0, -s), "hinge", max(0, 1-s))
	}
	x, y := [][]float64{{0.5}}, []int{+1}
	online := &perceptron.Online{Space: perceptron.Linear}
	margin := &perceptron.Margin{Space: perceptron.Linear, Threshold: 1}
	a, _ := online.Fit(x, y)
	b, _ := margin.Fit(x, y)
	fmt.Println("Online", a.Mistakes, online.Hyperplane().Weights, "Margin", b.Mistakes, margin.Hyperplane().Weights)
	// Output:
	// ys = -1 printed 1 hinge 2
	// ys = 0 printed 0 hinge 1
	// ys = 0.5 printed 0 hinge 0.5
	// Online 1 [0.5] Margin 5 [2.5]
}

// A stream needs no test set: each example is predicted before it is learned. The number of
// mistakes is bounded, for a stream of any length.
func ExampleOnline_Learn_longStream() {
	s, _ := perceptron.Separate(andX, andY, perceptron.Affine)
	for _, n := range []int{100, 10_000} {
		var p perceptron.Online
		e, _ := p.Learn(func(yield func([]float64, int) bool) {
			for i := 0; i < n && yield(andX[i%4], andY[i%4]); i++ {
			}
		})
		fmt.Printf("%d examples: %d mistakes, at most %.0f\n", e.Examples, e.Mistakes, s.MistakeBound())
	}
	// Output:
	// 100 examples: 18 mistakes, at most 51
	// 10000 examples: 18 mistakes, at most 51
}

// A higher rate is not faster. From zero it only multiplies w.
func ExampleOnline_rate() {
	for _, eta := range []float64{0.25, 1, 8} {
		p := &perceptron.Online{Rate: eta}
		r, _ := p.Fit(andX, andY)
		fmt.Println("η =", eta, p.Hyperplane(), r.Mistakes, "mistakes")
	}
	// Output:
	// η = 0.25 {[0.75 0.5] -1} 18 mistakes
	// η = 1 {[3 2] -4} 18 mistakes
	// η = 8 {[24 16] -32} 18 mistakes
}

// With sign(0) = +1, rows that are all positive leave w at 0, which separates nothing.
func ExampleGamma_zeroWeights() {
	w, updates := byHand(andX, []int{+1, +1, +1, +1}, whereSign(+1, -1))
	_, err := perceptron.Gamma(perceptron.Hyperplane{Weights: w[:2], Bias: w[2]}, andX, []int{+1, +1, +1, +1}, perceptron.Affine)
	fmt.Println(w, updates, err)
	// Output:
	// [0 0 0] [0] perceptron: not finite: the hyperplane is all zero and has no margin
}
