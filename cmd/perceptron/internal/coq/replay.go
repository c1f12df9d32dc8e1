package coq

import (
	"errors"
	"fmt"
	"math/big"
)

// A RoundingError reports the first decision of a float64 run that differs from the exact run. Coq
// would reject the log of the float64 run.
type RoundingError struct {
	Pass    int  // from 1
	Line    int  // line of the row
	Updated bool // the float64 run updated on the row, and the exact run does not; or the reverse
}

func (e *RoundingError) Error() string {
	rounded, exact := "no update", "makes one"
	if e.Updated {
		rounded, exact = "an update", "makes none"
	}
	return fmt.Sprintf("line %d: rounding changed a decision: in pass %d float64 made %s on it, and exact arithmetic %s", e.Line, e.Pass, rounded, exact)
}

// A replayed is a run in exact arithmetic.
type replayed interface {
	mistake(i int) bool // reports whether row i is a mistake
	learn(i int)        // updates on row i, for which mistake has just returned true
}

// replay compares a log with the exact run, and returns the number of updates. It returns a
// *RoundingError at the first difference.
func (t *Table) replay(passes [][]int, run replayed) (updates int, err error) {
	if len(passes) == 0 || len(passes[len(passes)-1]) > 0 {
		return 0, errors.New("the last pass made updates")
	}
	for p, pass := range passes {
		for k, i := range pass {
			if i < 0 || i >= len(t.rows) || k > 0 && i <= pass[k-1] {
				return 0, fmt.Errorf("pass %d has no ascending indices of rows", p+1)
			}
		}
		updates += len(pass)
		for i, r := range t.rows {
			logged := len(pass) > 0 && pass[0] == i
			if logged {
				pass = pass[1:]
			}
			if mistake := run.mistake(i); mistake != logged {
				return 0, &RoundingError{p + 1, r.line, logged}
			} else if mistake {
				run.learn(i)
			}
		}
	}
	return updates, nil
}

// An onlineReplay is a run of Rosenblatt's rule with η = 1.
type onlineReplay struct {
	Z []vector // the rows, each multiplied by its label y
	w vector

	// exact says that all numbers so far were integers, with Σ|wⱼzⱼ| ≤ 2⁵³ and |wⱼ| ≤ 2⁵³. Then
	// no float64 operation rounded, in whatever order a sum is computed.
	exact bool
}

var exactLimit = big.NewInt(1 << 53)

func (o *onlineReplay) mistake(i int) bool {
	o.exact = o.exact && size(o.w, o.Z[i]).Cmp(exactLimit) <= 0
	return o.w.dot(o.Z[i]).Sign() <= 0
}

func (o *onlineReplay) learn(i int) {
	o.w.addTimes(big.NewInt(1), o.Z[i])
	for _, a := range o.w {
		o.exact = o.exact && a.CmpAbs(exactLimit) <= 0
	}
}

// size returns Σ|aⱼbⱼ|.
func size(a, b vector) *big.Int {
	sum := new(big.Int)
	for j := range a {
		product := new(big.Int).Mul(a[j], b[j])
		sum.Add(sum, product.Abs(product))
	}
	return sum
}

// A classReplay is a run of Kesler's construction with θ = 0 and η = 1.
type classReplay struct {
	X     []vector
	rows  []row
	W     []vector // weights of each class
	rival int      // class with the highest score of the others, for the row of the last mistake call
}

// mistake compares the score of the row's class with the highest score of the other classes. If
// several classes have this score, the rival is the lowest of them.
func (c *classReplay) mistake(i int) bool {
	y := c.rows[i].class
	var highest *big.Int
	for k, w := range c.W {
		if k == y {
			continue
		}
		if s := w.dot(c.X[i]); highest == nil || s.Cmp(highest) > 0 {
			highest, c.rival = s, k
		}
	}
	return highest != nil && c.W[y].dot(c.X[i]).Cmp(highest) <= 0
}

func (c *classReplay) learn(i int) {
	c.W[c.rows[i].class].addTimes(big.NewInt(1), c.X[i])
	c.W[c.rival].addTimes(big.NewInt(-1), c.X[i])
}
