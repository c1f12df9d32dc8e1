package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// A picture contains everything that the page draws. The page computes only pixels.
// Places are in views from the middle of the plane. Numbers are texts.
type picture struct {
	Fields     fields   `json:"fields"`
	Models     []string `json:"models"`
	Multiclass bool     `json:"multiclass"`
	View       string   `json:"view"` // the coordinate of the plane's edge
	Points     []mark   `json:"points"`
	Regions    []region `json:"regions"`
	Lines      []line   `json:"lines"`
	Cards      []card   `json:"cards"`
	Running    bool     `json:"running"` // training can continue
	Stop       string   `json:"stop"`
	Status     string   `json:"status"`  // the training, in words
	Verdict    string   `json:"verdict"` // whether the points are separable, in words
	Refusal    string   `json:"refusal"` // the error of the last request
	Epoch      string   `json:"epoch"`
	Loss       string   `json:"loss"`
	Accuracy   string   `json:"accuracy"`
}

// A mark is a point as the page draws it.
type mark struct {
	point
	U       vec      `json:"u"`
	Name    string   `json:"name"`    // for screen readers
	Updated bool     `json:"updated"` // the last update used it
	Rings   []string `json:"rings"`   // its multipliers, if it contradicts others
}

// A card contains the numbers of one problem.
type card struct {
	Class  int    `json:"class"`
	Title  string `json:"title"`
	K      string `json:"k"`
	Length string `json:"length"`
	R      string `json:"r"`
	Lower  string `json:"lower"`
	Upper  string `json:"upper"`
	Bound  string `json:"bound"`
	Chart  *chart `json:"chart"`
}

func (p *playground) picture() picture {
	t := p.training
	pic := picture{
		Fields: p.fields, Models: models, Multiclass: p.fields.multiclass(), View: number(p.view),
		Points: p.marks(), Running: t.running(), Stop: t.last.Stop.String(), Status: t.status(), Verdict: t.verdict(),
		Epoch: strconv.Itoa(t.last.N), Loss: "–", Accuracy: "–",
		Regions: []region{}, Lines: p.lines(), Cards: []card{},
	}
	if p.refusal != nil {
		pic.Refusal = plain(p.refusal)
	}
	if t.last.N > 0 {
		pic.Loss = number(t.last.Loss)
		if share, err := perceptron.Accuracy(t.model, t.X, t.y); err == nil {
			pic.Accuracy = number(100*share) + " %"
		}
	}
	if t.updates() > 0 {
		classes, planes := t.planes()
		if kept := t.kept(); kept != nil {
			planes = kept
		}
		pic.Regions = regions(classes, planes, p.view)
	}
	for _, b := range t.problems {
		pic.Cards = append(pic.Cards, b.card(len(t.problems) > 1))
	}
	return pic
}

// planes returns the iterates and their classes.
func (t *training) planes() (classes []int, planes []perceptron.Hyperplane) {
	for _, b := range t.problems {
		classes, planes = append(classes, b.class), append(planes, b.plane)
	}
	return classes, planes
}

// lines returns the iterates, the iterates before the last update, and the
// hyperplanes that predict if they differ from the iterates.
func (p *playground) lines() []line {
	lines := []line{}
	kept := p.training.kept()
	for i, b := range p.training.problems {
		class := b.class
		if !p.fields.multiclass() {
			class = 0
		}
		if len(b.missed) > 0 {
			lines = append(lines, lineOf(class, "old", b.before, p.view)...)
		}
		if kept != nil {
			lines = append(lines, lineOf(class, "kept", kept[i], p.view)...)
		}
		lines = append(lines, lineOf(class, "new", b.plane, p.view)...)
	}
	return lines
}

func (p *playground) marks() []mark {
	marks := make([]mark, len(p.points))
	for i, at := range p.points {
		rings := p.training.rings(i)
		name := "point " + strconv.Itoa(i+1) + ", class " + sign(at.Label) + ", at " + number(at.X) + ", " + number(at.Y)
		if len(rings) > 0 {
			name += ", contradicts other points, λ " + strings.Join(rings, ", ")
		}
		updated := slices.Contains(p.training.updated, i)
		if updated {
			name += ", in the last update"
		}
		marks[i] = mark{at, vec{at.X / p.view, at.Y / p.view}, name, updated, rings}
	}
	return marks
}

// rings returns the multipliers of point i in the inseparable problems.
func (t *training) rings(i int) []string {
	rings := []string{}
	for _, b := range t.problems {
		if b.sep.Separable || b.sep.Multipliers[i] == 0 {
			continue
		}
		text := strconv.FormatFloat(b.sep.Multipliers[i], 'g', 2, 64)
		if len(t.problems) > 1 {
			text = sign(b.class) + ": " + text
		}
		rings = append(rings, text)
	}
	return rings
}

func (b *problem) card(several bool) card {
	c := card{
		Class: b.class, K: plural(b.k, b.noun()), Length: number(b.length()), R: number(b.sep.Radius),
		Lower: exactly(b.sep.Lower), Upper: exactly(b.sep.Upper), Bound: number(math.Floor(b.bound())), Chart: b.chart(),
	}
	c.Title = "The theorem and this run"
	if several {
		c.Title = "Class " + sign(b.class) + " against the rest"
	}
	return c
}
