package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"perceptron"
)

// A view is the plane that a picture shows: the one through origin along two orthogonal
// directions of length 1, in the space of the scaled rows. So a distance in the plane is
// a distance of rows.
type view struct {
	origin []float64
	along  [2][]float64
	zero   [2]float64 // position of the origin on the axes
	unit   [2]float64 // length on the axes of 1 in the plane
	axes   [2]string
}

// A point is a position in the picture, in the units of the axes.
type point [2]float64

// newView returns the plane of the features that d names or, without names, of both
// features or the first two principal directions.
func newView(d *Data) (*view, error) {
	width := len(d.Features)
	if width < 2 {
		return nil, errors.New("the picture needs two features; bound and roc need one")
	}
	v := &view{origin: make([]float64, width), unit: [2]float64{1, 1}}
	for _, x := range d.X {
		for j := range x {
			v.origin[j] += x[j] / float64(len(d.X))
		}
	}
	names := [2]string{d.XAxis, d.YAxis}
	if names[0] == "" && width > 2 {
		return v, v.principal(d)
	}
	if names[0] == "" {
		names = [2]string(d.Features)
	}
	for k, name := range names {
		j := slices.Index(d.Features, name)
		switch {
		case j < 0:
			return nil, fmt.Errorf("no feature %q; the features are %q", name, d.Features[:min(width, 20)])
		case k == 1 && name == names[0]:
			return nil, fmt.Errorf("both axes show %q", name)
		}
		v.along[k] = make([]float64, width)
		v.along[k][j] = 1
		v.zero[k], v.axes[k] = v.origin[j], short(name)
		if d.Scale != nil {
			v.zero[k], v.unit[k] = d.Mean[j]+d.Scale[j]*v.origin[j], d.Scale[j]
		}
	}
	return v, nil
}

// mostPrincipal limits the time for principal directions, which grows with the third
// power of the number of features.
const mostPrincipal = 500

// principal selects the first two principal directions of the rows.
func (v *view) principal(d *Data) error {
	width := len(v.origin)
	if width > mostPrincipal {
		return fmt.Errorf("principal directions of %d features take too long, want at most %d; choose two features with --x and --y", width, mostPrincipal)
	}
	rows := sample(len(d.X))
	centred := mat.NewDense(len(rows), width, nil)
	for k, i := range rows {
		for j, x := range d.X[i] {
			centred.Set(k, j, x-v.origin[j])
		}
	}
	var pc stat.PC
	var vectors mat.Dense
	if len(rows) < 2 || !pc.PrincipalComponents(centred, nil) {
		return errors.New("the principal directions cannot be computed; choose two features with --x and --y")
	}
	pc.VectorsTo(&vectors)
	vars, all := pc.VarsTo(nil), 0.0
	for _, share := range vars {
		all += share
	}
	if _, n := vectors.Dims(); n < 2 || !(all > 0) {
		return errors.New("the rows have no two principal directions; choose two features with --x and --y")
	}
	for k, name := range []string{"first", "second"} {
		u := mat.Col(nil, k, &vectors)
		largest := slices.MaxFunc(u, func(a, b float64) int { return int(math.Copysign(1, abs(a)-abs(b))) })
		for j := range u {
			u[j] *= math.Copysign(1, largest) // so that the picture does not depend on the sign
		}
		v.along[k] = u
		v.axes[k] = fmt.Sprintf("%s principal direction, %.0f %%", name, 100*vars[k]/all)
	}
	return nil
}

// in returns the position of a row in the plane.
func (v *view) in(x []float64) []float64 {
	t := make([]float64, 2)
	for k := range t {
		for j := range x {
			t[k] += (x[j] - v.origin[j]) * v.along[k][j]
		}
	}
	return t
}

// at returns the point of a position in the plane, and from the reverse.
func (v *view) at(t []float64) point {
	return point{v.zero[0] + v.unit[0]*t[0], v.zero[1] + v.unit[1]*t[1]}
}

func (v *view) from(p point) []float64 {
	return []float64{(p[0] - v.zero[0]) / v.unit[0], (p[1] - v.zero[1]) / v.unit[1]}
}

// cut returns the hyperplane in the plane that gives each position the score that h
// gives to its row.
func (v *view) cut(h perceptron.Hyperplane) perceptron.Hyperplane {
	in := perceptron.Hyperplane{Weights: make([]float64, 2), Bias: h.Bias}
	for j, w := range h.Weights {
		in.Weights[0] += w * v.along[0][j]
		in.Weights[1] += w * v.along[1][j]
		in.Bias += w * v.origin[j]
	}
	return in
}
