package main

import (
	"os"
	"strings"
	"testing"
)

// TestReadingBar: a file with a known size gets a bar, other files do not.
func TestReadingBar(t *testing.T) {
	b := newBars(new(strings.Builder))
	defer b.close()
	for file, want := range map[string]bool{iris: true, create(t, "empty", ""): false, os.DevNull: false} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if r := b.reading(f); (r != f) != want {
			t.Errorf("%s: bar %v, want %v", file, r != f, want)
		}
	}
}
