package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSplit: split deals the rows of a file to shards of the format rows. They train as
// the same rows do in libsvm.
func TestSplit(t *testing.T) {
	set := noisy(1, 50, 4)
	set.X[30] = []float64{0, 0, 0, 0} // and no row before the last has the last feature
	for i, x := range set.X {
		if i < 49 {
			x[3] = 0
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/all.svm", set.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	dealt := make([]dataset, 3)
	for i, x := range set.X {
		dealt[i%3].X, dealt[i%3].y = append(dealt[i%3].X, x), append(dealt[i%3].y, set.y[i])
	}
	good := config{job: job{Format: rowsFormat}, pattern: dir + "/all.svm", to: dir + "/new/part", parts: 3}
	for _, good.Features = range []int{0, 4} {
		if err := split(t.Context(), good); err != nil {
			t.Fatal(err)
		}
		names := must(filepath.Glob(dir + "/new/*"))(t)
		if len(names) != 3 {
			t.Fatalf("files: %v", names)
		}
		for i, name := range names {
			if !slices.Equal(must(os.ReadFile(name))(t), dealt[i].encode(rowsFormat)) {
				t.Errorf("%s: other rows", name)
			}
		}
	}
	c := setUp(t, rowsFormat, nil)
	c.pattern = dir + "/new/part-*.rows"
	if got := train(t, c); !equal(got.State, goroutines(t, dealt, uniform, c.rounds)) {
		t.Errorf("%+v", got.State)
	}
	for want, change := range map[string]func(*config){
		"want split":            func(c *config) { c.parts = 0 },
		"want split -":          func(c *config) { c.Format = libsvmFormat },
		"want split -format":    func(c *config) { c.pattern = dir + "/new/*" },
		"want split -format ro": func(c *config) { c.Features = -1 },
		"no such file":          func(c *config) { c.pattern = dir + "/none" },
		"at most 3":             func(c *config) { c.Features = 3 },
		"not a dir":             func(c *config) { c.to = dir + "/all.svm/x" },
	} {
		c := good
		change(&c)
		if err := split(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
