package main

import (
	"math/big"

	"perceptron"
)

// signed returns the vectors y·(x, 1), or y·x in the space Linear.
func signed(X [][]float64, y []int, space perceptron.Space) [][]float64 {
	all := make([][]float64, len(X))
	for i, x := range X {
		for _, v := range x {
			all[i] = append(all[i], float64(y[i])*v)
		}
		if space == perceptron.Affine {
			all[i] = append(all[i], float64(y[i]))
		}
	}
	return all
}

// contradict reports whether some of the vectors v in rows contradict each other: whether
// λ ≥ 0, not all zero, exist with Σ λ·v = 0. Then no line separates the points
// (Gordan 1873). It computes in rational numbers, so that true is a proof. It decides
// for rows that have one such λ, up to a factor, and tries fewer rows if there are more.
func contradict(all [][]float64, rows []int) bool {
	if len(rows) == 0 || len(rows) > len(all[0])+1 { // a contradiction needs no more
		return false
	}
	kernel := kernel(all, rows)
	if len(kernel) == 1 {
		return oneSign(kernel[0])
	}
	for i := range rows {
		if len(kernel) > 1 && contradict(all, append(append([]int{}, rows[:i]...), rows[i+1:]...)) {
			return true
		}
	}
	return false
}

// kernel returns a basis of the λ with Σ λ·v = 0, by Gauss–Jordan elimination.
func kernel(all [][]float64, rows []int) [][]*big.Rat {
	m := make([][]*big.Rat, len(all[0]))
	for j := range m {
		for _, i := range rows {
			m[j] = append(m[j], new(big.Rat).SetFloat64(all[i][j]))
		}
	}
	var pivots []int // the column of each reduced row
	for c := 0; c < len(rows) && len(pivots) < len(m); c++ {
		r := len(pivots)
		for i := r; i < len(m); i++ {
			if m[i][c].Sign() != 0 {
				m[r], m[i] = m[i], m[r]
				reduce(m, r, c)
				pivots = append(pivots, c)
				break
			}
		}
	}
	return basis(m, pivots, len(rows))
}

// reduce makes m[r][c] 1, and the rest of column c 0.
func reduce(m [][]*big.Rat, r, c int) {
	pivot := m[r][c]
	for j := range m[r] {
		m[r][j] = new(big.Rat).Quo(m[r][j], pivot)
	}
	for i := range m {
		factor := m[i][c]
		for j := range m[i] {
			if i != r {
				m[i][j] = new(big.Rat).Sub(m[i][j], new(big.Rat).Mul(factor, m[r][j]))
			}
		}
	}
}

// basis returns one vector for each column without a pivot.
func basis(m [][]*big.Rat, pivots []int, n int) [][]*big.Rat {
	isPivot := make([]bool, n)
	for _, c := range pivots {
		isPivot[c] = true
	}
	var all [][]*big.Rat
	for free := range n {
		if isPivot[free] {
			continue
		}
		v := make([]*big.Rat, n)
		for j := range v {
			v[j] = new(big.Rat)
		}
		v[free] = big.NewRat(1, 1)
		for r, c := range pivots {
			v[c].Sub(v[c], m[r][free])
		}
		all = append(all, v)
	}
	return all
}

// oneSign reports whether no entry of v is negative. One entry of v is 1.
func oneSign(v []*big.Rat) bool {
	for _, a := range v {
		if a.Sign() < 0 {
			return false
		}
	}
	return true
}
