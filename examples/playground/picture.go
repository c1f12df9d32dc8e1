package main

import (
	"cmp"
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
	Room    *room    `json:"room"`
	Running bool     `json:"running"` // training can continue
	Undo    bool     `json:"undo"`
	Redo    bool     `json:"redo"`
	State   string   `json:"state"`   // for a link
	Refusal string   `json:"refusal"` // the error of the last request
	Note    string   `json:"note"`    // what else is said about it
}

// A board is the picture of one training.
type board struct {
	Fields  fields   `json:"fields"`
	Marks   []mark   `json:"marks"` // one for each point
	Regions []region `json:"regions"`
	Lines   []line   `json:"lines"`
	Arrows  []arrow  `json:"arrows"`
	Band    []vec    `json:"band"`  // around the line of u: of the γ that the user supposes, or else of the greatest
	Own     []vec    `json:"own"`   // of the margin of the line
	Chain   []vec    `json:"chain"` // the sums of λyx over the points, if they prove that no line exists
	Trail   []vec    `json:"trail"` // w after each update, in lengths of the longest
	U       []vec    `json:"u"`     // the ends of u, for lines through the origin
	G       float64  `json:"g"`     // γ in views, for lines through the origin
	R       float64  `json:"r"`     // the radius of the circle that contains the points, or 0
	Walk    []int    `json:"walk"`  // the points that the last step looked at
	Turn    [][]vec  `json:"turn"`  // the line while the last update turns it
	Cards   []card   `json:"cards"`
	Stop    string   `json:"stop"`
	Status  string   `json:"status"`  // the training, in words
	Sum     string   `json:"sum"`     // the last update as a sum
	Verdict string   `json:"verdict"` // whether the points are separable, in words
	Epoch   string   `json:"epoch"`   // the last one
	Right   string   `json:"right"`   // the points that are right now
	Noun    string   `json:"noun"`    // what an epoch counts
	W       string   `json:"w"`
	B       string   `json:"b"`
}

// A card contains the numbers of one problem.
type card struct {
	Title  string `json:"title"`
	K      string `json:"k"`
	Length string `json:"length"`
	R      string `json:"r"`
	Gamma  string `json:"gamma"`
	Bound  string `json:"bound"`
	Limit  string `json:"limit"`  // the bound before it is rounded down to a count
	Margin string `json:"margin"` // of the line now
	Along  string `json:"along"`  // the first inequality at the last update
	Size   string `json:"size"`   // the second
	Chart  *chart `json:"chart"`
}

func (p *playground) picture(refusal error) picture {
	pic := picture{
		Models: models, View: number(p.view), Points: append([]point{}, p.points...), Places: make([]vec, len(p.points)),
		Chapter: p.chapter, Wide: p.wide, Room: p.room(), Undo: len(p.past) > 0, Redo: len(p.future) > 0, State: p.state().text(), Note: p.note,
	}
	for i, at := range p.points {
		// The view ends before float64 does. A point beyond is shown at the edge.
		pic.Places[i] = vec{max(-1, min(at.X/p.view, 1)), max(-1, min(at.Y/p.view, 1))}
	}
	for _, t := range p.boards {
		pic.Boards = append(pic.Boards, t.board(p))
		pic.Running = pic.Running || t.running()
	}
	if refusal != nil {
		pic.Refusal = plain(refusal)
	}
	return pic
}

func (t *training) board(p *playground) board {
	view := p.view
	pic := board{
		Fields: t.fields, Marks: t.marks(p),
		Regions: []region{}, Lines: t.lines(view, p.wide), Arrows: []arrow{}, Band: []vec{}, Own: []vec{}, Chain: []vec{}, Trail: []vec{}, U: []vec{}, Cards: []card{},
		Walk: append([]int{}, t.walk...), Turn: [][]vec{},
		Stop: t.stopName(), Status: t.status(), Sum: t.sum(), Verdict: t.verdict(),
		Epoch: "–", Right: "–", W: "–", B: "–", Noun: t.noun() + "s",
	}
	if t.last.N > 0 {
		pic.Epoch = plural(t.last.Mistakes, t.noun()) + ", mean loss " + number(t.last.Loss)
	}
	if t.drawn() && t.problem != nil {
		if h := t.predictor(); length(h) > 0 { // with zeros alone, every score is 0
			pic.Regions = regions(h, view)
		}
		if n, err := t.right(); err == nil {
			pic.Right = strconv.Itoa(n) + " of " + strconv.Itoa(len(t.X)) + " (" + digits(100*float64(n)/float64(len(t.X)), 3) + " %)"
		}
	}
	if b := t.problem; b != nil {
		pic.Cards = append(pic.Cards, b.card(t.predictor(), p.chapter == opening))
		pic.Arrows, pic.Turn, pic.Chain, pic.Trail = arrowOf(b.plane, view), b.turn(view), b.chain(view), b.trail()
		if t.Model == byHand && t.Origin { // an arrow to drag, at its true length
			pic.Arrows = []arrow{{vec{}, vec{t.W1 / view, t.W2 / view}}}
		}
		if p.wide && b.sep.Separable {
			b.show(&pic, p)
		}
		if h := t.predictor(); t.drawn() {
			pic.W, pic.B = pair(h.Weights), number(h.Bias)
		}
	}
	return pic
}

// show adds u, γ and R to a board, or the margin that the line has.
func (b *problem) show(pic *board, p *playground) {
	u, gamma := b.sep.Hyperplane, cmp.Or(p.gamma, b.sep.Lower)
	pic.Band = bandOf(u, gamma*length(u), p.view)
	if b.space == perceptron.Linear {
		up := 0.45 / length(u)
		pic.U, pic.R = []vec{{}, {up * u.Weights[0], up * u.Weights[1]}}, b.radius/p.view
		pic.G = gamma / p.view
	} else if gamma, ok := b.margin(); ok && gamma > 0 {
		pic.Own = bandOf(b.plane, gamma*length(b.plane), p.view)
	}
}

// turn returns the line at moments between the last two iterates.
func (b *problem) turn(view float64) [][]vec {
	frames := [][]vec{}
	const moments = 12
	if len(b.missed) == 0 || length(b.before) == 0 {
		return frames
	}
	for i := range moments + 1 {
		s := float64(i) / moments
		h := perceptron.Hyperplane{Bias: (1-s)*b.before.Bias + s*b.plane.Bias}
		for j, v := range b.plane.Weights {
			h.Weights = append(h.Weights, (1-s)*b.before.Weights[j]+s*v)
		}
		for _, l := range lineOf("new", h, view) {
			frames = append(frames, l.Ends)
		}
	}
	return frames
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

// lines returns the line, the line before the last update, and the line that predicts if it
// is another one. If wide, it adds the line with the largest margin.
func (t *training) lines(view float64, wide bool) []line {
	b, lines := t.problem, []line{}
	if b == nil {
		return lines
	}
	if len(b.missed) > 0 {
		lines = append(lines, lineOf("old", b.before, view)...)
	}
	if kept, ok := t.kept(); ok {
		lines = append(lines, lineOf("kept", kept, view)...)
	}
	lines = append(lines, lineOf("new", b.plane, view)...)
	if wide && b.sep.Separable {
		lines = append(lines, lineOf("wide", b.sep.Hyperplane, view)...)
	}
	return lines
}

// share returns v in shares of the most, or 0 if there is none.
func share(v, most float64) float64 {
	if !(most > 0) || !finite(most) {
		return 0
	}
	return v / most
}

func (b *problem) card(predicts perceptron.Hyperplane, plain bool) card {
	c := card{
		K: plural(b.k, b.noun()), Length: number(length(b.plane)), R: number(b.radius),
		Bound: count(b.bound()), Limit: below(b.bound(), 5), Margin: "–", Chart: b.chart(plain), Title: "The theorem and this run",
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
	if gamma, ok := b.marginOf(predicts); ok {
		c.Margin = below(gamma, 5)
		if b.sep.Separable && gamma > 0 {
			c.Margin += " (" + below(100*min(1, gamma/b.sep.Lower), 3) + " % of γ)"
		}
	}
	c.Along, c.Size = b.inequalities()
	return c
}
