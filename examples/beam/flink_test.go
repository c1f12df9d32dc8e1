package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	flinkBound = 30 * time.Second // a lost process or a missing slot ends the program within this time
	patience   = 90 * time.Second // for what the README does not promise
)

// A cluster is one that flink/up.sh has started.
type cluster struct{ folder, endpoint, web string }

// flinkCluster returns the cluster whose folder is in FLINK_DIR. Without it, the test is
// skipped.
func flinkCluster(t testing.TB) cluster {
	t.Helper()
	dir := os.Getenv("FLINK_DIR")
	if dir == "" {
		t.Skip("FLINK_DIR is not set; .ci/steps/flink.sh starts a cluster and runs this test")
	}
	read := func(name string) string {
		return strings.TrimSpace(string(must(os.ReadFile(filepath.Join(dir, name)))(t)))
	}
	return cluster{dir, read("endpoint"), read("web")}
}

// flags returns the command line for a training on the cluster.
func (f cluster) flags(c config) []string {
	return append(c.flags(), "-features", fmt.Sprint(c.Features), "-flink", f.web, "--runner=flink", "--endpoint="+f.endpoint, "--parallelism=2",
		"--worker_binary="+f.folder+"/bin/worker.sh", "--environment_type=PROCESS", fmt.Sprintf(`--environment_config={"command":%q}`, f.folder+"/bin/worker.sh"))
}

// start starts the cluster's own program: launcher and workers must be the same program.
func (f cluster) start(t testing.TB, flags []string) *process {
	t.Helper()
	return launch(t, f.folder+"/bin/beam", "", flags)
}

var allFree = regexp.MustCompile(`"taskmanagers":2,"slots-total":(\d+),"slots-available":(\d+)`)

// ready waits until the job server listens and both TaskManagers offer all their slots.
func (f cluster) ready(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		conn, err := net.Dial("tcp", f.endpoint)
		if err != nil {
			continue
		}
		conn.Close()
		answer, err := http.Get(f.web + "/overview")
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if match := allFree.FindSubmatch(text); match != nil && string(match[1]) == string(match[2]) {
			return
		}
	}
	t.Fatal("the cluster's slots are not free")
}

// TestFlinkBits: Flink, Prism and goroutines give bit-identical results, for a chunk and one more round.
func TestFlinkBits(t *testing.T) {
	f := flinkCluster(t)
	for i, chunk := range []int{1, 3, maxChunk} {
		c := setUp(t, nil)
		c.Mix, c.Keep = mixes[i], keeps[i%2]
		t.Run(fmt.Sprint(c.Mix, " ", c.Keep, " ", chunk), func(t *testing.T) {
			f.ready(t)
			shards := noisy(1, 300, 7).split(5)
			for i, s := range shards {
				put(t, strings.Replace(c.pattern, "*", fmt.Sprint(i), 1), s.text())
			}
			c.chunk, c.rounds = chunk, chunk+1
			f.start(t, f.flags(c)).line(t, fmt.Sprintf("still makes mistakes after %d rounds", c.rounds))
			got := must(loadAll(t, c.checkpoint))(t)
			c.checkpoint += ".prism"
			if prism := trained(t, c); !equal(got.State, prism.State) || !equal(got.State, reference(t, c.learner, shards, c.Mix, c.rounds)) {
				t.Errorf("%+v, but on Prism %+v", got.State, prism.State)
			}
		})
	}
}

// TestFlinkErrors: Flink's layers keep the position of a bad line. A cluster that may retry does not
// retry it. Too few slots are an error. Without the fault, the same command gives the result of an
// undisturbed run.
func TestFlinkErrors(t *testing.T) {
	f := flinkCluster(t)
	cases := []struct {
		want  string
		flags []string
	}{{"b.svm: perceptron: bad format: line 21, column 5: value \"x\"", nil}, {"the cluster has 4 free slots, want 5", []string{"--parallelism=5"}}}
	for _, test := range cases {
		want := test.want
		f.ready(t)
		shards := noisy(1, 60, 3).split(3)
		c := setUp(t, shards)
		c.rounds = 3
		if test.flags == nil {
			bad := append(separable(1, 20, 3).text(), "1 1:x\n"...)
			put(t, strings.Replace(c.pattern, "*", "b", 1), bad)
		}
		program := f.start(t, append(f.flags(c), test.flags...))
		began := time.Now()
		timer := time.AfterFunc(flinkBound, func() { program.Process.Kill() })
		program.drain()
		err := program.Wait()
		timer.Stop()
		t.Logf("after %v: %.300s", time.Since(began), program.errors.String())
		if err == nil || !strings.Contains(program.errors.String(), want) {
			t.Errorf("%v, want %s: %s", err, want, program.errors.String())
		}
		if _, err := os.Stat(c.checkpoint); !os.IsNotExist(err) {
			t.Errorf("%s: the run wrote a checkpoint", want)
		}
		put(t, strings.Replace(c.pattern, "*", "b", 1), shards[1].text())
		f.ready(t)
		f.finishes(t, f.start(t, f.flags(c)), c, shards)
	}
}

// TestFlinkCauses: on a cluster that retries, the error of a run without progress names the cause.
func TestFlinkCauses(t *testing.T) {
	f := flinkCluster(t)
	command := func(script string, mode os.FileMode) string {
		name := filepath.Join(t.TempDir(), "worker")
		if err := os.WriteFile(name, []byte(script), mode); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("--environment_config={\"command\":%q}", name)
	}
	c := setUp(t, noisy(1, 60, 3).split(3))
	c.stall = 6 * time.Second
	hidden := fmt.Sprintf("#!/bin/sh\nexec unshare -m sh -c 'mount -t tmpfs none %s && exec \"$@\"' sh %s/bin/worker.sh \"$@\"\n", filepath.Dir(c.checkpoint), f.folder)
	for want, flag := range map[string]string{
		"must be executable on every TaskManager":    command("#!/bin/sh\n", 0o600),
		"must reach -checkpoint under the same name": command(hidden, 0o700), // this folder is not shared
		"must be the address of Beam's job server":   "--endpoint=" + strings.TrimPrefix(f.web, "http://"),
	} {
		f.ready(t)
		program := f.start(t, append(f.flags(c), flag))
		f.ends(t, program)
		if !strings.Contains(program.errors.String(), want) {
			t.Errorf("%s, want %s", program.errors.String(), want)
		}
	}
}

// TestFlinkUsers: launcher and workers may be different users, neither of them root. With a umask that hides
// the launcher's files, the error says what to do.
func TestFlinkUsers(t *testing.T) {
	f := flinkCluster(t)
	if os.Getuid() != 0 {
		t.Skip("only root can start processes of other users")
	}
	folder := must(os.MkdirTemp("/tmp", "beam"))(t)
	defer os.RemoveAll(folder)
	shards := noisy(1, 300, 7).split(5)
	c := setUp(t, shards)
	for _, name := range must(filepath.Glob(c.pattern))(t) {
		copied := folder + "/" + filepath.Base(name)
		if err := errors.Join(os.WriteFile(copied, must(os.ReadFile(name))(t), 0o600), os.Chmod(copied, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	const daemon, nobody = 1, 65534 // Beam needs users that the system knows
	script := "#!/bin/sh\nexec setpriv --reuid=nobody --regid=nogroup --clear-groups " + f.folder + "/bin/beam \"$@\"\n"
	if err := errors.Join(os.WriteFile(folder+"/worker.sh", []byte(script), 0o600), os.Chmod(folder+"/worker.sh", 0o755), os.Chmod(folder, 0o777)); err != nil {
		t.Fatal(err)
	}
	c.pattern, c.checkpoint = folder+"/*.svm", folder+"/checkpoint"
	c.rounds, c.chunk, c.stall = 3, 2, 8*time.Second // the first run lasts so long
	flags := append(f.flags(c), fmt.Sprintf("--environment_config={\"command\":\"%s/worker.sh\"}", folder))
	other := func(p *exec.Cmd) {
		p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: daemon, Gid: daemon}}
	}
	f.ready(t)
	program := launch(t, "/bin/sh", "", append([]string{"-c", `umask 077; exec "$0" "$@"`, f.folder + "/bin/beam"}, flags...), other)
	program.drain()
	program.Wait()
	if text := program.errors.String(); !strings.Contains(text, fmt.Sprintf("with the user id %d uses %s", nobody, c.checkpoint)) || !strings.Contains(text, "permission denied") || !strings.Contains(text, "umask") {
		t.Error(text)
	}
	f.ready(t)
	launch(t, f.folder+"/bin/beam", "", append(flags, "-stall=2m"), other).line(t, "still makes mistakes after 3 rounds")
	if got := must(loadAll(t, c.checkpoint))(t); !equal(got.State, goroutines(t, shards, uniform, 3)) {
		t.Error("the result differs from that of goroutines")
	}
}
