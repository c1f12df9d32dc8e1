package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"perceptron"
)

// start serves a new model and returns the service and its URL.
func start(t testing.TB, kind string, every int) (*service, string) {
	t.Helper()
	s, err := newService(config{file: filepath.Join(t.TempDir(), "model"), kind: kind, every: every,
		body: 4096, bodies: 1 << 20, log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
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

// row draws a random row. Its label is the sign of its first feature.
func row(r *rand.Rand) ([]float64, int) {
	x := make([]float64, 20)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	if x[0] < 0 {
		return x, -1
	}
	return x, 1
}

// body returns the body of a request to /update.
func body(x []float64, y int) string {
	text, _ := json.Marshal(map[string]any{"x": x, "y": y})
	return string(text)
}

// query returns the body of a request to /predict.
func query(x []float64) string {
	text, _ := json.Marshal(map[string]any{"x": x})
	return string(text)
}

// TestRequests checks the answer to every kind of request, and that a bad request does
// not change the model.
func TestRequests(t *testing.T) {
	for _, kind := range []string{"online", "margin", "onevsrest", "multiclass"} {
		s, url := start(t, kind, 2)
		for _, c := range []struct {
			path, body string
			status     int
			text       string
		}{
			{"/predict", `{"x":[1,2]}`, 409, `{"error":"untrained model`},
			// The only class has no rival: Multiclass learns nothing yet.
			{"/update", `{"x":[1,2],"y":1}`, 200, fmt.Sprintf(`{"updated":%t,"learned":1,"saved":0}`, kind != "multiclass")},
			{"/update", `{"x":[-1,-2],"y":-1}`, 200, `,"learned":2,"saved":2}`},
			{"/predict", ` {"x":[1,2]} `, 200, `{"label":1}`},
			{"/predict", `{"x":[-3,-2]}`, 200, `{"label":-1}`},
			{"/predict", `{"rows":[[1,2],[-3,-2],[2,1]]}`, 200, `{"labels":[1,-1,1]}`},
			{"/predict", `{"rows":[]}`, 200, `{"labels":[]}`},
			{"/predict", `{"rows":[[1,2],[1]]}`, 400, `{"error":"example 1: dimension mismatch`},
			{"/predict", `{"rows":[[1,2]],"x":[1,2]}`, 400, "want exactly one x or rows"},
			{"/update", `{"rows":[[1,2]],"y":1}`, 400, "rows are not allowed here"},
			{"/predict?scores=1", `{"x":[1,2]}`, 400, "scores is neither true nor false"},
			{"/predict", `{"x":[1,2,3]}`, 400, `{"error":"dimension mismatch`},
			{"/update", `{"x":[1,2,3],"y":1}`, 400, `{"error":"dimension mismatch`},
			{"/update", `{"x":[],"y":1}`, 400, `{"error":"empty`},
			{"/update", `{"x":[1,1e999],"y":1}`, 400, `{"error":"number 1e999 at byte 13: want a finite number"}`},
			{"/update", `{"x":[1e308,1e308],"y":1}`, 400, `{"error":"not finite`},
			{"/update", `{"x":[1,null],"y":1}`, 400, "null is not a number"},
			{"/update", `{"x":[1,2]}`, 400, "y is missing, want a label"},
			{"/update", `{"y":1}`, 400, "want exactly one x or rows, and at most one y, in lower case"},
			{"/update", `{"x":[1,2],"x":[2,1],"y":1}`, 400, "want exactly one x"},
			{"/update", `{"x":[1,2],"y":1,"y":-1}`, 400, "want exactly one x"},
			{"/update", `{"x":[1,2],"Y":1}`, 400, "want exactly one x"},
			{"/update", `{"X":[1,2],"y":1}`, 400, "want exactly one x"},
			{"/update", `{"x":[1,2],"\u0079":1}`, 400, "want exactly one x"},
			{"/update", `{"x":[1,2],"y":0.5}`, 400, `{"error":"number 0.5 at byte 18: want a whole number"}`},
			{"/update", `{"x":[1,2],"y":1}{}`, 400, "trailing data after the object"},
			{"/update", `{"x":[1,2],"y":1,"z":0}`, 400, `{"error":"unknown field \"z\"; want x, y or rows"}`},
			{"/update", `{"x":[1,2`, 400, `{"error":"the body is not JSON: it ends too early"}`},
			{"/update", ``, 400, `{"error":"the body is empty"}`},
			{"/update", `[1,2]`, 400, `{"error":"array at byte 1: want an object"}`},
			{"/update", `{"x":1,"y":1}`, 400, `{"error":"number at byte 6: want an array of numbers"}`},
			{"/update", `{"x":[1,2],"y":}`, 400, `{"error":"the body is not JSON: at byte 16: invalid character`},
			{"/update", `{"x":[` + strings.Repeat("0,", 4096) + `0],"y":1}`, 413, `{"error":"the body has more than 4096 bytes"}`},
			{"/predict", `{"x":[1,2],"y":1}`, 400, "y is not allowed here: use /update to learn"},
			{"/model", ``, 405, `{"error":"method POST is not allowed here; use GET, HEAD"}`},
			{"/elsewhere", ``, 404, `{"error":"there is no such path; see /openapi.yaml"}`},
		} {
			status, text := post(t, url+c.path, c.body)
			if status != c.status || !strings.Contains(text, c.text) {
				t.Errorf("%s: %s %.60s: %d %s, want %d %s", kind, c.path, c.body, status, text, c.status, c.text)
			}
		}
		if s.learned != 2 {
			t.Errorf("%s: %d examples learned", kind, s.learned)
		}
		if kind == "onevsrest" || kind == "multiclass" {
			continue
		}
		if status, text := post(t, url+"/update", `{"x":[1,2],"y":7}`); status != 400 || !strings.HasPrefix(text, `{"error":"bad label: 7`) {
			t.Errorf("%s: %d %s", kind, status, text)
		}
	}
}

// TestRefused: the service rejects a body that arrives too slowly, and a request from
// another site's page.
func TestRefused(t *testing.T) {
	s, _ := start(t, "online", 2)
	slow := httptest.NewRequest("POST", "/update", iotest.ErrReader(os.ErrDeadlineExceeded))
	foreign := httptest.NewRequest("POST", "/update", strings.NewReader(`{"x":[1,2],"y":1}`))
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	for want, r := range map[int]*http.Request{http.StatusRequestTimeout: slow, http.StatusForbidden: foreign} {
		w := httptest.NewRecorder()
		if s.handler().ServeHTTP(w, r); w.Code != want || s.learned != 0 {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
	}
}

// TestLoad: many clients send examples at the same time, and some send bad requests.
// The final model is bit-identical to one trained on the examples in the order of the
// answers. Every model read in the meantime is valid.
func TestLoad(t *testing.T) {
	s, url := start(t, "margin", 100)
	const clients, each = 8, 60
	examples := make([]string, clients*each+1) // in the order of learning
	var clientsDone, readersDone sync.WaitGroup
	done := make(chan struct{})
	var mu sync.Mutex
	for c := range clients {
		clientsDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 1))
			for i := range each {
				x, y := row(r)
				sent := body(x, y)
				status, text := post(t, url+"/update", sent)
				var a struct{ Learned, Saved int }
				if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil || a.Learned-a.Saved >= 100 {
					t.Errorf("%d %s %v", status, text, err)
					return
				}
				mu.Lock()
				examples[a.Learned] = sent
				mu.Unlock()
				if i%5 == 0 {
					if status, _ := post(t, url+"/update", sent[:len(sent)/2]); status != 400 {
						t.Errorf("half an example: %d", status)
					}
				}
			}
		})
	}
	for c := range 4 {
		readersDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 2))
			for {
				select {
				case <-done:
					return
				default:
				}
				x, _ := row(r)
				if status, text := post(t, url+"/predict", query(x)); status != 200 && status != 409 {
					t.Errorf("%d %s", status, text)
				}
				var m perceptron.Margin
				if err := m.UnmarshalJSON(get(t, url+"/model")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clientsDone.Wait()
	close(done)
	readersDone.Wait()
	replayed := new(perceptron.Margin)
	for _, sent := range examples[1:] {
		learn(t, replayed, sent)
	}
	var got perceptron.Margin
	if err := got.UnmarshalJSON(get(t, url+"/model")); err != nil || !same(t, &got, replayed) {
		t.Errorf("the model differs from one trained on the same examples: %v", err)
	}
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	if m, err := perceptron.Load(s.file); err != nil || !same(t, m, replayed) {
		t.Errorf("the file does not hold the model: %v", err)
	}
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
	return bytes.TrimSpace(text)
}

// learn trains a model on the body of a request.
func learn(t *testing.T, m online, sent string) {
	t.Helper()
	var e request
	if err := json.Unmarshal([]byte(sent), &e); err != nil {
		t.Fatalf("%q: %v", sent, err)
	}
	if _, err := m.Update(e.X, *e.Y); err != nil {
		t.Fatal(err)
	}
}

// same reports whether two models have the same complete state.
func same(t *testing.T, a, b perceptron.Model) bool {
	t.Helper()
	var data [2][]byte
	for i, m := range []perceptron.Model{a, b} {
		var err error
		if data[i], err = m.(encoding.BinaryMarshaler).MarshalBinary(); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Equal(data[0], data[1])
}

// TestReaders: readers get answers while the writer is busy.
func TestReaders(t *testing.T) {
	s, url := start(t, "online", 10)
	post(t, url+"/update", `{"x":[1],"y":1}`)
	s.writer.Lock()
	defer s.writer.Unlock()
	if status, text := post(t, url+"/predict", `{"x":[2]}`); status != 200 || text != "{\"label\":1}\n" {
		t.Errorf("%d %s", status, text)
	}
	get(t, url+"/model")
	get(t, url+"/metrics")
}

// TestKinds: after a restart, the file is that of a model of the same kind and no other.
func TestKinds(t *testing.T) {
	kinds := []string{"online", "margin", "onevsrest", "multiclass"}
	for _, kind := range kinds {
		s, url := start(t, kind, 1)
		post(t, url+"/update", `{"x":[1],"y":1}`)
		post(t, url+"/update", `{"x":[-1],"y":-1}`)
		for _, other := range kinds {
			c := s.config
			c.kind = other
			again, err := newService(c)
			if (err == nil) != (other == kind) {
				t.Errorf("%s as %s: %v", kind, other, err)
				continue
			}
			if err == nil {
				if label, err := again.published.Load().model.Predict([]float64{-2}); err != nil || label != -1 {
					t.Errorf("%s: %d, %v, want -1", kind, label, err)
				}
			}
		}
	}
}

// TestBegin: the service does not start with a bad file or an unknown model.
func TestBegin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(file+".bad", []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := perceptron.Save(file, new(perceptron.Batch)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []config{
		{file: file, kind: "online"}, {file: file + ".bad", kind: "margin"}, {file: file + "/under", kind: "margin"},
		{file: file + ".none", kind: "batch"}, {file: filepath.Join(file+".none", "none"), kind: "margin"},
	} {
		if _, err := newService(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
