package serve

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"perceptron/cmd/perceptron/internal/table"
)

// TestOpenAPI compares /openapi.yaml with the answers: every answer is described, every
// described status occurs, and the description accepts the bodies that the service does.
func TestOpenAPI(t *testing.T) {
	for kind, missing := range map[string]string{"online": table.MissingError, "multiclass": table.MissingMean, "margin": table.MissingDrop} {
		t.Run(kind, func(t *testing.T) { testDescribed(t, kind, missing) })
	}
}

func testDescribed(t *testing.T, kind, missing string) {
	s, url := start(t, kind, missing)
	doc, err := openapi3.NewLoader().LoadFromData(get(t, url+"/openapi.yaml"))
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
	seen := map[string]bool{}
	ask := func(r *http.Request, body string) {
		t.Helper()
		seen[described(t, s, router, r, body)] = true
	}
	post := func(path, body string) {
		t.Helper()
		ask(local("POST", path, body), body)
	}
	name := s.current.Load().quoted[0]
	gap := `{"height":1,"colour":"red"}`
	for _, query := range []string{"", "?scores=true", "?scores=false", "?scores=maybe"} {
		post("/predict"+query, `{"row":`+red+`}`)
		post("/predict"+query, `{"rows":[`+red+`,`+blue+`]}`)
		post("/predict"+query, `{"rows":[`+gap+`]}`)
		post("/predict"+query, `{"row":[1,null,"red"]}`)
	}
	for _, class := range []string{name, strings.Trim(name, `"`), `"9"`, "9", "null"} {
		if class == "low" {
			continue // is no JSON
		}
		post("/update", `{"row":`+red+`,"class":`+class+`}`)
		post("/update", `{"examples":[{"row":`+blue+`,"class":`+class+`}]}`)
	}
	for _, bad := range []string{`{"row":[1,2,"red",3]}`, `{"row":[1,2]}`, `{"row":{"height":1,"weight":2,"colour":"red","age":3}}`, `{"row":[true,2,"red"]}`,
		`{"row":[1,2,"green"]}`, `{"rows":` + red + `}`, `{"row":` + red + `,"rows":[]}`, `{}`, `[]`} {
		post("/predict", bad)
	}
	for _, path := range []string{"/update", "/predict"} {
		post(path, `{"row":[`+strings.Repeat("0,", 4096)+`0]}`)
		foreign := local("POST", path, "")
		foreign.Header.Set("Sec-Fetch-Site", "cross-site")
		ask(foreign, "")
		slow := local("POST", path, "")
		slow.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded))
		ask(slow, "")
		ask(local("PUT", path, ""), "")
		seen["POST "+path+" 503"] = true // TestBodies
		seen["POST "+path+" 409"] = true // TestOverflow
	}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			elsewhere := local(method, path, "")
			elsewhere.Host = "evil.example"
			ask(elsewhere, "")
			ask(local(method, path+"?typo=1", ""), "")
		}
		if path != "/update" && path != "/predict" {
			ask(local("GET", path, ""), "")
			ask(local("POST", path, ""), "")
		}
	}
	same := local("GET", "/model", "")
	same.Header.Set("If-None-Match", `"`+s.current.Load().version+`"`)
	ask(same, "")
	s.draining.Store(true)
	ask(local("GET", "/readyz", ""), "")
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
	w := record(s, r)
	operation := r.Clone(t.Context())
	operation.URL.Host, operation.URL.Scheme = "", ""
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
	if w.Code == 200 || w.Code == 400 && r.URL.RawQuery != "typo=1" {
		if err := openapi3filter.ValidateRequest(t.Context(), in); (err == nil) != (w.Code == 200) {
			t.Errorf("%s %s %.60s is answered with %d, but the description says %v\n%s", r.Method, r.URL, body, w.Code, err, w.Body)
		}
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(),
		Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())), Options: &openapi3filter.Options{IncludeResponseStatus: true}}
	if err := openapi3filter.ValidateResponse(t.Context(), out); err != nil {
		t.Errorf("%s %s %.60s: %v", r.Method, r.URL, body, err)
	}
	return operation.Method + " " + route.Path + " " + strconv.Itoa(w.Code)
}

// TestSpellings: a number may name a class or a word that has its value, unless JSON
// cannot write it.
func TestSpellings(t *testing.T) {
	got := spellings([]string{"-Inf", "1", "1.0", "1000025", "red"})
	if want := []any{"-Inf", "1", 1.0, "1.0", "1000025", 1000025.0, "red"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
