// Beam trains a perceptron on data that is spread over many machines, by
// iterative parameter mixing (McDonald, Hall & Mann 2010) on Apache Beam: each
// round every shard trains for an epoch from the mean weights, and the results
// are mixed into the next mean.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

func main() {
	var c config
	flag.StringVar(&c.pattern, "shards", "", "pattern of the shards' files, such as 'data/*.svm'")
	flag.StringVar(&c.Format, "format", libsvmFormat, "the shards' format: libsvm, or rows as examples/outofcore writes them")
	flag.Func("positive", "the label that is +1, all others being -1; without it labels are +1 and -1", c.setPositive)
	flag.IntVar(&c.Features, "features", 0, "features of a row; 0 takes a first pass to find the highest index, and needs no flag for rows")
	flag.StringVar(&c.Mix, "mix", uniform, "a shard's weight in the mean: uniform, size (examples) or mistakes")
	flag.IntVar(&c.rounds, "rounds", 20, "rounds to train for; it stops before that after a round without mistakes")
	flag.IntVar(&c.chunk, "chunk", 10, "rounds in a pipeline, after each of which the checkpoint is written")
	flag.StringVar(&c.checkpoint, "checkpoint", "checkpoint.json", "file of the mean weights, from which a restart goes on; launcher and workers must reach it")
	flag.StringVar(&c.log, "log", "", "shows Beam's own log from this level on: debug, info, warn or error")
	flag.Parse()
	beam.Init() // in a worker's process it does not return
	grpcx.Dial = dial
	slog.SetDefault(slog.New(slog.DiscardHandler)) // what failed is in run's error
	if c.log != "" {
		log.SetupLogging(c.log, "text")
	}
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%q is no flag; -shards wants its pattern in quotes\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, c); err != nil {
		fmt.Fprintln(os.Stderr, err) // Beam has taken over package log
		os.Exit(1)
	}
}

// dial gives up on a server that is gone within seconds; Beam's own patience with
// a job server is two minutes.
func dial(ctx context.Context, endpoint string, timeout time.Duration) (*grpc.ClientConn, error) {
	return grpcx.DefaultDial(ctx, endpoint, min(timeout, 10*time.Second))
}

// config is what the flags say.
type config struct {
	job
	pattern, checkpoint, log string
	rounds, chunk            int
}

func (c *config) setPositive(text string) error {
	label, err := strconv.Atoi(text)
	c.Positive = &label
	return err
}

func (c *config) check() error {
	switch {
	case c.rounds < 1 || c.chunk < 1:
		return fmt.Errorf("-rounds %d -chunk %d: want at least 1 of each", c.rounds, c.chunk)
	case c.Features < 0:
		return fmt.Errorf("-features %d: want at least 1, or 0 to find it", c.Features)
	case c.Format != libsvmFormat && c.Format != rowsFormat:
		return fmt.Errorf("-format %q: want %s or %s", c.Format, libsvmFormat, rowsFormat)
	case c.Mix != uniform && c.Mix != bySize && c.Mix != byMistakes:
		return fmt.Errorf("-mix %q: want %s, %s or %s", c.Mix, uniform, bySize, byMistakes)
	}
	return nil
}

// run trains chunk by chunk, from the checkpoint if there is one.
func run(ctx context.Context, w io.Writer, c config) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	if c.Shards, err = expand(ctx, c.pattern); err != nil {
		return err
	}
	s, err := c.resume(ctx)
	if err != nil {
		return err
	}
	if s.Round > 0 {
		fmt.Fprintf(w, "going on from %s\n", c.checkpoint)
	}
	for !s.Converged && s.Round < c.rounds {
		from := s.Round
		if s, err = c.runChunk(ctx, s); err != nil {
			return err
		}
		for r := from; r < s.Round; r++ {
			fmt.Fprintf(w, "round %d: %d mistakes on %d examples\n", r+1, s.History[r].Mistakes, s.History[r].Examples)
		}
	}
	return report(w, c.checkpoint, s)
}

// resume returns the state to begin with: the checkpoint's, if there is one.
func (c *config) resume(ctx context.Context) (State, error) {
	saved, err := load(ctx, c.checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return State{Weights: make([]float64, c.Features)}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %s: %w", c.checkpoint, err)
	}
	if other := c.differs(&saved.Job); other != "" {
		return State{}, fmt.Errorf("checkpoint %s is of another job: %s", c.checkpoint, other)
	}
	return saved.State, nil
}

// runChunk runs one pipeline of rounds and, if it succeeded, makes a checkpoint
// of what it came to. The workers write to a file of their own, since a worker
// that outlives its run must not touch the checkpoint.
func (c *config) runChunk(ctx context.Context, s State) (State, error) {
	rounds := min(c.chunk, c.rounds-s.Round)
	result := c.checkpoint + ".next"
	// An earlier run's is no reason why this one fails.
	if err := remove(ctx, result); err != nil {
		return s, err
	}
	beamed, scope := beam.NewPipelineWithRoot()
	build(scope, c.job, s, rounds, result)
	err := runWatched(ctx, beamed)
	next, noResult := load(ctx, result)
	switch {
	case next.Failed != "":
		return s, fmt.Errorf("round %d: %s", next.Round+1, next.Failed)
	case err != nil:
		return s, fmt.Errorf("rounds %d to %d: %w", s.Round+1, s.Round+rounds, err)
	case noResult != nil:
		return s, fmt.Errorf("the pipeline's result %s: %w", result, noResult)
	}
	if other := c.foreign(&next, s.Round+rounds); other != "" {
		return s, fmt.Errorf("the pipeline's result %s is of another run: %s", result, other)
	}
	if err := next.save(ctx, c.checkpoint); err != nil {
		return s, err
	}
	return next.State, remove(ctx, result)
}

// foreign tells in what a result is not of the run that was to end at the round,
// "" if it is: a worker that outlived an earlier run may have written it.
func (c *config) foreign(result *checkpoint, round int) string {
	if result.Round != round && !result.Converged {
		return fmt.Sprintf("%d rounds, want %d", result.Round, round)
	}
	return c.differs(&result.Job)
}

// report tells how training ended.
func report(w io.Writer, checkpoint string, s State) error {
	end := "still makes mistakes"
	if s.Converged {
		end = "no mistakes on any shard"
	}
	_, err := fmt.Fprintf(w, "%s after %d rounds, %.6g weighted mistakes; weights in %s\n", end, s.Round, s.weighted(), checkpoint)
	return err
}
