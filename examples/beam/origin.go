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

// An origin describes the launcher to its workers. Launcher and workers communicate through files
// beside the checkpoint, because all of them can reach that place. Beam's metrics cannot replace the
// files: Flink's job server returns metrics only after the end of a job.
type origin struct {
	ID         string        // different for each pipeline
	Program    string        // hash of the launcher's program
	Checkpoint string        // all files begin with this name
	Mode       fs.FileMode   // permissions of all files
	Beat       time.Duration // a worker reports its progress this often
	Round      int           // the round that the stage works on; see beat
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

// begin sets c.origin for a new pipeline of this launcher, and writes the lease. Each pipeline has
// its own ID, so that the workers of an earlier pipeline stop.
func (c *config) begin(ctx context.Context) error {
	c.origin = origin{ID: rand.Text(), Program: program(), Checkpoint: c.checkpoint, Mode: c.mode, Beat: min(c.stall/8, 5*time.Second)}
	return errors.Join(c.origin.clear(ctx), c.origin.lease(ctx, c.origin.ID))
}

// program returns a hash of the file of this program, or a text that equals no hash. On Linux,
// /proc/self/exe is the file of this process even if a newer file has replaced it.
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

// A dataError is an error that would occur again in another attempt. It becomes part of the
// result. All other errors are returned to the runner, which may retry.
type dataError struct{ error }

func (e *dataError) Unwrap() error { return e.error }

// part returns the contribution of a shard to a stage. f fills it in. A dataError becomes
// Part.Failed.
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

// tell writes err to a file for the launcher, unless it is nil, and returns err. The launcher needs
// the file, because a runner may continue after the error and show only the error of a later stage.
func (o origin) tell(ctx context.Context, err error) error {
	if err != nil {
		o.Mode |= 0o444 // readable even if the launcher is another user and -mode does not allow that
		o.write(context.WithoutCancel(ctx), errorFile, fmt.Append(nil, o.ID, " ", err))
	}
	return err
}

// write writes one of the files beside the checkpoint.
func (o origin) write(ctx context.Context, file string, content []byte) error {
	return write(ctx, o.Checkpoint+file, content, o.Mode)
}

// check returns an error if this worker runs another program than the launcher, or cannot read the
// launcher's file or write its own. It retries for some time, because on some storages other
// machines see a new file late.
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
		name, _ := filepath.Abs(o.Checkpoint) // wrong for a name in a store, but err has that name
		err = fmt.Errorf("a worker on %s with the user id %d uses %s: %w: %w", host, os.Getuid(), name, err, errPlace)
	}
	return err
}

// lease writes the lease. Workers continue while the lease has the ID of their pipeline.
func (o origin) lease(ctx context.Context, id string) error {
	return o.write(ctx, leaseFile, []byte(id))
}

// leased returns nil if the launcher waits for this pipeline. If the lease has another content, it
// returns a dataError with errCanceled; if the lease cannot be read, another error.
func (o origin) leased(ctx context.Context) error {
	content, err := read(ctx, o.Checkpoint+leaseFile)
	if err == nil && string(content) != o.ID {
		err = &dataError{errCanceled}
	}
	return err
}

// processName returns a random name of this process.
var processName = sync.OnceValue(rand.Text)

// report writes a result for the launcher. If the launcher no longer waits, report does nothing.
func (o origin) report(ctx context.Context, result checkpoint) error {
	switch err := o.leased(ctx); {
	case errors.Is(err, errCanceled):
		return nil
	case err != nil:
		return o.tell(ctx, err)
	}
	return o.tell(ctx, result.save(ctx, o.Checkpoint+nextFile, o.Mode))
}

// A progress says how many bytes of each shard a process has read in a round.
type progress struct {
	Run   string
	Round int
	Bytes map[int]int64 // bytes read, by the number of the shard
}

// beats has the progress of this process, and the time of the last report.
var beats struct {
	sync.Mutex
	progress
	at time.Time
}

// beat records that done bytes of a shard have been read. If a report is due, beat writes it and
// checks the lease; it returns errCanceled if the launcher no longer waits. It ignores a failure to
// write: the launcher ends a run without reports.
func (o origin) beat(ctx context.Context, shard Shard, done int64) error {
	if report := o.due(shard, done); report != nil {
		o.write(ctx, beatFile+processName(), report)
		if err := o.leased(ctx); missing(err) || errors.Is(err, errCanceled) {
			return &dataError{errCanceled}
		}
	}
	return nil
}

// due records that done bytes of a shard have been read. It returns a report of this process if the
// last report is older than o.Beat, and otherwise nil. The first report of a pipeline is due at
// once.
func (o origin) due(shard Shard, done int64) (report []byte) {
	if o.ID == "" {
		return nil // no worker, but the launcher reads
	}
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

// progress returns the progress of all workers in the latest round that a worker has reported.
func (o origin) progress(ctx context.Context) (all progress, beat string) {
	names, _ := list(ctx, quote(o.Checkpoint)+beatFile+"*")
	for _, name := range names {
		var p progress
		content, _ := read(ctx, name)
		if json.Unmarshal(content, &p) != nil || p.Run != o.ID {
			continue
		}
		if beat += string(content); p.Round < all.Round {
			continue
		}
		if p.Round > all.Round || all.Bytes == nil {
			all.Round, all.Bytes = p.Round, map[int]int64{}
		}
		for shard, bytes := range p.Bytes {
			all.Bytes[shard] = max(all.Bytes[shard], bytes)
		}
	}
	return all, beat
}

// clear removes the files of this run and of an earlier run, and temporary files of processes that
// were killed. It does not remove the lease of another launcher. more has the endings of other files.
func (o origin) clear(ctx context.Context, more ...string) (err error) {
	files := append(more, nextFile, errorFile, beatFile+"*")
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
