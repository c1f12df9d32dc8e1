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
	"os"
	"sync"
	"sync/atomic"

	"perceptron"
)

// An online model learns one example at a time.
type online interface {
	perceptron.Model
	Update(x []float64, y int) (bool, error)
}

// A service holds one model in training and a copy of it for readers. The copy never
// changes; each example replaces it. So readers never wait for the writer.
type service struct {
	config
	counts expvar.Map

	writer  sync.Mutex // protects the next three fields
	model   online
	learned int // examples learned since the start
	saved   int // how many of them are in the file

	published atomic.Pointer[online] // the copy for readers
}

// newService loads the model from the file. If there is no file, it creates one with an
// untrained model.
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
		err = perceptron.Save(c.file, begun) // report now if the file cannot be written
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
	return nil, fmt.Errorf("unknown model %q: want online, margin or onevsrest", kind)
}

// publish replaces the copy for readers. The caller must hold s.writer, except before
// the service starts.
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

// handler returns the handler of all requests.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /update", s.update)
	mux.HandleFunc("POST /predict", s.predict)
	mux.HandleFunc("GET /model", s.show)
	mux.Handle("GET /debug/vars", expvar.Handler())
	// Without this protection, any web page in a local browser could train the model.
	return http.NewCrossOriginProtection().Handler(mux)
}

// An example is the body of a request. Y is absent in a request to predict.
type example struct {
	X []float64 `json:"x"`
	Y *int      `json:"y"`
}

// update learns one example. The answer says whether the weights changed, how many
// examples were learned since the start, and how many of them are saved.
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

// learn learns an example and saves the model if s.every examples are unsaved. If a
// save fails, the next example tries again.
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

// save saves the model if it has changed since the last save.
func (s *service) save() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	return s.saveLocked()
}

// saveLocked is save for a caller that holds s.writer.
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

// predict answers with the label of one vector.
func (s *service) predict(w http.ResponseWriter, r *http.Request) {
	e, err := s.read(w, r)
	if err == nil && e.Y != nil {
		err = badRequest{"y is not allowed here: use /update to learn"}
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

// show answers with the whole model.
func (s *service) show(w http.ResponseWriter, r *http.Request) { s.answer(w, *s.published.Load()) }

// read reads the body of a request, which must be exactly one example.
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
	// encoding/json is too lenient here: it accepts duplicate keys, keys in upper case,
	// and null for 0. The only strings in a decoded example are its keys, so counting
	// them in the text is enough.
	count := func(part string) int { return bytes.Count(body, []byte(part)) }
	x, y := count(`"x"`), count(`"y"`)
	switch {
	case len(bytes.TrimSpace(body[d.InputOffset():])) > 0:
		return e, badRequest{"trailing data after the example"}
	case count("null") > 0:
		return e, badRequest{"null is not a number"}
	case x != 1 || y > 1 || count(`"`) != 2*(x+y):
		return e, badRequest{"want exactly one x and at most one y, both in lower case"}
	}
	return e, nil
}

// A badRequest is an error in the request.
type badRequest struct{ text string }

func (e badRequest) Error() string { return e.text }

// fail answers with the error and its status.
func (s *service) fail(w http.ResponseWriter, err error) {
	s.counts.Add("errors", 1)
	http.Error(w, err.Error(), status(err))
}

// status returns the HTTP status for an error.
func status(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	case errors.Is(err, perceptron.ErrUntrained):
		return http.StatusConflict
	case errors.Is(err, perceptron.ErrConfig):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// answer writes v as JSON.
func (s *service) answer(w http.ResponseWriter, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}
