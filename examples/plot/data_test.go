package main

import (
	"encoding/csv"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestPetals: petals.csv is the last three columns of the table in examples/iris.
func TestPetals(t *testing.T) {
	f, err := os.Open("../iris/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(strings.NewReader(petals)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i] = want[i][2:]
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("petals.csv is not the last three columns of iris.csv")
	}
}

// tally counts the labelled points of a set, so that sets compare in any order.
type tally map[[3]float64]int

func count(s set) tally {
	c := tally{}
	for i, x := range s.X {
		at := s.at(x)
		c[[3]float64{math.Round(1e9*at[0]) / 1e9, math.Round(1e9*at[1]) / 1e9, float64(s.y[i])}]++
	}
	return c
}

// TestIris: the seed changes the order of the flowers only, and against selects species.
func TestIris(t *testing.T) {
	a, err := iris(1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := iris(2)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.X) != 150 || !reflect.DeepEqual(count(a), count(b)) || reflect.DeepEqual(a.y, b.y) {
		t.Error("want the same 150 flowers in different orders")
	}
	// The sums of the columns are 563.7 and 179.9 cm.
	if math.Abs(150*a.mean[0]-563.7) > 1e-9 || math.Abs(150*a.mean[1]-179.9) > 1e-9 {
		t.Errorf("mean %v", a.mean)
	}
	checkCentred(t, a)
	before := count(a)
	s := a.against(2, "versicolor", 1)
	checkCentred(t, s)
	if got := count(s); len(s.X) != 100 || got[[3]float64{6.9, 2.3, +1}] != 1 || got[[3]float64{3, 1.1, -1}] != 1 {
		t.Errorf("%d flowers: %v", len(s.X), got)
	}
	if want := []class{{+1, "virginica"}, {-1, "versicolor"}}; !reflect.DeepEqual(s.classes, want) {
		t.Errorf("classes %v, want %v", s.classes, want)
	}
	if all := a.against(0, "the others", 1, 2); len(all.X) != 150 || count(all)[[3]float64{1.4, 0.2, +1}] == 0 {
		t.Errorf("%d flowers: %v", len(all.X), count(all))
	}
	if !reflect.DeepEqual(count(a), before) {
		t.Error("against changed the set")
	}
}

// checkCentred checks that the rows have mean 0.
func checkCentred(t *testing.T, s set) {
	t.Helper()
	for j := range 2 {
		sum := 0.0
		for _, x := range s.X {
			sum += x[j]
		}
		if math.Abs(sum) > 1e-9*float64(len(s.X)) {
			t.Errorf("%s: the mean of coordinate %d is off by %v", s.name, j, sum)
		}
	}
}

// TestClouds: the clouds have the right centres, standard deviation and labels, and depend
// on the seed.
func TestClouds(t *testing.T) {
	const n, noise = 10_000, 0.5
	s := clouds(n, noise, 3)
	checkCentred(t, s)
	for _, label := range []int{+1, -1} {
		var sum, square [2]float64
		for i, x := range s.X {
			if s.y[i] != label {
				continue
			}
			for j, v := range s.at(x) {
				d := v - float64(label)*[2]float64{1, 0.5}[j]
				sum[j] += d
				square[j] += d * d
			}
		}
		for j := range 2 { // within five standard errors of 5000 points
			if mean := sum[j] / (n / 2); math.Abs(mean) > 5*noise/math.Sqrt(n/2) {
				t.Errorf("the mean of cloud %d is off by %v", label, mean)
			}
			if variance := square[j] / (n / 2); math.Abs(variance/(noise*noise)-1) > 5*math.Sqrt2/math.Sqrt(n/2) {
				t.Errorf("cloud %d has variance %v, want %v", label, variance, noise*noise)
			}
		}
	}
	for i, label := range s.y {
		if label != 1-2*(i%2) {
			t.Fatalf("row %d has label %d", i, label)
		}
	}
	if !reflect.DeepEqual(clouds(50, noise, 3), clouds(50, noise, 3)) || reflect.DeepEqual(clouds(50, noise, 3).X, clouds(50, noise, 4).X) {
		t.Error("the points do not depend on the seed alone")
	}
}
