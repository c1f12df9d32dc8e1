// Serve shows the rules of concurrency in a small service: any number of goroutines
// predict, one at a time learns, and Save waits for none of them.
//
//	go -C examples/serve run .
//	curl -d '{"x": [0.5, 2], "label": "up"}' http://127.0.0.1:8080/update
//	curl -d '{"x": [0.5, 2]}' http://127.0.0.1:8080/predict
//
// Rows are used as they are (Raw), because one row gives no scaling. If the features differ in size, call
// Learn or Fit with the first rows, or set Scaling: then Update scales each row.
//
// A service for real use, which does so, is the command: perceptron serve. A program that only
// predicts can load a model of the command with the command's package pipeline. That package has an
// example of a service, which also reloads the model.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"perceptron"
)

// A service has a model in training, and a copy of it for readers. To copy a large model takes far
// longer than an update. So a new copy is published only after some examples, or after some time.
// The zero value publishes a copy after each example.
type service[R perceptron.Row] struct {
	examples int           // publish a copy after this number of examples
	delay    time.Duration // publish a copy at the latest this long after an example

	writer  sync.Mutex // training requires exclusive use of the model
	model   perceptron.Classifier[R]
	pending int                                      // examples learned since the last copy
	timer   *time.Timer                              // publishes a copy when delay has passed
	copy    atomic.Pointer[perceptron.Classifier[R]] // never changes, so readers need no lock
}

// learn learns one example.
func (s *service[R]) learn(x R, label string) (bool, error) {
	if label == "" {
		return false, errors.New("no label")
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	updated, err := s.model.Update(x, label)
	if err != nil {
		return false, err
	}
	if s.pending++; s.pending >= s.examples {
		s.publish()
	} else if s.pending == 1 {
		s.timer = time.AfterFunc(s.delay, s.flush)
	}
	return updated, nil
}

// publish makes a copy for readers. The caller must hold s.writer.
func (s *service[R]) publish() {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.pending = 0
	s.copy.Store(s.model.Clone())
}

// flush publishes a copy that has all examples learned so far.
func (s *service[R]) flush() {
	s.writer.Lock()
	defer s.writer.Unlock()
	s.publish()
}

// handler answers /update and /predict.
func (s *service[R]) handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(path string, answer func(x R, label string) (any, error)) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				X     R
				Label string
			}
			err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q)
			var a any
			if err == nil {
				a, err = answer(q.X, q.Label)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_ = json.NewEncoder(w).Encode(a)
		})
	}
	handle("/update", func(x R, label string) (any, error) { return s.learn(x, label) })
	handle("/predict", func(x R, _ string) (any, error) { return s.copy.Load().Predict(x) })
	return mux
}

func main() {
	const file = "model.classifier"
	s := new(service[[]float64])
	s.model.Raw = true
	flag.IntVar(&s.examples, "examples", 1000, "publish the model after so many examples")
	flag.DurationVar(&s.delay, "delay", 100*time.Millisecond, "publish each example after this time at the latest")
	flag.Parse()
	if err := s.model.Load(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		log.Fatal(err)
	}
	s.copy.Store(s.model.Clone())
	server := &http.Server{Addr: "127.0.0.1:8080", Handler: s.handler()}
	log.Print("listening on http://", server.Addr)
	go func() { log.Print(server.ListenAndServe()) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	<-ctx.Done()
	if err := server.Shutdown(context.Background()); err != nil {
		log.Print(err)
	}
	s.flush()
	if err := s.copy.Load().Save(file); err != nil { // saving the copy needs no lock
		log.Fatal(err)
	}
}
