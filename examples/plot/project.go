package main

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"perceptron"
)

// A view plane is the part of the space of the features that a picture shows: the
// plane through origin along two directions.
type viewPlane struct {
	origin []float64
	to     [2][]float64 // a row minus origin, times to, is its position
	from   [2][]float64 // a position, times from, plus origin, is its row
	mean   [2]float64   // position of origin on the axes
	axes   [2]string
	note   string
}

// newPlane returns the plane of two named columns or, without names, of the first two
// principal directions. With two features these are the columns.
func newPlane(s *sheet, x, y string) (viewPlane, error) {
	p := viewPlane{origin: make([]float64, len(s.features))}
	for _, row := range s.X {
		for j, v := range row {
			p.origin[j] += v / float64(len(s.X))
		}
	}
	if x == "" && len(s.features) > 2 {
		return p, p.principal(s)
	}
	if x == "" {
		x, y = s.features[0], s.features[1]
	}
	for k, name := range []string{x, y} {
		j := slices.Index(s.features, name)
		if j < 0 {
			return p, fmt.Errorf("%s: -%c: no column %q; the features are %q", s.file, "xy"[k], name, s.features)
		}
		unit := make([]float64, len(s.features))
		unit[j] = 1
		p.to[k], p.from[k], p.mean[k], p.axes[k] = unit, unit, p.origin[j], name
	}
	if len(s.features) > 2 {
		p.note = fmt.Sprintf("%s has %d features: the pictures show %s and %s, -x and -y", s.name(), len(s.features), x, y)
	}
	return p, nil
}

// principal selects the first two principal directions of the standardised features.
func (p *viewPlane) principal(s *sheet) error {
	d := len(s.features)
	scale := make([]float64, d)
	z := mat.NewDense(len(s.X), d, nil)
	for j := range d {
		var sum float64
		for _, row := range s.X {
			sum += (row[j] - p.origin[j]) * (row[j] - p.origin[j]) / float64(len(s.X))
		}
		if scale[j] = math.Sqrt(sum); scale[j] == 0 {
			scale[j] = 1
		}
		for i, row := range s.X {
			z.Set(i, j, (row[j]-p.origin[j])/scale[j])
		}
	}
	var pc stat.PC
	if !pc.PrincipalComponents(z, nil) {
		return fmt.Errorf("%s: the principal directions cannot be computed; choose two columns with -x and -y", s.file)
	}
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	vars := pc.VarsTo(nil)
	if _, n := vectors.Dims(); n < 2 {
		return fmt.Errorf("%s: too few rows for principal directions; choose two columns with -x and -y", s.file)
	}
	var all, share float64
	for _, v := range vars {
		all += v
	}
	for k, name := range []string{"first", "second"} {
		v := mat.Col(nil, k, &vectors)
		largest := slices.MaxFunc(v, func(a, b float64) int { return cmpAbs(a, b) })
		p.to[k], p.from[k] = make([]float64, d), make([]float64, d)
		for j := range v {
			v[j] = math.Copysign(v[j], v[j]*largest) // so that the picture does not depend on the sign
			p.to[k][j], p.from[k][j] = v[j]/scale[j], v[j]*scale[j]
		}
		share += vars[k] / all
		p.axes[k] = fmt.Sprintf("%s principal direction (%.0f %% of the variance)", name, 100*vars[k]/all)
	}
	p.note = fmt.Sprintf("%s has %d features: the pictures show the first two principal directions of the standardised features, %.0f %% of their variance; -x and -y choose two columns instead",
		s.name(), d, 100*share)
	return nil
}

func cmpAbs(a, b float64) int {
	switch {
	case math.Abs(a) < math.Abs(b):
		return -1
	case math.Abs(a) > math.Abs(b):
		return 1
	}
	return 0
}

// set returns the rows in the plane, with the given labels of the classes.
func (p viewPlane) set(s *sheet, classes []string, labels []int) set {
	t := set{name: s.name(), axes: p.axes, mean: p.mean}
	for k, name := range classes {
		t.classes = append(t.classes, class{labels[k], name})
	}
	for i, row := range s.X {
		x := make([]float64, 2)
		for k := range x {
			for j, v := range row {
				x[k] += (v - p.origin[j]) * p.to[k][j]
			}
		}
		t.X = append(t.X, x)
		t.y = append(t.y, labels[slices.Index(classes, s.class[i])])
	}
	return t
}

// cut returns the hyperplane of the plane that gives each position the score that h
// gives its row.
func (p viewPlane) cut(h perceptron.Hyperplane) perceptron.Hyperplane {
	in := perceptron.Hyperplane{Weights: make([]float64, 2), Bias: h.Bias}
	for j, w := range h.Weights {
		in.Weights[0] += w * p.from[0][j]
		in.Weights[1] += w * p.from[1][j]
		in.Bias += w * p.origin[j]
	}
	return in
}
