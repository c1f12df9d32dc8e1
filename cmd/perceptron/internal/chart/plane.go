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

// A plane is what a picture shows of the rows: their positions along two orthogonal
// directions of length 1 through the mean row. So a distance in the plane is a distance
// of rows.
type plane struct {
	*Data
	T      [][]float64 // positions
	mean   []float64
	along  [2][]float64
	zero   [2]float64 // of the mean row on the axes
	unit   [2]float64 // length on the axes of 1 in the plane
	titles [2]string  // of the axes
}

// farthest is the largest number that a picture shows. Beyond it the squares of
// differences could overflow.
const farthest = 1e100

// flat returns the plane of the features that d names or, without names, of both
// features or the first two principal directions.
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
	// Positions count from the mean row. Far from it, differences of large numbers would lose digits.
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

// direct chooses the directions.
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
	// The directions of a sample serve as well, and the time for them does not grow with the file.
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
		// The share of the variance says how much of the rows the picture can show.
		p.titles[k] = fmt.Sprintf("%s principal direction, %.0f %%", name, 100*vars[k]/max(floats.Sum(vars), 1e-300))
	}
	return nil
}

// mostDrawn limits the rows in a picture, where more would hide each other.
const mostDrawn = 2000

// sample returns the indices of n rows, or of a random part of them. The part is always
// the same.
func sample(n int) []int {
	rows := rand.New(rand.NewPCG(1, 2)).Perm(n)[:min(n, mostDrawn)]
	slices.Sort(rows)
	return rows
}

// at returns the place of a position on the axes, and from the reverse. Lines and regions
// are computed in the plane, whose units are near 1, so that axes may have any.
func (p *plane) at(t []float64) plotter.XY {
	return plotter.XY{X: p.zero[0] + p.unit[0]*t[0], Y: p.zero[1] + p.unit[1]*t[1]}
}

// from returns the position of a place on the axes.
func (p *plane) from(x, y float64) []float64 {
	return []float64{(x - p.zero[0]) / p.unit[0], (y - p.zero[1]) / p.unit[1]}
}

// cut returns the hyperplane in the plane that gives each position the score that h
// gives to its row.
func (p *plane) cut(h perceptron.Hyperplane) perceptron.Hyperplane {
	w := h.Weights
	return perceptron.Hyperplane{Weights: []float64{floats.Dot(w, p.along[0]), floats.Dot(w, p.along[1])}, Bias: h.Bias + floats.Dot(w, p.mean)}
}

// add draws the rows, with rings around some of them. Of many rows it draws a sample, and
// the first ringed ones. It limits the axes to the rows plus a small margin.
func (p *plane) add(to *plot.Plot, ringed ...int) error {
	var places [MostClasses + 1]plotter.XYs // of the rows of each class, and of the rings
	// A ringed row is drawn even if it is not in the sample: its ring would stand around nothing.
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

// key returns an entry for each class, and for ring.
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
