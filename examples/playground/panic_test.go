package main

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestLabels checks that each class of each point can be changed in every chapter, also
// to a class that the model does not know, and that the training then goes on. A sample has
// every fourth point.
func TestLabels(t *testing.T) {
	for chapter := range lastChapter + 1 {
		p := newPlayground()
		ask(t, p, request{Do: "chapter", Times: chapter})
		for i := range p.points {
			if !full && i%4 != chapter%4 {
				continue
			}
			for _, label := range []int{-1, 1, p.points[i].Label} {
				for _, r := range []request{{Do: "label", Point: i, Label: label}, {Do: "wide"}, {Do: "step"}, {Do: "wide"}} {
					if pic := ask(t, p, r); pic.Refusal != "" {
						t.Fatalf("chapter %d, point %d, label %d: %s", chapter, i, label, pic.Refusal)
					}
				}
			}
		}
	}
	p := newPlayground()
	text := "c=0&wide=1&model=0,0,0,1,0,0&p=1,1,1&p=0,0,0"
	for _, r := range []request{{Do: "link", Text: text}, {Do: "label", Label: 0}, {Do: "add", Label: 2}} {
		if pic := ask(t, p, r); pic.Refusal == "" || pic.State != "0" {
			t.Errorf("%s %s: %s, %q", r.Do, r.Text, pic.State, pic.Refusal)
		}
	}
}

// TestRecover checks that a panic in the middle of a request leaves the last good state,
// and that the page works on from there.
func TestRecover(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "step", Times: 3})
	want := ask(t, p, request{Do: "add", Label: 1})
	for _, r := range []request{{Do: "step"}, {Do: "epoch"}, {Do: "show"}} {
		p.boards[0].X = nil
		got := ask(t, p, r)
		if !strings.HasPrefix(got.Refusal, `"`+r.Do+`" failed: runtime error`) {
			t.Fatalf("%s: %q", r.Do, got.Refusal)
		}
		got.Refusal = ""
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", r.Do, got, want)
		}
	}
	if pic := ask(t, p, request{Do: "step"}); pic.Refusal != "" || pic.State == want.State || !pic.Undo {
		t.Errorf("%+v", pic)
	}
}

// TestOnLine checks that a point on the line is not right, in each sentence.
func TestOnLine(t *testing.T) {
	p := with(t, fields{Model: byHand, W1: 1}, point{0, 1, 1}, point{0, -1, -1}, point{1, 0, 1})
	pic := ask(t, p, request{Do: "show"}).Boards[0]
	if pic.Right != "1 of 3 (33.3 %)" || pic.Status != "Your line has 1 of 3 points correct." {
		t.Errorf("%s, %s", pic.Right, pic.Status)
	}
	for i, side := range []string{"on the line, so not right", "on the line, so not right", "the + side"} {
		if got := pic.Marks[i].Score; !strings.HasSuffix(got, side) {
			t.Errorf("point %d: %q, want %q", i+1, got, side)
		}
	}
}

// TestHandStatus checks what is said of a line that the user has moved, or of none.
func TestHandStatus(t *testing.T) {
	points := []point{{0, 1, 1}, {0, -1, -1}}
	for want, f := range map[string]fields{
		"Both weights are 0, so there is no line: every point has the score 0.": {Model: byHand, Origin: true},
		"Both weights are 0, so there is no line: every point has the score b.": {Model: byHand, B: 1},
		"Your line has all 2 points correct.":                                   {Model: byHand, W2: 1},
		"Your line has 0 of 2 points correct.":                                  {Model: byHand, W2: -1},
	} {
		if got := ask(t, with(t, f, points...), request{Do: "show"}).Boards[0].Status; got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

// TestMarginNow checks the margin where rounding could hide that it is a short number.
func TestMarginNow(t *testing.T) {
	for i := range 50 {
		x, y := 0.1*math.Cos(float64(i)), 0.1*math.Sin(float64(i))
		p := with(t, fields{Model: "Online"}, point{x, y, 1}, point{-x, -y, -1})
		if c := ask(t, p, request{Do: "step", Times: 10000}).Boards[0].Cards[0]; c.Margin != "0.1 (100 % of γ)" || c.Gamma != "0.1" {
			t.Errorf("%v, %v: %s of %s", x, y, c.Margin, c.Gamma)
		}
	}
	p := with(t, fields{Model: "Online"}, point{1e-300, 0, 1}, point{-1e-300, 0, -1})
	if c := ask(t, p, request{Do: "step"}).Boards[0].Cards[0]; c.Margin != "−1" {
		t.Errorf("%+v", c)
	}
}
