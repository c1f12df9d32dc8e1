package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// cloud returns a CSV file of n rows of the classes a and b. No hyperplane separates
// the classes.
func cloud(t *testing.T, n int) string {
	r := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	text.WriteString("x,y,z,kind\n")
	for range n {
		x, y, z := 5+r.NormFloat64(), 100*r.NormFloat64(), r.NormFloat64()/10
		kind := "a"
		if x-5+y/100+10*z+r.NormFloat64()/2 > 0 {
			kind = "b"
		}
		fmt.Fprintf(&text, "%v,%v,%v,%s\n", x, y, z, kind)
	}
	return create(t, "cloud.csv", text.String())
}

// TestNoLeak: the rows held out do not influence the model.
func TestNoLeak(t *testing.T) {
	file := cloud(t, 100)
	lines := strings.Split(strings.TrimSpace(read(t, file)), "\n")
	tab, _ := prepared(t, "-data", file, "-holdout", "0.3", "-seed", "5")
	var held []bool
	for r, err := range tab.scan("") {
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, r.part == heldOut)
	}
	with := func(name string, change func(i int, line string) string) string {
		text := lines[0] + "\n"
		for i, line := range lines[1:] {
			text += change(i, line) + "\n"
		}
		var models string
		for _, more := range [][]string{{"-keep", "average"}, {"-order", "cyclic", "-memory", "0"}} {
			model := filepath.Join(t.TempDir(), "m")
			args := []string{"-data", create(t, name, text), "-holdout", "0.3", "-seed", "5", "-standardise", "-epochs", "3", "-save", model}
			runs(t, append(args, more...)...)
			models += read(t, model) + read(t, beside(model))
		}
		return models
	}
	far := func(line string) string { return "1e6,-1e6,1e6" + line[strings.LastIndex(line, ","):] }
	want := with("same.csv", func(_ int, line string) string { return line })
	if got := with("held.csv", func(i int, line string) string {
		if held[i] {
			return far(line)
		}
		return line
	}); got != want {
		t.Error("the rows held out change the model")
	}
	if got := with("trained.csv", func(i int, line string) string {
		if i == slices.Index(held, false) {
			return far(line)
		}
		return line
	}); got == want {
		t.Error("a training row does not change the model")
	}
}

// TestStandardise compares means and deviations with their definitions. Feature 0 is
// constant.
func TestStandardise(t *testing.T) {
	text := read(t, cloud(t, 500))
	file := create(t, "constant.csv", strings.ReplaceAll(strings.ReplaceAll(text, "x,", "k,x,"), "\n", "\n3,"))
	if i := strings.LastIndex(read(t, file), "\n3,"); i > 0 {
		file = create(t, "constant.csv", read(t, file)[:i+1])
	}
	plain, _ := prepared(t, "-data", file, "-holdout", "0.5")
	scaled, _ := prepared(t, "-data", file, "-holdout", "0.5", "-standardise")
	X := plain.X[training]
	n := float64(len(X))
	for j := range plain.Features {
		var mean, s float64
		for _, x := range X {
			mean += x[j] / n
		}
		for _, x := range X {
			s += (x[j] - mean) * (x[j] - mean) / n
		}
		sigma := math.Sqrt(s)
		if j == 0 {
			mean, sigma = 3, 1
		}
		if math.Abs(scaled.Mean[j]-mean) > 1e-12*(math.Abs(mean)+sigma) || math.Abs(scaled.Scale[j]-sigma) > 1e-12*sigma {
			t.Errorf("feature %d: mean %v, deviation %v; want %v, %v", j, scaled.Mean[j], scaled.Scale[j], mean, sigma)
		}
		for p := range parts {
			for i, x := range plain.X[p] {
				if got, want := scaled.X[p][i][j], (x[j]-scaled.Mean[j])/scaled.Scale[j]; got != want {
					t.Fatalf("part %d, row %d, feature %d: %v, want %v", p, i, j, got, want)
				}
			}
		}
	}
}

// TestFits: rows that need exactly -memory are held in memory, one row more is not.
func TestFits(t *testing.T) {
	file := create(t, "mib.svm", strings.Repeat("0 4:1\n1 1:1\n", 1<<13)) // a row takes 4·8 + 32 bytes
	for file, want := range map[string]bool{file: true, create(t, "more.svm", read(t, file)+"1 1:1\n"): false} {
		tab, _ := prepared(t, "-data", file, "-memory", "1", "-holdout", "0.5")
		if held := tab.X[training] != nil; held != want {
			t.Errorf("%v bytes: held in memory %v, want %v", tab.bytes(), held, want)
		}
	}
}

// TestClasses: classes that are integers keep their values as labels, also in the
// library's model. Other classes get the labels 0, 1, 2, ….
func TestClasses(t *testing.T) {
	for text, want := range map[string]string{
		"1,7\n2,-3\n3,10\n":  "[-3 7 10] [-3 7 10]",
		"1,7\n2,07\n3,10\n":  "[07 7 10] [0 1 2]",
		"1,b\n2,10\n3,9\n":   "[10 9 b] [0 1 2]",
		"1,2.5\n2,10\n3,9\n": "[2.5 9 10] [0 1 2]",
	} {
		tab, m := prepared(t, "-data", create(t, "c.csv", text), "-model", "onevsrest")
		if got := fmt.Sprint(tab.Classes, tab.Labels); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for _, err := range tab.epochs(m, 1, func(int) {}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := m.(*perceptron.OneVsRest).Classes(); !slices.Equal(got, tab.Labels) {
			t.Errorf("the model has %v, want %v", got, tab.Labels)
		}
	}
}
