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

// TestSplit: the README's command deals the rows of a file to shards in random order.
func TestSplit(t *testing.T) {
	for _, program := range []string{"shuf", "split"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	set := noisy(1, 50, 126)
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/all.svm", set.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile(`(?s)    mkdir data\n.*?\n\n`).FindString(string(must(os.ReadFile("README.md"))(t)))
	command := exec.Command("bash", "-ec", script)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil || script == "" {
		t.Fatalf("%v: %s", err, out)
	}
	var dealt []string
	for _, name := range must(filepath.Glob(dir + "/data/*.svm"))(t) {
		lines := strings.SplitAfter(string(must(os.ReadFile(name))(t)), "\n")
		if dealt = append(dealt, lines[:len(lines)-1]...); len(lines)-1 < 12 || len(lines)-1 > 13 {
			t.Errorf("%s: %d rows", name, len(lines)-1)
		}
	}
	all := strings.SplitAfter(string(set.text()), "\n")[:50]
	if slices.Equal(dealt, all) {
		t.Error("the order is not random")
	}
	slices.Sort(dealt)
	slices.Sort(all)
	if !slices.Equal(dealt, all) {
		t.Error("other rows")
	}
}
