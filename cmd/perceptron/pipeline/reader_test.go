package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestTables: a file, any reader, a reader that gives a byte at a time, and records give the same model. A file is
// neither closed nor read from its position.
func TestTables(t *testing.T) {
	text := cloud(100)
	var records [][]string
	for line := range strings.Lines(text) {
		records = append(records, strings.Split(strings.TrimSpace(line), ","))
	}
	o := Options{Holdout: 0.3, Epochs: 3, Seed: 5}
	want, report := train(t, text, o)
	file := create(t, text)
	later := create(t, "x\n"+text)
	if _, err := later.Seek(2, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{file.Name(): file, "table": &slow{text}, "records": Records(slices.Values(records)), later.Name(): later} {
		p, got, err := Train(t.Context(), r, o)
		if err != nil || saved(t, p) != saved(t, want) {
			t.Fatalf("%s: another model; %v", name, err)
		}
		if got.Data.File != name || got.HeldOut.Accuracy != report.HeldOut.Accuracy || got.HeldOut.Rows != report.Data.HeldOut {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, err := file.Stat(); err != nil {
		t.Error(err)
	}
	e, err := want.Evaluate(t.Context(), strings.NewReader(text), Options{})
	if err != nil || e.Part != "heldOut" || !reflect.DeepEqual(e.Confusion, report.HeldOut.Confusion) {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err = want.Evaluate(t.Context(), Records(slices.Values(records)), Options{Positive: "left", All: true}); err != nil || e.Part != "all" || e.Rows != 100 || e.Positive != "left" {
		t.Errorf("%+v, %v", e, err)
	}
}

// slow is a reader of one byte at a time.
type slow struct{ text string }

func (s *slow) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	p[0], s.text = s.text[0], s.text[1:]
	return 1, nil
}

// TestRecords: fields with every mark of CSV arrive as they are, and an error of the sequence ends the training.
func TestRecords(t *testing.T) {
	records := [][]string{{"word", "class"}}
	for i := range 40 {
		records = append(records, []string{[]string{`a "quoted", one`, "two;\nlines", "tab\tand |", "plain"}[i%4], []string{"no", "yes"}[i%2]})
	}
	p, r, err := Train(t.Context(), Records(slices.Values(records)), Options{})
	if err != nil || r.Training.Accuracy != 1 || r.Words["word"] != 4 {
		t.Fatal(r, err)
	}
	if class, err := p.Strict().PredictRecord([]string{"two;\nlines"}); class != "yes" || err != nil {
		t.Error(class, err)
	}
	// The first record has the names, whatever it looks like, and no field is divided.
	for want, first := range map[string][]string{"[u;v;w] [u;0 u;1]": {"u;v;w", "u;x"}, "[2019] [0 1]": {"2019", "2020"}} {
		records = [][]string{first}
		for i := range 40 {
			records = append(records, []string{strings.Replace(first[0], "w", fmt.Sprint(i%2), 1), strings.Replace(first[1], "x", fmt.Sprint(i%2), 1)})
			if first[0] == "2019" {
				records[i+1] = []string{fmt.Sprint(i % 7), fmt.Sprint(i % 2)}
			}
		}
		if p, r, err := Train(t.Context(), Records(slices.Values(records)), Options{}); err != nil || r.Data.Rows != 40 || fmt.Sprint(p.Columns(), p.Classes()) != want {
			t.Error(want, r, err)
		}
	}
	broken := errors.New("the line is broken")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, _, err = Train(ctx, Records(func(yield func([]string) bool) {
		if yield(records[0]) && yield(records[1]) && yield(records[2]) {
			cancel(broken)
		}
	}), Options{})
	if !errors.Is(err, broken) || !strings.HasSuffix(err.Error(), ": interrupted: the line is broken") {
		t.Error(err)
	}
	// A sequence that panics does so in the caller's goroutine.
	for _, sequence := range []iter.Seq[[]string]{nil, func(yield func([]string) bool) { yield(records[0]); panic("no line") }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic of a sequence is lost")
				}
			}()
			_, _, _ = Train(t.Context(), Records(sequence), Options{})
		}()
	}
	if _, _, err = Train(t.Context(), Records(slices.Values([][]string{})), Options{}); err == nil {
		t.Error("no records are a table")
	}
}

// endless is a sequence of records without an end.
func endless() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := 0; yield([]string{fmt.Sprint(i % 7), fmt.Sprint(i % 2)}); i++ {
		}
	}
}

// TestContext: the end of the context ends a training while it reads, while it chooses, and after an epoch. The
// last returns what the epochs have learned, which is what a training of so many epochs learns.
func TestContext(t *testing.T) {
	text := cloud(1500) // the report of what was learned takes passes of more than a block
	stop := errors.New("stop")
	for _, stage := range []string{"", "reading the columns", "choosing, folds", "folds", "training"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		o := Options{Holdout: 0.2, Memory: 1}
		var r io.Reader = strings.NewReader(text)
		switch stage {
		case "":
			r = Records(endless())
			cancel(stop)
		case "folds":
			o.Holdout, o.CV = 0, 3
		case "training":
			o.Waves, o.Set = 0, []string{"Waves", "Rule"}
			o.Rule = "online"
		case "reading the columns":
			r = strings.NewReader(text + strings.Repeat("1,1,1,left\n", 20_000))
		}
		seen := false
		o.Progress = func(p Progress) {
			if p.Stage == stage && (p.Done >= 2 || p.Total > 100) {
				cancel(stop)
			}
			seen = seen || p.Stage == stage
		}
		p, report, err := Train(ctx, r, o)
		if !errors.Is(err, stop) || stage != "" && !seen {
			t.Errorf("%s: %v", stage, err)
		}
		if stage != "training" {
			if p != nil || report != nil {
				t.Errorf("%s: %+v", stage, report)
			}
			continue
		}
		o.Progress, o.Epochs = nil, 2
		want, _ := train(t, text, o)
		if report.Stop != "Interrupted" || report.Epochs != 2 || report.HeldOut.Rows != 300 {
			t.Errorf("%+v", report)
		}
		for i := range 300 {
			row := strings.Split(strings.Split(text, "\n")[i+1], ",")[:3]
			a, _ := p.Scores(nil, row)
			if b, _ := want.Scores(nil, row); !slices.Equal(a, b) {
				t.Fatalf("row %d: %v, want %v", i, a, b)
			}
		}
	}
}
