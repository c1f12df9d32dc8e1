package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/split"
	"perceptron/cmd/perceptron/internal/table"
)

// surveyed returns the dataset of a text.
func surveyed(t *testing.T, text string, c table.Choice) *Dataset {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := table.Open(file, table.Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	d, err := New(src, c)
	if err == nil {
		err = d.Survey(true)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Model = new(perceptron.Online)
	return d
}

// TestChanged: a file that changes between two passes is reported.
func TestChanged(t *testing.T) {
	d := surveyed(t, "a,y\n1,no\n2.5,yes\n3,no\n4,yes\n", table.Choice{})
	d.Rows[split.Training]++
	const want = ": the file has changed since it was first read"
	if err := d.Load(); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Error(err)
	}
	d.Loaded = false // read the file again in each epoch
	var failed error
	n := 0
	for range d.Examples(split.Training, &failed) {
		n++
	}
	if failed == nil || !strings.HasSuffix(failed.Error(), want) || n != 4 {
		t.Error(n, failed)
	}
}

// TestLacks: each row that is left out counts for its first column without a value; one without a label, for the label.
func TestLacks(t *testing.T) {
	d := surveyed(t, "a,w,b,y\n1,p,1.5,no\n2.5,q,2,yes\n,q,,yes\n3,p,,no\n4,p,3,\n,q,4,\n5,,5,no\n6,q,7,yes\n", table.Choice{Missing: table.MissingDrop})
	if got := fmt.Sprint(d.Lacks, d.LeftOut, d.Rows); got != "map[a:1 b:1 w:1 y:2] 5 [3 0]" {
		t.Error(got)
	}
}

// TestAlive: a pass over many rows ends with the error of Alive.
func TestAlive(t *testing.T) {
	d := surveyed(t, "a,y\n"+strings.Repeat("1,no\n2.5,yes\n", 2*block), table.Choice{})
	d.Alive = func() error { return os.ErrDeadlineExceeded }
	if err := d.Load(); err != os.ErrDeadlineExceeded {
		t.Error(err)
	}
}
