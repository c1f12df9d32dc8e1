package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/pipeline"
)

// columnKinds are the kinds of columns: each returns a value that leans to one side of 0, as v does.
var columnKinds = map[string]func(g *rand.Rand, v float64) string{
	"amount": func(g *rand.Rand, v float64) string { return strconv.FormatFloat(1000*v+g.NormFloat64(), 'g', 5, 64) },
	"size":   func(g *rand.Rand, v float64) string { return fmt.Sprintf("%.2f", v+g.NormFloat64()) },
	"colour": func(g *rand.Rand, v float64) string {
		return []string{"red", "grün", "it's"}[min(2, max(0, int(v+g.NormFloat64()+1.5)))]
	},
	"code": func(g *rand.Rand, v float64) string {
		return strconv.Itoa(7 * min(3, max(0, int(2*v+g.NormFloat64()+2))))
	},
	"note": func(g *rand.Rand, v float64) string {
		words := []string{}
		for range g.IntN(9) {
			words = append(words, fmt.Sprintf("Word%d", g.IntN(40)))
		}
		if v > 0.2 {
			words = append(words, "prize", "now!")
		}
		return strings.Join(words, ", ")
	},
}

// anyTable returns a table that the seed chooses, with the flags to train on it, and a file of other rows with
// values that training did not see. With nulls, values are missing.
func anyTable(seed uint64) (rows, others [][]string, flags []string) {
	g := rand.New(rand.NewPCG(seed, 70))
	kinds := []string{"amount", "size", "colour", "code", "note"}
	g.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:1+g.IntN(5)]
	if slices.Contains(kinds, "note") {
		flags = append(flags, "--text", "note", "--hash", "9", []string{"--idf", "--no-idf"}[g.IntN(2)])
	}
	if slices.Contains(kinds, "code") {
		flags = append(flags, "--category", "code")
	}
	classes, missing := 2+int(seed%2), []string{"error", "mean", "drop"}[seed/2%3]
	flags = append(flags, "--missing", missing, "--waves", "0")
	if seed%4 != 3 {
		flags = append(flags, "--holdout", "0.3", "--calibrate")
		if classes == 2 && seed%5 == 0 {
			flags = append(flags, "--threshold", "0.3")
		}
	}
	if g.IntN(3) == 0 {
		flags = append(flags, "--raw")
	}
	table := func(n int) [][]string {
		all := [][]string{append(slices.Clone(kinds), "kind")}
		for range n {
			v := g.NormFloat64()
			row := []string{}
			for _, k := range kinds {
				row = append(row, columnKinds[k](g, v))
			}
			if missing != "error" && g.IntN(6) == 0 {
				row[g.IntN(len(row))] = []string{"", "NA", "?"}[g.IntN(3)]
			}
			all = append(all, append(row, "class "+strconv.Itoa(min(classes-1, max(0, int(v*1.5+1))))))
		}
		return all
	}
	rows, others = table(80), table(40)
	for i, row := range others[1:] { // words that training did not see, and spaces
		if j := slices.Index(kinds, "colour"); j >= 0 && i%7 == 0 {
			row[j] = "mauve"
		} else if i%5 == 0 {
			row[0] = "  " + row[0] + "\t"
		}
	}
	return rows, others, flags
}

// planesAgree compares the scores of the exported planes with those of a row of numbers.
func planesAgree(t testing.TB, planes perceptron.Hyperplanes, a answer, names []string, record []string) {
	t.Helper()
	var x []float64
	for _, field := range record {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return // a word, a text or a missing value
		}
		x = append(x, v)
	}
	scores, err := planes.Scores(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range names {
		if a.Score == nil && scores[k] != a.Scores[name] || a.Score != nil && k == 1 && scores[k] != *a.Score {
			t.Fatalf("export: %q has the scores %v, want %s", record, scores, text(a))
		}
	}
}

func asCSV(t testing.TB, rows [][]string) string {
	t.Helper()
	var text strings.Builder
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func load(t testing.TB, model string) *pipeline.Predictor {
	t.Helper()
	p, err := pipeline.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPipelineAgrees: package pipeline and predict give each row of fifty tables the same class, and the same bits of
// scores and probabilities. Some of the models have waves. So does serve, and the planes of export give these scores
// to the features.
func TestPipelineAgrees(t *testing.T) {
	for seed := range uint64(50) {
		rows, others, flags := anyTable(seed)
		data, file := create(t, "t.csv", asCSV(t, rows)), create(t, "n.csv", asCSV(t, others))
		bent := seed%3 == 0 && !slices.Contains(others[0], "note")
		if bent {
			flags = append(flags, "--waves", "40")
		}
		model := trained(t, append(flags, data, "--label", "kind", "--epochs", "5")...)
		var stdout, stderr strings.Builder
		if err := run([]string{"predict", "-m", model, file, "--json"}, &stdout, &stderr); err != nil {
			t.Fatal(seed, err)
		}
		p := load(t, model)
		var planes perceptron.Hyperplanes
		if !bent {
			if err := json.Unmarshal([]byte(runs(t, "export", "-m", model)), &planes); err != nil {
				t.Fatal(err)
			}
		}
		words := slices.ContainsFunc([]string{"code", "colour", "note"}, func(name string) bool { return slices.Contains(others[0], name) })
		served := servedAnswers(t, model, others)
		for i, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n") {
			var want answer
			if err := json.Unmarshal([]byte(line), &want); err != nil {
				t.Fatal(err)
			}
			got := answered(t, p, named(others[0], others[1+i]))
			if !same(got, want) {
				t.Fatalf("table %d, %q, row %d: %s, want %s", seed, flags, i, text(got), line)
			}
			if !words && !bent && got.Class != nil {
				planesAgree(t, planes, got, p.Classes(), others[1+i][:len(p.Columns())])
			}
			if server, ok := served[i]; ok {
				// The server names the one score of two classes, too.
				if server.Score, got.Probabilities = got.Score, nil; got.Score != nil {
					got.Scores = map[string]float64{p.Scored()[0]: *got.Score}
				}
				if !same(server, got) {
					t.Fatalf("table %d, row %d: serve %s, want %s", seed, i, text(server), text(got))
				}
			}
		}
	}
}

// servedAnswers returns the answers of a server to the rows of a table, by their index. A row without any value is an
// error of the server, and is left out.
func servedAnswers(t *testing.T, model string, table [][]string) map[int]answer {
	t.Helper()
	cmd, url, _ := served(t, model, "--readonly", "--unknown", "none")
	defer cmd.Wait()
	defer cmd.Process.Kill()
	var places []int
	var requests []any
	for i, row := range table[1:] {
		if slices.ContainsFunc(row[:len(row)-1], func(field string) bool { return !slices.Contains([]string{"", "NA", "?"}, strings.TrimSpace(field)) }) {
			places, requests = append(places, i), append(requests, named(table[0][:len(row)-1], row))
		}
	}
	var answers struct{ Predictions []answer }
	if status, err := send(url+"/predict?scores=true", map[string]any{"rows": requests}, &answers); status != 200 || err != nil || len(answers.Predictions) != len(places) {
		t.Fatal(status, err)
	}
	all := map[int]answer{}
	for k, i := range places {
		all[i] = answers.Predictions[k]
	}
	return all
}

// named returns the values of a row by the names of the columns, as a map of package pipeline has them.
func named(names, row []string) map[string]string {
	values := map[string]string{}
	for j, name := range names {
		values[name] = row[j]
	}
	return values
}

// answered returns what package pipeline answers to a row, in the form of predict --json.
func answered(t testing.TB, p *pipeline.Predictor, values map[string]string) (a answer) {
	t.Helper()
	record, err := p.Record(values)
	class, bad := p.Predict(values)
	again, also := p.PredictRecord(record)
	scores, odd := p.Scores(nil, record)
	if err = errors.Join(err, bad, also, odd); err != nil || again != class {
		t.Fatal(values, class, again, err)
	}
	probabilities, err := p.Probabilities(nil, record)
	if err != nil && !errors.Is(err, pipeline.ErrUncalibrated) {
		t.Fatal(err)
	}
	if class == "" {
		return a
	}
	if a.Class = &class; len(p.Scored()) == 1 {
		a.Score = &scores[0]
	} else {
		a.Scores = map[string]float64{}
		for k, v := range scores {
			a.Scores[p.Scored()[k]] = v
		}
	}
	for k, v := range probabilities {
		if k == 0 {
			a.Probabilities = map[string]float64{}
		}
		a.Probabilities[p.Classes()[k]] = v
	}
	return a
}

// text returns the answer as JSON, which has all bits of its numbers.
func text(a answer) string {
	text, _ := json.Marshal(a)
	return string(text)
}

func same(a, b answer) bool { return text(a) == text(b) }

// TestPipelineConcurrent: goroutines that share a Predictor get the answers of one alone. Run it with -race.
func TestPipelineConcurrent(t *testing.T) {
	rows, others, flags := anyTable(4)
	p := load(t, trained(t, append(flags, create(t, "t.csv", asCSV(t, rows)), "--label", "kind")...))
	var want []string
	for _, row := range others[1:] {
		want = append(want, text(answered(t, p, named(others[0], row))))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, row := range others[1:] {
				if got := text(answered(t, p, named(others[0], row))); got != want[i] {
					t.Errorf("%q: %s, want %s", row, got, want[i])
				}
			}
		})
	}
	all.Wait()
}

// TestPipelineImports: package pipeline depends on the library, on packages of the command, on the standard
// library and on Unicode's forms of text alone.
func TestPipelineImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./pipeline").Output()
	if err != nil {
		t.Fatal(err)
	}
	module, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSuffix(strings.TrimSpace(string(module)), "/cmd/perceptron")
	for _, path := range strings.Fields(string(out)) {
		if path != root && !strings.HasPrefix(path, root+"/") && path != "golang.org/x/text/unicode/norm" && path != "golang.org/x/text/transform" {
			t.Errorf("package pipeline depends on %s", path)
		}
	}
}

// TestPipelineModels: the models of the examples of package pipeline are what the commands in their comments
// train, and a Predictor of the text model answers messages.
func TestPipelineModels(t *testing.T) {
	for model, args := range map[string]string{
		"churn":    "--label outcome --text note --hash 10 --missing mean --holdout 0.25 --calibrate",
		"messages": "--text message --hash 10 --holdout 0.2",
	} {
		file := "pipeline/testdata/" + model
		got, want := mustRead(t, file+".perceptron"), mustRead(t, trained(t, append(strings.Fields(args), file+".csv")...))
		got.Program, want.Program, want.Data.File = "", "", model+".csv"
		a, err := got.Encode()
		b, also := want.Encode()
		if err != nil || also != nil || string(a) != string(b) {
			t.Errorf("%s.perceptron differs from a new training: in pipeline/testdata, run perceptron train %s.csv %s -o %s.perceptron", file, model, args, model)
		}
	}
}

// TestReadmeProgram: the Go program of the README builds as it stands.
func TestReadmeProgram(t *testing.T) {
	_, program, _ := strings.Cut(read(t, "README.md"), "```go\n")
	program, _, ok := strings.Cut(program, "```\n")
	out, err := exec.Command("go", "build", "-o", os.DevNull, create(t, "main.go", program)).CombinedOutput()
	if !ok || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
