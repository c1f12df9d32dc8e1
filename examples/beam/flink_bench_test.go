package main

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A cost is the seconds that a run took, or a round of it. CPU is that of all processes.
// Busiest is the CPU of the TaskManager that worked most, with its workers. On a machine
// that others use, CPU is the more exact figure.
type cost struct{ wall, cpu, busiest float64 }

// processes calls do for each process of the cluster, with the name of the process that
// started it.
func (f cluster) processes(b *testing.B, do func(name, folder string)) {
	for _, file := range must(filepath.Glob(filepath.Join(f.folder, "*.pid")))(b) {
		group := must(strconv.Atoi(strings.TrimSpace(string(must(os.ReadFile(file))(b)))))(b)
		for _, folder := range must(filepath.Glob("/proc/[0-9]*"))(b) {
			pid := must(strconv.Atoi(filepath.Base(folder)))(b)
			if is, err := syscall.Getpgid(pid); err == nil && is == group {
				do(strings.TrimSuffix(filepath.Base(file), ".pid"), folder)
			}
		}
	}
}

// cpu returns the seconds that each process of the cluster has used so far, with the
// workers that it has started, also those that ended.
func (f cluster) cpu(b *testing.B) map[string]float64 {
	seconds := map[string]float64{}
	f.processes(b, func(name, folder string) {
		stat, _ := os.ReadFile(folder + "/stat")
		_, text, _ := strings.Cut(string(stat), ") ") // fields from the third
		for i, field := range strings.Fields(text) {
			if 11 <= i && i <= 14 { // utime, stime, cutime, cstime
				ticks, _ := strconv.ParseFloat(field, 64)
				seconds[name] += ticks / 100
			}
		}
	})
	return seconds
}

// memory updates the most memory that a process of each name has held, in MB.
func (f cluster) memory(b *testing.B, most map[string]float64) {
	f.processes(b, func(name, folder string) {
		if command, _ := os.ReadFile(folder + "/comm"); strings.HasPrefix(name, "tm") && string(command) == "beam\n" {
			name = "worker"
		}
		status, _ := os.ReadFile(folder + "/status")
		if _, text, found := strings.Cut(string(status), "VmHWM:"); found {
			kb := must(strconv.ParseFloat(strings.Fields(text)[0], 64))(b)
			name = strings.TrimRight(name, "12")
			most[name] = max(most[name], kb/1024)
		}
	})
}

// run runs the program to its end.
func (f cluster) run(b *testing.B, c config) cost {
	os.Remove(c.checkpoint)
	before, began := f.cpu(b), time.Now()
	program := f.start(b, f.flags(c))
	program.line(b, "still makes mistakes after "+count(c.rounds, "round"))
	program.drain()
	if err := program.Wait(); err != nil {
		b.Fatal(err, program.errors.String())
	}
	state := program.ProcessState
	all := cost{wall: time.Since(began).Seconds(), cpu: (state.UserTime() + state.SystemTime()).Seconds()}
	for name, seconds := range f.cpu(b) {
		all.cpu += seconds - before[name]
		if strings.HasPrefix(name, "tm") {
			all.busiest = max(all.busiest, seconds-before[name])
		}
	}
	return all
}

// rounds returns the cost of a round: a run of one chunk is subtracted from one with so
// many rounds more.
func (f cluster) rounds(b *testing.B, c config, more int) cost {
	c.rounds = c.chunk
	short := f.run(b, c)
	c.rounds += more
	long := f.run(b, c)
	n := float64(more)
	return cost{(long.wall - short.wall) / n, (long.cpu - short.cpu) / n, (long.busiest - short.busiest) / n}
}

// A least holds the least cost of some runs.
type least struct{ cost }

func (l *least) add(c cost) {
	if l.wall == 0 {
		l.cost = c
	}
	l.cost = cost{min(l.wall, c.wall), min(l.cpu, c.cpu), min(l.busiest, c.busiest)}
}

// report adds the costs of a round to the benchmark's line.
func (l least) report(b *testing.B, name string) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(l.wall, name+"s/round")
	b.ReportMetric(l.cpu, name+"cpu-s/round")
}

// BenchmarkFlinkRound: a round on 3,200 rows of 10 features has almost no work, so its time
// is the overhead.
func BenchmarkFlinkRound(b *testing.B) {
	f := flinkCluster(b)
	for _, shards := range []int{2, 64} {
		c := setUp(b, noisy(1, 3200, 10).split(shards))
		for _, chunk := range []int{1, maxChunk} {
			b.Run(fmt.Sprintf("shards=%d/chunk=%d", shards, chunk), func(b *testing.B) {
				f.ready(b)
				c.chunk = chunk
				var l least
				for range b.N {
					l.add(f.rounds(b, c, 10))
				}
				l.report(b, "")
			})
		}
	}
}

// wide returns shards that have two rows each, with both labels: a row and its double. Training changes every
// weight in every round. (With the same row twice, the second update would take back the first.)
func wide(shards, features int) []dataset {
	set := make([]dataset, shards)
	for i := range set {
		x, twice := make([]float64, features), make([]float64, features)
		for j := range x {
			x[j], twice[j] = 1+float64((i+j)%4), 2+2*float64((i+j)%4) // one digit, so that the text is small
		}
		set[i] = dataset{[][]float64{x, twice}, []int{+1, -1}}
	}
	return set
}

// TestFlinkWide: the weights that one slot holds may be larger than Flink's sort buffer, and
// than its default direct memory.
func TestFlinkWide(t *testing.T) {
	f := flinkCluster(t)
	f.ready(t)
	shards := wide(64, 100_000)
	c := setUp(t, shards)
	c.rounds = 2
	f.start(t, f.flags(c)).line(t, "still makes mistakes after 2 rounds")
	got := must(loadAll(t, c.checkpoint))(t)
	if !equal(got.State, goroutines(t, shards, uniform, 2)) {
		t.Error("the result differs from that of goroutines")
	}
	if slices.Contains(got.State.Weights, 0) {
		t.Error("a weight is 0: the parts were not wide")
	}
}

// BenchmarkFlinkWeights: a round in which 8 shards have 50,000 features and two rows each.
// The run alternates with one of 1,000 features.
func BenchmarkFlinkWeights(b *testing.B) {
	f := flinkCluster(b)
	var all [2]least
	for range b.N {
		for i, features := range []int{50_000, 1000} {
			c := setUp(b, wide(8, features))
			c.chunk = 10
			f.ready(b)
			all[i].add(f.rounds(b, c, 10))
		}
	}
	all[0].report(b, "50000-")
	all[1].report(b, "1000-")
}

// BenchmarkFlinkTaskManagers: a round on 0.4 GB, with one TaskManager and with two. Each has
// a core of its own, and the parallelism is 2 in both cases. The metrics have the most
// memory of each process too.
func BenchmarkFlinkTaskManagers(b *testing.B) {
	f := flinkCluster(b)
	c := setUp(b, []dataset{noisy(1, 12_500, 1000)})
	for i := range 3 {
		content := must(os.ReadFile(filepath.Join(filepath.Dir(c.pattern), "a.svm")))(b)
		if err := os.WriteFile(strings.Replace(c.pattern, "*", strconv.Itoa(i), 1), content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	c.chunk = 10 // so that a start counts little
	var one, two least
	most, watched := f.watch(b)
	for range b.N {
		f.ready(b)
		f.pin(b, "tm1", "0")
		f.pin(b, "tm2", "1")
		two.add(f.rounds(b, c, 50))
		f.ready(b) // no worker is left
		f.stop(b, "tm2")
		one.add(f.rounds(b, c, 50))
		f.restart(b, "tm2")
	}
	watched()
	f.ready(b)
	f.pin(b, "tm1", "0-"+strconv.Itoa(runtime.NumCPU()-1))
	one.report(b, "one-")
	two.report(b, "two-")
	b.ReportMetric(one.wall/two.wall, "one/two-wall")
	b.ReportMetric(one.busiest/two.busiest, "one/two-busiest-cpu")
	for name, mb := range most {
		b.ReportMetric(math.Ceil(mb), name+"-MB")
	}
}

// BenchmarkFlinkLarge: a round on 10⁷ rows of 10⁷ features, in 4 shards of 3.2 GB. The rows are 10⁶
// different ones, each ten times.
func BenchmarkFlinkLarge(b *testing.B) {
	f := flinkCluster(b)
	const features, shards, times = 10_000_000, 4, 10
	c := setUp(b, nil)
	c.Features, c.chunk, c.stall = features, 1, 10*time.Minute
	for s := range shards {
		file := must(os.Create(strings.Replace(c.pattern, "*", strconv.Itoa(s), 1)))(b)
		for part := range 5 {
			content := words(uint64(5*s+part), 50_000, features)
			for range times {
				must(file.Write(content))(b)
			}
		}
		must(0, file.Close())(b)
	}
	var l least
	most, watched := f.watch(b)
	for range b.N {
		f.ready(b)
		l.add(f.rounds(b, c, 2))
	}
	watched()
	l.report(b, "")
	b.ReportMetric(shards*5*50_000*times/l.cpu, "rows/cpu-s")
	for name, mb := range most {
		b.ReportMetric(math.Ceil(mb), name+"-MB")
	}
}

// watch measures the memory until the function that it returns is called.
func (f cluster) watch(b *testing.B) (most map[string]float64, stop func()) {
	most = map[string]float64{}
	end := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-end:
				return
			case <-time.After(200 * time.Millisecond):
				f.memory(b, most)
			}
		}
	})
	return most, func() { close(end); done.Wait() }
}

// pin runs a process of the cluster, and what it starts, on some cores.
func (f cluster) pin(b *testing.B, name, to string) {
	must(exec.Command("taskset", "-acp", to, strconv.Itoa(f.pid(b, name))).Output())(b)
}

// stop kills a TaskManager and waits until the JobManager has lost it.
func (f cluster) stop(b *testing.B, name string) {
	syscall.Kill(-f.pid(b, name), syscall.SIGKILL)
	for range 300 {
		answer := must(http.Get(f.web + "/overview"))(b)
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if strings.Contains(string(text), `"taskmanagers":1,`) {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	b.Fatal("the TaskManager is still there")
}
