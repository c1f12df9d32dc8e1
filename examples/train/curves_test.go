package main

import (
	"encoding/xml"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// TestCurves: every history gives a well-formed SVG with a title and its curves.
func TestCurves(t *testing.T) {
	for name, c := range map[string]struct {
		history []perceptron.Epoch
		errors  []float64
		points  int // at least
	}{
		"one":      {[]perceptron.Epoch{{N: 1, Mistakes: 3, Loss: 0.5}}, nil, 2},
		"nothing":  {[]perceptron.Epoch{{N: 1}, {N: 2}}, nil, 4},
		"infinite": {[]perceptron.Epoch{{N: 4, Mistakes: 3, Loss: math.Inf(1)}, {N: 5, Mistakes: 2, Loss: math.Inf(1)}}, nil, 2},
		"some":     {[]perceptron.Epoch{{N: 7, Mistakes: 30, Loss: 1e300}, {N: 8, Mistakes: 2, Loss: 1}, {N: 9}}, []float64{0.5, 0.25, 0}, 9},
	} {
		file := filepath.Join(t.TempDir(), "curves.svg")
		if err := curves(file, &summary{table: &table{file: "dir/some.csv"}, model: new(perceptron.Online), history: c.history, errors: c.errors}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := read(t, file)
		in := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := in.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if got := strings.Contains(text, ">held-out error</text>"); got != (c.errors != nil) {
			t.Errorf("%s: held-out curve %v", name, got)
		}
		for _, word := range []string{">some.csv: online, order Cyclic, keep Last</text>", ">mistakes</text>", ">loss</text>", ">epoch</text>"} {
			if !strings.Contains(text, word) {
				t.Errorf("%s: no %s", name, word)
			}
		}
		if n := strings.Count(text, "fill:#0072B2") + strings.Count(text, "fill:#D55E00") + strings.Count(text, "fill:#009E73"); n < c.points {
			t.Errorf("%s: %d points, want at least %d", name, n, c.points)
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: a coordinate is not a finite number", name)
		}
	}
}

// TestManyEpochs: a long training gives a file of at most 1 MiB.
func TestManyEpochs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "curves.svg")
	history := make([]perceptron.Epoch, 50_000)
	for i := range history {
		history[i] = perceptron.Epoch{N: i + 1, Mistakes: 1 + i%7, Loss: 1 / float64(i+1)}
	}
	if err := curves(file, &summary{table: new(table), model: new(perceptron.Online), history: history}); err != nil {
		t.Fatal(err)
	}
	if text := read(t, file); len(text) > 1<<20 {
		t.Errorf("%d bytes", len(text))
	}
}
