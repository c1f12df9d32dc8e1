package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSplit: the README's commands deal the rows of a file to shards, and write them in the
// format rows.
func TestSplit(t *testing.T) {
	for _, program := range []string{"split", "perl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	set := noisy(1, 50, 126)
	set.X[30] = make([]float64, 126)
	dealt := make([]dataset, 4)
	for i, x := range set.X {
		x[125] = float64(i / 49) // no row before the last has the last feature
		dealt[i%4].X, dealt[i%4].y = append(dealt[i%4].X, x), append(dealt[i%4].y, set.y[i])
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/all.svm", set.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile(`(?s)    mkdir data\n.*?\n\n|    for shard in .*?    done\n`).FindAllString(string(must(os.ReadFile("README.md"))(t)), -1)
	command := exec.Command("bash", "-ec", strings.Join(script, ""))
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil || len(script) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, format := range []string{"svm", rowsFormat} {
		names := must(filepath.Glob(dir + "/data/*." + format))(t)
		if len(names) != 4 {
			t.Fatalf("files: %v", names)
		}
		for i, name := range names {
			if !slices.Equal(must(os.ReadFile(name))(t), dealt[i].encode(strings.Replace(format, "svm", libsvmFormat, 1))) {
				t.Errorf("%s: other rows", name)
			}
		}
	}
}
