package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/pipeline"
)

// TestPipelineLIBSVM: the package reads rows of LIBSVM, sparse and dense, as predict does.
func TestPipelineLIBSVM(t *testing.T) {
	_, svm, X := wide(t, 100)
	lines := strings.Split(strings.TrimSpace(read(t, svm)), "\n")
	for _, flags := range []string{"", "--algorithm batch"} {
		model := trained(t, append(strings.Fields(flags), svm)...)
		p := load(t, model)
		for i, line := range strings.Split(strings.TrimSpace(runs(t, "predict", "-m", model, svm, "--scores")), "\n")[1:] {
			_, pairs, _ := strings.Cut(lines[i], " ")
			record := []string{pairs}
			if len(p.Columns()) > 1 {
				record = nil
				for _, v := range X[i] {
					record = append(record, fmt.Sprint(v))
				}
			}
			class, err := p.PredictRecord(record)
			scores, also := p.Scores(nil, record)
			if err != nil || also != nil || fmt.Sprintf("%s,%v", class, scores[0]) != line {
				t.Errorf("%q: %s %v, want %s; %v, %v", flags, class, scores, line, err, also)
			}
		}
	}
}

// TestPipelineErrors: a bad row has the error of predict without its position.
func TestPipelineErrors(t *testing.T) {
	rows := "age,plan,note,kind\n31,basic,a b,no\n45,pro,c d,yes\n29,basic,a d,no\n50,pro,c b,yes\n"
	data := create(t, "t.csv", rows)
	strict := trained(t, data, "--text", "note", "--hash", "8")
	number := trained(t, data, "--columns", "age", "--na", "-", "--raw")
	_, svm, _ := wide(t, 60)
	sparse := trained(t, svm)
	for _, c := range []struct {
		model, head, row string
		flags            []string
	}{
		{strict, "age,plan,note", "x,basic,a", nil},
		{strict, "age,plan,note", ",basic,a", nil},
		{strict, "age,plan,note", "31,NA,a", nil},
		{strict, "age,plan,note", "31,gold,a", []string{"--strict"}},
		{strict, "age,plan,note", "\"31,5\",pro,a", nil},
		{strict, "age,plan,note", "31,pro,a\xff", nil},
		{strict, "plan,age", "pro,3", nil},
		{number, "age", "-", nil},
		{number, "age", "1e999", nil},
		{number, "age", "0x1p4", nil},
		{number, "age", "1.7e308", nil},
		{sparse, "x", "3:0.5 x:1", nil},
		{sparse, "x", "99:1", []string{"--strict"}},
		{sparse, "x", "3:1e999", nil},
	} {
		file := create(t, "n.csv", c.head+"\n"+c.row+"\n")
		var stdout, stderr strings.Builder
		err := run(append([]string{"predict", "-m", c.model, file}, c.flags...), &stdout, &stderr)
		if err == nil {
			t.Fatalf("%s: predict prints %s", c.row, stdout.String())
		}
		p := load(t, c.model)
		if c.flags != nil {
			p = p.Strict()
		}
		record, bad := csv.NewReader(strings.NewReader(c.row)).Read()
		if bad != nil {
			t.Fatal(bad)
		}
		_, got := p.Predict(named(strings.Split(c.head, ","), record))
		want := err.Error()
		if strings.HasSuffix(want, "no class: see above") { // predict goes on after such a row
			want, _, _ = strings.Cut(strings.TrimPrefix(stderr.String(), "perceptron: "), "\n")
		}
		for range 3 {
			_, want, _ = strings.Cut(want, ":") // file, line and column
		}
		if strings.HasPrefix(want, " no column") { // predict lists the columns in their order
			want = ` no column "note"; the columns are "age", "plan"`
		}
		// The errors of the library begin with its name, which the command need not print.
		if got == nil || " "+strings.TrimPrefix(got.Error(), "perceptron: ") != strings.Replace(want, " perceptron: ", " ", 1) {
			t.Errorf("%s:\n%v, want\n%s", c.row, got, want)
		}
	}
	p := load(t, number)
	for _, record := range [][]string{nil, {"1", "2"}} {
		if _, err := p.PredictRecord(record); err == nil || err.Error() != fmt.Sprintf("%s, but the model has 1 column", map[int]string{0: "0 values", 2: "2 values"}[len(record)]) {
			t.Error(err)
		}
	}
	if _, err := p.Probabilities(nil, []string{"3"}); err != pipeline.ErrUncalibrated {
		t.Error(err)
	}
}

// TestPipelineExplain: the effects name what decided, and differ between rows as the leads do.
func TestPipelineExplain(t *testing.T) {
	for seed := range uint64(12) {
		rows, others, flags := anyTable(seed)
		p := load(t, trained(t, append(flags, create(t, "t.csv", asCSV(t, rows)), "--label", "kind", "--epochs", "5")...))
		rest := map[string]float64{} // of a pair of classes: what is the same for every row
		for _, row := range others[1:] {
			record, err := p.Record(named(others[0], row))
			class, also := p.PredictRecord(record)
			scores, bad := p.Scores(nil, record)
			reasons, odd := p.Explain(record)
			if err = errors.Join(err, also, bad, odd); err != nil {
				t.Fatal(err)
			}
			if class == "" {
				if reasons != nil {
					t.Errorf("%q: %v", row, reasons)
				}
				continue
			}
			pair, lead := class, scores[0]
			if len(scores) > 1 {
				k := slices.Index(p.Classes(), class)
				lead = scores[k]
				scores[k] = math.Inf(-1)
				next := slices.Index(scores, slices.Max(scores))
				pair, lead = class+p.Classes()[next], lead-scores[next]
			} else if class == p.Classes()[0] {
				lead = -lead
			}
			sum, last := 0.0, math.Inf(1)
			for _, r := range reasons {
				if math.Abs(r.Effect) > last || r.Effect == 0 || r.Value == "" && !slices.Contains(row, "") {
					t.Errorf("%q: %+v", row, reasons)
				}
				last = math.Abs(r.Effect)
				sum += r.Effect
			}
			if _, ok := rest[pair]; !ok {
				rest[pair] = lead - sum
			}
			if math.Abs(rest[pair]-(lead-sum)) > 1e-9*(1+math.Abs(lead)+math.Abs(rest[pair])) {
				t.Errorf("table %d, %q: %+v add up to %v of %v, want %v less", seed, row, reasons, sum, lead, rest[pair])
			}
		}
	}
}
