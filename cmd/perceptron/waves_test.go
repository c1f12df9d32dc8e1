package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perceptron"
)

// rings returns rows of points on circles around 0, one for each class, and lines of no border separate them.
func rings(t testing.TB, n, classes int) (data string, X [][]float64, labels []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(6, 8))
	var text strings.Builder
	text.WriteString("x,y,ring\n")
	for i := range n {
		angle, radius := 2*math.Pi*r.Float64(), float64(1+i%classes)+0.15*r.NormFloat64()
		x := []float64{radius * math.Cos(angle), 10 * radius * math.Sin(angle)}
		X, labels = append(X, x), append(labels, fmt.Sprint("ring ", i%classes))
		fmt.Fprintf(&text, "%v,%v,%s\n", x[0], x[1], labels[i])
	}
	return create(t, "rings.csv", text.String()), X, labels
}

// TestWavesAreThoseOfAClassifier: train --waves, predict, export --as classifier and package pipeline give the bits
// that Epochs of a Classifier with the same Waves gives, for two and for three classes. evaluate counts the same
// rows.
func TestWavesAreThoseOfAClassifier(t *testing.T) {
	for _, classes := range []int{2, 3} {
		data, X, labels := rings(t, 300, classes)
		model := trained(t, data, "--waves", "100", "--seed", "5")
		want := perceptron.Classifier[[]float64]{Waves: perceptron.Waves{Count: 100, Seed: 5}, Model: &perceptron.Multiclass{
			Binary: &perceptron.Margin{Threshold: 8. / 3, Keep: perceptron.Average, Order: perceptron.Shuffled, MaxEpochs: 20, Seed: 5}}}
		for _, err := range want.Epochs(X, labels) { // as train, which does not train straight first, as Fit does
			if err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join(t.TempDir(), "m.classifier")
		runs(t, "export", "-m", model, "--as", "classifier", "-o", file)
		var got perceptron.Classifier[[]float64]
		if err := got.Load(file); err != nil {
			t.Fatal(err)
		}
		p, foreign := load(t, model), load(t, file)
		lines := records(t, create(t, "predictions.csv", runs(t, "predict", "-m", model, data, "--scores")))[1:]
		right := 0
		for i, x := range X {
			record := []string{strconv.FormatFloat(x[0], 'g', -1, 64), strconv.FormatFloat(x[1], 'g', -1, 64)}
			scores, err := got.Scores(nil, x)
			for _, q := range []interface {
				Scores(dst []float64, record []string) ([]float64, error)
			}{p, foreign} {
				if again, also := q.Scores(nil, record); !slices.Equal(scores, again) || err != nil || also != nil {
					t.Fatalf("row %d: scores %v, want %v; %v, %v", i, again, scores, err, also)
				}
			}
			printed := []float64{}
			for _, field := range lines[i][1:] {
				v, _ := strconv.ParseFloat(field, 64)
				printed = append(printed, v)
			}
			own, err := want.Scores(nil, x)
			if err != nil || !slices.Equal(printed, scores) {
				t.Fatalf("row %d: predict prints %v, want %v; %v", i, printed, scores, err)
			}
			for k, v := range own[len(own)-len(scores):] {
				if math.Abs(scores[k]-v) > 1e-9 { // the two standard deviations differ by rounding
					t.Fatalf("row %d: scores %v, a Classifier has %v", i, scores, own)
				}
			}
			label, err := want.Predict(x)
			if err != nil || label != lines[i][0] {
				t.Fatalf("row %d: %s, a Classifier predicts %s; %v", i, lines[i][0], label, err)
			}
			if label == labels[i] {
				right++
			}
		}
		if e := evaluated(t, model, data); e.Accuracy != float64(right)/float64(len(X)) || e.Accuracy < 0.97 {
			t.Errorf("evaluate: accuracy %v, want %d of %d", e.Accuracy, right, len(X))
		}
		var straight, bent report
		for r, flags := range map[*report]string{&straight: "", &bent: "--waves 100"} {
			if err := json.Unmarshal([]byte(runs(t, append([]string{"train", data, "--json"}, strings.Fields(flags)...)...)), r); err != nil {
				t.Fatal(err)
			}
		}
		if straight.Training.Accuracy > 0.8 || straight.Waves != 0 || bent.Waves != 100 {
			t.Errorf("accuracy straight %v, %d and %d waves", straight.Training.Accuracy, straight.Waves, bent.Waves)
		}
	}
}

// TestWavesRefused: errors give the reason why some trainings have no waves, and why a model with
// waves lacks some outputs.
func TestWavesRefused(t *testing.T) {
	data, _, _ := rings(t, 60, 2)
	model := trained(t, data, "--waves", "4")
	_, svm, _ := wide(t, 60)
	for args, want := range map[string]string{
		"train --waves 9 " + svm:                            "2 " + svm + ": its rows are sparse, and --waves cannot be used with them: each word would be",
		"train --waves 9 --text message " + messages(t, 50): "2 --waves cannot be used with --text: each word would be a part of every wave",
		"train --waves -1 " + data:                          "2 perceptron: bad configuration: Waves has Count -1",
		"train --waves 9999999 " + data:                     "2 perceptron: bad configuration: Waves has Count 9999999",
		"train --waves 9 -m " + model + " " + data:          "2 --waves cannot be used with -m",
		"train --waves 900000 --memory 32 " + iris:          "1 " + iris + ": the weights of 3 classes, 4 features and 900000 waves take about 124 MiB, and --memory is 32: fewer waves need less",
		"export -m " + model:                                "1 the model has waves (train --waves): its borders bend",
		"export --as c -m " + model:                         "for a Go program, --as classifier exports the model",
		"export --as js -m " + model:                        "its borders bend",
		"export --as sql -m " + model:                       "its borders bend",
		"export --as go --weights int8 -m " + model:         "its borders bend",
		"export --as classifier -m " + trained(t, data, "--waves", "4", "--missing", "mean"): "no rule for missing values",
	} {
		if got := fails(t, strings.Fields(args)...); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	if reasons, err := load(t, model).Explain([]string{"1", "2"}); err == nil || !strings.Contains(err.Error(), "its borders bend") {
		t.Error(reasons, err)
	}
	if got := runs(t, "inspect", "-m", model); !strings.Contains(got, "\nwaves           4 of the features, seed 0: borders bend, and weights do not belong to columns\n") || strings.Contains(got, "bias") {
		t.Error(got)
	}
	var in inspection
	if err := json.Unmarshal([]byte(runs(t, "inspect", "-m", model, "--json")), &in); err != nil || in.Waves != (perceptron.Waves{Count: 4}) || in.Weights == nil || len(in.Weights) > 0 {
		t.Errorf("%+v, %v", in, err)
	}
}

// TestWavesContinue: a training that is saved and continued ends with the same file as one without a break. Rows in
// memory and rows that do not fit give the same bits.
func TestWavesContinue(t *testing.T) {
	data, _, _ := rings(t, 12000, 2)
	flags := []string{data, "--waves", "200", "--order", "cyclic", "--holdout", "0.1"}
	parts := trained(t, append(flags, "--epochs", "1")...)
	runs(t, "train", data, "-m", parts, "-o", parts, "--epochs", "1")
	want := runs(t, "predict", data, "--scores", "-m", trained(t, append(flags, "--epochs", "2")...))
	if got := runs(t, "predict", data, "--scores", "-m", parts); got != want {
		t.Error("the continued training has other scores")
	}
	var stderr strings.Builder
	if err := run(append([]string{"train", "--memory", "2", "--epochs", "2", "-o", parts}, flags...), new(strings.Builder), &stderr); err != nil {
		t.Fatal(err)
	}
	if got := runs(t, "predict", data, "--scores", "-m", parts); got != want {
		t.Error("rows that do not fit in memory train another model")
	}
	// 8 bytes for each of 202 features of 12,000 rows.
	if want := "the rows, which are in a file"; !strings.Contains(stderr.String(), want) {
		t.Errorf("%s, want %s", stderr.String(), want)
	}
}

// TestWavesChosen: with --holdout, and in each fold of --cv, folds of the training rows choose bent borders for
// rings, and straight ones for rows that a line divides. With --waves or sparse rows, nothing is chosen.
func TestWavesChosen(t *testing.T) {
	round, _, _ := rings(t, 300, 2)
	_, svm, _ := wide(t, 100)
	for args, want := range map[string]string{
		round + " --holdout 0.2":             bent,
		round + " --holdout 0.2 --keep last": bent,
		round + " --cv 3":                    bent,
		iris + " --holdout 0.2":              "straight",
		round + " --holdout 0.2 --waves 0":   "",
		round + " --cv 3 --waves 10":         "",
		svm + " --holdout 0.2":               "",
		svm + " --cv 3":                      "",
	} {
		var r struct {
			Waves   int
			Mean    float64
			Choices []choice
		}
		if err := json.Unmarshal([]byte(runs(t, strings.Fields("train --json "+args)...)), &r); err != nil {
			t.Fatal(err)
		}
		r.Choices = slices.DeleteFunc(r.Choices, func(c choice) bool { return c.Of != borders })
		n := map[bool]int{true: 3, false: 1}[strings.Contains(args, "--cv")] // choices
		if want == "" {
			n = 0
		}
		if len(r.Choices) != n {
			t.Errorf("%s: %d choices, want %d", args, len(r.Choices), n)
		}
		for _, c := range r.Choices {
			if lead := c.Accuracy[bent] - c.Accuracy["straight"]; c.Chosen != want || (c.Chosen == bent) != (lead > c.LeastLead) || c.LeastLead <= 0 || c.Default != "straight" {
				t.Errorf("%s: %+v, want %s", args, c, want)
			}
		}
		if n == 1 && (want == bent) != (r.Waves == usualWaves) || n == 3 && r.Mean < 0.95 {
			t.Errorf("%s: %d waves, mean accuracy %v", args, r.Waves, r.Mean)
		}
	}
	// The model of --calibrate is of all rows, and its borders are chosen on folds of them.
	if f := mustRead(t, trained(t, round, "--cv", "3", "--calibrate")); f.Waves.Count != usualWaves || f.Calibration == nil {
		t.Errorf("%+v", f.Waves)
	}
	// Rows that fit in memory straight, and do not fit bent, stay straight: the order shuffled needs all rows at once.
	large, _, _ := rings(t, 5000, 2)
	var stdout, stderr strings.Builder
	if err := run([]string{"train", large, "--holdout", "0.2", "--memory", "4", "--order", "shuffled"}, &stdout, &stderr); err != nil || !strings.Contains(stderr.String(), "no waves are tried: 3200 rows with 300 waves take 10 MiB, and --memory is 4; --waves 300 trains with them") {
		t.Error(stderr.String(), err)
	}
}

// TestWavesSeparate: separate --waves proves that a bent border separates rings. It proves that none does if there are
// few waves, or if two equal rows have different classes.
func TestWavesSeparate(t *testing.T) {
	const file = "testdata/rings.csv"
	contrary := create(t, "c.csv", read(t, file)+"0,1,inner\n0,1,outer\n")
	for args, want := range map[string][]string{
		file:                     {"200 rows of 2 features; +1", "proved: no hyperplane separates these numbers"},
		file + " --waves 4":      {"200 rows of 2 features, and 4 waves of them; +1", "proved: no hyperplane separates these numbers\nThis is true of the scaled rows with their waves, as float64.", "their weighted sum of y·(x, 1) is 0."},
		file + " --waves 20":     {"the margin γ is in [0.0255183773864503639, 0.025518377386450378]\nproved: separable; Rosenblatt's rule makes at most (R/γ)² = 6222 mistakes", "22 weights that are not 0"},
		contrary + " --waves 30": {"proved: no hyperplane", " × line 202: -1 (inner)", " × line 203: +1 (outer)"},
	} {
		out := runs(t, append([]string{"separate"}, strings.Fields(args)...)...)
		for _, want := range want {
			if !strings.Contains(out, want) {
				t.Errorf("%s prints\n%s, want %s", args, out, want)
			}
		}
	}
	_, svm, _ := wide(t, 60)
	for args, want := range map[string]string{
		file + " --waves 9 --coq x.v":                 "2 --coq cannot be used with --waves",
		file + " --waves -9":                          "2 perceptron: bad configuration",
		svm + " --waves 9":                            "its rows are sparse",
		messages(t, 50) + " --waves 9 --text message": "2 --waves cannot be used with --text",
	} {
		if got := fails(t, append([]string{"separate"}, strings.Fields(args)...)...); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// TestDecimals: the decimal numbers of float64s are exact.
func TestDecimals(t *testing.T) {
	x := []float64{0, 1, -0.1, 1e300, 1.0 / 3, -5e-324, math.MaxFloat64, 0x1.fffffffffffffp-1022, 100}
	for i, text := range decimals(x) {
		got, ok := new(big.Rat).SetString(text)
		if want := new(big.Rat).SetFloat64(x[i]); !ok || got.Cmp(want) != 0 {
			t.Errorf("%v is %s", x[i], text)
		}
	}
}
