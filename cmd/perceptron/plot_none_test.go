//go:build !plot

package main

import "testing"

// TestPlotNone: whatever the arguments, one line says how to get the command.
func TestPlotNone(t *testing.T) {
	const want = "2 this build cannot draw; go build -C cmd/perceptron -tags plot -o perceptron . makes one that can"
	for _, args := range [][]string{{"plot"}, {"plot", "regions", iris, "-o", "x.png"}, {"plot", "--raw", "nonsense"}} {
		if got := fails(t, args...); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
