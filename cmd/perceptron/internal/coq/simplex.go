package coq

import (
	"context"
	"math/big"
)

// A simplex solves this problem for the rows zᵢ of dimension d, in exact integers:
//
//	minimise Σ(pⱼ + qⱼ) subject to Σλᵢzᵢ + p − q = 0, Σλᵢ = 1 and λ, p, q ≥ 0.
//
// If the minimum is 0, λ proves that no hyperplane separates the rows. Otherwise −y from the
// dual solution (y, t) separates the rows: t = min⟨−y, z⟩ is the minimum and greater than 0.
//
// Columns 0 … 2d−1 are the unit vectors of p and q; column 2d+i is (zᵢ, 1). The basic
// solution is the last column of inverse/det, where det > 0 is the determinant of the
// basis, up to its sign, so all entries stay integers (Edmonds 1967).
type simplex struct {
	Z       []vector
	d       int
	inverse []vector
	det     *big.Int
	basis   []int // the column of each row of inverse
}

// solve returns w and λ. Either ⟨w, z⟩ > 0 on every row, or Σλz = 0. It prefers rows with a
// multiplier in start to the others as columns of the basis. If ctx is done, it returns the error
// of ctx.
func solve(ctx context.Context, Z []vector, start vector) (w, lambda vector, err error) {
	var order []int
	for i, l := range start {
		if l.Sign() > 0 {
			order = append(order, i)
		}
	}
	for i, l := range start {
		if l.Sign() == 0 {
			order = append(order, i)
		}
	}
	rows := make([]vector, len(Z))
	for k, i := range order {
		rows[k] = Z[i]
	}
	s := newSimplex(rows)
	for s.improve() {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	lambda = zeros(len(Z))
	for k, column := range s.basis {
		if column >= 2*s.d {
			lambda[order[column-2*s.d]].Set(s.inverse[k][s.d])
		}
	}
	return s.dual()[:s.d].times(big.NewInt(-1)).reduced(), lambda.reduced(), nil
}

// newSimplex returns a simplex whose basis has the first row, and pⱼ or qⱼ for each coordinate j.
func newSimplex(Z []vector) *simplex {
	s := &simplex{Z: Z, d: len(Z[0]), det: big.NewInt(1)}
	for j, v := range Z[0] {
		row, sign := zeros(s.d+1), int64(1)
		column := j
		if v.Sign() > 0 { // pⱼ − qⱼ = −v < 0 needs qⱼ
			sign, column = -1, s.d+j
		}
		row[j].SetInt64(sign)
		row[s.d].Mul(v, big.NewInt(-sign))
		s.inverse, s.basis = append(s.inverse, row), append(s.basis, column)
	}
	last := zeros(s.d + 1)
	last[s.d].SetInt64(1)
	s.inverse, s.basis = append(s.inverse, last), append(s.basis, 2*s.d)
	return s
}

// dual returns (y, t)·det. This is the sum of the rows of inverse that belong to a p or q, which
// have cost 1.
func (s *simplex) dual() vector {
	y := zeros(s.d + 1)
	for k, column := range s.basis {
		if column < 2*s.d {
			y.addTimes(big.NewInt(1), s.inverse[k])
		}
	}
	return y
}

// improve makes one step, and reports whether it made a step. Of the columns that can enter the
// basis, the column with the lowest index does (Bland 1977), so no basis occurs twice.
func (s *simplex) improve() bool {
	y := s.dual()
	if y[s.d].Sign() == 0 {
		return false // the minimum is 0
	}
	entering := s.entering(y)
	if entering < 0 {
		return false
	}
	u := s.column(entering)
	leaving := s.leaving(u)
	s.pivot(leaving, u)
	s.basis[leaving] = entering
	return true
}

// entering returns the lowest column whose entry into the basis can lower Σ(pⱼ + qⱼ), or −1.
func (s *simplex) entering(y vector) int {
	for j := range s.d {
		if y[j].Cmp(s.det) > 0 {
			return j
		}
		if new(big.Int).Neg(y[j]).Cmp(s.det) > 0 {
			return s.d + j
		}
	}
	for i, z := range s.Z {
		if score := y[:s.d].dot(z); score.Add(score, y[s.d]).Sign() > 0 {
			return 2*s.d + i
		}
	}
	return -1
}

// column returns inverse times column c.
func (s *simplex) column(c int) vector {
	u := make(vector, s.d+1)
	for k, row := range s.inverse {
		switch {
		case c < s.d:
			u[k] = new(big.Int).Set(row[c])
		case c < 2*s.d:
			u[k] = new(big.Int).Neg(row[c-s.d])
		default:
			u[k] = row[:s.d].dot(s.Z[c-2*s.d])
			u[k].Add(u[k], row[s.d])
		}
	}
	return u
}

// leaving returns the row whose basic variable reaches 0 first when the new column enters. If there
// are several, it returns the row with the lowest column. There always is such a row, because
// Σ(pⱼ + qⱼ) cannot fall below 0.
func (s *simplex) leaving(u vector) int {
	best := -1
	for k := range u {
		if u[k].Sign() <= 0 {
			continue
		}
		if best >= 0 {
			a := new(big.Int).Mul(s.inverse[k][s.d], u[best])
			c := a.Cmp(new(big.Int).Mul(s.inverse[best][s.d], u[k]))
			if c > 0 || c == 0 && s.basis[k] > s.basis[best] {
				continue
			}
		}
		best = k
	}
	return best
}

// pivot updates inverse and det for a new column that replaces the column of row r, where u is
// inverse times the new column.
func (s *simplex) pivot(r int, u vector) {
	pivot := u[r]
	for k, row := range s.inverse {
		if k == r {
			continue
		}
		next := row.times(pivot)
		next.addTimes(new(big.Int).Neg(u[k]), s.inverse[r])
		for _, v := range next {
			v.Quo(v, s.det) // exact
		}
		s.inverse[k] = next
	}
	s.det = pivot
}
