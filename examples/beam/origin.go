package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// An origin describes the launcher to its workers. They communicate through files beside
// the checkpoint, because that is the one place that all of them reach. Beam's metrics do
// not serve: Flink's job server returns them only after the end of a job.
type origin struct {
	ID         string        // differs in each run of the program
	Program    string        // hash of the launcher's program
	Checkpoint string        // all files begin with this name
	Beat       time.Duration // a worker reports its progress this often
}

// The endings of the files.
const (
	nextFile  = ".next"  // the result of the last round, from a worker
	leaseFile = ".lease" // the ID of the run, from the launcher; a worker stops if it changes
	beatFile  = ".beat"  // the progress of a worker
	errorFile = ".error" // the last error that a worker returned to the runner
)

var (
	errCanceled = errors.New("the run was canceled, or another run took over its checkpoint")
	errNoLease  = errors.New("launcher and workers must reach -checkpoint under the same name")
)

// newOrigin describes this process as the launcher.
func newOrigin(checkpoint string, beat time.Duration) origin {
	return origin{rand.Text(), program(), checkpoint, beat}
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

// part returns a shard's contribution to a stage, as f fills it in. It reports an error,
// because a runner may show the error of a later stage instead.
func (o origin) part(ctx context.Context, shard Shard, f func(*Part) error) (Part, error) {
	part, err := Part{Shard: shard.Number}, o.check(ctx)
	if err == nil {
		err = f(&part)
	}
	if bad := (*dataError)(nil); errors.As(err, &bad) {
		part.Failed, err = err.Error(), nil
	}
	if err != nil {
		write(context.WithoutCancel(ctx), o.Checkpoint+errorFile, fmt.Append(nil, o.ID, " ", err))
	}
	return part, err
}

// check returns an error if this worker runs another program than the launcher, or does
// not see the launcher's file.
func (o origin) check(ctx context.Context) error {
	host, _ := os.Hostname()
	if is := program(); is != o.Program {
		return &dataError{fmt.Errorf("a worker on %s runs the program %s, but the launcher runs %s: they must be the same file", host, is, o.Program)}
	}
	err := o.leased(ctx)
	if missing(err) { // perhaps not yet visible on this machine
		err = fmt.Errorf("a worker on %s: %w: %w", host, err, errNoLease)
	}
	return err
}

// lease tells the workers whether to work. They do for the ID of their launcher.
func (o origin) lease(ctx context.Context, id string) error {
	return write(ctx, o.Checkpoint+leaseFile, []byte(id))
}

// leased returns a dataError unless the launcher waits for this run.
func (o origin) leased(ctx context.Context) error {
	content, err := read(ctx, o.Checkpoint+leaseFile)
	if err == nil && string(content) != o.ID {
		err = &dataError{errCanceled}
	}
	return err
}

// beats has the time of the last report of this process, for each ID.
var beats sync.Map

// beat reports how much of a shard has been read, if no report was made for some time. It
// returns errCanceled if the launcher no longer waits. A report that fails is not an
// error: without reports, the launcher ends the run.
func (o origin) beat(ctx context.Context, shard Shard, done int64) error {
	v, _ := beats.LoadOrStore(o.ID, new(atomic.Int64))
	last := v.(*atomic.Int64)
	was, now := last.Load(), time.Now().UnixNano()
	if o.Beat == 0 || now-was < int64(o.Beat) || !last.CompareAndSwap(was, now) {
		return nil
	}
	write(ctx, o.Checkpoint+beatFile, fmt.Appendf(nil, "%s %s: %d of %d bytes", o.ID, shard.Name, done, shard.Size))
	if err := o.leased(ctx); errors.Is(err, errCanceled) {
		return err
	}
	return nil
}

// heard returns what a worker of this run has written to a file, or "".
func (o origin) heard(ctx context.Context, file string) string {
	content, err := read(ctx, o.Checkpoint+file)
	text, ours := strings.CutPrefix(string(content), o.ID+" ")
	if err != nil || !ours {
		return ""
	}
	return text
}

// clear removes the files of the run, and those of an earlier one. It leaves a lease that
// stops workers.
func (o origin) clear(ctx context.Context) (err error) {
	for _, file := range []string{beatFile, errorFile, nextFile} {
		err = errors.Join(err, remove(ctx, o.Checkpoint+file))
	}
	if o.leased(ctx) == nil {
		err = errors.Join(err, remove(ctx, o.Checkpoint+leaseFile))
	}
	return err
}
