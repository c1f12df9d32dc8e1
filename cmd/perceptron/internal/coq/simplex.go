package coq

import (
	"context"
	"math/big"
)

// A simplex solves, in exact integers, for the rows z of dimension d:
//
//	minimise Σ(pⱼ + qⱼ) subject to Σλᵢzᵢ + p − q = 0, Σλᵢ = 1 and λ, p, q ≥ 0.
//
// If the minimum is 0, λ proves that no hyperplane separates the rows. Otherwise the
// dual solution y separates them: t = min⟨−y, z⟩ is the minimum.
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

// solve returns w and λ: either ⟨w, z⟩ > 0 on every row, or Σλz = 0. It tries the rows
// with a multiplier in start before the others. It ends early with the error of ctx.
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

// newSimplex returns the basis of the first row, and p or q for each coordinate.
func newSimplex(Z []vector) *simplex {
	s := &simplex{Z: Z, d: len(Z[0]), det: big.NewInt(1)}
	for j, v := range Z[0] {
		row, sign := zeros(s.d+1), int64(1)
		column := j
		if v.Sign() > 0 { // p − q = −z needs q
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

// dual returns (y, t)·det, the sum of the rows of inverse whose column costs 1.
func (s *simplex) dual() vector {
	y := zeros(s.d + 1)
	for k, column := range s.basis {
		if column < 2*s.d {
			y.addTimes(big.NewInt(1), s.inverse[k])
		}
	}
	return y
}

// improve makes one step, and reports whether it did. The column with the lowest
// index enters (Bland 1977), so no basis returns.
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

// entering returns the first column that lowers the sum, or −1.
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

// column returns inverse times a column.
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

// leaving returns the row whose basic variable reaches 0 first. Of several it returns
// the one with the lowest column. There is one, because no sum of lengths is negative.
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

// pivot updates inverse and det for a column that replaces that of row r, and for
// u = inverse·column.
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
