// Serve shows the rules of concurrency in a small service: any number of goroutines
// predict, one at a time learns, and Save waits for none of them.
//
//	go -C examples/serve run .
//	curl -d '{"x": [0.5, 2], "label": "up"}' http://127.0.0.1:8080/update
//	curl -d '{"x": [0.5, 2]}' http://127.0.0.1:8080/predict
//
// A service for real use, which scales the rows, is the command: perceptron serve.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"

	"perceptron"
)

type classifier = perceptron.Classifier[[]float64]

// A service has a model in training, and a copy for readers.
type service struct {
	writer sync.Mutex // training requires exclusive use of the model
	model  classifier
	copy   atomic.Pointer[classifier] // never changes, so readers need no lock
}

// learn learns one example and publishes a new copy.
func (s *service) learn(x []float64, label string) (bool, error) {
	if label == "" {
		return false, errors.New("no label")
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	updated, err := s.model.Update(x, label)
	s.copy.Store(s.model.Clone())
	return updated, err
}

// handler answers /update and /predict.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(path string, answer func(x []float64, label string) (any, error)) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				X     []float64
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
	handle("/update", func(x []float64, label string) (any, error) { return s.learn(x, label) })
	handle("/predict", func(x []float64, _ string) (any, error) { return s.copy.Load().Predict(x) })
	return mux
}

func main() {
	const file = "model.perceptron"
	s := new(service)
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
	if err := s.copy.Load().Save(file); err != nil { // the copy: a save needs no lock either
		log.Fatal(err)
	}
}
