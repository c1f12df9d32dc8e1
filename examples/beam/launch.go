package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// survey reads all shards, and adds the number of examples and the hash of each to the job. It
// returns the state to start from.
func (c *config) survey(ctx context.Context, w io.Writer) (State, error) {
	var result checkpoint
	l := c.listen(w, func(_ context.Context, report checkpoint) error { result = report; return nil })
	err := c.runWatched(ctx, l, func(scope beam.Scope) { survey(scope, c.job, c.origin) })
	switch {
	case result.Failed != "" && !l.canceled:
		return State{}, errors.New(result.Failed)
	case err != nil:
		return State{}, fmt.Errorf("survey of the shards: %w", err)
	case result.Run == "":
		return State{}, fmt.Errorf("survey of the shards: %w", l.problem)
	}
	c.Shards = result.Job.Shards
	for _, s := range c.Shards {
		fmt.Fprintf(w, "shard %s: %s, %d of them +1, %s, hash %s\n", s.Name, count(s.Examples, "example"), s.Positive, count(s.Size, "byte"), s.Sum)
		if s.Note != "" && s.Note != c.noted {
			fmt.Fprintln(w, s.Note)
			c.noted = s.Note
		}
	}
	if err := c.warn(w); err != nil {
		return State{}, err
	}
	s, err := c.resume(ctx)
	if s.Round == 0 {
		s = result.State
	}
	return s, err
}

// runChunk runs a pipeline of rounds. It returns the state after the last round that the workers
// reported, even if a later round fails. The checkpoint has the same state.
func (c *config) runChunk(ctx context.Context, w io.Writer, s State, rounds int) (State, error) {
	start, last, failed, began := s, min(s.Round+rounds, c.rounds), "", time.Now()
	var l *listener
	l = c.listen(w, func(ctx context.Context, report checkpoint) error {
		failed, report.Failed = report.Failed, "" // the state before the failed round is valid
		if report.Round <= s.Round {
			l.again(report.Round, failed == "")
			return nil
		}
		checkpoint := checkpoint{Job: c.job, State: report.State}
		if err := checkpoint.save(ctx, c.checkpoint); err != nil {
			return err
		}
		took := time.Since(began) / time.Duration(report.Round-s.Round)
		for r := s.Round; r < report.Round; r++ {
			fmt.Fprintf(w, "round %d: %s\n", r+1, report.History[r].describe(took))
			if note := report.History[r].Note; note != "" && note != c.noted {
				c.noted = note
				fmt.Fprintf(w, "round %d: %s\n", r+1, note)
			}
		}
		s, began, l.redone = report.State, time.Now(), 0
		return nil
	})
	err := c.runWatched(ctx, l, func(scope beam.Scope) { build(scope, c.job, c.origin, start, last-start.Round) })
	switch {
	case failed != "" && !l.canceled:
		return s, fmt.Errorf("round %d: %s", s.Round+1, failed)
	case s.Round == last || s.Converged: // success, even if the runner failed after the last round
		return s, c.origin.prune(ctx, s)
	case err == nil: // workers end without an error if another run took over the checkpoint
		err = cmp.Or(l.origin.leased(ctx), l.problem)
	}
	return s, fmt.Errorf("rounds %d to %d: %w", s.Round+1, last, err)
}

// A listener reads what the workers of a pipeline report.
type listener struct {
	origin  origin
	shards  []Shard
	w       io.Writer
	accept  func(context.Context, checkpoint) error // called with each new report of this run
	content []byte                                  // of the last report
	shard   map[int]progress                        // the last progress in each shard
	redone  int                                     // the last round of which again has printed
	printed time.Time                               // when progress was last printed
	problem error                                   // why the result is incomplete, if it is

	canceled bool // the launcher has canceled the job
}

func (c *config) listen(w io.Writer, accept func(context.Context, checkpoint) error) *listener {
	return &listener{shards: c.Shards, w: w, accept: accept, shard: map[int]progress{}, printed: time.Now()}
}

// progress reports whether the workers have made progress since the last call. It prints the
// progress from time to time.
func (l *listener) progress(ctx context.Context) (moved bool, err error) {
	if moved, err = l.result(ctx); err != nil || moved {
		l.printed = time.Now()
		return moved, err
	}
	round := 0
	for _, p := range l.origin.progress(ctx) {
		before, known := l.shard[p.Shard]
		if p == before {
			continue
		}
		if known && (p.Round < before.Round || p.Round == before.Round && p.Process != before.Process) {
			l.again(p.Round, p.Round > 0)
		}
		moved, round, l.shard[p.Shard] = true, p.Round, p
	}
	if text := l.describe(round); moved && text != "" && time.Since(l.printed) > l.origin.Beat {
		fmt.Fprintln(l.w, text)
		l.printed = time.Now()
	}
	return moved, nil
}

// again prints that a round begins again, if it does.
func (l *listener) again(round int, does bool) {
	if does && round != l.redone {
		l.redone = round
		fmt.Fprintf(l.w, "round %d again: a worker was lost\n", round)
	}
}

// describe returns the progress of all shards in a round, or "" if all are read.
func (l *listener) describe(round int) string {
	var done, size float64
	for _, s := range l.shards {
		if p := l.shard[s.Number]; p.Round == round {
			done += p.Done * float64(s.Size)
		}
		size += float64(s.Size)
	}
	if done >= size {
		return ""
	}
	return fmt.Sprintf("reading: %.0f %% of %.0f bytes", 100*done/size, size)
}

// result reads the result file of the workers. If the file has a new result of this run, result calls
// accept and returns true.
func (l *listener) result(ctx context.Context) (bool, error) {
	name := l.origin.Checkpoint + nextFile
	content, err := read(ctx, name)
	if err != nil {
		l.problem = fmt.Errorf("no result of the workers: %w; %w", err, errPlace)
	}
	if err != nil || bytes.Equal(content, l.content) {
		return false, nil
	}
	l.content = content
	report, err := decode(content)
	switch {
	case err != nil:
		l.problem = fmt.Errorf("the result %s: %w", name, err)
	case report.Run != l.origin.ID:
		l.problem = fmt.Errorf("the result %s is of another pipeline", name)
	default:
		l.problem = fmt.Errorf("the result %s ends with round %d", name, report.Round)
		return true, l.accept(ctx, report)
	}
	return false, nil
}

// closing returns a context for a last step, such as cleaning up, which may run after the end of
// ctx. It has a short timeout, so that a storage that does not answer cannot delay the end of the
// program.
func closing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.WithoutCancel(ctx), 2*time.Second, errors.New("no answer within 2 seconds"))
}

// runWatched builds and runs a pipeline and listens to its workers. It cancels the job if the context
// ends, or if the workers make no progress for some time, because a runner may wait forever.
func (c *config) runWatched(ctx context.Context, l *listener, build func(beam.Scope)) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	l.origin = c.origin
	p, scope := beam.NewPipelineWithRoot()
	build(scope)
	if err := c.flink.free(ctx, *jobopts.Parallelism, 20*time.Second); err != nil {
		return err
	}
	*jobopts.JobName = "perceptron" + strings.ToLower(c.origin.ID) // Flink's names have letters and digits only
	ended := make(chan error, 1)
	go func() { ended <- beamx.Run(context.WithoutCancel(ctx), p) }() // not ctx: the job must be able to end after ctx
	err := l.wait(ctx, ended, c.stall)
	last, cancel := closing(ctx)
	defer cancel()
	if err != nil && ctx.Err() == nil {
		if cause := c.flink.cause(last, *jobopts.JobName); cause != "" {
			err = fmt.Errorf("%s\n%w", cause, err)
		} else if first, ok := firstErrors.LoadAndDelete(c.origin.ID); ok && !l.canceled {
			err = first.(error) // without Beam's plan
		}
	}
	if err != nil {
		c.flink.cancel(last, *jobopts.JobName)
	}
	_, failed := l.progress(last) // the last report may not have been read
	return advise(cmp.Or(err, failed))
}

// wait waits for the end of the job, or for a reason to cancel it.
func (l *listener) wait(ctx context.Context, ended <-chan error, stall time.Duration) (err error) {
	tick, quiet := time.NewTimer(0), false
	for moved := time.Now(); err == nil; {
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			err = fmt.Errorf("the run was canceled: %w", context.Cause(ctx))
		case <-tick.C:
			var news bool
			began := time.Now()
			switch news, err = l.progress(ctx); {
			case ctx.Err() != nil:
				err = nil // the next iteration returns the reason
			case news:
				moved, quiet = time.Now(), false
			case err == nil && !quiet && time.Since(moved) > stall/4:
				quiet = true
				fmt.Fprintf(l.w, "no worker has reported for %v; the run ends after %v (-stall)\n", stall/4, stall)
			case err == nil && time.Since(moved) > stall:
				err = fmt.Errorf("no progress for %v (-stall): a worker, a server or the network between them does not answer; %w", stall, l.problem)
			}
			tick.Reset(max(min(stall/8, time.Second), 10*time.Since(began))) // reading a large report may be slow
		}
	}
	l.canceled = true
	last, cancel := closing(ctx)
	defer cancel()
	if !l.origin.taken(last) { // else the lease is another launcher's
		err = errors.Join(err, l.origin.lease(last, canceled))
	}
	select {
	case <-ended:
	case <-time.After(l.origin.Beat + 5*time.Second):
	}
	return err
}
