package serve

import (
	"context"
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

	"perceptron/cmd/perceptron/internal/table"
)

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
	before, err := os.Stat(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Run(ctx, c, nil, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.Model)); err != nil || len(left) != 1 {
		t.Errorf("%v: left %v", err, left)
	}
	if after, err := os.Stat(c.Model); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file is another one: %v", err)
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

// TestForeign: a server does not start with another program's file, and leaves nothing
// beside it.
func TestForeign(t *testing.T) {
	c := config(t, example(t, "online", table.MissingError))
	c.Model = filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(c.Model, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := errors.Join(c.Check(), Run(t.Context(), c, nil, io.Discard, io.Discard))
	if err == nil || !strings.HasPrefix(err.Error(), c.Model+": not a model of this program") {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Dir(c.Model)); err != nil || len(left) != 1 {
		t.Errorf("%v: left %v", err, left)
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
