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
	for _, features := range []string{"0", "4"} {
		if err := split(t.Context(), []string{"-format", "rows", "-shards", "3", "-features", features, dir + "/all.svm", dir + "/new/part"}); err != nil {
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
	for want, args := range map[string][]string{
		"usage":         {"-shards", "0", dir + "/all.svm", dir + "/x"},
		"usage: beam":   {dir + "/all.svm"},
		"usage: beam ":  {"-format", "libsvm", dir + "/all.svm", dir + "/x"},
		"usage: beam s": {dir + "/new/*", dir + "/x"},
		"no such file":  {dir + "/none", dir + "/x"},
		"at most 3":     {"-features", "3", dir + "/all.svm", dir + "/x"},
		"not a dir":     {dir + "/all.svm", dir + "/all.svm/x"},
	} {
		if err := split(t.Context(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
}
