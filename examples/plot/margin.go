package main

import (
	"fmt"

	"perceptron"
)

// A separator is a hyperplane found by one method.
type separator struct {
	method     string
	hyperplane perceptron.Hyperplane
	gamma      float64 // the margin that it achieves
	support    []int   // support vectors, which prove that no margin is larger; only from Separate
}

// separators returns the separators found by Separate, Margin and Online.
func separators(s set) ([]separator, error) {
	sep, err := perceptron.Separate(s.X, s.y, perceptron.Affine)
	if err != nil {
		return nil, err
	}
	if !sep.Separable {
		return nil, fmt.Errorf("%w by a margin of more than %.2g", errInseparable, sep.Upper)
	}
	best := separator{method: "Separate", hyperplane: sep.Hyperplane, gamma: sep.Lower}
	for i, lambda := range sep.Multipliers {
		if lambda > 0 {
			best.support = append(best.support, i)
		}
	}
	found := []separator{best}
	for _, run := range []struct {
		name  string
		model interface {
			perceptron.Model
			Hyperplane() perceptron.Hyperplane
		}
	}{
		{"Margin", &perceptron.Margin{MaxEpochs: most}},
		{"Online", &perceptron.Online{MaxEpochs: most}},
	} {
		if _, err := run.model.Fit(s.X, s.y); err != nil {
			return nil, err
		}
		h := run.model.Hyperplane()
		gamma, err := perceptron.Gamma(h, s.X, s.y, perceptron.Affine)
		if err != nil {
			return nil, err
		}
		found = append(found, separator{method: run.name, hyperplane: h, gamma: gamma})
	}
	return found, nil
}

// drawMargins shows the three separators side by side. Dashed lines bound the margin of
// each. No point lies between them.
func drawMargins(s set) (figure, error) {
	found, err := separators(s)
	if err != nil {
		return figure{}, err
	}
	f := figure{
		title:  "The greatest margin γ, and what two perceptrons find: " + s.name,
		height: 270,
		cols:   3,
		equal:  true, // so that a margin looks as wide in every direction as it is
	}
	for _, sep := range found {
		title := fmt.Sprintf("%s: γ = %.4f", sep.method, sep.gamma)
		if sep.support == nil {
			title += fmt.Sprintf(", %.0f %% of it", 100*sep.gamma/found[0].gamma)
		}
		p := panel(title, s.axes[0], s.axes[1])
		h := s.uncentred(sep.hyperplane)
		p.Add(region{[]perceptron.Hyperplane{h}, tint(blue)})
		if err := s.addPoints(p, sep.support...); err != nil {
			return figure{}, err
		}
		if level := sep.gamma * norm(sep.hyperplane); level > 0 {
			p.Add(line{h, level, dashed}, line{h, -level, dashed})
		}
		p.Add(line{h, 0, solid})
		f.panels = append(f.panels, p)
	}
	f.key = append(s.key(),
		entry{text: "support vector", glyph: ring},
		entry{text: "line; tinted: " + s.classes[0].name, line: solid},
		entry{text: "|score| = γ‖(w, b)‖", line: dashed})
	return f, nil
}
