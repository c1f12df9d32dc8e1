package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goods returns rows of two numbers and two columns of words, with missing values and the letters
// that languages escape.
func goods(rows int, seed uint64, words []string) string {
	g := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	out := csv.NewWriter(&text)
	_ = out.Write([]string{`size "cm"`, "2nd; price", "colour's", "kind", "class"})
	for range rows {
		size, price, colour, kind := g.NormFloat64(), 1000+300*g.NormFloat64(), g.IntN(len(words)), g.IntN(2)
		score := size + (price-1000)/300 + float64(colour%3) - float64(kind) + g.NormFloat64()/2
		row := []string{fmt.Sprintf("%.6g", size), fmt.Sprintf("%.7g", price), words[colour], []string{"new", "old"}[kind], []string{`it's "low"`, "mid\\dle", "höch"}[min(2, max(0, int(score+0.5)))]}
		if j := g.IntN(20); j < 4 {
			row[j] = ""
		}
		_ = out.Write(row)
	}
	out.Flush()
	return text.String()
}

// drivers call the exported function with each row of rows.json, and print a class in each line.
var drivers = map[string]func(dir, function string, rows [][]string) (*exec.Cmd, error){
	"go": func(dir, function string, rows [][]string) (*exec.Cmd, error) {
		calls := "package model\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\t\"testing\"\n)\n\nvar nan = math.NaN()\n\nfunc TestAll(t *testing.T) {\n"
		for _, r := range rows {
			calls += fmt.Sprintf("\tfmt.Println(Predict(%s, %s, %q, %q))\n", orElse(r[0], "nan"), orElse(r[1], "nan"), r[2], r[3])
		}
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module model\n"), 0o600)
		os.WriteFile(filepath.Join(dir, "all_test.go"), []byte(calls+"}\n"), 0o600)
		cmd := exec.Command("go", "test", "-v", ".")
		return cmd, os.WriteFile(filepath.Join(dir, "model.go"), []byte(function), 0o600)
	},
	"c": func(dir, function string, rows [][]string) (*exec.Cmd, error) {
		calls := function + "\n#include <stdio.h>\nint main(void) {\n\tint k;\n"
		word := func(s string) string {
			if s == "" {
				return "NULL"
			}
			return strconv.QuoteToASCII(s)
		}
		for _, r := range rows {
			calls += fmt.Sprintf("\tk = predict(%s, %s, %s, %s); puts(k < 0 ? \"\" : names[k]);\n", orElse(r[0], "NAN"), orElse(r[1], "NAN"), word(r[2]), word(r[3]))
		}
		return exec.Command("sh", "-c", "cc -std=c99 -Wall -Werror -O1 -ffp-contract=off -o model model.c -lm && ./model"), os.WriteFile(filepath.Join(dir, "model.c"), []byte(calls+"}\n"), 0o600)
	},
	"js": func(dir, function string, rows [][]string) (*exec.Cmd, error) {
		calls := `import { readFileSync } from "fs"
const word = s => s === "" ? null : s, number = s => s === "" ? null : Number(s)
for (const r of JSON.parse(readFileSync("rows.json"))) console.log(predict(number(r[0]), number(r[1]), word(r[2]), word(r[3])) ?? "")
`
		return exec.Command("node", "model.mjs"), os.WriteFile(filepath.Join(dir, "model.mjs"), []byte(function+calls), 0o600)
	},
	"sql": func(dir, function string, rows [][]string) (*exec.Cmd, error) {
		calls := `import json, sqlite3
db = sqlite3.connect(":memory:")
names = ['"' + name.replace('"', '""') + '"' for name in json.load(open("names.json"))]
db.execute("CREATE TABLE rows (%s REAL, %s REAL, %s TEXT, %s TEXT)" % tuple(names[:4]))
for r in json.load(open("rows.json")):
    db.execute("INSERT INTO rows VALUES (?, ?, ?, ?)", [v or None for v in r[:4]])
for row in db.execute(open("model.sql").read()):
    print(row[-1] or "")
`
		os.WriteFile(filepath.Join(dir, "all.py"), []byte(calls), 0o600)
		return exec.Command("python3", "-X", "utf8", "all.py"), os.WriteFile(filepath.Join(dir, "model.sql"), []byte(function), 0o600)
	},
}

// orElse returns the field, or a name for a missing one.
func orElse(field, missing string) string {
	if field == "" {
		return missing
	}
	return field
}

// TestExportAs: each function, compiled and run on 1,000 raw rows, gives the labels of predict.
func TestExportAs(t *testing.T) {
	words := []string{"red", "grün", `a "b"`, "it's", `back\slash`, "x?/%d"}
	data := create(t, "t.csv", goods(300, 1, words))
	text := goods(1000, 2, append(words, "unseen"))
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// The first two classes alone are a model of two, whose threshold is not 0.
	two := strings.Join(strings.Split(strings.ReplaceAll(read(t, data), "höch", "mid\\dle"), "\n"), "\n")
	tools := map[string]string{"go": "go", "c": "cc", "js": "node", "sql": "python3"}
	models := map[string]string{
		"three": trained(t, data, "--missing", "mean"),
		"drop":  trained(t, data, "--missing", "drop"), // a row with a missing value has no class
		"two":   trained(t, create(t, "two.csv", two), "--missing", "mean", "--holdout", "0.2", "--threshold", "0.4"),
	}
	// Names that are those of the functions themselves, or that become equal.
	head := strings.Split(text, "\n")[0]
	for _, names := range []string{"score_0,SCORE_1,Predicted_Class,scored", "score_2,score__0,k,high", "x,weights,names,j", "a-b,a b,a_b,best", "\"rows\",\"a\nb\",*/,--"} {
		models[names] = trained(t, create(t, "t.csv", strings.Replace(read(t, data), head, names+",class", 1)), "--missing", "mean")
	}
	for name, model := range models {
		text, columns := text, mustRead(t, model).Schema.ColumnNames()
		if strings.Contains(name, ",") {
			text = strings.Replace(text, head, name+",class", 1)
		}
		var stdout, stderr strings.Builder
		if err := run([]string{"predict", "-m", model, create(t, "n.csv", text)}, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		filled := strings.ReplaceAll(stdout.String(), "\n\n", "\n\"\"\n") // encoding/csv skips empty lines
		classes, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(filled, "\n\n", "\n\"\"\n"))).ReadAll()
		if err != nil || len(classes) != 1000 {
			t.Fatalf("%d, %v", len(classes), err)
		}
		for as, driver := range drivers {
			t.Run(name+" "+as, func(t *testing.T) {
				if _, err := exec.LookPath(tools[as]); err != nil {
					t.Skip(err)
				} else if as != "sql" && strings.Contains(name, "score") {
					t.Skip("these names are those of SQL")
				}
				dir := t.TempDir()
				all, _ := json.Marshal(rows[1:])
				names, _ := json.Marshal(columns)
				if err := errors.Join(os.WriteFile(filepath.Join(dir, "rows.json"), all, 0o600), os.WriteFile(filepath.Join(dir, "names.json"), names, 0o600)); err != nil {
					t.Fatal(err)
				}
				cmd, err := driver(dir, runs(t, "export", "-m", model, "--as", as), rows[1:])
				if err != nil {
					t.Fatal(err)
				}
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%.2000s", err, out)
				}
				got := strings.Split(strings.TrimPrefix(string(out), "=== RUN   TestAll\n"), "\n")
				counts := map[string]int{}
				for i, class := range classes {
					if counts[class[0]]++; got[i] != class[0] {
						t.Fatalf("row %d, %q: %q, but predict prints %q", i, rows[i+1], got[i], class[0])
					}
				}
				if want := map[string]int{"two": 2, "drop": 4}[name]; len(counts) != cmp.Or(want, 3) {
					t.Errorf("classes %v", counts)
				}
				file := filepath.Join(dir, "x")
				for range 2 { // its own file is replaced
					runs(t, "export", "-m", model, "--as", as, "-o", file)
				}
				if other := fails(t, "export", "-m", model, "-o", file); !strings.Contains(other, "was not written by this program") {
					t.Error(other)
				}
			})
		}
	}
	text = "message,y\na b,no\nc d,yes\n"
	if got := fails(t, "export", "--as", "c", "-m", trained(t, create(t, "m.csv", text), "--text", "message")); !strings.Contains(got, "a function of text, or of sparse LIBSVM rows, is not exported") {
		t.Error(got)
	}
}

// TestPredictJSON: a line has the label, the scores and the probabilities that the other forms print.
func TestPredictJSON(t *testing.T) {
	data := create(t, "t.csv", goods(200, 1, []string{"red", "blue"}))
	for _, flags := range [][]string{{"--calibrate", "--missing", "mean"}, {"--missing", "drop"}} {
		model := trained(t, append([]string{data, "--holdout", "0.3"}, flags...)...)
		f := mustRead(t, model)
		table := func(flag string) [][]string {
			all, err := csv.NewReader(strings.NewReader(runs(t, "predict", "-m", model, data, "--id", "kind", flag))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		scores, lines := table("--scores"), strings.Split(strings.TrimSpace(runs(t, "predict", "-m", model, data, "--id", "kind", "--json")), "\n")
		if len(lines) != 200 || len(scores) != 201 {
			t.Fatalf("%d lines, %d rows", len(lines), len(scores))
		}
		nulls := 0
		for i, line := range lines {
			var a answer
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			want := scores[i+1]
			if a.Class == nil {
				if nulls++; want[1] != "" || a.Scores != nil {
					t.Errorf("%s, want %q", line, want)
				}
				continue
			}
			if a.ID != want[0] || *a.Class != want[1] || len(a.Scores) != 3 || fmt.Sprint(a.Scores[f.Classes[2]]) == "" || strconv.FormatFloat(a.Scores[f.Classes[2]], 'g', -1, 64) != want[4] {
				t.Errorf("%s, want %q", line, want)
			}
			if (a.Probabilities != nil) != (f.Calibration != nil) {
				t.Errorf("%s", line)
			}
		}
		if (nulls > 0) != (flags[0] == "--missing") {
			t.Errorf("%q: %d rows without a class", flags, nulls)
		}
		if f.Calibration != nil {
			var a answer
			if err := json.Unmarshal([]byte(lines[0]), &a); err != nil || strconv.FormatFloat(a.Probabilities[f.Classes[1]], 'g', -1, 64) != table("--probabilities")[1][3] {
				t.Errorf("%s, %v", lines[0], err)
			}
		}
	}
	two := trained(t, cloud(t, 60))
	if line, _, _ := strings.Cut(runs(t, "predict", "-m", two, cloud(t, 60), "--json"), "\n"); !strings.HasPrefix(line, `{"class":"`) || !strings.Contains(line, `,"score":`) {
		t.Error(line)
	}
	if got := fails(t, "predict", "-m", two, cloud(t, 60), "--json", "--scores"); !strings.HasPrefix(got, "2 ") {
		t.Error(got)
	}
}

// TestCompletion: a shell that asks gets commands and flags, and the man page has all of them.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if out := runs(t, "completion", shell); !strings.Contains(out, "perceptron") || !strings.Contains(out, "complete") {
			t.Errorf("%s: %q", shell, out)
		}
	}
	for line, want := range map[string]string{"perceptron eva": "evaluate", "perceptron train --hold": "--holdout"} {
		cmd := child(t)
		cmd.Env = append(cmd.Env, "COMP_LINE="+line, fmt.Sprint("COMP_POINT=", len(line)))
		if out, _ := cmd.Output(); strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, want %s", line, out, want)
		}
	}
	man := runs(t, "--man")
	for _, want := range []string{".TH PERCEPTRON 1", "holdout", "evaluate", "export", "Do not standardize the features"} {
		if !strings.Contains(man, want) {
			t.Errorf("the man page has no %s", want)
		}
	}
}
