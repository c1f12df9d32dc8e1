package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// An origin describes the launcher to its workers. They communicate through files beside
// the checkpoint, because that is the one place that all of them reach. Beam's metrics do
// not serve: Flink's job server returns them only after the end of a job.
type origin struct {
	ID         string        // differs in each run of the program
	Program    string        // hash of the launcher's program
	Checkpoint string        // all files begin with this name
	Mode       fs.FileMode   // permissions of all files
	Beat       time.Duration // a worker reports its progress this often
	Round      int           // of the stage that works; see beat
}

// canceled is the content of a lease that stops all workers.
const canceled = "canceled"

// The endings of the files.
const (
	nextFile  = ".next"  // the result of the last round, from a worker
	leaseFile = ".lease" // the ID of the pipeline, from the launcher; a worker stops if it changes
	beatFile  = ".beat." // the progress of a worker; a random name follows
	errorFile = ".error" // the last error that a worker returned to the runner
)

var (
	errCanceled = errors.New("the run was canceled, or another run took over its checkpoint")
	errPlace    = errors.New("launcher and workers must reach -checkpoint under the same name; -mode lets other users read the files, and their folder must let them write")
)

// begin describes this process as the launcher of a pipeline. Each pipeline has its own
// ID, so that the workers of an earlier one stop.
func (c *config) begin(ctx context.Context) error {
	c.origin = origin{ID: rand.Text(), Program: program(), Checkpoint: c.checkpoint, Mode: c.mode, Beat: min(c.stall/8, 5*time.Second)}
	return errors.Join(c.origin.clear(ctx), c.origin.lease(ctx, c.origin.ID))
}

// program returns a hash of the program that this process runs, or a text that equals no
// hash. Linux also has a name for a program that a newer file has replaced.
var program = sync.OnceValue(func() string {
	file, err := os.Open("/proc/self/exe")
	if missing(err) {
		name, _ := os.Executable()
		file, err = os.Open(name)
	}
	hash := sha256.New()
	if err == nil {
		_, err = io.Copy(hash, file)
	}
	if err != nil {
		return fmt.Sprintf("unknown to process %d: %v", os.Getpid(), err)
	}
	return fmt.Sprintf("%.8x", hash.Sum(nil))
})

// A dataError is an error that another attempt cannot repair. It becomes part of the
// result. All other errors are returned to the runner, which may retry.
type dataError struct{ error }

func (e *dataError) Unwrap() error { return e.error }

// part returns a shard's contribution to a stage, as f fills it in.
func (o origin) part(ctx context.Context, shard Shard, f func(*Part) error) (Part, error) {
	part, err := Part{Shard: shard.Number}, o.check(ctx, shard)
	if err == nil {
		err = f(&part)
	}
	if bad := (*dataError)(nil); errors.As(err, &bad) {
		part.Failed, err = err.Error(), nil
	}
	return part, o.tell(ctx, err)
}

// tell tells the launcher of an error, if there is one, and returns it. A runner may go on after
// the error, with nothing from that stage, and then show the error of a later stage instead.
func (o origin) tell(ctx context.Context, err error) error {
	if err != nil {
		o.Mode |= 0o444 // perhaps the launcher is another user, and -mode is wrong
		o.write(context.WithoutCancel(ctx), errorFile, fmt.Append(nil, o.ID, " ", err))
	}
	return err
}

// write writes one of the files beside the checkpoint.
func (o origin) write(ctx context.Context, file string, content []byte) error {
	return write(ctx, o.Checkpoint+file, content, o.Mode)
}

// check returns an error if this worker runs another program than the launcher, or cannot
// read the launcher's file or write its own. On some storages, other machines see a new
// file late.
func (o origin) check(ctx context.Context, shard Shard) error {
	host, _ := os.Hostname()
	if is := program(); is != o.Program {
		return &dataError{fmt.Errorf("a worker on %s runs the program %s, but the launcher runs %s: they must be the same file", host, is, o.Program)}
	}
	err := o.leased(ctx)
	for late := time.Now().Add(o.Beat); err != nil && ctx.Err() == nil && time.Now().Before(late); err = o.leased(ctx) {
		time.Sleep(o.Beat / 10)
	}
	if report := o.due(shard, 0); err == nil && report != nil {
		err = o.write(ctx, beatFile+processName(), report)
	}
	if err != nil && !errors.Is(err, errCanceled) {
		name, _ := filepath.Abs(o.Checkpoint) // also of a store's; the error has that name
		err = fmt.Errorf("a worker on %s with the user id %d uses %s: %w: %w", host, os.Getuid(), name, err, errPlace)
	}
	return err
}

// lease tells the workers whether to work. They do for the ID of their launcher.
func (o origin) lease(ctx context.Context, id string) error {
	return o.write(ctx, leaseFile, []byte(id))
}

// leased returns nil if the launcher waits for this pipeline. If the lease has another ID, it returns a
// dataError, else the error of reading the lease.
func (o origin) leased(ctx context.Context) error {
	content, err := read(ctx, o.Checkpoint+leaseFile)
	if err == nil && string(content) != o.ID {
		err = &dataError{errCanceled}
	}
	return err
}

// processName returns a random name of this process.
var processName = sync.OnceValue(rand.Text)

// report passes a result to the launcher, unless it no longer waits.
func (o origin) report(ctx context.Context, result checkpoint) error {
	switch err := o.leased(ctx); {
	case errors.Is(err, errCanceled):
		return nil
	case err != nil:
		return o.tell(ctx, err)
	}
	return o.tell(ctx, result.save(ctx, o.Checkpoint+nextFile, o.Mode))
}

// A progress is how far a process has read the shards of a round.
type progress struct {
	Run   string
	Round int
	Bytes map[int]int64 // by the number of the shard
}

// beats has the progress of this process, and the time of the last report.
var beats struct {
	sync.Mutex
	progress
	at time.Time
}

// beat reports how much of a shard has been read, if no report was made for some time. It
// returns errCanceled if the launcher no longer waits. A report that fails is not an
// error: without reports, the launcher ends the run.
func (o origin) beat(ctx context.Context, shard Shard, done int64) error {
	if report := o.due(shard, done); report != nil {
		o.write(ctx, beatFile+processName(), report)
		if err := o.leased(ctx); missing(err) || errors.Is(err, errCanceled) {
			return &dataError{errCanceled}
		}
	}
	return nil
}

// due notes how much of a shard has been read. It returns a report if it is time for one.
// The first one of a pipeline is due at once.
func (o origin) due(shard Shard, done int64) (report []byte) {
	beats.Lock()
	defer beats.Unlock()
	if beats.Run != o.ID {
		beats.at = time.Time{}
	}
	if beats.Bytes == nil || beats.Run != o.ID || beats.Round != o.Round {
		beats.progress = progress{o.ID, o.Round, map[int]int64{}}
	}
	beats.Bytes[shard.Number] = done
	if o.Beat > 0 && time.Since(beats.at) >= o.Beat {
		beats.at = time.Now()
		report, _ = json.Marshal(beats.progress)
	}
	return report
}

// heard returns the error that a worker of this run has returned, or "".
func (o origin) heard(ctx context.Context) string {
	content, err := read(ctx, o.Checkpoint+errorFile)
	text, ours := strings.CutPrefix(string(content), o.ID+" ")
	if err != nil || !ours {
		return ""
	}
	return text
}

// progress returns how far all workers have read the shards of the last round.
func (o origin) progress(ctx context.Context) (all progress) {
	names, _ := list(ctx, quote(o.Checkpoint)+beatFile+"*")
	for _, name := range names {
		var p progress
		content, _ := read(ctx, name)
		if json.Unmarshal(content, &p) != nil || p.Run != o.ID || p.Round < all.Round {
			continue
		}
		if p.Round > all.Round || all.Bytes == nil {
			all.Round, all.Bytes = p.Round, map[int]int64{}
		}
		for shard, bytes := range p.Bytes {
			all.Bytes[shard] = max(all.Bytes[shard], bytes)
		}
	}
	return all
}

// clear removes the files of the run, those of an earlier one, and the temporary files of
// processes that were killed. It leaves the lease of another launcher.
func (o origin) clear(ctx context.Context) (err error) {
	files := []string{nextFile, errorFile, beatFile + "*"}
	if lease, failed := read(ctx, o.Checkpoint+leaseFile); failed == nil && (string(lease) == o.ID || string(lease) == canceled) {
		files = append(files, leaseFile)
	}
	for _, file := range files {
		err = errors.Join(err, remove(ctx, quote(o.Checkpoint)+file))
	}
	if stored(o.Checkpoint) {
		return err
	}
	folder, base := filepath.Split(quote(o.Checkpoint))
	for _, file := range append(files, "") {
		err = errors.Join(err, remove(ctx, folder+"."+base+file+".[0-9]*"))
	}
	return err
}
