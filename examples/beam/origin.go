package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// An origin describes the launcher to its workers. Launcher and workers communicate through files
// beside the checkpoint, because all of them can reach that place. Beam's metrics cannot replace the
// files: Flink's job server returns metrics only after the end of a job.
type origin struct {
	ID         string        // different for each pipeline
	Run        string        // the ID of the launcher's first pipeline; the names of its caches have it
	Program    string        // hash of the launcher's program
	Checkpoint string        // all files begin with this name
	Beat       time.Duration // a worker reports its progress this often
	Round      int           // the round that the stage works on; 0 in the survey
}

// canceled is the content of a lease that stops all workers.
const canceled = "canceled"

// The endings of the files.
const (
	nextFile  = ".next"  // the result of the last round, from a worker
	leaseFile = ".lease" // the ID of the pipeline, from the launcher; a worker stops if it changes
	beatFile  = ".beat." // the progress in a shard, whose number follows
)

var (
	errCanceled = errors.New("the run was canceled, or another run took over its checkpoint")
	errPlace    = errors.New("launcher and workers must reach -checkpoint under the same name; the umask of other users must let all read the files, and the folder must let all write")
)

// begin sets c.origin for a new pipeline of this launcher, and writes the lease. Each pipeline has
// its own ID, so that the workers of an earlier pipeline stop. The first pipeline takes the checkpoint
// from another launcher. A later one returns errCanceled if another launcher has taken it.
func (c *config) begin(ctx context.Context) error {
	last, id, files := c.origin, rand.Text(), []string(nil)
	switch {
	case last.ID == "":
		files = []string{cacheFile + "*"} // of runs that ended without removing them
	case last.taken(ctx):
		return errCanceled
	}
	c.origin = origin{ID: id, Run: cmp.Or(last.Run, id), Program: program(), Checkpoint: c.checkpoint, Beat: min(c.stall/8, 5*time.Second)}
	return errors.Join(c.origin.clear(ctx, files...), c.origin.lease(ctx, id))
}

// end removes the files of this launcher. If another launcher has taken the checkpoint, the other files
// are its own.
func (c *config) end(ctx context.Context) error {
	if c.origin.taken(ctx) {
		return remove(ctx, quote(c.checkpoint)+cacheFile+c.origin.Run+".*")
	}
	return c.origin.clear(ctx, cacheFile+"*", leaseFile)
}

// taken reports whether another launcher has taken the checkpoint.
func (o origin) taken(ctx context.Context) bool {
	lease, err := read(ctx, o.Checkpoint+leaseFile)
	return err == nil && string(lease) != o.ID && string(lease) != canceled
}

// program returns a hash of the file of this program, or a text that equals no hash. On Linux,
// /proc/self/exe is the file of this process even if a newer file has replaced it.
var program = sync.OnceValue(func() string {
	content, err := os.ReadFile("/proc/self/exe")
	if missing(err) {
		name, _ := os.Executable()
		content, err = os.ReadFile(name)
	}
	if err != nil {
		return fmt.Sprintf("unknown to process %d: %v", os.Getpid(), err)
	}
	return fmt.Sprintf("%.8x", sha256.Sum256(content))
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
	return part, err
}

// firstErrors has the first error of each pipeline in this process, by the ID of the pipeline. After a stage
// has failed, a runner may start the next one, which misses what the first did not send, and report that.
var firstErrors sync.Map

// keep keeps the error of a stage, if it is the first one. Each stage defers it.
func (o origin) keep(err *error) {
	if *err != nil {
		firstErrors.LoadOrStore(o.ID, *err)
	}
}

// write writes one of the files beside the checkpoint.
func (o origin) write(ctx context.Context, file string, content []byte) error {
	return write(ctx, o.Checkpoint+file, content)
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
	if err == nil && o.Round == 0 {
		err = o.advance(ctx, shard.Number, 0)
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
		return err
	}
	return result.save(ctx, o.Checkpoint+nextFile)
}

// A progress says which part of a shard a process has read in a round.
type progress struct {
	Run, Process string
	Shard, Round int
	Done         float64
}

// advance writes the progress in a shard.
func (o origin) advance(ctx context.Context, shard int, done float64) error {
	content, _ := json.Marshal(progress{o.ID, processName(), shard, o.Round, done})
	return o.write(ctx, fmt.Sprint(beatFile, shard), content)
}

// beat writes the progress in a shard and checks the lease, if the last time is long ago. It returns
// errCanceled if the launcher no longer waits. It ignores a failure to write: the launcher ends a run
// without progress.
func (o origin) beat(ctx context.Context, shard int, last *time.Time, done float64) error {
	if o.ID == "" || time.Since(*last) < o.Beat { // without an ID, the launcher reads
		return nil
	}
	*last = time.Now()
	o.advance(ctx, shard, done)
	if err := o.leased(ctx); missing(err) || errors.Is(err, errCanceled) {
		return &dataError{errCanceled}
	}
	return nil
}

// progress returns the progress of all shards that the workers of this pipeline have written.
func (o origin) progress(ctx context.Context) (all []progress) {
	names, _ := list(ctx, quote(o.Checkpoint)+beatFile+"*")
	for _, name := range names {
		var p progress
		content, _ := read(ctx, name)
		if json.Unmarshal(content, &p) == nil && p.Run == o.ID {
			all = append(all, p)
		}
	}
	return all
}

// clear removes the files that launchers and workers have left, and temporary files of processes that were
// killed, whose names begin with a dot and end with a number. more has the endings of other files.
func (o origin) clear(ctx context.Context, more ...string) (err error) {
	const number = "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]*"
	folder, base := filepath.Split(quote(o.Checkpoint))
	files := []string{folder + "." + base + number, folder + "." + base + ".*" + number}
	for _, ending := range append(more, nextFile, beatFile+"*") {
		files = append(files, quote(o.Checkpoint)+ending)
	}
	for _, file := range files {
		err = errors.Join(err, remove(ctx, file))
	}
	return err
}
