package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/table"
)

// TestSeen: only the features of text that occur in training have weights. A word that does not is
// no feature, but counts in the length of its row.
func TestSeen(t *testing.T) {
	data := create(t, "t.csv", "message,y\n"+strings.Repeat("good day,ham\nbad luck,spam\n", 5))
	f := mustRead(t, trained(t, data, "--text", "message", "--ngrams", "1"))
	seen := f.Schema.Columns[0].Text.Seen
	if len(seen) != 4 || !slices.IsSorted(seen) || f.Schema.Features() != 4 || len(f.Schema.Names()) != 4 || !f.Schema.Sparse {
		t.Fatalf("%v, %d features, %q", seen, f.Schema.Features(), f.Schema.Names())
	}
	values := func(text string) (all []float64) {
		for r, err := range mustOpen(t, create(t, "n.csv", "message,y\n"+text+",ham\n")).Rows(&f.Schema, rowOptions) {
			if err != nil {
				t.Fatal(err)
			}
			all = slices.Clone(r.X.Value)
		}
		return all
	}
	if got := values("good"); !slices.Equal(got, []float64{1}) {
		t.Error(got)
	}
	if got := values("good news today indeed"); !slices.Equal(got, []float64{0.5}) {
		t.Error(got)
	}
	if got := values("news"); len(got) != 0 {
		t.Error(got)
	}
	f.Schema.Columns[0].Text.Seen = append(slices.Clone(seen), seen[0])
	if f.Schema.Check() == nil {
		t.Error("features that do not ascend are accepted")
	}
	f.Schema.Columns[0].Text.Seen = []uint32{1 << 18}
	if f.Schema.Check() == nil {
		t.Error("a feature beyond the last one is accepted")
	}
}

var rowOptions table.RowOptions

func mustOpen(t *testing.T, file string) *table.Source {
	s, err := table.Open(file, table.Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestGuessedLabel: without a line of names, a field more than the features is the label, if it is a class.
// Half a message behind a comma is none: the row has an error, an empty line, and no prediction of its other half.
func TestGuessedLabel(t *testing.T) {
	model := trained(t, "pipeline/testdata/messages.csv", "--text", "message")
	file := create(t, "piped.csv", "claim your free prize, today\nsee you at lunch,ham\n")
	var stdout, stderr bytes.Buffer
	err := run([]string{"predict", "-m", model, file}, &stdout, &stderr)
	if err == nil || status(err) != 1 || stdout.String() != "\nham\n" || !strings.Contains(stderr.String(), file+`:1:24: "today" is no class of the model`) {
		t.Errorf("%q, %v, %s", stdout.String(), err, stderr.String())
	}
	numbers := trained(t, create(t, "t.csv", "1.5,2.5,a\n3.1,4.2,b\n2,1,a\n4,5,b\n"))
	stdout.Reset()
	if err := run([]string{"predict", "-m", numbers, create(t, "commas.csv", "1,5,2\n3,1,?\n3,1,b\n")}, &stdout, &stderr); err == nil || stdout.String() != "\na\na\n" || !strings.Contains(stderr.String(), `:1:5: "2" is no class of the model: a row without its class has 2 fields`) {
		t.Errorf("without names in training: %q, %v, %s", stdout.String(), err, stderr.String())
	}
	if got := runs(t, "predict", "-m", model, create(t, "named.csv", "message,kind\nclaim your free prize, today\n")); got != "spam\n" {
		t.Errorf("with names, the label may be anything: %q", got)
	}
}

// TestThousandsNamed: every command that reads a later file says once that commas may separate thousands, and the names of
// rows are mentioned once.
func TestThousandsNamed(t *testing.T) {
	model := trained(t, create(t, "t.csv", "a,b,y\n1.5,2.5,no\n3.1,4.2,yes\n2,1,no\n4,5,yes\n"))
	for text, want := range map[string]string{
		"a;b;y\n5,742;7;no\n675;3,100;yes\n":     `: column "a", "b": the comma in numbers such as "5,742" beside "675" may separate thousands, but is read as a decimal mark: remove it, or accept it with --decimal comma`,
		"a;b;y\nu;5.25;7.5;no\nv;675;3.75;yes\n": ": the first line has one field less than the rows: the first field of each is taken for the name of the row",
	} {
		for _, command := range []string{"predict", "evaluate", "train"} {
			var stdout, stderr bytes.Buffer
			data := create(t, "n.csv", text)
			if err := run([]string{command, "-m", model, data}, &stdout, &stderr); err != nil || strings.Count(stderr.String(), data+want) != 1 {
				t.Errorf("%s %q: %v, %s", command, text, err, stderr.String())
			}
		}
	}
}

// TestRange: predict and evaluate count the rows outside of the range of training, if they are more than chance.
func TestRange(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	write := func(low, high float64, n int) string {
		text := "a,t,word,y\n"
		for i := range n {
			a := r.NormFloat64()
			text += fmt.Sprintf("%.3f,%.2f,w%d,%s\n", a, low+(high-low)*r.Float64(), i%3, []string{"u", "v"}[map[bool]int{true: 1}[a > 0]])
		}
		return create(t, "t.csv", text)
	}
	model := trained(t, write(-50, 50, 300))
	for _, c := range []struct {
		data, want string
	}{
		{write(50.01, 90, 40), `outside of the range of training, where no row shows the class: 40 of 40 rows, in column "t" (40)`},
		{create(t, "t.csv", "t,a,word\n0,1e9,w1\n-51,0,w2\n0,0,w2\n"), `: 2 of 3 rows, in column "a" (1), "t" (1)`},
		{create(t, "t.csv", "t,a,word\n60,0,w1\n"), `: 1 of 1 row, in column "t" (1)`},
		{write(-50, 50, 3000), ""},
		{write(-50, 50, 20), ""},
	} {
		var stdout, stderr strings.Builder
		if err := run([]string{"predict", "-m", model, c.data}, &stdout, &stderr); err != nil || c.want == "" && stderr.String() != "" || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v, %q, want %q", err, stderr.String(), c.want)
		}
		if strings.Contains(read(t, c.data), ",y\n") {
			if out := runs(t, "evaluate", "-m", model, c.data); strings.Contains(out, "outside of the range") != (c.want != "") || !strings.Contains(out, c.want) {
				t.Errorf("%s, want %q", out, c.want)
			}
		}
	}
	if e := evaluated(t, model, write(60, 70, 30)); e.OutsideRows != 30 || e.Outside["t"] != 30 {
		t.Errorf("%+v", e.Novelty)
	}
}
