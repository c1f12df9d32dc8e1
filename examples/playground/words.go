package main

import (
	"math"
	"strconv"
	"strings"

	"perceptron"
)

// number formats v with a few digits, in mathematical notation.
func number(v float64) string { return digits(v, 5) }

// exactly formats v with all its digits.
func exactly(v float64) string { return digits(v, -1) }

func digits(v float64, n int) string {
	if math.IsInf(v, +1) {
		return "∞"
	}
	text := strconv.FormatFloat(v, 'g', n, 64)
	if math.Abs(v) >= 1 && math.Abs(v) < 1e15 && math.Trunc(v) == v {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.ReplaceAll(text, "-", "−")
}

// sign returns the name of a class.
func sign(label int) string {
	switch {
	case label == +1:
		return "+"
	case label == -1:
		return "−"
	}
	return strings.ReplaceAll(strconv.Itoa(label), "-", "−")
}

// plain returns the text of an error without the package's name. The page counts
// points from 1.
func plain(err error) string {
	if at, ok := err.(*perceptron.ExampleError); ok {
		return "point " + strconv.Itoa(at.Index+1) + ": " + plain(at.Err)
	}
	return strings.TrimPrefix(err.Error(), "perceptron: ")
}

// status describes the state of the training.
func (t *training) status() string {
	switch {
	case len(t.X) == 0:
		return "There are no points. Click the plane to add one, or load a set of points."
	case t.err != nil:
		return "Stopped: " + plain(t.err) + "."
	}
	count := plural(t.updates(), t.noun()) + " in " + plural(t.last.N, "epoch")
	switch t.last.Stop {
	case perceptron.Converged:
		return "Converged: every point is on the right side" + t.byHow() + ". " + count + t.atMost() + "."
	case perceptron.Cycled:
		return "Cycled: the weights have returned to earlier values, so the run never ends. " + count + "."
	case perceptron.EpochLimit:
		return "EpochLimit: the run has not converged. " + count + "."
	}
	return t.progress()
}

// progress describes the last update.
func (t *training) progress() string {
	epoch := "Epoch " + strconv.Itoa(t.last.N+1) + ". "
	switch n := len(t.updated); {
	case t.updates() == 0:
		return "Ready: the weights are zero. Step makes the first update."
	case n == 1:
		i := t.updated[0]
		return epoch + "Point " + strconv.Itoa(i+1) + " (" + sign(t.y[i]) + ") was " + t.wrongly() + ". The line tilts to correct it."
	default:
		return epoch + plural(n, "point") + " were wrong. The line tilts by their sum."
	}
}

func (t *training) wrongly() string {
	if t.rule() == "Margin" {
		return "not right by a large enough margin"
	}
	return "wrong"
}

// noun returns what Result.Mistakes counts.
func (f fields) noun() string {
	switch f.rule() {
	case "Online":
		return "mistake"
	case "Batch":
		return "misclassification"
	}
	return "update"
}

func (t *training) byHow() string {
	if t.rule() == "Margin" {
		return " by more than θ"
	}
	return ""
}

// atMost returns the bound in words, if there is one problem and a finite bound.
func (t *training) atMost() string {
	if len(t.problems) > 1 {
		return ""
	}
	bound := t.problems[0].bound()
	if !(bound <= math.MaxFloat64) {
		return ""
	}
	return " (at most " + number(math.Floor(bound)) + " possible)"
}

// verdict reports whether lines separate the points.
func (t *training) verdict() string {
	if len(t.problems) == 0 {
		return ""
	}
	var apart []string
	var upper float64
	for _, b := range t.problems {
		if !b.sep.Separable {
			apart = append(apart, sign(b.class))
			upper = max(upper, b.sep.Upper)
		}
	}
	contradiction := " has a margin above " + digits(upper, 2) + ". The ringed points contradict each other: ‖Σ λ·y·(x, 1)‖ is not larger than that."
	switch {
	case len(apart) == 0 && len(t.problems) > 1:
		return "Separable: for each class, a line has the class on one side and the rest on the other."
	case len(apart) == 0:
		return "Separable: a line has all + on one side and all − on the other."
	case len(t.problems) > 1:
		return "Inseparable from the rest: " + strings.Join(apart, ", ") + ". No line" + contradiction
	}
	return "Inseparable: no line" + contradiction
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
