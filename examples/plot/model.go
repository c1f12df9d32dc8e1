package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"perceptron"
)

// A userModel is a saved model, converted to the rows of the file.
type userModel struct {
	kind        string
	labels      []int    // ascending
	names       []string // of the classes
	hyperplanes []perceptron.Hyperplane
	binary      bool // one hyperplane, whose positive side is the second class
	features    int
	threshold   float64 // already subtracted from the bias
}

// bundle is what a program may save beside a model, as far as the pictures need it.
type bundle struct {
	Classes   []string  `json:"classes"`
	Labels    []int     `json:"labels"`
	Names     []string  `json:"names"`
	Mean      []float64 `json:"mean"`
	Scale     []float64 `json:"scale"`
	Threshold float64   `json:"threshold"`
}

// readBundle reads what a program saved beside a model.
func readBundle(file string) (b bundle, err error) {
	text, err := os.ReadFile(file + ".json")
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b); err != nil {
		return b, fmt.Errorf("%s.json: %w", file, err)
	}
	return b, nil
}

// loadModel loads a model and, if it exists, what a program saved beside it.
func loadModel(file string, s *sheet) (*userModel, error) {
	m, err := perceptron.Load(file)
	if err != nil {
		return nil, err
	}
	u := &userModel{kind: fmt.Sprintf("%T", m)[len("*perceptron."):]}
	switch m := m.(type) {
	case interface{ Hyperplane() perceptron.Hyperplane }:
		u.labels, u.hyperplanes, u.binary = []int{-1, +1}, []perceptron.Hyperplane{m.Hyperplane()}, true
	case interface {
		Hyperplanes() perceptron.Hyperplanes
	}:
		h := m.Hyperplanes()
		u.labels, u.hyperplanes = h.Classes, h.Planes
	}
	if len(u.hyperplanes) == 0 || len(u.hyperplanes[0].Weights) == 0 {
		return nil, fmt.Errorf("%s: the model is untrained", file)
	}
	if u.features = len(u.hyperplanes[0].Weights); u.features != len(s.features) {
		return nil, fmt.Errorf("%s: the model has %d features, but %s has %d", file, u.features, s.file, len(s.features))
	}
	for _, label := range u.labels {
		u.names = append(u.names, strconv.Itoa(label))
	}
	b, err := readBundle(file)
	if errors.Is(err, fs.ErrNotExist) {
		return u, nil
	}
	if err != nil {
		return nil, err
	}
	if err := u.describe(b, s); err != nil {
		return nil, fmt.Errorf("%s.json: %w", file, err)
	}
	return u, nil
}

// describe uses the names of the classes, and folds the standardisation and the
// threshold into the hyperplanes.
func (u *userModel) describe(b bundle, s *sheet) error {
	switch {
	case len(b.Classes) != len(b.Labels) || !slices.Equal(b.Labels, u.labels):
		return fmt.Errorf("labels %v, but the model has %v", b.Labels, u.labels)
	case len(b.Mean) != len(b.Scale) || len(b.Mean) != 0 && len(b.Mean) != u.features:
		return fmt.Errorf("%d means and %d scales for %d features", len(b.Mean), len(b.Scale), u.features)
	case b.Names != nil && !slices.Equal(b.Names, s.features):
		return fmt.Errorf("the features are %q, but %s has %q", b.Names, s.file, s.features)
	}
	u.names = b.Classes
	for k := range u.hyperplanes {
		h := &u.hyperplanes[k]
		for j := range b.Mean {
			h.Weights[j] /= b.Scale[j]
			h.Bias -= h.Weights[j] * b.Mean[j]
		}
		h.Bias -= b.Threshold
	}
	u.threshold = b.Threshold
	return nil
}

// predict returns the label of a row.
func (u *userModel) predict(x []float64) (int, error) {
	best, most := 0, 0.0
	for k, h := range u.hyperplanes {
		score, err := h.Score(x)
		if err != nil {
			return 0, err
		}
		if u.binary {
			if score >= 0 {
				return +1, nil
			}
			return -1, nil
		}
		if k == 0 || score > most {
			best, most = u.labels[k], score
		}
	}
	return best, nil
}

// drawModel shows what the model predicts at each point of the plane, and the margin of
// a model of two classes. Rings mark rows that it predicts wrongly, whole rows and not
// only their positions in the plane.
func (u *userModel) draw(s *sheet, p viewPlane) (figure, error) {
	for i, name := range s.class {
		if !slices.Contains(u.names, name) {
			return figure{}, fmt.Errorf("%s: row %d has class %q, but the model has %q", s.file, i+1, name, u.names)
		}
	}
	if len(u.names) > len(marks) {
		return figure{}, fmt.Errorf("%d classes, want at most %d", len(u.names), len(marks))
	}
	t := p.set(s, u.names, u.labels)
	var wrong []int
	for i, x := range s.X {
		label, err := u.predict(x)
		if err != nil {
			return figure{}, err
		}
		if label != t.y[i] {
			wrong = append(wrong, i)
		}
	}
	hs := make([]perceptron.Hyperplane, len(u.hyperplanes))
	for k, h := range u.hyperplanes {
		hs[k] = p.cut(h)
	}
	if u.binary { // the score of class −1 is the opposite
		hs = []perceptron.Hyperplane{{Weights: []float64{-hs[0].Weights[0], -hs[0].Weights[1]}, Bias: -hs[0].Bias}, hs[0]}
	}
	panel := panel("", p.axes[0], p.axes[1])
	for _, r := range t.regions(hs) {
		panel.Add(r)
	}
	if err := t.addPoints(panel, wrong...); err != nil {
		return figure{}, err
	}
	f := figure{
		title:  fmt.Sprintf("What the %s predicts: %s, %d of %d rows right", u.kind, t.name, len(s.X)-len(wrong), len(s.X)),
		height: 420,
		cols:   1,
		panels: []*plot.Plot{panel},
		equal:  u.binary,
		key:    append(t.key(), entry{text: "misclassified", glyph: ring}),
	}
	return f, u.margin(&f, s, t, hs[len(hs)-1])
}

// margin adds the line of a model of two classes, and its margin if it has one.
func (u *userModel) margin(f *figure, s *sheet, t set, h perceptron.Hyperplane) error {
	if !u.binary {
		return nil
	}
	line0 := line{t.uncentred(h), 0, solid}
	f.panels[0].Add(line0)
	f.key = append(f.key, entry{text: fmt.Sprintf("score %.4g", u.threshold), line: solid})
	gamma, err := perceptron.Gamma(u.hyperplanes[0], s.X, t.y, perceptron.Affine)
	if err != nil || gamma <= 0 {
		return err // there is no margin if a row is wrong
	}
	level := gamma * norm(u.hyperplanes[0])
	f.panels[0].Add(line{line0.Hyperplane, level, dashed}, line{line0.Hyperplane, -level, dashed})
	distance := "|score|"
	if u.threshold != 0 {
		distance = fmt.Sprintf("|score − %.4g|", u.threshold)
	}
	f.key = append(f.key, entry{text: fmt.Sprintf("%s = γ‖(w, b)‖, γ = %.4g", distance, gamma), line: dashed})
	return nil
}
