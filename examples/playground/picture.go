package main

import (
	"strconv"

	"perceptron"
)

// A picture contains everything that the page draws. The page computes only pixels.
// Places are in views from the middle of the plane. Numbers are texts.
type picture struct {
	Models  []string `json:"models"`
	View    string   `json:"view"` // the coordinate of the plane's edge
	Points  []point  `json:"points"`
	Places  []vec    `json:"places"` // of the points
	Boards  []board  `json:"boards"`
	Chapter int      `json:"chapter"`
	Wide    bool     `json:"wide"`
	Running bool     `json:"running"` // training can continue
	Undo    bool     `json:"undo"`
	Redo    bool     `json:"redo"`
	State   string   `json:"state"`   // for a link
	Refusal string   `json:"refusal"` // the error of the last request
}

// A board is the picture of one training.
type board struct {
	Fields     fields   `json:"fields"`
	Multiclass bool     `json:"multiclass"`
	Joint      bool     `json:"joint"`
	Marks      []mark   `json:"marks"` // one for each point
	Regions    []region `json:"regions"`
	Lines      []line   `json:"lines"`
	Arrows     []arrow  `json:"arrows"`
	Band       []vec    `json:"band"` // of the largest margin
	Own        []vec    `json:"own"`  // of the margin of the line
	Cards      []card   `json:"cards"`
	Passes     []pass   `json:"passes"`
	Running    bool     `json:"running"`
	Stop       string   `json:"stop"`
	Status     string   `json:"status"`  // the training, in words
	Sum        string   `json:"sum"`     // the last update as a sum
	Verdict    string   `json:"verdict"` // whether the points are separable, in words
	Epoch      string   `json:"epoch"`   // the last one
	Right      string   `json:"right"`   // the points that are right now
	Noun       string   `json:"noun"`    // what an epoch counts
	W          string   `json:"w"`
	B          string   `json:"b"`
}

// A pass is a finished epoch.
type pass struct {
	N        int    `json:"n"`
	Mistakes int    `json:"mistakes"`
	Share    vec    `json:"share"` // of the largest mistakes and loss shown
	Loss     string `json:"loss"`
}

// A card contains the numbers of one problem.
type card struct {
	Class  int    `json:"class"`
	Title  string `json:"title"`
	K      string `json:"k"`
	Length string `json:"length"`
	R      string `json:"r"`
	Gamma  string `json:"gamma"`
	Bound  string `json:"bound"`
	Margin string `json:"margin"` // of the line now
	Along  string `json:"along"`  // the first inequality at the last update
	Size   string `json:"size"`   // the second
	Chart  *chart `json:"chart"`
}

func (p *playground) picture(refusal error) picture {
	pic := picture{
		Models: models, View: number(p.view), Points: append([]point{}, p.points...), Places: make([]vec, len(p.points)),
		Chapter: p.chapter, Wide: p.wide, Undo: len(p.past) > 0, Redo: len(p.future) > 0, State: p.state().text(),
	}
	for i, at := range p.points {
		pic.Places[i] = vec{at.X / p.view, at.Y / p.view}
	}
	for _, t := range p.boards {
		pic.Boards = append(pic.Boards, t.board(p.points, p.view, p.wide))
		pic.Running = pic.Running || t.running()
	}
	if refusal != nil {
		pic.Refusal = plain(refusal)
	}
	return pic
}

func (t *training) board(points []point, view float64, wide bool) board {
	pic := board{
		Fields: t.fields, Multiclass: t.multiclass(), Joint: t.joint(), Marks: t.marks(points, wide),
		Regions: []region{}, Lines: t.lines(view, wide), Arrows: []arrow{}, Band: []vec{}, Own: []vec{}, Cards: []card{}, Passes: t.bars(),
		Running: t.running(), Stop: t.stopName(), Status: t.status(), Sum: t.sum(), Verdict: t.verdict(),
		Epoch: "–", Right: "–", W: "–", B: "–", Noun: t.noun() + "s",
	}
	if t.last.N > 0 {
		pic.Epoch = plural(t.last.Mistakes, t.noun()) + ", mean loss " + number(t.last.Loss)
	}
	if t.drawn() {
		classes, planes := t.predictors()
		pic.Regions = regions(classes, planes, view)
		if n, err := t.right(); err == nil {
			pic.Right = strconv.Itoa(n) + " of " + strconv.Itoa(len(t.X)) + " (" + digits(100*float64(n)/float64(len(t.X)), 3) + " %)"
		}
	}
	for _, b := range t.problems {
		pic.Cards = append(pic.Cards, b.card(len(t.problems) > 1))
		if t.multiclass() {
			continue
		}
		pic.Arrows = arrowOf(b.plane, view)
		if wide && b.sep.Separable {
			pic.Band = bandOf(b.sep.Hyperplane, b.sep.Lower*length(b.sep.Hyperplane), view)
			if gamma, ok := b.margin(); ok && gamma > 0 {
				pic.Own = bandOf(b.plane, gamma*length(b.plane), view)
			}
		}
		if t.drawn() {
			pic.W, pic.B = pair(b.plane.Weights), number(b.plane.Bias)
		}
	}
	return pic
}

// stopName says in a word where the training is.
func (t *training) stopName() string {
	switch {
	case t.Model == byHand:
		return "–"
	case t.err != nil:
		return "error"
	case t.last.Stop != perceptron.Running:
		return t.last.Stop.String()
	case t.seen == 0:
		return "not started"
	}
	return "in training"
}

// pair formats w.
func pair(w []float64) string { return "(" + number(w[0]) + ", " + number(w[1]) + ")" }

// lines returns the iterates, the iterates before the last update, and the
// hyperplanes that predict if they differ from the iterates. If wide, it adds the line
// with the largest margin. The lines of Multiclass are the borders between its classes.
func (t *training) lines(view float64, wide bool) []line {
	lines := []line{}
	kept := t.kept()
	for i, b := range t.problems {
		class := b.class
		if !t.multiclass() {
			class = 0
		}
		add := func(kind string, h perceptron.Hyperplane) {
			if t.joint() {
				lines = append(lines, borders(kind, unstack(h), view)...)
			} else {
				lines = append(lines, lineOf(class, kind, h, view)...)
			}
		}
		if len(b.missed) > 0 {
			add("old", b.before)
		}
		switch {
		case kept != nil && t.joint():
			add("kept", stack(kept))
		case kept != nil:
			add("kept", kept[i])
		}
		add("new", b.plane)
		if wide && b.sep.Separable && len(t.problems) == 1 {
			add("wide", b.sep.Hyperplane)
		}
	}
	return lines
}

// bars returns the last epochs. Their shares are heights in the chart.
func (t *training) bars() []pass {
	bars := []pass{}
	var mistakes, loss float64
	for _, e := range t.passes {
		mistakes, loss = max(mistakes, float64(e.Mistakes)), max(loss, e.Loss)
	}
	for _, e := range t.passes {
		bars = append(bars, pass{e.N, e.Mistakes, vec{share(float64(e.Mistakes), mistakes), share(e.Loss, loss)}, number(e.Loss)})
	}
	return bars
}

func share(v, most float64) float64 {
	if !(v > 0) || !finite(most) {
		return 0
	}
	return v / most
}

func (b *problem) card(several bool) card {
	c := card{
		Class: b.class, K: plural(b.k, b.noun()), Length: number(length(b.plane)), R: number(b.radius),
		Bound: count(b.bound()), Margin: "–", Chart: b.chart(), Title: "The theorem and this run",
	}
	switch {
	case b.sep.Separable:
		c.Gamma = between(b.sep.Lower, b.sep.Upper)
	case b.proved:
		c.Gamma = "none: no line separates the points"
	default:
		c.Gamma = "at most " + above(b.sep.Upper, 2)
	}
	if b.Model == byHand {
		c.K, c.Bound, c.Title = "–", "–", "Your line"
	}
	if gamma, ok := b.margin(); ok {
		c.Margin = below(gamma, 5)
		if b.sep.Separable && gamma > 0 {
			c.Margin += " (" + below(100*min(1, gamma/b.sep.Lower), 3) + " % of γ)"
		}
	}
	c.Along, c.Size = b.inequalities()
	switch {
	case several:
		c.Title = "Class " + sign(b.class) + " against the rest"
	case b.joint():
		c.Title = "The theorem for all classes together"
		if b.proved {
			c.Gamma = "none: no weights separate the classes"
		}
	}
	return c
}
