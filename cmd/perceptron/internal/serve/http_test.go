package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/sync/semaphore"
	"perceptron/cmd/perceptron/internal/table"
)

// TestBodies: bodies beyond --bodies wait. If they wait too long, they get status 503. One body may
// exceed the budget, so bodies that have arrived in part cannot wait for each other for ever. Small
// bodies still pass.
func TestBodies(t *testing.T) {
	s, url := start(t, "online", table.MissingError)
	if !s.large.TryAcquire(s.Bodies) {
		t.Fatal("the budget is not free")
	}
	small := `{"row":` + red + `}`
	if !s.beyond.TryAcquire(1) {
		t.Fatal("the turn is not free")
	}
	if status, text := post(t, url+"/predict", small); status != 200 {
		t.Errorf("a small body: %d %s", status, text)
	}
	s.beyond.Release(1)
	// A body without a known size counts as a large one.
	ask := func(status int, header, answer string) {
		t.Helper()
		r, err := http.NewRequest("POST", url+"/predict", io.MultiReader(strings.NewReader(small)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
		defer cancel()
		a, err := http.DefaultClient.Do(r.WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		if text, _ := io.ReadAll(a.Body); a.StatusCode != status || a.Header.Get("Retry-After") != header || !strings.HasPrefix(string(text), answer) {
			t.Errorf("%d %s", a.StatusCode, text)
		}
	}
	ask(200, "", `{"class":`)
	if !s.beyond.TryAcquire(1) {
		t.Fatal("a request keeps its turn")
	}
	ask(503, "1", "{\"error\":\"the server is busy: too many request bodies at once\"}\n")
	s.beyond.Release(1)
	s.large.Release(s.Bodies)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { post(t, url+"/predict", `{"row":[`+strings.Repeat("0,", 3000)) })
	}
	all.Wait()
	for _, budget := range []*semaphore.Weighted{s.small, s.large} {
		if !budget.TryAcquire(s.Bodies) {
			t.Error("a request keeps a part of the budget")
		}
	}
}

// TestSlowBodies: some clients send large bodies, and stop in the middle. All bodies of other
// clients are answered, small and large ones, for every size that the first clients have stated.
func TestSlowBodies(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Body, c.Bodies = 1<<20, 2<<20
	s, _ := logged(t, c)
	server := httptest.NewServer(s.handler())
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	body := `{"rows":[` + strings.Repeat(red+",", (1<<20-100)/(len(red)+1)) + red + `]}`
	for range 8 {
		slow, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		fmt.Fprintf(slow, "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:1<<16])
	}
	for range 50 {
		if status, text := post(t, server.URL+"/predict", `{"row":`+red+`}`); status != 200 {
			t.Fatalf("a small body: %d %s", status, text)
		}
	}
	if status, text := post(t, server.URL+"/predict", body); status != 200 {
		t.Errorf("a large body: %d %.100s", status, text)
	}
}

// TestProbes: probes of HTTP/1.0 without a Host get an answer, and nothing else does.
func TestProbes(t *testing.T) {
	s, _ := start(t, "online", table.MissingError)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/model": 421, "/metrics": 421} {
		r := local("GET", path, "")
		if r.Host = ""; record(s, r).Code != want {
			t.Errorf("%s: %d, want %d", path, record(s, r).Code, want)
		}
		if r.Host = "example.com"; record(s, r).Code != 421 {
			t.Errorf("%s of another host: %d", path, record(s, r).Code)
		}
	}
}

// TestLong: an answer that would take much more memory than its request is refused, and
// nothing is learned.
func TestLong(t *testing.T) {
	s, _ := start(t, "multiclass", table.MissingError)
	s.Body = 41 // the answer has at most 16 times as many bytes
	long := strings.Repeat("x", 400)
	s.current.Load().quoted = []string{long, long, long}
	for body, want := range map[string]int{
		`{"rows":[[1,2,"red"]]}`:                          200,
		`{"rows":[[1,2,"red"],[1,2,"red"]]}`:              200,
		`{"rows":[[1,2,"red"],[1,2,"red"],[1,2,""]]}`:     413, // the body
		`{"rows":[[1,2,"red"],[1,2,"red"],[1,2,4]]}`[:41]: 400,
	} {
		if w := record(s, local("POST", "/predict", body)); w.Code != want {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	s.current.Load().quoted = []string{long + long, long + long, long + long}
	if w := record(s, local("POST", "/predict", `{"rows":[[1,2,"red"],[1,2,"red"]]}`)); w.Code != 413 || !strings.Contains(w.Body.String(), "rows[1]: the answer would be too long; send fewer rows") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	q, err := decode([]byte(`{"examples":[{"row":[1,2,"red"],"class":"1"}]}`), true)
	if err != nil {
		t.Fatal(err)
	}
	if a, _, err := s.learn(q, local("POST", "/update", "")); !errors.Is(err, errLong) || s.learned != 0 {
		t.Errorf("%s, %v", a, err)
	}
}

// TestWork: a request ends that nobody waits for any longer, and nothing is learned.
func TestWork(t *testing.T) {
	s, _ := start(t, "multiclass", table.MissingError)
	for path, body := range map[string]string{
		"/predict": `{"rows":[` + red + `,` + red + `]}`,
		"/update":  `{"examples":[{"row":` + red + `,"class":"1"},{"row":` + red + `,"class":"2"}]}`,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r := local("POST", path, body).WithContext(ctx)
		r.Body = leaving{strings.NewReader(body), cancel}
		before := s.current.Load()
		if w := record(s, r); w.Code != 503 || !strings.Contains(w.Body.String(), "[0]: the answer takes too long") || s.current.Load() != before || s.learned != 0 {
			t.Errorf("%s: %d %s, %d rows learned", path, w.Code, w.Body, s.learned)
		}
	}
}

// leaving is the body of a client that leaves as soon as it is sent.
type leaving struct {
	*strings.Reader
	leave func()
}

func (l leaving) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	if l.Len() == 0 {
		l.leave()
	}
	return n, err
}

func (leaving) Close() error { return nil }

// TestWhole: /model answers with the whole model, whatever part a client asks for.
func TestWhole(t *testing.T) {
	s, _ := start(t, "online", table.MissingError)
	want := record(s, local("GET", "/model", "")).Body.String()
	for name, value := range map[string]string{"Range": "bytes=0-9", "range": "bytes=99999999-", "If-Match": `"x"`} {
		r := local("GET", "/model", "")
		r.Header.Set(name, value)
		if w := record(s, r); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %s: %d, %d bytes", name, value, w.Code, w.Body.Len())
		}
	}
}

// TestSlow: a body that arrives too slowly gets an answer before the connection ends.
func TestSlow(t *testing.T) {
	s, _ := start(t, "online", table.MissingError)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := s.server(200 * time.Millisecond)
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	for range 8 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		text, err := io.ReadAll(c)
		if want := `{"error":"the body arrived too slowly"}`; err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || !strings.Contains(string(text), want) {
			t.Errorf("%v, %q", err, text)
		}
		_ = c.Close()
	}
	slow := local("POST", "/update", "")
	slow.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded))
	if w := record(s, slow); w.Code != http.StatusRequestTimeout || s.learned != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestVersion: each state of the model has its own version, and its ETag works.
func TestVersion(t *testing.T) {
	s, url := start(t, "margin", table.MissingError)
	begun := s.current.Load().at
	seen := map[string]bool{}
	for i := range 4 {
		a, err := http.Post(url+"/update", "application/json", strings.NewReader(`{"row":`+red+`,"class":"low"}`))
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		version := a.Header.Get("Model-Version")
		if !s.current.Load().at.After(begun) {
			t.Error("the age of the model is that of the first")
		}
		if i == 3 { // another model has other versions, also after the same number of rows
			st, err := s.load()
			if err != nil {
				t.Fatal(err)
			}
			s.install(st)
			version = st.version
		}
		r, err := http.NewRequest("GET", url+"/model", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("If-None-Match", `"`+version+`"`)
		m, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		m.Body.Close()
		if version == "" || seen[version] || m.StatusCode != 304 || m.Header.Get("ETag") != `"`+version+`"` {
			t.Errorf("version %q, seen %v, status %d, ETag %s", version, seen[version], m.StatusCode, m.Header.Get("ETag"))
		}
		seen[version] = true
	}
}

// TestMetrics: Prometheus's parser reads the metrics, and the counters of requests count.
func TestMetrics(t *testing.T) {
	_, url := start(t, "online", table.MissingError)
	for range 3 {
		post(t, url+"/update", `{"row":`+red+`,"class":"low"}`)
	}
	post(t, url+"/predict", "{")
	post(t, url+"/nowhere/1", "")
	text := string(get(t, url+"/metrics"))
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"rows_learned_total": 3, "saves_total": 0, "save_errors_total": 0, "reloads_total": 0, "reload_errors_total": 0} {
		if got := families["perceptron_"+name].GetMetric()[0].GetCounter().GetValue(); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, f := range families {
		if ours := strings.HasPrefix(name, "perceptron_"); f.GetType().String() == "UNTYPED" || ours && f.GetHelp() == "" {
			t.Errorf("%s has type %v and help %q", name, f.GetType(), f.GetHelp())
		}
	}
	if families["perceptron_http_request_seconds"].GetType().String() != "SUMMARY" || families["perceptron_unsaved_rows"].GetType().String() != "GAUGE" {
		t.Errorf("%s", text)
	}
	for _, line := range []string{
		`perceptron_http_requests_total{path="/update",status="200"} 3`,
		`perceptron_http_requests_total{path="/predict",status="400"} 1`,
		`perceptron_http_requests_total{path="other",status="404"} 1`,
		`perceptron_http_request_seconds_count{path="/update"} 3`,
		"perceptron_model_age_seconds 0.", "go_goroutines ",
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("no line %s", line)
		}
	}
}

// TestLogJSON: with --log-json, each line of the log is a JSON object.
func TestLogJSON(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.LogJSON = true
	s, log := logged(t, c)
	record(s, local("POST", "/predict", "{"))
	var line struct {
		Msg, Path string
		Status    int
	}
	if err := json.Unmarshal(log.Bytes(), &line); err != nil || line.Msg != "request" || line.Path != "/predict" || line.Status != 400 {
		t.Errorf("%v: %s", err, log)
	}
	s.Access = false
	log.Reset()
	if record(s, local("POST", "/predict", "{")); log.Len() > 0 {
		t.Errorf("without --access: %s", log)
	}
}
