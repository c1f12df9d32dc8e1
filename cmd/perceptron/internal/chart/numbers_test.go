package chart

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"perceptron"
	"perceptron/cmd/perceptron/internal/metrics"
)

// clouds returns n rows, alternately around (2, 1) and (−2, −1).
func clouds(n int, noise float64, seed uint64) *Data {
	d := &Data{Name: "clouds", Classes: []string{"no", "yes"}, Features: []string{"a", "b"}}
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		side := float64(2*(i%2) - 1)
		d.X = append(d.X, []float64{2*side + noise*r.NormFloat64(), side + noise*r.NormFloat64()})
		d.Class = append(d.Class, i%2)
	}
	return d
}

// xor returns rows that no hyperplane separates.
func xor() *Data {
	return &Data{Name: "xor", Classes: []string{"no", "yes"}, Features: []string{"a", "b"},
		X: [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, Class: []int{0, 1, 0, 1}}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 1, "0 0.5 1"},
		{-2.3, 2.1, "−2 0 2 −1 1"},
		{0, 930, "0 400 800"},
		{-1.1e90, 1.1e90, "−1e+90 0 1e+90"},
		{0, 6e6, "0 3e+06 6e+06"},
		{0.15, 2.6, "0.5 1.5 2.5 1 2"},
		{0.1, 0.2, "0.1 0.15 0.2"},
	} {
		if got := labelsOf(ticks{}.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("ticks from %v to %v are %q, want %q", c.low, c.high, got, c.want)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 2.3, "1 10 100"},
		{0, 0.9, "1 2 5"},
		{-1.1, 0.2, "0.1 0.2 0.5 1"},
		{0, 20.6, "1 10000 1e+08 1e+12 1e+16 1e+20"},
		{-3, 3, "0.001 0.01 0.1 1 10 100 1000"},
	} {
		if got := labelsOf(decades{}.Ticks(c.low, c.high)); got != strings.ReplaceAll(c.want, "-", "−") {
			t.Errorf("decades from %v to %v are %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

// labelsOf returns the labels of the major ticks.
func labelsOf(ticks []plot.Tick) string {
	var labels []string
	for _, tick := range ticks {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	return strings.Join(labels, " ")
}

// TestWiden: on any axis, the ticks are few, inside, and their labels are different and
// right.
func TestWiden(t *testing.T) {
	for _, low := range []float64{0, 1, -1, 1e-300, 5e-324, 1e9, -1e9, 1e100, -1e100, 123456789} {
		for _, span := range []float64{0, 5e-324, 1e-300, 1e-9, 1e-3, 1, 7, 1e9, 1e100} {
			a := plot.New().X
			a.Min, a.Max = low, low+span
			widen(&a)
			if !(a.Min < low && low+span < a.Max) {
				t.Fatalf("%v and %v more: from %v to %v", low, span, a.Min, a.Max)
			}
			seen := map[string]bool{}
			for _, tick := range (ticks{}).Ticks(a.Min, a.Max) {
				if tick.Label == "" {
					continue
				}
				v, err := strconv.ParseFloat(strings.ReplaceAll(tick.Label, "−", "-"), 64)
				if err != nil || math.Abs(v-tick.Value) > 0.01*(a.Max-a.Min) || seen[tick.Label] || !(a.Min <= v && v <= a.Max) {
					t.Errorf("%v and %v more: the tick at %v has the label %q, from %v to %v", low, span, tick.Value, tick.Label, a.Min, a.Max)
				}
				seen[tick.Label] = true
			}
			if len(seen) < 2 || len(seen) > 8 {
				t.Errorf("%v and %v more: labels %v", low, span, seen)
			}
		}
	}
}

func TestShort(t *testing.T) {
	for name, want := range map[string]string{
		"":                       "",
		"plain":                  "plain",
		"a\nb\tc\x00d":           "a b c d",
		"bad \xff":               "bad ?",
		strings.Repeat("i", 50):  strings.Repeat("i", 50),
		strings.Repeat("Wé", 50): strings.Repeat("Wé", 9) + "W…",
	} {
		if got := short(name); got != want {
			t.Errorf("short(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestThin(t *testing.T) {
	var line plotter.XYs
	for i := range 100_001 {
		line = append(line, plotter.XY{X: float64(i) / 100_000, Y: float64(i%2) / 10_000})
	}
	kept := thin(line, 1, 1)
	if len(kept) < 700 || len(kept) > 802 || kept[0] != line[0] || kept[len(kept)-1] != line[100_000] {
		t.Errorf("%d points are kept, from %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	jumps := plotter.XYs{{X: 0, Y: 0}, {X: 1e-9, Y: 1}, {X: 2e-9, Y: 1}, {X: 3e-9, Y: 0}, {X: 4e-9, Y: 0}}
	if got, want := thin(jumps, 1, 1), append(slices.Clone(jumps[:2]), jumps[3:]...); !cmp.Equal(got, want) {
		t.Errorf("thin(%v) = %v, want %v", jumps, got, want)
	}
}

// TestFlat: a place on the axes is the raw value of the two features, and distances in
// the plane are those of the rows.
func TestFlat(t *testing.T) {
	d := clouds(20, 1, 3)
	d.Mean, d.Scale = []float64{100, -7}, []float64{10, 0.5}
	for range 2 {
		p, err := flat(d)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range d.X {
			at := p.at(p.T[i])
			back := p.from(at.X, at.Y)
			if !near(at.X, 100+10*x[0]) || !near(at.Y, -7+0.5*x[1]) || !near(back[0], p.T[i][0]) || !near(back[1], p.T[i][1]) {
				t.Fatalf("row %v is at %v, and back at %v", x, at, back)
			}
			if got, want := floats.Distance(p.T[i], p.T[0], 2), floats.Distance(x, d.X[0], 2); !near(got, want) {
				t.Fatalf("row %v has distance %v in the plane, want %v", x, got, want)
			}
		}
		// Two of three features show the same.
		d.Features, d.Axes = []string{"a", "b", "c"}, [2]string{"a", "b"}
		d.Mean, d.Scale = append(d.Mean, 0), append(d.Scale, 1)
		for i := range d.X {
			d.X[i] = append(d.X[i], 0)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// TestPrincipal: the directions are those along which the rows were made, and the shares
// of the variance are right.
func TestPrincipal(t *testing.T) {
	d := &Data{Features: []string{"a", "b", "c", "d"}, Classes: []string{"no", "yes"}}
	u, v := []float64{0.5, 0.5, 0.5, 0.5}, []float64{0.5, -0.5, 0.5, -0.5}
	for _, s := range [][2]float64{{3, 0}, {-3, 0}, {0, 1}, {0, -1}} {
		x := []float64{1, 2, 3, 4}
		floats.AddScaled(x, s[0], u)
		floats.AddScaled(x, s[1], v)
		d.X, d.Class = append(d.X, x), append(d.Class, 0)
	}
	p, err := flat(d)
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Abs(floats.Dot(p.along[0], u)) + math.Abs(floats.Dot(p.along[1], v)); !near(got, 2) {
		t.Errorf("the directions are %v, want %v and %v", p.along, u, v)
	}
	if want := [2]string{"first principal direction, 90 %", "second principal direction, 10 %"}; p.titles != want {
		t.Errorf("the axes are %q, want %q", p.titles, want)
	}
	// A hyperplane gives a row of the plane the score that its cut gives the position.
	h := perceptron.Hyperplane{Weights: []float64{1, -2, 3, 0.5}, Bias: -4}
	for i, x := range d.X {
		a, _ := h.Score(x)
		b, _ := p.cut(h).Score(p.T[i])
		if !near(a, b) {
			t.Errorf("row %v has score %v, and %v in the plane", x, a, b)
		}
	}
}

func TestFlatErrors(t *testing.T) {
	many := clouds(4, 1, 1)
	many.Classes = make([]string, MostClasses+1)
	far := clouds(4, 1, 1)
	far.X[2][1] = -2e100
	narrow := clouds(4, 1, 1)
	narrow.Features = narrow.Features[:1]
	wide := clouds(1, 1, 1)
	wide.Features, wide.X[0] = make([]string, mostPrincipal+1), make([]float64, mostPrincipal+1)
	lone := clouds(1, 1, 1)
	lone.Features, lone.X[0] = append(lone.Features, "c"), append(lone.X[0], 3)
	for _, c := range []struct {
		d    *Data
		axes [2]string
		want string
	}{
		{many, [2]string{}, "the number of classes is 8, want at most 7"},
		{far, [2]string{}, "want numbers of at most 1e+100"},
		{narrow, [2]string{}, "the picture needs two features"},
		{clouds(0, 1, 1), [2]string{}, "no rows"},
		{wide, [2]string{}, "too long for 501 features, want at most 500; choose two features with --x and --y"},
		{lone, [2]string{}, "no principal directions; choose"},
		{clouds(4, 1, 1), [2]string{"a", "a"}, `both axes are "a"`},
		{clouds(4, 1, 1), [2]string{"a", "c"}, `no feature "c"; the first ones are ["a" "b"]`},
	} {
		c.d.Axes = c.axes
		if _, err := flat(c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// TestSample: no more rows than can be seen are drawn, each once, and few rows all.
func TestSample(t *testing.T) {
	for _, n := range []int{0, 1, mostDrawn, mostDrawn + 1, 100_000} {
		rows := sample(n)
		if len(rows) != min(n, mostDrawn) || len(slices.Compact(slices.Clone(rows))) != len(rows) || !slices.IsSorted(rows) {
			t.Errorf("of %d rows, %d are drawn", n, len(rows))
		}
		if n > 0 && (rows[0] < 0 || rows[len(rows)-1] >= n || rows[len(rows)-1] < n-n/20-1) {
			t.Errorf("of %d rows, %d to %d are drawn", n, rows[0], rows[len(rows)-1])
		}
	}
}

func TestClip(t *testing.T) {
	square := [][]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	right := perceptron.Hyperplane{Weights: []float64{1, 0}}
	for _, c := range []struct {
		level     float64
		part, cut [][]float64
	}{
		{-1, square, nil},
		{0, square, nil},
		{0.25, [][]float64{{0.25, 0}, {1, 0}, {1, 1}, {0.25, 1}}, [][]float64{{0.25, 0}, {0.25, 1}}},
		{2, nil, nil},
	} {
		if part, cut := clip(square, right, c.level); !cmp.Equal(part, c.part) || !cmp.Equal(cut, c.cut) {
			t.Errorf("clip at %v = %v, %v, want %v, %v", c.level, part, cut, c.part, c.cut)
		}
	}
}

// TestCurve: the areas below the curves are the AUC and the average precision, and the
// marked points are those of the threshold.
func TestCurve(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		c := Curve{Threshold: float64(r.IntN(12)) / 2}
		if seed == 0 {
			c.Threshold = 1000 // nothing is predicted
		}
		var found, taken, positives, rows int
		for range 2 + r.IntN(300) {
			score, positive := float64(r.IntN(5+int(seed))), r.IntN(3) == 0
			if rows < 2 {
				positive = rows == 0
			}
			c.Scores.Add(score, positive)
			rows++
			positives += map[bool]int{true: 1}[positive]
			taken += map[bool]int{true: 1}[score >= c.Threshold]
			found += map[bool]int{true: 1}[score >= c.Threshold && positive]
		}
		roc, pr, at, err := c.points()
		if err != nil {
			t.Fatal(err)
		}
		auc, ap := 0.0, 0.0
		for i := range roc[1:] {
			auc += (roc[i+1].X - roc[i].X) * (roc[i+1].Y + roc[i].Y) / 2
			ap += (pr[i+1].X - pr[i].X) * pr[i+1].Y
		}
		if !near(auc, c.Scores.AUC()) || !near(ap, c.Scores.AveragePrecision()) || pr[0].X != 0 || pr[0].Y != pr[1].Y {
			t.Errorf("areas %v and %v, want %v and %v", auc, ap, c.Scores.AUC(), c.Scores.AveragePrecision())
		}
		recall := float64(found) / float64(positives)
		want := plotter.XYs{{X: float64(taken-found) / float64(rows-positives), Y: recall}, {X: recall, Y: float64(found) / max(1, float64(taken))}}
		if taken == 0 {
			want[1].Y = 1
		}
		if !cmp.Equal(at, want) {
			t.Errorf("the threshold is at %v, want %v", at, want)
		}
	}
	for _, positive := range []bool{true, false} {
		var s metrics.Scores
		s.Add(1, positive)
		if _, err := ROC("x", "online", "rows", []Curve{{Class: "yes", Scores: s}}); err == nil || !strings.Contains(err.Error(), `of class "yes"; its curves need such rows and others`) {
			t.Errorf("one kind of rows: %v", err)
		}
	}
	if _, err := ROC("x", "online", "rows", make([]Curve, MostClasses+1)); err == nil {
		t.Error("eight curves are accepted")
	}
}

// TestLibraryErrors: an overflow in the library is reported.
func TestLibraryErrors(t *testing.T) {
	d := &Data{X: [][]float64{{1e200, 0}, {-1e200, 1e200}}, Class: []int{0, 1}, Classes: []string{"no", "yes"}, Features: []string{"a", "b"}}
	if _, err := Bound(d); !errors.Is(err, perceptron.ErrNotFinite) {
		t.Error(fmt.Errorf("Bound: %w", err))
	}
}
