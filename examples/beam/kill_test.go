package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

var (
	port = flag.Int("test_port", 0, "port of the job server, in the process of a job server")

	// The README promises an error at most 10 seconds after -stall, which is 10 seconds in
	// these tests. The bound allows more, for slow machines.
	bound = 30 * time.Second
)

// serve runs a job server, like the program cmd/prism.
func serve() {
	flag.Parse()
	if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: *port}); err != nil {
		panic(err)
	}
	fmt.Println("serving")
	select {}
}

// A process is another run of this test binary.
type process struct {
	*exec.Cmd
	in     io.Closer
	out    *bufio.Scanner
	errors strings.Builder
}

// start starts a process of a kind that TestMain knows. The process ends with the test, even if the
// test dies.
func start(t *testing.T, kind string, args ...string) *process {
	t.Helper()
	return launch(t, os.Args[0], kind, args)
}

// launch starts a process of another program, which ignores the kind.
func launch(t testing.TB, program, kind string, args []string, change ...func(*exec.Cmd)) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{Cmd: exec.CommandContext(ctx, program, args...)}
	p.Env = append(os.Environ(), "BEAM_TEST_PROCESS="+kind)
	p.Stderr = &p.errors
	for _, f := range change {
		f(p.Cmd)
	}
	p.in = must(p.StdinPipe())(t)
	p.out = bufio.NewScanner(must(p.StdoutPipe())(t))
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); p.Wait() })
	return p
}

// line waits for a line of output with the prefix begin and returns it.
func (p *process) line(t testing.TB, begin string) string {
	t.Helper()
	for p.out.Scan() {
		if strings.HasPrefix(p.out.Text(), begin) {
			return p.out.Text()
		}
	}
	t.Fatalf("the process ended without a line that begins with %q; %s", begin, p.errors.String())
	return ""
}

// startServer starts a job server and returns the flags to use it.
func startServer(t *testing.T) (*process, []string) {
	lis := must(net.Listen("tcp", "localhost:0"))(t)
	port := lis.Addr().(*net.TCPAddr).Port
	lis.Close()
	server := start(t, "server", fmt.Sprint("-test_port=", port))
	server.line(t, "serving")
	return server, []string{"--runner=universal", fmt.Sprint("--endpoint=localhost:", port), "--environment_type=LOOPBACK"}
}

// flags returns the command line for c. A chunk of 0 is the default.
func (c config) flags() []string {
	flags := []string{"-shards", c.pattern, "-mix", c.Mix, "-checkpoint", c.checkpoint, "-keep", c.Keep, "-rounds", fmt.Sprint(c.rounds), "-stall", fmt.Sprint(c.stall)}
	if c.chunk > 0 {
		flags = append(flags, "-chunk", fmt.Sprint(c.chunk))
	}
	return flags
}

// TestProcesses: a separate job server gives bit-identical results, and the program leaves no file.
func TestProcesses(t *testing.T) {
	shards := noisy(1, 300, 7).split(5)
	c := setUp(t, shards)
	c.rounds, c.chunk = 5, 3
	_, more := startServer(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	program := start(t, "program", append(c.flags(), more...)...)
	program.line(t, "still makes mistakes after 5 rounds")
	program.drain()
	if left := must(os.ReadDir(dir))(t); len(left) != 0 {
		t.Errorf("the program left %v", left)
	}
	got := must(loadAll(t, c.checkpoint))(t)
	if want := goroutines(t, shards, uniform, 5); !equal(got.State, want) {
		t.Errorf("%+v, want %+v", got.State, want)
	}
}

// halting is a file system of local files at halting://. A process started by the test
// prints "halted" and hangs when it opens the n-th file, where n is BEAM_TEST_HALT.
type halting struct{ filesystem.Interface }

func init() {
	filesystem.Register("halting", func(ctx context.Context) filesystem.Interface { return halting{local.New(ctx)} })
}

const scheme = "halting://"

var reads atomic.Int64

func (h halting) List(ctx context.Context, pattern string) ([]string, error) {
	names, err := h.Interface.List(ctx, strings.TrimPrefix(pattern, scheme))
	for i := range names {
		names[i] = scheme + names[i]
	}
	return names, err
}

func (h halting) Size(ctx context.Context, name string) (int64, error) {
	return h.Interface.Size(ctx, strings.TrimPrefix(name, scheme))
}

func (h halting) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	if os.Getenv("BEAM_TEST_PROCESS") != "" && fmt.Sprint(reads.Add(1)) == os.Getenv("BEAM_TEST_HALT") {
		fmt.Println("halted")
		select {}
	}
	return h.Interface.OpenRead(ctx, strings.TrimPrefix(name, scheme))
}

// TestKilled kills the program or the server, in the middle of a shard or
// after a round. The program ends with an error and the last checkpoint is complete. A
// restart from it gives the same result as an uninterrupted run.
func TestKilled(t *testing.T) {
	shards := noisy(1, 3000, 10).split(5)
	none := func(*testing.T) (*process, []string) { return nil, nil }
	for name, starts := range map[string]func(*testing.T) (*process, []string){
		"program": none, "server": startServer,
	} {
		t.Run(name+" in a shard", func(t *testing.T) {
			t.Setenv("BEAM_TEST_HALT", fmt.Sprint(5+3*5+3)) // 5 reads to measure, then 5 in each round
			c := setUp(t, shards)
			c.pattern = scheme + c.pattern
			killed := kill(t, c, starts, "halted")
			if killed.Round != 3 || !equal(killed.State, goroutines(t, shards, uniform, 3)) {
				t.Errorf("the state is not the one after 3 rounds, but after %d", killed.Round)
			}
		})
		t.Run(name+" after a round", func(t *testing.T) {
			kill(t, setUp(t, shards), starts, "round 3:")
		})
	}
}

// kill starts the program and waits for a line of output. It then kills the server,
// or the program if starts returns no server. It checks the checkpoint and a restart
// from it, and returns the checkpoint.
func kill(t *testing.T, c config, starts func(*testing.T) (*process, []string), line string) whole {
	c.rounds, c.chunk, c.stall = 1000, 1, 10*time.Second // the README promises an error after -stall
	victim, flags := starts(t)
	program := start(t, "program", append(c.flags(), flags...)...)
	if victim == nil {
		victim = program
	}
	program.line(t, line)
	victim.Process.Kill()
	began := time.Now()
	timer := time.AfterFunc(bound, func() {
		t.Errorf("no error within %v after the kill", bound)
		program.Process.Kill()
	})
	program.drain()
	err := program.Wait()
	timer.Stop()
	t.Logf("%v after %v: %.300s", err, time.Since(began), program.errors.String())
	if err == nil || victim != program && program.errors.Len() == 0 {
		t.Errorf("the program ended with %v and printed no error", err)
	}
	saved := must(loadAll(t, c.checkpoint))(t)
	shards := noisy(1, 3000, 10).split(5)
	if saved.Round < 3 || !equal(saved.State, goroutines(t, shards, uniform, saved.Round)) {
		t.Errorf("not the state after %d rounds", saved.Round)
	}
	c.rounds = saved.Round + 3
	if got := trained(t, c); !equal(got.State, goroutines(t, shards, uniform, c.rounds)) {
		t.Error("the restart gives another result")
	}
	return saved
}

// TestOrphans: a process ends when the test that started it dies, even if the process
// hangs in a shard. Otherwise Prism would use half a core forever.
func TestOrphans(t *testing.T) {
	t.Setenv("BEAM_TEST_HALT", "4")
	c := setUp(t, noisy(1, 300, 7).split(5))
	c.pattern = scheme + c.pattern
	program := start(t, "program", c.flags()...)
	program.line(t, "halted")
	server, _ := startServer(t)
	for _, p := range []*process{program, server} {
		p.in.Close()
		timer := time.AfterFunc(bound, func() { p.Process.Kill() })
		p.Wait()
		timer.Stop()
		if p.ProcessState.ExitCode() != 3 {
			t.Errorf("%v: %v, want exit status 3", p.Args, p.ProcessState)
		}
	}
}

// drain reads the output to its end.
func (p *process) drain() {
	for p.out.Scan() {
	}
}
