package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A proof holds a run of Rosenblatt's rule, and the bound on its mistakes.
type proof struct {
	perceptron.Separation // its Upper is a bound on all margins

	gamma, bound float64
	mistakes     []int // for each mistake, the number of examples seen until then
	seen         int   // number of examples seen in the whole run
	right        bool  // the run ended because all rows were right
}

// epochs is the number of epochs of a run on rows that no hyperplane separates.
const epochs = 10

// prove runs Online and computes the bound on its mistakes. On separable rows, the run ends when
// every row is right, or at a limit of some seconds. On other rows, it makes some epochs.
func prove(X [][]float64, y []int) (*proof, error) {
	sep, err := perceptron.Separate(X, y, perceptron.Affine)
	if err != nil {
		return nil, err
	}
	p := &proof{Separation: sep, gamma: sep.Lower, bound: sep.MistakeBound()}
	// A run on separable rows may make (R/γ)² mistakes before it ends, which may be millions. The
	// bound holds at every point of the run, so a picture of its first part is true too.
	limit := max(len(X), int(1e9)/(200+len(X[0]))) // some seconds
	if !p.Separable {
		limit = epochs * len(X)
		if err := p.approximate(X, y); err != nil {
			return nil, err
		}
	}
	p.seen, p.right, err = run(X, y, limit, func(seen int, _ *perceptron.Online) bool {
		p.mistakes = append(p.mistakes, seen)
		return true
	})
	return p, err
}

// run runs Rosenblatt's rule on the rows, in their order, again and again. It calls mistake after
// each update, with the number of examples seen until then. The run ends when the last len(X)
// examples were right, at the limit of examples, or when mistake returns false. It need not end at
// the end of an epoch, because the theorem counts mistakes and not epochs.
func run(X [][]float64, y []int, limit int, mistake func(seen int, model *perceptron.Online) bool) (seen int, right bool, err error) {
	var model perceptron.Online
	n := 0 // rows right since the last mistake
	for seen < limit && n < len(X) {
		i := seen % len(X)
		seen, n = seen+1, n+1
		updated, err := model.Update(X[i], y[i])
		if err != nil {
			return seen, false, err
		}
		if updated {
			if n = 0; !mistake(seen, &model) {
				break
			}
		}
	}
	return seen, n == len(X), nil
}

// approximate chooses a hyperplane and a γ for InseparableBound, and sets the bound. The bound holds
// for every hyperplane and γ; a good choice makes it low. The hyperplane is the average of a run,
// which is close to the best hyperplane. Values of γ are tried in steps of √2, also above R,
// because on rows without any structure the best γ has no limit.
func (p *proof) approximate(X [][]float64, y []int) error {
	model := perceptron.Online{Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 100}
	if _, err := model.Fit(X, y); err != nil {
		return err
	}
	p.bound = math.Inf(1)
	for i := range 60 {
		gamma := p.Radius * math.Pow(2, 10-float64(i)/2)
		d, l, err := perceptron.Deviations(model.Hyperplane(), X, y, perceptron.Affine, gamma)
		if err != nil {
			return err
		}
		if k := perceptron.InseparableBound(p.Radius, gamma, math.Sqrt(epochs)*d, epochs*l); k < p.bound {
			p.bound, p.gamma = k, gamma
		}
	}
	return nil
}

// Bound shows that the mistakes of a run stay below their bound.
func Bound(d *Data) (*Figure, error) {
	p, err := prove(d.X, d.labels())
	if err != nil {
		return nil, err
	}
	// The number of mistakes is whole, so it is at most the floor of the bound.
	title := fmt.Sprintf("%s against %s: %d mistakes of at most %.6g", short(d.Classes[1]), short(d.Classes[0]), len(p.mistakes), math.Floor(p.bound))
	name, formula := "Novikoff’s theorem", fmt.Sprintf("(R/γ)², R = %.4g, γ = %.4g", p.Radius, p.gamma)
	made, most := draw.LineStyle{Color: blue, Width: 1.6}, draw.LineStyle{Color: vermilion, Width: 1.4, Dashes: dashed.Dashes}
	// The title names the theorem of the bound, so that a reader can look it up.
	switch {
	case !p.Separable:
		name = fmt.Sprintf("Freund and Schapire’s theorem, %d epochs", epochs)
		formula = fmt.Sprintf("InseparableBound, R = %.4g, γ = %.4g; no margin is above %.2g", p.Radius, p.gamma, p.Upper)
	case !p.right:
		title += " so far"
	}
	to := panel(title, "examples seen", "mistakes (log scale)")
	// The bound may be a million times the number of mistakes. A logarithmic axis shows both.
	to.Y.Tick.Marker = decades{}
	var steps plotter.XYs
	for k, seen := range p.mistakes {
		steps = append(steps, plotter.XY{X: float64(seen), Y: math.Log10(float64(k + 1))})
	}
	end, top := float64(p.seen), math.Log10(p.bound)
	steps = append(steps, plotter.XY{X: end, Y: steps[len(steps)-1].Y})
	if err := addCurve(to, thin(steps, end, top), made, draw.GlyphStyle{}, plotter.PostStep); err != nil {
		return nil, err
	}
	err = addCurve(to, plotter.XYs{{X: 0, Y: top}, {X: end, Y: top}}, most, draw.GlyphStyle{}, plotter.NoStep)
	to.Y.Max += 0.3
	key := []entry{{text: "mistakes of Rosenblatt’s rule", line: made}, {text: formula, line: most}}
	return &Figure{Title: name + ": " + short(d.Name), height: 300, cols: 1, panels: []*plot.Plot{to}, key: key}, err
}

// An update is one update by Rosenblatt's rule.
type update struct {
	row   int                   // the row that was on the wrong side
	after perceptron.Hyperplane // the hyperplane after the update
}

// updates returns the first updates of a run, at most the given number, and the number of all updates.
// The run passes over the rows in their order until all rows are right, which right reports, or until it
// has made 1000 epochs.
func updates(X [][]float64, y []int, most int) (first []update, n int, right bool, err error) {
	_, right, err = run(X, y, 1000*len(X), func(seen int, model *perceptron.Online) bool {
		if n++; n <= most {
			first = append(first, update{(seen - 1) % len(X), model.Hyperplane()})
		}
		return true
	})
	return first, n, right, err
}

// Updates shows how each of the first six mistakes moves the line. The run uses the positions of
// the rows in the plane of the picture, and not all their features.
func Updates(d *Data) (*Figure, error) {
	p, err := flat(d)
	if err != nil {
		return nil, err
	}
	all, n, right, err := updates(p.T, d.labels(), 6)
	if err != nil {
		return nil, err
	}
	// A run that ends has a line that separates. The picture may end before it.
	shown := fmt.Sprintf("the first %d", len(all))
	switch {
	case right && n == len(all):
		shown = fmt.Sprintf("all %d", n)
	case right:
		shown += fmt.Sprintf(" of %d", n)
	}
	f := &Figure{Title: "How mistakes move the line, " + shown + ": " + short(d.Name), height: 48 + vg.Length(200*((len(all)+2)/3)), cols: 3}
	// Each panel has the line before its update and the line after it.
	for k, u := range all {
		// Before the first update there is no line. The first panel draws the line after it twice.
		before := line{p, all[max(k-1, 0)].after, 0, dashed}
		to, err := p.sides(fmt.Sprintf("update %d", k+1), u.after, []int{u.row}, before)
		if err != nil {
			return nil, err
		}
		f.panels = append(f.panels, to)
	}
	f.key = append(p.key("row on the wrong side"),
		entry{text: "line before", line: dashed}, entry{text: "line after; tinted: " + short(d.Classes[1]), line: solid})
	return f, nil
}
