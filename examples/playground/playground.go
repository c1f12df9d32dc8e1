package main

import (
	"cmp"
	"math"
	"slices"

	"perceptron"
)

// Sizes of the plane. The page shows [−view, view]².
const (
	usual   = 2.0  // the view, unless points need a larger one
	edge    = 0.95 // a point further out, with the view as the unit, would be drawn incompletely
	outside = 1.06 // the view divided by R, for lines through the origin
	cells   = 100  // an arrow key moves by a few of these parts of the view
)

// A playground is the state of the page: the points, and a training on them for each board. The
// trainings restart when a point changes.
type playground struct {
	points       []point
	boards       []*training // one or two
	view         float64
	chapter      int
	wide         bool     // u, γ and R are shown
	gamma        float64  // the γ that the user supposes; 0 means the γ of the points
	suppose      int      // the number of mistakes that the user supposes after the end of the run, or 0
	past, future []string // states for undo and redo
	gesture      string   // of the last change; changes of one gesture are undone together
	note         string   // a remark on the last request
	good         state    // the state after the last answer
}

func newPlayground() *playground {
	p := &playground{}
	p.restore(start(0))
	p.good = p.state()
	return p
}

// onGrid returns the coordinate nearest to v that a point can have. In the moves, coordinates are
// sixteenths: sums of points are then exact, and a run of points that no line separates returns exactly
// to earlier weights. In free play they are hundredths, which are short.
func (p *playground) onGrid(v float64) float64 {
	parts := 100.0
	if p.chapter > 0 {
		parts = 16
	}
	return math.Round(v*parts)/parts + 0 // adding 0 turns −0 into 0
}

// onPlane returns the coordinate of u, if it is not too near the edge. The unit of u is the view.
func (p *playground) onPlane(u float64) float64 {
	if math.IsNaN(u) {
		return 0
	}
	return max(-edge, min(u, edge)) * p.view
}

// inCircle returns the coordinates of a place near (u, v). The unit of u and v is the view. If lines go
// through the origin, the place is in the largest circle for which frame would not enlarge the view.
// So a drag never changes the view.
func (p *playground) inCircle(u, v float64) (x, y float64) {
	for u, v = p.onPlane(u), p.onPlane(v); ; u, v = u*0.99, v*0.99 {
		x, y = p.onGrid(u), p.onGrid(v)
		if p.boards[0].space() != perceptron.Linear || outside*math.Hypot(x, y) <= p.view {
			return x, y
		}
	}
}

// frame sets the view so that it contains every point, with a little space at its edge.
func (p *playground) frame() {
	p.view = usual
	for _, at := range p.points {
		if p.boards[0].round() {
			break // the view below contains the circle of radius R, and so all points
		}
		if far := max(math.Abs(at.X), math.Abs(at.Y)); far > edge*usual {
			p.view = max(p.view, min(far, math.MaxFloat64/2)*1.1)
		}
	}
	for _, t := range p.boards { // the view must contain the circle of radius R
		if t.round() {
			p.view = max(p.view, math.Ceil(4*outside*t.problem.radius-1e-9)/4)
		}
	}
}

// restart starts new trainings on the current points.
func (p *playground) restart() {
	p.gamma, p.suppose = 0, 0
	X, y := examples(p.points)
	for i, t := range p.boards {
		t.stop()
		p.boards[i] = newTraining(t.fields, X, y)
	}
	p.try()
}

// try makes the first mistake of the opening, so that a line is there from the beginning. With w = 0
// every point is a mistake.
func (p *playground) try() {
	if p.chapter == opening {
		p.boards[0].step()
	}
}

// compare shows or hides the second board.
func (p *playground) compare() {
	if len(p.boards) == 2 {
		p.boards[1].stop()
		p.boards = p.boards[:1]
		return
	}
	f := p.boards[0].fields
	f.Model = cmp.Or(map[string]string{"Online": "Margin"}[f.Model], "Online")
	p.boards = append(p.boards, newTraining(f, nil, nil))
}

// state returns the state for a link.
func (p *playground) state() state {
	s := state{Chapter: p.chapter, Wide: p.wide, Gamma: p.gamma, Suppose: p.suppose, Points: slices.Clone(p.points)}
	for _, t := range p.boards {
		s.Boards = append(s.Boards, boardState{t.fields, t.seen})
	}
	return s
}

// restore replaces the state of p by s, and repeats the training of s.
func (p *playground) restore(s state) {
	for _, t := range p.boards {
		t.stop()
	}
	p.chapter, p.wide, p.gamma, p.suppose = s.Chapter, s.Wide, s.Gamma, s.Suppose
	p.points, p.boards = slices.Clone(s.Points), nil
	X, y := examples(p.points)
	for _, b := range s.Boards {
		t := newTraining(b.fields, X, y)
		for t.running() && t.seen < b.Seen {
			t.advance()
		}
		p.boards = append(p.boards, t)
	}
	p.frame()
}
