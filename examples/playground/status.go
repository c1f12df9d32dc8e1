package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// status describes the state of the training.
func (t *training) status() string {
	switch {
	case len(t.X) == 0:
		return "There are no points. In free play, click the plane to add one, or load a set of points."
	case t.err != nil:
		return "Stopped: " + plain(t.err) + "."
	case t.Model == byHand:
		return t.handStatus()
	}
	count := plural(t.updates(), t.noun()) + " in " + plural(t.last.N, "epoch")
	switch t.last.Stop {
	case perceptron.Converged:
		return "Converged: every point is on the right side" + t.byHow() + ". " + count + t.atMost() + "."
	case perceptron.Cycled:
		return "Cycled: the weights have returned to earlier values, so the run would never end. " + count + "."
	case perceptron.EpochLimit:
		return "Stopped at the limit of " + plural(t.last.N, "epoch") + ": the run has not converged. " + plural(t.updates(), t.noun()) + "."
	}
	return t.progress()
}

func (t *training) handStatus() string {
	right, err := t.right()
	switch {
	case err != nil:
		return "Stopped: " + plain(err) + "."
	case t.W1 == 0 && t.W2 == 0 && t.space() == perceptron.Linear:
		return "Both weights are 0, so there is no line: every point has the score 0."
	case t.W1 == 0 && t.W2 == 0:
		return "Both weights are 0, so there is no line: every point has the score b."
	case right == len(t.X):
		return "Your line has all " + plural(right, "point") + " correct."
	}
	return "Your line has " + strconv.Itoa(right) + " of " + plural(len(t.X), "point") + " correct."
}

// progress describes the last update.
func (t *training) progress() string {
	epoch := "Epoch " + strconv.Itoa(t.last.N+1) + ". "
	if t.at == 0 && t.last.N > 0 {
		epoch = "Epoch " + strconv.Itoa(t.last.N) + " is over. "
	}
	if t.updates() == 0 {
		return "Ready: the weights are zero. Step makes the first update."
	}
	i, wrong := t.problem.missed[0], "wrong"
	if t.Model == "Margin" {
		wrong = "not right by a large enough margin"
	}
	return epoch + "Point " + strconv.Itoa(i+1) + " (" + sign(t.y[i]) + ") was " + wrong + ". The line tilts to correct it."
}

// noun returns the name of what Result.Mistakes counts for the model.
func (f fields) noun() string {
	if f.Model == "Online" {
		return "mistake"
	}
	return "update"
}

func (t *training) byHow() string {
	switch {
	case t.Model != "Margin":
		return ""
	case t.Gamma > 0:
		return " with a margin of more than γ′/2"
	}
	return " by more than θ"
}

// atMost returns the bound in words, if it is finite.
func (t *training) atMost() string {
	bound := t.problem.bound()
	if !(bound <= math.MaxFloat64) {
		return ""
	}
	return " (at most " + count(bound) + " promised)"
}

// verdict says what is known about a separating line. It says "Proved" only if the points were
// proved inseparable in exact arithmetic.
func (b *problem) verdict() string {
	x := map[perceptron.Space]string{perceptron.Linear: "x", perceptron.Affine: "(x, 1)"}[b.space]
	switch gamma, _ := b.margin(); {
	case b.sep.Separable:
		return "Separable: a line has all + on one side and all − on the other."
	case b.proved:
		return "Proved: no line separates the points. The ringed points contradict each other: Σ λ·y·" + x + " = 0 for these λ, up to their rounding."
	case gamma > 0:
		return "Separable: the line of this run has a margin of " + below(gamma, 2) + " or more. No line has a margin above " + above(b.sep.Upper, 2) + "."
	}
	return "No separating line was found. None has a margin above " + above(b.sep.Upper, 2) + "."
}

// inequalities describes the last update in two sentences: how much ⟨u, w⟩ and ‖w‖² grew, and the
// bounds of the theorem on this growth.
func (b *problem) inequalities() (along, size string) {
	if b.k == 0 || !b.sep.Separable {
		return "", ""
	}
	along = "⟨u, w⟩ grew by " + number(b.along(b.plane)-b.along(b.before)) + ". It grows by at least " + b.inUnits("ηγ") + " = " + number(b.low(1)) + "."
	most, name := b.swell(length(b.before))
	swelled := dot(b.plane, b.plane) - dot(b.before, b.before) // exact for numbers with few digits
	grew := "grew by " + number(swelled)
	if swelled < 0 {
		grew = "fell by " + number(-swelled)
	}
	return along, "‖w‖² " + grew + ". It grows by at most " + b.inUnits(name) + " = " + number(most) + "."
}

// inUnits returns a formula without η where η is 1.
func (f fields) inUnits(formula string) string {
	if f.rate() != 1 {
		return formula
	}
	return strings.NewReplacer("η²", "", "η", "").Replace(formula)
}

// sum describes the last update of Online or Margin as a sum of vectors.
func (t *training) sum() string {
	if t.problem == nil || t.updates() == 0 || t.err != nil {
		return ""
	}
	b, i := t.problem, t.problem.missed[0]
	eta, name, sign := "", "(w, b)", " + "
	if t.rate() != 1 {
		eta = number(t.rate()) + "·"
	}
	if t.space() == perceptron.Linear {
		name = "w"
	}
	if b.y[i] < 0 {
		sign = " − "
	}
	x := perceptron.Hyperplane{Weights: t.X[i], Bias: 1}
	return name + " = " + t.tuple(b.before) + sign + eta + t.tuple(x) + " = " + t.tuple(b.plane)
}

// tuple formats (w, b), or w for lines through the origin.
func (f fields) tuple(h perceptron.Hyperplane) string {
	all := append(slices.Clone(h.Weights), h.Bias)
	if len(h.Weights) == 0 {
		all = make([]float64, 3)
	}
	if f.space() == perceptron.Linear {
		all = all[:2]
	}
	var parts []string
	for _, v := range all {
		parts = append(parts, digits(v+0, 4))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
