package main

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestEdits checks what each request does to the points.
func TestEdits(t *testing.T) {
	p := newPlayground()
	at := func(i int) point { return p.points[i] }
	ask(t, p, request{Do: "clear"})
	ask(t, p, request{Do: "add", X: 0.2849, Y: -2, Label: -1}) // rounded to a cell, away from the edge
	if want := (point{0.57, -1.9, -1}); at(0) != want {
		t.Errorf("%v, want %v", at(0), want)
	}
	ask(t, p, request{Do: "add", X: -0.001, Y: 1, Label: 1})
	if want := (point{0, 1.9, 1}); at(1) != want || math.Signbit(at(1).X) {
		t.Errorf("%v, want %v", at(1), want)
	}
	ask(t, p, request{Do: "move", Point: 1, X: 0.5, Y: 0.25})
	ask(t, p, request{Do: "nudge", Point: 1, X: 5, Y: -1})
	if want := (point{1.1, 0.48, 1}); at(1) != want {
		t.Errorf("%v, want %v", at(1), want)
	}
	ask(t, p, request{Do: "label", Point: 1, Label: -1})
	ask(t, p, request{Do: "place", Point: 1, X: 1e6, Y: 0.125})
	if want := (point{1e6, 0.125, -1}); at(1) != want || p.view != 1.1e6 {
		t.Errorf("%v in %v, want %v", at(1), p.view, want)
	}
	ask(t, p, request{Do: "move", Point: 1, X: 0, Y: 0}) // a drag does not change the view
	if p.view != 1.1e6 {
		t.Error(p.view)
	}
	ask(t, p, request{Do: "reset"})
	ask(t, p, request{Do: "remove", Point: 0})
	if p.view != usual || len(p.points) != 1 || at(0) != (point{0, 0, -1}) {
		t.Error(p.view, p.points)
	}
	if pic := ask(t, p, request{Do: "remove"}); len(p.points) != 0 || !strings.HasPrefix(pic.Boards[0].Status, "There are no points") {
		t.Error(pic.Boards[0].Status)
	}
}

// TestRefusals checks that an invalid request changes nothing and returns an error.
func TestRefusals(t *testing.T) {
	full := newPlayground()
	for range most {
		full.do(request{Do: "add", Label: 1})
	}
	nan := math.NaN()
	for _, c := range []struct {
		r    request
		text string
	}{
		{request{Do: "fly"}, `unknown request "fly"`},
		{request{Do: "load", Name: "moon"}, `unknown set "moon"`},
		{request{Do: "add", Label: 1}, "the plane is full: it already has 200 points"},
		{request{Do: "remove", Point: most}, "point 201 does not exist"},
		{request{Do: "label", Point: -1}, "point 0 does not exist"},
		{request{Do: "place", X: nan}, "must be finite numbers"},
		{request{Do: "place", Y: math.Inf(1)}, "must be finite numbers"},
		{request{Do: "set", Name: "model", Text: "SVM"}, `unknown model "SVM"`},
		{request{Do: "set", Name: "order", Text: "x"}, `Order "x" is none of Cyclic`},
		{request{Do: "set", Name: "keep", Text: ""}, `Keep "" is none of Last`},
		{request{Do: "set", Name: "eta", Text: "fast"}, `"fast" is not a finite number`},
		{request{Do: "set", Name: "gamma", Text: "1e999"}, `"1e999" is not a finite number`},
		{request{Do: "set", Name: "eta", Text: "NaN"}, `"NaN" is not a finite number`},
		{request{Do: "set", Name: "seed", Text: "1"}, `unknown field "seed"`},
	} {
		before := ask(t, full, request{Do: "show"})
		after := ask(t, full, c.r)
		if !strings.Contains(after.Refusal, c.text) {
			t.Errorf("%+v: %q, want %q", c.r, after.Refusal, c.text)
		}
		after.Refusal = ""
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%+v changed something", c.r)
		}
	}
}

// TestBadStates checks the status for unusual points and for bad fields.
func TestBadStates(t *testing.T) {
	online := fields{Model: "Online"}
	for name, c := range map[string]struct {
		f      fields
		points []point
		status string
		stop   string
	}{
		"none":               {online, nil, "There are no points.", "not started"},
		"one":                {online, []point{{1, 1, 1}}, "Converged: every point is on the right side. 1 mistake in 2 epochs (at most 1 promised).", "Converged"},
		"one class":          {online, []point{{1, 1, -1}, {-1, 1, -1}, {0, -1, -1}}, "Converged: every point is on the right side. 2 mistakes in 2 epochs (at most 3 promised).", "Converged"},
		"twins":              {online, []point{{1, 1, 1}, {1, 1, 1}, {-1, 0, -1}}, "Converged", "Converged"},
		"contradicting":      {online, []point{{1, 1, 1}, {1, 1, -1}}, "Cycled", "Cycled"},
		"huge":               {online, []point{{1e300, 0, 1}, {-1e300, 1, -1}}, "Stopped: point 2: the numbers are too large to compute with.", "error"},
		"largest":            {online, []point{{math.MaxFloat64, math.MaxFloat64, 1}, {1, 1, -1}}, "Stopped: the numbers are too large to compute with.", "error"},
		"large":              {online, []point{{1e140, 0, 1}, {-1e140, 1, -1}}, "Converged", "Converged"},
		"tiny":               {online, []point{{1e-300, 0, 1}, {-1e-300, 0, -1}}, "Stopped at the limit", "EpochLimit"},
		"a negative rate":    {fields{Model: "Margin", Eta: -1}, []point{{1, 1, 1}}, "Stopped: bad configuration: Rate is -1", "error"},
		"a negative margin":  {fields{Model: "Margin", Gamma: -1}, []point{{1, 1, 1}}, "Stopped: bad configuration: Gamma is -1", "error"},
		"too large a margin": {fields{Model: "Margin", Gamma: 9}, sets["wide"], "Stopped at the limit of 1000 epochs: the run has not converged. 12000 updates.", "EpochLimit"},
	} {
		p := with(t, c.f, c.points...)
		ask(t, p, request{Do: "step"})
		pic := ask(t, p, request{Do: "step", Times: 20000})
		for range 2 {
			pic = ask(t, p, request{Do: "step", Times: 10000})
		}
		if pic.Running || pic.Boards[0].Stop != c.stop || !strings.HasPrefix(pic.Boards[0].Status, c.status) {
			t.Errorf("%s: %s, %q", name, pic.Boards[0].Stop, pic.Boards[0].Status)
		}
	}
}

// FuzzRequests checks that no series of requests stops the page, and that every picture
// is JSON with all places on the plane. A letter of text selects a request; the next
// bytes are its arguments.
func FuzzRequests(f *testing.F) {
	f.Add("a\x00\x80b\x80\x00sssse")
	f.Add("2sss0sss1m\x00\x20\x30e")
	f.Add("4ssse5eer\x01l\x02kkg\xffss")
	f.Add("cab\x00\x00a\x00\x00sseHseh")
	f.Fuzz(func(t *testing.T, text string) {
		p := newPlayground()
		next := func() (c byte) {
			if text != "" {
				c, text = text[0], text[1:]
			}
			return c
		}
		u := func() float64 { return float64(int8(next())) / 128 }
		for n := 0; text != "" && n < 60; n++ {
			var r request
			switch c := next(); c {
			case 'a', 'b', 'z':
				r = request{Do: "add", X: u(), Y: u(), Label: map[byte]int{'a': 1, 'b': -1, 'z': 0}[c]}
			case 'm':
				r = request{Do: "move", Point: int(next()), X: u(), Y: u()}
			case 'n':
				r = request{Do: "nudge", Point: int(next()), X: 5, Y: -25}
			case 'r':
				r = request{Do: "remove", Point: int(next())}
			case 'l':
				r = request{Do: "label", Point: int(next()), Label: int(next()%3) - 1}
			case 'H', 'h':
				r = request{Do: "place", Point: int(next()), X: math.Ldexp(u(), 8*int(next()-'0')), Y: u()}
			case 's', 'e', 'c':
				r = request{Do: map[byte]string{'s': "step", 'e': "epoch", 'c': "clear"}[c], Times: int(next() % 8)}
			case 'k', 'o':
				name := map[byte]string{'k': "keep", 'o': "order"}[c]
				texts := map[byte][]string{'k': {"Last", "Average", "Pocket"}, 'o': {"Cyclic", "Shuffled", "Sampled"}}[c]
				r = request{Do: "set", Name: name, Text: texts[next()%3]}
			case 'g':
				r = request{Do: "set", Name: "gamma", Text: "0.25"}
			default:
				r = request{Do: "set", Name: "model", Text: models[int(c)%len(models)]}
			}
			check(t, ask(t, p, r))
		}
	})
}

// check fails if a place is outside the plane.
func check(t *testing.T, pic picture) {
	t.Helper()
	on := func(what string, places ...vec) {
		for _, u := range places {
			if !(max(math.Abs(u[0]), math.Abs(u[1])) <= 1+1e-9) {
				t.Fatalf("%s at %v", what, u)
			}
		}
	}
	for _, m := range pic.Places {
		on("point", m)
	}
	for _, l := range pic.Boards[0].Lines {
		on("line", l.Ends...)
	}
	for _, r := range pic.Boards[0].Regions {
		on("region", r.Polygon...)
	}
	for _, c := range pic.Boards[0].Cards {
		if c.Chart != nil {
			on("chart", c.Chart.Low...)
			on("chart", c.Chart.High...)
			on("chart", c.Chart.Dots...)
		}
	}
	if pic.Boards[0].Status == "" {
		t.Fatal("no status")
	}
}

// TestJSON checks that appendJSON and encoding/json agree.
func TestJSON(t *testing.T) {
	p := newPlayground()
	for _, r := range []request{{Do: "show"}, {Do: "load", Name: "xor"}, {Do: "step", Times: 3}, {Do: "\"\\\x00\x1f\n é\u2028"}, {Do: "load", Name: "overlap"}, {Do: "epoch"}, {Do: "clear"}} {
		refusal := p.record(r)
		text := string(appendJSON(nil, reflect.ValueOf(p.picture(refusal))))
		var got, want any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		other, err := json.Marshal(p.picture(refusal))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(other, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %s, want %s", r, text, other)
		}
	}
	for _, v := range []any{math.NaN(), math.Inf(1), map[string]int{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v does not panic", v)
				}
			}()
			appendJSON(nil, reflect.ValueOf(v))
		}()
	}
}

// TestNumbers checks how the page formats numbers.
func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 27: "27", -1: "−1", 0.5: "0.5", 1.0 / 3: "0.333", 1234.5678: "1234.6", 123456789: "123456789", 1e300: "1e+300", -2.5e-17: "−2.5e−17"} {
		if got := number(v); got != want {
			t.Errorf("number(%v) is %q, want %q", v, got, want)
		}
	}
}

// TestCharts checks that the two curves of each rule meet at its bound, and that ‖w‖ is
// between them.
func TestCharts(t *testing.T) {
	for _, f := range []fields{
		{Model: "Online"}, {Model: "Online", Eta: 0.25}, {Model: "Margin", Eta: 2}, {Model: "Margin", Gamma: 0.0625},
	} {
		p := with(t, f, sets["narrow"]...)
		pic := ask(t, p, request{Do: "step", Times: 10000})
		b := p.boards[0].problem
		if k := b.bound(); math.Abs(b.low(k)/b.high(k)-1) > 1e-9 {
			t.Errorf("%+v: %v and %v at the bound %v", f, b.low(k), b.high(k), k)
		}
		if n := len(b.entries); n != b.k+1 || b.entries[n-1].k != b.k {
			t.Errorf("%+v: %v", f, b.entries)
		}
		for _, e := range b.entries {
			k := float64(e.k)
			if e.along < b.low(k)*(1-1e-12) || e.length < e.along*(1-1e-12) || e.length > b.high(k)*(1+1e-12) {
				t.Errorf("%+v: %+v, not in [%v, %v]", f, e, b.low(k), b.high(k))
			}
		}
		c := pic.Boards[0].Cards[0].Chart
		if meets := math.Sqrt(1 / 1.15); math.Abs(c.Meet[0]-meets) > 1e-9 || c.Low[len(c.Low)-1] != (vec{1, 1}) || c.High[len(c.High)-1][1] > 1 {
			t.Errorf("%+v: %+v", f, c)
		}
	}
}
