package pipeline

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

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
	filling, _ := train(t, text+",1,2,left\n", Options{Missing: "mean"})
	mean := strconv.FormatFloat(filling.File.Fill[0], 'g', -1, 64)
	lacking, err := filling.Continue([]string{"", "1", "2"}, "right")
	if err != nil {
		t.Fatal(err)
	}
	if filled, err := filling.Continue([]string{mean, "1", "2"}, "right"); err != nil || saved(t, filled) != saved(t, lacking) || saved(t, filled) == saved(t, filling) {
		t.Error("a missing value is not the mean", err)
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
