package main

import (
	"cmp"
	"strconv"

	"perceptron"
)

// A picture contains everything that the page draws. The page computes only pixels. Places
// count from the middle of the plane, with the view as the unit; see vec. Numbers to show are texts.
type picture struct {
	Models  []string `json:"models"`
	View    string   `json:"view"` // the coordinate of the plane's edge
	Points  []point  `json:"points"`
	Places  []vec    `json:"places"` // places of the points
	Boards  []board  `json:"boards"`
	Chapter int      `json:"chapter"`
	Wide    bool     `json:"wide"`
	Room    *room    `json:"room"`
	Worst   int      `json:"worst"`   // see playground.worst
	Running bool     `json:"running"` // training can continue
	Undo    bool     `json:"undo"`
	Redo    bool     `json:"redo"`
	State   string   `json:"state"`   // for a link
	Refusal string   `json:"refusal"` // the error of the last request
	Note    string   `json:"note"`    // a remark on the last request
}

// A board is the picture of one training.
type board struct {
	Fields  fields   `json:"fields"`
	Marks   []mark   `json:"marks"` // one for each point
	Regions []region `json:"regions"`
	Lines   []line   `json:"lines"`
	Arrows  []arrow  `json:"arrows"`
	Band    []vec    `json:"band"`    // the band of the greatest γ, or of the supposed γ
	Own     []vec    `json:"own"`     // the band of the margin that the line has
	Chain   []vec    `json:"chain"`   // see problem.chain
	Trail   []vec    `json:"trail"`   // see problem.trail
	Loop    []vec    `json:"loop"`    // the way of w in one round, for a run that cycles; see loop
	Against []int    `json:"against"` // points that contradict each other; see problem.against
	U       []vec    `json:"u"`       // the ends of u, for lines through the origin
	G       float64  `json:"g"`       // γ with the view as the unit, for lines through the origin
	R       float64  `json:"r"`       // the radius of the circle around the points, as G; or 0
	Walk    []int    `json:"walk"`    // the points that the last step looked at
	Turn    [][]vec  `json:"turn"`    // the line while the last update turns it
	Cards   []card   `json:"cards"`
	Stop    string   `json:"stop"`
	Status  string   `json:"status"`  // the training, in words
	Sum     string   `json:"sum"`     // the last update as a sum
	Verdict string   `json:"verdict"` // whether the points are separable, in words
	Epoch   string   `json:"epoch"`   // updates and loss of the last epoch
	Right   string   `json:"right"`   // number and share of the points that are right now
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
	Margin string `json:"margin"` // the margin of the line that predicts now
	Along  string `json:"along"`  // the growth of ⟨u, w⟩; see inequalities
	Size   string `json:"size"`   // the growth of ‖w‖²
	Chart  *chart `json:"chart"`
}

func (p *playground) picture(refusal error) picture {
	pic := picture{
		Models: models, View: digits(p.view, 5), Points: append([]point{}, p.points...), Places: make([]vec, len(p.points)),
		Chapter: p.chapter, Wide: p.wide, Room: p.room(), Worst: p.worst(), Undo: len(p.past) > 0, Redo: len(p.future) > 0, State: p.state().text(), Note: p.note,
	}
	for i, at := range p.points {
		// The view is limited. A point outside it is shown at the edge.
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
		Regions: []region{}, Lines: t.lines(view, p.wide), Arrows: []arrow{}, Band: []vec{}, Own: []vec{}, Chain: []vec{}, Trail: []vec{}, Loop: []vec{}, Against: []int{}, U: []vec{}, Cards: []card{},
		Walk: append([]int{}, t.walk...), Turn: [][]vec{},
		Stop: t.stopName(), Status: t.status(), Sum: t.sum(),
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
		pic.Verdict = b.verdict()
		pic.Cards = append(pic.Cards, b.card(t.predictor(), p.chapter == opening))
		pic.Arrows, pic.Turn, pic.Chain, pic.Trail = arrowOf(b.plane, view), b.turn(view), b.chain(view), b.trail()
		if t.Origin && (t.Model == byHand || p.chapter >= firstProof && length(b.plane) > 0) {
			pic.Arrows = trueLength(b.plane, view)
		}
		if p.wide && b.sep.Separable {
			b.show(&pic, p)
		}
		pic.Loop, pic.Against = loop(t.cycle(), view), append(pic.Against, b.against()...)
		if h := t.predictor(); t.drawn() {
			pic.W, pic.B = pair(h.Weights), number(h.Bias)
		}
	}
	return pic
}

// show adds the band of γ to a board. If lines go through the origin, it also adds u, γ and R;
// otherwise, it adds the band of the margin that the line has.
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

// turn returns lines between the last two iterates, for an animation of the last update.
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

// stopName returns a short text for the state of the training.
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

// lines returns the line of the last iterate, the line before the last update and, if another line
// predicts, this line. If wide, it adds the line with the largest margin.
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

// share returns v/most, or 0 if most is not positive or not finite.
func share(v, most float64) float64 {
	if !(most > 0) || !finite(most) {
		return 0
	}
	return v / most
}

func (b *problem) card(predicts perceptron.Hyperplane, plain bool) card {
	c := card{
		K: plural(b.k, b.noun()), Length: number(length(b.plane)), R: number(b.radius),
		Bound: count(b.bound()), Limit: number(b.bound()), Margin: "–", Chart: b.chart(plain), Title: "The theorem and this run",
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
		c.Margin = below(gamma, 3)
		if b.sep.Separable && gamma > 0 {
			c.Margin += " (" + below(100*min(1, gamma/b.sep.Lower), 3) + " % of γ)"
		}
	}
	c.Along, c.Size = b.inequalities()
	return c
}
