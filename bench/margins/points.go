//go:build unix

package main

import (
	"math"
	"slices"

	"perceptron"
	"perceptron/internal/vec"
)

// dense and sparse points use the kernels of the package, as Separations does.
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
		radius = max(radius, vec.Norm(z[i]))
	}
	for j := range all {
		all[j] /= radius
	}
	return z
}

func (z densePoints) count() (n, d int) { return len(z), len(z[0]) }

func (z densePoints) scores(s, w []float64) {
	for i, row := range z {
		s[i] = vec.Dot(w, row)
	}
}

func (z densePoints) add(w []float64, c float64, i int) { vec.Axpy(w, w, c, z[i]) }

func (z densePoints) product(i, j int) float64 { return vec.Dot(z[i], z[j]) }

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
		s[i] = vec.DotSparse(w, at, z.value[i], false)
	}
}

func (z *sparsePoints) add(w []float64, c float64, i int) { vec.AddSparse(w, z.at[i], c, z.value[i]) }

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
