package main

import (
	"strings"
	"testing"
)

// TestRun checks the number of mistakes, and that each mistake has a line.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\nmade 18 mistakes of at most 51\n") {
		t.Error(out.String())
	}
	if n := strings.Count(out.String(), "●"); n != 18 {
		t.Errorf("%d lines, want one for each of 18 mistakes", n)
	}
}
