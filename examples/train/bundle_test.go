package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileColumns: a damaged file beside the model is rejected.
func TestHostileColumns(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.bin")
	runs(t, "-data", iris, "-model", "onevsrest", "-standardise", "-save", model)
	good := read(t, beside(model))
	for _, c := range [][3]string{
		{`"model": "`, `"model": "0`, "it describes a different model from the one in "},
		{`"features": 4`, `"features": 5`, "5 features with 4 names, 4 means and 4 scales"},
		{`"features": 4`, `"features": -4`, "-4 features with "},
		{`"csv"`, `"xml"`, `format "xml", want csv or libsvm`},
		{`"seed"`, `"seeds"`, `json: unknown field "seeds"`},
		{`"holdout": 0`, `"holdout": 1`, "holdout 1, want at least 0 and less than 1"},
		{`"scale": [`, `"scale": [0,`, "4 features with 4 names, 4 means and 5 scales"},
		{`"scale": [` + "\n\t\t0", `"scale": [` + "\n\t\t-0", "scale -0."},
		{`"scale": [` + "\n\t\t0.8", `"scale": [` + "\n\t\t0e", "scale 0, want positive numbers"},
		{`"mean": [` + "\n\t\t5.", `"mean": [` + "\n\t\t1e999", "json: cannot unmarshal number 1e999"},
		{"\t\t2\n", "\t\t1\n", "labels [0 1 1] for 3 classes, want one label for each class, ascending"},
		{"\t\t2\n", "\t\t3\n", "labels [0 1 3], but the model has [0 1 2]"},
		{`"setosa",`, ``, "labels [0 1 2] for 2 classes, want one label for each class, ascending"},
		{"}", "", "unexpected EOF"},
	} {
		text := strings.Replace(good, c[0], c[1], 1)
		if text == good {
			t.Fatalf("no %q in\n%s", c[0], good)
		}
		if err := write(beside(model), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, want := fails(t, "-data", iris, "-load", model), beside(model)+": "+c[2]; !strings.HasPrefix(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	runs(t, "-data", iris, "-model", "onevsrest", "-save", model)
	m, c, err := restore(model)
	if err != nil {
		t.Fatal(err)
	}
	c.Features, c.Names = 5, nil
	if err := save(model, m, c); err != nil {
		t.Fatal(err)
	}
	if got, want := fails(t, "-data", iris, "-load", model), beside(model)+": perceptron: dimension mismatch: "; !strings.HasPrefix(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
