package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perceptron"
)

// TestNewIndexes: models of dense and sparse rows ignore and count indexes above those of the training file, like
// words that training did not see. --strict refuses them.
func TestNewIndexes(t *testing.T) {
	dense, sparse, zero := "", "", ""
	for i := range 40 {
		dense += fmt.Sprintf("%d 1:%d 2:%d\n", i%2, 5*(i%2)+i%3, i%5)
		sparse += fmt.Sprintf("%d qid:%d %d:1 40:%d # row\n", i%2, i, 1+i%2+2*(i%9), i%3)
		zero += fmt.Sprintf("%+d.0 0:%d 1:%d\n", i%2, 5*(i%2)+i%3, i%5)
	}
	for _, c := range []struct{ train, known, more, above string }{
		{dense, "1 1:5 2:1\n0 1:1\n1 1:6\n", "1 1:5 2:1 7:3\n0 1:1\n1 1:6 3:1 4:0\n", "2"},
		{sparse, "1 2:1\n0 1:1\n1\n", "1 2:1 41:1\n0 1:1\n1 9999:1\n", "40"},
		{zero, "1 0:5 1:1\n0 0:1\n1 0:6\n", "1 0:5 1:1 2:3\n0 0:1\n1 0:6 7:1\n", "1"},
	} {
		model := ""
		if data := create(t, "t.svm", c.train); c.train != zero {
			model = trained(t, data)
		} else { // which says on standard error that the indices count from 0
			model = data + ".model"
			if err := run([]string{"train", data, "-o", model}, new(strings.Builder), new(strings.Builder)); err != nil {
				t.Fatal(err)
			}
		}
		known, more := create(t, "known.svm", c.known), create(t, "more.svm", c.more)
		var out, remark strings.Builder
		if err := run([]string{"predict", "-m", model, more}, &out, &remark); err != nil || out.String() != runs(t, "predict", "-m", model, known) {
			t.Errorf("%s: %v", out.String(), err)
		}
		if want := "perceptron: 2 rows with an index above " + c.above + ", which training did not see"; !strings.HasPrefix(remark.String(), want) {
			t.Errorf("says %q, want %q", remark.String(), want)
		}
		if got, want := evaluated(t, model, more), evaluated(t, model, known); got.UnseenRows != 2 || got.Accuracy != want.Accuracy {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := fails(t, "evaluate", "-m", model, more, "--strict"); !strings.Contains(got, "more.svm:1:") || !strings.Contains(got, "want at most "+c.above) {
			t.Error(got)
		}
		if got, want := trained(t, "-m", model, more), trained(t, "-m", model, known); runs(t, "export", "-m", got) != runs(t, "export", "-m", want) {
			t.Error("continued trainings differ")
		}
	}
}

// TestLargeValues: values to the largest float64 train if the library's Standardize accepts them, to its scales.
func TestLargeValues(t *testing.T) {
	for _, top := range []float64{1e154, 1.79769313486e308, math.MaxFloat64 / 2} {
		X, svm, csv := [][]float64{}, "", "u,v,y\n"
		for i, v := range []float64{top, 5, top / 2, 7, top, -3} {
			X = append(X, []float64{v, float64(i * i)})
			svm += fmt.Sprintf("%d 1:%v 2:%d\n", i%2, v, i*i)
			csv += fmt.Sprintf("%v,%d,%d\n", v, i*i, i%2)
		}
		want, err := perceptron.Standardize(X)
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range []string{create(t, "t.svm", svm), create(t, "t.csv", csv)} {
			got := mustRead(t, trained(t, data)).Scaling
			near := func(a, b float64) bool { return math.Abs(a/b-1) < 1e-12 }
			if !slices.EqualFunc(got.Scale, want.Scale, near) || !slices.EqualFunc(got.Mean, want.Mean, near) {
				t.Errorf("%v: %v, want %v", top, got, want)
			}
		}
	}
}

// TestBlame: an error of the library has the file and the line, once, and advice has no flag that does not apply.
func TestBlame(t *testing.T) {
	const rows = "# the first line\n1 1:1.7e308 2:1e308\n0 1:5 2:1\n1 1:1.7e308 2:9e307\n0 1:7 2:2\n"
	svm, csv := create(t, "t.svm", rows), create(t, "t.csv", "u,v,y\n\n1.7e308,1e308,1\n5,1,0\n1.7e308,9e307,1\n7,2,0\n")
	for _, data := range []string{svm, csv} {
		for _, line := range []string{"train --raw", "train --raw --memory 0", "train --raw --cv 2", "train --raw --holdout 0.5 --patience 2 --order cyclic", "log -o NEW"} {
			args := append(strings.Fields(strings.ReplaceAll(line, "NEW", data+".v")), data)
			got := fails(t, args...)
			if !strings.HasPrefix(got, "1 "+data+":") || strings.Count(got, data) != 1 || !strings.Contains(got, "not finite") || strings.Contains(got, "example") || strings.Contains(got, "--drop") {
				t.Errorf("%s: %s", line, got)
			}
		}
	}
	cmd := child(t, "train", "--raw", svm)
	if out, err := cmd.CombinedOutput(); err == nil || strings.Count(string(out), "perceptron: ") != 1 || !strings.Contains(string(out), "t.svm:4:1: not finite") {
		t.Errorf("%s, %v", out, err)
	}
	many := ""
	for i := range 60 {
		many += fmt.Sprintf("%d 1:1\n", 7*i)
	}
	if got := fails(t, "train", create(t, "t.svm", many)); !strings.Contains(got, `is it the label's column? --category "label" accepts it`) || strings.Contains(got, "--label") {
		t.Error(got)
	}
}
