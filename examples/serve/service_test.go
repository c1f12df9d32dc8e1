package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"perceptron"
)

// start serves a new model of a kind.
func start(t testing.TB, kind string, every int) (*service, string) {
	t.Helper()
	s, err := newService(config{file: filepath.Join(t.TempDir(), "model"), kind: kind, every: every, body: 4096})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.handler())
	t.Cleanup(server.Close)
	return s, server.URL
}

// post returns the status and body of an answer.
func post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// row draws a row and its label, which the sign of the first feature decides.
func row(r *rand.Rand) ([]float64, int) {
	x := make([]float64, 20)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	if x[0] < 0 {
		return x, -1
	}
	return x, 1
}

func body(x []float64, y int) string {
	text, _ := json.Marshal(map[string]any{"x": x, "y": y})
	return string(text)
}

func query(x []float64) string {
	text, _ := json.Marshal(map[string]any{"x": x})
	return string(text)
}

// TestRequests: every answer, and that a bad request changes nothing.
func TestRequests(t *testing.T) {
	for _, kind := range []string{"online", "margin", "onevsrest"} {
		s, url := start(t, kind, 2)
		for _, c := range []struct {
			path, body string
			status     int
			text       string
		}{
			{"/predict", `{"x":[1,2]}`, 409, "perceptron: untrained model: it has seen no example"},
			{"/update", `{"x":[1,2],"y":1}`, 200, `{"updated":true,"learned":1,"saved":0}`},
			{"/update", `{"x":[-1,-2],"y":-1}`, 200, `,"learned":2,"saved":2}`},
			{"/predict", ` {"x":[1,2]} `, 200, `{"label":1}`},
			{"/predict", `{"x":[-3,-2]}`, 200, `{"label":-1}`},
			{"/predict", `{"x":[1,2,3]}`, 400, "perceptron: dimension mismatch: width 3, want 2"},
			{"/update", `{"x":[1,2,3],"y":1}`, 400, "perceptron: dimension mismatch: width 3, want 2"},
			{"/update", `{"x":[],"y":1}`, 400, "perceptron: empty: the row has no features"},
			{"/update", `{"x":[1,1e999],"y":1}`, 400, "json: cannot unmarshal number 1e999 into Go struct field"},
			{"/update", `{"x":[1e308,1e308],"y":1}`, 400, "perceptron: not finite: "},
			{"/update", `{"x":[1,null],"y":1}`, 400, "there is a null, want numbers"},
			{"/update", `{"x":[1,2]}`, 400, "y is missing, want a label"},
			{"/update", `{"x":[1,2],"y":0.5}`, 400, "json: cannot unmarshal number 0.5"},
			{"/update", `{"x":[1,2],"y":1}{}`, 400, "there is something behind the example"},
			{"/update", `{"x":[1,2],"y":1,"z":0}`, 400, `json: unknown field "z"`},
			{"/update", `{"x":[1,2`, 400, "unexpected EOF"},
			{"/update", ``, 400, "EOF"},
			{"/update", `{"x":[` + strings.Repeat("0,", 4096) + `0],"y":1}`, 413, "http: request body too large"},
			{"/predict", `{"x":[1,2],"y":1}`, 400, "there is a y, which is for /update"},
			{"/model", ``, 405, "Method Not Allowed"},
			{"/elsewhere", ``, 404, "404 page not found"},
		} {
			status, text := post(t, url+c.path, c.body)
			if status != c.status || !strings.Contains(text, c.text) {
				t.Errorf("%s: %s %.60s: %d %s, want %d %s", kind, c.path, c.body, status, text, c.status, c.text)
			}
		}
		if s.learned != 2 {
			t.Errorf("%s: %d examples learned", kind, s.learned)
		}
		if kind == "onevsrest" {
			continue
		}
		if status, text := post(t, url+"/update", `{"x":[1,2],"y":7}`); status != 400 || text != "perceptron: bad label: 7, want +1 or -1\n" {
			t.Errorf("%s: %d %s", kind, status, text)
		}
	}
}

// TestLoad: under many clients, some of them rude, the model in the end is that of
// the examples in the order of the answers, to the bit; and what is read in between
// is a model.
func TestLoad(t *testing.T) {
	s, url := start(t, "margin", 100)
	const clients, each = 8, 60
	examples := make([]string, clients*each+1) // by when they were learned
	var clientsDone, readersDone sync.WaitGroup
	done := make(chan struct{})
	var mu sync.Mutex
	for c := range clients {
		clientsDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 1))
			for i := range each {
				x, y := row(r)
				sent := body(x, y)
				status, text := post(t, url+"/update", sent)
				var a struct{ Learned, Saved int }
				if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil || a.Learned-a.Saved >= 100 {
					t.Errorf("%d %s %v", status, text, err)
					return
				}
				mu.Lock()
				examples[a.Learned] = sent
				mu.Unlock()
				if i%5 == 0 {
					if status, _ := post(t, url+"/update", sent[:len(sent)/2]); status != 400 {
						t.Errorf("half an example: %d", status)
					}
				}
			}
		})
	}
	for c := range 4 {
		readersDone.Go(func() {
			r := rand.New(rand.NewPCG(uint64(c), 2))
			for {
				select {
				case <-done:
					return
				default:
				}
				x, _ := row(r)
				if status, text := post(t, url+"/predict", query(x)); status != 200 && status != 409 {
					t.Errorf("%d %s", status, text)
				}
				var m perceptron.Margin
				if err := m.UnmarshalJSON(get(t, url+"/model")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clientsDone.Wait()
	close(done)
	readersDone.Wait()
	replayed := new(perceptron.Margin)
	for _, sent := range examples[1:] {
		learn(t, replayed, sent)
	}
	var got perceptron.Margin
	if err := got.UnmarshalJSON(get(t, url+"/model")); err != nil || !same(t, &got, replayed) {
		t.Errorf("the model is not that of its examples: %v", err)
	}
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	if m, err := perceptron.Load(s.file); err != nil || !same(t, m, replayed) {
		t.Errorf("the file does not hold the model: %v", err)
	}
}

func get(t testing.TB, url string) []byte {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r.Status, err)
	}
	return bytes.TrimSpace(text)
}

// learn shows a model what was sent.
func learn(t *testing.T, m online, sent string) {
	t.Helper()
	var e example
	if err := json.Unmarshal([]byte(sent), &e); err != nil {
		t.Fatalf("%q: %v", sent, err)
	}
	if _, err := m.Update(e.X, *e.Y); err != nil {
		t.Fatal(err)
	}
}

// same compares models by all that they hold.
func same(t *testing.T, a, b perceptron.Model) bool {
	t.Helper()
	var data [2][]byte
	for i, m := range []perceptron.Model{a, b} {
		var err error
		if data[i], err = m.(encoding.BinaryMarshaler).MarshalBinary(); err != nil {
			t.Fatal(err)
		}
	}
	return bytes.Equal(data[0], data[1])
}

// TestReaders: a reader is answered while the writer is busy.
func TestReaders(t *testing.T) {
	s, url := start(t, "online", 10)
	post(t, url+"/update", `{"x":[1],"y":1}`)
	s.writer.Lock()
	defer s.writer.Unlock()
	if status, text := post(t, url+"/predict", `{"x":[2]}`); status != 200 || text != "{\"label\":1}\n" {
		t.Errorf("%d %s", status, text)
	}
	get(t, url+"/model")
	get(t, url+"/debug/vars")
}

// TestBegin: what keeps a service from starting.
func TestBegin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(file+".bad", []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := perceptron.Save(file, new(perceptron.Batch)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []config{
		{file: file, kind: "online"}, {file: file + ".bad", kind: "margin"}, {file: file + "/under", kind: "margin"},
		{file: file + ".none", kind: "batch"}, {file: filepath.Join(file+".none", "none"), kind: "margin"},
	} {
		if _, err := newService(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// serveFile makes this test binary the program, on a file.
const serveFile = "SERVE_FILE"

// TestKilled kills the program in the midst of a stream and starts it again: no
// more is lost than the examples that it had answered for as not saved. Then it is
// stopped, and loses nothing.
func TestKilled(t *testing.T) {
	if file := os.Getenv(serveFile); file != "" {
		os.Args = []string{"serve", "-addr", "127.0.0.1:0", "-file", file, "-every", "7"}
		main()
		return
	}
	file := filepath.Join(t.TempDir(), "model")
	r := rand.New(rand.NewPCG(5, 5))
	held := new(perceptron.Margin) // what the file holds
	for round := range 6 {
		cmd, url := spawn(t, file)
		var m perceptron.Margin
		if err := m.UnmarshalJSON(get(t, url+"/model")); err != nil || !same(t, &m, held) {
			t.Fatalf("round %d: the program does not go on from its file: %v", round, err)
		}
		stopped := round == 3
		sent, answered, saved := send(t, r, url, 20+10*round, func() {
			if stopped {
				_ = cmd.Process.Signal(os.Interrupt)
			} else {
				_ = cmd.Process.Kill()
			}
		})
		if err := cmd.Wait(); (err == nil) != stopped {
			t.Fatalf("round %d: it ended with %v", round, err)
		}
		after, err := perceptron.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		want, k := saved, 0
		if stopped {
			want = answered
		}
		for ; k < len(sent) && (k < want || !stopped && k%7 != 0 || !same(t, after, held)); k++ {
			learn(t, held, sent[k])
		}
		if !same(t, after, held) {
			t.Fatalf("round %d: of %d examples the file has not the first %d, nor more", round, len(sent), want)
		}
		t.Logf("%d examples sent, %d told to be saved, %d in the file", len(sent), saved, k)
	}
}

// send sends a stream of examples, has the program ended beside it after some, and
// returns those that it may have learned, how many it answered for, and how many
// of these it told to be saved.
func send(t *testing.T, r *rand.Rand, url string, after int, end func()) (sent []string, answered, saved int) {
	t.Helper()
	for {
		if len(sent) == after {
			go end()
		}
		sent = append(sent, body(row(r)))
		answer, err := http.Post(url+"/update", "application/json", strings.NewReader(sent[len(sent)-1]))
		if err != nil {
			return sent, answered, saved
		}
		var a struct{ Learned, Saved int }
		err = json.NewDecoder(answer.Body).Decode(&a)
		answer.Body.Close()
		if err != nil {
			return sent, answered, saved
		}
		if a.Learned != len(sent) || a.Saved < saved || a.Learned-a.Saved >= 7 {
			t.Fatalf("the answer to example %d is %+v", len(sent), a)
		}
		answered, saved = a.Learned, a.Saved
	}
}

// spawn starts the program, and returns where it serves.
func spawn(t *testing.T, file string) (*exec.Cmd, string) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), serveFile+"="+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if it still runs
	var told string
	if _, err := fmt.Fscanf(out, "serving "+file+" on %s\n", &told); err != nil {
		t.Fatal(err)
	}
	return cmd, told
}

// BenchmarkServe tells requests a second and the 99th percentile of their
// latency, one in ten of them an update.
func BenchmarkServe(b *testing.B) {
	for _, kind := range []string{"margin", "onevsrest"} {
		b.Run(kind, func(b *testing.B) { benchmark(b, kind) })
	}
}

func benchmark(b *testing.B, kind string) {
	_, url := start(b, kind, 1000)
	r := rand.New(rand.NewPCG(1, 1))
	var bodies, queries []string
	for range 100 {
		x, y := row(r)
		bodies, queries = append(bodies, body(x, y)), append(queries, query(x))
	}
	post(b, url+"/update", bodies[0])
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 64
	var mu sync.Mutex
	var all []time.Duration
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var took []time.Duration
		for i := 0; pb.Next(); i++ {
			path, sent := "/predict", queries[i%100]
			if i%10 == 0 {
				path, sent = "/update", bodies[i%100]
			}
			begun := time.Now()
			if status, text := post(b, url+path, sent); status != 200 {
				b.Errorf("%d %s", status, text)
			}
			took = append(took, time.Since(begun))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, took...)
	})
	slices.Sort(all)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
}
