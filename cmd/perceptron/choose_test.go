package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/dataset"
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
	d := dataset.Dataset{File: &modelfile.File{Details: modelfile.Details{Data: first.Data, Schema: table.Schema{Missing: table.MissingError, Named: true, Width: 2,
		Label: table.Column{Name: "y", Position: 1}, Columns: []table.Column{{Name: "text", Text: &table.Hash{Ngrams: []int{1}, Bits: 18}}}}}}}
	var err error
	if d.Src, err = table.Open(create(t, "first.csv", tableOf(texts, labels)), table.Options{}, true); err != nil {
		t.Fatal(err)
	}
	defer d.Src.Close()
	var held []int
	if err := d.Scan("", func(r *table.Row, _ int, part split.Part) error {
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

// subjects writes a table of subjects with 25 neighbouring rows each. The label belongs to the subject.
func subjects(t *testing.T, name string, seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 5))
	text := "subject,a,b,c,d,e,y\n"
	for s := range n {
		var c [5]float64
		for j := range c {
			c[j] = r.NormFloat64()
		}
		y := "pq"[map[bool]int{true: 1}[(c[0]+c[1] > 0) != (r.Float64() < 0.2)]]
		for range 25 {
			text += fmt.Sprintf("%s%d", name, s)
			for _, v := range c {
				text += fmt.Sprintf(",%.3f", v+r.NormFloat64()/20)
			}
			text += fmt.Sprintf(",%c\n", y)
		}
	}
	return create(t, name+".csv", text)
}

// TestNeighbours: waves are chosen on rows that are not neighbours, a remark says that neighbours resemble each other, and
// --last and --group hold out other rows, which evaluate finds again.
func TestNeighbours(t *testing.T) {
	report := func(args ...string) (r report) {
		t.Helper()
		if err := json.Unmarshal([]byte(runs(t, append([]string{"train", "--json"}, args...)...)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, seed := range []uint64{0, 2, 3} { // with 40 subjects, chance favours waves on two of the first ten seeds
		data := subjects(t, "train", seed, 40)
		r := report(data, "--drop", "subject", "--holdout", "0.2")
		c := r.Choices[len(r.Choices)-1]
		if c.Of != borders || c.Chosen != "straight" || !c.Consecutive || r.Waves != 0 || !strings.Contains(said(r.Warnings), "neighbouring rows resemble each other") {
			t.Errorf("seed %d: %+v, %q", seed, r.Choices, r.Warnings)
		}
	}
	data := subjects(t, "train", 7, 40)
	for _, flags := range []string{"--drop subject --last", "--group subject"} {
		model := trained(t, append(strings.Fields(flags), data, "--holdout", "0.2", "--waves", "0")...)
		f := mustRead(t, model)
		d := dataset.Dataset{File: f}
		var err error
		if d.Src, err = table.Open(data, table.Options{}, true); err != nil {
			t.Fatal(err)
		}
		defer d.Src.Close()
		parts, after := map[string]split.Part{}, map[string]bool{}
		if err := d.Scan("", func(r *table.Row, _ int, part split.Part) error {
			subject := (r.Line - 2) / 25
			if known, ok := parts[fmt.Sprint(subject)]; flags == "--group subject" && ok && known != part {
				return fmt.Errorf("subject %d is divided", subject)
			}
			parts[fmt.Sprint(subject)] = part
			if after[r.Class] = after[r.Class] || part == split.HeldOut; flags != "--group subject" && after[r.Class] != (part == split.HeldOut) {
				return errors.New("a row is trained on after one held out")
			}
			return nil
		}); err != nil || d.Rows[split.HeldOut] != 200 && f.Data.HeldOut != d.Rows[split.HeldOut] || f.Data.HeldOut < 195 || f.Data.HeldOut > 205 {
			t.Errorf("%s: %v, %+v", flags, err, f.Data)
		}
		if strings.Contains(strings.Join(f.Schema.ColumnNames(), ","), "subject") {
			t.Errorf("%s: the group is a feature", flags)
		}
		if e := evaluated(t, model, data); e.Rows != f.Data.HeldOut || e.Part != "heldOut" {
			t.Errorf("%s: %+v", flags, e)
		}
		again := trained(t, data, "-m", model)
		if e := evaluated(t, again, data); e.Rows != f.Data.HeldOut {
			t.Errorf("%s: after another training %+v", flags, e)
		}
		// In a file, or parsed again, the rows have the same parts.
		low := trained(t, append(strings.Fields(flags), data, "--holdout", "0.2", "--waves", "0", "--memory", "0")...)
		if e := evaluated(t, low, data); e.Rows != f.Data.HeldOut {
			t.Errorf("%s: with --memory 0 %+v", flags, e)
		}
	}
	r := report(data, "--group", "subject", "--holdout", "0.2")
	if c := r.Choices[len(r.Choices)-1]; c.Consecutive || strings.Contains(said(r.Warnings), "neighbouring") {
		t.Errorf("%+v, %q", r.Choices, r.Warnings)
	}
	var folds crossReport
	if err := json.Unmarshal([]byte(runs(t, "train", data, "--group", "subject", "--cv", "4", "--json")), &folds); err != nil || len(folds.Folds) != 4 || folds.Mean > 0.95 || len(folds.Choices) != 4 || folds.Choices[0].LeastLead < 0.03 {
		t.Errorf("%+v, %v", folds, err)
	}
	for args, want := range map[string]string{
		"--last":                                  "2 --last requires --holdout, and not --group",
		"--group subject":                         "2 --group requires --holdout or --cv",
		"--group subjects --holdout 0.2":          `no column "subjects"`,
		"--group y --holdout 0.2":                 "--drop",
		"--holdout 0.2 --last --cv 3":             "2 --holdout cannot be used with --cv",
		"--group x --holdout 0.2 -m M":            "2 --holdout cannot be used with -m",
		"--last --group x --holdout 0.2":          "2 --last requires --holdout, and not --group",
		"--group subject --cv 3 --last":           "2 --last cannot be used with --cv",
		"--group x --holdout 0.2 --format libsvm": "--group",
	} {
		if got := fails(t, append([]string{"train", data}, strings.Fields(args)...)...); !strings.Contains(got, want) {
			t.Errorf("%s: %s", args, got)
		}
	}
	// Independent rows, in random order or sorted by class, give no remark.
	for _, sorted := range []bool{false, true} {
		r, text := rand.New(rand.NewPCG(1, 3)), "a,b,y\n"
		for i := range 600 {
			y := i % 2
			if sorted {
				y = i / 300
			}
			text += fmt.Sprintf("%.3f,%.3f,%s\n", r.NormFloat64()+float64(y), r.NormFloat64(), []string{"no", "yes"}[y])
		}
		if got := report(create(t, "t.csv", text), "--holdout", "0.2"); strings.Contains(said(got.Warnings), "neighbouring") {
			t.Errorf("%q", got.Warnings)
		}
	}
}

// TestManyRows: of more rows than waves are tried on, some are drawn.
func TestManyRows(t *testing.T) {
	r, text := rand.New(rand.NewPCG(1, 3)), new(strings.Builder)
	text.WriteString("a,b,y\n")
	for range mostTried + 20_000 {
		a, b := r.NormFloat64(), r.NormFloat64()
		fmt.Fprintf(text, "%.2f,%.2f,%s\n", a, b, []string{"in", "out"}[map[bool]int{true: 1}[a*a+b*b > 1.4]])
	}
	var got report
	if err := json.Unmarshal([]byte(runs(t, "train", create(t, "t.csv", text.String()), "--holdout", "0.1", "--epochs", "2", "--json")), &got); err != nil || got.Waves != usualWaves || got.HeldOut.Accuracy < 0.9 {
		t.Errorf("%+v, %v", got.Choices, err)
	}
	if out := runs(t, "train", "testdata/rings.csv", "--holdout", "0.2"); !strings.Contains(strings.Join(strings.Fields(out), " "), "lost weights by name, and Explain of package pipeline; --waves 0 keeps them") {
		t.Error(out)
	}
}
