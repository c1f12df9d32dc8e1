package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// survey reads all shards and completes the job. It returns the state to start from.
func (c *config) survey(ctx context.Context, w io.Writer) (State, error) {
	p, scope := beam.NewPipelineWithRoot()
	survey(scope, c.job, c.origin)
	var result checkpoint
	l := c.listen(w, func(report checkpoint) error { result = report; return nil })
	err := runWatched(ctx, p, c.stall, l)
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

// runChunk runs a pipeline of rounds. It returns the last round that the workers reported,
// which is the checkpoint too, even if a later round fails.
func (c *config) runChunk(ctx context.Context, w io.Writer, s State, rounds int) (State, error) {
	last := min(s.Round+rounds, c.rounds)
	p, scope := beam.NewPipelineWithRoot()
	build(scope, c.job, c.origin, s, last-s.Round)
	failed := ""
	l := c.listen(w, func(report checkpoint) error {
		failed, report.Failed = report.Failed, "" // the rounds before are good
		if report.Round > s.Round {
			checkpoint := checkpoint{Job: c.job, State: report.State}
			if err := checkpoint.save(context.WithoutCancel(ctx), c.checkpoint); err != nil {
				return err
			}
			for r := s.Round; r < report.Round; r++ {
				fmt.Fprintf(w, "round %d: %s on %s\n", r+1, count(report.History[r].Mistakes, "mistake"), count(report.History[r].Examples, "example"))
			}
			s = report.State
		}
		return nil
	})
	err := runWatched(ctx, p, c.stall, l)
	switch {
	case failed != "" && !l.canceled:
		return s, fmt.Errorf("round %d: %s", s.Round+1, failed)
	case s.Round == last || s.Converged:
		return s, nil // even if the runner fails after the last round
	case err == nil:
		err = l.problem
	}
	return s, fmt.Errorf("rounds %d to %d: %w", s.Round+1, last, err)
}

// A listener hears what the workers of a pipeline report.
type listener struct {
	origin  origin
	w       io.Writer
	accept  func(checkpoint) error // called with each new report of this run
	content []byte                 // of the last report
	beat    string                 // the last one
	printed time.Time              // when the user last saw progress
	problem error                  // why there is no report

	canceled bool // by the launcher
}

func (c *config) listen(w io.Writer, accept func(checkpoint) error) *listener {
	return &listener{origin: c.origin, w: w, accept: accept, printed: time.Now()}
}

// progress returns whether the workers have reported since the last call.
func (l *listener) progress(ctx context.Context) (moved bool, err error) {
	if moved, err = l.result(ctx); err != nil || moved {
		l.printed = time.Now()
		return moved, err
	}
	if beat := l.origin.heard(ctx, beatFile); beat != "" && beat != l.beat {
		moved, l.beat = true, beat
		if time.Since(l.printed) > l.origin.Beat {
			fmt.Fprintf(l.w, "reading %s\n", beat)
			l.printed = time.Now()
		}
	}
	return moved, nil
}

// result accepts a result that is new.
func (l *listener) result(ctx context.Context) (bool, error) {
	name := l.origin.Checkpoint + nextFile
	content, err := read(ctx, name)
	if err != nil {
		l.problem = fmt.Errorf("no result of the workers: %w; %w", err, errNoLease)
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
		l.problem = fmt.Errorf("the result %s belongs to a different run", name)
	default:
		l.problem = fmt.Errorf("the result %s ends with round %d", name, report.Round)
		return true, l.accept(report)
	}
	return false, nil
}
