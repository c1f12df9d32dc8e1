//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestInterrupt: an interrupt in the middle of an epoch ends the training after that
// epoch. The saved model equals that of an uninterrupted training of as many epochs.
// The data comes from a named pipe, so the test knows how far the program has read.
func TestInterrupt(t *testing.T) {
	file := cloud(t, 2000)
	text := read(t, file)
	dir := t.TempDir()
	pipe, model := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "m.bin")
	// Each pass gets a new pipe, because a pass ends when its pipe is closed.
	lay := func() error {
		next := filepath.Join(dir, "next")
		return errors.Join(syscall.Mkfifo(next, 0o600), os.Rename(next, pipe))
	}
	if err := lay(); err != nil {
		t.Fatal(err)
	}
	cmd := child(t, "-data", pipe, "-memory", "0", "-epochs", "1000000", "-keep", "average", "-save", model)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	served := make(chan error)
	go func() {
		// The first pass surveys the rows, so the third pass is the second epoch.
		for pass := 1; ; pass++ {
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
			if err != nil || ended.Load() {
				served <- errors.Join(err, w.Close())
				return
			}
			_, err = w.WriteString(text[:len(text)/2])
			if pass == 3 {
				err = errors.Join(err, cmd.Process.Signal(os.Interrupt))
			}
			_, err2 := w.WriteString(text[len(text)/2:])
			if err := errors.Join(err, err2, lay(), w.Close()); err != nil {
				served <- err
				return
			}
		}
	}()
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 130 {
		t.Errorf("exit status %d, want 130", status)
	}
	ended.Store(true)
	if r, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // wakes the writer
		defer r.Close()
	}
	if err := <-served; err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stderr.String() != "train: interrupted\n" {
		t.Errorf("printed to standard error, which is not a terminal: %q", stderr.String())
	}
	found := regexp.MustCompile(`(?s)\nepochs +(\d+)\nstop +Interrupted\n.*\nsaved +` + regexp.QuoteMeta(model)).FindStringSubmatch(stdout.String())
	if found == nil {
		t.Fatalf("printed\n%s", stdout.String())
	}
	unbroken := filepath.Join(dir, "unbroken")
	runs(t, "-data", file, "-memory", "0", "-epochs", found[1], "-keep", "average", "-save", unbroken)
	if state(t, model) != state(t, unbroken) {
		t.Errorf("the model differs from that of %s whole epochs", found[1])
	}
}
