package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// A request is one call from the page.
type request struct {
	Do      string
	Board   int     // index of the board, for set
	Point   int     // index of the point
	X, Y    float64 // with the view as the unit; for nudge, cells; for place, coordinates; for gamma, X is γ
	Label   int     // for add and label
	Times   int     // number of steps, for step; number of the chapter, for chapter
	Name    string  // name of the set to load, or of the field to set
	Text    string  // the value of the field, a link's state, or pasted points
	Gesture string  // requests in succession with one gesture are undone together
}

// answer executes a request and returns the new picture as JSON. An invalid request changes nothing,
// and the picture contains the error. If a request panics, answer restores the state after the last
// answer.
func (p *playground) answer(r request) (text string) {
	past, future := p.past, p.future
	defer func() {
		if cause := recover(); cause != nil {
			*p = playground{past: past, future: future, good: p.good}
			text = p.recovered(r, cause)
		}
	}()
	refusal := p.record(r)
	text = string(appendJSON(nil, reflect.ValueOf(p.picture(refusal))))
	p.good = p.state()
	return text
}

// recovered returns the picture of the last good state, with the cause of a panic.
func (p *playground) recovered(r request, cause any) string {
	p.restore(p.good)
	return string(appendJSON(nil, reflect.ValueOf(p.picture(fmt.Errorf("%q failed: %v; the page shows the last good state", r.Do, cause)))))
}

// record executes a request, and stores the state before the request for undo. When a chapter
// begins, record clears the stored states, so that undo does not leave the chapter.
func (p *playground) record(r request) error {
	before, chapter := p.state().text(), p.chapter
	p.note = ""
	for _, t := range p.boards {
		t.walk = nil
	}
	err := p.do(r)
	if r.Do == "undo" || r.Do == "redo" || p.state().text() == before {
		return err
	}
	if p.chapter != chapter {
		p.past, p.future, p.gesture = nil, nil, ""
		return err
	}
	const longest = 500
	if r.Gesture == "" || r.Gesture != p.gesture || len(p.future) > 0 {
		p.past = append(p.past, before)
		p.past = p.past[max(0, len(p.past)-longest):]
	}
	p.gesture, p.future = r.Gesture, nil
	return err
}

func (p *playground) do(r request) error {
	switch r.Do {
	case "show":
		return nil
	case "step", "epoch":
		p.train(r)
		return nil
	case "undo":
		p.travel(&p.past, &p.future)
		return nil
	case "redo":
		p.travel(&p.future, &p.past)
		return nil
	case "wide":
		p.wide = !p.wide
		return nil
	case "gamma":
		return p.think(r.X)
	case "hand":
		return p.hand(r)
	case "link":
		s, err := parseState(r.Text)
		if err == nil {
			p.restore(s)
		}
		return err
	case "chapter":
		return p.open(r.Times)
	case "follow":
		return p.follow(r.Times)
	}
	return p.change(r)
}

// change executes a request after which the training starts again.
func (p *playground) change(r request) error {
	switch r.Do {
	case "load":
		points, ok := sets[r.Name]
		if !ok {
			return fmt.Errorf("unknown set %q", r.Name)
		}
		p.points = slices.Clone(points)
	case "paste":
		points, note, err := parsePoints(r.Text)
		if err != nil {
			return err
		}
		p.points = points
		p.note = note
	case "clear":
		p.points = nil
	case "reset":
	case "compare":
		p.compare()
	case "set":
		return p.set(r)
	default:
		if err := p.edit(r); err != nil {
			return err
		}
	}
	p.restart()
	if r.Do != "move" { // the view stays the same during a drag
		p.frame()
	}
	return nil
}

// edit changes the points.
func (p *playground) edit(r request) error {
	if r.Do == "add" {
		if len(p.points) == most {
			return fmt.Errorf("the plane is full: it already has %d points", most)
		}
		if r.Label != +1 && r.Label != -1 {
			return fmt.Errorf("there is no class %d", r.Label)
		}
		p.points = append(p.points, point{p.onGrid(p.onPlane(r.X)), p.onGrid(p.onPlane(r.Y)), r.Label})
		return nil
	}
	if r.Point < 0 || r.Point >= len(p.points) {
		return fmt.Errorf("point %d does not exist", r.Point+1)
	}
	at := &p.points[r.Point]
	switch r.Do {
	case "move":
		at.X, at.Y = p.inCircle(r.X, r.Y)
	case "nudge":
		at.X, at.Y = p.inCircle(at.X/p.view+r.X/cells, at.Y/p.view+r.Y/cells)
	case "place":
		if !finite(r.X) || !finite(r.Y) {
			return errors.New("coordinates must be finite numbers")
		}
		at.X, at.Y = r.X+0, r.Y+0
	case "label":
		if r.Label != +1 && r.Label != -1 {
			return fmt.Errorf("there is no class %d", r.Label)
		}
		at.Label = r.Label
	case "remove":
		p.points = slices.Delete(p.points, r.Point, r.Point+1)
	default:
		return fmt.Errorf("unknown request %q", r.Do)
	}
	return nil
}

// set changes a field of one board, and starts its training again.
func (p *playground) set(r request) error {
	if r.Board < 0 || r.Board >= len(p.boards) {
		return fmt.Errorf("board %d does not exist", r.Board+1)
	}
	t := p.boards[r.Board]
	f := t.fields
	if err := f.set(r.Name, r.Text); err != nil {
		return err
	}
	t.stop()
	X, y := examples(p.points)
	p.boards[r.Board], p.gamma, p.suppose = newTraining(f, X, y), 0, 0
	p.frame()
	return nil
}

// hand sets the weights of a line that the user drags, so that the tip of w is at the pointer.
func (p *playground) hand(r request) error {
	f := &p.boards[0].fields
	if f.Model != byHand {
		return errors.New("this line learns by itself")
	}
	const steps = 20
	f.W1, f.W2 = math.Round(p.onPlane(r.X)*steps)/steps+0, math.Round(p.onPlane(r.Y)*steps)/steps+0
	p.restart()
	return nil
}

// open begins a chapter. Chapter 0 is free play: it keeps the points and the trainings.
func (p *playground) open(chapter int) error {
	switch {
	case chapter == 0:
		p.chapter = 0
	case chapter < 0 || chapter > lastChapter:
		return fmt.Errorf("chapter %d does not exist", chapter)
	default:
		p.restore(start(chapter))
	}
	return nil
}

// follow opens the chapter after or before this one, as Next and Back do. The moves of the proof go on
// with the points that the reader has moved, and from the floor on with the run, if there is a room. A
// run that has made its last mistake begins as the move does, or earlier, so that Step makes one.
func (p *playground) follow(chapter int) error {
	points, seen := slices.Clone(p.points), 0
	if p.chapter >= firstFloor && p.chapter < lastProof && p.boards[0].errs() {
		seen = p.boards[0].seen
	}
	within := p.chapter >= firstLengths && p.chapter <= lastProof && chapter >= firstLengths && chapter <= lastProof
	if err := p.open(chapter); err != nil || !within {
		return err
	}
	s := start(chapter)
	s.Points = points
	steps := chapter >= firstFloor && chapter < lastProof
	if seen > 0 && steps {
		s.Boards[0].Seen = seen
	}
	for p.restore(s); steps && s.Boards[0].Seen > 0 && !p.boards[0].errs(); p.restore(s) {
		s.Boards[0].Seen /= 2 // with w = 0 every point is a mistake
	}
	if p.room() == nil {
		p.restore(start(chapter))
	}
	return nil
}

// think sets the γ that the user supposes. A γ close to that of the points means the γ of the points.
func (p *playground) think(gamma float64) error {
	room := p.room()
	if room == nil || !(gamma >= room.Of*0.499 && gamma <= room.Of*2.001) {
		return errors.New("γ must be between half and twice that of the points")
	}
	p.gamma, p.suppose = gamma, 0
	if math.Abs(gamma-room.Of) < 1e-3*room.Of {
		p.gamma = 0
	}
	return nil
}

// train makes the next steps. If the user supposes another γ, train only returns to the γ of the
// points. If the run has ended and there is a room, a step supposes one more mistake.
func (p *playground) train(r request) {
	if p.gamma > 0 { // show the run again
		p.gamma = 0
		return
	}
	if room := p.room(); room != nil && room.Over && r.Do == "step" && r.Gesture == "" {
		p.suppose = min(room.K, int(room.Limit)) + 1
		return
	}
	for _, t := range p.boards {
		if r.Do == "epoch" {
			t.finishEpoch()
			continue
		}
		for range max(1, min(r.Times, 10000)) {
			t.step()
		}
	}
}

// travel restores the last state in from, and appends the current state to the list to.
func (p *playground) travel(from, to *[]string) {
	n := len(*from)
	if n == 0 {
		return
	}
	*to = append(*to, p.state().text())
	if s, err := parseState((*from)[n-1]); err == nil { // no error: state.text wrote it
		p.restore(s)
	}
	*from = (*from)[:n-1]
	p.gesture = ""
}
