package chart

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"perceptron"
)

// A plane contains what a picture shows of the rows: their positions along two orthogonal
// directions of length 1, counted from the mean row. So a distance between two positions is the
// distance between two points of the plane in the space of the features.
type plane struct {
	*Data
	T      [][]float64  // position of each row
	mean   []float64    // mean of the rows
	along  [2][]float64 // the two directions
	zero   [2]float64   // where the axes show the position (0, 0)
	unit   [2]float64   // length on each axis of a length 1 in the plane
	titles [2]string    // titles of the axes
}

// farthest is the largest number that a picture shows. Squares of larger differences could overflow.
const farthest = 1e100

// flat returns the plane of the two features in d.Axes. If d.Axes names none, it uses both features
// or, if there are more than two, the first two principal directions.
func flat(d *Data) (*plane, error) {
	width := len(d.Features)
	switch {
	case width < 2:
		return nil, errors.New("the picture needs two features; bound and roc need one")
	case len(d.Classes) > MostClasses:
		return nil, fmt.Errorf("the number of classes is %d, want at most %d, which colours and shapes tell apart", len(d.Classes), MostClasses)
	case len(d.X) == 0:
		return nil, errors.New("no rows to draw")
	}
	p := &plane{Data: d, mean: make([]float64, width), unit: [2]float64{1, 1}}
	for _, x := range d.X {
		floats.AddScaled(p.mean, 1/float64(len(d.X)), x)
	}
	if err := p.direct(); err != nil {
		return nil, err
	}
	// Positions count from the mean row. Counted from 0, large positions would lose digits.
	from := make([]float64, width)
	for _, x := range d.X {
		floats.SubTo(from, x, p.mean)
		t := []float64{floats.Dot(from, p.along[0]), floats.Dot(from, p.along[1])}
		if at := p.at(t); !(math.Abs(at.X) <= farthest && math.Abs(at.Y) <= farthest) {
			return nil, fmt.Errorf("a row is at (%.3g, %.3g), want numbers of at most %g", at.X, at.Y, farthest)
		}
		p.T = append(p.T, t)
	}
	return p, nil
}

// direct sets the directions, the units and the titles of the axes.
func (p *plane) direct() error {
	names := p.Axes
	switch {
	case names[0] == "" && len(p.Features) > 2:
		return p.principal()
	case names[0] == "":
		names = [2]string(p.Features)
	case names[0] == names[1]:
		return fmt.Errorf("both axes are %q", names[0])
	}
	for k, name := range names {
		j := slices.Index(p.Features, name)
		if j < 0 {
			return fmt.Errorf("no feature %q; the first ones are %q", name, p.Features[:min(len(p.Features), 10)])
		}
		p.along[k] = make([]float64, len(p.Features))
		p.along[k][j] = 1
		p.zero[k], p.titles[k] = p.mean[j], short(name)
		if p.Scale != nil {
			p.zero[k], p.unit[k] = p.Data.Mean[j]+p.Scale[j]*p.mean[j], p.Scale[j]
		}
	}
	return nil
}

// mostPrincipal limits the time for principal directions, which grows with the third
// power of the number of features.
const mostPrincipal = 500

// principal chooses the first two principal directions.
func (p *plane) principal() error {
	const advice = "; choose two features with --x and --y"
	width := len(p.mean)
	if width > mostPrincipal {
		return fmt.Errorf("principal directions take too long for %d features, want at most %d%s", width, mostPrincipal, advice)
	}
	// The directions of a sample are close to those of all rows, at a cost that does not grow with
	// the file.
	rows := sample(len(p.X))
	some := mat.NewDense(len(rows), width, nil)
	for k, i := range rows {
		some.SetRow(k, p.X[i])
	}
	var pc stat.PC
	if len(rows) < 2 || !pc.PrincipalComponents(some, nil) {
		return errors.New("the rows have no principal directions" + advice)
	}
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	vars := pc.VarsTo(nil)
	for k, name := range []string{"first", "second"} {
		p.along[k] = mat.Col(nil, k, &vectors)
		// The title has the direction's share of the total variance.
		p.titles[k] = fmt.Sprintf("%s principal direction, %.0f %%", name, 100*vars[k]/max(floats.Sum(vars), 1e-300))
	}
	return nil
}

// mostDrawn limits the sample of rows in a picture, because more rows would hide each other.
const mostDrawn = 2000

// sample returns the indices of n rows, or of mostDrawn random rows if there are more. It returns
// the same rows for the same n.
func sample(n int) []int {
	rows := rand.New(rand.NewPCG(1, 2)).Perm(n)[:min(n, mostDrawn)]
	slices.Sort(rows)
	return rows
}

// at converts a position in the plane to numbers on the axes; from converts back. Lines and
// regions are computed with positions, so that the units of the axes do not matter.
func (p *plane) at(t []float64) plotter.XY {
	return plotter.XY{X: p.zero[0] + p.unit[0]*t[0], Y: p.zero[1] + p.unit[1]*t[1]}
}

// from returns the position in the plane of the numbers x and y on the axes.
func (p *plane) from(x, y float64) []float64 {
	return []float64{(x - p.zero[0]) / p.unit[0], (y - p.zero[1]) / p.unit[1]}
}

// cut returns a hyperplane in the coordinates of the plane. It gives each position the score that
// h gives to the point of the plane at that position.
func (p *plane) cut(h perceptron.Hyperplane) perceptron.Hyperplane {
	w := h.Weights
	return perceptron.Hyperplane{Weights: []float64{floats.Dot(w, p.along[0]), floats.Dot(w, p.along[1])}, Bias: h.Bias + floats.Dot(w, p.mean)}
}

// add draws the rows, and a ring around each drawn row whose index is in ringed, which ascends. If
// the rows are many, it draws a sample and the first six ringed rows. It limits the axes to the
// rows plus a small margin.
func (p *plane) add(to *plot.Plot, ringed ...int) error {
	var places [MostClasses + 1]plotter.XYs // points of the rows of each class, and of the rings
	// The first ringed rows are drawn even if they are not in the sample, as pictures with few
	// rings are about these rows.
	drawn := append(sample(len(p.T)), ringed[:min(len(ringed), 6)]...)
	slices.Sort(drawn)
	for _, i := range slices.Compact(drawn) {
		places[p.Class[i]] = append(places[p.Class[i]], p.at(p.T[i]))
		if _, found := slices.BinarySearch(ringed, i); found {
			places[MostClasses] = append(places[MostClasses], p.at(p.T[i]))
		}
	}
	for k, mark := range append(marks[:], ring) {
		if err := addCurve(to, places[k], draw.LineStyle{}, mark, plotter.NoStep); err != nil {
			return err
		}
	}
	widen(&to.X)
	widen(&to.Y)
	return nil
}

// widen adds a small margin to an axis. It also keeps the ends of the axis far enough
// apart for ticks with different labels.
func widen(a *plot.Axis) {
	by := 0.05 * (a.Max - a.Min)
	if size := max(math.Abs(a.Min), math.Abs(a.Max)); by <= 1e-9*size {
		if by = size / 2; size < 1e-100 {
			by = 1
		}
	}
	a.Min, a.Max = a.Min-by, a.Max+by
}

// key returns an entry for each class and one for rings, which has the text ringed. If rows are not
// drawn, another entry says so.
func (p *plane) key(ringed string) []entry {
	var key []entry
	for i, class := range p.Classes {
		key = append(key, entry{text: short(class), glyph: marks[i]})
	}
	key = append(key, entry{text: ringed, glyph: ring})
	if n := len(p.T); n > mostDrawn {
		key = append(key, entry{text: fmt.Sprintf("%d of %d rows are drawn", mostDrawn, n)})
	}
	return key
}
