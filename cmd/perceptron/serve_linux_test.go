package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"perceptron/cmd/perceptron/internal/modelfile"
)

// memory returns the greatest memory that a process has used, in MiB.
func memory(t *testing.T, cmd *exec.Cmd) float64 {
	t.Helper()
	status := read(t, fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	return float64(atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(status)[1])) / 1024
}

// TestServeBusy: 1,000 connections at once and 50 bodies of 1 MB at once are all
// answered, in little memory.
func TestServeBusy(t *testing.T) {
	data := create(t, "data.csv", tumours(100))
	model := trained(t, data, "--label", "diagnosis", "--drop", "id", "--epochs", "1")
	_, rows, _ := rowsOf(t, data, "diagnosis", "id")
	text, err := json.Marshal(rows[1])
	if err != nil {
		t.Fatal(err)
	}
	row := string(text)
	cmd, url, log := served(t, model, "--no-access")
	var asked, done sync.WaitGroup
	var late atomic.Int64
	asked.Add(1000)
	body := `{"row":` + row + `}`
	// ask sends one request and reports whether the server answered. It closes a connection on
	// which nothing arrives for some seconds, as may happen while 1,000 goroutines share a core.
	ask := func(c net.Conn, in *bufio.Reader) bool {
		fmt.Fprintf(c, "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		r, err := http.ReadResponse(in, nil)
		if err != nil {
			return false
		}
		defer r.Body.Close()
		if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || !strings.HasPrefix(string(text), `{"class":`) {
			t.Errorf("%s %s %v", r.Status, text, err)
		}
		return true
	}
	for range 1000 {
		done.Go(func() {
			wait := sync.OnceFunc(func() {
				asked.Done()
				asked.Wait() // all connections are open
			})
			defer wait()
			for answers := 0; answers < 2; late.Add(1) {
				c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
				if err != nil {
					t.Error(err)
					return
				}
				for in := bufio.NewReader(c); answers < 2 && ask(c, in); wait() {
					answers++
				}
				c.Close()
			}
		})
	}
	done.Wait()
	again := late.Load() - 1000
	t.Logf("1,000 connections, %d opened again: %.0f MiB", again, memory(t, cmd))
	if again > 500 {
		t.Errorf("%d connections were closed without an answer", again)
	}
	long := fmt.Appendf(nil, `{"rows":[%s%s]}`, row, strings.Repeat(","+row, (1<<20-12)/(len(row)+1)-1))
	var busy atomic.Int64
	for range 50 {
		done.Go(func() {
			for status := 503; status == 503; { // as a client does that obeys Retry-After
				r, err := http.Post(url+"/predict?scores=true", "application/json", bytes.NewReader(long))
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(r.Body)
				r.Body.Close()
				if status = r.StatusCode; status == 503 {
					busy.Add(1)
				} else if err != nil || status != 200 || strings.Count(string(text), "class") != strings.Count(string(long), "],[")+1 {
					t.Errorf("%s %v: %.100s", r.Status, err, text)
				}
			}
		})
	}
	done.Wait()
	used := memory(t, cmd)
	t.Logf("50 bodies of %d bytes: all answered, after %d times 503; %.0f MiB", len(long), busy.Load(), used)
	if used > 200 {
		t.Errorf("%.0f MiB", used)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err, read(t, log))
	}
}

// TestServeFull: on a full disk, the server continues to learn and to predict, and says
// what is saved. The file holds the last model that was saved. When there is room, the
// server saves.
func TestServeFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("no small disk: ", err)
	}
	defer func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) }()
	data := create(t, "data.csv", tumours(100))
	_, rows, classes := rowsOf(t, data, "diagnosis", "id")
	model, filler := filepath.Join(disk, "m.perceptron"), filepath.Join(disk, "filler")
	runs(t, "train", data, "--label", "diagnosis", "--drop", "id", "-o", model, "--epochs", "1")
	cmd, url, log := served(t, model, "--every", "1")
	var a struct{ Learned, Saved int }
	learn := func(i int) {
		t.Helper()
		if status, err := send(url+"/update", map[string]any{"row": rows[i], "class": classes[i]}, &a); status != 200 || err != nil {
			t.Fatal(status, err)
		}
	}
	if learn(0); a.Saved != 1 {
		t.Errorf("%+v", a)
	}
	saved := read(t, model)
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	for i := range 50 {
		learn(i)
	}
	if a.Learned != 51 || a.Saved != 1 || read(t, model) != saved || strings.Count(read(t, log), "no space left on device") != 1 {
		t.Errorf("%+v: %s", a, read(t, log))
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if learn(0); a.Saved != 52 {
		t.Errorf("%+v", a)
	}
	if _, err := modelfile.Read(model); err != nil || read(t, model) == saved {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err, read(t, log))
	}
}
