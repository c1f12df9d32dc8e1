package coq

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// tableOf reads rows like "0.1,1;-2,-1": the last number of each row is the label.
func tableOf(t *testing.T, text string) *Table {
	t.Helper()
	tab := &Table{}
	for i, line := range strings.Split(text, ";") {
		fields := strings.Split(line, ",")
		last := len(fields) - 1
		if err := tab.Add(fields[:last], fields[last] == "1", i+1); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

// check verifies a certificate from the definitions.
func check(t *testing.T, c *Certificate) {
	t.Helper()
	Z, _ := c.t.signed()
	if !valid(c.lambda) {
		t.Fatalf("multipliers %v", c.lambda)
	}
	if !c.Separable {
		if v := mix(c.lambda, Z); !v.isZero() {
			t.Fatalf("the rows mix to %v", v)
		}
		return
	}
	if m := least(c.w, Z); m.Sign() <= 0 {
		t.Fatalf("least score %v", m)
	}
	lower, _ := new(big.Rat).SetString(c.Lower)
	upper, _ := new(big.Rat).SetString(c.Upper)
	if lower.Sign() <= 0 || lower.Cmp(upper) > 0 {
		t.Fatalf("the margin is in [%v, %v]", c.Lower, c.Upper)
	}
}

func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var separable int
	for range 2000 {
		n, d := 1+r.IntN(8), 1+r.IntN(4)
		var rows []string
		for range n {
			row := ""
			for range d {
				row += big.NewInt(int64(r.IntN(7)-3)).String() + ","
			}
			rows = append(rows, row+[]string{"1", "-1"}[r.IntN(2)])
		}
		c, err := tableOf(t, strings.Join(rows, ";")).Certify(make([]float64, d), 0, append(make([]float64, n-1), 1))
		if err != nil {
			t.Fatal(err)
		}
		check(t, c)
		if c.Separable {
			separable++
		}
	}
	if separable < 500 || separable > 1500 {
		t.Errorf("%d of 2000 sets are separable", separable)
	}
}
