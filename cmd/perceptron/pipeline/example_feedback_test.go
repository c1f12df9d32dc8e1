package pipeline_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"perceptron/cmd/perceptron/pipeline"
)

// A filter is a model that answers while it is trained, and learns from feedback.
type filter struct {
	model atomic.Pointer[pipeline.Predictor] // never changes: requests need no lock

	writer   sync.Mutex
	feedback [][2]string // messages with their kinds, since the table was written
}

// train trains a new model on the table, while requests go on. The model then learns the feedback again, also what
// came meanwhile, and replaces the old one.
func (f *filter) train(ctx context.Context, table string) error {
	in, err := os.Open(table)
	if err != nil {
		return err
	}
	defer in.Close()
	// The last weights predict, because a row of feedback changes an average of so many little.
	p, _, err := pipeline.Train(ctx, in, pipeline.Options{Text: []string{"message"}, Holdout: 0.2, Keep: "last"})
	if err != nil {
		return err
	}
	f.writer.Lock()
	defer f.writer.Unlock()
	for _, row := range f.feedback {
		if p, err = p.Continue(row[:1], row[1]); err != nil {
			return err
		}
	}
	f.model.Store(p)
	return nil
}

// learn learns one row, and publishes the model after it. One goroutine at a time does so.
func (f *filter) learn(message, kind string) error {
	f.writer.Lock()
	defer f.writer.Unlock()
	p, err := f.model.Load().Continue([]string{message}, kind)
	if err == nil {
		f.feedback = append(f.feedback, [2]string{message, kind})
		f.model.Store(p)
	}
	return err
}

// ServeHTTP answers with the kind of a message, or learns it if the request has its kind.
func (f *filter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	message, kind := r.FormValue("message"), r.FormValue("kind")
	var err error
	if kind == "" {
		kind, err = f.model.Load().PredictRecord([]string{message})
	} else {
		err = f.learn(message, kind)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, kind)
}

// A mail filter that learns: it trains in the background, swaps the pointer to its model, and learns from feedback.
func Example_feedback() {
	f := new(filter)
	check(f.train(context.Background(), "testdata/messages.csv"))
	server := httptest.NewServer(f)
	defer server.Close()
	fmt.Print(ask(server.URL, "lunch is free tomorrow"))
	for range 3 {
		tell(server.URL, "lunch is free tomorrow", "ham")
	}
	fmt.Print(ask(server.URL, "lunch is free tomorrow"))

	trained := make(chan error)
	go func() { trained <- f.train(context.Background(), "testdata/messages.csv") }() // each night, say
	tell(server.URL, "your account wins a cruise", "spam")
	check(<-trained)
	fmt.Print(ask(server.URL, "lunch is free tomorrow"))
	fmt.Print(ask(server.URL, "your account wins a cruise"))
	// Output:
	// spam
	// ham
	// ham
	// spam
}

// tell sends feedback.
func tell(address, message, kind string) {
	r, err := http.Post(address, "application/x-www-form-urlencoded", strings.NewReader(url.Values{"message": {message}, "kind": {kind}}.Encode()))
	check(err)
	check(r.Body.Close())
}
