package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interrupted starts a training and waits until a worker is in the middle of a shard in
// the second round. It returns the worker and the end of the pipe that feeds it. The
// next worker that opens the shard reads all of it.
func (f cluster) interrupted(t *testing.T, c config) (program *process, worker int, pipe *os.File) {
	f.ready(t)
	program = f.start(t, f.flags(c))
	program.line(t, "round 1:")
	shard := strings.Replace(c.pattern, "*", "b", 1)
	pipe = swap(t, shard)
	worker = readerOf(t, shard)
	if err := os.Rename(shard+".saved", shard); err != nil {
		t.Fatal(err)
	}
	return program, worker, pipe
}

// longer returns flags for a training of three rounds, and its shards. The others are the default flags.
func longer(t *testing.T) (config, []dataset) {
	shards := noisy(1, 3000, 10).split(3)
	c := setUp(t, shards)
	c.rounds, c.chunk = 3, 0
	return c, shards
}

// continues checks the last checkpoint, runs the same command again, and checks the result.
func (f cluster) continues(t *testing.T, c config, shards []dataset) {
	saved := must(loadAll(t, c.checkpoint))(t)
	if !equal(saved.State, goroutines(t, shards, uniform, saved.Round)) {
		t.Errorf("not the state after %d rounds", saved.Round)
	}
	f.ready(t)
	f.finishes(t, f.start(t, f.flags(c)), c, shards)
}

// finishes waits for the end of a program and checks the result.
func (f cluster) finishes(t *testing.T, program *process, c config, shards []dataset) {
	program.line(t, "still makes mistakes after 3 rounds")
	got := must(loadAll(t, c.checkpoint))(t)
	if !equal(got.State, goroutines(t, shards, uniform, 3)) {
		t.Error("the result differs from that of an undisturbed run")
	}
}

// TestFlinkKilled kills a process while a worker is in the middle of a shard. The cluster
// does not retry. The program ends with an error, and the last checkpoint is complete.
// When the process runs again, the same command gives the same result as an undisturbed
// run.
func TestFlinkKilled(t *testing.T) {
	f := flinkCluster(t)
	for _, victim := range []string{"worker", "tm", "jobmanager", "jobserver"} {
		t.Run(victim, func(t *testing.T) {
			c, shards := longer(t)
			program, worker, pipe := f.interrupted(t, c)
			again := f.kill(t, victim, worker)
			f.ends(t, program)
			pipe.Write(shards[1].text()[1000:]) // for a job that outlives the job server
			pipe.Close()
			gone(t, worker, victim != "jobserver")
			for _, name := range again {
				f.restart(t, name)
			}
			f.continues(t, c, shards)
		})
	}
}

// restart starts a process of the cluster again.
func (f cluster) restart(t testing.TB, name string) {
	command := exec.Command(filepath.Join(f.folder, "bin", name))
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go command.Wait()
}

// cut cuts a link, or restores it: that of the JobManager and the job server (0), or of a TaskManager.
func (f cluster) cut(t *testing.T, machine int, state string) {
	net := strings.TrimSuffix(strings.TrimPrefix(f.web, "http://"), ".10:8081")
	bridge := ("pf" + strings.ReplaceAll(net, ".", "-"))
	link := fmt.Sprint(bridge[:min(13, len(bridge))], "-", machine)
	if out, err := exec.Command("ip", "link", "set", link, state).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestFlinkRecovers: a cluster that retries, with spare slots, survives the loss of a
// process and of its network. The program ends as an undisturbed run.
func TestFlinkRecovers(t *testing.T) {
	f := flinkCluster(t)
	for _, test := range []struct {
		name  string
		fault func(t *testing.T, worker int)
	}{
		{"worker", func(t *testing.T, worker int) { f.kill(t, "worker", worker) }},
		{"tm", func(t *testing.T, worker int) {
			for _, name := range f.kill(t, "tm", worker) {
				defer f.restart(t, name)
			}
			gone(t, worker, true)
		}},
		{"network", func(t *testing.T, _ int) {
			f.cut(t, 0, "down")
			time.Sleep(20 * time.Second) // twice heartbeat.timeout
			f.cut(t, 0, "up")
		}},
		{"network of a TaskManager, for good", func(t *testing.T, worker int) {
			machine := 1 + slices.Index([]string{"tm1", "tm2"}, f.starter(t, worker, "tm"))
			f.cut(t, machine, "down")
			t.Cleanup(func() { f.cut(t, machine, "up") })
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, shards := longer(t)
			program, worker, pipe := f.interrupted(t, c)
			defer pipe.Close()
			began := time.Now()
			test.fault(t, worker)
			f.finishes(t, program, c, shards)
			t.Logf("finished %v after the fault", time.Since(began))
		})
	}
}

// TestFlinkOrphan: after the death of the job server, the launcher cancels its job. The job's
// worker ends, though it waits for the rest of a shard, and Flink does not retry. With a job
// server, the same command continues to the result of an undisturbed run.
func TestFlinkOrphan(t *testing.T) {
	f := flinkCluster(t)
	c, shards := longer(t)
	program, worker, pipe := f.interrupted(t, c)
	defer pipe.Close()
	again := f.kill(t, "jobserver", worker)
	f.ends(t, program)
	gone(t, worker, true)
	f.restart(t, again[0])
	f.continues(t, c, shards)
}

// TestFlinkStall: if a worker or the network stops without an end, the program ends with
// an error after -stall. A signal cancels the job. When all is well again, the same
// command gives the same result as an undisturbed run.
func TestFlinkStall(t *testing.T) {
	f := flinkCluster(t)
	for _, test := range []struct {
		name, want     string
		fault, restore func(t *testing.T, program *process, worker int, pipe *os.File)
	}{
		{
			"worker", "no progress for 20s",
			func(_ *testing.T, _ *process, worker int, _ *os.File) { syscall.Kill(worker, syscall.SIGSTOP) },
			func(_ *testing.T, _ *process, worker int, _ *os.File) { syscall.Kill(worker, syscall.SIGKILL) },
		},
		{
			"network", "no progress for 20s",
			func(t *testing.T, _ *process, _ int, _ *os.File) { f.cut(t, 0, "down") },
			func(t *testing.T, _ *process, _ int, pipe *os.File) { f.cut(t, 0, "up"); pipe.Close() },
		},
		{
			"signal", "the run was canceled: interrupt signal received",
			func(t *testing.T, program *process, _ int, pipe *os.File) {
				program.Process.Signal(syscall.SIGINT)
				go func() { // bit by bit, so that the worker sees the cancellation
					for i := range longText {
						pipe.WriteString(longText[i : i+1])
						time.Sleep(10 * time.Millisecond)
					}
				}()
			},
			func(*testing.T, *process, int, *os.File) {},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, shards := longer(t)
			if test.name != "signal" {
				c.stall = 20 * time.Second
			}
			program, worker, pipe := f.interrupted(t, c)
			defer pipe.Close()
			test.fault(t, program, worker, pipe)
			f.ends(t, program)
			if !strings.Contains(program.errors.String(), test.want) {
				t.Errorf("%s, want %s", program.errors.String(), test.want)
			}
			test.restore(t, program, worker, pipe)
			c.stall = patience // nothing stalls now, however busy the machine is
			f.continues(t, c, shards)
		})
	}
}

var longText = strings.Repeat("# ", 1000)

// swap puts a pipe in the place of a shard. It returns the pipe when a worker reads it,
// after the first 1000 bytes.
func swap(t *testing.T, shard string) *os.File {
	content := must(os.ReadFile(shard))(t)
	if err := os.Rename(shard, shard+".saved"); err != nil { // with its time, so that it has its cache again
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(shard+".pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(shard+".pipe", shard); err != nil {
		t.Fatal(err)
	}
	pipe := must(os.OpenFile(shard, os.O_WRONLY, 0))(t)
	must(pipe.Write(content[:1000]))(t)
	return pipe
}

// readerOf returns the process of a worker that has opened a file.
func readerOf(t *testing.T, name string) int {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, fd := range must(filepath.Glob("/proc/[0-9]*/fd/*"))(t) {
			if target, _ := os.Readlink(fd); target != name {
				continue
			}
			pid := must(strconv.Atoi(strings.Split(fd, "/")[2]))(t)
			if pid != os.Getpid() {
				return pid
			}
		}
	}
	t.Fatal("no worker reads " + name)
	return 0
}

// kill kills a process of the cluster. Of the TaskManagers, it chooses the one
// of the worker. It returns what must start again.
func (f cluster) kill(t testing.TB, victim string, worker int) (again []string) {
	if victim == "worker" {
		syscall.Kill(worker, syscall.SIGKILL)
		return nil
	}
	name := f.starter(t, worker, victim)
	syscall.Kill(f.pid(t, name), syscall.SIGKILL)
	return []string{name}
}

// starter returns the name of the process that kind names. Of the TaskManagers, it returns
// the one that started a worker.
func (f cluster) starter(t testing.TB, worker int, kind string) string {
	group := must(syscall.Getpgid(worker))(t)
	for _, file := range must(filepath.Glob(filepath.Join(f.folder, kind+"*.pid")))(t) {
		if name := strings.TrimSuffix(filepath.Base(file), ".pid"); name == kind || group == f.pid(t, name) {
			return name
		}
	}
	t.Fatal("the cluster has no " + kind)
	return ""
}

// pid returns the number of a process of the cluster.
func (f cluster) pid(t testing.TB, name string) int {
	return must(strconv.Atoi(strings.TrimSpace(string(must(os.ReadFile(filepath.Join(f.folder, name+".pid")))(t)))))(t)
}

// ends waits for the error of the program.
func (f cluster) ends(t *testing.T, program *process) {
	began := time.Now()
	timer := time.AfterFunc(flinkBound, func() {
		t.Errorf("no error within %v after the kill", flinkBound)
		program.Process.Kill()
	})
	program.drain()
	err := program.Wait()
	timer.Stop()
	t.Logf("%v after %v: %.300s", err, time.Since(began), program.errors.String())
	if err == nil || program.errors.Len() == 0 {
		t.Errorf("the program ended with %v and printed no error", err)
	}
}

// gone waits until a worker has ended, if it must.
func gone(t *testing.T, worker int, must bool) {
	deadline := time.Now().Add(patience)
	for must && syscall.Kill(worker, 0) == nil {
		if time.Now().After(deadline) {
			t.Fatal("the worker outlives its TaskManager or its job")
		}
		time.Sleep(100 * time.Millisecond)
	}
}
