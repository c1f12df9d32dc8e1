package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"perceptron"
)

// TestLock: a second server with the same file does not start, whatever name it uses
// for the file. The model stays that of the first one.
func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	cmd, url := spawn(t, file)
	post(t, url+"/update", `{"x":[1],"y":1}`)
	for _, name := range []string{file, link} {
		c, err := parse([]string{"-addr", "127.0.0.1:0", "-file", name}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := run(t.Context(), io.Discard, c); err == nil || !strings.HasPrefix(err.Error(), "another server uses "+name+": stop it") {
			t.Errorf("%s: a second server ends with %v", name, err)
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	release, err := lock(file) // a killed server holds no lock
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

// TestBusyPort: a server whose port is busy leaves no file behind.
func TestBusyPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dir := t.TempDir()
	c, err := parse([]string{"-addr", l.Addr().String(), "-file", filepath.Join(dir, "model")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), io.Discard, c); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("%v, want address already in use", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v: left %v", err, left)
	}
}

// TestFlags: a wrong flag is an error that names it.
func TestFlags(t *testing.T) {
	for line, want := range map[string]string{
		"-model batch":         `-model is "batch", want online, margin, onevsrest or multiclass`,
		"-every 0":             "-every 0, -body 1048576, -bodies 8388608: the minimum values are 1, 1 and that of -body",
		"-bodies 5":            "-every 1000, -body 1048576, -bodies 5: the minimum",
		"-drain -1s":           "-drain is -1s, want at least 0",
		"now":                  `unexpected argument "now"`,
		"-address 127.0.0.1:1": "flag provided but not defined: -address",
	} {
		if _, err := parse(strings.Fields(line), io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// TestSaveFails: while the model cannot be saved, the service goes on to learn, answers
// honestly what is saved, and logs once. When it can, it saves and logs that.
func TestSaveFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s, err := newService(config{file: filepath.Join(dir, "model"), kind: "online", every: 1, body: 1, bodies: 1, log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		l, err := s.learn([]float64{1}, 1)
		if err != nil || l.Learned != i+1 || l.Saved != 0 {
			t.Fatalf("%+v, %v", l, err)
		}
	}
	if n := strings.Count(log.String(), "cannot be saved"); n != 1 {
		t.Errorf("%d messages:\n%s", n, &log)
	}
	s.warned = s.warned.Add(-warnings)
	if _, err := s.learn([]float64{1}, 1); err != nil || strings.Count(log.String(), "cannot be saved") != 2 {
		t.Errorf("%v: no message after a minute:\n%s", err, &log)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if l, err := s.learn([]float64{1}, 1); err != nil || l.Saved != 52 || !strings.Contains(log.String(), "saved again") {
		t.Errorf("%+v, %v\n%s", l, err, &log)
	}
	if _, err := perceptron.Load(s.file); err != nil {
		t.Error(err)
	}
}

// TestBodies: bodies beyond -bodies wait, and get status 503 in the end. Small bodies
// still pass.
func TestBodies(t *testing.T) {
	s, url := start(t, "online", 10)
	post(t, url+"/update", `{"x":[1],"y":1}`)
	if !s.budget.TryAcquire(s.bodies - 100) {
		t.Fatal("the budget is not free")
	}
	if status, text := post(t, url+"/predict", `{"x":[1]}`); status != 200 {
		t.Errorf("a small body: %d %s", status, text)
	}
	// A body without a known size counts as the largest.
	r, err := http.NewRequest("POST", url+"/predict", io.MultiReader(strings.NewReader(`{"x":[1]}`)))
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
	if text, _ := io.ReadAll(a.Body); a.StatusCode != 503 || a.Header.Get("Retry-After") == "" || string(text) != "{\"error\":\"the server is busy: too many request bodies at once\"}\n" {
		t.Errorf("%d %s", a.StatusCode, text)
	}
	s.budget.Release(s.bodies - 100)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { post(t, url+"/predict", `{"x":[`+strings.Repeat("0,", 3000)) })
	}
	all.Wait()
	if !s.budget.TryAcquire(s.bodies) {
		t.Error("a request keeps a part of the budget")
	}
}

// TestSlow: a body that arrives too slowly gets an answer before the connection ends.
func TestSlow(t *testing.T) {
	s, _ := start(t, "online", 10)
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
		fmt.Fprint(c, "POST /predict HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
		text, err := io.ReadAll(c)
		if want := `{"error":"the body arrived too slowly"}`; err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || !strings.Contains(string(text), want) {
			t.Errorf("%v, %q", err, text)
		}
		_ = c.Close()
	}
}

// TestVersion: each state of the model has its own version, and its ETag works.
func TestVersion(t *testing.T) {
	_, url := start(t, "margin", 10)
	seen := map[string]bool{}
	for range 3 {
		a, err := http.Post(url+"/update", "application/json", strings.NewReader(`{"x":[1],"y":1}`))
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		version := a.Header.Get("Model-Version")
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

// TestMetrics: the counters count.
func TestMetrics(t *testing.T) {
	_, url := start(t, "online", 2)
	r := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		x, y := row(r)
		post(t, url+"/update", body(x, y))
	}
	post(t, url+"/predict", "{")
	post(t, url+"/nowhere/1", "")
	text := string(get(t, url+"/metrics"))
	for _, line := range []string{
		`perceptron_http_requests_total{path="/update",status="200"} 4`,
		`perceptron_http_requests_total{path="/predict",status="400"} 1`,
		`perceptron_http_requests_total{path="other",status="404"} 1`,
		`perceptron_http_request_seconds_count{path="/update"} 4`,
		"perceptron_examples_learned_total 4", "perceptron_saves_total 2", "perceptron_save_errors_total 0",
		"perceptron_mistakes_total ", "perceptron_model_age_seconds 0.", "go_goroutines ",
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("no line %s", line)
		}
	}
}

// TestStop: after the signal, /readyz fails while other requests still succeed. The
// model is saved, and the log says so.
func TestStop(t *testing.T) {
	var log strings.Builder
	c, err := parse([]string{"-addr", "127.0.0.1:0", "-file", filepath.Join(t.TempDir(), "model"), "-drain", "700ms"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	c.log = slog.New(slog.NewTextHandler(&log, nil))
	out, in := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- run(ctx, in, c) }()
	var file, url string
	if _, err := fmt.Fscanf(out, "serving %s on %s\n", &file, &url); err != nil {
		t.Fatal(err)
	}
	post(t, url+"/update", `{"x":[1],"y":1}`)
	get(t, url+"/readyz")
	stop()
	time.Sleep(200 * time.Millisecond)
	if a, err := http.Get(url + "/readyz"); err != nil || a.StatusCode != 503 {
		t.Errorf("%v, %v", a, err)
	}
	post(t, url+"/update", `{"x":[1],"y":1}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, words := range []string{"msg=started", "msg=request method=POST path=/update status=200 bytes=39", "msg=stopping drain=700ms", "msg=stopped learned=2 saved=2"} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("no %q in\n%s", words, &log)
		}
	}
	if strings.Contains(log.String(), "path=/readyz") {
		t.Error("probes are logged")
	}
}
