package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// TestOpenAPI compares openapi.yaml with the answers: every answer is described, every
// described status occurs, and the description accepts the bodies that the service does.
func TestOpenAPI(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"onevsrest", "multiclass"} {
		t.Run(kind, func(t *testing.T) { testDescribed(t, doc, router, kind) })
	}
}

func testDescribed(t *testing.T, doc *openapi3.T, router routers.Router, kind string) {
	s, _ := start(t, kind, 2)
	seen := map[string]bool{}
	ask := func(r *http.Request, body string) {
		t.Helper()
		seen[described(t, s, router, r, body)] = true
	}
	post := func(path, body string) {
		t.Helper()
		ask(httptest.NewRequest("POST", path, strings.NewReader(body)), body)
	}
	post("/predict", `{"x":[1,2]}`)
	post("/update", `{"x":[1,2],"y":1}`)
	post("/update", `{"x":[1,-2],"y":5}`)
	for _, query := range []string{"", "?scores=true", "?scores=false"} {
		post("/predict"+query, `{"x":[1,2]}`)
		post("/predict"+query, `{"rows":[[1,2],[3,4]]}`)
	}
	for _, path := range []string{"/update", "/predict"} {
		post(path, `{"x":[1,2],"z":3}`)
		post(path, `{"x":[`+strings.Repeat("0,", 4096)+`0]}`)
		foreign := httptest.NewRequest("POST", path, nil)
		foreign.Header.Set("Sec-Fetch-Site", "cross-site")
		ask(foreign, "")
		ask(httptest.NewRequest("POST", path, iotest.ErrReader(os.ErrDeadlineExceeded)), "")
		ask(httptest.NewRequest("PUT", path, nil), "")
		seen["POST "+path+" 503"] = true // TestBodies
	}
	for path := range doc.Paths.Map() {
		if path != "/update" && path != "/predict" {
			ask(httptest.NewRequest("GET", path, nil), "")
			ask(httptest.NewRequest("POST", path, nil), "")
		}
	}
	same := httptest.NewRequest("GET", "/model", nil)
	same.Header.Set("If-None-Match", `"`+s.published.Load().version+`"`)
	ask(same, "")
	s.draining.Store(true)
	ask(httptest.NewRequest("GET", "/readyz", nil), "")
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			for status := range o.Responses.Map() {
				if key := method + " " + path + " " + status; !seen[key] {
					t.Errorf("%s is described, but did not occur", key)
				}
			}
		}
	}
}

// described asks the service and compares the answer with the description. It returns
// the method, path and status.
func described(t *testing.T, s *service, router routers.Router, r *http.Request, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, r)
	operation := r.Clone(t.Context())
	if w.Code == http.StatusMethodNotAllowed { // described with the method that is allowed
		operation.Method, _, _ = strings.Cut(w.Header().Get("Allow"), ",")
	}
	route, parameters, err := router.FindRoute(operation)
	if err != nil {
		t.Fatal(r.Method, r.URL, err)
	}
	operation.Header.Set("Content-Type", "application/json")
	operation.Body = io.NopCloser(strings.NewReader(body))
	in := &openapi3filter.RequestValidationInput{Request: operation, PathParams: parameters, Route: route}
	if err := openapi3filter.ValidateRequest(t.Context(), in); (err == nil) != (w.Code < 400) && w.Code != 409 && w.Code != 413 && w.Code != 405 && w.Code != 503 {
		t.Errorf("%s %s %.40s is answered with %d, but the description says %v", r.Method, r.URL, body, w.Code, err)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(),
		Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())), Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	if err := openapi3filter.ValidateResponse(t.Context(), out); err != nil {
		t.Errorf("%s %s %.40s: %v", r.Method, r.URL, body, err)
	}
	return operation.Method + " " + route.Path + " " + strconv.Itoa(w.Code)
}
