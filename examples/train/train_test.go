package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// state returns a digest of a saved model that does not depend on MaxEpochs.
func state(t *testing.T, file string) string {
	t.Helper()
	m, _, err := restore(file)
	if err != nil {
		t.Fatal(err)
	}
	*settingsOf(m).epochs = 1
	sum, err := digest(m)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// each has the flags for every kind of training, from memory and from the file.
var each = map[string][]string{
	"online":          {"-model", "online"},
	"online average":  {"-model", "online", "-keep", "average", "-order", "sampled"},
	"margin pocket":   {"-model", "margin", "-keep", "pocket"},
	"gamma":           {"-model", "margin", "-gamma", "0.1"},
	"batch":           {"-model", "batch", "-rate", "0.25"},
	"onevsrest":       {"-model", "onevsrest", "-keep", "average"},
	"onevsrest batch": {"-model", "onevsrest", "-binary", "batch"},
	"multiclass":      {"-model", "multiclass", "-binary", "online", "-keep", "pocket"},
	"stream multi":    {"-model", "multiclass", "-memory", "0", "-keep", "average"},
	"stream online":   {"-model", "online", "-memory", "0", "-keep", "pocket"},
	"stream margin":   {"-model", "margin", "-memory", "0", "-keep", "average"},
	"stream rest":     {"-model", "onevsrest", "-memory", "0", "-theta", "2"},
}

// TestResume: a model trained for 3 epochs, saved, and trained for 4 more equals a
// model trained for 7.
func TestResume(t *testing.T) {
	file := cloud(t, 200)
	for name, args := range each {
		t.Run(name, func(t *testing.T) {
			whole, broken := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "broken")
			args = append([]string{"-data", file, "-standardise", "-holdout", "0.25", "-seed", "3"}, args...)
			runs(t, append(args, "-epochs", "7", "-save", whole)...)
			runs(t, append(args, "-epochs", "3", "-save", broken)...)
			if state(t, whole) == state(t, broken) {
				t.Fatal("the model after 3 epochs equals the one after 7")
			}
			memory := "1"
			if strings.HasPrefix(name, "stream") {
				memory = "0"
			}
			out := runs(t, "-data", file, "-load", broken, "-save", broken, "-epochs", "4", "-memory", memory)
			if state(t, whole) != state(t, broken) {
				t.Error("the model after 3 epochs and 4 more differs from the one after 7")
			}
			if !strings.Contains(out, "4, numbers 4 to 7 of the model's\n") {
				t.Errorf("printed\n%s", out)
			}
		})
	}
}

// TestStream: rows read from the file and rows in memory give bit-identical models.
func TestStream(t *testing.T) {
	file := cloud(t, 300)
	for _, args := range [][]string{{"-model", "online"}, {"-keep", "average"}, {"-gamma", "0.01"}} {
		memory, stream := filepath.Join(t.TempDir(), "memory"), filepath.Join(t.TempDir(), "stream")
		args = append([]string{"-data", file, "-order", "cyclic", "-standardise", "-holdout", "0.3", "-epochs", "5"}, args...)
		out := runs(t, append(args, "-save", memory)...)
		streamed := runs(t, append(args, "-memory", "0", "-save", stream)...)
		if read(t, memory) != read(t, stream) || read(t, beside(memory)) != read(t, beside(stream)) {
			t.Errorf("%q: the model from the file differs", args)
		}
		_, want, _ := strings.Cut(out, "rows held out:")
		if _, got, _ := strings.Cut(streamed, "rows held out:"); got != want || want == "" {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

// TestStreamConverges: a pass without updates ends the training.
func TestStreamConverges(t *testing.T) {
	args := []string{"-data", "../separable/pets.csv", "-model", "online", "-order", "cyclic", "-standardise", "-epochs", "1000"}
	line := func(out, name string) string {
		_, rest, _ := strings.Cut(out, name)
		text, _, _ := strings.Cut(rest, "\n")
		return text
	}
	memory, stream := runs(t, args...), runs(t, append(args, "-memory", "0")...)
	for _, name := range []string{"epochs", "stop", "mistakes"} {
		if got, want := line(stream, name), line(memory, name); got != want || want == "" {
			t.Errorf("%s %s, want %s", name, got, want)
		}
	}
	if !strings.Contains(stream, "Converged") {
		t.Errorf("printed\n%s", stream)
	}
}
