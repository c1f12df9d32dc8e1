package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"sync"
	"sync/atomic"

	"perceptron"
)

// An online model learns one example at a time.
type online interface {
	perceptron.Model
	Update(x []float64, y int) (bool, error)
}

// A service has one model in training, and a copy of it to read. The copy is never
// changed, only replaced, so that readers never wait for the writer.
type service struct {
	config
	counts expvar.Map

	writer  sync.Mutex // held to learn and to save
	model   online
	learned int // examples since the start
	saved   int // of these, those that the file holds

	published atomic.Pointer[online]
}

// newService goes on with the model in the file, or begins one.
func newService(c config) (*service, error) {
	s := &service{config: c}
	begun, err := begin(c.kind)
	if err != nil {
		return nil, err
	}
	m, err := perceptron.Load(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.model = begun
		err = perceptron.Save(c.file, begun) // fails now, if it ever will
	case err == nil && fmt.Sprintf("%T", m) != fmt.Sprintf("%T", begun):
		err = fmt.Errorf("%s holds a %T, not a %T: choose another -file or -model", c.file, m, begun)
	case err == nil:
		s.model = m.(online)
	}
	if err != nil {
		return nil, err
	}
	s.publish()
	return s, nil
}

// begin returns an untrained model.
func begin(kind string) (online, error) {
	switch kind {
	case "online":
		return new(perceptron.Online), nil
	case "margin":
		return new(perceptron.Margin), nil
	case "onevsrest":
		return &perceptron.OneVsRest{Binary: new(perceptron.Margin)}, nil
	}
	return nil, fmt.Errorf("there is no model %q: want online, margin or onevsrest", kind)
}

// publish gives readers the model as it is.
func (s *service) publish() {
	var c online
	switch m := s.model.(type) {
	case *perceptron.Online:
		c = m.Clone()
	case *perceptron.Margin:
		c = m.Clone()
	case *perceptron.OneVsRest:
		c = m.Clone()
	}
	s.published.Store(&c)
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /update", s.update)
	mux.HandleFunc("POST /predict", s.predict)
	mux.HandleFunc("GET /model", s.show)
	mux.Handle("GET /debug/vars", expvar.Handler())
	return mux
}

// An example is what a request holds; Y is left out to predict.
type example struct {
	X []float64 `json:"x"`
	Y *int      `json:"y"`
}

// update learns one example, and tells whether that changed the weights, how many
// have been learned since the start, and how many of these no crash can undo.
func (s *service) update(w http.ResponseWriter, r *http.Request) {
	e, err := s.read(w, r)
	if err == nil && e.Y == nil {
		err = badRequest{"y is missing, want a label"}
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	var answer struct {
		Updated bool `json:"updated"`
		Learned int  `json:"learned"`
		Saved   int  `json:"saved"`
	}
	answer.Updated, answer.Learned, answer.Saved, err = s.learn(e.X, *e.Y)
	if err != nil {
		s.fail(w, err)
		return
	}
	s.counts.Add("updates", 1)
	s.answer(w, answer)
}

// learn learns an example, and saves the model when it is time. A save that fails
// is tried again with the next example.
func (s *service) learn(x []float64, y int) (updated bool, learned, saved int, err error) {
	s.writer.Lock()
	defer s.writer.Unlock()
	if updated, err = s.model.Update(x, y); err != nil {
		return false, s.learned, s.saved, err
	}
	s.learned++
	s.publish()
	if s.learned-s.saved >= s.every {
		if err := s.saveLocked(); err != nil {
			log.Print(err)
		}
	}
	return updated, s.learned, s.saved, nil
}

// save saves what is not saved yet.
func (s *service) save() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	return s.saveLocked()
}

func (s *service) saveLocked() error {
	if s.learned == s.saved {
		return nil
	}
	if err := perceptron.Save(s.file, s.model); err != nil {
		s.counts.Add("save errors", 1)
		return err
	}
	s.counts.Add("saves", 1)
	s.saved = s.learned
	return nil
}

// predict tells the label of one vector.
func (s *service) predict(w http.ResponseWriter, r *http.Request) {
	e, err := s.read(w, r)
	if err == nil && e.Y != nil {
		err = badRequest{"there is a y, which is for /update"}
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	var answer struct {
		Label int `json:"label"`
	}
	if answer.Label, err = (*s.published.Load()).Predict(e.X); err != nil {
		s.fail(w, err)
		return
	}
	s.counts.Add("predictions", 1)
	s.answer(w, answer)
}

// show tells the whole model, from which any program can predict, and Load go on.
func (s *service) show(w http.ResponseWriter, r *http.Request) { s.answer(w, *s.published.Load()) }

// read reads a request's body, which is one example and nothing else.
func (s *service) read(w http.ResponseWriter, r *http.Request) (example, error) {
	var e example
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.body))
	if err != nil {
		return e, err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, badRequest{err.Error()}
	}
	switch {
	case len(bytes.TrimSpace(body[d.InputOffset():])) > 0:
		return e, badRequest{"there is something behind the example"}
	case bytes.Contains(body, []byte("null")): // which encoding/json takes for 0
		return e, badRequest{"there is a null, want numbers"}
	}
	return e, nil
}

// A badRequest is an error of the client's.
type badRequest struct{ text string }

func (e badRequest) Error() string { return e.text }

// fail tells what is wrong, and whose fault it is.
func (s *service) fail(w http.ResponseWriter, err error) {
	s.counts.Add("errors", 1)
	http.Error(w, err.Error(), status(err))
}

func status(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, perceptron.ErrUntrained):
		return http.StatusConflict
	case errors.Is(err, perceptron.ErrConfig):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

func (s *service) answer(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n')) // a client that has gone is no error
}
