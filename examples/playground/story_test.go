package main

import (
	"slices"
	"strings"
	"testing"
)

// TestThirteenthChapter checks that board 1 cycles, and that board 2 keeps the best line
// that XOR has.
func TestThirteenthChapter(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: 13})
	pic := ask(t, p, request{Do: "epoch"})
	isKept := func(l line) bool { return l.Kind == "kept" }
	if one, two := pic.Boards[0], pic.Boards[1]; one.Stop != "Cycled" || two.Right != "3 of 4 (75 %)" || !slices.ContainsFunc(two.Lines, isKept) {
		t.Errorf("%s; %s, %+v", one.Stop, two.Right, two.Lines)
	}
	ask(t, p, request{Do: "load", Name: "overlap"})
	pic = ask(t, p, request{Do: "step", Times: 10000})
	if last, pocket := p.boards[0], p.boards[1]; must(t, pocket) <= must(t, last) {
		t.Errorf("Pocket has %s right, Last %s", pic.Boards[1].Right, pic.Boards[0].Right)
	}
}

// TestFourteenthChapter checks that OneVsRest cycles, and that Multiclass has all points right.
func TestFourteenthChapter(t *testing.T) {
	p := newPlayground()
	ask(t, p, request{Do: "chapter", Times: 14})
	pic := ask(t, p, request{Do: "step", Times: 1000})
	if one, two := pic.Boards[0], pic.Boards[1]; one.Stop != "Cycled" || two.Stop != "Converged" || two.Right != "12 of 12 (100 %)" || one.Right == two.Right || len(two.Cards) != 1 {
		t.Errorf("%s, %s; %s, %s", one.Stop, one.Right, two.Stop, two.Right)
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
		if got, _ := p.boards[0].problems[0].margin(); got <= gamma/2 {
			t.Errorf("the margin is %v, want more than %v", got, gamma/2)
		}
	}
}
