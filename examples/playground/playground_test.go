package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// ask sends a request and returns the picture, decoded from JSON.
func ask(t testing.TB, p *playground, r request) picture {
	t.Helper()
	text := p.answer(r)
	var pic picture
	if err := json.Unmarshal([]byte(text), &pic); err != nil {
		t.Fatalf("%+v: %v in %s", r, err, text)
	}
	return pic
}

// with returns a playground with the given points and fields.
func with(t testing.TB, f fields, points ...point) *playground {
	t.Helper()
	p := newPlayground()
	p.boards[0].fields, p.points = f, points
	if pic := ask(t, p, request{Do: "reset"}); pic.Refusal != "" {
		t.Fatal(pic.Refusal)
	}
	return p
}

// cloud draws n random points. Their classes may or may not be separable.
func cloud(r *rand.Rand, n int) []point {
	points := make([]point, n)
	for i := range points {
		points[i] = point{math.Round(r.NormFloat64()*100) / 100, math.Round(r.NormFloat64()*100) / 100, 1 - 2*r.IntN(2)}
	}
	return points
}

// TestSteps checks that the updates made one by one give the same bits as the library's
// own run at the end of every epoch.
func TestSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, model := range models {
		for _, order := range []perceptron.Order{perceptron.Cyclic, perceptron.Shuffled, perceptron.Sampled} {
			for round := range 8 {
				f := fields{Model: model, Order: order, Eta: []float64{1, 0.1}[round%2], Gamma: float64(round/2%2) / 8}
				p := with(t, f, cloud(r, 3+round)...)
				follow(t, p, 40)
			}
		}
	}
}

// follow steps through some epochs and compares both runs after each.
func follow(t *testing.T, p *playground, epochs int) {
	t.Helper()
	tr := p.boards[0]
	mistakes := 0
	for n := 0; tr.running() && n < epochs; {
		if tr.advance(); tr.err != nil {
			t.Fatal(tr.err)
		}
		if tr.last.N == n {
			continue
		}
		n = tr.last.N
		mistakes += tr.last.Mistakes
		if got, want := tr.problem.plane, tr.model.Hyperplane(); tr.updates() != mistakes || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, epoch %d: %d updates and %v, want %d and %v", tr.fields, n, tr.updates(), got, mistakes, want)
		}
	}
	if b := tr.problem; b != nil && float64(b.k) > b.bound() {
		t.Fatalf("%+v: %d updates, but at most %v", tr.fields, b.k, b.bound())
	}
}

// TestPresets checks the counts, the stop and the words for each preset.
func TestPresets(t *testing.T) {
	for _, c := range []struct {
		preset, model, stop, status, verdict string
		k                                    int
	}{
		{"wide", "Online", "Converged", "Converged: every point is on the right side. 7 mistakes in 3 epochs (at most 27 promised).", "Separable: a line", 7},
		{"narrow", "Online", "Converged", "33 mistakes in 7 epochs (at most 563 promised).", "Separable: a line", 33},
		{"narrow", "Margin", "Converged", "on the right side by more than θ. 458 updates in 86 epochs (at most 1691 promised).", "Separable", 458},
		{"xor", "Online", "Cycled", "Cycled: the weights have returned to earlier values, so the run would never end. 4 mistakes in 1 epoch.", "Proved: no line separates the points.", 4},
		{"overlap", "Online", "EpochLimit", "Stopped at the limit of 1000 epochs: the run has not converged. 5121 mistakes.", "Proved: no line separates the points. The ringed points", 5121},
	} {
		p := newPlayground()
		ask(t, p, request{Do: "load", Name: c.preset})
		ask(t, p, request{Do: "set", Name: "model", Text: c.model})
		pic := ask(t, p, request{Do: "step", Times: 10000})
		if pic.Running || pic.Boards[0].Stop != c.stop || !strings.Contains(pic.Boards[0].Status, c.status) || !strings.Contains(pic.Boards[0].Verdict, c.verdict) {
			t.Errorf("%s, %s: %s, %q, %q", c.preset, c.model, pic.Boards[0].Stop, pic.Boards[0].Status, pic.Boards[0].Verdict)
		}
		if k := p.boards[0].problem.k; k != c.k {
			t.Errorf("%s, %s: %v updates, want %v", c.preset, c.model, k, c.k)
		}
	}
}

// TestFits checks that a series of epochs ends as the model's own Fit does.
func TestFits(t *testing.T) {
	for _, c := range [][2]string{{"wide", "Online"}, {"narrow", "Online"}, {"xor", "Online"}} {
		name, model := c[0], c[1]
		for _, keep := range []perceptron.Keep{perceptron.Last, perceptron.Average, perceptron.Pocket} {
			p := newPlayground()
			ask(t, p, request{Do: "load", Name: name})
			ask(t, p, request{Do: "set", Name: "model", Text: model})
			pic := ask(t, p, request{Do: "set", Name: "keep", Text: keep.String()})
			n := 0
			for ; pic.Running; n++ {
				pic = ask(t, p, request{Do: "epoch"})
			}
			m := p.boards[0].build(keep)
			res, err := m.Fit(p.boards[0].X, p.boards[0].y)
			if err != nil || res.Stop.String() != pic.Boards[0].Stop || res.Epochs != n || res.Mistakes != p.boards[0].updates() {
				t.Errorf("%s, %v: %+v, %v; but %s in %d epochs with %d", name, keep, res, err, pic.Boards[0].Stop, n, p.boards[0].updates())
			}
			if kept, ok := p.boards[0].kept(); ok != (keep != perceptron.Last) || ok && !reflect.DeepEqual(kept, m.Hyperplane()) {
				t.Errorf("%s, %v: kept %v, want %v", name, keep, kept, m.Hyperplane())
			}
		}
	}
}

// TestRings checks that the four points of XOR have equal multipliers, and that no point
// of a separable set is ringed.
func TestRings(t *testing.T) {
	p := newPlayground()
	for _, m := range ask(t, p, request{Do: "show"}).Boards[0].Marks {
		if len(m.Rings) > 0 {
			t.Error(m)
		}
	}
	for i, m := range ask(t, p, request{Do: "load", Name: "xor"}).Boards[0].Marks {
		if !slices.Equal(m.Rings, []string{"0.25"}) || !strings.Contains(m.Name, fmt.Sprintf("point %d, class ", i+1)) || !strings.Contains(m.Name, "λ 0.25") {
			t.Error(m)
		}
	}
}

// TestNoBorder checks that no class has a region when all weights are zero, as at the end
// of the cycle of XOR, and that a bias alone predicts one class everywhere.
func TestNoBorder(t *testing.T) {
	p := with(t, fields{Model: "Online"}, sets["xor"]...)
	if pic := ask(t, p, request{Do: "epoch"}); pic.Boards[0].Stop != "Cycled" || len(pic.Boards[0].Regions) > 0 || !pic.Boards[0].Marks[0].Wrong {
		t.Errorf("%+v", pic.Boards[0])
	}
	p = with(t, fields{Model: byHand, B: 1}, sets["xor"]...)
	if got, want := ask(t, p, request{Do: "show"}).Boards[0].Regions, []region{{+1, square}, {-1, []vec{}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestStep checks the picture after single steps: the point, the old line and the new
// line.
func TestStep(t *testing.T) {
	p := with(t, fields{Model: "Online"}, point{1, 0, 1}, point{-1, 0, -1}, point{-1, 1, -1}, point{0, 1, 1})
	pic := ask(t, p, request{Do: "show"})
	if len(pic.Boards[0].Lines)+len(pic.Boards[0].Regions) != 0 || !strings.HasPrefix(pic.Boards[0].Status, "Ready") || pic.Boards[0].Cards[0].K != "0 mistakes" || pic.Boards[0].Cards[0].Length != "0" {
		t.Error(pic)
	}
	pic = ask(t, p, request{Do: "step"}) // w = (1, 0), b = 1: the line x = −1, half a view from the middle
	if want := []line{{"new", []vec{{-0.5, -1}, {-0.5, 1}}}}; !reflect.DeepEqual(pic.Boards[0].Lines, want) || !pic.Boards[0].Marks[0].Updated || pic.Boards[0].Marks[1].Updated {
		t.Error(pic.Boards[0].Lines, pic.Points)
	}
	pic = ask(t, p, request{Do: "step"}) // (−1, 0) has the score 0, so w = (2, 0), b = 0
	want := []line{{"old", []vec{{-0.5, -1}, {-0.5, 1}}}, {"new", []vec{{0, -1}, {0, 1}}}}
	if !reflect.DeepEqual(pic.Boards[0].Lines, want) || pic.Boards[0].Marks[0].Updated || !pic.Boards[0].Marks[1].Updated || pic.Boards[0].Cards[0].Length != "2" {
		t.Error(pic.Boards[0].Lines, pic.Points, pic.Boards[0].Cards)
	}
	if want := "Epoch 1. Point 2 (−) was wrong. The line tilts to correct it."; pic.Boards[0].Status != want {
		t.Errorf("%q, want %q", pic.Boards[0].Status, want)
	}
	if want := []region{{+1, []vec{{0, -1}, {1, -1}, {1, 1}, {0, 1}}}, {-1, []vec{{-1, -1}, {0, -1}, {0, 1}, {-1, 1}}}}; !sameRegions(pic.Boards[0].Regions, want) {
		t.Error(pic.Boards[0].Regions)
	}
}

// sameRegions compares polygons as sets of corners.
func sameRegions(a, b []region) bool {
	sorted := func(rs []region) []region {
		rs = slices.Clone(rs)
		for i := range rs {
			rs[i].Polygon = slices.SortedFunc(slices.Values(rs[i].Polygon), func(u, v vec) int { return slices.Compare(u[:], v[:]) })
		}
		return rs
	}
	return reflect.DeepEqual(sorted(a), sorted(b))
}
