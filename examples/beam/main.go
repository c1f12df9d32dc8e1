// Beam trains a perceptron on Apache Beam, on data that is spread over many files or
// machines. It uses iterative parameter mixing (McDonald, Hall & Mann 2010). In each
// round, every shard trains for one epoch from the mean weights. The results are then
// mixed into the next mean.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

func main() {
	var c config
	help := describe(flag.CommandLine, c.define)
	flag.Usage = func() { help(os.Stderr) }
	flag.Parse()
	beam.Init()
	grpcx.Dial = dialer(30*time.Second, c.stall)
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

// serve runs what the flags ask for: a worker, a pool of workers, or a training.
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
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	return run(ctx, os.Stdout, *c)
}

// dialer returns a function that replaces grpcx.Dial, with which Beam connects to its servers. The
// connection sends a ping at each interval ping. If the server does not answer a ping within
// patience, the connection ends. So a worker ends if its runner's machine is lost. Beam's servers
// allow a ping every 20 seconds. If a server refuses connections, calls to it fail at once.
func dialer(ping, patience time.Duration) func(context.Context, string, time.Duration) (*grpc.ClientConn, error) {
	return func(_ context.Context, endpoint string, _ time.Duration) (*grpc.ClientConn, error) {
		return grpc.NewClient("passthrough:///"+endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
			grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: ping, Timeout: patience}))
	}
}

// config holds the values of the flags.
type config struct {
	job
	pattern, checkpoint, log string
	model, holdout           string
	held                     []Shard       // that -holdout names
	rounds, chunk            int           // rounds in total, and in a pipeline; a chunk of 0 means: use span
	span, stall              time.Duration // time for a pipeline; time without progress that ends the run
	pool                     int           // port of a pool of workers
	provision                string        // address of the runner that started this worker
	origin                   origin
	mode                     fs.FileMode // permissions of the files beside the checkpoint
	flink                    flink
}

// define defines the flags.
func (c *config) define(f *flag.FlagSet) {
	f.StringVar(&c.pattern, "shards", "", "pattern of the shard files, such as 'data/*.svm'")
	f.StringVar(&c.Format, "format", libsvmFormat, "format of the shards: libsvm, rows (the format of examples/outofcore) or sparse (rows of LIBSVM, parsed)")
	f.Func("positive", "the label to treat as +1; all other labels become -1 (default: the labels are +1 and -1)", c.setPositive)
	f.IntVar(&c.Features, "features", 0, "number of features of a row; with 0, a first pass finds the highest index (not needed for -format rows)")
	f.StringVar(&c.Mix, "mix", uniform, "weight of a shard in the mean: uniform, size (its examples) or mistakes (its mistakes in the round)")
	f.StringVar(&c.Rule, "rule", rules[0], "how a shard learns: online, or margin (each of its rules: margin, gamma or threshold)")
	f.Float64Var(&c.Bound, "bound", 0, "γ′ of -rule gamma, or θ of -rule threshold")
	f.StringVar(&c.Keep, "keep", keeps[0], "what predicts: last, the last mean, or average, the mean of all iterates")
	f.IntVar(&c.Passes, "passes", 1, "passes over each shard in a round")
	f.BoolVar(&c.cache, "cache", true, "keep the parsed rows of LIBSVM shards beside the checkpoint until the training ends")
	f.StringVar(&c.holdout, "holdout", "", "pattern of shards that are not trained on; the accuracy on their rows is printed")
	f.IntVar(&c.rounds, "rounds", 20, "maximum number of rounds in total; training stops earlier after a round without mistakes")
	c.setChunk("5m")
	f.Func("chunk", "time for the rounds of a pipeline, such as 5m (the default), or their number; at most 10 rounds", c.setChunk)
	f.DurationVar(&c.stall, "stall", 2*time.Minute, "end the run if no worker makes progress for this time")
	f.StringVar(&c.checkpoint, "checkpoint", "checkpoint.json", "file for the mean weights; a restart continues from it; launcher and workers must reach it under this name")
	c.mode = 0o600
	f.Func("mode", "permissions of the checkpoint and the files beside it, such as 644; other users' workers must read them (default 600)", c.setMode)
	f.StringVar(&c.model, "model", "", "file for the hyperplane as JSON, when the training ends")
	f.StringVar((*string)(&c.flink), "flink", "", "address of Flink's REST server, such as http://jobmanager:8081, to find free slots and to cancel jobs")
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

// setChunk parses the value of -chunk.
func (c *config) setChunk(text string) (err error) {
	if c.chunk, err = strconv.Atoi(text); err != nil {
		c.span, err = time.ParseDuration(text)
	}
	return err
}

// setMode parses the value of -mode.
func (c *config) setMode(text string) error {
	mode, err := strconv.ParseUint(text, 8, 9)
	if err == nil && mode&0o600 != 0o600 {
		err = errors.New("want at least 600")
	}
	c.mode = fs.FileMode(mode)
	return err
}

// check reports the first bad flag.
func (c *config) check() error {
	switch {
	case c.rounds < 1:
		return fmt.Errorf("-rounds %d: want at least 1", c.rounds)
	case c.chunk < 0 || c.chunk == 0 && c.span <= 0:
		return fmt.Errorf("-chunk: want at least 1 round, or a time such as 5m")
	case c.Passes < 1:
		return fmt.Errorf("-passes %d: want at least 1", c.Passes)
	case c.stall < 8*time.Millisecond:
		return fmt.Errorf("-stall %v: want a time such as 2m", c.stall)
	case c.Features < 0:
		return fmt.Errorf("-features %d: want at least 1, or 0 to find it", c.Features)
	case (c.Rule == "gamma" || c.Rule == "threshold") != (c.Bound != 0) || !(c.Bound >= 0 && c.Bound <= math.MaxFloat64):
		return fmt.Errorf("-bound %v: want a positive number for -rule gamma or threshold, and 0 for others", c.Bound)
	}
	return cmp.Or(want("format", c.Format, formats), want("mix", c.Mix, mixes), want("rule", c.Rule, rules), want("keep", c.Keep, keeps))
}

// want returns an error unless a flag has one of some values.
func want(flag, value string, of []string) error {
	if !slices.Contains(of, value) {
		return fmt.Errorf("-%s %q: want one of %s", flag, value, strings.Join(of, ", "))
	}
	return nil
}

// run trains chunk by chunk. It continues from the checkpoint if the file exists.
func run(ctx context.Context, w io.Writer, c config) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	storageLimit.Store(int64(c.stall))
	if c.Shards, err = expand(ctx, c.pattern); err != nil {
		return err
	}
	if c.holdout != "" {
		if c.held, err = expand(ctx, c.holdout); err != nil {
			return fmt.Errorf("-holdout: %w", err)
		}
	}
	s, err := c.resume(ctx)
	if err != nil {
		return err
	}
	if s.Round > 0 {
		fmt.Fprintf(w, "continuing from %s\n", c.checkpoint)
	}
	if !s.Converged && s.Round < c.rounds {
		if s, err = c.train(ctx, w); err != nil {
			return err
		}
	}
	return errors.Join(c.saveModel(ctx, s), report(w, c.checkpoint, s))
}

// saveModel writes the hyperplane, if -model names a file.
func (c *config) saveModel(ctx context.Context, s State) error {
	if c.model == "" {
		return nil
	}
	h, err := origin{Checkpoint: c.checkpoint}.hyperplane(ctx, c.learner, s)
	if err != nil {
		return err
	}
	content, _ := json.Marshal(h)
	return write(ctx, c.model, append(content, '\n'), c.mode)
}

// train surveys the shards, and then trains from the state that survey returns.
func (c *config) train(ctx context.Context, w io.Writer) (s State, err error) {
	defer func() {
		last, cancel := closing(ctx)
		defer cancel()
		if lost := c.origin.leased(last); !errors.Is(lost, errCanceled) { // else the caches are another launcher's
			err = cmp.Or(err, c.origin.clear(last, cacheFile+"*"))
		}
	}()
	if s, err = c.survey(ctx, w); err != nil {
		return s, err
	}
	last, took := 0, time.Duration(0)
	for !s.Converged && s.Round < c.rounds {
		from, began := s.Round, time.Now()
		if s, err = c.runChunk(ctx, w, s, c.length(last, took)); err != nil {
			return s, err
		}
		last, took = s.Round-from, time.Since(began)
		if err = c.test(ctx, w, s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// maxChunk is the largest number of rounds in a pipeline. Flink divides a slot's managed memory among
// the sorters of all rounds of a pipeline. With 27 rounds and 48 MB a slot, a sorter had too little.
const maxChunk = 10

// length returns the number of rounds of the next chunk. If chunks are limited by time, it
// estimates the number from the rounds of the last chunk and the time that they took.
func (c *config) length(last int, took time.Duration) int {
	switch {
	case c.chunk > 0:
		return min(c.chunk, maxChunk)
	case last == 0:
		return 1
	}
	return int(min(max(1, float64(last)*float64(c.span)/float64(took)), maxChunk))
}

// resume returns the state to start from: the state of the checkpoint, or the zero State if there is
// no checkpoint.
func (c *config) resume(ctx context.Context) (State, error) {
	saved, err := load(ctx, c.checkpoint)
	if missing(err) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %s: %w", c.checkpoint, err)
	}
	if other := c.differs(&saved.Job); other != "" {
		return State{}, fmt.Errorf("checkpoint %s belongs to a different job: %s", c.checkpoint, other)
	}
	if want := c.vectors() * (saved.Features + 1); saved.Numbers != want {
		return State{}, fmt.Errorf("checkpoint %s: inconsistent: %d numbers of %d features, want %d", c.checkpoint, saved.Numbers, saved.Features, want)
	}
	return saved.State, nil
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
func count[N int | int64 | string](n N, thing string) string {
	text := fmt.Sprint(n)
	if text != "1" {
		thing += "s"
	}
	return text + " " + thing
}
