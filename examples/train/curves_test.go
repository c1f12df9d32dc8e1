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

// TestCurves: every history gives a well-formed SVG with two curves.
func TestCurves(t *testing.T) {
	for name, c := range map[string]struct {
		history []perceptron.Epoch
		points  int // at least
	}{
		"one":      {[]perceptron.Epoch{{N: 1, Mistakes: 3, Loss: 0.5}}, 2},
		"nothing":  {[]perceptron.Epoch{{N: 1}, {N: 2}}, 4},
		"infinite": {[]perceptron.Epoch{{N: 4, Mistakes: 3, Loss: math.Inf(1)}, {N: 5, Mistakes: 2, Loss: math.Inf(1)}}, 2},
		"some":     {[]perceptron.Epoch{{N: 7, Mistakes: 30, Loss: 1e300}, {N: 8, Mistakes: 2, Loss: 1}, {N: 9}}, 6},
	} {
		file := filepath.Join(t.TempDir(), "curves.svg")
		if err := curves(file, c.history); err != nil {
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
		for _, word := range []string{">mistakes</text>", ">loss</text>", ">epoch</text>"} {
			if !strings.Contains(text, word) {
				t.Errorf("%s: no %s", name, word)
			}
		}
		if n := strings.Count(text, "fill:#0072B2") + strings.Count(text, "fill:#D55E00"); n < c.points {
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
	if err := curves(file, history); err != nil {
		t.Fatal(err)
	}
	if text := read(t, file); len(text) > 1<<20 {
		t.Errorf("%d bytes", len(text))
	}
}
