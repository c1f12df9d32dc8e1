package main

import (
	"reflect"
	"strings"
	"testing"

	"perceptron"
)

// TestPicture checks the texts of a picture after five updates, for each rule.
func TestPicture(t *testing.T) {
	for _, c := range []struct {
		f                        fields
		k, at, name, pass, right string
	}{
		{fields{Model: "Online"}, "5 mistakes", "27", "√k R", "4 mistakes, mean loss 0.342", "11 of 12 (91.7 %)"},
		{fields{Model: "Margin"}, "5 updates", "83", "√(3k) R", "–", "10 of 12 (83.3 %)"},
		{fields{Model: "Margin", Gamma: 0.25}, "5 updates", "51", "(kγ′/2 + √k R)", "4 updates, mean loss 0.342", "11 of 12 (91.7 %)"},
	} {
		p := with(t, c.f, sets["wide"]...)
		pic := ask(t, p, request{Do: "step", Times: 5}).Boards[0]
		got := pic.Cards[0]
		if got.Title != "The theorem and this run" || got.K != c.k || got.Bound != c.at || got.Chart.Name != c.name || pic.Epoch != c.pass || pic.Right != c.right {
			t.Errorf("%+v: %q %q %q %q %q", c.f, got.K, got.Bound, got.Chart.Name, pic.Epoch, pic.Right)
		}
		if got.R != "2.47" || got.Gamma != "0.468" {
			t.Errorf("%+v: %q, %q", c.f, got.R, got.Gamma)
		}
		if want := "point 2, class +, at 0, 1.3"; pic.Marks[1].Name != want && pic.Marks[1].Name != want+", in the last update" {
			t.Errorf("%q, want %q", pic.Marks[1].Name, want)
		}
	}
	p := newPlayground()
	if pic := ask(t, p, request{Do: "load", Name: "wide"}); pic.Boards[0].Verdict != "Separable: a line has all + on one side and all − on the other." {
		t.Error(pic.Boards[0].Verdict)
	}
	p = with(t, fields{Model: "Online"}, point{1e300, 0, 1}, point{-1e300, 1, -1})
	if c := ask(t, p, request{Do: "show"}).Boards[0].Cards[0]; c.Bound != "1" || c.Chart == nil || len(c.Chart.Low) == 0 {
		t.Errorf("%+v", c)
	}
	p.boards[0].Eta = 1e10
	if c := ask(t, p, request{Do: "reset"}).Boards[0].Cards[0]; c.Chart != nil {
		t.Errorf("%+v", c.Chart)
	}
}

// TestThin checks that thin keeps all entries while they are few, and else evenly spaced ones and
// always the last.
func TestThin(t *testing.T) {
	var all []entry
	for k := range 5000 {
		all = append(all, entry{k: k, length: float64(k)})
		some := thin(all)
		n := len(some)
		if n > 258 || n < min(k+1, 100) || some[n-1] != all[k] || some[0].k != 0 || k < 256 && n != k+1 {
			t.Fatalf("%d: %v", k, some)
		}
		for i := 1; i < n-1; i++ {
			if some[i].k-some[i-1].k != some[1].k-some[0].k {
				t.Fatalf("%d: %v", k, some)
			}
		}
	}
}

// TestKept checks that the hyperplane that predicts is drawn beside the iterate, from the
// end of the first epoch.
func TestKept(t *testing.T) {
	p := with(t, fields{Model: "Online", Keep: perceptron.Average}, sets["overlap"]...)
	kinds := func(pic picture) (kinds string) {
		for _, l := range pic.Boards[0].Lines {
			kinds += l.Kind + " "
		}
		return strings.TrimSpace(kinds)
	}
	ask(t, p, request{Do: "step"})
	pic := ask(t, p, request{Do: "step"})
	if _, kept := p.boards[0].kept(); kinds(pic) != "old new" || kept {
		t.Error(kinds(pic))
	}
	ask(t, p, request{Do: "epoch"})
	if pic = ask(t, p, request{Do: "epoch"}); kinds(pic) != "old kept new" {
		t.Error(kinds(pic))
	}
	h := p.boards[0].model.(*perceptron.Online).Hyperplane()
	if want := lineOf("kept", h, p.view)[0]; !reflect.DeepEqual(pic.Boards[0].Lines[1], want) || reflect.DeepEqual(pic.Boards[0].Lines[1].Ends, pic.Boards[0].Lines[2].Ends) {
		t.Error(pic.Boards[0].Lines, want)
	}
}
