package main

import (
	"math/big"
	"slices"

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

// contradict reports whether some of the vectors v with indices in rows contradict each other: whether
// λ ≥ 0, not all zero, exist with Σ λ·v = 0. Then no line separates the points (Gordan 1873).
// contradict computes with rational numbers, so that a result of true is a proof.
//
// G has the scalar products of the vectors. If the solutions of Gλ = 0 are the multiples of one λ,
// the cofactors of the first row of G are that λ, times λ₀ and a constant. If all these cofactors
// are zero, contradict tries each set with one row less.
func contradict(all [][]float64, rows []int) bool {
	if len(rows) == 0 || len(rows) > len(all[0])+1 { // a contradiction never needs more rows
		return false
	}
	G := products(all, rows)
	if determinant(G).Sign() != 0 {
		return false // the vectors are linearly independent
	}
	low, high := 0, 0
	for j := range G {
		sign := determinant(minor(G, j)).Sign() * (1 - j%2*2)
		low, high = min(low, sign), max(high, sign)
	}
	for i := range rows {
		if low == 0 && high == 0 && contradict(all, slices.Delete(slices.Clone(rows), i, i+1)) {
			return true
		}
	}
	return low != high && low*high == 0
}

// against returns points that are proved to contradict each other: one at the origin, two if two alone
// do, and else those with λ > 0.
func (p *problem) against() []int {
	if !p.proved {
		return nil
	}
	all := signed(p.X, p.y, p.space)
	for i := range all {
		if contradict(all, []int{i}) {
			return []int{i}
		}
		for j := range i {
			if rows := []int{j, i}; all[i][0]*all[j][1] == all[i][1]*all[j][0] && contradict(all, rows) {
				return rows
			}
		}
	}
	return p.support()
}

// products returns the scalar products of the vectors in rows.
func products(all [][]float64, rows []int) [][]*big.Rat {
	G := make([][]*big.Rat, len(rows))
	for a, i := range rows {
		for _, j := range rows {
			sum := new(big.Rat)
			for c, v := range all[i] {
				sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(all[j][c])))
			}
			G[a] = append(G[a], sum)
		}
	}
	return G
}

// determinant computes a determinant by expansion along the first row.
func determinant(m [][]*big.Rat) *big.Rat {
	if len(m) == 0 {
		return big.NewRat(1, 1)
	}
	sum := new(big.Rat)
	for j, v := range m[0] {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).Mul(v, determinant(minor(m, j))), big.NewRat(int64(1-j%2*2), 1)))
	}
	return sum
}

// minor returns m without its first row and column j.
func minor(m [][]*big.Rat, j int) [][]*big.Rat {
	var rest [][]*big.Rat
	for _, row := range m[1:] {
		rest = append(rest, slices.Delete(slices.Clone(row), j, j+1))
	}
	return rest
}
