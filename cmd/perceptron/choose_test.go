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

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// TestChoice: train --holdout takes the option that is better on the rows to train on, and the rows
// held out have no influence on it: other texts there change their accuracy alone.
func TestChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	texts, labels := []string{}, []string{}
	for i := range 600 { // one rare word of twenty decides, among frequent ones that say nothing
		words := []string{fmt.Sprintf("w%dx%d", i%2, r.IntN(20))}
		for range 12 {
			words = append(words, fmt.Sprint("f", r.IntN(6)))
		}
		texts, labels = append(texts, strings.Join(words, " ")), append(labels, []string{"no", "yes"}[i%2])
	}
	train := func(name string) report {
		t.Helper()
		var r report
		out := runs(t, "train", create(t, name, tableOf(texts, labels)), "--text", "text", "--ngrams", "1", "--holdout", "0.3", "--json")
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := train("first.csv")
	if len(first.Choices) != 2 || first.Choices[0].Chosen != "weighted by rarity" || !first.IDF {
		t.Errorf("%+v", first.Choices)
	}
	for i, defaults := range []string{"alike", "margin"} {
		c := first.Choices[i]
		a, best := c.Accuracy[defaults], 0.0
		for _, v := range c.Accuracy {
			best = max(best, v)
		}
		// The default stays unless the other option leads by more than chance.
		if got := c.Accuracy[c.Chosen]; got < best && (c.Chosen != defaults || best-got > math.Sqrt(a*(1-a)/420)/2) {
			t.Errorf("%+v", c)
		}
	}
	// The texts of the rows held out are those of the other class now.
	d := dataset{File: &modelfile.File{Details: modelfile.Details{Data: first.Data, Schema: table.Schema{Missing: table.MissingError, Named: true, Width: 2,
		Label: table.Column{Name: "y", Position: 1}, Columns: []table.Column{{Name: "text", Text: &table.Hash{Ngrams: []int{1}, Bits: 18}}}}}}}
	var err error
	if d.src, err = table.Open(create(t, "first.csv", tableOf(texts, labels)), table.Options{}, true); err != nil {
		t.Fatal(err)
	}
	defer d.src.Close()
	var held []int
	if err := d.scan("", func(r *table.Row, _ int, part split.Part) error {
		if part == split.HeldOut {
			held = append(held, r.Line-2)
		}
		return nil
	}); err != nil || len(held) != first.Data.HeldOut {
		t.Fatal(len(held), err)
	}
	old := slices.Clone(texts)
	for k, i := range held {
		texts[i] = old[held[(k+1)%len(held)]]
	}
	second := train("second.csv")
	if !reflect.DeepEqual(second.Choices, first.Choices) || !reflect.DeepEqual(second.Training, first.Training) {
		t.Errorf("the rows held out have changed the choice:\n%+v\n%+v", first.Choices, second.Choices)
	}
	if second.HeldOut.Accuracy > first.HeldOut.Accuracy-0.2 {
		t.Errorf("%v of the rows held out are right, and before %v: are they others?", second.HeldOut.Accuracy, first.HeldOut.Accuracy)
	}
}

func tableOf(texts, labels []string) string {
	table := "text,y\n"
	for i := range texts {
		table += texts[i] + "," + labels[i] + "\n"
	}
	return table
}
