package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// each has the flags for every kind of training, from memory and from the file.
var each = map[string]string{
	"default":         "--rule online", // the choice of a rule depends on the epochs, as that of borders does
	"waves":           "--waves 30",
	"stream waves":    "--waves 30 --memory 0",
	"sampled":         "--order sampled --keep last",
	"margin pocket":   "--algorithm margin --keep pocket",
	"gamma":           "--algorithm margin --gamma 0.1 --rate 0.5",
	"batch":           "--algorithm batch --rate 0.25",
	"onevsrest":       "--algorithm onevsrest --rule margin",
	"onevsrest batch": "--algorithm onevsrest --rule batch",
	"multiclass":      "--algorithm multiclass --keep pocket",
	"stream multi":    "--algorithm multiclass --rule margin --memory 0",
	"stream online":   "--algorithm online --memory 0 --keep pocket",
	"stream margin":   "--algorithm margin --memory 0 --theta 2",
	"stream rest":     "--algorithm onevsrest --memory 0",
}

// TestResume: a model trained for 3 epochs, saved, and trained for 4 more equals a
// model trained for 7.
func TestResume(t *testing.T) {
	file := cloud(t, 200)
	for name, flags := range each {
		t.Run(name, func(t *testing.T) {
			whole, broken := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "broken")
			args := append([]string{"train", file, "--holdout", "0.25", "--waves", "0", "--seed", "3"}, strings.Fields(flags)...)
			runs(t, append(args, "--epochs", "7", "-o", whole)...)
			runs(t, append(args, "--epochs", "3", "-o", broken)...)
			if state(t, whole) == state(t, broken) {
				t.Fatal("the model after 3 epochs equals the one after 7")
			}
			memory := "1"
			if strings.Contains(flags, "--memory 0") {
				memory = "0"
			}
			out := runs(t, "train", file, "-m", broken, "-o", broken, "--epochs", "4", "--memory", memory)
			if state(t, whole) != state(t, broken) {
				t.Error("the model after 3 epochs and 4 more differs from the one after 7")
			}
			if !strings.Contains(out, "4, numbers 4 to 7 of the model's\n") {
				t.Errorf("printed\n%s", out)
			}
		})
	}
}

// TestStream: rows read from the file and rows in memory give bit-identical models and
// reports.
func TestStream(t *testing.T) {
	file := cloud(t, 300)
	for _, flags := range []string{"", "--keep last", "--algorithm margin --gamma 0.01", "--raw", "--patience 2 --curves CURVES"} {
		dir := t.TempDir()
		flags = strings.ReplaceAll(flags, "CURVES", filepath.Join(dir, "curves"))
		args := append([]string{"train", file, "--order", "cyclic", "--holdout", "0.3", "--epochs", "5", "--waves", "0"}, strings.Fields(flags)...)
		memory, stream := filepath.Join(dir, "memory"), filepath.Join(dir, "stream")
		out := runs(t, append(args, "-o", memory)...)
		streamed := runs(t, append(args, "--memory", "0", "-o", stream)...)
		if read(t, memory) != read(t, stream) {
			t.Errorf("%q: the model from the file differs", args)
		}
		if said := ", whose rows each epoch reads from disk\n"; strings.Contains(out, said) || !strings.Contains(streamed, said) {
			t.Errorf("%q: printed\n%s", args, streamed)
		}
		_, want, _ := strings.Cut(out, "rows trained on")
		if _, got, _ := strings.Cut(streamed, "rows trained on"); got != want || want == "" {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
	args := []string{"train", file, "--memory", "0", "--order", "shuffled"}
	if got, want := fails(t, args...), "1 "+file+": online, order Shuffled, keep Average: this needs the rows in memory, but they take 0.1 MiB and --memory is 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMemoryNeeded: before a large training, the program says how much memory it takes, and refuses weights
// that need more than --memory.
func TestMemoryNeeded(t *testing.T) {
	file := create(t, "wide.svm", "1 1:1\n2 3000000:1\n1 1:1 7:2\n2 9:1 3000000:1\n")
	var out, notes strings.Builder
	if err := run([]string{"train", file, "--memory", "100"}, &out, &notes); err != nil {
		t.Fatal(err)
	}
	if want := file + ": the training takes about 46 MiB: 0.0 for the rows, which are in memory, and 45.8 for the weights; --memory is 100\n"; !strings.Contains(notes.String(), want) {
		t.Errorf("%q, want %q", notes.String(), want)
	}
	got := fails(t, "train", file, "--memory", "100", "--algorithm", "multiclass", "--features", "6000000")
	if want := "1 " + file + ": the weights of 2 classes and 6000000 features take about 183 MiB, and --memory is 100: fewer features need less"; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fails(t, "train", file, "--memory", "-1"); !strings.HasPrefix(got, "2 --features, --memory") {
		t.Error(got)
	}
}

// TestConverges: an epoch without updates ends the training, from memory and file.
func TestConverges(t *testing.T) {
	data := create(t, "t.csv", "a,y\n-2,no\n-1,no\n3,yes\n4,yes\n5,yes\n")
	for _, memory := range []string{"0", "1"} {
		var r report
		if err := json.Unmarshal([]byte(runs(t, "train", data, "--memory", memory, "--json", "--order", "cyclic")), &r); err != nil {
			t.Fatal(err)
		}
		if r.Stop != "Converged" || r.LastUpdates != 0 || r.Epochs >= 20 || *r.ProgressiveError != 0 || r.Streamed != (memory == "0") || r.Seconds <= 0 || r.HeldOut != nil {
			t.Errorf("memory %s: %+v", memory, r)
		}
	}
}

// TestPatience: the training ends N epochs after the best one on the rows held out, whose
// model is kept. Of several equally good epochs, which few rows held out have, it is the first.
func TestPatience(t *testing.T) {
	for _, rows := range []int{30, 60, 100, 400} {
		file, model := cloud(t, rows), filepath.Join(t.TempDir(), "m")
		var r report
		out := runs(t, "train", file, "--waves", "0", "--holdout", "0.3", "--patience", "4", "--keep", "last", "--json", "-o", model)
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		best, at, updates := math.Inf(1), 0, 0
		for _, e := range r.Curve {
			if updates += e.Updates; *e.HeldOut < best {
				best, at = *e.HeldOut, e.N
			}
		}
		if r.Stop != "Patience" || r.BestEpoch != at || r.Epochs != at+4 || len(r.Curve) != r.Epochs || r.Updates != updates {
			t.Errorf("stop %s after %d epochs and %d updates, best %d, want best %d and %d updates", r.Stop, r.Epochs, r.Updates, r.BestEpoch, at, updates)
		}
		if got := 1 - r.HeldOut.Accuracy; math.Abs(got-best) > 1e-12 {
			t.Errorf("the kept model has the error %v on the rows held out, want %v", got, best)
		}
		whole := filepath.Join(t.TempDir(), "whole")
		runs(t, "train", file, "--waves", "0", "--holdout", "0.3", "--keep", "last", "--epochs", fmt.Sprint(at), "-o", whole)
		if state(t, model) != state(t, whole) {
			t.Errorf("the kept model differs from that of %d epochs", at)
		}
	}
}

// TestPatienceResumes: a training with patience that is interrupted, and continued, ends with
// the same model and the same best epoch as a whole one.
func TestPatienceResumes(t *testing.T) {
	seen := map[bool]bool{}
	for i := range 12 {
		file, epochs, dir := cloud(t, []int{30, 60, 400}[i%3]), fmt.Sprint(1+i/3), t.TempDir()
		whole, broken := filepath.Join(dir, "whole"), filepath.Join(dir, "broken")
		var want, first, got report
		for _, c := range []struct {
			r     *report
			flags []string
		}{
			{&want, []string{"--waves", "0", "--holdout", "0.3", "--keep", "last", "-o", whole}},
			{&first, []string{"--waves", "0", "--holdout", "0.3", "--keep", "last", "-o", broken, "--epochs", epochs}},
			{&got, []string{"-m", broken, "-o", broken}},
		} {
			out := runs(t, append([]string{"train", file, "--patience", "4", "--json"}, c.flags...)...)
			if err := json.Unmarshal([]byte(out), c.r); err != nil {
				t.Fatal(err)
			}
		}
		if got.BestEpoch != want.BestEpoch || got.FirstEpoch+got.Epochs-1 != want.FirstEpoch+want.Epochs-1 || state(t, whole) != state(t, broken) {
			t.Errorf("after %s epochs: best %d of %d, want %d of %d", epochs, got.BestEpoch, got.FirstEpoch+got.Epochs-1, want.BestEpoch, want.FirstEpoch+want.Epochs-1)
		}
		seen[first.BestEpoch == want.BestEpoch] = true
	}
	if len(seen) < 2 {
		t.Errorf("the best epoch was always, or never, in the first part: %v", seen)
	}
}

// TestRefit: the model that is saved equals one that is trained on all rows for as many epochs as
// were best. The figures are those of the model before.
func TestRefit(t *testing.T) {
	for _, flags := range []string{"", "--memory 0", "--threshold 0.25 --missing mean", "--waves 20 --rule online"} {
		file, dir := cloud(t, 400), t.TempDir()
		model, whole := filepath.Join(dir, "m"), filepath.Join(dir, "whole")
		args := append([]string{"train", file, "--waves", "0", "--keep", "last", "--seed", "7"}, strings.Fields(flags)...)
		patient := append(slices.Clone(args), "--holdout", "0.3", "--patience", "4", "--json")
		var r, without report
		if err := json.Unmarshal([]byte(runs(t, append(patient, "--refit", "-o", model)...)), &r); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(runs(t, patient...)), &without); err != nil {
			t.Fatal(err)
		}
		if r.Refit != r.BestEpoch || r.BestEpoch == r.Epochs || r.HeldOut.Rows != without.HeldOut.Rows || r.HeldOut.Accuracy != without.HeldOut.Accuracy || without.Refit != 0 {
			t.Errorf("%q: %d of %d epochs, held out %+v", flags, r.Refit, r.Epochs, r.HeldOut)
		}
		runs(t, append(args, "--epochs", fmt.Sprint(r.BestEpoch), "-o", whole)...)
		if state(t, model) != state(t, whole) {
			t.Errorf("%q: the model differs from that of %d epochs on all rows", flags, r.BestEpoch)
		}
		if f := mustRead(t, model); f.Data.Rows != 400 || f.Data.HeldOut != 0 {
			t.Errorf("%q: %+v", flags, f.Data)
		}
		if out := runs(t, append(args, "--holdout", "0.3", "--patience", "4", "--refit", "-o", model)...); !strings.Contains(out, fmt.Sprintf("\nrefit              on all rows, %d epochs; the figures are those of the model before\nsaved ", r.BestEpoch)) {
			t.Errorf("printed\n%s", out)
		}
	}
}
