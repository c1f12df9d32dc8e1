package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// served starts a server and returns its process and its URL. Its log is in a file.
func served(t *testing.T, model string, args ...string) (cmd *exec.Cmd, url, log string) {
	t.Helper()
	cmd = child(t, append([]string{"serve", "-m", model, "--address", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if it still runs
	if _, err := fmt.Fscanf(out, "serving "+model+" on %s\n", &url); err != nil {
		t.Fatal(err, read(t, stderr.Name()))
	}
	return cmd, url, stderr.Name()
}

// send posts JSON, decodes the answer, and returns the status.
func send(url string, body, answer any) (int, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	r, err := http.Post(url, "application/json", strings.NewReader(string(text)))
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	return r.StatusCode, json.NewDecoder(r.Body).Decode(answer)
}

// rowsOf returns the rows of a table as requests have them, by name and in order. It also returns
// their classes.
func rowsOf(t *testing.T, data, label string, drop ...string) (byName, inOrder []any, classes []string) {
	t.Helper()
	rows := records(t, data)
	for i, fields := range rows[1:] {
		named, ordered := map[string]any{}, []any{}
		for j, name := range rows[0] {
			var v any = fields[j]
			if number, err := strconv.ParseFloat(fields[j], 64); err == nil && i%3 > 0 { // a third of the numbers are strings
				v = number
			}
			if name == label {
				classes = append(classes, fields[j])
			} else if !slices.Contains(drop, name) {
				named[name], ordered = v, append(ordered, v)
			}
		}
		byName, inOrder = append(byName, named), append(inOrder, ordered)
	}
	return byName, inOrder, classes
}

// A prediction is an answer of the server.
type prediction struct {
	Class  *string
	Scores map[string]float64
}

// TestServe: every row gets the class and the scores of predict, by name and in order,
// alone and with others. After updates and a stop, the other commands read the file.
func TestServe(t *testing.T) {
	for name, table := range map[string][]string{ // text, label, and flags of train
		"iris":    {read(t, iris), "species"},
		"tumours": {tumours(569), "diagnosis", "--drop", "id", "--threshold", "f1"},
		"words":   {mushrooms(400), "class", "--algorithm", "margin"},
	} {
		t.Run(name, func(t *testing.T) {
			data := create(t, "data.csv", table[0])
			model := trained(t, append([]string{data, "--label", table[1], "--holdout", "0.25", "--epochs", "5"}, table[2:]...)...)
			cmd, url, log := served(t, model)
			byName, inOrder, classes := rowsOf(t, data, table[1], "id")
			p, err := mustRead(t, model).Predictor()
			if err != nil {
				t.Fatal(err)
			}
			var want []prediction
			_, lines, _ := strings.Cut(runs(t, "predict", "-m", model, data, "--scores"), "\n") // without the header
			for line := range strings.Lines(lines) {
				fields := strings.Split(strings.TrimSpace(line), ",")
				scores := map[string]float64{}
				for k, class := range p.Scored() {
					if scores[class], err = strconv.ParseFloat(fields[k+1], 64); err != nil {
						t.Fatal(err)
					}
				}
				want = append(want, prediction{&fields[0], scores})
			}
			if len(want) != len(classes) {
				t.Fatalf("%d predictions for %d rows", len(want), len(classes))
			}
			for _, rows := range [][]any{byName, inOrder} {
				var all struct{ Predictions []prediction }
				if status, err := send(url+"/predict?scores=true", map[string]any{"rows": rows}, &all); status != 200 || err != nil || !reflect.DeepEqual(all.Predictions, want) {
					t.Errorf("%d, %v: the answers differ from predict's", status, err)
				}
				for i, row := range rows {
					var one prediction
					if status, err := send(url+"/predict?scores=true", map[string]any{"row": row}, &one); status != 200 || err != nil || !reflect.DeepEqual(one, want[i]) {
						t.Fatalf("row %d: %d, %v: %v, want %v", i, status, err, one, want[i])
					}
				}
			}
			var examples []any
			for i, row := range byName {
				examples = append(examples, map[string]any{"row": row, "class": classes[i]})
			}
			var a struct {
				Predicted               []string
				Updates, Learned, Saved int
			}
			if status, err := send(url+"/update", map[string]any{"examples": examples}, &a); status != 200 || err != nil || a.Learned != len(examples) || len(a.Predicted) != len(examples) {
				t.Errorf("%d, %v: %d learned", status, err, a.Learned)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err, read(t, log))
			}
			if e := evaluated(t, model, data, "--all"); e.Rows != len(classes) || e.Accuracy < 0.7 {
				t.Errorf("after updates: accuracy %v of %d rows", e.Accuracy, e.Rows)
			}
			runs(t, "inspect", "-m", model)
			runs(t, "train", data, "-m", model, "-o", model, "--label", table[1], "--epochs", "1")
		})
	}
}

// TestServeKilled kills the server 20 times while it learns and predicts, and starts it
// again. It may lose only rows that it has not reported as saved. In rounds 7 and 15 it
// is stopped instead, and must lose nothing.
func TestServeKilled(t *testing.T) {
	data := create(t, "data.csv", tumours(569))
	model := trained(t, data, "--label", "diagnosis", "--drop", "id", "--epochs", "1")
	_, rows, classes := rowsOf(t, data, "diagnosis", "id")
	held, err := modelfile.Read(model) // the model that the file should hold
	if err != nil {
		t.Fatal(err)
	}
	held.Program = modelfile.Program()
	r := rand.New(rand.NewPCG(5, 5))
	all, reported, kept := 0, 0, 0
	for round := range 22 {
		cmd, url, log := served(t, model, "--every", "7", "--no-access")
		stopped := round == 7 || round == 15
		end := make(chan struct{})
		go func() {
			<-end
			if stopped {
				_ = cmd.Process.Signal(os.Interrupt)
			} else {
				_ = cmd.Process.Kill()
			}
		}()
		for range 3 { // the load
			go func() {
				for {
					var p prediction
					if _, err := send(url+"/predict", map[string]any{"row": rows[0]}, &p); err != nil {
						return
					}
				}
			}()
		}
		var sent []int
		answered, saved := 0, 0
		for {
			if len(sent) == 10+5*round {
				close(end)
			}
			i := r.IntN(len(rows))
			sent = append(sent, i)
			var a struct{ Learned, Saved int }
			status, err := send(url+"/update", map[string]any{"row": rows[i], "class": classes[i]}, &a)
			if err != nil {
				break
			}
			if status != 200 || a.Learned != len(sent) || a.Saved < saved || a.Learned-a.Saved >= 7 {
				t.Fatalf("the answer to row %d is %d, %+v", len(sent), status, a)
			}
			answered, saved = a.Learned, a.Saved
		}
		if err := cmd.Wait(); (err == nil) != stopped {
			t.Fatalf("round %d: the server ended with %v: %s", round, err, read(t, log))
		}
		want := saved
		if stopped {
			want = answered
		}
		k := 0
		for ; k < len(sent) && (k < want || !equal(t, held, model)); k++ {
			update(t, held, rows[sent[k]].([]any), classes[sent[k]])
		}
		if !equal(t, held, model) {
			t.Fatalf("round %d: of %d rows, the file does not hold the first %d or more", round, len(sent), want)
		}
		all, reported, kept = all+len(sent), reported+saved, kept+k
	}
	t.Logf("%d rows sent, %d reported as saved, %d in the file", all, reported, kept)
}

// equal reports whether the file holds the model.
func equal(t *testing.T, f *modelfile.File, path string) bool {
	t.Helper()
	text, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	saved, err := modelfile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	saved.Program = f.Program // the one that trained the model, before the first save
	got, err := saved.Encode()
	return err == nil && string(got) == string(text)
}

// update teaches a row to a model, without the server.
func update(t *testing.T, f *modelfile.File, row []any, class string) {
	t.Helper()
	var x, z table.Vector
	if _, err := f.Schema.Encoder(false).Encode(&x, row); err != nil {
		t.Fatal(err)
	}
	z, err := f.Scaled(z, x)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Update(z, f.Labels()[f.Place(class)]); err != nil {
		t.Fatal(err)
	}
}

// TestServeForgets: a row far inside a class is learned as another within twice as many rows as trained the model. The
// mean then grows, up to 2,000 examples.
func TestServeForgets(t *testing.T) {
	for _, flags := range [][]string{{}, {"--rule", "margin"}, {"--algorithm", "onevsrest"}, {"--keep", "last"}} {
		f, err := modelfile.Read(trained(t, append([]string{"testdata/clouds.csv", "--waves", "0"}, flags...)...))
		if err != nil {
			t.Fatal(err)
		}
		n, row, wrong := 0, []any{-3.0, -3.0}, "+1"
		for ; n < 2*f.Data.Rows && class(t, f, row) != wrong; n++ {
			update(t, f, row, wrong)
		}
		if n == 0 || n == 2*f.Data.Rows {
			t.Errorf("%v: a wrong row took %d updates to learn, want at most %d", flags, n, 2*f.Data.Rows)
		}
		for range 5000 {
			update(t, f, row, wrong)
		}
		text, err := f.Encode()
		grown := strings.Contains(string(text), `"window":1000,`)
		if err != nil || grown != !slices.Contains(flags, "last") {
			t.Errorf("%v: after 5,000 rows the window is 1,000: %v, %v", flags, grown, err)
		}
	}
}

// TestContinueForgets: a training that continues with other rows learns them, even if they contradict the first.
func TestContinueForgets(t *testing.T) {
	clouds := read(t, "testdata/clouds.csv") + "0,0,+1\n0,0,-1\n" // so that the training makes all its epochs
	turned := create(t, "turned.csv", strings.NewReplacer("+1", "-1", ",-1\n", ",+1\n").Replace(clouds))
	model := trained(t, create(t, "clouds.csv", clouds), "--waves", "0")
	runs(t, "train", turned, "-m", model, "-o", model, "--epochs", "4")
	f, err := modelfile.Read(model)
	if err != nil {
		t.Fatal(err)
	}
	if got := class(t, f, []any{-3.0, -3.0}); got != "+1" {
		t.Errorf("a row far inside a class that is turned around is %s", got)
	}
}

// class returns the class that the model predicts for a row.
func class(t *testing.T, f *modelfile.File, row []any) string {
	t.Helper()
	p, err := f.Predictor()
	if err != nil {
		t.Fatal(err)
	}
	var x table.Vector
	if _, err := f.Schema.Encoder(false).Encode(&x, row); err != nil {
		t.Fatal(err)
	}
	k, err := p.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return f.Classes[k]
}

// TestServeSignals: a second server is refused, SIGHUP serves a new file, and a file that
// another program has replaced is not overwritten.
func TestServeSignals(t *testing.T) {
	data := create(t, "data.csv", tumours(100))
	flags := []string{data, "--label", "diagnosis", "--drop", "id", "--epochs", "1"}
	model := trained(t, flags...)
	_, rows, classes := rowsOf(t, data, "diagnosis", "id")
	cmd, url, log := served(t, model)
	if _, err := child(t, "serve", "-m", model, "--address", "127.0.0.1:0").Output(); err == nil || !strings.Contains(string(err.(*exec.ExitError).Stderr), "another server uses "+model) {
		t.Errorf("a second server: %v", err)
	}
	logs := func(words string) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for !strings.Contains(read(t, log), words) {
			if time.Now().After(deadline) {
				t.Fatalf("no %q in\n%s", words, read(t, log))
			}
		}
	}
	learn := func() {
		t.Helper()
		var a struct{ Learned int }
		if status, err := send(url+"/update", map[string]any{"row": rows[0], "class": classes[0]}, &a); status != 200 || err != nil || a.Learned != 1 {
			t.Fatal(status, a, err)
		}
	}
	learn()
	runs(t, append([]string{"train", "-o", model, "--algorithm", "margin"}, flags...)...)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	logs("the file is read")
	learn()
	runs(t, append([]string{"train", "-o", model, "--algorithm", "multiclass"}, flags...)...)
	replaced := read(t, model)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(read(t, log), "another program has replaced the file") || read(t, model) != replaced {
		t.Errorf("%v: %s", err, read(t, log))
	}
	aside, err := filepath.Glob(model + ".unsaved-*")
	if err != nil || len(aside) != 2 {
		t.Fatalf("%q, %v", aside, err)
	}
	for i, algorithm := range []string{"online", "margin"} {
		if out := runs(t, "inspect", "-m", aside[i]); !strings.Contains(out, algorithm) {
			t.Errorf("%s", out)
		}
	}
}
