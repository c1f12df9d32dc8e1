// Beam trains a perceptron on data that is spread over many machines, by
// iterative parameter mixing (McDonald, Hall & Mann 2010) on Apache Beam: each
// round every shard trains for an epoch from the mean weights, and the results
// are mixed into the next mean.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
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
	flag.Parse()
	log.SetupLogging("warn", "text") // or Beam tells of each step of its own
	beam.Init()                      // in a worker's process it does not return
	if err := run(context.Background(), os.Stdout, c); err != nil {
		fmt.Fprintln(os.Stderr, err) // Beam has taken over package log
		os.Exit(1)
	}
}

// config is what the flags say.
type config struct {
	job
	pattern, checkpoint string
	rounds, chunk       int
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
	s, err := resume(ctx, c.checkpoint, c.job)
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

// report tells how training ended.
func report(w io.Writer, checkpoint string, s State) error {
	end := "still makes mistakes"
	if s.Converged {
		end = "no mistakes on any shard"
	}
	_, err := fmt.Fprintf(w, "%s after %d rounds, %.6g weighted mistakes; weights in %s\n", end, s.Round, s.weighted(), checkpoint)
	return err
}
