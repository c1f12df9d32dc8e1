package main

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// separable draws points that a line separates, and the settings of a run.
func separable(r *rand.Rand) (fields, []point) {
	f := fields{Model: []string{"Online", "Online", "Margin"}[r.IntN(3)], Origin: r.IntN(2) == 0, Eta: []float64{1, 0.5, 3}[r.IntN(3)], Order: perceptron.Order(r.IntN(3))}
	if f.Model == "Margin" && r.IntN(2) == 0 {
		f.Gamma = 0.125
	}
	angle, bias := 2*math.Pi*r.Float64(), 0.0
	if !f.Origin {
		bias = r.Float64() - 0.5
	}
	var points []point
	for n := 2 + r.IntN(12); len(points) < n; {
		at := point{math.Round(400*r.Float64()-200) / 100, math.Round(400*r.Float64()-200) / 100, 1}
		score := at.X*math.Cos(angle) + at.Y*math.Sin(angle) + bias
		if math.Abs(score) < 0.3 {
			continue
		}
		if score < 0 {
			at.Label = -1
		}
		points = append(points, at)
	}
	return f, points
}

// full is whether PERCEPTRON_FULL is set: tests then try all cases.
var full = os.Getenv("PERCEPTRON_FULL") != ""

// TestRooms compares the weight space with the library in 600 random runs: every w, γ, R,
// the floor, the dome and the limit. In each step the tip of w is inside the room.
func TestRooms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	runs, updates, flat, all := 0, 0, 0, 600
	if !full {
		all = 150
	}
	for runs < all {
		f, points := separable(r)
		p := with(t, f, points...)
		b := p.boards[0].problem
		sep, err := perceptron.Separate(p.boards[0].X, p.boards[0].y, f.space())
		if err != nil || !sep.Separable {
			t.Fatal(err, points)
		}
		limit := limitOf(f, sep)
		room := ask(t, p, request{Do: "show"}).Room
		if (room != nil) != (limit <= roomiest) {
			t.Fatalf("%+v: limit %v, room %v", f, limit, room)
		}
		if room == nil {
			continue
		}
		runs++
		other := f.build(perceptron.Last).(perceptron.Learner) // learns the same points
		for k := 0; ; {
			room = p.room()
			if room.Limit != limit || room.Gamma != sep.Lower || room.R != sep.Radius || room.K != b.k || b.k != k {
				t.Fatalf("%+v: %+v, want γ %v, R %v, limit %v after %d", f, room, sep.Lower, sep.Radius, limit, k)
			}
			within(t, room, f, sep, other.(perceptron.Binary))
			if !p.boards[0].running() {
				break
			}
			p.record(request{Do: "step", Gesture: "run"})
			for _, i := range p.boards[0].walk {
				updated, err := other.Update(p.boards[0].X[i], p.boards[0].y[i])
				if err != nil {
					t.Fatal(err)
				}
				if updated {
					k++
				}
			}
		}
		if shown := ask(t, p, request{Do: "show"}).Room; !reflect.DeepEqual(shown, room) { // the page gets all bits
			t.Fatalf("%+v: shown %+v, want %+v", f, shown, room)
		}
		updates += b.k
		if room.Flat {
			flat++
		}
	}
	if updates < 2*all || flat < all/4 {
		t.Errorf("%d updates, %d runs through the origin", updates, flat)
	}
}

func limitOf(f fields, sep perceptron.Separation) float64 {
	switch {
	case f.Model == "Online":
		return perceptron.MistakeBound(sep.Radius, sep.Lower)
	case f.Gamma > 0:
		return perceptron.MarginBound(sep.Radius, sep.Lower, f.Gamma)
	}
	limit, _ := perceptron.ThresholdBound(sep.Radius, sep.Lower, 1, sep.Radius*sep.Radius)
	return limit
}

// within compares the last tip with the library's w, and checks that it is above the
// floor and under the dome.
func within(t *testing.T, room *room, f fields, sep perceptron.Separation, m perceptron.Binary) {
	t.Helper()
	last := room.Path[len(room.Path)-1]
	if len(room.Path) != room.K+1 {
		t.Fatalf("%d tips after %d updates", len(room.Path), room.K)
	}
	if room.K == 0 {
		return
	}
	w, u, eta := m.Hyperplane(), sep.Hyperplane, f.rate()
	size := math.Hypot(math.Hypot(u.Weights[0], u.Weights[1]), u.Bias)
	along := (w.Weights[0]*u.Weights[0] + w.Weights[1]*u.Weights[1] + w.Bias*u.Bias) / size / eta
	norm := math.Hypot(math.Hypot(w.Weights[0], w.Weights[1]), w.Bias) / eta
	const tiny = 1e-9
	if math.Abs(last.Y-along) > tiny*(1+norm) || math.Abs(math.Hypot(last.X, last.Y)-norm) > 1e-6*(1+norm) {
		t.Fatalf("%+v: the tip is %+v, want ⟨u, w⟩ = %v and ‖w‖ = %v", f, last, along, norm)
	}
	if room.Flat {
		if across := (w.Weights[0]*u.Weights[1] - w.Weights[1]*u.Weights[0]) / size / eta; math.Abs(last.X-across) > tiny*(1+norm) {
			t.Fatalf("%+v: the tip is %+v, want %v across", f, last, across)
		}
	}
	k := float64(room.K)
	floor, dome := k*sep.Lower, math.Sqrt(k)*sep.Radius
	switch {
	case f.Model == "Margin" && f.Gamma > 0:
		dome += k * f.Gamma / 2
	case f.Model == "Margin":
		dome *= math.Sqrt(3)
	}
	if math.Abs(room.Floors[room.K]-floor) > tiny*floor || math.Abs(room.Domes[room.K]-dome) > tiny*dome {
		t.Fatalf("%+v: floor %v and dome %v, want %v and %v", f, room.Floors[room.K], room.Domes[room.K], floor, dome)
	}
	if last.Y < floor*(1-tiny) || norm > dome*(1+tiny) {
		t.Fatalf("%+v: w at %+v is outside the room from %v to %v", f, last, floor, dome)
	}
	if room.Angle != 0 && room.Angle < 90-1e-6 {
		t.Fatalf("%+v: the angle is %v", f, room.Angle)
	}
}

func onEdge(m mark) bool { return m.Support }

// TestStory checks the run that the moves of the proof share, and what they say about it.
func TestStory(t *testing.T) {
	p := newPlayground()
	pic := ask(t, p, request{Do: "chapter", Times: 3})
	for k, growth := range []float64{0.6, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5} {
		pic = ask(t, p, request{Do: "step"})
		path := pic.Room.Path
		if got := path[k+1].Y - path[k].Y; math.Abs(got-growth) > 1e-9 || pic.Room.K != k+1 {
			t.Errorf("mistake %d climbs by %v, want %v", k+1, got, growth)
		}
	}
	for chapter, k := range map[int]int{4: 0, 5: 2, 6: 4, 7: 4, 8: 4, 9: 7, 10: 7, 11: 5} {
		if pic = ask(t, p, request{Do: "chapter", Times: chapter}); pic.Room == nil || pic.Room.Run != k || pic.Room.Over != (k == 7) || pic.State != number(float64(chapter)) {
			t.Errorf("chapter %d: %+v, want %d mistakes", chapter, pic.Room, k)
		}
	}
	pic = ask(t, p, request{Do: "chapter", Times: 6}) // w was (0.9, 2), and −x is (−1.9, 0.5)
	if want := math.Acos((-1.9*0.9+0.5*2)/math.Hypot(0.9, 2)/math.Hypot(1.9, 0.5)) * 180 / math.Pi; math.Abs(pic.Room.Angle-want) > 1e-9 {
		t.Errorf("the angle is %v, want %v", pic.Room.Angle, want)
	}
	ask(t, p, request{Do: "chapter", Times: 9})
	for range 8 {
		ask(t, p, request{Do: "step"})
	}
	for _, want := range []string{"One place is left", "The floor is above the dome. There is no room for w, so mistake 17 cannot happen: at most 16 mistakes.", "The floor is above the dome"} {
		if pic = ask(t, p, request{Do: "step"}); !strings.HasPrefix(pic.Room.Say[1], want) {
			t.Errorf("%q, want %q", pic.Room.Say, want)
		}
	}
	if pic.Room.K != 17 || pic.Room.Floors[17] <= pic.Room.Domes[17] || pic.Room.Floors[16] > pic.Room.Domes[16] || len(pic.Room.Floors) != 18 {
		t.Errorf("%+v", pic.Room)
	}
	for gamma, want := range map[float64]string{0.25: "after 64 mistakes. So at most 64 mistakes", 1: "For other points with this γ and R = 2, the limit would be 4 mistakes."} {
		pic = ask(t, p, request{Do: "gamma", X: gamma})
		if r := pic.Room; !strings.Contains(r.Say[1], want) || (len(r.Path) == 0) != (gamma > 0.5) || math.Abs(r.Limit-4/gamma/gamma) > 1e-9*r.Limit {
			t.Errorf("γ = %v: %q, %+v", gamma, r.Say, r)
		}
		if r := pic.Room; gamma > 0.5 && r.Say[0] != "Suppose γ = 1. No u has this γ for these points: the largest is 0.5." || slices.ContainsFunc(pic.Boards[0].Marks, onEdge) {
			t.Errorf("γ = %v: %q, %+v", gamma, r.Say, pic.Boards[0].Marks)
		}
	}
	other := newPlayground()
	if got := ask(t, other, request{Do: "link", Text: pic.State}); got.State != pic.State || got.Room.Gamma != pic.Room.Gamma {
		t.Errorf("%s, want %s", got.State, pic.State)
	}
	if pic = ask(t, p, request{Do: "step"}); pic.Room.Gamma != pic.Room.Of || pic.Room.K != 7 || !slices.ContainsFunc(pic.Boards[0].Marks, onEdge) {
		t.Errorf("a step leads to %+v, want the run", pic.Room)
	}
	for _, do := range []string{"gamma", "reset"} {
		ask(t, p, request{Do: "chapter", Times: 9})
		if pic = ask(t, p, request{Do: do, X: 0.4}); strings.Contains(pic.State, "suppose") || do == "reset" && strings.Contains(pic.State, "gamma") {
			t.Errorf("%s leaves %s", do, pic.State)
		}
	}
	ask(t, p, request{Do: "chapter", Times: 10})
	if pic = ask(t, p, request{Do: "gamma", X: 5}); pic.Refusal == "" {
		t.Error("γ = 5 is accepted")
	}
}

// TestRows checks the arrows of all points: each climbs by γ or more along u, and none is
// longer than R. One of them climbs by γ, and one is as long as R.
func TestRows(t *testing.T) {
	pic := ask(t, newPlayground(), request{Do: "chapter", Times: 4})
	least, most := math.Inf(1), 0.0
	for i, z := range pic.Room.Rows {
		least, most = min(least, z.Y), max(most, math.Hypot(z.X, z.Y))
		at := pic.Points[i]
		if math.Abs(math.Hypot(z.X, z.Y)-math.Hypot(at.X, at.Y)) > 1e-12 || z.Class != at.Label {
			t.Errorf("point %d is %v, but its arrow %v", i+1, at, z)
		}
	}
	if len(pic.Room.Rows) != 10 || math.Abs(least-pic.Room.Gamma) > 1e-12 || math.Abs(most-pic.Room.R) > 1e-12 {
		t.Errorf("%d arrows climb by %v or more and have the length %v at most, want %v and %v", len(pic.Room.Rows), least, most, pic.Room.Gamma, pic.Room.R)
	}
	if pic = ask(t, newPlayground(), request{Do: "chapter", Times: 11}); len(pic.Room.Rows) > 0 {
		t.Error("with a bias, the points and u do not share a plane")
	}
}
