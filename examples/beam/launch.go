package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
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
		fmt.Fprintf(w, "shard %s: %s, %s, hash %s\n", s.Name, count(s.Examples, "example"), count(s.Size, "byte"), s.Sum)
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
	l := c.listen(w, func(ctx context.Context, report checkpoint) error {
		failed, report.Failed = report.Failed, "" // the state before the failed round is valid
		if report.Round > s.Round {
			checkpoint := checkpoint{Job: c.job, State: report.State}
			if err := checkpoint.save(ctx, c.checkpoint, c.mode); err != nil {
				return err
			}
			took := time.Since(began) / time.Duration(report.Round-s.Round)
			for r := s.Round; r < report.Round; r++ {
				fmt.Fprintf(w, "round %d: %s\n", r+1, report.History[r].describe(took))
			}
			s, began = report.State, time.Now()
		}
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
	beat    string                                  // the last progress of the workers
	printed time.Time                               // when progress was last printed
	problem error                                   // why the result is incomplete, if it is

	canceled bool // the launcher has canceled the job
}

func (c *config) listen(w io.Writer, accept func(context.Context, checkpoint) error) *listener {
	return &listener{shards: c.Shards, w: w, accept: accept, printed: time.Now()}
}

// progress reports whether the workers have made progress since the last call. It prints the
// progress from time to time.
func (l *listener) progress(ctx context.Context) (moved bool, err error) {
	if moved, err = l.result(ctx); err != nil || moved {
		l.printed = time.Now()
		return moved, err
	}
	p, beat := l.origin.progress(ctx)
	if len(p.Bytes) > 0 && beat != l.beat {
		moved, l.beat = true, beat
		if text := p.describe(l.shards); text != "" && time.Since(l.printed) > l.origin.Beat {
			fmt.Fprintln(l.w, text)
			l.printed = time.Now()
		}
	}
	return moved, nil
}

// describe returns the progress of all shards, and the progress of the shard that is most behind. It
// returns "" if all shards are read.
func (p progress) describe(shards []Shard) string {
	part := func(done, size int64) float64 { return 100 * float64(done) / float64(max(size, 1)) }
	var done, size int64
	last := shards[0]
	for _, s := range shards {
		done, size = done+p.Bytes[s.Number], size+s.Size
		if part(p.Bytes[s.Number], s.Size) < part(p.Bytes[last.Number], last.Size) {
			last = s
		}
	}
	if done >= size {
		return ""
	}
	return fmt.Sprintf("reading %d of %s: %.0f %% of %s; least of %s: %.0f %%", len(p.Bytes), count(len(shards), "shard"),
		part(done, size), count(size, "byte"), last.Name, part(p.Bytes[last.Number], last.Size))
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
