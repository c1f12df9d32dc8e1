//go:build unix

package main

import (
	"math"
	"slices"

	"perceptron"
)

type densePoints [][]float64

func denseRows(X [][]float64, y []int) densePoints {
	width, radius := len(X[0])+1, 0.0
	all, z := make([]float64, len(X)*width), make(densePoints, len(X))
	for i, x := range X {
		z[i] = all[i*width : (i+1)*width]
		z[i][width-1] = float64(y[i])
		for j, v := range x {
			z[i][j] = float64(y[i]) * v
		}
		radius = max(radius, norm(z[i]))
	}
	for j := range all {
		all[j] /= radius
	}
	return z
}

func (z densePoints) count() (n, d int) { return len(z), len(z[0]) }

func (z densePoints) scores(s, w []float64) {
	for i, row := range z {
		s[i] = dot(w, row)
	}
}

// combine takes the rows by fours, so that p is read and written for every fourth row only. Most λ may be 0.
func (z densePoints) combine(p, λ []float64) {
	clear(p)
	var four [4]int
	k := 0
	for i, c := range λ {
		if c == 0 {
			continue
		}
		four[k] = i
		if k++; k == 4 {
			z.addFour(p, λ, four)
			k = 0
		}
	}
	for _, i := range four[:k] {
		z.add(p, λ[i], i)
	}
}

// addFour adds Σ λ_i z_i over four rows to p.
func (z densePoints) addFour(p, λ []float64, rows [4]int) {
	h, i, j, k := rows[0], rows[1], rows[2], rows[3]
	a, b, c, d := z[h][:len(p)], z[i][:len(p)], z[j][:len(p)], z[k][:len(p)]
	λa, λb, λc, λd := λ[h], λ[i], λ[j], λ[k]
	for j := range p {
		p[j] += (λa*a[j] + λb*b[j]) + (λc*c[j] + λd*d[j])
	}
}

func (z densePoints) add(w []float64, c float64, i int) {
	w = w[:len(z[i])]
	for j, v := range z[i] {
		w[j] += c * v
	}
}

func (z densePoints) product(i, j int) float64 { return dot(z[i], z[j]) }

type sparsePoints struct {
	width int
	at    [][]uint32
	value [][]float64
}

func sparseRows(X []perceptron.Sparse, y []int) *sparsePoints {
	z, radius := &sparsePoints{}, 0.0
	for _, x := range X {
		if n := len(x.Index); n > 0 {
			z.width = max(z.width, int(x.Index[n-1])+2)
		}
	}
	for i, x := range X {
		value := append(slices.Clone(x.Value), 1)
		for k := range value {
			value[k] *= float64(y[i])
		}
		z.at, z.value = append(z.at, append(slices.Clone(x.Index), uint32(z.width-1))), append(z.value, value)
		radius = max(radius, math.Sqrt(z.product(i, i)))
	}
	for _, value := range z.value {
		for k := range value {
			value[k] /= radius
		}
	}
	return z
}

func (z *sparsePoints) count() (n, d int) { return len(z.at), z.width }

func (z *sparsePoints) scores(s, w []float64) {
	for i, at := range z.at {
		value, sum := z.value[i][:len(at)], 0.0
		for k, j := range at {
			sum += w[j] * value[k]
		}
		s[i] = sum
	}
}

func (z *sparsePoints) combine(p, λ []float64) {
	clear(p)
	for i, c := range λ {
		if c != 0 {
			z.add(p, c, i)
		}
	}
}

func (z *sparsePoints) add(w []float64, c float64, i int) {
	value := z.value[i][:len(z.at[i])]
	for k, j := range z.at[i] {
		w[j] += c * value[k]
	}
}

func (z *sparsePoints) product(i, j int) (sum float64) {
	a, b := z.at[i], z.at[j]
	for k, l := 0, 0; k < len(a) && l < len(b); {
		switch {
		case a[k] < b[l]:
			k++
		case a[k] > b[l]:
			l++
		default:
			sum += z.value[i][k] * z.value[j][l]
			k, l = k+1, l+1
		}
	}
	return sum
}
