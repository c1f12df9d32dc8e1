package coq

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// mostExponent limits the exponents of numbers, because integers multiplies by powers of ten up to
// such an exponent.
const mostExponent = 1_000

// A decimal is the number m·10^e, and its text in Coq's notation.
type decimal struct {
	text string
	m    *big.Int
	e    int
}

// parseDecimal returns the exact value of a decimal number in the notation of [strconv.ParseFloat].
// It rejects hexadecimal notation, NaN, infinities and exponents beyond ±mostExponent.
func parseDecimal(s string) (decimal, error) {
	sign, rest := "", strings.TrimSpace(s)
	if strings.HasPrefix(rest, "-") {
		sign = "-"
	}
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	mantissa, exponent, hasExponent := cutAny(rest, "eE")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !onlyDigits(whole+fraction) {
		return decimal{}, fmt.Errorf("%q, want a decimal number", s)
	}
	var e int
	if hasExponent {
		var err error
		digits := strings.TrimLeft(exponent, "+-")
		if e, err = strconv.Atoi(exponent); err != nil || !onlyDigits(digits) || e < -mostExponent || e > mostExponent {
			return decimal{}, fmt.Errorf("%q, want an exponent from -%d to %[2]d", s, mostExponent)
		}
	}
	if whole == "" { // Coq needs a digit before the point, and one after it
		whole = "0"
	}
	d := decimal{e: e - len(fraction)}
	d.m, _ = new(big.Int).SetString(sign+whole+fraction, 10)
	if d.m.Sign() == 0 { // Coq does not read -0
		sign = ""
	}
	d.text = sign + whole
	if fraction != "" {
		d.text += "." + fraction
	}
	if hasExponent {
		d.text += "e" + strconv.Itoa(e)
	}
	return d, nil
}

// cutAny cuts s at its first byte among chars.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// onlyDigits reports whether every byte of s is a digit.
func onlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// scaled returns d·10^−s, an integer for s ≤ d.e.
func (d decimal) scaled(s int) *big.Int { return new(big.Int).Mul(d.m, power10(d.e-s)) }

// power10 returns 10^e.
func power10(e int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(e)), nil)
}

// newDecimal returns m·10^e for m ≥ 0. The result's m has no trailing zeros.
func newDecimal(m *big.Int, e int) decimal {
	digits := strings.TrimRight(m.String(), "0")
	if digits == "" {
		return decimal{text: "0", m: new(big.Int)}
	}
	e += len(m.String()) - len(digits)
	d := decimal{e: e}
	d.m, _ = new(big.Int).SetString(digits, 10)
	const zeros = 6 // most zeros to write before or after the digits; more are hard to count
	switch point := len(digits) + e; {
	case e >= 0 && e <= zeros:
		d.text = digits + strings.Repeat("0", e)
	case e < 0 && point > 0:
		d.text = digits[:point] + "." + digits[point:]
	case e < 0 && point > -zeros:
		d.text = "0." + strings.Repeat("0", -point) + digits
	case len(digits) == 1:
		d.text = digits + "e" + strconv.Itoa(e)
	default:
		d.text = digits[:1] + "." + digits[1:] + "e" + strconv.Itoa(point-1)
	}
	return d
}

// quotientRoot returns √(a/b)·10^e with about 17 digits, for a ≥ 0 and b > 0. It rounds up if up is
// true, and down otherwise.
func quotientRoot(a, b *big.Int, e int, up bool) decimal {
	// The root has about half the digits of the quotient. The factor 10^2f gives the root 17 digits.
	f := 17 - (len(a.String())-len(b.String()))/2
	a, b = new(big.Int).Mul(a, power10(2*max(f, 0))), new(big.Int).Mul(b, power10(2*max(-f, 0)))
	q, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	root := new(big.Int).Sqrt(q)
	if up && (rest.Sign() > 0 || new(big.Int).Mul(root, root).Cmp(q) < 0) {
		root.Add(root, big.NewInt(1))
	}
	return newDecimal(root, e-f)
}
