package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"perceptron"
)

//go:embed openapi.yaml
var description []byte

// handler returns the handler of all requests.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /update", s.update)
	mux.HandleFunc("POST /predict", s.predict)
	mux.HandleFunc("GET /model", s.show)
	mux.HandleFunc("GET /healthz", s.healthy)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", s.metrics.handler())
	mux.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(description)
	})
	// Without this protection, any web page in a local browser could train the model.
	protect := http.NewCrossOriginProtection()
	protect.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusForbidden, "a browser sent this request for another site's page")
	}))
	return s.observe(mux, protect.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			reject(w, r, mux)
			return
		}
		mux.ServeHTTP(w, r)
	})))
}

// reject answers a request for which there is no handler. The mux selects the status.
func reject(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	unsent := &recorder{ResponseWriter: discard{}}
	mux.ServeHTTP(unsent, r)
	if unsent.status == http.StatusMethodNotAllowed {
		allowed := unsent.Header().Get("Allow")
		w.Header().Set("Allow", allowed)
		fail(w, unsent.status, fmt.Sprintf("method %s is not allowed here; use %s", r.Method, allowed))
		return
	}
	fail(w, http.StatusNotFound, "there is no such path; see /openapi.yaml")
}

// discard is an answer that is not sent.
type discard http.Header

func (d discard) Header() http.Header         { return http.Header(d) }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// update learns one example.
func (s *service) update(w http.ResponseWriter, r *http.Request) {
	q, release, err := s.read(w, r)
	defer release()
	switch {
	case err == nil && q.Rows != nil:
		err = badRequest{"rows are not allowed here: send one x and its y"}
	case err == nil && q.Y == nil:
		err = badRequest{"y is missing, want a label"}
	}
	if err != nil {
		s.failed(w, err)
		return
	}
	l, err := s.learn(q.X, *q.Y)
	if err != nil {
		s.failed(w, err)
		return
	}
	answer(w, l.version, l)
}

// predict answers with the label of one vector, or with the labels of a batch.
func (s *service) predict(w http.ResponseWriter, r *http.Request) {
	q, release, err := s.read(w, r)
	defer release()
	if err == nil && q.Y != nil {
		err = badRequest{"y is not allowed here: use /update to learn"}
	}
	scores := false
	switch text := r.URL.Query().Get("scores"); {
	case text == "true":
		scores = true
	case text != "" && text != "false":
		err = errors.Join(err, badRequest{"scores is neither true nor false"})
	}
	if err != nil {
		s.failed(w, err)
		return
	}
	c := s.published.Load()
	one, rows := q.Rows == nil, q.Rows
	if one {
		rows = [][]float64{q.X}
	}
	p, err := c.predict(rows, scores)
	if err != nil {
		var row *perceptron.ExampleError
		if one && errors.As(err, &row) {
			err = row.Err
		}
		s.failed(w, err)
		return
	}
	if one {
		answer(w, c.version, p.first())
		return
	}
	answer(w, c.version, p)
}

// predictions is the answer to a batch. Of a model with two classes, only +1 has a
// score.
type predictions struct {
	Labels  []int       `json:"labels"`
	Classes []int       `json:"classes,omitempty"` // of the scores
	Scores  [][]float64 `json:"scores,omitempty"`
}

// A single prediction is the answer to one vector.
type single struct {
	Label   int       `json:"label"`
	Classes []int     `json:"classes,omitempty"`
	Scores  []float64 `json:"scores,omitempty"`
}

// first returns the answer for the first row.
func (p predictions) first() single {
	one := single{Label: p.Labels[0], Classes: p.Classes}
	if p.Scores != nil {
		one.Scores = p.Scores[0]
	}
	return one
}

// predict predicts every row.
func (c *snapshot) predict(rows [][]float64, scores bool) (predictions, error) {
	p := predictions{Labels: make([]int, len(rows))}
	for i, x := range rows {
		label, err := c.model.Predict(x)
		if err != nil {
			return p, &perceptron.ExampleError{Index: i, Err: err}
		}
		p.Labels[i] = label
		if !scores {
			continue
		}
		var row []float64
		switch m := c.model.(type) {
		case interface {
			Classes() []int
			Scores(dst, x []float64) ([]float64, error)
		}:
			p.Classes = m.Classes()
			row, err = m.Scores(nil, x)
		case interface {
			Score(x []float64) (float64, error)
		}:
			p.Classes, row = []int{+1}, make([]float64, 1)
			row[0], err = m.Score(x)
		}
		if err != nil {
			return p, &perceptron.ExampleError{Index: i, Err: err}
		}
		p.Scores = append(p.Scores, row)
	}
	return p, nil
}

// show answers with the whole model. A client that has it already sends its ETag in
// If-None-Match, and gets status 304.
func (s *service) show(w http.ResponseWriter, r *http.Request) {
	c := s.published.Load()
	text, err := json.Marshal(c.model)
	if err != nil {
		s.failed(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", `"`+c.version+`"`)
	w.Header().Set("Model-Version", c.version)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(append(text, '\n')))
}

// healthy answers that the process runs.
func (s *service) healthy(w http.ResponseWriter, _ *http.Request) {
	answer(w, "", map[string]string{"status": "ok"})
}

// ready answers whether the service accepts requests. It does until it is stopped.
func (s *service) ready(w http.ResponseWriter, _ *http.Request) {
	if s.draining.Load() {
		fail(w, http.StatusServiceUnavailable, "the server is stopping")
		return
	}
	answer(w, "", map[string]string{"status": "ready"})
}

// failed answers with an error and its status.
func (s *service) failed(w http.ResponseWriter, err error) {
	code := status(err)
	switch code {
	case http.StatusRequestEntityTooLarge:
		err = fmt.Errorf("the body has more than %d bytes", s.body)
	case http.StatusRequestTimeout:
		err = errors.New("the body arrived too slowly")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	fail(w, code, strings.TrimPrefix(err.Error(), "perceptron: "))
}

// status returns the HTTP status for an error.
func status(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	case errors.Is(err, perceptron.ErrUntrained):
		return http.StatusConflict
	case errors.Is(err, perceptron.ErrConfig):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// fail answers with an error.
func fail(w http.ResponseWriter, status int, message string) {
	text, _ := json.Marshal(map[string]string{"error": message})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}

// answer writes v as JSON. The version, if any, is that of the model that was used.
func answer(w http.ResponseWriter, version string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	if version != "" {
		w.Header().Set("Model-Version", version)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}
