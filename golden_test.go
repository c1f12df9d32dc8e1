package perceptron

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

const goldenFile = "testdata/golden.txt"

// TestGolden trains every model in every rule, Order, Keep and Space, with
// slices and streams, and compares Result, Stop, loss and the bits of every
// hyperplane with those computed on amd64.
func TestGolden(t *testing.T) {
	var got bytes.Buffer
	for _, set := range []dataset{uniformRows(1, 60, 5, 2), uniformRows(2, 600, 70, 2), uniformRows(3, 90, 33, 4), irisRows(t)} {
		for name, b := range binaries(len(set.X[0]), 8) {
			fmt.Fprintf(&got, "%s/%s %s\n", set.name, name, goldenLine(t, b, set))
		}
		goldenTheory(t, &got, set)
	}
	if *update {
		if err := os.WriteFile(goldenFile, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(got.String(), "\n")
	want := strings.Split(string(must(os.ReadFile(goldenFile))(t)), "\n")
	for i := range min(len(lines), len(want)) {
		if lines[i] != want[i] {
			t.Fatalf("line %d of %s: computed\n%s, want\n%s", i+1, goldenFile, lines[i], want[i])
		}
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines computed, %d in %s", len(lines), len(want), goldenFile)
	}
}

// goldenTheory tells of Mix, and of the numbers that hold a run to a theorem.
func goldenTheory(t *testing.T, w io.Writer, set dataset) {
	half := len(set.X) / 2
	var shards []*OneVsRest
	for _, s := range []dataset{{"", set.X[:half], set.y[:half]}, {"", set.X[half:], set.y[half:]}} {
		m := &OneVsRest{Binary: &Margin{Keep: Average, Rate: 0.1}}
		for class := range 4 { // so that both know all
			must(m.Update(make([]float64, len(set.X[0])), class))(t)
		}
		must(m.Learn(stream(s)))(t)
		shards = append(shards, m)
	}
	mixed := must(Mix(shards, []float64{1, 2}))(t)
	for c, h := range mixed.Hyperplanes() {
		fmt.Fprintf(w, "%s/Mix/%d %x %x\n", set.name, c, h.Weights[:4], h.Bias)
		y := against(set.y, c)
		for _, s := range []Space{Affine, Linear} {
			if s == Linear {
				h.Bias = 0
			}
			R, gamma := must(Radius(set.X, s))(t), must(Gamma(h, set.X, y, s))(t)
			D, L, err := Deviations(h, set.X, y, s, 0.3)
			if err != nil {
				t.Fatal(err)
			}
			k, margin := ThresholdBound(R, 0.3, 0.1, 0.7)
			A, B := StartEnvelope(R, 0.3, 0.1, gamma)
			fmt.Fprintf(w, "%s/%v/%d %x\n", set.name, s, c, []float64{
				R, gamma, D, L, MistakeBound(R, 0.3), StartBound(R, 0.3, 0.1, 2, gamma), A, B, MarginBound(R, 0.3, 0.1),
				k, margin, BatchBound(9, R, 0.3), InseparableBound(R, 0.3, D, L), must(h.Distance(set.X[0]))(t),
			})
			if c < 2 {
				sep := must(Separate(set.X, y, s))(t)
				digest := sha256.Sum256(raw(append(append(sep.Multipliers, sep.Hyperplane.Weights...), sep.Hyperplane.Bias)...))
				fmt.Fprintf(w, "%s/%v/%d/Separate %v %x %x\n", set.name, s, c, sep.Separable, []float64{sep.Lower, sep.Upper}, digest[:12])
			}
		}
	}
}

// goldenLine tells of OneVsRest's Fit, of a binary one, of three more epochs, and of a pass by
// Learn where the model has one; the digest is of all bits, the first weight is
// for the eye.
func goldenLine(t *testing.T, b model, set dataset) string {
	m := &OneVsRest{Binary: b, Workers: 2}
	res := must(m.Fit(set.X, set.y))(t)
	digest := sha256.New()
	note := func(e Epoch) {
		for _, h := range m.Hyperplanes() {
			for _, v := range append(h.Weights, h.Bias) {
				_ = binary.Write(digest, binary.BigEndian, math.Float64bits(v))
			}
		}
		fmt.Fprintln(digest, e.N, e.Examples, e.Mistakes, e.Stop, math.Float64bits(e.Loss))
	}
	note(Epoch{})
	one := b.fields()
	alone := must(one.Fit(set.X, against(set.y, 0)))(t)
	fmt.Fprintln(digest, alone.Epochs, alone.Mistakes, alone.Stop, math.Float64bits(alone.Upper))
	for _, x := range set.X {
		fmt.Fprintln(digest, math.Float64bits(must(one.(interface {
			Score([]float64) (float64, error)
		}).Score(x))(t)))
	}
	first := m.Hyperplanes()[0].Weights[0]
	n := 0
	for e := range must2(t, m.Epochs(set.X, set.y)) {
		note(e)
		if n++; n == 3 {
			break
		}
	}
	if _, ok := b.(*Batch); !ok {
		note(must(m.Learn(stream(set)))(t))
	}
	return fmt.Sprintf("%d %d %v %x %x %x", res.Epochs, res.Mistakes, res.Stop, res.Upper, first, digest.Sum(nil)[:12])
}
