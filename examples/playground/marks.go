package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// A mark describes what a board draws at a point. The comments of its fields are about the point.
type mark struct {
	Name    string   `json:"name"`    // for screen readers
	Score   string   `json:"score"`   // the score of the point, as a sum
	Updated bool     `json:"updated"` // the last update used it
	Wrong   bool     `json:"wrong"`   // it is not right now
	Near    bool     `json:"near"`    // its margin with u is less than the γ that the user supposes
	Level   float64  `json:"level"`   // its score as a share; see levels
	Support bool     `json:"support"` // it is on the edge of the band of the greatest γ
	Rings   []string `json:"rings"`   // its multiplier λ, if it is part of a proof of inseparability
}

// marks returns what the board draws at each point.
func (t *training) marks(p *playground) []mark {
	marks := make([]mark, len(p.points))
	right, err := t.correctAll()
	all := t.levels(p.view * p.view / 1.5)
	for i, at := range p.points {
		m := mark{Score: t.score(i), Updated: t.problem != nil && slices.Contains(t.problem.missed, i), Rings: t.rings(i), Level: all[i]}
		m.Wrong = err == nil && t.drawn() && !right[i]
		m.Name = "point " + strconv.Itoa(i+1) + ", class " + sign(at.Label) + ", at " + digits(at.X, 5) + ", " + digits(at.Y, 5)
		if t.problem != nil {
			t.problem.mark(&m, i, p)
		}
		for _, part := range []struct {
			is   bool
			text string
		}{
			{len(m.Rings) > 0, ", contradicts other points, λ " + strings.Join(m.Rings, ", ")}, {m.Support, ", on the edge of the band of the greatest γ"},
			{m.Near, ", too near for this γ"}, {m.Wrong, ", wrong now"}, {m.Updated, ", in the last update"},
		} {
			if part.is {
				m.Name += part.text
			}
		}
		marks[i] = m
	}
	return marks
}

// mark sets Support and Near for point i.
func (b *problem) mark(m *mark, i int, p *playground) {
	u, y := b.sep.Hyperplane, float64(b.y[i])
	if b.sep.Separable {
		m.Support = p.wide && p.gamma == 0 && b.sep.Multipliers[i] > 0 // a supposed γ moves the edge away from these points
		score, err := u.Score(b.X[i])
		m.Near = p.gamma > 0 && (err != nil || y*score < p.gamma*length(u)*(1-1e-9))
	}
}

// levels returns the scores of all points, divided by most, or by the largest absolute value if that is
// larger. If there is no line, it returns zeros.
func (t *training) levels(most float64) []float64 {
	all := make([]float64, len(t.X))
	if !t.drawn() || t.problem == nil {
		return all
	}
	for i, x := range t.X {
		all[i], _ = t.problem.plane.Score(x) // NaN or Inf if it overflows
		most = max(most, math.Abs(all[i]))
	}
	for i, v := range all {
		if all[i] = share(v, most); !finite(all[i]) {
			all[i] = 0
		}
	}
	return all
}

// rings returns the multiplier of point i, if the points are proved to be inseparable.
func (t *training) rings(i int) []string {
	if b := t.problem; b != nil && b.proved && b.sep.Multipliers[i] != 0 {
		return []string{digits(b.sep.Multipliers[i], 2)}
	}
	return []string{}
}

// score returns the score of point i as a text that shows the sum. The text is empty if there is no
// line.
func (t *training) score(i int) string {
	if t.problem == nil || !t.drawn() {
		return ""
	}
	h, x := t.problem.plane, t.X[i]
	score, err := h.Score(x)
	if err != nil {
		return ""
	}
	side := "the + side"
	if score < 0 {
		side = "the − side"
	} else if score == 0 {
		side = "on the line, so not right"
	}
	times := func(w, x float64) string { return bracket(digits(w+0, 3)) + "·" + bracket(digits(x, 3)) }
	bias := ""
	if t.space() == perceptron.Affine {
		bias = " + " + bracket(digits(h.Bias+0, 3))
	}
	return times(h.Weights[0], x[0]) + " + " + times(h.Weights[1], x[1]) + bias + " ≈ " + digits(score+0, 3) + ": " + side
}

// bracket puts brackets around a negative number.
func bracket(text string) string {
	if strings.HasPrefix(text, "−") {
		return "(" + text + ")"
	}
	return text
}
