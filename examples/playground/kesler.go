package main

import (
	"errors"
	"slices"
	"strconv"

	"perceptron"
)

// Multiclass trains all classes together. To the theorem it is one problem: that of two
// classes on the rows z with ⟨W, z⟩ = s_y − s_r, all labelled +1 (Kesler's construction).
// W is the stack of all hyperplanes.

// classesOf returns the classes, ascending.
func classesOf(y []int) []int { return slices.Compact(slices.Sorted(slices.Values(y))) }

// kesler returns a row for each point and each class r other than its own: (x, 1) at the
// place of the point's class, and −(x, 1) at that of r.
func kesler(X [][]float64, y, classes []int) (rows [][]float64) {
	for i, x := range X {
		for _, r := range classes {
			if r == y[i] {
				continue
			}
			z := make([]float64, 3*len(classes))
			own, rival := slices.Index(classes, y[i]), slices.Index(classes, r)
			for j, v := range []float64{x[0], x[1], 1} {
				z[3*own+j], z[3*rival+j] = v, -v
			}
			rows = append(rows, z)
		}
	}
	return rows
}

// rivals returns the classes other than that of the point, in the order of kesler's rows.
func rivals(own int, classes []int) []int {
	return slices.DeleteFunc(slices.Clone(classes), func(c int) bool { return c == own })
}

// stack returns all hyperplanes as one vector.
func stack(planes []perceptron.Hyperplane) (w perceptron.Hyperplane) {
	for _, h := range planes {
		w.Weights = append(append(w.Weights, h.Weights...), h.Bias)
	}
	return w
}

// unstack returns the hyperplanes of a stack.
func unstack(w perceptron.Hyperplane) (planes []perceptron.Hyperplane) {
	for v := range slices.Chunk(w.Weights, 3) {
		planes = append(planes, perceptron.Hyperplane{Weights: v[:2:2], Bias: v[2]})
	}
	return planes
}

// A lead repeats the updates of Multiclass one by one, without Keep.
type lead struct {
	*perceptron.Multiclass
	classes []int
	rival   int // of the last update
}

var errOneClass = errors.New("all points have one class; Multiclass compares two or more")

// newLead returns a lead at zero that knows all classes, as the library's run does when
// it begins. It meets the classes at the origin, where these updates cancel exactly.
func newLead(f fields, classes []int) (*lead, error) {
	if len(classes) < 2 {
		return nil, errOneClass
	}
	f.Order = perceptron.Cyclic
	l := &lead{Multiclass: f.build(perceptron.Last).(*perceptron.Multiclass), classes: classes}
	y := classes[:2:2]
	for _, c := range classes[2:] {
		y = append(y, c, classes[0])
	}
	X := make([][]float64, len(y))
	for i := range X {
		X[i] = make([]float64, 2)
	}
	for _, err := range l.Epochs(X, y) {
		return l, err
	}
	return l, nil
}

// Update learns a point and notes its rival.
func (l *lead) Update(x []float64, y int) (bool, error) {
	scores, err := l.Scores(nil, x)
	if err != nil {
		return false, err
	}
	updated, err := l.Multiclass.Update(x, y)
	if !updated {
		return false, err
	}
	first := true
	for c, score := range scores {
		if l.classes[c] != y && (first || score > scores[slices.Index(l.classes, l.rival)]) {
			l.rival, first = l.classes[c], false
		}
	}
	return true, nil
}

// newJoint returns the problem of Multiclass.
func newJoint(f fields, X [][]float64, y []int, l *lead) (*problem, error) {
	rows := kesler(X, y, l.classes)
	ones := slices.Repeat([]int{+1}, len(rows))
	R, err := perceptron.Radius(X, perceptron.Affine)
	if err != nil {
		return nil, err
	}
	p, err := newProblem(f, rows, ones, perceptron.Linear)
	if err != nil {
		return nil, err
	}
	p.radius, p.plane = R, perceptron.Hyperplane{Weights: make([]float64, len(rows[0]))}
	p.update = func(i int) (bool, error) { return l.Update(X[i], y[i]) }
	p.current = func() perceptron.Hyperplane { return stack(l.Hyperplanes().Planes) }
	return p, nil
}

// compared describes the last update, on point i.
func (t *training) compared(i int) string {
	own, rival := sign(t.y[i]), sign(t.lead.rival)
	much := ""
	if t.rule() == "Margin" {
		much = " enough"
	}
	return "Point " + strconv.Itoa(i+1) + ": its class " + own + " did not score" + much + " more than " + rival +
		". The point is added to the weights of " + own + ", and taken from those of " + rival + "."
}

// sums writes the last update as two sums. x is what was added to the weights of class y.
func (t *training) sums(y int, x string) string {
	before, after := unstack(t.problems[0].before), unstack(t.problems[0].plane)
	moved := func(class int, by string) string {
		c := slices.Index(t.lead.classes, class)
		return "(w, b) of " + sign(class) + " = " + triple(before[c]) + by + x + " = " + triple(after[c])
	}
	return moved(y, " + ") + "; " + moved(t.lead.rival, " − ")
}

func (b *problem) jointVerdict() string {
	switch gamma, _ := b.margin(); {
	case b.sep.Separable:
		return "Separable: with some weights, the class of every point has the highest score."
	case b.proved:
		return "Proved: with no weights does the class of every point have the highest score. The ringed points contradict each other: Σ λ·z = 0 for these λ, up to their rounding. ⟨W, z⟩ is the score of the point’s class less that of the class beside λ."
	case gamma > 0:
		return "Separable: the weights of this run have a margin of " + below(gamma, 2) + " or more. None have a margin above " + above(b.sep.Upper, 2) + "."
	}
	return "No separating weights were found. None have a margin above " + above(b.sep.Upper, 2) + "."
}

// borders returns the lines where two classes share the highest score.
func borders(kind string, planes []perceptron.Hyperplane, view float64) (lines []line) {
	for i := range planes {
		for j := range i {
			f, ok := halfOf(planes[i], planes[j], view)
			if !ok {
				continue
			}
			_, ends := f.clip(square)
			for k := range planes {
				g, ok := halfOf(planes[i], planes[k], view)
				switch {
				case k == i || k == j || len(ends) != 2:
				case ok:
					ends = g.cut(ends)
				case g.c < 0:
					ends = nil
				}
			}
			if len(ends) == 2 {
				lines = append(lines, line{0, kind, ends})
			}
		}
	}
	return lines
}
