package main

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// oracle is a program in another language: it predicts with the JSON of export.
const oracle = `
import csv, json, sys
e = json.load(open(sys.argv[1]))
label = sys.argv[3]
for row in csv.DictReader(open(sys.argv[2])):
    x = [float(row[f]) if f in row else float(row[f.split("=", 1)[0]] == f.split("=", 1)[1]) for f in e["features"]]
    scores = [sum(w * v for w, v in zip(p["weights"], x)) + p["bias"] for p in e["planes"]]
    print(e["names"][scores.index(max(scores))])
`

// TestAgree: predict, a Go program with the exported Hyperplanes, and a Python program
// that reads their JSON agree on every row, and with evaluate.
func TestAgree(t *testing.T) {
	tables := map[string][2]string{ // text and label
		"iris":    {read(t, iris), "species"},
		"tumours": {tumours(569), "diagnosis"},
		"words":   {mushrooms(400), "class"},
	}
	if dir := os.Getenv("PERCEPTRON_DATA"); dir != "" && !testing.Short() {
		tables["letter"] = [2]string{letters(t, dir), "letter"}
		tables["digits"] = [2]string{digits(t, dir), "digit"}
	}
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			data := create(t, name+".csv", table[0])
			args := []string{data, "--label", table[1], "--holdout", "0.25", "--epochs", "5", "--waves", "0"}
			if name == "tumours" {
				args = append(args, "--drop", "id", "--threshold", "f1")
			}
			model := trained(t, args...)
			planes := filepath.Join(t.TempDir(), "planes.json")
			runs(t, "export", "-m", model, "-o", planes)
			got := strings.Split(runs(t, "predict", "-m", model, data), "\n")
			if want := goProgram(t, planes, data); !slices.Equal(got, want) {
				t.Error("predict differs from the Go program")
			}
			truth := column(t, data, table[1])
			right := 0
			for i, class := range truth {
				if got[i] == class {
					right++
				}
			}
			if e := evaluated(t, model, data, "--all"); e.Rows != len(truth) || e.Accuracy != float64(right)/float64(e.Rows) {
				t.Errorf("evaluate has %v of %d rows, want %d of %d", e.Accuracy, e.Rows, right, len(truth))
			}
			if share := float64(right) / float64(len(truth)); share < 0.7 {
				t.Errorf("accuracy %v", share)
			}
			python, err := exec.LookPath("python3")
			if err != nil {
				t.Skip(err)
			}
			out, err := exec.Command(python, "-c", oracle, planes, data, table[1]).Output()
			if want := strings.Split(string(out), "\n"); err != nil || !slices.Equal(got, want) {
				t.Errorf("predict differs from the Python program: %v", err)
			}
		})
	}
}

// goProgram predicts with perceptron.Hyperplanes and the names beside them.
func goProgram(t *testing.T, planes, data string) []string {
	t.Helper()
	var h perceptron.Hyperplanes
	var names struct{ Names, Features []string }
	text := []byte(read(t, planes))
	if err := json.Unmarshal(text, &h); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	rows := records(t, data)
	var classes []string
	for _, row := range rows[1:] {
		var x []float64
		for _, feature := range names.Features {
			name, word, isWord := strings.Cut(feature, "=")
			field := row[slices.Index(rows[0], name)]
			v, err := strconv.ParseFloat(field, 64)
			if isWord {
				v, err = map[bool]float64{true: 1}[field == word], nil
			}
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		code, err := h.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, names.Names[slices.Index(h.Classes, code)])
	}
	return append(classes, "")
}

func records(t *testing.T, data string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// column returns the fields of a column.
func column(t *testing.T, data, name string) (fields []string) {
	t.Helper()
	rows := records(t, data)
	for _, row := range rows[1:] {
		fields = append(fields, row[slices.Index(rows[0], name)])
	}
	return fields
}

// mushrooms returns a table of words like UCI's mushroom data.
func mushrooms(rows int) string {
	var text strings.Builder
	text.WriteString("class,cap shape,odor,ring number\n")
	shapes, odors := []string{"bell", "flat", "sunken"}, []string{"almond", "foul", "none", "fishy"}
	for i := range rows {
		shape, odor, rings := shapes[i*7%3], odors[i*5%11%4], i*3%13%3
		class := "edible"
		if odor == "foul" || odor == "fishy" || shape == "sunken" && rings == 0 {
			class = "poisonous"
		}
		fmt.Fprintf(&text, "%s,%s,%s,%d\n", class, shape, odor, rings)
	}
	return text.String()
}

// unpack returns the content of a compressed file.
func unpack(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// letters returns UCI's letter recognition data with a header.
func letters(t *testing.T, dir string) string {
	t.Helper()
	var head strings.Builder
	for j := range 16 {
		fmt.Fprintf(&head, "m%d,", j)
	}
	return head.String() + "letter\n" + string(unpack(t, filepath.Join(dir, "letter.csv.gz")))
}

// digits returns 2,000 digits of MNIST as CSV.
func digits(t *testing.T, dir string) string {
	t.Helper()
	pixels := unpack(t, filepath.Join(dir, "mnist10k-images-idx3-ubyte.gz"))[16:]
	labels := unpack(t, filepath.Join(dir, "mnist10k-labels-idx1-ubyte.gz"))[8:]
	var text []byte
	for j := range 784 {
		text = append(strconv.AppendInt(append(text, 'p'), int64(j), 10), ',')
	}
	text = append(text, "digit\n"...)
	for i := range 2000 {
		for _, v := range pixels[i*784 : (i+1)*784] {
			text = append(strconv.AppendUint(text, uint64(v), 10), ',')
		}
		text = append(strconv.AppendUint(text, uint64(labels[i]), 10), '\n')
	}
	return string(text)
}
