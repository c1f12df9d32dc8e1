package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// TestWordsStay: the features of words are 0 and 1, and numbers are standardized. --scale-words
// standardizes both.
func TestWordsStay(t *testing.T) {
	data := create(t, "t.csv", mushrooms(100))
	for flag, want := range map[string]string{
		"--seed=0":      "[0 0 0 0 0 0 0 ",
		"--scale-words": "[0.",
	} {
		f := mustRead(t, trained(t, data, "--label", "class", flag))
		if got := fmt.Sprint(f.Scaling.Mean); !strings.HasPrefix(got, want) || f.Scaling.Mean[7] == 0 || f.Scaling.Scale[7] == 1 || (f.Scaling.Scale[2] == 1) != (flag == "--seed=0") {
			t.Errorf("%s: means %v, scales %v of %q", flag, f.Scaling.Mean, f.Scaling.Scale, f.Schema.Names())
		}
	}
	if got := fails(t, "train", data, "--raw", "--scale-words"); got != "2 --scale-words cannot be used with --raw" {
		t.Error(got)
	}
	if f := mustRead(t, trained(t, create(t, "w.csv", "a,y\nu,no\nv,yes\nu,no\n"))); f.Scaling.Mean != nil {
		t.Errorf("words alone are scaled by %v", f.Scaling)
	}
}

// TestColumns: the report says what each column was taken as, and which numbers may be codes.
func TestColumns(t *testing.T) {
	text := "size,grade,binary,half,zip,colour,note,y\n"
	for i := range 30 {
		text += fmt.Sprintf("%d,%d,%d,%g,%d,%s,the note,%s\n", i*i%29, i%3, i%2, float64(i%3)/2, 10+i%10, []string{"red", "blue"}[i/3%2], []string{"no", "yes"}[i/2%2])
	}
	args := []string{"train", create(t, "t.csv", text), "--text", "note", "--hash", "3"}
	out := runs(t, args...)
	for _, want := range []string{
		"\nnumbers  5: \"size\", \"grade\", \"binary\", \"half\", \"zip\"\n",
		"\ncodes?   few whole numbers in \"grade\" (3), \"zip\" (10); read as numbers: --category reads them as words\n",
		"\nwords    \"colour\" (2); each is a feature of 0 and 1\n",
		"\ntext     \"note\"\n",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	var r report
	if err := json.Unmarshal([]byte(runs(t, append(args, "--json", "--category", "zip")...)), &r); err != nil || fmt.Sprint(r.Numbers, r.Codes, r.Words, r.Texts) != "[size grade binary half] map[grade:3] map[colour:2 zip:10] [note]" {
		t.Errorf("%+v, %v", r.Columns, err)
	}
}

// warnings returns the warnings of a training.
func warnings(t *testing.T, data string, args ...string) string {
	var r report
	if err := json.Unmarshal([]byte(runs(t, append([]string{"train", data, "--json"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return said(r.Warnings)
}

// TestBaseline: each accuracy stands beside that of the most frequent class, and is not below it
// without a warning.
func TestBaseline(t *testing.T) {
	if got := warnings(t, iris, "--holdout", "0.2"); got != "" {
		t.Error(got)
	}
	g := rand.New(rand.NewPCG(1, 1))
	noise := "a,b,y\n"
	for i := range 200 { // nothing to learn, and one of four rows is odd
		noise += fmt.Sprintf("%.4f,%.4f,%s\n", g.Float64(), g.Float64(), []string{"odd", "even", "even", "even"}[i%4])
	}
	data := create(t, "t.csv", noise)
	const want = "the accuracy is below that of the most frequent class alone, 0.7500: the model is worse than none"
	flags := []string{"--threshold", "-9"} // all rows are odd
	const never = `no row is predicted as class "even", though some have it`
	if got := warnings(t, data, flags...); got != want+"\n"+never {
		t.Error(got)
	}
	if out := runs(t, append([]string{"train", data}, flags...)...); !strings.Contains(out, "\nWARNING "+strings.Repeat(" ", 11)+want+"\n") || !strings.Contains(out, "; the most frequent class alone: 0.7500\n") {
		t.Errorf("printed\n%s", out)
	}
	model := trained(t, append([]string{data}, flags...)...)
	if e := evaluated(t, model, data); said(e.Warnings) != want+"\n"+never || e.Baseline != 0.75 || e.Accuracy != 0.25 {
		t.Errorf("%+v %q", e.Figures, e.Warnings)
	}
	var folds crossReport
	if err := json.Unmarshal([]byte(runs(t, "train", data, "--cv", "4", "--algorithm", "online", "--keep", "last", "--epochs", "1", "--json")), &folds); err != nil || math.Abs(folds.Baseline-0.75) > 0.01 || (len(folds.Warnings) > 0) != (folds.Mean < 0.75) {
		t.Errorf("%+v, %v", folds, err)
	}
}

// TestDecides: a column of which each value has one label is named, but not one that has it by
// chance, nor one that has it nearly.
func TestDecides(t *testing.T) {
	g := rand.New(rand.NewPCG(2, 1))
	table := func(rows int, code func(i, class int) string, share float64) string {
		text := "a,code,y\n"
		for i := range rows {
			class := map[bool]int{true: 1}[g.Float64() < share]
			text += fmt.Sprintf("%.6f,%s,%s\n", g.Float64(), code(i, class), []string{"no", "yes"}[class])
		}
		return create(t, "t.csv", text)
	}
	late := func(wrong int) func(i, class int) string {
		return func(i, class int) string {
			if i < wrong {
				return fmt.Sprint(1000 + i/2) // two rows of one value, which often differ
			}
			return fmt.Sprint(10*class + g.IntN(5))
		}
	}
	const want = `column "code" alone decides the label: on 100.0 % of the rows that share a value, each value has one label. If it is not known before the label, --drop "code" leaves it out`
	for name, c := range map[string]struct {
		data  string
		warns bool
	}{
		"a code":       {table(300, late(0), 0.5), true},
		"a code, long": {table(2500, late(0), 0.5), true},
		"nearly":       {table(300, late(40), 0.5), false},
		"nearly, long": {table(2500, late(400), 0.5), false},
		"an index":     {table(300, func(i, _ int) string { return fmt.Sprint(7 * (i * 37 % 300)) }, 0.5), false},
		"few pairs":    {table(300, func(i, class int) string { return fmt.Sprint(3*max(i, 8) + 1000*class*(1-min(1, i/8))) }, 0.5), false},
		"one label":    {table(400, func(i, _ int) string { return fmt.Sprint(3*(i/2) + i/100) }, 0.02), false},
	} {
		got := warnings(t, c.data, "--epochs", "1", "--keep", "average")
		if c.warns != strings.Contains(got, want) || !c.warns && strings.Contains(got, "decides") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestSeldom: a label of counts has many values, and most of them are rare.
func TestSeldom(t *testing.T) {
	text := "a,visits\n"
	for k := range 60 {
		for i := range max(4, 200-10*k) { // not so rare that a fifth of the mean refuses them
			text += fmt.Sprintf("%d,%d\n", i*i%17, k)
		}
	}
	data := create(t, "t.csv", text)
	if got := fails(t, "train", data); !strings.Contains(got, `column "visits" has 60 numbers that look measured or counted`) || !strings.Contains(got, `--category "visits" accepts it`) {
		t.Error(got)
	}
	trained(t, data, "--category", "visits", "--epochs", "1")
}

// TestOverflow: a number that is too large is an error of its row, after which predict goes on.
func TestOverflow(t *testing.T) {
	model := trained(t, create(t, "t.csv", "a,b,y\n-4,-5,no\n5,7,yes\n-2,-3,no\n6,6,yes\n"), "--raw", "--rate", "10")
	data := create(t, "n.csv", "a,b\n-3,-2\n1e999,2\n1,1e308\n6,6\n")
	var stdout, stderr strings.Builder
	err := run([]string{"predict", "-m", model, data}, &stdout, &stderr)
	if err == nil || status(err) != 1 || err.Error() != data+": 2 rows have no class: see above" || stdout.String() != "no\n\n\nyes\n" {
		t.Errorf("%v\n%q", err, stdout.String())
	}
	if got := stderr.String(); !strings.Contains(got, data+`:3:1: column "a": "1e999", want a finite number`) || !strings.Contains(got, data+":4:1: ") {
		t.Errorf("%q", got)
	}
	// Of a LIBSVM file, in both forms of rows.
	for _, width := range []int{2, 1000} {
		model := trained(t, create(t, "t.svm", fmt.Sprintf("-1 1:-4 2:-5\n1 1:5 %d:7\n-1 1:-2\n1 1:6 2:6\n", width)))
		svm := create(t, "n.svm", "0 1:-3 2:-2\n0 1:1 2:1e999\n0 1:6 2:6 # end\n")
		var stdout, stderr strings.Builder
		err := run([]string{"predict", "-m", model, svm}, &stdout, &stderr)
		if err == nil || status(err) != 1 || err.Error() != svm+": 1 row has no class: see above" || stdout.String() != "-1\n\n1\n" {
			t.Errorf("%v\n%q", err, stdout.String())
		}
		if got := stderr.String(); !strings.Contains(got, svm+`:2:9: value "1e999", want a finite number`) {
			t.Errorf("%q", got)
		}
		if got := fails(t, "predict", "-m", model, create(t, "n.svm", "0 1:x\n")); !strings.Contains(got, `:1:5: value "x", want a finite number`) {
			t.Error(got)
		}
	}
	if got := fails(t, "evaluate", "-m", model, create(t, "e.csv", "a,b,y\n1e999,2,no\n")); !strings.Contains(got, "want a finite number") {
		t.Error(got)
	}
}

// TestKept: a class of one row is trained on, whatever the seed, and evaluate holds out the same rows.
func TestKept(t *testing.T) {
	text := "a,y\n"
	for i := range 20 {
		text += fmt.Sprintf("%d,%s\n", i*i%7, []string{"no", "yes"}[i%2])
	}
	data := create(t, "t.csv", text+"3,rare\n")
	kept := 0
	for seed := range 8 {
		args := []string{"--holdout", "0.5", "--seed", fmt.Sprint(seed)}
		out := runs(t, append([]string{"train", data}, args...)...)
		model := trained(t, append([]string{data}, args...)...)
		f := mustRead(t, model)
		held := evaluated(t, model, data).PerClass[1].Rows
		if said := strings.Contains(strings.Join(strings.Fields(out), " "), `kept no row is held out of 1 of the classes, which have too few: "rare"`); said != (held == 0) {
			t.Errorf("printed\n%s", out)
		}
		if f.Data.Kept != nil {
			kept++
		}
		if e := evaluated(t, model, data); e.Rows != f.Data.HeldOut || e.PerClass[1].Class != "rare" || e.PerClass[1].Rows != 0 || f.Data.Rows+f.Data.HeldOut != 21 || len(f.Classes) != 3 {
			t.Errorf("%+v, %+v", e.Quality, f.Data)
		}
	}
	if kept == 0 || kept == 8 {
		t.Errorf("the row was kept with %d of 8 seeds", kept)
	}
}

// TestRare: a remark names classes without a row held out, and the report says of how many classes macro F1 is the
// mean. Flags that need rows of all classes return an error.
func TestRare(t *testing.T) {
	text := "x,z,y\n"
	for i, class := range strings.Split(strings.Repeat("a ", 30)+"b b b c c d", " ") {
		text += fmt.Sprintf("%d,%.2f,%s\n", int(class[0])*10+i%7, float64(i*i%13)/7, class)
	}
	data := create(t, "rare.csv", text)
	out := strings.Join(strings.Fields(runs(t, "train", data, "--holdout", "0.1", "--waves", "0")), " ")
	for _, want := range []string{`kept no row is held out of 3 of the classes, which have too few: "b", "c", "d"`, "rows held out: accuracy 1.0000, macro F1 1.0000 of 1 of 4 classes;", `all rows have class "a": the accuracy is its recall`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	for _, c := range []struct {
		flags string
		fails bool
	}{
		{"--holdout 0.1 --calibrate", true}, {"--holdout 0.1 --patience 3", true}, {"--cv 3 --calibrate -o M", false}, {"--holdout 0.5 --patience 3", false}, {"--holdout 0.1", false},
	} {
		args := strings.Fields(strings.ReplaceAll(c.flags, "M", filepath.Join(t.TempDir(), "m")))
		if !c.fails {
			runs(t, append([]string{"train", data, "--waves", "0"}, args...)...)
		} else if got := fails(t, append([]string{"train", data, "--waves", "0"}, args...)...); !strings.HasPrefix(got, "1 "+data+`: no row of class "b", "c", "d" is held out`) || !strings.Contains(got, "a class needs 10 rows with this --holdout") {
			t.Error(got)
		}
	}
	text = "x,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%.2f,%s\n", float64(i*i%31)/7+4*float64(i/58), []string{"no", "yes"}[i/58])
	}
	data = create(t, "two.csv", text)
	for _, flags := range []string{"--calibrate", "--threshold f1", "--patience 2"} {
		if got := fails(t, append([]string{"train", data, "--holdout", "0.1", "--waves", "0"}, strings.Fields(flags)...)...); !strings.Contains(got, `no row of class "yes" is held out`) {
			t.Error(got)
		}
	}
	// A class that is never predicted is said, and a file of one class is not called worse than nothing.
	model := trained(t, data, "--threshold", "99")
	if e := evaluated(t, model, data); said(e.Warnings) != `no row is predicted as class "yes", though some have it` || e.Occur != 2 {
		t.Errorf("%+v", e)
	}
	if e := evaluated(t, model, create(t, "one.csv", "x,y\n1,no\n7,no\n")); said(e.Warnings) != `all rows have class "no": the accuracy is its recall` || e.Occur != 1 {
		t.Errorf("%+v", e)
	}
	if e := evaluated(t, trained(t, data, "--threshold", "-99"), create(t, "one.csv", "x,y\n1,no\n7,no\n")); strings.Contains(said(e.Warnings), "worse than none") {
		t.Errorf("%+v", e)
	}
}
