package coq

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestParseDecimal checks the text for Coq and the value.
func TestParseDecimal(t *testing.T) {
	for s, want := range map[string]string{
		"0": "0", "-0": "0", "-0.00e5": "0.00e5", "12": "12", "+12": "12", " 0.10 ": "0.10", ".5": "0.5", "-.5": "-0.5", "5.": "5",
		"1e3": "1e3", "1E+3": "1e3", "-1.25e-07": "-1.25e-7", "5.e1": "5e1", "00.1": "00.1", "1e-1000": "1e-1000",
		"0.1000000000000000000001": "0.1000000000000000000001",
	} {
		d, err := parseDecimal(s)
		if err != nil || d.text != want {
			t.Errorf("%q: %q, %v; want %q", s, d.text, err, want)
			continue
		}
		exact, ok := new(big.Rat).SetString(strings.TrimSpace(s))
		if !ok {
			t.Fatal(s)
		}
		if got := rational(d); got.Cmp(exact) != 0 {
			t.Errorf("%q: %v·10^%d", s, d.m, d.e)
		}
	}
	for _, s := range []string{"", ".", "-", "e5", "1e", "1e+-5", "1e5.0", "--1", "1_0", "0x1p3", "NaN", "Inf", "1,5", "1 2", "1e1001", "1e-1001", "1e-99999999999999999999", "١"} {
		if d, err := parseDecimal(s); err == nil {
			t.Errorf("%q: %q", s, d.text)
		}
	}
}

// rational returns the value of d.
func rational(d decimal) *big.Rat {
	v := new(big.Rat).SetInt(new(big.Int).Mul(d.m, power10(max(d.e, 0))))
	return v.Quo(v, new(big.Rat).SetInt(power10(max(-d.e, 0))))
}

// TestNewDecimal checks that the text has the value, for each form of it.
func TestNewDecimal(t *testing.T) {
	for _, c := range []struct {
		m    int64
		e    int
		want string
	}{{0, 7, "0"}, {5, 0, "5"}, {50, -1, "5"}, {5, 6, "5000000"}, {5, 7, "5e7"}, {15, 7, "1.5e8"}, {15, -1, "1.5"}, {15, -7, "0.0000015"}, {15, -8, "1.5e-7"}, {1, -9, "1e-9"}} {
		d := newDecimal(big.NewInt(c.m), c.e)
		back, err := parseDecimal(d.text)
		if d.text != c.want || err != nil || rational(back).Cmp(rational(d)) != 0 || rational(d).Cmp(rational(decimal{"", big.NewInt(c.m), c.e})) != 0 {
			t.Errorf("%d·10^%d: %q, want %q", c.m, c.e, d.text, c.want)
		}
	}
}

// TestQuotientRoot checks that the root is rounded as asked, by less than a part in 10¹⁵.
func TestQuotientRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a := new(big.Int).Mul(big.NewInt(r.Int64N(1<<60)+1), power10(r.IntN(80)))
		b := new(big.Int).Mul(big.NewInt(r.Int64N(1<<60)+1), power10(r.IntN(80)))
		exact := new(big.Rat).SetFrac(a, b)
		for _, up := range []bool{false, true} {
			v := rational(quotientRoot(a, b, 0, up))
			square := new(big.Rat).Mul(v, v)
			if c := square.Cmp(exact); up && c < 0 || !up && c > 0 {
				t.Fatalf("√(%v/%v): %v, up is %v", a, b, v, up)
			}
			off, _ := square.Quo(square, exact).Float64()
			if off < 1-1e-14 || off > 1+1e-14 {
				t.Fatalf("√(%v/%v): %v is off by %v", a, b, v, off-1)
			}
		}
	}
	if d := quotientRoot(big.NewInt(9), big.NewInt(4), 1, true); d.text != "15" {
		t.Errorf("10·√(9/4) is %s", d.text)
	}
}

// TestAdd checks the errors of rows.
func TestAdd(t *testing.T) {
	tab := &Table{}
	if err := tab.Add([]string{"1", "2"}, true, 1); err != nil {
		t.Fatal(err)
	}
	if err := tab.Add([]string{"1"}, true, 2); err == nil {
		t.Error("a short row was added")
	}
	var bad *NumberError
	if err := tab.Add([]string{"1", "x"}, true, 2); !errors.As(err, &bad) || bad.Feature != 1 || errors.Unwrap(err) != bad.Err {
		t.Errorf("%v, want feature 1 and its error", err)
	}
	if len(tab.rows) != 1 {
		t.Errorf("%d rows", len(tab.rows))
	}
}
