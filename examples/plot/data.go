package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"perceptron"
)

// petals has three columns of the table in examples/iris: R. A. Fisher, "The use of
// multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936), table 1.
//
//go:embed petals.csv
var petals string

// A set holds labelled points in the plane. X holds the points minus their mean. Models
// train on X, so that their lines turn around the middle of the picture.
type set struct {
	name    string
	axes    [2]string
	classes []class
	X       [][]float64
	y       []int
	mean    [2]float64
}

// A class is a label and its name. Its index in the classes of a set selects its colour
// and shape.
type class struct {
	label int
	name  string
}

// centred subtracts the mean from the points. It changes the rows of s.X.
func centred(s set) set {
	n := float64(len(s.X))
	for _, x := range s.X {
		s.mean[0] += x[0] / n
		s.mean[1] += x[1] / n
	}
	for _, x := range s.X {
		x[0] -= s.mean[0]
		x[1] -= s.mean[1]
	}
	return s
}

// at returns the position of row x in the picture.
func (s set) at(x []float64) point {
	return point{x[0] + s.mean[0], x[1] + s.mean[1]}
}

// uncentred converts h to positions in the picture: the result gives to a position the
// score that h gives to the row at that position.
func (s set) uncentred(h perceptron.Hyperplane) perceptron.Hyperplane {
	h.Bias -= h.Weights[0]*s.mean[0] + h.Weights[1]*s.mean[1]
	return h
}

// clouds draws n points, alternately from two Gaussians around +(1, ½) and −(1, ½) with
// standard deviation noise.
func clouds(n int, noise float64, seed uint64) set {
	s := set{
		name:    "two Gaussian clouds",
		axes:    [2]string{"x₁", "x₂"},
		classes: []class{{+1, "+1"}, {-1, "−1"}},
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		label := +1
		if i%2 == 1 {
			label = -1
		}
		side := float64(label)
		// The conversions prevent fused multiply-add, so that the same seed gives the
		// same points on every machine.
		dx, dy := float64(noise*rng.NormFloat64()), float64(noise*rng.NormFloat64())
		s.X = append(s.X, []float64{side + dx, side/2 + dy})
		s.y = append(s.y, label)
	}
	return centred(s)
}

var species = []string{"setosa", "versicolor", "virginica"}

// iris returns the petals of all flowers. The labels are indices of species. The seed
// determines the order, because the table is sorted by species.
func iris(seed uint64) (set, error) {
	s := set{name: "iris", axes: [2]string{"petal length (cm)", "petal width (cm)"}}
	for label, name := range species {
		s.classes = append(s.classes, class{label, name})
	}
	rows, err := csv.NewReader(strings.NewReader(petals)).ReadAll()
	if err != nil {
		return set{}, err
	}
	rows = rows[1:]
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	for _, row := range rows {
		x := make([]float64, 2)
		for j := range x {
			if x[j], err = strconv.ParseFloat(row[j], 64); err != nil {
				return set{}, err
			}
		}
		s.X = append(s.X, x)
		s.y = append(s.y, slices.Index(species, row[2]))
	}
	return centred(s), nil
}

// against returns the flowers of one species with the label +1, and those of the species
// in negative with −1.
func (s set) against(positive int, name string, negative ...int) set {
	t := set{
		name:    fmt.Sprintf("%s, %s against %s", s.name, species[positive], name),
		axes:    s.axes,
		classes: []class{{+1, species[positive]}, {-1, name}},
	}
	for i, x := range s.X {
		label := -1
		if s.y[i] == positive {
			label = +1
		} else if !slices.Contains(negative, s.y[i]) {
			continue
		}
		at := s.at(x)
		t.X = append(t.X, at[:])
		t.y = append(t.y, label)
	}
	return centred(t)
}
