package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// wide writes rows with few features that are not 0, as a table and as a LIBSVM file. It also
// returns the rows.
func wide(t testing.TB, n int) (csv, svm string, X [][]float64) {
	t.Helper()
	const features = 30
	r := rand.New(rand.NewPCG(3, 4))
	var dense, sparse strings.Builder
	for range n {
		x, sum := make([]float64, features), 0.3*r.NormFloat64()
		for range 4 {
			j := r.IntN(features)
			x[j] = math.Round(64*r.NormFloat64()) / 16
			sum += x[j] * math.Sin(float64(j))
		}
		label := 0
		if sum > 0 {
			label = 1
		}
		fmt.Fprint(&sparse, label)
		for j, v := range x {
			fmt.Fprintf(&dense, "%v,", v)
			if v != 0 {
				fmt.Fprintf(&sparse, " %d:%v", j+1, v)
			}
		}
		fmt.Fprintln(&dense, label)
		fmt.Fprintln(&sparse)
		X = append(X, x)
	}
	return create(t, "wide.csv", dense.String()), create(t, "wide.svm", sparse.String()), X
}

// TestSparseAgrees: unscaled, sparse rows give the same bits as their dense ones, whatever the
// model, in memory or not.
func TestSparseAgrees(t *testing.T) {
	csv, svm, _ := wide(t, 300)
	for _, flags := range []string{"", "--keep last", "--keep pocket", "--algorithm margin", "--algorithm multiclass", "--algorithm onevsrest --rule margin", "--order sampled --seed 4", "--memory 0", "--holdout 0.2 --patience 3", "--holdout 0.2 --patience 3 --refit", "--holdout 0.3 --threshold 0.5"} {
		args := strings.Fields(flags + " --waves 0 --raw --header no")
		dense, sparse := trained(t, append(args, csv)...), trained(t, append(args[:len(args)-2], svm)...)
		if f := mustRead(t, sparse); !f.Schema.Sparse || f.Scaling.Scale != nil {
			t.Errorf("%q: the model is not sparse, or scaled", flags)
		}
		if got, want := runs(t, "export", "-m", sparse), runs(t, "export", "-m", dense); got != want {
			t.Errorf("%q: the planes differ", flags)
		}
		got, want := evaluated(t, sparse, svm, "--all"), evaluated(t, dense, csv, "--all")
		if got.Accuracy != want.Accuracy || got.MacroF1 != want.MacroF1 || got.Rows != 300 {
			t.Errorf("%q: accuracy %v, want %v", flags, got.Accuracy, want.Accuracy)
		}
		if runs(t, "predict", "-m", sparse, svm) != runs(t, "predict", "-m", dense, csv) {
			t.Errorf("%q: predictions differ", flags)
		}
	}
	// The rule batch reads dense rows, so that the features are centred, too.
	if runs(t, "export", "-m", trained(t, svm, "--algorithm", "batch")) != runs(t, "export", "-m", trained(t, csv, "--header", "no", "--algorithm", "batch")) {
		t.Error("the planes of batch differ")
	}
	if got, want := runs(t, "train", svm, "--raw", "--cv", "4"), runs(t, "train", csv, "--header", "no", "--raw", "--cv", "4", "--waves", "0"); !strings.Contains(want, "accuracy") || strings.SplitAfterN(got, "\n", 2)[1] != strings.SplitAfterN(want, "\n", 2)[1] {
		t.Errorf("folds:\n%s\n%s", got, want)
	}
	more := trained(t, svm, "--epochs", "3", "--keep", "last", "--order", "cyclic")
	runs(t, "train", svm, "-m", more, "-o", more, "--epochs", "2")
	if runs(t, "export", "-m", more) != runs(t, "export", "-m", trained(t, svm, "--epochs", "5", "--keep", "last", "--order", "cyclic")) {
		t.Error("a continued training is another one")
	}
}

// TestSparseScaling: sparse features are divided by their deviations, and not centred.
func TestSparseScaling(t *testing.T) {
	_, svm, X := wide(t, 200)
	model := trained(t, svm)
	f := mustRead(t, model)
	for j := range X[0] {
		mean, s := 0.0, 0.0
		for _, x := range X {
			mean += x[j] / float64(len(X))
		}
		for _, x := range X {
			s += (x[j] - mean) * (x[j] - mean) / float64(len(X))
		}
		if f.Scaling.Mean[j] != 0 || math.Abs(f.Scaling.Scale[j]/math.Sqrt(s)-1) > 1e-12 {
			t.Errorf("feature %d: %v and %v, want 0 and %v", j, f.Scaling.Mean[j], f.Scaling.Scale[j], math.Sqrt(s))
		}
	}
	for want, args := range map[string][]string{
		"features           30, sparse, scaled to deviation 1\n": {"train", svm},
		"features           30, sparse\n":                        {"train", svm, "--raw"},
		"features        30 from 1 column, sparse, scaled to":    {"inspect", "-m", model},
	} {
		if !strings.Contains(runs(t, args...), want) {
			t.Errorf("%q: no %q", args, want)
		}
	}
	// separate needs all features, and so do the dense rows of a file without zeros.
	if out := runs(t, "separate", svm); !strings.Contains(out, ": 200 rows of 30 features") {
		t.Error(out)
	}
	// With too many features for that, it separates sparse rows, and may end early.
	var wide strings.Builder
	for i := range 200 {
		fmt.Fprintf(&wide, "%d %d:1 %d:2 %d:1\n", i%2, 1+i%2, 10+7*i, 3000-i)
	}
	file := create(t, "wide.svm", wide.String())
	for flags, want := range map[string]string{
		"":                        ": 200 rows of 3000 features; +1 is \"1\"",
		"--time 1m":               "mistakes, in any order\nThis is true of the numbers as float64.\n",
		"--within 0.5":            "All of these statements were checked in exact arithmetic.",
		"--within 0.5 --time 1ns": "the margin γ is in [",
	} {
		if out := runs(t, append([]string{"separate", file}, strings.Fields(flags)...)...); !strings.Contains(out, want) {
			t.Errorf("%q: %s", flags, out)
		}
	}
	if f := mustRead(t, trained(t, create(t, "full.svm", "0 1:1 2:2\n1 1:3 2:5\n0 1:2 2:2\n"))); f.Schema.Sparse || f.Scaling.Mean[0] != 2 {
		t.Errorf("%+v %+v", f.Schema, f.Scaling)
	}
}

// TestSparseMeans: with many words, a table is sparse. Its missing values are replaced by means
// over the rows that have one.
func TestSparseMeans(t *testing.T) {
	var text strings.Builder
	text.WriteString("n,word,y\n")
	for i := range 2400 {
		n := fmt.Sprint(i % 7)
		if i%5 == 0 {
			n = "NA"
		}
		word := fmt.Sprintf("w%d", i%950)
		if i%11 == 0 {
			word = ""
		}
		fmt.Fprintf(&text, "%s,%s,%d\n", n, word, i%950%2)
	}
	table := strings.ReplaceAll(text.String(), "word", "a")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for i, line := range lines { // two columns of words, because one has at most 1,000
		word := strings.Split(line, ",")[1]
		lines[i] = line[:len(line)-1] + strings.Replace(word, "w", "v", 1) + "," + line[len(line)-1:]
	}
	lines[0] = "n,a,b,y"
	data := create(t, "t.csv", strings.Join(lines, "\n")+"\n")
	f := mustRead(t, trained(t, data, "--missing", "mean"))
	if !f.Schema.Sparse || f.Schema.Features() != 1901 {
		t.Fatalf("%d features, sparse %v", f.Schema.Features(), f.Schema.Sparse)
	}
	sum, n, zero, filled := 0.0, 0.0, 0.0, 0.0
	for i := range 2400 {
		if i%5 != 0 {
			sum, n = sum+float64(i%7), n+1
		}
		if i%11 != 0 {
			filled++
			if i%950 == 0 {
				zero++
			}
		}
	}
	if math.Abs(f.Fill[0]-sum/n) > 1e-12 || math.Abs(f.Fill[1]-zero/filled) > 1e-12 {
		t.Errorf("filled with %v and %v, want %v and %v", f.Fill[0], f.Fill[1], sum/n, zero/filled)
	}
}

// TestWideRefused: what is refused of dense rows is refused of sparse ones and of text.
func TestWideRefused(t *testing.T) {
	_, svm, _ := wide(t, 100)
	text := messages(t, 100)
	sparse, hashed := trained(t, svm), trained(t, text, "--text", "message", "--hash", "10")
	head := "n,channel,message,kind\n"
	file := func(rows string) string { return create(t, "t.csv", rows) }
	var measured, rare strings.Builder
	for i := range 100 {
		fmt.Fprintf(&measured, "%d.5 %d:1\n", i, i+1)
		fmt.Fprintf(&rare, "%d %d:1\n", i*i, i+1)
	}
	wrong := file(strings.ReplaceAll(read(t, text), "message", "body"))
	for _, c := range []struct{ line, want string }{
		// missing label
		{"train " + file(head+"1,web,a b,\n2,app,c,ham\n") + " --text message", `:2:11: the label is missing; train with --missing drop, which leaves out the row`},
		{"evaluate -m HASHED " + file(head+"1,web,a b,\n"), `:2:11: the label is missing; train with --missing drop, which leaves out the row`},
		{"train " + create(t, "t.svm", "1 1:1\n9:3\n"), `t.svm:2:1: label "9:3", want an integer`},
		{"evaluate -m SPARSE " + create(t, "t.svm", "1:1\n"), `t.svm:1:1: label "1:1", want an integer`},
		{"train " + file(head+"1,web,a b,spam\n,web,a b,ham\n") + " --text message", `the value is missing; train with --missing mean`},
		// unknown word, class or feature
		{"predict --strict -m HASHED " + file(head+"1,post,a b,ham\n"), `column "channel": "post" does not occur in the training file`},
		{"evaluate -m HASHED " + file(head+"1,web,a b,eggs\n"), `class "eggs" is not among the model's "ham", "spam"`},
		{"evaluate -m SPARSE " + create(t, "t.svm", "7 1:1\n"), `class "7" is not among the model's "0", "1"`},
		{"predict --strict -m SPARSE " + create(t, "t.svm", "1 31:1\n"), `t.svm:1:3: index 31, want at most 30, the number of features`},
		// wrong header or form
		{"predict -m HASHED " + wrong, `no column "message"; the columns are "n", "channel", "body", "kind"`},
		{"train -m HASHED " + wrong, `no column "message"`},
		{"evaluate -m HASHED " + wrong, `no column "message"`},
		{"evaluate -m SPARSE " + text, `no column "x"; the columns are`},
		{"predict -m SPARSE " + text, `no column "x"; the columns are`},
		{"predict -m HASHED " + svm, `the model has columns of words, which a LIBSVM file cannot have`},
		{"train " + svm + " --text x1", `--text, --missing, --na and --word do not apply`},
		{"train " + text + " --text body", `no column "body"`},
		{"train " + text + " --text kind", `--text "kind" is the label, or another flag leaves it out`},
		{"train " + text + " --text message --drop message", `--text "message" is the label, or another flag leaves it out`},
		{"train " + text + " --text message --category message", `--text "message" is the label, or another flag leaves it out`},
		// measured label
		{"train " + create(t, "m.svm", measured.String()), `label "0.5", want an integer`},
		{"train " + create(t, "r.svm", rare.String()), `has 100 numbers that look measured or counted`},
		{"train " + file(strings.ReplaceAll(measuredText(), "y", "kind")) + " --text message", `has 60 numbers that look measured or counted`},
		// outputs
		{"train " + svm + " -o " + svm, "is the input: it would be replaced"},
		{"train " + text + " --text message -o " + text, "is the input: it would be replaced"},
		{"train " + svm + " --curves " + text, "exists and was not written by this program"},
		{"export -m HASHED -o " + text, "exists and was not written by this program"},
		{"export -m SPARSE -o SPARSE", "is the input: it would be replaced"},
		{"train " + svm + " -o " + text, "exists and was not written by this program"},
		{"train " + text + " --text message -o " + svm, "exists and was not written by this program"},
		{"train " + text + " --text message --curves " + svm, "exists and was not written by this program"},
		{"train " + svm + " --curves " + svm, "is the input: it would be replaced"},
		{"train " + svm + " -o NEW --curves NEW", "-o and --curves are both"},
		// flags
		{"train " + text + " --hash 12", "2 --hash cannot be used with no --text"},
		{"train " + text + " --text message --hash 25", "2 --ngrams is [1 2], --hash 25: want ascending numbers from 1 to 5, and 1 to 24"},
		{"train " + text + " --text message --hash 0", "2 --ngrams is"},
		{"train " + text + " --text message --ngrams 2,1", "2 --ngrams is"},
		{"train " + text + " --text message --ngrams 0,1", "2 --ngrams is"},
		{"train " + text + " --text message --ngrams 6", "2 --ngrams is"},
		{"train " + text + " --text message -m HASHED", "2 --text cannot be used with -m"},
		{"train " + text + " --text message --memory 0 --order sampled", "this needs the rows in memory, but they take"},
	} {
		line := strings.NewReplacer("HASHED", hashed, "SPARSE", sparse, "NEW", sparse+".new").Replace(c.line)
		if got := fails(t, strings.Fields(line)...); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s, want\n%s", line, got, c.want)
		}
	}
}

// measuredText is a table of text whose label is measured.
func measuredText() string {
	var text strings.Builder
	text.WriteString("message,y\n")
	for i := range 60 {
		fmt.Fprintf(&text, "text %d,%d.25\n", i, i)
	}
	return text.String()
}

// TestWideServed: a row of a LIBSVM file is the text of its line, and a text may not be missing.
func TestWideServed(t *testing.T) {
	_, svm, _ := wide(t, 100)
	for _, c := range []struct {
		args, row, want string
	}{
		{svm, `{"x":"1:2 30:-0.5"}`, `{"class":`},
		{svm, `[""]`, `{"class":`},
		{svm, `{"x":"31:2"}`, `column \"x\": index 31, want at most 30, the number of features`},
		{svm, `{"x":"2:1 1:1"}`, `column \"x\": index 1 after 2, want ascending indices`},
		{svm, `{"x":null}`, `column \"x\": \"\": the value is missing`},
		{messages(t, 50) + " --text message --hash 10 --drop n", `{"channel":"web","message":""}`, `{"class":`},
		{messages(t, 50) + " --text message --hash 10 --drop n", `{"channel":"web"}`, `column \"message\": \"\": the value is missing`},
		{messages(t, 50) + " --text message --hash 10 --drop n", `{"channel":"post","message":""}`, `does not occur in the training file`},
		{messages(t, 50) + " --text message --hash 10 --drop n --missing drop", `{"channel":"web"}`, `{"class":null}`},
		{messages(t, 50) + " --text message --hash 10 --drop n --missing mean", `{"channel":"web"}`, `{"class":"`},
	} {
		_, url, _ := served(t, trained(t, strings.Fields(c.args)...))
		var answer json.RawMessage
		if _, err := send(url+"/predict", map[string]any{"row": json.RawMessage(c.row)}, &answer); err != nil || !strings.Contains(string(answer), c.want) {
			t.Errorf("%s: %s: %s, want %s", c.args, c.row, answer, c.want)
		}
	}
}

// TestWideHostile: a model file that another program wrote is refused, whatever its columns say.
func TestWideHostile(t *testing.T) {
	_, svm, _ := wide(t, 50)
	model := trained(t, svm)
	for want, change := range map[string]func(f *modelfile.File){
		"features that cannot be": func(f *modelfile.File) { f.Schema.Columns[0].Indexed = -1 },
		"features that cannot b":  func(f *modelfile.File) { f.Schema.Columns[0].Text = &table.Hash{Ngrams: []int{1}, Bits: 63} },
		"features that cannot ":   func(f *modelfile.File) { f.Schema.Columns[0].Text = &table.Hash{Bits: 3} },
		"features that cannot":    func(f *modelfile.File) { f.Schema.Columns[0].Indexed = 1 << 25 },
		"31 features, but the":    func(f *modelfile.File) { f.Schema.Columns[0].Indexed++; f.Scaling.Scale = nil; f.Scaling.Mean = nil },
		"their means are not 0":   func(f *modelfile.File) { f.Scaling.Mean[3] = 1 },
	} {
		f := mustRead(t, model)
		change(f)
		path := filepath.Join(t.TempDir(), "m")
		if err := f.Write(path); err != nil {
			t.Fatal(err)
		}
		if _, err := modelfile.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
