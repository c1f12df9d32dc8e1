package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// learned makes the service learn n rows, and returns the last answer.
func learned(t *testing.T, s *service, n int) (a struct{ Learned, Saved int }) {
	t.Helper()
	for range n {
		q, err := decode([]byte(`{"row":`+red+`,"class":"low"}`), true)
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := s.learn(q, nil)
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// logged returns a service whose log is in a buffer.
func logged(t *testing.T, c Config) (*service, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	s, err := newService(c, c.logger(&log))
	if err != nil {
		t.Fatal(err)
	}
	return s, &log
}

// holds checks that a file holds the model of the service.
func holds(t *testing.T, path string, s *service) {
	t.Helper()
	want, err := s.current.Load().file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s does not hold the model: %v", path, err)
	}
	if _, err := modelfile.Read(path); err != nil {
		t.Error(err)
	}
}

// TestSaveFails: while the model cannot be saved, the service continues to learn,
// answers honestly what is saved, and logs once. When it can, it saves and logs that.
func TestSaveFails(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 1
	s, log := logged(t, c)
	dir := filepath.Dir(c.Model)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 50); a.Learned != 50 || a.Saved != 0 {
		t.Errorf("%+v", a)
	}
	if n := strings.Count(log.String(), "cannot be saved"); n != 1 {
		t.Errorf("%d messages:\n%s", n, log)
	}
	s.warned = s.warned.Add(-warnings)
	if learned(t, s, 1); strings.Count(log.String(), "cannot be saved") != 2 {
		t.Errorf("no message after a minute:\n%s", log)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 1); a.Saved != 52 || !strings.Contains(log.String(), "saved again") {
		t.Errorf("%+v\n%s", a, log)
	}
	holds(t, c.Model, s)
}

// TestReadonlyFile: the service does not replace a file without permission to write.
func TestReadonlyFile(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 1
	s, log := logged(t, c)
	before, err := os.ReadFile(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(c.Model, 0o444); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 1); a.Saved != 0 || !strings.Contains(log.String(), "is read-only") {
		t.Errorf("%+v\n%s", a, log)
	}
	if after, err := os.ReadFile(c.Model); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the file has changed: %v", err)
	}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "read-only: serve it with --readonly") {
		t.Error(err)
	}
	if c.Readonly = true; c.Check() != nil {
		t.Error(c.Check())
	}
	if err := s.close(); err == nil || !strings.Contains(err.Error(), "is read-only") {
		t.Error(err)
	}
	holds(t, unsaved(t, c), s)
}

// unsaved returns the only file that holds unsaved rows.
func unsaved(t *testing.T, c Config) string {
	t.Helper()
	files, err := filepath.Glob(c.Model + ".unsaved-*")
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	return files[0]
}

// TestReplaced: the service does not overwrite a model that another program has
// written, and loses none of its own rows.
func TestReplaced(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Every = 2
	s, log := logged(t, c)
	if a := learned(t, s, 2); a.Saved != 2 { // it knows its own file
		t.Errorf("%+v", a)
	}
	other := example(t, "multiclass", table.MissingError)
	if err := other.Write(c.Model); err != nil {
		t.Fatal(err)
	}
	if a := learned(t, s, 3); a.Learned != 5 || a.Saved != 2 || strings.Count(log.String(), "another program has replaced the file") != 1 {
		t.Errorf("%+v\n%s", a, log)
	}
	err := s.close()
	if err == nil || !strings.Contains(err.Error(), "another program has replaced the file") {
		t.Error(err)
	}
	holds(t, unsaved(t, c), s)
	holds(t, c.Model, begin(t, c))
	if f, err := modelfile.Read(c.Model); err != nil || modelfile.Type(f.Model) != "multiclass" {
		t.Error(err)
	}
}

// TestReload: SIGHUP serves the new file, and puts unsaved rows aside.
func TestReload(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	s, log := logged(t, c)
	learned(t, s, 3)
	version := s.current.Load().version
	if s.reload(); s.current.Load().version != version || s.saved != 3 || !strings.Contains(log.String(), "the file has not changed; the model is saved") {
		t.Errorf("%d saved\n%s", s.saved, log)
	}
	holds(t, c.Model, s)
	learned(t, s, 1)
	mine := s.current.Load()
	if err := os.WriteFile(c.Model, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s.reload(); s.current.Load() != mine || !strings.Contains(log.String(), "the service keeps its model") {
		t.Errorf("a bad file is served:\n%s", log)
	}
	if err := example(t, "multiclass", table.MissingError).Write(c.Model); err != nil {
		t.Fatal(err)
	}
	s.reload()
	if !strings.Contains(log.String(), "the file is read") || s.learned != 0 || len(s.current.Load().quoted) != 3 {
		t.Errorf("the new file is not served:\n%s", log)
	}
	holds(t, c.Model, s)
	s.current.Store(mine)
	holds(t, unsaved(t, c), s)
	metrics, err := s.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metrics {
		if name := m.GetName(); name == "perceptron_reloads_total" || name == "perceptron_reload_errors_total" {
			if v := m.GetMetric()[0].GetCounter().GetValue(); v != 1 {
				t.Errorf("%s is %v", name, v)
			}
		}
	}
}

// TestHalfSaved: a write that fails after it has replaced the file does not make the
// service believe that another program did.
func TestHalfSaved(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	s, _ := logged(t, c)
	before := s.ours[0]
	learned(t, s, 1)
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	s.ours[0] = before // as after an error of the last step
	if err := s.mine(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(c.Model); err != nil {
		t.Fatal(err)
	}
	if err := s.mine(); err != nil {
		t.Error(err)
	}
}

// TestLock: a second server with the same file does not start, whatever name it uses
// for the file. Read-only servers need no lock, and write nothing.
func TestLock(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(c.Model, link); err != nil {
		t.Fatal(err)
	}
	release, err := lock(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{c.Model, link} {
		second := c
		second.Model = name
		if err := Run(t.Context(), second, nil, io.Discard, io.Discard); err == nil || !strings.HasPrefix(err.Error(), "another server uses "+name+": stop it") {
			t.Errorf("%s: a second server ends with %v", name, err)
		}
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(c.Model + ".lock"); err != nil {
		t.Fatal(err)
	}
	c.Readonly = true
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Run(ctx, c, nil, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.Model)); err != nil || len(left) != 1 {
		t.Errorf("%v: left %v", err, left)
	}
}

// TestReadonly: a service that is read-only predicts, and refuses to learn. A model of
// the batch rule can only be served in this way.
func TestReadonly(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Readonly = true
	s := begin(t, c)
	if w := record(s, local("POST", "/predict", `{"row":`+red+`}`)); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := record(s, local("POST", "/update", `{"row":`+red+`,"class":"low"}`)); w.Code != 403 || !strings.Contains(w.Body.String(), "it runs with --readonly") || s.learned != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for kind := range batches {
		c := config(t, example(t, kind, table.MissingError))
		if _, err := newService(c, s.log); err == nil || !strings.HasSuffix(err.Error(), "the rule batch cannot learn row by row: serve the model with --readonly") {
			t.Errorf("%s: %v", kind, err)
		}
		c.Readonly = true
		begin(t, c)
	}
}

// TestBusyPort: a server whose port is busy leaves no file behind.
func TestBusyPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := config(t, example(t, "online", table.MissingError))
	c.Address = l.Addr().String()
	if err := Run(t.Context(), c, nil, io.Discard, io.Discard); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v, want address already in use", err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.Model)); err != nil || len(left) != 1 {
		t.Errorf("%v: left %v", err, left)
	}
}

// TestStop: after the signal, /readyz fails while other requests still succeed. Then
// the model is saved, and the log says so.
func TestStop(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	var log strings.Builder
	s, err := newService(c, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	drained := make(chan struct{})
	s.drain = func() { <-drained }
	ended := make(chan error)
	go func() { ended <- s.serve(ctx, l, nil) }()
	learn := func() {
		t.Helper()
		if status, text := post(t, url+"/update", `{"row":`+red+`,"class":"low"}`); status != 200 {
			t.Errorf("%d %s", status, text)
		}
	}
	learn()
	get(t, url+"/readyz")
	stop()
	for ready := true; ready; {
		a, err := http.Get(url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		ready = a.StatusCode == 200
		if !ready && a.StatusCode != 503 {
			t.Error(a.Status)
		}
	}
	learn()
	close(drained)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	holds(t, c.Model, s)
	for _, words := range []string{"msg=request method=POST path=/update status=200 bytes=", "msg=stopping drain=0s", "msg=stopped learned=2 saved=2"} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("no %q in\n%s", words, log.String())
		}
	}
	if strings.Contains(log.String(), "path=/readyz") {
		t.Error("probes are logged")
	}
}

// TestCheck: a wrong flag is an error that names it.
func TestCheck(t *testing.T) {
	good := config(t, example(t, "online", table.MissingError))
	for want, change := range map[string]func(*Config){
		"--every 0, --body 4096, --bodies 1048576: the minimum values are 1, 1 and that of --body": func(c *Config) { c.Every = 0 },
		"--every 1000, --body 4096, --bodies 5: the minimum":                                       func(c *Config) { c.Bodies = 5 },
		"--every 1000, --body 0":         func(c *Config) { c.Body = 0 },
		"--drain is -1ns, want at least": func(c *Config) { c.Drain = -1 },
	} {
		c := good
		change(&c)
		if err := c.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
