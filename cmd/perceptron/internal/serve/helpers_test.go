package serve

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// kinds has a model of every type that learns row by row.
var kinds = map[string]func() perceptron.Model{
	"online":    func() perceptron.Model { return new(perceptron.Online) },
	"average":   func() perceptron.Model { return &perceptron.Online{Keep: perceptron.Average} },
	"margin":    func() perceptron.Model { return new(perceptron.Margin) },
	"onevsrest": func() perceptron.Model { return &perceptron.OneVsRest{Binary: &perceptron.Margin{}} },
	"multiclass": func() perceptron.Model {
		return &perceptron.Multiclass{Binary: &perceptron.Online{Keep: perceptron.Average}}
	},
}

// batches has models that do not.
var batches = map[string]func() perceptron.Model{
	"batch":   func() perceptron.Model { return new(perceptron.Batch) },
	"batches": func() perceptron.Model { return &perceptron.OneVsRest{Binary: new(perceptron.Batch)} },
}

// columns are those of the models in these tests. Colour becomes two features.
var columns = []table.Column{{Name: "height"}, {Name: "weight", Position: 1}, {Name: "colour", Position: 2, Categories: []string{"blue", "red"}}}

// draw draws a row, and its features.
func draw(r *rand.Rand) (row string, x []float64) {
	h, w, red := r.NormFloat64(), 100*r.NormFloat64(), r.IntN(2)
	colour := columns[2].Categories[red]
	row = fmt.Sprintf(`{"weight":%v,"height":%v,"colour":%q}`, w, h, colour)
	if r.IntN(2) == 0 {
		row = fmt.Sprintf(`[%v,%v,%q]`, h, w, colour)
	}
	return row, []float64{h, w, float64(1 - red), float64(red)}
}

// class returns the class of features, as an index.
func class(x []float64, classes int) int { return min(max(int(x[0]+x[1]/100+x[3]+1), 0), classes-1) }

// example returns a model of the kind, trained on a few rows.
func example(t testing.TB, kind string, missing string) *modelfile.File {
	t.Helper()
	begin := kinds[kind]
	if begin == nil {
		begin = batches[kind]
	}
	m := begin()
	f := &modelfile.File{Model: m, Details: modelfile.Details{Program: "test", Classes: []string{"low", "top"},
		Data:   modelfile.Data{File: "t.csv", Rows: 20},
		Schema: table.Schema{Named: true, Width: 4, Label: table.Column{Name: "y", Position: 3}, Missing: missing, Columns: columns}}}
	if !modelfile.IsTwo(m) {
		f.Classes = []string{"1", "2", "3.0"}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var X [][]float64
	var y []int
	for range f.Data.Rows {
		_, x := draw(r)
		X, y = append(X, x), append(y, f.Labels()[class(x, len(f.Classes))])
	}
	var err error
	if f.Scaling, err = perceptron.Standardize(X); err != nil {
		t.Fatal(err)
	}
	scaled, err := f.Scaling.ApplyAll(X)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fit(scaled, y); err != nil {
		t.Fatal(err)
	}
	if missing == table.MissingMean {
		f.Fill = f.Scaling.Mean
	}
	return f
}

// config returns the Config of a service in a new folder.
func config(t testing.TB, f *modelfile.File) Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model")
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	return Config{Model: path, Address: "127.0.0.1:0", Every: 1000, Body: 4096, Bodies: 1 << 20, Unknown: "error", Access: true}
}

// begin returns a service.
func begin(t testing.TB, c Config) *service {
	t.Helper()
	s, err := newService(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start serves a model and returns the service and its URL.
func start(t testing.TB, kind, missing string) (*service, string) {
	t.Helper()
	s := begin(t, config(t, example(t, kind, missing)))
	server := httptest.NewServer(s.handler())
	t.Cleanup(server.Close)
	return s, server.URL
}

// post returns the status and body of an answer.
func post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// get returns the body of an answer with status 200.
func get(t testing.TB, url string) []byte {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r.Status, err)
	}
	return text
}

// red and blue are rows whose classes are far from each other.
const red, blue = `{"height":3,"weight":300,"colour":"red"}`, `[-3,-300,"blue"]`

// local returns a request for this machine.
func local(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	return r
}

// record returns the answer of a service.
func record(s *service, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, r)
	return w
}
