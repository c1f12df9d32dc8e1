//go:build unix

package main

import (
	"log"
	"math"

	"perceptron"
)

// The rows z_1 … z_n have lengths of at most 1. The algorithms of this file look for the point of their convex
// hull that is nearest the origin. Its length is the best margin. A hull point p = Σλz bounds it from above by
// ‖p‖, and any w from below by min ⟨w, z⟩/‖w‖.

// points are the rows z_i = y_i(x_i, 1)/R.
type points interface {
	count() (n, d int)
	scores(s, w []float64)             // s_i = ⟨w, z_i⟩
	combine(p, λ []float64)            // p = Σ λ_i z_i
	add(w []float64, c float64, i int) // w += c·z_i
	product(i, j int) float64          // ⟨z_i, z_j⟩
}

// dot returns ⟨a, b⟩. Score uses the same kernels as Separations, so all algorithms have them.
func dot(a, b []float64) float64 {
	s, err := perceptron.Hyperplane{Weights: a}.Score(b)
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// gilbert is the algorithm of Gilbert (1966). It moves p to the point nearest the origin between p and the
// row with the least score. On rows of length 1 it is von Neumann's (Dantzig 1992).
func gilbert(z points, t *tracker) {
	n, d := z.count()
	p, s := make([]float64, d), make([]float64, n)
	z.add(p, 1, 0)
	for {
		z.scores(s, p)
		i, square := least(s), dot(p, p)
		length := math.Sqrt(square)
		if t.ended(s[i]/length, length) {
			return
		}
		θ := min(1, (square-s[i])/(square-2*s[i]+z.product(i, i)))
		for j := range p {
			p[j] *= 1 - θ
		}
		z.add(p, θ, i)
	}
}

// mdm is the algorithm of Mitchell, Demyanov and Malozemov (1974). It moves weight to the row with the
// least score, from the row with the highest score among those with weight. It stops where p would
// become longer.
func mdm(z points, t *tracker) {
	n, d := z.count()
	p, s, λ := make([]float64, d), make([]float64, n), make([]float64, n)
	z.add(p, 1, 0)
	λ[0] = 1
	for {
		z.scores(s, p)
		i, j := least(s), -1
		for k, v := range s {
			if λ[k] > 0 && (j < 0 || v > s[j]) {
				j = k
			}
		}
		length := norm(p)
		if t.ended(s[i]/length, length) || i == j {
			return
		}
		step := (s[j] - s[i]) / (z.product(i, i) + z.product(j, j) - 2*z.product(i, j))
		step = min(step, λ[j])
		λ[i] += step
		λ[j] -= step
		z.add(p, step, i)
		z.add(p, -step, j)
	}
}

// smooth is the smooth perceptron of Soheili and Peña (2012), with the entropy as the prox-function. Its w
// separates after at most 2√(2 ln n)/γ steps. Here it goes on: μ tends to 0, and w and p to the solution.
func smooth(z points, t *tracker) {
	n, d := z.count()
	w, p, g := make([]float64, d), make([]float64, d), make([]float64, d)
	s, λ := make([]float64, n), make([]float64, n)
	for i := range n {
		z.add(w, 1/float64(n), i)
	}
	μ := 1.0
	z.scores(s, w)
	soft(λ, s, μ)
	z.combine(p, λ)
	copy(g, p)
	for k := 0; !t.ended(s[least(s)]/norm(w), norm(p)); k++ {
		θ := 2 / float64(k+3)
		for j := range w {
			w[j] = (1-θ)*(w[j]+θ*p[j]) + θ*θ*g[j]
		}
		μ *= 1 - θ
		z.scores(s, w)
		soft(λ, s, μ)
		z.combine(g, λ)
		for j := range p {
			p[j] = (1-θ)*p[j] + θ*g[j]
		}
	}
}

// soft sets λ to the point of the simplex with the least Σ λs + μ Σ λ ln λ.
func soft(λ, s []float64, μ float64) {
	lowest, sum := s[least(s)], 0.0
	for i, v := range s {
		λ[i] = math.Exp((lowest - v) / μ)
		sum += λ[i]
	}
	for i := range λ {
		λ[i] /= sum
	}
}

// least returns the index of the least element.
func least(s []float64) (at int) {
	for i, v := range s {
		if v < s[at] {
			at = i
		}
	}
	return at
}
