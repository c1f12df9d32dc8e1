package main

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"perceptron"
)

// TestClip clips a square by lines that cross it, miss it, or contain an edge.
func TestClip(t *testing.T) {
	square := []point{{0, 0}, {4, 0}, {4, 4}, {0, 4}}
	h := func(a, b, bias float64) perceptron.Hyperplane {
		return perceptron.Hyperplane{Weights: []float64{a, b}, Bias: bias}
	}
	for _, c := range []struct {
		h         perceptron.Hyperplane
		level     float64
		part, cut []point
	}{
		{h(1, 0, -1), 0, []point{{1, 0}, {4, 0}, {4, 4}, {1, 4}}, []point{{1, 0}, {1, 4}}},
		{h(1, 0, -1), 2, []point{{3, 0}, {4, 0}, {4, 4}, {3, 4}}, []point{{3, 0}, {3, 4}}},
		{h(-1, 0, 1), 0, []point{{0, 0}, {1, 0}, {1, 4}, {0, 4}}, []point{{1, 0}, {1, 4}}},
		{h(-1, -1, 2), 0, []point{{0, 0}, {2, 0}, {0, 2}}, []point{{2, 0}, {0, 2}}},
		{h(1, 1, 1), 0, square, nil},
		{h(1, 1, -9), 0, nil, nil},
		{h(1, 0, 0), 0, square, nil}, // along an edge
	} {
		part, cut := clip(square, c.h, c.level)
		if !reflect.DeepEqual(part, c.part) || !reflect.DeepEqual(cut, c.cut) {
			t.Errorf("%v at %v: %v, %v, want %v, %v", c.h, c.level, part, cut, c.part, c.cut)
		}
	}
	if part, _ := clip(nil, h(1, 1, 1), 0); part != nil {
		t.Error(part)
	}
}

// TestUncentred: a position in the picture has the score of its row.
func TestUncentred(t *testing.T) {
	s := set{mean: [2]float64{3, -2}}
	h := perceptron.Hyperplane{Weights: []float64{2, 5}, Bias: 1}
	x := []float64{0.5, 0.25}
	want, err := h.Score(x)
	if err != nil {
		t.Fatal(err)
	}
	if got := score(s.uncentred(h), s.at(x)); got != want || h.Bias != 1 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTicks: each label shows the value at its position, and the labels are as expected.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high, least float64
		want             string
	}{
		{0, 2.5, 0, "0.0 0.5 1.0 1.5 2.0 2.5"},
		{-0.02, 2.6, 0, "0.0 0.5 1.0 1.5 2.0 2.5"},
		{-2.3, 2.1, 0, "−2 −1 0 1 2"},
		{0.9, 7.1, 0, "2 4 6"},
		{0, 30, 1, "0 5 10 15 20 25 30"},
		{0, 2, 1, "0 1 2"},
		{0, 2, 0, "0.0 0.5 1.0 1.5 2.0"},
		{0, 0.011, 0, "0.000 0.002 0.004 0.006 0.008 0.010"},
		{0, 12345, 0, "0 5000 10000"},
	} {
		var labels []string
		for _, tick := range (ticks{c.least}).Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
			v, err := strconv.ParseFloat(strings.Replace(tick.Label, "−", "-", 1), 64)
			if err != nil || math.Abs(v-tick.Value) > 1e-12*(c.high-c.low) {
				t.Errorf("label %q is at %v: %v", tick.Label, tick.Value, err)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestDecades: labels are at the powers of ten, and unlabelled ticks between them.
func TestDecades(t *testing.T) {
	var labels []string
	minor := 0
	for _, tick := range (decades{}).Ticks(math.Log10(0.045), math.Log10(250)) {
		if tick.Label == "" {
			minor++
			continue
		}
		labels = append(labels, tick.Label)
		if v, err := strconv.ParseFloat(tick.Label, 64); err != nil || math.Abs(math.Log10(v)-tick.Value) > 1e-15 {
			t.Errorf("label %q is at %v", tick.Label, tick.Value)
		}
	}
	// 0.05 to 0.09, three times 2 to 9, and 200.
	if got := strings.Join(labels, " "); got != "0.1 1 10 100" || minor != 5+24+1 {
		t.Errorf("%s and %d ticks without a label", got, minor)
	}
}

// TestKey: a key uses a new line when the picture is not wide enough.
func TestKey(t *testing.T) {
	one := entry{text: "what this stands for", line: solid}
	for _, c := range []struct {
		entries int
		lines   vg.Length
	}{{0, 0}, {1, 1}, {5, 1}, {6, 2}, {10, 2}, {11, 3}} {
		var f figure
		for range c.entries {
			f.key = append(f.key, one)
		}
		if got := f.drawKey(draw.New(vgsvg.New(width, 300))); got != 14*c.lines {
			t.Errorf("%d entries: height %v, want %v lines", c.entries, got, c.lines)
		}
	}
}

// TestTint: a tint is pale but keeps its hue, and no two marks look alike.
func TestTint(t *testing.T) {
	if got := tint(blue); got.R < 200 || got.B <= got.R || got.A != 255 {
		t.Error(got)
	}
	for i, a := range marks {
		for j, b := range marks[:i] {
			if a.Color == b.Color || a.Shape == b.Shape {
				t.Errorf("marks %d and %d look alike", i, j)
			}
		}
	}
}
