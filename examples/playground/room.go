package main

import (
	"math"
	"strconv"
	"strings"

	"perceptron"
)

// A room shows the proof in weight space. Its unit is η. The vertical axis is u, the unit vector of
// the line with the greatest γ. After k mistakes, w is above the floor, because each mistake
// increases ⟨u, w⟩ by at least γ. It is also inside the dome, whose radius is the theorem's upper
// bound on ‖w‖, such as √k R. After more mistakes than the limit, the floor would be above the
// dome, so such a w cannot exist.
type room struct {
	Flat   bool      `json:"flat"`   // lines through the origin: w, x and u share a plane, and arrows are drawn
	K      int       `json:"k"`      // mistakes of the run, or a larger number that the user supposes
	Run    int       `json:"run"`    // mistakes of the run
	Over   bool      `json:"over"`   // the run has ended
	Gamma  float64   `json:"gamma"`  // γ of the points, or another γ that the user supposes
	Of     float64   `json:"of"`     // γ of the points
	R      float64   `json:"r"`      // R of the points
	Limit  float64   `json:"limit"`  // the floor meets the dome at this k …
	Meet   float64   `json:"meet"`   // … and at this height
	Height float64   `json:"height"` // the height to show
	Floors []float64 `json:"floors"` // height of the floor after 0, 1, … mistakes, to the first k above Limit
	Domes  []float64 `json:"domes"`  // radius of the dome after as many mistakes
	Path   []tip     `json:"path"`   // w after 0, 1, … mistakes
	Rows   []tip     `json:"rows"`   // the arrows yx of all points, if Flat
	Angle  float64   `json:"angle"`  // between the last update's yx and the w before it, in degrees; 0 if unknown
	Name   string    `json:"name"`   // the formula of the dome
	Texts  [5]string `json:"texts"`  // γ, R, the floor, the dome and the limit
	Say    []string  `json:"say"`    // what the floor and the dome mean
}

// A tip is the end of the vector w after an update: Y is ⟨u, w⟩, and X is the component of w at a
// right angle to u. It can also be the end of an arrow yx.
type tip struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Class int     `json:"class"`
}

// roomiest is the largest bound on the mistakes for which a room is drawn.
const roomiest = 255

// room returns the room, or nil if no room can be drawn.
func (p *playground) room() *room {
	t := p.boards[0]
	if len(p.boards) > 1 || t.problem == nil || t.err != nil || t.Model != "Online" && t.Model != "Margin" {
		return nil
	}
	b := *t.problem
	of, tall := b.gamma, b.bound()
	if !b.sep.Separable || !(tall <= roomiest) {
		return nil
	}
	if p.gamma > 0 {
		b.gamma = p.gamma
	}
	limit := b.bound()
	if !(limit <= 4*roomiest) || !(b.high(limit) < math.MaxFloat64) || !(b.low(tall) > 0) {
		return nil
	}
	r := &room{
		Flat: b.space == perceptron.Linear, K: b.k, Run: b.k, Over: !t.running(),
		Gamma: b.gamma, Of: of, R: b.R, Limit: limit, Path: []tip{}, Rows: []tip{}, Name: strings.TrimPrefix(b.highName(), "η"),
	}
	if p.suppose > b.k && r.Over {
		r.K = p.suppose
	}
	r.measure(&b, tall)
	r.trace(&b)
	for i, x := range b.X {
		if z := signed([][]float64{x}, b.y[i:i+1], perceptron.Linear)[0]; r.Flat {
			h := perceptron.Hyperplane{Weights: z}
			r.Rows = append(r.Rows, tip{b.across(h), b.along(h), b.y[i]})
		}
	}
	r.Say = r.words()
	return r
}

// measure computes the heights of the floor and of the dome.
func (r *room) measure(b *problem, tall float64) {
	eta := b.rate()
	r.Meet = b.low(r.Limit) / eta
	r.Height = 1.125 * max(r.Meet, tall*r.Of)
	last := int(r.Limit) + 1
	for k := range last + 1 {
		r.Floors, r.Domes = append(r.Floors, b.low(float64(k))/eta), append(r.Domes, b.high(float64(k))/eta)
	}
	k := min(r.K, last)
	if b.gamma != r.Of {
		r.Texts = [5]string{digits(b.gamma, 3), digits(b.radius, 3), digits(r.Meet, 3), digits(r.Meet, 3), digits(r.Limit, 3)}
		return
	}
	r.Texts = [5]string{digits(b.gamma, 3), digits(b.radius, 3), digits(r.Floors[k], 3), digits(r.Domes[k], 3), digits(r.Limit, 3)}
}

// trace sets the path of w. If the user supposes a γ above the γ of the points, the path is empty: the
// run could exceed the bound for such a γ.
func (r *room) trace(b *problem) {
	if r.Gamma > r.Of*(1+1e-9) {
		r.K, r.Run = 0, 0
		return
	}
	for _, e := range b.entries {
		at := tip{e.across / b.rate(), e.along / b.rate(), e.class}
		if !r.Flat {
			at.X = math.Sqrt(max(0, (e.length-e.along)*(e.length+e.along))) / b.rate()
		}
		r.Path = append(r.Path, at)
	}
	if length(b.before) > 0 && b.Model == "Online" { // for Online, the angle is at least 90°
		x := perceptron.Hyperplane{Weights: b.X[b.missed[0]], Bias: 1}
		if r.Flat {
			x.Bias = 0
		}
		cos := float64(b.y[b.missed[0]]) * dot(b.before, x) / length(b.before) / length(x)
		r.Angle = math.Acos(max(-1, min(cos, 1))) * 180 / math.Pi
	}
}

// words says what the floor and the dome mean now.
func (r *room) words() []string {
	floor, dome, most := r.Texts[2], r.Texts[3], plural(int(r.Limit), "mistake")
	switch {
	case r.Gamma > r.Of*(1+1e-9): // the bound for this γ does not hold for these points
		return []string{
			"Suppose γ = " + r.Texts[0] + ". No u has this γ for these points: the largest is " + digits(r.Of, 3) + ".",
			"For other points with this γ and R = " + r.Texts[1] + ", the limit would be " + r.Texts[4] + " mistakes.",
		}
	case r.Gamma != r.Of:
		return []string{
			"Suppose γ = " + r.Texts[0] + ". The floor meets the dome at the height " + dome + ".",
			"It gets there after " + r.Texts[4] + " mistakes. So at most " + most + " can happen.",
		}
	case r.K <= r.Run:
		return []string{}
	}
	suppose := "Suppose " + plural(r.K, "mistake") + ": the floor would be at " + floor + ", the dome at " + dome + "."
	switch high := r.Domes[r.K] - r.Floors[r.K]; {
	case r.K > int(r.Limit):
		return []string{suppose, "The floor is above the dome. There is no room for w, so mistake " + strconv.Itoa(r.K) + " cannot happen: at most " + most + "."}
	case high < 1e-9*r.Meet:
		return []string{suppose, "One place is left for w: the top of the dome."}
	default:
		return []string{suppose, "There is still room for w: " + digits(high, 2) + " high."}
	}
}
