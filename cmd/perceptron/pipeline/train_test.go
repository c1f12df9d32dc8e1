package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
