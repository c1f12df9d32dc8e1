// Beam trains a perceptron on Apache Beam, on data that is spread over many files or
// machines. It uses iterative parameter mixing (McDonald, Hall & Mann 2010). In each
// round, every shard trains for one epoch from the mean weights. The results are then
// mixed into the next mean.
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
	help := describe(flag.CommandLine, c.define)
	flag.Usage = func() { help(os.Stderr) }
	flag.Parse()
	beam.Init()
	grpcx.Dial = dial
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the error of run has the cause of a failure
	if c.log != "" {
		log.SetupLogging(c.log, "text")
	}
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unexpected argument %q; put the pattern of -shards in quotes\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := c.serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err) // not with package log, which Beam has redirected
		os.Exit(1)
	}
}

// serve does what the flags ask for: it is a worker, a pool of workers, or a training.
func (c *config) serve(ctx context.Context) error {
	switch {
	case c.provision != "":
		return work(ctx, flag.Lookup("id").Value.String(), c.provision)
	case c.pool != 0:
		return servePool(ctx, os.Stdout, c.pool)
	}
	if err := loopBack(ctx); err != nil {
		return err
	}
	return run(ctx, os.Stdout, *c)
}

// dial limits the wait for a server to ten seconds. Beam itself waits two minutes for a
// job server.
func dial(ctx context.Context, endpoint string, timeout time.Duration) (*grpc.ClientConn, error) {
	return grpcx.DefaultDial(ctx, endpoint, min(timeout, 10*time.Second))
}

// config holds the values of the flags.
type config struct {
	job
	pattern, checkpoint, log string
	rounds, chunk            int
	pool                     int    // port of a pool of workers
	provision                string // address of the runner that started this worker
}

// define defines the flags.
func (c *config) define(f *flag.FlagSet) {
	f.StringVar(&c.pattern, "shards", "", "pattern of the shard files, such as 'data/*.svm'")
	f.StringVar(&c.Format, "format", libsvmFormat, "format of the shards: libsvm, or rows (the format of examples/outofcore)")
	f.Func("positive", "the label to treat as +1; all other labels become -1 (default: the labels are +1 and -1)", c.setPositive)
	f.IntVar(&c.Features, "features", 0, "number of features of a row; with 0, a first pass finds the highest index (not needed for -format rows)")
	f.StringVar(&c.Mix, "mix", uniform, "weight of a shard in the mean: uniform, size (its examples) or mistakes (its mistakes in the round)")
	f.IntVar(&c.rounds, "rounds", 20, "maximum number of rounds in total; training stops earlier after a round without mistakes")
	f.IntVar(&c.chunk, "chunk", 10, "number of rounds in a pipeline; after each pipeline the program writes the checkpoint")
	f.StringVar(&c.checkpoint, "checkpoint", "checkpoint.json", "file for the mean weights; a restart continues from it; launcher and workers must reach it under this name")
	f.StringVar(&c.log, "log", "", "show Beam's own log from this level: debug, info, warn or error (default: no log)")
	f.IntVar(&c.pool, "pool", 0, "do not train; serve a pool of workers for --environment_type=EXTERNAL on this port")
	f.StringVar(&c.provision, "provision_endpoint", "", "do not train; work for the runner at this address (runners set it)")
}

// setPositive parses the value of -positive.
func (c *config) setPositive(text string) error {
	label, err := strconv.Atoi(text)
	c.Positive = &label
	return err
}

// check reports the first bad flag.
func (c *config) check() error {
	switch {
	case c.rounds < 1 || c.chunk < 1:
		return fmt.Errorf("-rounds %d -chunk %d: want at least 1 for each", c.rounds, c.chunk)
	case c.Features < 0:
		return fmt.Errorf("-features %d: want at least 1, or 0 to find it", c.Features)
	case c.Format != libsvmFormat && c.Format != rowsFormat:
		return fmt.Errorf("-format %q: want %s or %s", c.Format, libsvmFormat, rowsFormat)
	case c.Mix != uniform && c.Mix != bySize && c.Mix != byMistakes:
		return fmt.Errorf("-mix %q: want %s, %s or %s", c.Mix, uniform, bySize, byMistakes)
	}
	return nil
}

// run trains chunk by chunk. It continues from the checkpoint if the file exists.
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
		fmt.Fprintf(w, "continuing from %s\n", c.checkpoint)
	}
	for !s.Converged && s.Round < c.rounds {
		from := s.Round
		if s, err = c.runChunk(ctx, s); err != nil {
			return err
		}
		for r := from; r < s.Round; r++ {
			fmt.Fprintf(w, "round %d: %s on %s\n", r+1, count(s.History[r].Mistakes, "mistake"), count(s.History[r].Examples, "example"))
		}
	}
	return report(w, c.checkpoint, s)
}

// resume returns the state to start from: the checkpoint, or the zero vector if there is
// no checkpoint.
func (c *config) resume(ctx context.Context) (State, error) {
	saved, err := load(ctx, c.checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return State{Weights: make([]float64, c.Features)}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %s: %w", c.checkpoint, err)
	}
	if other := c.differs(&saved.Job); other != "" {
		return State{}, fmt.Errorf("checkpoint %s belongs to a different job: %s", c.checkpoint, other)
	}
	return saved.State, nil
}

// runChunk runs one pipeline of rounds. If it succeeds, its result becomes the
// checkpoint. The workers write the result to a separate file: a worker that outlives
// its run must not overwrite the checkpoint.
func (c *config) runChunk(ctx context.Context, s State) (State, error) {
	rounds := min(c.chunk, c.rounds-s.Round)
	result := c.checkpoint + ".next"
	// The result of an earlier run must not explain a failure of this one.
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
		return s, fmt.Errorf("the pipeline's result %s belongs to a different run: %s", result, other)
	}
	if err := next.save(ctx, c.checkpoint); err != nil {
		return s, err
	}
	return next.State, remove(ctx, result)
}

// foreign describes why a result does not belong to the run that ends at the round. It
// returns "" if the result does belong to it. A worker that outlives an earlier run can
// write such a result.
func (c *config) foreign(result *checkpoint, round int) string {
	if result.Round != round && !result.Converged {
		return fmt.Sprintf("%d rounds, want %d", result.Round, round)
	}
	return c.differs(&result.Job)
}

// report prints how the training ended.
func report(w io.Writer, checkpoint string, s State) error {
	end := "still makes mistakes"
	if s.Converged {
		end = "no mistakes on any shard"
	}
	_, err := fmt.Fprintf(w, "%s after %s, %s; weights in %s\n", end, count(s.Round, "round"), count(fmt.Sprintf("%.6g", s.weighted()), "weighted mistake"), checkpoint)
	return err
}

// count returns a number of things, such as "1 round" or "2 rounds".
func count[N int | string](n N, thing string) string {
	text := fmt.Sprint(n)
	if text != "1" {
		thing += "s"
	}
	return text + " " + thing
}
