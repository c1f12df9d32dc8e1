package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Sizes of the plane. The page shows [−view, view]².
const (
	usual = 2.0 // the view, unless a point is outside it
	cells = 100 // from the middle to an edge; clicks, drags and arrow keys move in whole cells
	most  = 200 // the largest number of points
)

// A point is an example: two features and a label, +1, −1 or, for OneVsRest, 0.
type point struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Label int     `json:"label"`
}

// A playground is the state behind the page: points, and a training on them. The
// training restarts when a point or a field changes.
type playground struct {
	points   []point
	fields   fields
	view     float64
	training *training
	refusal  error // why the last request failed
}

func newPlayground() *playground {
	p := &playground{fields: fields{Model: models[0], Eta: 1}}
	p.load("wide")
	return p
}

// A request is one call from the page.
type request struct {
	Do    string
	Point int     // its index
	X, Y  float64 // in views from the middle; in cells for nudge; in coordinates for place
	Label int     // of add and label
	Times int     // of step
	Name  string  // of the preset to load, or of the field to set
	Text  string  // the value of the field
}

// answer executes a request and returns the new picture as JSON. An invalid request
// changes nothing, and the picture contains the error.
func (p *playground) answer(r request) string {
	p.refusal = p.do(r)
	return string(appendJSON(nil, reflect.ValueOf(p.picture())))
}

func (p *playground) do(r request) error {
	switch r.Do {
	case "show":
		return nil
	case "step", "epoch":
		p.train(r)
		return nil
	case "load":
		return p.load(r.Name)
	case "clear":
		p.points = nil
	case "reset":
	case "set":
		if err := p.fields.set(r.Name, r.Text); err != nil {
			return err
		}
	default:
		if err := p.edit(r); err != nil {
			return err
		}
	}
	if r.Do != "move" { // the view stays the same during a drag
		p.frame()
	}
	p.restart()
	return nil
}

func (p *playground) train(r request) {
	if r.Do == "epoch" {
		p.training.finishEpoch()
		return
	}
	for range max(1, min(r.Times, 10000)) {
		p.training.step()
	}
}

// edit changes the points.
func (p *playground) edit(r request) error {
	if r.Do == "add" {
		if len(p.points) == most {
			return fmt.Errorf("the plane is full: it already has %d points", most)
		}
		p.points = append(p.points, point{p.onCell(r.X), p.onCell(r.Y), r.Label})
		return nil
	}
	if r.Point < 0 || r.Point >= len(p.points) {
		return fmt.Errorf("point %d does not exist", r.Point+1)
	}
	at := &p.points[r.Point]
	switch r.Do {
	case "move":
		at.X, at.Y = p.onCell(r.X), p.onCell(r.Y)
	case "nudge":
		at.X, at.Y = p.onCell(at.X/p.view+r.X/cells), p.onCell(at.Y/p.view+r.Y/cells)
	case "place":
		if !finite(r.X) || !finite(r.Y) {
			return errors.New("coordinates must be finite numbers")
		}
		at.X, at.Y = r.X, r.Y
	case "label":
		at.Label = r.Label
	case "remove":
		p.points = slices.Delete(p.points, r.Point, r.Point+1)
	default:
		return fmt.Errorf("unknown request %q", r.Do)
	}
	return nil
}

// onCell returns the coordinate of the cell nearest u, in views from the middle.
func (p *playground) onCell(u float64) float64 {
	if math.IsNaN(u) {
		u = 0
	}
	u = max(-1, min(u, 1))
	return math.Round(u*cells)/cells*p.view + 0 // adding 0 turns −0 into 0
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// frame sets the view so that it contains every point. If it must be larger than
// usual, it leaves a little space at the edge.
func (p *playground) frame() {
	p.view = usual
	for _, at := range p.points {
		if far := max(math.Abs(at.X), math.Abs(at.Y)); far > usual {
			p.view = max(p.view, min(far, math.MaxFloat64/2)*1.1)
		}
	}
}

// load loads the points of a preset, and chooses a model that can learn them.
func (p *playground) load(name string) error {
	points, ok := presets[name]
	if !ok {
		return fmt.Errorf("unknown preset %q", name)
	}
	p.points = slices.Clone(points)
	classes := slices.ContainsFunc(points, func(at point) bool { return at.Label == 0 })
	if classes != p.fields.multiclass() {
		p.fields.Model = p.fields.counterpart()
	}
	p.frame()
	p.restart()
	return nil
}

// restart starts a new training on the current points.
func (p *playground) restart() {
	if p.training != nil {
		p.training.stop()
	}
	X, y := make([][]float64, len(p.points)), make([]int, len(p.points))
	for i, at := range p.points {
		X[i], y[i] = []float64{at.X, at.Y}, at.Label
	}
	p.training = newTraining(p.fields, X, y)
}
