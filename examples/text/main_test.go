package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"perceptron"
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

// TestFeatures compares n-grams with hash/fnv. A row holds nothing of the text before.
func TestFeatures(t *testing.T) {
	index := func(gram string) uint32 {
		h := fnv.New32a()
		h.Write([]byte(gram))
		return (h.Sum32() ^ h.Sum32()>>20) % width
	}
	want := map[uint32]float64{}
	for _, gram := range []string{"aaa", "aaaa", "aaaab", "aaa", "aaab", "aaabc", "aab", "aabc", "abc"} {
		want[index(gram)]++
	}
	x := features(features(perceptron.Sparse{}, "func main() {"), "aaaabc")
	got := map[uint32]float64{}
	for k, j := range x.Index {
		got[j] = x.Value[k]
	}
	if !maps.Equal(got, want) || !slices.IsSorted(x.Index) || len(x.Index) != len(got) {
		t.Errorf("features %v, want %v", x, want)
	}
}

// TestOne: a model that has learned nothing has the first line wrong.
func TestOne(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("Prose here.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	const want = "      1 lines: 0.0000 predicted right before they were learned\n"
	if err := run(&out, dir); err != nil || out.String() != want {
		t.Errorf("printed %q, %v, want %q", &out, err, want)
	}
}

// TestRun learns from the repository's own files. The first lines are predicted worse than all.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(&out, "../.."); err != nil {
		t.Fatal(err)
	}
	var shares []float64
	for _, found := range regexp.MustCompile(`lines: (0\.\d{4}) predicted right`).FindAllStringSubmatch(out.String(), -1) {
		var share float64
		if _, err := fmt.Sscan(found[1], &share); err != nil {
			t.Fatal(err)
		}
		shares = append(shares, share)
	}
	if n := len(shares); n < 3 || shares[0] < 0.88 || shares[n-1] < 0.96 || shares[n-1] <= shares[0] {
		t.Errorf("printed\n%s", &out)
	}
	if err := run(&out, "testdata"); err == nil {
		t.Error("a folder that does not exist is accepted")
	}
}
