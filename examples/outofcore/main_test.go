package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

// TestRun checks the reports of a small run.
func TestRun(t *testing.T) {
	defer debug.SetMemoryLimit(math.MaxInt64)
	var out strings.Builder
	name := filepath.Join(t.TempDir(), "rows")
	if err := run(&out, name, 8<<20, 64<<20, 100, 2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`wrote 10381 rows of 100 features: 8.0 MiB, with a memory limit of 64.0 MiB`, `pass 1: \d+ updates`, `pass 2: \d+ updates`, `peak memory of Go's runtime: [\d.]+ MiB of 64.0 MiB, for a file of 8.0 MiB`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the output is\n%swant %s", out.String(), want)
		}
	}
}

// TestBadFiles checks that truncated and inconsistent files are rejected.
func TestBadFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows")
	for _, content := range []string{"", "short", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x01\x00\x00\x00\x00\x00\x00\x00123456789", "\x00\x00\x00\x00\x00\x00\x00\x0012345678"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := train(new(strings.Builder), name, 1<<30, 1); err == nil {
			t.Errorf("a file %q is accepted", content)
		}
	}
	if err := run(new(strings.Builder), name, 10, 1<<30, 100, 1); err == nil {
		t.Error("a size of less than one row is accepted")
	}
}
