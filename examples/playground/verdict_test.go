package main

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// TestVerdicts checks that the page claims no more than is proved.
func TestVerdicts(t *testing.T) {
	far := append([]point{}, sets["wide"]...)
	far[1].X = 1e100
	for name, c := range map[string]struct {
		points []point
		steps  int
		want   string
		rings  bool
	}{
		"separable":         {sets["wide"], 0, "Separable: a line has all + on one side", false},
		"proved by λ":       {sets["xor"], 0, "Proved: no line", true},
		"proved by solving": {sets["overlap"], 0, "Proved: no line", true},
		"far":               {far, 0, "No separating line was found. None has a margin above 2.5.", false},
		"far, and trained":  {far, 10000, "Separable: the line of this run has a margin of 0.14 or more. No line has a margin above 2.5.", false},
	} {
		p := with(t, fields{Model: "Online"}, c.points...)
		pic := ask(t, p, request{Do: "show"})
		if c.steps > 0 {
			pic = ask(t, p, request{Do: "step", Times: c.steps})
		}
		rings := false
		for _, m := range pic.Boards[0].Marks {
			rings = rings || len(m.Rings) > 0
		}
		if !strings.HasPrefix(pic.Boards[0].Verdict, c.want) || rings != c.rings {
			t.Errorf("%s: %q, rings: %v; %q", name, pic.Boards[0].Verdict, rings, pic.Boards[0].Status)
		}
	}
}

// TestContradict compares with Separate on small whole coordinates, whose γ is never
// tiny.
func TestContradict(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	proofs := 0
	for range 3000 {
		var points []point
		for range 2 + r.IntN(8) {
			points = append(points, point{float64(r.IntN(5)), float64(r.IntN(5)), 2*r.IntN(2) - 1})
		}
		X, y := examples(points)
		sep, err := perceptron.Separate(X, y, perceptron.Affine)
		if err != nil {
			t.Fatal(err)
		}
		rows := (&problem{sep: sep}).support()
		if got := contradict(signed(X, y, perceptron.Affine), rows); got == sep.Separable {
			t.Fatalf("%v: contradict returns %v for %v, but separable: %v", points, got, rows, sep.Separable)
		}
		if !sep.Separable {
			proofs++
		}
	}
	if proofs < 500 || proofs > 2500 {
		t.Error(proofs)
	}
	X, y := examples([]point{{1, 1, 1}, {1, 1, -1}, {1, 1, 1}, {1, 1, -1}, {0, 0, 1}})
	for _, c := range []struct {
		rows []int
		want bool
	}{{nil, false}, {[]int{0}, false}, {[]int{0, 2}, false}, {[]int{0, 1}, true}, {[]int{0, 1, 2, 3}, true}, {[]int{0, 2, 4}, false}, {[]int{0, 1, 2, 3, 4}, false}} {
		if got := contradict(signed(X, y, perceptron.Affine), c.rows); got != c.want {
			t.Errorf("%v: %v", c.rows, got)
		}
	}
}

// TestRounding checks that bounds are rounded outwards.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{above(0.12345, 2), "0.13"}, {above(0.12, 2), "0.12"}, {above(9.91, 2), "10"}, {above(-0.129, 2), "−0.12"}, {above(2.4e100, 2), "2.4e+100"},
		{below(0.129, 2), "0.12"}, {below(-0.121, 2), "−0.13"}, {below(0, 2), "0"}, {above(0, 2), "0"},
		{between(0.123451, 0.123452), "0.123"}, {between(0.1234, 0.1236), "0.123 to 0.124"}, {count(27.9), "27"}, {count(1.2341e15), "1.24e+15"},
		{below(math.Nextafter(0.1, 0), 5), "0.1"}, {below(-1-1e-15, 5), "−1"}, {above(0.1+1e-16, 2), "0.1"}, {below(0.1-1e-12, 5), "0.09999"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestStates checks that a link restores the points, the fields and the training, and
// that damaged links change nothing.
func TestStates(t *testing.T) {
	for chapter := range lastChapter {
		p := newPlayground()
		ask(t, p, request{Do: "chapter", Times: chapter + 1})
		ask(t, p, request{Do: "set", Name: "order", Text: "Shuffled"})
		ask(t, p, request{Do: "set", Name: "keep", Text: "Average"})
		for range 3 {
			ask(t, p, request{Do: "epoch"})
		}
		want := ask(t, p, request{Do: "step", Times: 2})
		other := newPlayground()
		got := ask(t, other, request{Do: "link", Text: want.State})
		want.Undo, got.Undo = false, false
		for i := range want.Boards {
			want.Boards[i].Walk = []int{}
		}
		if a, b := string(appendText(want)), string(appendText(got)); a != b {
			t.Errorf("chapter %d: %s, want %s", chapter+1, b, a)
		}
	}
	p := newPlayground()
	before := p.state().text()
	for _, text := range []string{"", "c=1&wide=1", "99", "-1", "c=99&model=0,0,0,1,0,0", "c=99", "model=9,0,0,1,0,0", "model=0,3,0,1,0,0", "model=0,0,0.5,1,0,0", "model=0,0,0,1,0,-1", "model=0,0,0,1,0,200001",
		"model=0,0,0,NaN,0,0", "model=0,0,0,1,0", "model=0,0,0,1,0,0&p=1,2", "model=0,0,0,1,0,0&p=1,2,3", "model=0,0,0,1,0,0&x=1", "hand=1,2,3", strings.Repeat("model=0,0,0,1,0,0&", 2) + "model=0,0,0,1,0,0",
		"model=0,0,0,1,0,0" + strings.Repeat("&p=1,1,1", most+1)} {
		if pic := ask(t, p, request{Do: "link", Text: text}); !strings.HasPrefix(pic.Refusal, "the link is damaged") || pic.State != before {
			t.Errorf("%.60q: %q, %s", text, pic.Refusal, pic.State)
		}
	}
}

func appendText(pic picture) []byte { return appendJSON(nil, reflect.ValueOf(pic)) }

// TestUndo checks that undo goes back through edits and steps, that the changes of one
// gesture are undone together, that a change after undo ends redo, and that undo does not
// leave a move of the story.
func TestUndo(t *testing.T) {
	p := newPlayground()
	enter := func(chapter int) string {
		pic := ask(t, p, request{Do: "chapter", Times: chapter})
		if got := ask(t, p, request{Do: "undo"}); pic.Undo || pic.Redo || got.State != pic.State {
			t.Errorf("undo leads from move %d to %s", chapter, got.State)
		}
		return pic.State
	}
	ask(t, p, request{Do: "clear"})
	texts := []string{enter(3)}
	for _, r := range []request{{Do: "add", X: 0.5, Y: 0.5, Label: 1}, {Do: "set", Name: "eta", Text: "2"}, {Do: "step"}, {Do: "epoch"}, {Do: "compare"}, {Do: "wide"}, {Do: "clear"}, {Do: "load", Name: "xor"}, {Do: "paste", Text: "1,2,1"}} {
		texts = append(texts, ask(t, p, r).State)
	}
	for i := range 3 {
		texts = append(texts[:10], ask(t, p, request{Do: "move", X: float64(i) / 4, Gesture: "drag"}).State)
	}
	texts = append(texts, ask(t, p, request{Do: "nudge", X: 5, Gesture: "other"}).State)
	ask(t, p, request{Do: "show"})
	ask(t, p, request{Do: "fly"})
	for i := len(texts) - 2; i >= 0; i-- {
		if pic := ask(t, p, request{Do: "undo"}); pic.State != texts[i] || pic.Undo != (i > 0) || !pic.Redo {
			t.Fatalf("undo %d: %s, want %s", i, pic.State, texts[i])
		}
	}
	for i := 1; i < len(texts); i++ {
		if pic := ask(t, p, request{Do: "redo"}); pic.State != texts[i] || pic.Redo != (i < len(texts)-1) {
			t.Fatalf("redo %d: %s, want %s", i, pic.State, texts[i])
		}
	}
	ask(t, p, request{Do: "undo"})
	if pic := ask(t, p, request{Do: "add", Label: 1}); pic.Redo {
		t.Error("a change must end redo")
	}
	enter(4)
	enter(0)
}

// TestPaste checks the CSV that the page reads.
func TestPaste(t *testing.T) {
	p := newPlayground()
	pic := ask(t, p, request{Do: "paste", Text: "\ufeffx1;x2;class\r\n\"1\"; 2;+1\r\n\r\n−0.5;\"3e1\";-1.0\n0;0;-1;\n"})
	if want := (point{-0.5, 30, -1}); pic.Refusal != "" || len(p.points) != 3 || p.points[1] != want {
		t.Error(pic.Refusal, p.points)
	}
	for text, want := range map[string]point{"1 2  +\n": {1, 2, 1}, "1\t2\t−": {1, 2, -1}, "1, 2, 1.0": {1, 2, 1}, "\"1\",\"2\",\"0\"\n": {1, 2, -1}} {
		q := newPlayground()
		if pic := ask(t, q, request{Do: "paste", Text: text}); pic.Refusal != "" || len(q.points) != 1 || q.points[0] != want {
			t.Errorf("%q: %q, %v", text, pic.Refusal, q.points)
		}
	}
	for text, want := range map[string]string{
		"":                            "there are no points",
		"a,b,c\n":                     "there are no points",
		"1,2\n":                       "line 1: it has 2 values, want x₁, x₂, class",
		"x,y,c\n1,2,1\n1,b,1":         `line 3: "b" is not a finite number`,
		"1,NaN,1":                     `line 1: "NaN" is not`,
		"1,2,a\n1,3,b\n2,2,10\n3,1,9": "the points have 4 classes (9, 10, …)",
		"1,1,0\n2,2,-1\n0,0,1\n":      "the points have 3 classes (-1, 0, …), but the board shows two",
	} {
		if pic := ask(t, p, request{Do: "paste", Text: text}); !strings.HasPrefix(pic.Refusal, want) || len(p.points) != 3 {
			t.Errorf("%.20q: %q, want %q", text, pic.Refusal, want)
		}
	}
}

// TestClasses checks what labels the classes of a text become, and what the page says.
func TestClasses(t *testing.T) {
	for text, want := range map[string]struct {
		labels []int
		note   string
	}{
		"1,1,0\n2,2,1\n":               {[]int{-1, 1}, "Class 0 is − and 1 is +."},
		"1,1,1\n2,2,-1.0\n":            {[]int{1, -1}, ""},
		"1,1,+\n2,2,−\n":               {[]int{1, -1}, ""},
		"1,1,10\n2,2,9\n":              {[]int{1, -1}, "Class 9 is − and 10 is +."},
		"1,1,dog\n2,2,cat\n":           {[]int{1, -1}, "Class cat is − and dog is +."},
		"1,1,dog\n2,2,2\n":             {[]int{1, -1}, "Class 2 is − and dog is +."},
		"a,b,c\n1,1,x\n2,2,y\n1,0,y\n": {[]int{-1, 1, 1}, "Class x is − and y is +."},
		"1,1,0\n":                      {[]int{-1}, "Class 0 is −."},
		"1,1,-1\n":                     {[]int{-1}, ""},
		"1,1,7\n":                      {[]int{1}, "Class 7 is +."},
	} {
		p := newPlayground()
		pic := ask(t, p, request{Do: "paste", Text: text})
		var labels []int
		for _, at := range p.points {
			labels = append(labels, at.Label)
		}
		if pic.Refusal != "" || !slices.Equal(labels, want.labels) || pic.Note != want.note {
			t.Errorf("%q: %v, %q, %q", text, labels, pic.Note, pic.Refusal)
		}
		if pic = ask(t, p, request{Do: "show"}); pic.Note != "" {
			t.Errorf("%q stays", pic.Note)
		}
	}
	p := newPlayground()
	pic := ask(t, p, request{Do: "paste", Text: strings.Repeat("1,2,1\n", most) + "3,4,0\n"})
	if len(p.points) != most || pic.Note != "The board shows the first 200 of 201 points. Class 0 is − and 1 is +." || p.boards[0].Model != "Online" {
		t.Errorf("%d points, %q", len(p.points), pic.Note)
	}
}

// TestBand checks that no point is inside the band, that the support vectors are
// on its edges, and that the line's own margin is within the promise of Margin.
func TestBand(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: 12})
	pic := ask(t, p, request{Do: "step", Times: 10000})
	for _, b := range pic.Boards {
		if len(b.Band) < 3 || len(b.Own) < 3 || len(b.Arrows) != 1 {
			t.Fatalf("%+v", b)
		}
		support := 0
		for i, u := range pic.Places {
			away := distance(b.Band, u)
			if b.Marks[i].Support {
				support++
			}
			if b.Marks[i].Support != (math.Abs(away) < 1e-9) || away < -1e-9 {
				t.Errorf("point %d is %v outside the band; support: %v", i+1, away, b.Marks[i].Support)
			}
			if distance(b.Own, u) < -1e-9 {
				t.Errorf("point %d is inside the margin of the line", i+1)
			}
		}
		if support != 3 {
			t.Errorf("%d support vectors", support)
		}
	}
	p = newPlayground()
	if pic := ask(t, p, request{Do: "step"}); len(pic.Boards[0].Band)+len(pic.Boards[0].Own) != 0 {
		t.Error("the band must be off at first")
	}
}

// distance returns how far u is outside a convex polygon with corners in circular
// order; it is negative inside.
func distance(polygon []vec, u vec) float64 {
	var middle vec
	for _, q := range polygon {
		middle[0], middle[1] = middle[0]+q[0]/float64(len(polygon)), middle[1]+q[1]/float64(len(polygon))
	}
	far := math.Inf(-1)
	for i, q := range polygon {
		p := polygon[(i+len(polygon)-1)%len(polygon)]
		side := func(v vec) float64 {
			return ((q[0]-p[0])*(v[1]-p[1]) - (q[1]-p[1])*(v[0]-p[0])) / math.Hypot(q[0]-p[0], q[1]-p[1])
		}
		far = max(far, -math.Copysign(1, side(middle))*side(u))
	}
	return far
}

// TestInequalities checks the proof's two inequalities after every update, for each rule.
func TestInequalities(t *testing.T) {
	for _, f := range []fields{{Model: "Online"}, {Model: "Online", Eta: 0.3}, {Model: "Margin"}, {Model: "Margin", Gamma: 0.1}} {
		p := with(t, f, sets["narrow"]...)
		b := p.boards[0].problem
		for p.boards[0].running() {
			p.do(request{Do: "step"})
			if len(b.missed) == 0 {
				continue
			}
			least := b.low(1)
			most, _ := b.swell(length(b.before))
			before, after := length(b.before), length(b.plane)
			if rise := b.along(b.plane) - b.along(b.before); rise < least*(1-1e-9) {
				t.Fatalf("%+v: ⟨u, w⟩ grew by %v, want %v", f, rise, least)
			}
			if swell := after*after - before*before; swell > most*(1+1e-9) {
				t.Fatalf("%+v: ‖w‖² grew by %v, want at most %v", f, swell, most)
			}
			if along, size := b.inequalities(); along == "" || size == "" {
				t.Fatal("no words")
			}
		}
	}
}
