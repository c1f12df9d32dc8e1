package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"perceptron"
)

// number formats v with three digits, in mathematical notation. If that needs a power of ten, it has
// five digits.
func number(v float64) string {
	if math.Abs(v) < 999 {
		return digits(v, 3)
	}
	return digits(v, 5)
}

// above formats v with n digits, rounded up. If v exceeds a number of n digits by no more than
// rounding errors, above returns that number.
func above(v float64, n int) string {
	if math.IsInf(v, 0) || v == 0 {
		return digits(v, n)
	}
	const rounding = 1e-13
	text := strconv.FormatFloat(v, 'e', n-1, 64)
	if got, _ := strconv.ParseFloat(text, 64); got < v-math.Abs(v)*rounding {
		unit, _ := strconv.ParseFloat("1"+text[strings.IndexByte(text, 'e'):], 64)
		for range n - 1 {
			unit /= 10
		}
		text = strconv.FormatFloat(got+unit, 'e', n-1, 64)
	}
	rounded, _ := strconv.ParseFloat(text, 64)
	return digits(rounded, n)
}

// below formats v with n digits, rounded down.
func below(v float64, n int) string {
	text := above(-v, n)
	if size, ok := strings.CutPrefix(text, "−"); ok {
		return size
	}
	if v == 0 {
		return text
	}
	return "−" + text
}

// between formats a number between two known bounds. If both bounds look equal, it writes one number.
func between(lower, upper float64) string {
	if text := number(lower); text == number(upper) {
		return text
	}
	return below(lower, 3) + " to " + above(upper, 3)
}

// count formats a bound on a number of updates.
func count(v float64) string {
	if v < 1e15 {
		return number(math.Floor(v))
	}
	return above(v, 3)
}

func digits(v float64, n int) string {
	if math.IsInf(v, +1) {
		return "∞"
	}
	text := strconv.FormatFloat(v, 'g', n, 64)
	if math.Abs(v) >= 1 && math.Abs(v) < 1e15 && math.Trunc(v) == v {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return minus(text)
}

func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// sign returns the name of the class with a label: − or +.
func sign(label int) string {
	if label < 0 {
		return "−"
	}
	return "+"
}

// plain returns the text of an error without the package's name. It counts points from 1, as the
// page does.
func plain(err error) string {
	if at, ok := err.(*perceptron.ExampleError); ok {
		return "point " + strconv.Itoa(at.Index+1) + ": " + plain(at.Err)
	}
	if errors.Is(err, perceptron.ErrNotFinite) {
		return "the numbers are too large to compute with"
	}
	return strings.TrimPrefix(err.Error(), "perceptron: ")
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
