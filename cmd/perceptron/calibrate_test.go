package main

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestProbabilities: predict, evaluate and serve have the same probabilities, for dense rows, for
// text and for more than two classes. They resemble the shares of the rows held out.
func TestProbabilities(t *testing.T) {
	for file, args := range map[string][]string{
		cloud(t, 600):     nil,
		messages(t, 1000): {"--text", "message", "--hash", "10"},
		iris:              {"--seed", "3"},
	} {
		model := trained(t, append(args, file, "--holdout", "0.4", "--calibrate")...)
		f := mustRead(t, model)
		e := evaluated(t, model, file, "--all")
		lines := strings.Split(strings.TrimSpace(runs(t, "predict", "-m", model, file, "--probabilities")), "\n")
		if want := "class," + strings.Join(f.Classes, ","); lines[0] != want {
			t.Fatalf("header %q, want %q", lines[0], want)
		}
		rows, _, classes := rowsOf(t, file, f.Schema.Label.Name)
		_, url, _ := served(t, model, "--probabilities")
		var answer struct {
			Predictions []struct {
				Class         string
				Probabilities map[string]float64
			}
		}
		if status, err := send(url+"/predict", map[string]any{"rows": rows[:100]}, &answer); status != 200 || err != nil {
			t.Fatal(status, err)
		}
		logLoss := 0.0
		for i, line := range lines[1:] {
			fields := strings.Split(line, ",")
			sum := 0.0
			for k, name := range f.Classes {
				p, err := strconv.ParseFloat(fields[1+k], 64)
				if sum += p; err != nil || !(p >= 0 && p <= 1) {
					t.Fatal(line)
				}
				if name == classes[i] {
					logLoss -= math.Log(p) / float64(len(classes))
				}
				if i < 100 && (answer.Predictions[i].Class != fields[0] || answer.Predictions[i].Probabilities[name] != p) {
					t.Errorf("row %d: %+v, want %s", i, answer.Predictions[i], line)
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s: the sum is %v", line, sum)
			}
		}
		if e.Probabilities == nil || math.Abs(e.Probabilities.LogLoss/logLoss-1) > 1e-9 {
			t.Errorf("%s: %+v, want log loss %v", file, e.Probabilities, logLoss)
		}
		if out := runs(t, append([]string{"train", file, "--holdout", "0.4"}, args...)...); strings.Contains(out, "log loss") {
			t.Error("without --calibrate, there are probabilities")
		}
	}
}

// TestCalibrateFolds: with --cv, the probabilities come from all folds, and the model from all
// rows.
func TestCalibrateFolds(t *testing.T) {
	data, model := cloud(t, 500), filepath.Join(t.TempDir(), "m")
	if out := runs(t, "train", data, "--cv", "4", "--calibrate", "-o", model); !strings.Contains(out, "\nsaved     "+model) {
		t.Errorf("printed\n%s", out)
	}
	f, whole := mustRead(t, model), mustRead(t, trained(t, data))
	if f.Calibration == nil || f.Data.Rows != 500 || f.Data.Holdout != 0 {
		t.Fatalf("%+v", f.Details)
	}
	cal := f.Calibration
	f.Calibration, whole.Data.File = nil, f.Data.File
	got, err := f.Encode()
	want, err2 := whole.Encode()
	if string(got) != string(want) || err != nil || err2 != nil {
		t.Error("the model differs from that of all rows", err, err2)
	}
	if e := evaluated(t, model, data); !(cal.Slope > 0) || e.Probabilities.LogLoss > 0.5 {
		t.Errorf("%+v, %+v", cal, e.Probabilities)
	}
}

// TestCalibrateRefit: --refit keeps the probabilities, and a continued training drops them.
func TestCalibrateRefit(t *testing.T) {
	data, model := cloud(t, 400), filepath.Join(t.TempDir(), "m")
	runs(t, "train", data, "--holdout", "0.3", "--patience", "3", "--refit", "--calibrate", "-o", model)
	if f := mustRead(t, model); f.Calibration == nil || f.Data.Rows != 400 {
		t.Errorf("%+v", f.Details)
	}
	held := trained(t, data, "--holdout", "0.3", "--calibrate")
	before := *mustRead(t, held).Calibration
	runs(t, "train", data, "-m", held, "-o", model, "--epochs", "1", "--calibrate")
	if f := mustRead(t, model); f.Calibration == nil || *f.Calibration == before {
		t.Errorf("%+v", f.Calibration)
	}
	runs(t, "train", data, "-m", held, "-o", model, "--epochs", "1")
	if f := mustRead(t, model); f.Calibration != nil {
		t.Errorf("%+v", f.Calibration)
	}
	plain := trained(t, data)
	for line, want := range map[string]string{
		"train DATA --calibrate":                               "2 --patience, --threshold f1 and --calibrate require --holdout",
		"train DATA --cv 3 --calibrate":                        "2 --calibrate with --cv requires -o, the file to save in",
		"train DATA --cv 3 -o M":                               "2 --output cannot be used with --cv",
		"train DATA -m PLAIN -o M --calibrate":                 "2 no rows are held out for --threshold f1, --patience and --calibrate",
		"predict -m PLAIN DATA --probabilities":                "1 the model has no probabilities: train it with --calibrate",
		"predict -m PLAIN DATA --probabilities --scores":       "2 --scores and --probabilities can't be used together",
		"serve -m PLAIN --probabilities --address 127.0.0.1:0": "1 PLAIN: the model has no probabilities: train it with --calibrate",
	} {
		fill := strings.NewReplacer("DATA", data, "PLAIN", plain, " M", " "+plain+".new").Replace
		if got := fails(t, strings.Fields(fill(line))...); !strings.HasPrefix(got, fill(want)) {
			t.Errorf("%s:\n%s, want\n%s", line, got, want)
		}
	}
}
