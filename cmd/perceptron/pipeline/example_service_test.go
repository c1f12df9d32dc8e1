package pipeline_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"perceptron/cmd/perceptron/pipeline"
)

// A service has a model. Requests read it, and reload replaces it.
type service struct {
	file  string
	model atomic.Pointer[pipeline.Predictor]
}

// reload reads the file again, while requests go on. A bad file leaves the model as it is.
func (s *service) reload() error {
	p, err := pipeline.Load(s.file)
	if err == nil {
		s.model.Store(p)
	}
	return err
}

// ServeHTTP answers with the class of the message.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	class, err := s.model.Load().Predict(map[string]string{"message": r.FormValue("message")})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, class)
}

// A mail filter as a service. The model is that of
//
//	perceptron train messages.csv --text message --hash 10 --holdout 0.2 -o messages.perceptron
//
// A real program would call [http.ListenAndServe], and reload after [syscall.SIGHUP].
func Example_service() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	s := &service{file: filepath.Join(folder, "model.perceptron")}
	copyTo(s.file, "testdata/messages.perceptron")
	if err := s.reload(); err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	fmt.Print(ask(server.URL, "claim your prize now"))
	fmt.Print(ask(server.URL, "Thanks, see you at lunch."))

	copyTo(s.file, "testdata/churn.csv") // somebody copies a wrong file
	fmt.Println(s.reload() != nil)
	fmt.Print(ask(server.URL, "claim your prize now"))
	copyTo(s.file, "testdata/churn.perceptron") // a model of other columns
	fmt.Println(s.reload())
	fmt.Print(ask(server.URL, "claim your prize now"))
	// Output:
	// spam
	// ham
	// true
	// spam
	// <nil>
	// no column "age"; the columns are "message"
}

func ask(address, message string) string {
	r, err := http.PostForm(address, url.Values{"message": {message}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}

func copyTo(path, from string) {
	text, err := os.ReadFile(from)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		log.Fatal(err)
	}
}
