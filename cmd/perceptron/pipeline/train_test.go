package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"perceptron/cmd/perceptron/internal/usage"
	"perceptron/cmd/perceptron/pipeline/report"
)

// cloud returns a table of two overlapping classes.
func cloud(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	text := "u,v,w,side\n"
	for range n {
		u, v, w := r.NormFloat64(), 10*r.NormFloat64(), 100+r.NormFloat64()
		class := "left"
		if u+v/10+0.5*r.NormFloat64() > 0 {
			class = "right"
		}
		text += fmt.Sprintf("%.6f,%.6f,%.6f,%s\n", u, v, w, class)
	}
	return text
}

// create writes a file and returns it opened.
func create(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// train trains on a text.
func train(t *testing.T, text string, o Options) (*Predictor, *report.Training) {
	t.Helper()
	p, r, err := Train(t.Context(), strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// saved returns the text of a model's file, without what says which file it was trained on.
func saved(t *testing.T, p *Predictor) string {
	t.Helper()
	q := *p
	f := *p.File
	f.Data.File, f.Data.SHA256 = "", ""
	q.File = &f
	name := filepath.Join(t.TempDir(), "m")
	if err := q.Save(name); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
	broken := errors.New("the line is broken")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, _, err = Train(ctx, Records(func(yield func([]string) bool) {
		if yield(records[0]) && yield(records[1]) && yield(records[2]) {
			cancel(broken)
		}
	}), Options{})
	if !errors.Is(err, broken) {
		t.Error(err)
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

// TestSaveFailed: if Save fails, there is no second training, and the figures are not lost.
func TestSaveFailed(t *testing.T) {
	calls := 0
	o := Options{Patience: 3, Holdout: 0.3, Refit: true, Save: func(p *Predictor) error {
		calls++
		return p.Save(filepath.Join(t.TempDir(), "none", "m"))
	}}
	p, r, err := Train(t.Context(), strings.NewReader(cloud(200)), o)
	if !errors.Is(err, fs.ErrNotExist) || p == nil || r == nil || r.Refit != 0 || calls != 1 || r.HeldOut.Accuracy < 0.5 {
		t.Errorf("%+v, %v, %d calls", r, err, calls)
	}
}

// TestSave: Save is called for each checkpoint with a Predictor that does not change, and with each model that is
// trained. Checkpoint k has the scores of a training of k epochs.
func TestSave(t *testing.T) {
	text := cloud(200)
	var all []*Predictor
	var files []string
	p, r := train(t, text, Options{Epochs: 5, Checkpoint: 2, Save: func(p *Predictor) error {
		all, files = append(all, p), append(files, saved(t, p))
		return nil
	}})
	if len(all) != 3 || all[2] != p || r.Epochs != 5 {
		t.Fatal(len(all), r.Epochs)
	}
	for i, epochs := range []int{2, 4, 5} {
		want, _ := train(t, text, Options{Epochs: epochs})
		a, _ := all[i].Scores(nil, []string{"1", "2", "3"})
		if b, _ := want.Scores(nil, []string{"1", "2", "3"}); !slices.Equal(a, b) || saved(t, all[i]) != files[i] {
			t.Errorf("%d epochs: %v, want %v", epochs, a, b)
		}
	}
}

// TestStored: rows of numbers are parsed once, whatever the number of epochs and whether they fit in
// memory, and nothing is left. Without room for them, each epoch reads the file again.
func TestStored(t *testing.T) {
	file, dir := create(t, cloud(300)), t.TempDir()
	passes := func(epochs, memory int, folder string) (n int, said string) {
		o := Options{Algorithm: "margin", Order: "cyclic", Epochs: epochs, Memory: memory, Holdout: 0.3, Folder: folder, Set: []string{"Memory", "Waves"}}
		o.Note = func(what string) { said = what }
		o.Progress = func(p Progress) {
			if p.Ended && p.Total > 1000 { // bytes
				n++
			}
		}
		if _, r, err := Train(t.Context(), file, o); err != nil || r.Epochs != epochs || r.Streamed != (memory == 0) {
			t.Fatalf("%+v, %v", r, err)
		}
		return n, said
	}
	for _, memory := range []int{0, 1} {
		for _, epochs := range []int{1, 9} {
			if n, said := passes(epochs, memory, dir); n != 1 || !strings.Contains(said, "the first line has names") {
				t.Errorf("%d epochs, --memory %d: %d passes; %q", epochs, memory, n, said)
			}
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	gone := filepath.Join(dir, "none")
	if n, said := passes(9, 0, gone); n != 1+11 || !strings.HasPrefix(said, "each epoch reads the file again, because the rows cannot be stored: open "+dir) {
		t.Errorf("%d passes; %q", n, said)
	}
}

// TestContinue: rows that Continue learns one by one give the model of one pass of a stream of them, Continue changes no
// Predictor, and readers may use it at once. Rows that cannot be learned change nothing.
func TestContinue(t *testing.T) {
	text := cloud(80)
	first, _ := train(t, text, Options{Epochs: 2, Order: "cyclic", Keep: "last", Set: []string{"Waves"}})
	before := saved(t, first)
	lines := strings.Split(strings.TrimSpace(cloud(120)), "\n")[81:]
	var wait sync.WaitGroup
	now := first
	for _, line := range lines {
		f := strings.Split(line, ",")
		wait.Go(func() {
			if _, err := first.PredictRecord(f[:3]); err != nil {
				t.Error(err)
			}
		})
		next, err := now.Continue(f[:3], f[3])
		if err != nil {
			t.Fatal(err)
		}
		now = next
	}
	wait.Wait()
	if saved(t, first) != before || now.File.Data.Served != len(lines) {
		t.Errorf("%d served", now.File.Data.Served)
	}
	// The same rows in one epoch of Train, from memory and by -m.
	again, _ := train(t, "u,v,w,side\n"+strings.Join(lines, "\n"), Options{Model: first, Epochs: 1})
	for _, line := range lines {
		record := strings.Split(line, ",")[:3]
		a, _ := again.Scores(nil, record)
		if b, _ := now.Scores(nil, record); !slices.Equal(a, b) {
			t.Fatalf("%v, want %v", b, a)
		}
	}
	if saved(t, first) != before {
		t.Error("Train changed Options.Model")
	}
	name := filepath.Join(t.TempDir(), "m")
	if err := now.Save(name); err != nil {
		t.Fatal(err)
	}
	if p, err := Load(name); err != nil || saved(t, p) != saved(t, now) {
		t.Error(err)
	} else if p, err = p.Strict().Continue([]string{"1", "2", "3"}, "left"); err != nil || !p.strict {
		t.Error(err)
	}
	for want, c := range map[string][]string{
		`class "up" is not among the model's "left", "right"; a model learns no new class later: train anew, without -m`: {"1", "2", "3", "up"},
		`class "Left" is not among the model's "left", "right", but may be "left": sed 's/Left/left/' makes them equal`:  {"1", "2", "3", "Left"},
		"2 values, but the model has 3 columns": {"1", "2", "left"},
		`column "v": "x", want a finite number; if it is a missing value, train with --na "x" and --missing`: {"1", "x", "3", "left"},
	} {
		if p, err := now.Continue(c[:len(c)-1], c[len(c)-1]); p != nil || err == nil || err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	dropping, _ := train(t, text+"1,,2,left\n", Options{Missing: "drop"})
	if _, err := dropping.Continue([]string{"1", "", "2"}, "left"); err == nil || !strings.Contains(err.Error(), "a value is missing") {
		t.Error(err)
	}
	batch, _ := train(t, text, Options{Algorithm: "batch"})
	if _, err := batch.Continue([]string{"1", "1", "2"}, "left"); err == nil || !strings.Contains(err.Error(), "the rule batch") {
		t.Error(err)
	}
}

// TestReadonly: a model of text that was loaded for predictions predicts the same, and can do nothing else.
func TestReadonly(t *testing.T) {
	text := "message,class\n" + strings.Repeat("hello you,ham\nwin a prize,spam\n", 10)
	p, _ := train(t, text, Options{Text: []string{"message"}})
	name := filepath.Join(t.TempDir(), "m")
	if err := p.Save(name); err != nil {
		t.Fatal(err)
	}
	q, err := LoadReadonly(name)
	if err != nil {
		t.Fatal(err)
	}
	_, failed := q.Continue([]string{"hello"}, "ham")
	_, _, also := Train(t.Context(), strings.NewReader(text), Options{Model: q})
	for _, err := range []error{failed, also, q.Save(name)} {
		if !errors.Is(err, errReadonly) {
			t.Error(err)
		}
	}
	for _, message := range []string{"hello prize", "win", ""} {
		a, _ := p.Scores(nil, []string{message})
		if b, err := q.Scores(nil, []string{message}); err != nil || !slices.Equal(a, b) {
			t.Error(a, b, err)
		}
	}
	if e, err := q.Evaluate(t.Context(), strings.NewReader(text), Options{}); err != nil || e.Accuracy != 1 {
		t.Error(e, err)
	}
	words, _ := train(t, "word,class\n"+strings.Repeat("a,ham\nb,spam\n", 10), Options{})
	other := "word,class\nc,ham\n"
	if e, err := words.Evaluate(t.Context(), strings.NewReader(other), Options{}); err != nil || e.UnseenRows != 1 {
		t.Error(e, err)
	}
	if _, err := words.Strict().Evaluate(t.Context(), strings.NewReader(other), Options{}); err == nil || !strings.Contains(err.Error(), `"c"`) {
		t.Error(err)
	}
}

// TestOptions: bad options are OptionErrors before anything is read, and name the option.
func TestOptions(t *testing.T) {
	p, _ := train(t, cloud(20), Options{})
	for want, o := range map[string]Options{
		"--missing is \"gone\", want one of error, mean, drop":                                     {Missing: "gone"},
		"--header is \"maybe\", want one of auto, yes, no":                                         {Header: "maybe"},
		"--ngrams cannot be used with no --text":                                                   {Ngrams: []int{1}},
		"--epochs at least 1":                                                                      {Set: []string{"Epochs"}},
		"--holdout is 1, want at least 0 and less than 1":                                          {Holdout: 1},
		"--seed cannot be used with -m":                                                            {Model: p, Set: []string{"Seed"}},
		"--scale-words cannot be used with -m":                                                     {Model: p, ScaleWords: true},
		"--checkpoint requires Save":                                                               {Checkpoint: 1},
		"--refit requires --patience":                                                              {Refit: true},
		"--gamma cannot be used with the rule online":                                              {Gamma: 1},
		"--waves cannot be used with --text":                                                       {Waves: 9, Text: []string{"t"}},
		"--order is \"sorted\", want one of cyclic, shuffled, sampled":                             {Order: "sorted"},
		"--threshold is \"x\", want f1 or a number":                                                {Threshold: "x"},
		"--patience, --threshold f1 and --calibrate require --holdout: they use the rows held out": {Calibrate: true},
	} {
		_, _, err := Train(t.Context(), nil, o)
		if also := o.Check(); !errors.As(err, new(OptionError)) || also == nil || err.Error() != also.Error() || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSet: a zero value that is listed in Set is meant. Without rows held out nothing is chosen.
func TestSet(t *testing.T) {
	o := Options{Holdout: 0.3}
	_, chosen := train(t, cloud(100), o)
	o.Set = []string{"Waves", "Rule"}
	_, straight := train(t, cloud(100), o)
	if len(chosen.Choices) != 2 || len(straight.Choices) != 0 {
		t.Errorf("%+v, %+v", chosen.Choices, straight.Choices)
	}
}

// TestRemarks: a warning names its column and line.
func TestRemarks(t *testing.T) {
	_, r := train(t, "code,x,y\n1,2,no\n2,1.5,yes\n007,2,no\n2,4,yes\n", Options{})
	want := report.Remark{Column: "code", Line: 4, Text: `column "code" has numbers such as "007": if they are codes, --category "code" reads them as words`}
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("%#v", r.Warnings)
	}
}

// TestMachineMemory: the memory of this machine is plausible.
func TestMachineMemory(t *testing.T) {
	if got := machineMemory(); got < 64 || got > 1<<24 {
		t.Errorf("the machine has %d MiB", got)
	}
}

// TestFields: the fields of Options that the command has no flag for are those of Evaluate, and those that a flag cannot hold.
func TestFields(t *testing.T) {
	help, err := os.ReadFile("../train.go")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := os.ReadFile("../internal/table/discover.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../internal/table/source.go")
	if err != nil {
		t.Fatal(err)
	}
	var none []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		declared := func(text []byte) bool {
			for line := range strings.Lines(string(text)) {
				if f := strings.Fields(line); len(f) > 2 && f[0] == field.Name && strings.Contains(line, `help:"`) {
					return true
				}
			}
			return false
		}
		if !declared(help) && !declared(tables) && !declared(source) {
			none = append(none, usage.Name(field.Name))
		}
	}
	if got := strings.Join(none, " "); got != "folder all positive save progress note set" {
		t.Errorf("without a flag: %s", got)
	}
}
