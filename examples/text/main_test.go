package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSplit: comments are prose, and blocks of code in Markdown are left out.
func TestSplit(t *testing.T) {
	files := fstest.MapFS{
		"a/b.go": {Data: []byte("package b\n\n// Comment here.\n\tx := 1 // one\n}\n")},
		"c.md":   {Data: []byte("# Title\r\n\nProse here.\n\n    go run .\n```go\nx := 2\n```\nMore of it.")},
		"d.txt":  {Data: []byte("neither of them\n")},
	}
	got, err := collect(files)
	want := []line{{"package b", 1}, {"Comment here.", -1}, {"x := 1 // one", 1}, {"# Title", -1}, {"Prose here.", -1}, {"More of it.", -1}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", err, got, want)
	}
}

// TestVector: a vector has length 1, counts the n-grams, and nothing of the text before.
func TestVector(t *testing.T) {
	v := newVectoriser()
	first := slices.Clone(v.vector("abcd"))
	v.vector(strings.Repeat("func main() {", 9))
	if again := v.vector("abcd"); !slices.Equal(again, first) {
		t.Error("the vector depends on the text before")
	}
	set, squares := 0, 0.0
	for _, x := range first {
		if x != 0 {
			set++
			squares += x * x
		}
	}
	if set != 3 || math.Abs(squares-1) > 1e-12 { // abc, bcd, abcd
		t.Errorf("%d n-grams, squares %v", set, squares)
	}
	high := 0.0
	for _, x := range v.vector("aaaa") { // aaa twice, aaaa once
		high = max(high, x)
	}
	if math.Abs(high-2/math.Sqrt(5)) > 1e-12 {
		t.Errorf("the largest feature is %v, want 2/√5", high)
	}
}

// TestRun learns from the repository's own files. The last lines are predicted better
// than the first ones.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, "../..", 2000); err != nil {
		t.Fatal(err)
	}
	var shares []float64
	for _, found := range regexp.MustCompile(`lines: (0\.\d{4}) of the last 2000`).FindAllStringSubmatch(out.String(), -1) {
		var share float64
		if _, err := fmt.Sscan(found[1], &share); err != nil {
			t.Fatal(err)
		}
		shares = append(shares, share)
	}
	if n := len(shares); n < 3 || shares[0] < 0.85 || shares[n-1] < 0.93 || shares[n-1] <= shares[0] {
		t.Errorf("printed\n%s", &out)
	}
	if err := run(&out, "testdata", 1); err == nil {
		t.Error("a folder that does not exist is accepted")
	}
}
