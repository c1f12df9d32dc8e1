package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"perceptron"
)

// handler returns the handler of all requests.
func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /update", s.update)
	mux.HandleFunc("POST /predict", s.predict)
	mux.HandleFunc("GET /model", s.show)
	mux.HandleFunc("GET /healthz", s.healthy)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", s.metrics.handler())
	mux.HandleFunc("GET /openapi.yaml", s.describe)
	// Without this protection, any web page in a local browser could train the model.
	protect := http.NewCrossOriginProtection()
	protect.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusForbidden, "a browser sent this request for another site's page")
	}))
	return s.observe(mux, protect.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.known(r) {
			fail(w, http.StatusMisdirectedRequest, fmt.Sprintf("the host %q is not this server; --host adds it", r.Host))
		} else if _, pattern := mux.Handler(r); pattern == "" {
			reject(w, r, mux)
		} else if err := parameters(r); err != nil {
			s.failed(w, err)
		} else {
			mux.ServeHTTP(w, r)
		}
	})))
}

// known reports whether the request names a host that is this server. A web page whose
// own name leads to this machine (DNS rebinding) names another one.
func (s *service) known(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	here, _, _ := net.SplitHostPort(fmt.Sprint(r.Context().Value(http.LocalAddrContextKey)))
	listening, _, _ := net.SplitHostPort(s.Address)
	return slices.ContainsFunc(append([]string{"localhost", "127.0.0.1", "::1", here, listening}, s.Host...), func(name string) bool {
		return name != "" && strings.EqualFold(name, host)
	})
}

// parameters returns an error for a parameter of the query that does not exist, so that
// a typo has no silent effect.
func parameters(r *http.Request) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return badRequest{err}
	}
	for name, given := range values {
		switch {
		case r.URL.Path != "/predict" || name != "scores":
			return badf("unknown query parameter %q", name)
		case len(given) > 1 || given[0] != "true" && given[0] != "false":
			return badf("scores is %q, want true or false", strings.Join(given, ", "))
		}
	}
	return nil
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

// errReadonly reports that the service does not learn.
var errReadonly = errors.New("this server does not learn: it runs with --readonly")

// answerLearned is the answer to rows that are learned.
type answerLearned struct {
	Predicted json.RawMessage `json:"predicted"` // the class of each row as predicted before it was learned
	Updates   int             `json:"updates"`   // rows that changed the weights
	Learned   int             `json:"learned"`   // rows learned since the model was read
	Saved     int             `json:"saved"`     // how many of them are in the file
	version   string
}

// update learns one row or many.
func (s *service) update(w http.ResponseWriter, r *http.Request) {
	if s.Readonly {
		s.failed(w, errReadonly)
		return
	}
	q, release, err := s.read(w, r, true)
	defer release()
	var a *answerLearned
	if err == nil {
		a, err = s.learn(q)
	}
	if err != nil {
		s.failed(w, err)
		return
	}
	text, _ := json.Marshal(a)
	answer(w, a.version, text)
}

// errLong reports that an answer would take too much memory.
var errLong = errors.New("the answer would be too long; send fewer rows")

// predict answers with the class of one row or of many.
func (s *service) predict(w http.ResponseWriter, r *http.Request) {
	q, release, err := s.read(w, r, false)
	defer release()
	st := s.current.Load()
	scores := r.URL.Query().Get("scores") == "true"
	var out []byte
	if err == nil {
		err = st.each(q, false, func(i int, r *row) (err error) {
			if i > 0 {
				out = append(out, ',')
			}
			if int64(len(out)) > 16*s.Body {
				return errLong
			}
			out, err = st.appendPrediction(out, r, scores)
			return err
		})
	}
	switch {
	case err != nil:
		s.failed(w, err)
	case q.one:
		answer(w, st.version, out)
	default:
		answer(w, st.version, slices.Concat([]byte(`{"predictions":[`), out, []byte("]}")))
	}
}

// show answers with the text of the model's file. A client that has it already sends its
// ETag in If-None-Match, and gets status 304.
func (s *service) show(w http.ResponseWriter, r *http.Request) {
	st := s.current.Load()
	text, err := st.file.Encode()
	if err != nil {
		s.failed(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", `"`+st.version+`"`)
	w.Header().Set("Model-Version", st.version)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// healthy answers that the process runs.
func (s *service) healthy(w http.ResponseWriter, _ *http.Request) {
	answer(w, "", []byte(`{"status":"ok"}`))
}

// ready answers whether the service accepts requests. It does until it is stopped.
func (s *service) ready(w http.ResponseWriter, _ *http.Request) {
	if s.draining.Load() {
		fail(w, http.StatusServiceUnavailable, "the server is stopping")
		return
	}
	answer(w, "", []byte(`{"status":"ready"}`))
}

// failed answers with an error and its status.
func (s *service) failed(w http.ResponseWriter, err error) {
	code := status(err)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		err = fmt.Errorf("the body has more than %d bytes", s.Body)
	case code == http.StatusRequestTimeout:
		err = errors.New("the body arrived too slowly")
	case code == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	fail(w, code, err.Error())
}

// status returns the HTTP status for an error.
func status(err error) int {
	switch {
	case errors.As(err, new(*http.MaxBytesError)), errors.Is(err, errLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable
	case errors.Is(err, errReadonly):
		return http.StatusForbidden
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	case errors.Is(err, perceptron.ErrNotFinite):
		return http.StatusConflict // with these weights, a score or a weight overflows
	case errors.Is(err, perceptron.ErrConfig):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// fail answers with an error.
func fail(w http.ResponseWriter, status int, message string) {
	text, _ := json.Marshal(map[string]string{"error": strings.ReplaceAll(message, "perceptron: ", "")})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}

// answer sends JSON. The version, if any, is that of the model that was used.
func answer(w http.ResponseWriter, version string, text []byte) {
	if version != "" {
		w.Header().Set("Model-Version", version)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}
