package main

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// TestPicture checks the texts of a picture after five updates, for each rule.
func TestPicture(t *testing.T) {
	for _, c := range []struct {
		f           fields
		k, at, name string
		loss, share string
	}{
		{fields{Model: "Online"}, "5 mistakes", "27", "η√k R", "0.34167", "91.667 %"},
		{fields{Model: "Margin"}, "5 updates", "83", "η√(3k) R", "–", "–"},
		{fields{Model: "Margin", Gamma: 0.25}, "5 updates", "51", "η(kγ′/2 + √k R)", "0.34167", "91.667 %"},
		{fields{Model: "Batch"}, "12 misclassifications", "334", "η√(nk) R", "0", "100 %"},
	} {
		p := with(t, c.f, presets["wide"]...)
		pic := ask(t, p, request{Do: "step", Times: 5})
		got := pic.Cards[0]
		if got.Title != "The theorem and this run" || got.K != c.k || got.Bound != c.at || got.Chart.Name != c.name || pic.Loss != c.loss || pic.Accuracy != c.share {
			t.Errorf("%+v: %q %q %q %q %q", c.f, got.K, got.Bound, got.Chart.Name, pic.Loss, pic.Accuracy)
		}
		if got.R != "2.4739" || got.Lower != "0.4684829237638151" || got.Upper != "0.46848292376381534" {
			t.Errorf("%+v: %q, %q, %q", c.f, got.R, got.Lower, got.Upper)
		}
		if want := "point 2, class +, at 0, 1.3"; pic.Points[1].Name != want && pic.Points[1].Name != want+", in the last update" {
			t.Errorf("%q, want %q", pic.Points[1].Name, want)
		}
	}
	p := newPlayground()
	pic := ask(t, p, request{Do: "load", Name: "three"})
	if pic.Cards[1].Title != "Class 0 against the rest" || pic.Verdict != "Separable: for each class, a line has the class on one side and the rest on the other." {
		t.Error(pic.Cards[1].Title, pic.Verdict)
	}
	if pic = ask(t, p, request{Do: "load", Name: "wide"}); pic.Verdict != "Separable: a line has all + on one side and all − on the other." {
		t.Error(pic.Verdict)
	}
	p = with(t, fields{Model: "Online"}, point{1e300, 0, 1}, point{-1e300, 1, -1})
	if c := ask(t, p, request{Do: "show"}).Cards[0]; c.Bound != "1" || c.Chart == nil || len(c.Chart.Low) == 0 {
		t.Errorf("%+v", c)
	}
	p.fields.Eta = 1e10
	if c := ask(t, p, request{Do: "reset"}).Cards[0]; c.Chart != nil {
		t.Errorf("%+v", c.Chart)
	}
}

// TestTicks checks that the ticks are a few round numbers, apart from each other and
// from the ends.
func TestTicks(t *testing.T) {
	for end, want := range map[float64][]string{
		1: {"0", "1"}, 2: {"0", "2"}, 10: {"0", "1", "5", "10"}, 16: {"0", "1", "5", "16"}, 27: {"0", "2", "10", "27"},
		563: {"0", "50", "200", "563"}, 1691.9: {"0", "200", "500", "1691"}, 5e12: {"0", "500000000000", "2000000000000", "5000000000000"},
	} {
		var got []string
		for _, tick := range ticks(end) {
			got = append(got, tick.Text)
			if k := tick.At * tick.At * end; tick.At < 1 && number(math.Round(k)) != tick.Text {
				t.Errorf("%v: %v", end, tick)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", end, got, want)
		}
	}
	for v, want := range map[float64]float64{0.49: 0, 80: 100, 1.45: 1, 14.5: 10, 14.6: 20, 73: 100} {
		if got := round(v); got != want {
			t.Errorf("round(%v) is %v, want %v", v, got, want)
		}
	}
}

// TestHistory checks that a history has all lengths while they are few. Later it has
// evenly spaced lengths, and always the last one.
func TestHistory(t *testing.T) {
	var h history
	for k := range 256 {
		h.add(k, float64(k))
	}
	if len(h.k) != 256 || h.k[255] != 255 {
		t.Fatal(len(h.k))
	}
	for k := 256; k < 5000; k++ {
		h.add(k, float64(k))
		n := len(h.k)
		if n > 256 || n < 100 || h.k[n-1] != k || h.lengths[n-1] != float64(k) || h.k[0] != 0 {
			t.Fatalf("%d: %v", k, h.k)
		}
		for i := 1; i < n-1; i++ {
			if h.k[i]-h.k[i-1] != h.k[1]-h.k[0] {
				t.Fatalf("%d: %v", k, h.k)
			}
		}
	}
}

// TestBatchStep checks that a step of Batch marks the misclassified points, including
// those on the line itself.
func TestBatchStep(t *testing.T) {
	p := with(t, fields{Model: "Batch", Keep: perceptron.Average}, point{1, 0, 1}, point{2, 0, 1}, point{-1, 0, -1}, point{-0.25, 1, 1})
	pic := ask(t, p, request{Do: "step"}) // w = (3.75, 1), b = 2
	if want := "Epoch 2. 4 points were wrong. The line tilts by their sum."; pic.Status != want {
		t.Errorf("%q, want %q", pic.Status, want)
	}
	if p.training.kept() != nil {
		t.Error("Batch must keep only its last iterate")
	}
	p = with(t, fields{Model: "Batch"}, point{1, 1, 1}, point{-1, 0, -1}, point{0, -1, -1}, point{-2, 2, 1})
	ask(t, p, request{Do: "step"}) // w = (0, 4), b = 0: point 2 is on the line
	pic = ask(t, p, request{Do: "step"})
	var wrong []bool
	for _, m := range pic.Points {
		wrong = append(wrong, m.Updated)
	}
	if want := []bool{false, true, false, false}; !slices.Equal(wrong, want) {
		t.Errorf("%v, want %v", wrong, want)
	}
}

// TestKept checks that the hyperplane that predicts is drawn beside the iterate, from the
// end of the first epoch.
func TestKept(t *testing.T) {
	p := with(t, fields{Model: "Online", Keep: perceptron.Average}, presets["overlap"]...)
	kinds := func(pic picture) (kinds string) {
		for _, l := range pic.Lines {
			kinds += l.Kind + " "
		}
		return strings.TrimSpace(kinds)
	}
	ask(t, p, request{Do: "step"})
	pic := ask(t, p, request{Do: "step"})
	if kinds(pic) != "old new" || p.training.kept() != nil {
		t.Error(kinds(pic))
	}
	ask(t, p, request{Do: "epoch"})
	if pic = ask(t, p, request{Do: "epoch"}); kinds(pic) != "old kept new" {
		t.Error(kinds(pic))
	}
	h := p.training.model.(*perceptron.Online).Hyperplane()
	if want := lineOf(0, "kept", h, p.view)[0]; !reflect.DeepEqual(pic.Lines[1], want) || reflect.DeepEqual(pic.Lines[1].Ends, pic.Lines[2].Ends) {
		t.Error(pic.Lines, want)
	}
}
