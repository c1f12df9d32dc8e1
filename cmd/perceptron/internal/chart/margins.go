package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/floats"

	"perceptron"
)

// A separator is a hyperplane found by one method.
type separator struct {
	method     string
	hyperplane perceptron.Hyperplane
	gamma      float64 // the margin that it achieves
	support    []int   // rows that prove that no margin is larger; nil unless from Separate
}

// separators returns the separators found by Separate, Margin and Online.
func separators(X [][]float64, y []int) ([]separator, error) {
	// Separate runs first, because the perceptrons converge only if the rows are separable.
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		return nil, err
	}
	if !sep.Separable {
		return nil, fmt.Errorf("no line in the plane of the picture separates the classes by a margin of more than %.2g; regions, roc and bound draw such rows", sep.Upper)
	}
	found := []separator{{method: "Separate", hyperplane: sep.Hyperplane, gamma: sep.Lower}}
	// A row with a multiplier above 0 takes part in the proof that γ cannot be larger.
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			found[0].support = append(found[0].support, i)
		}
	}
	for _, m := range []perceptron.Binary{&perceptron.Margin{MaxEpochs: 10_000}, &perceptron.Online{MaxEpochs: 10_000}} {
		if _, err := m.Fit(X, y); err != nil {
			return nil, err
		}
		h := m.Hyperplane()
		// γ is min y·score/‖(w, b)‖ for all three separators, so the margins can be compared.
		gamma, err := perceptron.Gamma(h, X, y, perceptron.Affine)
		if err != nil {
			return nil, err
		}
		found = append(found, separator{method: strings.TrimPrefix(fmt.Sprintf("%T", m), "*perceptron."), hyperplane: h, gamma: gamma})
	}
	return found, nil
}

// Margins shows the three separators side by side. Two dashed lines bound the margin of each
// separator; no row lies between them. The separators use the positions of the rows in the plane
// of the picture, and not all their features.
func Margins(d *Data) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	found, err := separators(p.T, d.labels())
	if err != nil {
		return nil, err
	}
	f := &Figure{
		Title:  "The largest γ = min y·score/‖(w, b)‖, and what two perceptrons find: " + short(d.Name),
		height: 290, cols: 3, unit: p.unit, // the width of a margin must not depend on its direction
	}
	for _, s := range found {
		title := fmt.Sprintf("%s: γ = %.4g", s.method, s.gamma)
		if s.support == nil {
			title += fmt.Sprintf(", %.0f %% of it", 100*s.gamma/found[0].gamma)
		}
		// The nearest rows have |score| = γ‖(w, b)‖. If γ is at most 0, there are no dashed lines.
		var sides []line
		if level := s.gamma * floats.Norm(append(s.hyperplane.Weights, s.hyperplane.Bias), 2); level > 0 {
			sides = []line{{p, s.hyperplane, level, dashed}, {p, s.hyperplane, -level, dashed}}
		}
		to, err := p.sides(title, s.hyperplane, s.support, sides...)
		if err != nil {
			return nil, err
		}
		f.panels = append(f.panels, to)
	}
	f.key = append(p.key("row that proves γ"),
		entry{text: "line; tinted: " + short(d.Classes[1]), line: solid}, entry{text: "|score| = γ‖(w, b)‖", line: dashed},
		entry{text: "γ counts the bias b: the line of the largest γ need not be the one farthest from the rows"})
	return f, nil
}
