package serve

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"perceptron"
	"perceptron/cmd/perceptron/internal/table"
)

// handler returns the handler of all requests.
func (s *service) handler() http.Handler {
	// Every request is observed, even if its path does not exist. check runs for all other paths.
	mux := http.NewServeMux()
	on := func(path, methods string, answer http.HandlerFunc) {
		mux.HandleFunc(path, s.observe(path, s.check(methods, answer)))
	}
	on("/predict", "POST", s.ask(false, s.predict))
	on("/update", "POST", s.ask(true, s.learn))
	on("/model", "GET, HEAD", s.show)
	on("/healthz", "GET, HEAD", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, []byte(`{"status":"ok"}`)) }) // only shows that the process runs
	on("/readyz", "GET, HEAD", s.ready)
	on("/metrics", "GET, HEAD", s.metrics.write)
	on("/openapi.yaml", "GET, HEAD", s.describe)
	mux.HandleFunc("/", s.observe("other", func(w http.ResponseWriter, _ *http.Request) {
		s.failed(w, refusal{http.StatusNotFound, "there is no such path; see /openapi.yaml"})
	}))
	return mux
}

// A refusal is an error with its HTTP status.
type refusal struct {
	status int
	text   string
}

func (r refusal) Error() string { return r.text }

// check calls next only if the request names a host of this server, has one of the methods, is not
// sent by a browser for the page of another site, and has no unknown query parameter.
func (s *service) check(methods string, next http.HandlerFunc) http.HandlerFunc {
	origin := http.NewCrossOriginProtection() // without it, any page in a local browser could train the model
	return func(w http.ResponseWriter, r *http.Request) {
		// The host is checked first, so that a request with a foreign host learns nothing else.
		err := parameters(r)
		switch {
		case !s.known(r):
			err = refusal{http.StatusMisdirectedRequest, fmt.Sprintf("the host %q is not this server; --host adds it", r.Host)}
		case !slices.Contains(strings.Split(methods, ", "), r.Method):
			w.Header().Set("Allow", methods)
			err = refusal{http.StatusMethodNotAllowed, fmt.Sprintf("method %s is not allowed here; use %s", r.Method, methods)}
		case origin.Check(r) != nil:
			err = refusal{http.StatusForbidden, "a browser sent this request for another site's page"}
		}
		if err != nil {
			s.failed(w, err)
			return
		}
		next(w, r)
	}
}

// known reports whether the request names a host of this server. A web page may have a host name of
// its own that leads to this machine (DNS rebinding). Its requests have that name, which known
// rejects. The probes of some load balancers use HTTP/1.0 and name no host. Browsers always name a
// host.
func (s *service) known(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	// The address of this connection is known even if the server listens on all addresses.
	here, _, _ := net.SplitHostPort(fmt.Sprint(r.Context().Value(http.LocalAddrContextKey)))
	listening, _, _ := net.SplitHostPort(s.Address)
	return slices.ContainsFunc(append([]string{"localhost", "127.0.0.1", "::1", here, listening}, s.Host...), func(name string) bool {
		return name != "" && strings.EqualFold(name, host)
	}) || r.Host == "" && (r.URL.Path == "/healthz" || r.URL.Path == "/readyz")
}

// parameters returns an error for an unknown parameter of the query, so that a misspelt parameter is
// not silently ignored, and for a bad value of scores.
func parameters(r *http.Request) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	for name, given := range values {
		switch {
		case r.URL.Path != "/predict" || name != "scores":
			return fmt.Errorf("unknown query parameter %q", name)
		case len(given) > 1 || given[0] != "true" && given[0] != "false":
			return fmt.Errorf("scores is %q, want true or false", strings.Join(given, ", "))
		}
	}
	return nil
}

// ask returns the handler of a request with rows. The header Model-Version of the answer has the
// version of the model that was used, or after learning, of the new model.
func (s *service) ask(learn bool, f func(q query, r *http.Request) (text []byte, version string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The time begins at the end of the request's header, and includes reading the body.
		ctx, cancel := context.WithTimeout(r.Context(), work)
		defer cancel()
		q, release, err := s.read(w, r, learn)
		defer release()
		var text []byte
		var version string
		if err == nil {
			text, version, err = f(q, r.WithContext(ctx))
		}
		if err != nil {
			s.failed(w, err)
			return
		}
		w.Header().Set("Model-Version", version)
		answer(w, http.StatusOK, text)
	}
}

// errLong reports that an answer would take too much memory.
var errLong = refusal{http.StatusRequestEntityTooLarge, "the answer would be too long; send fewer rows"}

// predict returns the prediction for one row, or for many.
func (s *service) predict(q query, r *http.Request) (out []byte, version string, err error) {
	st := s.current.Load()
	scores := r.URL.Query().Get("scores") == "true"
	err = st.each(r.Context(), q, false, func(i int, r *row) (err error) {
		if i > 0 {
			out = append(out, ',')
		}
		if int64(len(out)) > 16*s.Body {
			return errLong
		}
		out, err = st.appendPrediction(out, r, scores, s.Probabilities)
		return err
	})
	if !q.one {
		out = fmt.Appendf(nil, `{"predictions":[%s]}`, out)
	}
	return out, st.version, err
}

// show answers with the current model, as the text of a model file. A client that already has this
// text sends its ETag in If-None-Match, and gets status 304.
func (s *service) show(w http.ResponseWriter, r *http.Request) {
	st := s.current.Load()
	// The text is the same as in a saved file, so that train, predict or another server can read it.
	text, err := st.file.Encode()
	if err != nil {
		s.failed(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", `"`+st.version+`"`)
	w.Header().Set("Model-Version", st.version)
	r.Header.Del("Range") // the next range could belong to another state
	r.Header.Del("If-Match")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// ready answers whether the service accepts requests. The answer is yes until the service stops.
func (s *service) ready(w http.ResponseWriter, _ *http.Request) {
	if s.draining.Load() {
		s.failed(w, refusal{http.StatusServiceUnavailable, "the server is stopping"})
		return
	}
	answer(w, http.StatusOK, []byte(`{"status":"ready"}`))
}

// failed answers with an error and its status.
func (s *service) failed(w http.ResponseWriter, err error) {
	var r refusal
	status := http.StatusBadRequest
	switch {
	case errors.As(err, &r):
		status = r.status
	case errors.As(err, new(*http.MaxBytesError)):
		status, err = http.StatusRequestEntityTooLarge, fmt.Errorf("the body has more than %d bytes", s.Body)
	case errors.Is(err, os.ErrDeadlineExceeded):
		status, err = http.StatusRequestTimeout, errors.New("the body arrived too slowly")
	case errors.Is(err, perceptron.ErrNotFinite):
		status = http.StatusConflict // with these weights, a score or a weight overflows
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	// A client need not know that the errors of the library begin with "perceptron: ".
	text, _ := json.Marshal(map[string]string{"error": strings.ReplaceAll(err.Error(), "perceptron: ", "")})
	answer(w, status, text)
}

// answer sends JSON. The header and the status must be set before the text is written: otherwise the
// first Write would send status 200 and a guessed type.
func answer(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // ignore a client that has disconnected
}

// description describes the service in OpenAPI, without the names of a model's columns and classes.
//
//go:embed openapi.yaml
var description []byte

// A schema is a JSON Schema.
type schema map[string]any

// describe answers with the description of the service and of the current model's rows and classes.
func (s *service) describe(w http.ResponseWriter, _ *http.Request) {
	out := slices.Clone(description)
	st := s.current.Load()
	class := schema{"enum": st.file.Classes}
	if st.predictor.LeavesOut(true) {
		class = orNull(class) // null is the answer if a value of the row is missing
	}
	// The description ends within the schemas of its components, so that further schemas can follow.
	for name, part := range map[string]schema{"Row": st.rowSchema(), "Class": class, "ClassToLearn": {"enum": spellings(st.file.Classes)}} {
		text, _ := json.Marshal(part) // which is YAML, too
		out = fmt.Appendf(out, "    %s: %s\n", name, text)
	}
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(out)
}

// rowSchema describes a row: an object, or an array in the order of the columns.
func (st *state) rowSchema() schema {
	properties, nulls, columns := schema{}, schema{}, []schema{}
	required := []string{}
	// The service accepts everything that the description allows, because a generated client may send
	// any of it. The service also accepts numbers as text, which are not described.
	for _, c := range st.file.Schema.Columns {
		v := schema{"type": "number"}
		switch {
		case c.Indexed > 0:
			v = schema{"type": "string", "example": "3:0.5 17:1"}
		case c.Text != nil, len(c.Categories) > 0 && st.skipUnknown:
			v = schema{"type": []string{"string", "number"}}
		case len(c.Categories) > 0:
			v = schema{"enum": spellings(c.Categories)}
		}
		if st.file.Schema.Missing == table.MissingError {
			required = append(required, c.Name)
		} else {
			v = orNull(v)
		}
		properties[c.Name], nulls[c.Name] = v, schema{"type": "null"}
		columns = append(columns, v)
	}
	row := schema{"oneOf": []schema{
		{"type": "object", "additionalProperties": false, "properties": properties, "required": required},
		{"type": "array", "prefixItems": columns, "minItems": len(columns), "maxItems": len(columns)},
	}}
	if st.file.Schema.Missing == table.MissingMean { // not all values may be missing
		row["not"] = schema{"properties": nulls, "prefixItems": slices.Repeat([]schema{{"type": "null"}}, len(columns))}
	}
	return row
}

func orNull(s schema) schema { return schema{"anyOf": []schema{s, {"type": "null"}}} }

// spellings returns the names. For a name that is a number, it also returns the number: a request
// may send either.
func spellings(names []string) (all []any) {
	for _, name := range names {
		all = append(all, name)
		if v, err := strconv.ParseFloat(name, 64); err == nil && !math.IsInf(v, 0) && !slices.Contains(all, any(v)) {
			all = append(all, v)
		}
	}
	return all
}
