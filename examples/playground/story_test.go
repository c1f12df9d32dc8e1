package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// TestOpening checks the promise of the opening while points move: it is the library's
// bound, no run breaks it, and the curves of the race meet at it.
func TestOpening(t *testing.T) {
	p := newPlayground()
	pic := ask(t, p, request{Do: "chapter", Times: opening})
	if c := pic.Boards[0].Cards[0]; c.Bound != "30" || c.Limit != "30.7" {
		t.Errorf("the promise is %s because of %s, want 30 and 30.7", c.Bound, c.Limit)
	}
	wrong := func(m mark) bool { return m.Wrong }
	if b := pic.Boards[0]; b.Cards[0].K != "1 mistake" || len(b.Lines) == 0 || !slices.ContainsFunc(b.Marks, wrong) || pic.State != "1" || pic.Undo {
		t.Errorf("the opening begins with %+v, want a line that is wrong", b)
	}
	r := rand.New(rand.NewPCG(1, 43))
	kept := 0
	for range 100 {
		pic = ask(t, p, request{Do: "move", Point: r.IntN(10), X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Gesture: "drag"})
		X, y := examples(p.points)
		sep, err := perceptron.Separate(X, y, perceptron.Linear)
		if err != nil {
			t.Fatal(err)
		}
		c := pic.Boards[0].Cards[0]
		if !sep.Separable {
			if c.Bound != "∞" || len(c.Chart.Low) > 0 {
				t.Errorf("no line separates %v, but the promise is %s", p.points, c.Bound)
			}
			ask(t, p, request{Do: "undo"})
			continue
		}
		bound := perceptron.MistakeBound(sep.Radius, sep.Lower)
		if c.Bound != count(bound) || c.Limit != number(bound) || c.R != number(sep.Radius) || p.view > 2.25 {
			t.Errorf("%v: %+v in %v, want %v", p.points, c, p.view, bound)
		}
		if bound > 1e4 {
			continue
		}
		kept++
		res, err := (&perceptron.Online{Space: perceptron.Linear}).Fit(X, y)
		pic = ask(t, p, request{Do: "step", Times: 10000, Gesture: "run"})
		if c = pic.Boards[0].Cards[0]; err != nil || c.K != plural(res.Mistakes, "mistake") || float64(res.Mistakes) > bound || pic.Running {
			t.Errorf("%v: %s of %v, want %d", p.points, c.K, bound, res.Mistakes)
		}
		low, high := c.Chart.Low, c.Chart.High
		for _, dot := range c.Chart.Dots[1:] {
			if dot[0] > c.Chart.Meet[0]+1e-9 || dot[1] < dot[0]*low[len(low)-1][1]-1e-9 || dot[1] > math.Sqrt(dot[0])*high[len(high)-1][1]+1e-9 {
				t.Errorf("%v: the dot %v is not between the floor and the dome", p.points, dot)
			}
		}
	}
	if kept < 30 {
		t.Errorf("only %d promises were tried", kept)
	}
}

// TestInCircle checks that a drag stays where the view of a line through the origin does
// not change, and that other models have the whole plane.
func TestInCircle(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: opening})
	for _, to := range []vec{{1, 1}, {-1, 0.9}, {0, -1}, {0.3, 0.2}} {
		ask(t, p, request{Do: "move", Point: 0, X: to[0], Y: to[1]})
		ask(t, p, request{Do: "reset"})
		if at := p.points[0]; p.view > 2.25 || math.Hypot(at.X, at.Y) > p.view/outside+1e-9 || to[0] == 0.3 && (at.X != 0.6875 || at.Y != 0.4375) {
			t.Errorf("%v leads to %v in %v", to, at, p.view)
		}
	}
	p = newPlayground()
	ask(t, p, request{Do: "move", Point: 0, X: 1, Y: 1})
	if p.points[0].X != 1.9 || p.points[0].Y != 1.9 { // whole, in the corner
		t.Error(p.points[0])
	}
}

// TestFail checks that the opening's run returns to earlier weights whenever no line separates its
// points, also after drags. The cycle is closed, and each of its steps adds an arrow yx.
func TestFail(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 1))
	failed := 0
	for range 60 {
		p := newPlayground()
		ask(t, p, request{Do: "chapter", Times: opening})
		for i := range 1 + r.IntN(3) {
			ask(t, p, request{Do: "move", Point: r.IntN(10), X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1})
			ask(t, p, []request{{Do: "label", Point: i, Label: -1}, {Do: "add", X: r.Float64(), Y: r.Float64(), Label: 1}, {Do: "reset"}}[r.IntN(3)])
		}
		pic := ask(t, p, request{Do: "step", Times: 10000, Gesture: "run"})
		b := pic.Boards[0]
		if b.Stop == "Converged" {
			if len(b.Loop) > 0 {
				t.Errorf("%s converged, but has the cycle %v", pic.State, b.Loop)
			}
			continue
		}
		failed++
		if b.Stop != "Cycled" || len(b.Loop) < 2 || b.Loop[0] != b.Loop[len(b.Loop)-1] || !p.boards[0].problem.proved {
			t.Fatalf("%s: %s with the cycle %v", pic.State, b.Stop, b.Loop)
		}
		cycle := p.boards[0].cycle()
		for i, w := range cycle[1:] {
			adds := func(at point) bool {
				y := float64(at.Label)
				return cycle[i][0]+y*at.X == w[0] && cycle[i][1]+y*at.Y == w[1] && y*(cycle[i][0]*at.X+cycle[i][1]*at.Y) <= 0
			}
			if !slices.ContainsFunc(p.points, adds) {
				t.Fatalf("%s: no mistake leads from %v to %v", pic.State, cycle[i], w)
			}
		}
	}
	if failed < 20 {
		t.Errorf("only %d runs failed", failed)
	}
}

// TestWorst computes the largest number of mistakes that any order makes, also one in which points
// repeat, for the sets of the opening and of the proof. It tries all sums of mistakes, in whole numbers.
func TestWorst(t *testing.T) {
	for name, want := range map[string]int{"opening": 14, "story": 7} {
		var arrows [][2]int
		for _, at := range sets[name] {
			y := float64(at.Label) * 40 // coordinates are tenths or eighths
			arrows = append(arrows, [2]int{int(math.Round(y * at.X)), int(math.Round(y * at.Y))})
			if arrow := arrows[len(arrows)-1]; float64(arrow[0]) != math.Round(1e9*y*at.X)/1e9 || float64(arrow[1]) != math.Round(1e9*y*at.Y)/1e9 {
				t.Fatalf("%s: %v is not a fortieth", name, at)
			}
		}
		after := map[[2]int]int{} // mistakes that can follow a sum
		var worst func(w [2]int) int
		worst = func(w [2]int) int {
			if most, known := after[w]; known {
				return most
			}
			most := 0
			for _, z := range arrows {
				if w[0]*z[0]+w[1]*z[1] <= 0 {
					most = max(most, 1+worst([2]int{w[0] + z[0], w[1] + z[1]}))
				}
			}
			after[w] = most
			return most
		}
		if got := worst([2]int{}); got != want || worsts[name] != want {
			t.Errorf("%s: the worst order makes %d mistakes, want %d; the page says %d", name, got, want, worsts[name])
		}
	}
	p := newPlayground()
	for chapter, want := range map[int]int{opening: 14, firstProof: 0, lastProof: 7, lastChapter: 0} {
		if got := ask(t, p, request{Do: "chapter", Times: chapter}).Worst; got != want {
			t.Errorf("chapter %d: worst %d, want %d", chapter, got, want)
		}
	}
	ask(t, p, request{Do: "chapter", Times: lastProof})
	if got := ask(t, p, request{Do: "move", Point: 0, X: 0.1, Y: 0.5}).Worst; got != 0 {
		t.Errorf("the worst order of other points is known: %d", got)
	}
}

// TestFollow checks that a move of the proof goes on with the points and the run of the move before.
func TestFollow(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: opening})
	ask(t, p, request{Do: "move", Point: 0, X: 0.1, Y: 0.5})
	if pic := ask(t, p, request{Do: "follow", Times: firstProof}); pic.State != "2" { // the proof has points of its own
		t.Errorf("the opening leads to %s", pic.State)
	}
	ask(t, p, request{Do: "chapter", Times: firstLengths})
	moved := ask(t, p, request{Do: "move", Point: 8, X: 0.5, Y: 0.5}).Points
	pic := ask(t, p, request{Do: "follow", Times: firstFloor})
	for k, chapter := pic.Room.Run, firstFloor; chapter < lastProof-1; chapter++ {
		if !slices.Equal(pic.Points, moved) || pic.Room.Run != k || pic.Undo {
			t.Errorf("move %d begins with %d mistakes on %v, want %d on %v", chapter, pic.Room.Run, pic.Points, k, moved)
		}
		k = ask(t, p, request{Do: "step"}).Room.Run
		pic = ask(t, p, request{Do: "follow", Times: chapter + 1})
	}
	if pic = ask(t, p, request{Do: "follow", Times: lastProof}); !slices.Equal(pic.Points, moved) || !pic.Room.Over {
		t.Errorf("the last move begins with %+v on %v", pic.Room, pic.Points)
	}
	if pic = ask(t, p, request{Do: "follow", Times: lastProof + 1}); pic.State != "10" {
		t.Errorf("the proof leads to %s", pic.State)
	}
	ask(t, p, request{Do: "chapter", Times: firstLengths})
	ask(t, p, request{Do: "move", Point: 0, X: 0, Y: -0.5}) // no line separates these points
	if pic = ask(t, p, request{Do: "follow", Times: firstFloor}); pic.State != "5" || pic.Room == nil {
		t.Errorf("points without γ lead to %s", pic.State)
	}
	ask(t, p, request{Do: "step", Times: 100})
	if pic = ask(t, p, request{Do: "follow", Times: firstFloor + 1}); pic.State != "6" || !pic.Running {
		t.Errorf("a run that has ended leads to %s", pic.State) // where Step could do nothing
	}
}

// TestFollowLastMistake checks that Step always makes a mistake where a move of the proof begins, also
// after the last mistake of a run, and with points for which the run is shorter than that of the move.
func TestFollowLastMistake(t *testing.T) {
	for chapter := firstFloor; chapter < lastProof-1; chapter++ {
		p := newPlayground()
		pic := ask(t, p, request{Do: "chapter", Times: chapter})
		for pic.Room.Run < 6 {
			pic = ask(t, p, request{Do: "step"})
		}
		if pic = ask(t, p, request{Do: "follow", Times: chapter + 1}); pic.Room.Run != 6 {
			t.Errorf("move %d, left at mistake 6 of 7, leads to mistake %d", chapter, pic.Room.Run)
		}
		if pic = ask(t, p, request{Do: "step"}); pic.Room.Run != 7 || !pic.Running {
			t.Fatalf("move %d: the step after mistake 6 leads to %d", chapter+1, pic.Room.Run)
		}
		if pic = ask(t, p, request{Do: "follow", Times: chapter + 1}); pic.Room.Run != 4 || pic.State != strconv.Itoa(chapter+1) {
			t.Errorf("move %d, left at its last mistake, leads to %s with %d mistakes", chapter, pic.State, pic.Room.Run)
		}
	}
	p := newPlayground()
	ask(t, p, request{Do: "link", Text: "c=5&wide=1&model=0,0,0,1,0,6&origin=1"}) // without points
	if pic := ask(t, p, request{Do: "follow", Times: firstFloor + 1}); pic.State != "6" {
		t.Errorf("no points lead to %s", pic.State)
	}
	for angle := range 4 {
		ask(t, p, request{Do: "chapter", Times: firstLengths})
		for i, at := range p.points { // the points of each class close together: one mistake
			far, turn := 0.7+0.02*float64(i%3), math.Pi*(float64(angle)/2+float64(1-at.Label)/2)
			ask(t, p, request{Do: "move", Point: i, X: far * math.Cos(turn), Y: far * math.Sin(turn)})
		}
		for chapter := firstFloor; chapter < lastProof; chapter++ {
			if pic := ask(t, p, request{Do: "follow", Times: chapter}); pic.Room.Run > 0 {
				t.Errorf("turned by %d quarters, move %d begins after the only mistake", angle, chapter)
			} else if pic = ask(t, p, request{Do: "step"}); pic.Room.Run == 0 {
				t.Errorf("move %d: Step makes no mistake", chapter)
			}
		}
	}
}

// TestTrueLength checks that w has its length on the board where lengths matter, and is cut at the edge.
func TestTrueLength(t *testing.T) {
	p := newPlayground()
	a := ask(t, p, request{Do: "chapter", Times: firstFloor}).Boards[0].Arrows[0]
	if w := p.boards[0].problem.plane.Weights; math.Hypot(a.To[0]-w[0]/p.view, a.To[1]-w[1]/p.view) > 1e-12 || a.Cut {
		t.Errorf("%v, want %v", a, w)
	}
	a = ask(t, p, request{Do: "chapter", Times: lastProof}).Boards[0].Arrows[0]
	w := p.boards[0].problem.plane.Weights
	if far := max(math.Abs(a.To[0]), math.Abs(a.To[1])); math.Abs(far-edge) > 1e-12 || !a.Cut || math.Abs(a.To[0]*w[1]-a.To[1]*w[0]) > 1e-12 {
		t.Errorf("%v, want the direction of %v to the edge", a, w)
	}
}

// TestAgainst checks which points of a win are named: two if two alone contradict each other.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		to   vec
		want []int
	}{
		{vec{-1.25 / 2.25, -0.125 / 2.25}, []int{3, 4}}, // a − on a +
		{vec{-0.5 / 2.25, -1.5 / 2.25}, nil},            // a line separates the points
		{vec{0, 0}, []int{4}},                           // on every line
		{vec{0.5 / 2.25, 1 / 2.25}, []int{4, 5, 9}},
	} {
		p := newPlayground()
		ask(t, p, request{Do: "chapter", Times: opening})
		pic := ask(t, p, request{Do: "move", Point: 4, X: c.to[0], Y: c.to[1]})
		if got := pic.Boards[0].Against; !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", pic.Points[4], got, c.want)
		}
	}
}

// TestShortNumbers checks that clicks and drags give coordinates with few digits, so that links are
// short.
func TestShortNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 2))
	for _, move := range []int{opening, 5, 13, 0} {
		p := newPlayground()
		ask(t, p, request{Do: "chapter", Times: move})
		for range 50 {
			ask(t, p, request{Do: []string{"move", "add", "nudge"}[r.IntN(3)], Point: r.IntN(5), X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Label: 1})
		}
		for _, at := range p.points {
			if text := fmt.Sprint(at.X, at.Y); len(text) > len("-1.9375 -1.9375") {
				t.Errorf("move %d: %s", move, text)
			}
		}
	}
}

// TestHand checks that the tip of w is where the pointer was, and that no other model's is.
func TestHand(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: firstProof})
	pic := ask(t, p, request{Do: "hand", X: -0.4, Y: 0.6})
	if b := pic.Boards[0]; b.W != "(−0.9, 1.35)" || math.Abs(b.Arrows[0].To[0]+0.4)+math.Abs(b.Arrows[0].To[1]-0.6) > 1e-12 || !pic.Undo {
		t.Errorf("%s, %v", b.W, b.Arrows)
	}
	ask(t, p, request{Do: "chapter", Times: 3})
	if pic = ask(t, p, request{Do: "hand", X: 1}); pic.Refusal == "" {
		t.Error("the hand moves a line that learns")
	}
}

// TestWhole checks that no move begins with a point that the edge of its board cuts.
func TestWhole(t *testing.T) {
	p := newPlayground()
	for move := 1; move <= lastChapter; move++ {
		for i, at := range ask(t, p, request{Do: "chapter", Times: move}).Places {
			if far := max(math.Abs(at[0]), math.Abs(at[1])); far > 0.95 {
				t.Errorf("move %d: point %d is at %v", move, i+1, at)
			}
		}
	}
}

// TestCycle checks that the λ of move 13 return to 0, and that w does in move 14.
func TestCycle(t *testing.T) {
	p := newPlayground()
	chain := ask(t, p, request{Do: "chapter", Times: 13}).Boards[0].Chain
	if n := len(chain); n != 4 || math.Hypot(chain[3][0], chain[3][1]) > 1e-12 || math.Hypot(chain[2][0], chain[2][1]) < 0.1 {
		t.Errorf("the chain is %v", chain)
	}
	ask(t, p, request{Do: "chapter", Times: 14})
	pic := ask(t, p, request{Do: "step", Times: 1000})
	trail := pic.Boards[0].Trail
	if last := len(trail) - 1; pic.Boards[0].Stop != "Cycled" || last != 9 || !slices.Contains(trail[:last], trail[last]) {
		t.Errorf("%s, %v", pic.Boards[0].Stop, trail)
	}
}

// TestKeepAnother checks that Pocket and Average keep lines that have most points right.
func TestKeepAnother(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: 15})
	pic := ask(t, p, request{Do: "step", Times: 3000})
	for i, b := range pic.Boards {
		isKept := func(l line) bool { return l.Kind == "kept" }
		if kept := must(t, p.boards[i]); kept < 14 || !slices.ContainsFunc(b.Lines, isKept) {
			t.Errorf("%s has %d right", b.Fields.Keep, kept)
		}
	}
}

func must(t *testing.T, b *training) int {
	t.Helper()
	n, err := b.right()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMarginWords checks that the words are those of Margin's rule: θ, or γ′.
func TestMarginWords(t *testing.T) {
	for gamma, want := range map[float64]string{0: " by more than θ.", 0.4: " with a margin of more than γ′/2."} {
		p := with(t, fields{Model: "Margin", Gamma: gamma}, sets["wide"]...)
		b := ask(t, p, request{Do: "step", Times: 10000}).Boards[0]
		if !strings.HasPrefix(b.Status, "Converged: every point is on the right side"+want) || b.Noun != "updates" {
			t.Errorf("γ′ = %v: %q, %s", gamma, b.Status, b.Noun)
		}
		if got, _ := p.boards[0].problem.margin(); got <= gamma/2 {
			t.Errorf("the margin is %v, want more than %v", got, gamma/2)
		}
	}
}
