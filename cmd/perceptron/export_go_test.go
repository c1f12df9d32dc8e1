package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// A goModel is an exported Go file with the rows to call it with, and the classes that it must return.
type goModel struct {
	text      string
	rows      [][]string // without the label
	words     []bool     // which columns are words
	want      []string
	mayDiffer int // rows whose class may differ
}

// exportGo exports a model to Go, and returns the file and the number of rows that --compare reports.
func exportGo(t testing.TB, model, data, weights string) (text string, other int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.go")
	var stdout, stderr strings.Builder
	if err := run([]string{"export", "-m", model, "--as", "go", "--weights", weights, "--compare", data, "-o", file}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(stderr.String(), "the function gives ")
	if n, err := fmt.Sscanf(said, "%d of", &other); n != 1 || err != nil {
		t.Fatal(stderr.String())
	}
	return read(t, file), other
}

// runGo builds one program of all models in one module, calls each with its rows, and returns the classes.
func runGo(t testing.TB, models []goModel) (classes [][]string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/all\n\ngo 1.21\n")
	imports, calls := "", ""
	for i, m := range models {
		write(fmt.Sprintf("m%d/model.go", i), m.text)
		imports += fmt.Sprintf("\tm%d \"example.com/all/m%d\"\n", i, i)
		for _, row := range m.rows {
			var args []string
			for j, field := range row {
				if field = strings.TrimSpace(field); slices.Contains([]string{"", "NA", "?"}, field) {
					field = map[bool]string{true: `""`, false: "nan"}[m.words[j]]
				} else if m.words[j] {
					field = strconv.Quote(field)
				}
				args = append(args, field)
			}
			calls += fmt.Sprintf("\tfmt.Println(%d, m%d.Predict(%s))\n", i, i, strings.Join(args, ", "))
		}
	}
	write("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n\n"+imports+")\n\nvar nan = math.NaN()\n\nfunc main() {\n\t_ = nan\n"+calls+"}\n")
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	classes = make([][]string, len(models))
	for line := range strings.Lines(string(out)) {
		model, class, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		i, err := strconv.Atoi(model)
		if err != nil {
			t.Fatal(line)
		}
		classes[i] = append(classes[i], class)
	}
	// The files need nothing, and build for other machines.
	for _, target := range []string{"js/wasm", "linux/arm", "linux/riscv64"} {
		goos, goarch, _ := strings.Cut(target, "/")
		cmd := exec.Command("go", "build", "./m0", fmt.Sprintf("./m%d", len(models)-1))
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOOS="+goos, "GOARCH="+goarch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", target, err, out)
		}
	}
	return classes
}

// TestExportGo: on fifty tables, the exported Go file gives each row the class of predict, with weights of float64
// and float32. With int8, as many rows differ as --compare reports. The file is formatted, and Predict is short.
func TestExportGo(t *testing.T) {
	var models []goModel
	for seed := range uint64(50) {
		rows, others, flags := anyTable(seed)
		if slices.Contains(rows[0], "note") {
			continue // text is not exported
		}
		model := trained(t, append(flags, create(t, "t.csv", asCSV(t, rows)), "--label", "kind", "--epochs", "5")...)
		data := create(t, "n.csv", asCSV(t, others))
		m := goModel{}
		for _, name := range rows[0][:len(rows[0])-1] {
			m.words = append(m.words, name == "colour" || name == "code")
		}
		var stdout, stderr strings.Builder
		if err := run([]string{"predict", "-m", model, data}, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		for i, class := range strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n") {
			// A row that the model leaves out has the class "".
			m.rows, m.want = append(m.rows, others[1+i][:len(m.words)]), append(m.want, strings.Trim(class, `"`))
		}
		for _, weights := range []string{"float64", "float32", "int8"} {
			if m.text, m.mayDiffer = exportGo(t, model, data, weights); weights != "int8" && m.mayDiffer != 0 {
				t.Errorf("table %d, %s: %d rows get another class", seed, weights, m.mayDiffer)
			}
			models = append(models, m)
		}
	}
	for i, classes := range runGo(t, models) {
		m, differ := models[i], 0
		for k, class := range m.want {
			if classes[k] != class {
				differ++
			}
		}
		if differ != m.mayDiffer || len(classes) != len(m.want) {
			t.Errorf("model %d: %d of %d rows differ, want %d of %d", i, differ, len(classes), m.mayDiffer, len(m.want))
		}
		tidy(t, m.text)
	}
}

// tidy checks that a file is formatted, and that Predict has at most 60 lines.
func tidy(t testing.TB, text string) {
	t.Helper()
	if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
		t.Errorf("not formatted: %v\n%s", err, text)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "model.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > 60 {
				t.Errorf("%s has %d lines", f.Name, n)
			}
		}
	}
}

// TestExportGoPrecision: on letters and digits, how many of the classes of rows held out change with the weights.
func TestExportGoPrecision(t *testing.T) {
	dir := os.Getenv("PERCEPTRON_DATA")
	if dir == "" || testing.Short() {
		t.Skip("PERCEPTRON_DATA is not set")
	}
	float, small := 0, 0
	for name, table := range map[string]string{"letter": letters(t, dir), "digit": digits(t, dir)} {
		data := create(t, name+".csv", table)
		model := trained(t, data, "--label", name, "--epochs", "5")
		_, other := exportGo(t, model, data, "float32")
		float += other
		_, other = exportGo(t, model, data, "int8")
		small += other
	}
	t.Logf("of 22,000 rows, float32 changes %d, and int8 %d", float, small)
	if float > 0 || small > 150 {
		t.Errorf("of 22,000 rows, float32 changes %d, and int8 %d", float, small)
	}
}

// TestExportClassifier: a Go program that reads the Classifier gets the labels of predict, of numbers and of text.
func TestExportClassifier(t *testing.T) {
	for _, flags := range []string{"", "--raw", "--algorithm onevsrest --rule batch"} {
		model := trained(t, append(strings.Fields(flags), iris)...)
		file := filepath.Join(t.TempDir(), "m.classifier")
		runs(t, "export", "-m", model, "--as", "classifier", "-o", file)
		var c perceptron.Classifier[[]float64]
		if err := c.Load(file); err != nil {
			t.Fatal(err)
		}
		X, _ := flowers(t)
		want := strings.Split(runs(t, "predict", "-m", model, iris), "\n")
		for i, x := range X {
			if got, err := c.Predict(x); err != nil || got != want[i] {
				t.Errorf("%q: row %d is %s, want %s; %v", flags, i, got, want[i], err)
			}
		}
	}
	text := messages(t, 500)
	for _, flags := range []string{"", "--hash 9", "--algorithm multiclass"} {
		model := trained(t, append(strings.Fields(flags), text, "--text", "message", "--columns", "message")...)
		file := filepath.Join(t.TempDir(), "m.classifier")
		runs(t, "export", "-m", model, "--as", "classifier", "-o", file)
		var c perceptron.Classifier[perceptron.Sparse]
		if err := c.Load(file); err != nil {
			t.Fatal(err)
		}
		bits := mustRead(t, model).Schema.Columns[0].Text.Bits
		want := strings.Split(runs(t, "predict", "-m", model, text), "\n")
		for i, row := range records(t, text)[1:] {
			if got, err := c.Predict(perceptron.HashWords(1<<bits, phrases(row[2])...)); err != nil || got != want[i] {
				t.Errorf("%q: row %d is %s, want %s; %v", flags, i, got, want[i], err)
			}
		}
	}
}

// phrases returns the words of a text in lower case, and its pairs of words, as the page says.
func phrases(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.!", r) })
	for i := range max(0, len(words)-1) {
		words = append(words, words[i]+" "+words[i+1])
	}
	return words
}

// TestExportRefuses: a model that a Classifier or a function cannot hold, with the reason.
func TestExportRefuses(t *testing.T) {
	words, text, _ := create(t, "w.csv", mushrooms(60)), messages(t, 100), 0
	_, svm, _ := wide(t, 60)
	two := cloud(t, 100)
	for args, want := range map[string]string{
		"--as classifier -m " + trained(t, words, "--label", "class"):                                                 "no columns of words",
		"--as classifier -m " + trained(t, two, "--missing", "mean"):                                                  "no rule for missing values",
		"--as classifier -m " + trained(t, two, "--holdout", ".2", "--threshold", "1"):                                "no threshold",
		"--as classifier -m " + trained(t, svm):                                                                       "sparse LIBSVM rows",
		"--as classifier -m " + trained(t, text, "--text", "message", "--columns", "message", "--idf", "--hash", "9"): "no weights of rare words",
		"--as classifier -m " + trained(t, text, "--text", "message", "--hash", "9"):                                  "text beside other columns",
		"--as go -m " + trained(t, text, "--text", "message", "--hash", "9"):                                          "with package pipeline",
		"--as c --weights int8 -m " + trained(t, two):                                                                 "--weights cannot be used with --as c",
	} {
		if got := fails(t, append([]string{"export"}, strings.Fields(args)...)...); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
