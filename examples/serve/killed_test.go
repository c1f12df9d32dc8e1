package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"perceptron"
)

// serveFile is the environment variable that makes this test binary run the program
// with the named file.
const serveFile = "SERVE_FILE"

// TestKilled kills the program while it receives examples and starts it again. The
// program may lose only examples that it has not reported as saved. In round 3 the
// program is stopped instead and must lose nothing.
func TestKilled(t *testing.T) {
	if file := os.Getenv(serveFile); file != "" {
		os.Args = []string{"serve", "-addr", "127.0.0.1:0", "-file", file, "-every", "7", "-access=false"}
		main()
		return
	}
	file := filepath.Join(t.TempDir(), "model")
	r := rand.New(rand.NewPCG(5, 5))
	held := new(perceptron.Margin) // the model that the file should hold
	for round := range 6 {
		cmd, url := spawn(t, file)
		var m perceptron.Margin
		if err := m.UnmarshalJSON(get(t, url+"/model")); err != nil || !same(t, &m, held) {
			t.Fatalf("round %d: the program does not continue from its file: %v", round, err)
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
			t.Fatalf("round %d: the program ended with %v", round, err)
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
			t.Fatalf("round %d: of %d examples, the file does not hold the first %d or more", round, len(sent), want)
		}
		t.Logf("%d examples sent, %d reported as saved, %d in the file", len(sent), saved, k)
	}
}

// send sends examples until the program ends. It calls end in the background after some
// examples. It returns the examples that the program may have learned, how many of
// them it answered, and how many it reported as saved.
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

// spawn starts the program and returns its URL.
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
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if it still runs
	var url string
	if _, err := fmt.Fscanf(out, "serving "+file+" on %s\n", &url); err != nil {
		t.Fatal(err)
	}
	return cmd, url
}
