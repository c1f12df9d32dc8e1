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
	// w = −(0, 0, 1) after the first mistake, and u = (2, 2, −3)/√17.
	if line := "   1  [0 0] → -1    0.243      0.728      1.000      1.732  "; !strings.Contains(out.String(), line) {
		t.Errorf("no line %q:\n%s", line, &out)
	}
	if n := strings.Count(out.String(), "●"); n != 18 {
		t.Errorf("%d lines, want one for each of 18 mistakes", n)
	}
}
