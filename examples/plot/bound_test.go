package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"perceptron"
)

// TestProof checks every number of a proof: the mistakes against the naive rule, and
// ‖(w, b)‖ against both bounds.
func TestProof(t *testing.T) {
	proved := 0
	for _, s := range sets(t) {
		pr, err := prove(s)
		if errors.Is(err, errInseparable) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		proved++
		if err := pr.Verify(s.X, s.y); err != nil {
			t.Error(err)
		}
		rows, weights := naive(s, math.MaxInt)
		k, n := len(pr.norms), len(s.X)
		if k != len(rows) || k != len(pr.seen) || float64(k) > pr.MistakeBound() {
			t.Fatalf("%s: %d mistakes, want %d, at most %v", s.name, k, len(rows), pr.MistakeBound())
		}
		// The run ends after a whole pass, when every row has been right since the last
		// mistake.
		if want := (pr.seen[k-1] + n + n - 1) / n * n; pr.total != want {
			t.Errorf("%s: %d examples seen, want %d", s.name, pr.total, want)
		}
		for i, length := range pr.norms {
			w, k := weights[i], float64(i+1)
			if want := math.Sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2]); math.Abs(length/want-1) > 1e-14 {
				t.Errorf("%s: ‖w_%v‖ = %v, want %v", s.name, k, length, want)
			}
			if !(pr.low(k) <= length*(1+1e-14) && length <= pr.high(k)*(1+1e-14)) {
				t.Errorf("%s: %v ≤ ‖w_%v‖ = %v ≤ %v is false", s.name, pr.low(k), k, length, pr.high(k))
			}
			if pr.low(k) != k*pr.Lower || pr.high(k) != math.Sqrt(k)*pr.Radius {
				t.Errorf("%s: the bounds at %v are %v and %v", s.name, k, pr.low(k), pr.high(k))
			}
			if (pr.seen[i]-1)%len(s.X) != rows[i] || i > 0 && pr.seen[i] <= pr.seen[i-1] {
				t.Errorf("%s: mistake %v was example %d, want row %d", s.name, k, pr.seen[i], rows[i])
			}
		}
		meet := pr.MistakeBound()
		if math.Abs(pr.low(meet)/pr.high(meet)-1) > 1e-12 {
			t.Errorf("%s: at %v the bounds are %v and %v, want them equal", s.name, meet, pr.low(meet), pr.high(meet))
		}
	}
	if proved < 3 {
		t.Errorf("%d sets are separable, want at least 3", proved)
	}
}

// TestBoundDrawn: the picture shows the numbers of the proof. The two lines give the
// scales. By these scales, each dot is at its k and ‖(w, b)‖, and between the lines.
func TestBoundDrawn(t *testing.T) {
	s := clouds(100, 0.4, 1)
	f, err := drawBound(s)
	if err != nil {
		t.Fatal(err)
	}
	pr, err := prove(s)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := f.svg()
	if err != nil {
		t.Fatal(err)
	}
	low, high := stroke(t, drawn, "009E73"), stroke(t, drawn, "D55E00")
	meet := pr.MistakeBound()
	// k and length convert the centre of a dot to the numbers that it shows.
	k := func(x float64) float64 { return math.Pow(meet, (x-low[0])/(low[2]-low[0])) }
	length := func(y float64) float64 {
		return pr.low(1) * math.Pow(pr.low(meet)/pr.low(1), (y-low[1])/(low[3]-low[1]))
	}
	dots := regexp.MustCompile(`<path d="M([\d.]+),([\d.]+)A[^"]*" style="fill:#0072B2"`).FindAllStringSubmatch(string(drawn), -1)
	if len(dots) != len(pr.norms)+1 { // the key has one more
		t.Fatalf("%d dots, want %d and one in the key", len(dots), len(pr.norms))
	}
	for i, dot := range dots[len(dots)-len(pr.norms):] {
		var x, y float64
		if _, err := fmt.Sscan(dot[1]+" "+dot[2], &x, &y); err != nil {
			t.Fatal(err)
		}
		x -= float64(lengthMark.Radius)
		if n := float64(i + 1); math.Abs(k(x)/n-1) > 0.01 || math.Abs(length(y)/pr.norms[i]-1) > 0.01 {
			t.Errorf("dot %d shows ‖w_%.2f‖ = %.3f, want %.3f", i+1, k(x), length(y), pr.norms[i])
		}
		at := (x - low[0]) / (low[2] - low[0])
		if !(low[1]+at*(low[3]-low[1]) < y && y < high[1]+at*(high[3]-high[1])) {
			t.Errorf("dot %d is not between the lines", i+1)
		}
	}
	if low[2] != high[2] || low[3] != high[3] || !(low[1] < high[1]) {
		t.Errorf("the lines %v and %v do not meet", low, high)
	}
}

// stroke returns x and y of both ends of the last line drawn in a colour. The first line
// in that colour belongs to the key.
func stroke(t *testing.T, svg []byte, colour string) (ends [4]float64) {
	t.Helper()
	lines := regexp.MustCompile(`<path d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)" style="fill:none;stroke:#`+colour).FindAllStringSubmatch(string(svg), -1)
	if len(lines) != 2 {
		t.Fatalf("%d lines are %s, want one and one in the key", len(lines), colour)
	}
	if _, err := fmt.Sscan(strings.Join(lines[1][1:], " "), &ends[0], &ends[1], &ends[2], &ends[3]); err != nil {
		t.Fatal(err)
	}
	return ends
}

// TestBoundTitles: the titles state R, γ, the mistakes and the bound.
func TestBoundTitles(t *testing.T) {
	f, err := drawBound(clouds(100, 0.4, 1))
	if err != nil {
		t.Fatal(err)
	}
	if f.title != "Novikoff’s theorem: two Gaussian clouds, R = 2.58, γ = 0.159, η = 1" ||
		f.panels[0].Title.Text != "mistakes: 15 of at most 263" {
		t.Error(f.title, f.panels[0].Title.Text)
	}
}

func TestNorm(t *testing.T) {
	if got := norm(perceptron.Hyperplane{Weights: []float64{2, 3}, Bias: 6}); math.Abs(got-7) > 1e-15 {
		t.Error(got)
	}
}
