package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
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
		"c.md":   {Data: []byte("# Title\r\n\nProse here.\n\n    go run .\n```go\nx := 2\n```\nMore of it.\nab\nabc\n")},
		"d.txt":  {Data: []byte("neither of them\n")},
	}
	got, err := collect(files)
	want := []line{{"package b", "code"}, {"Comment here.", "prose"}, {"x := 1 // one", "code"}, {"# Title", "prose"}, {"Prose here.", "prose"}, {"More of it.", "prose"}, {"abc", "prose"}}
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

// TestReports: a report stands after 2000 lines and at the end. The order is the same in every run,
// and so are the mistakes, though these lines are hard to tell apart.
func TestReports(t *testing.T) {
	dir := t.TempDir()
	for name, factor := range map[string]int{"a.go": 7919, "a.md": 104729} {
		var text strings.Builder
		for i := range 1001 {
			fmt.Fprintf(&text, "%d %d\n", i+100, i*factor)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	const want = `   2000 lines: 0.4320 predicted right before they were learned
   2002 lines: 0.4316 predicted right before they were learned
`
	if err := run(&out, dir); err != nil || out.String() != want {
		t.Errorf("printed %q, %v, want %q", &out, err, want)
	}
}

// TestCommand: the command reads the folder that it is given, or else the current one. It names a
// folder without lines.
func TestCommand(t *testing.T) {
	if args, ok := os.LookupEnv("TEXT_ARGUMENTS"); ok {
		os.Args = append([]string{"text"}, strings.Fields(args)...)
		main()
		return
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("Prose here.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		"":                "      1 lines: 0.0000 predicted right before they were learned\n",
		dir:               "      1 lines: 0.0000 predicted right before they were learned\n",
		"empty":           "text: empty: no lines of Go or Markdown\n",
		"nothing":         "text: nothing: ",
		"a.md":            "text: a.md: ",
		"-theory 5 empty": "text: empty: no lines of Go or Markdown\n",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCommand$")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TEXT_ARGUMENTS="+arguments)
		out, err := cmd.CombinedOutput()
		if !strings.HasPrefix(string(out), want) || (err != nil) != strings.HasPrefix(want, "text: ") {
			t.Errorf("%q: %v, printed %q, want %q", arguments, err, out, want)
		}
	}
}

// TestTheory: the bracket of γ holds, and Online makes no more mistakes than the theorem allows.
func TestTheory(t *testing.T) {
	var out strings.Builder
	if err := theory(&out, "..", 400); err != nil {
		t.Fatal(err)
	}
	var n, bound, made, epochs int
	var lower, upper, radius float64
	if _, err := fmt.Sscanf(out.String(), `%d lines: γ is in [%g, %g], and R = %g
Online makes at most (R/γ)² = %d mistakes, in any order
in this order it made %d in %d epochs: Converged
`, &n, &lower, &upper, &radius, &bound, &made, &epochs); err != nil {
		t.Fatalf("%v: printed\n%s", err, &out)
	}
	if n != 400 || !(0 < lower && lower <= upper && upper < 1.002*lower) || radius != 1.4142 || made > bound || made < 10 {
		t.Errorf("printed\n%s", &out)
	}
	if err := theory(&out, "testdata", 400); err == nil {
		t.Error("a folder that does not exist is accepted")
	}
}

// TestDistinct: a row is a line that has one label, once, and has length 1.
func TestDistinct(t *testing.T) {
	lines := []line{{"abc", "code"}, {"both", "code"}, {"abc", "code"}, {"both", "prose"}, {"text", "prose"}, {"later", "code"}}
	X, y := distinct(lines, 2)
	if !slices.Equal(y, []int{+1, -1}) || len(X) != 2 {
		t.Fatalf("%v %v", X, y)
	}
	if v := X[1].Value; len(v) != 3 || max(math.Abs(v[0]-v[2]), math.Abs(3*v[0]*v[0]-1)) > 1e-15 {
		t.Errorf("the row of text has %v", v)
	}
}

// TestRun learns from the files of the examples, or all of the repository if PERCEPTRON_FULL is set. The lines after
// the first report are predicted better than those before it. Their share changes little with the number of lines:
// it was .971 with 7,393 lines, and .980 with 55,605.
func TestRun(t *testing.T) {
	var out strings.Builder
	folder := ".."
	if os.Getenv("PERCEPTRON_FULL") != "" {
		folder = "../.."
	}
	if err := run(&out, folder); err != nil {
		t.Fatal(err)
	}
	var lines, shares []float64
	for text := range strings.Lines(out.String()) {
		var n, share float64
		if _, err := fmt.Sscanf(text, "%g lines: %g predicted right before they were learned\n", &n, &share); err != nil {
			t.Fatalf("%v: printed %q", err, text)
		}
		lines, shares = append(lines, n), append(shares, share)
	}
	last := len(lines) - 1
	if last < 2 {
		t.Fatalf("printed\n%s", &out)
	}
	later := (lines[last]*shares[last] - lines[0]*shares[0]) / (lines[last] - lines[0])
	if shares[0] < 0.88 || later < 0.96 || later <= shares[0] {
		t.Errorf("%.4f of the later lines; printed\n%s", later, &out)
	}
	if err := run(&out, "testdata"); err == nil {
		t.Error("a folder that does not exist is accepted")
	}
}
