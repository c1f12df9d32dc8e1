package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSorted: rows that each epoch reads from a file sorted by class cost more than .05 of accuracy, and a
// warning names the longest run. Shuffled rows, and rows in memory, warn of nothing.
func TestSorted(t *testing.T) {
	g := rand.New(rand.NewPCG(7, 1))
	var lines []string
	for i := range 3000 {
		class := i / 1000
		u, v := []float64{0, 1.5, 3}[class], []float64{0, 1.5, 0}[class]
		lines = append(lines, fmt.Sprintf("%.4f,%.4f,%c\n", u+g.NormFloat64(), v+g.NormFloat64(), 'a'+class))
	}
	sorted := create(t, "t.csv", "u,v,y\n"+strings.Join(lines, ""))
	g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	shuffled := create(t, "t.csv", "u,v,y\n"+strings.Join(lines, ""))
	accuracy := map[string]float64{}
	for _, c := range []struct{ name, data, memory, warning string }{
		{"sorted, from disk", sorted, "0", `where 1000 in a row have the class "a"`},
		{"sorted", sorted, "100", ""},
		{"shuffled, from disk", shuffled, "0", ""},
	} {
		var r report
		if err := json.Unmarshal([]byte(runs(t, "train", c.data, "--memory", c.memory, "--json")), &r); err != nil {
			t.Fatal(err)
		}
		if got := said(r.Warnings); !strings.Contains(got, c.warning) || (got == "") != (c.warning == "") {
			t.Errorf("%s: warns %q", c.name, got)
		}
		accuracy[c.name] = r.Training.Accuracy
	}
	if accuracy["sorted, from disk"] > accuracy["sorted"]-0.05 || accuracy["shuffled, from disk"] < accuracy["sorted"]-0.02 {
		t.Error(accuracy)
	}
	even := ""
	for i := range 400 { // a rare class gives long runs of the other one
		even += fmt.Sprintf("%d.5,%c\n", i%7, 'a'+max(0, 1-i%100))
	}
	if got := warnings(t, create(t, "e.csv", even), "--memory", "0"); strings.Contains(got, "in a row") {
		t.Error(got)
	}
}
