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
	"log/slog"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
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
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "unexpected argument %q; put the pattern of -shards in quotes\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := c.serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err) // not with package log, which Beam has redirected
		os.Exit(1)
	}
}

// serve runs a worker or a training.
func (c *config) serve(ctx context.Context) error {
	if c.provision != "" {
		return work(ctx, flag.Lookup("id").Value.String(), c.provision)
	}
	if err := c.workers(ctx); err != nil {
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
	pattern, checkpoint, model, holdout string
	held                                []Shard       // that -holdout names
	rounds, chunk                       int           // rounds in total, and in a pipeline; a chunk of 0 means: use span
	span, stall                         time.Duration // time for a pipeline; time without progress that ends the run
	origin                              origin
	provision, noted                    string // address of the runner that started this worker; the last note on a cache
	flink                               flink
}

// define defines the flags.
func (c *config) define(f *flag.FlagSet) {
	f.StringVar(&c.pattern, "shards", "", "pattern of the shard files, in LIBSVM's format, such as 'data/*.svm'")
	f.Func("positive", "the label to treat as +1; all other labels become -1 (default: the labels are +1 and -1)", func(text string) (err error) {
		c.Positive = new(int)
		*c.Positive, err = strconv.Atoi(text)
		return err
	})
	f.IntVar(&c.Features, "features", 0, "number of features of a row; with 0, a first pass finds the highest index")
	f.StringVar(&c.Mix, "mix", uniform, "weight of a shard in the mean: uniform, size (its examples) or mistakes (its mistakes in the round)")
	f.StringVar(&c.Keep, "keep", keeps[0], "what predicts: last, the last mean, or average, the mean of all iterates")
	f.StringVar(&c.holdout, "holdout", "", "pattern of shards that are not trained on; the accuracy on their rows is printed")
	f.IntVar(&c.rounds, "rounds", 20, "maximum number of rounds in total; training stops earlier after a round without mistakes")
	c.setChunk("5m")
	f.Func("chunk", "time for the rounds of a pipeline, such as 5m (the default), or their number; at most 10 rounds", c.setChunk)
	f.DurationVar(&c.stall, "stall", 2*time.Minute, "end the run if no worker makes progress for this time")
	f.StringVar(&c.checkpoint, "checkpoint", "checkpoint.json", "file for the mean weights; a restart continues from it; launcher and workers must reach it under this name")
	f.StringVar(&c.model, "model", "", "file for the hyperplane as JSON, when the training ends")
	f.StringVar((*string)(&c.flink), "flink", "", "address of Flink's REST server, such as http://jobmanager:8081, to find free slots and to cancel jobs")
	f.StringVar(&c.provision, "provision_endpoint", "", "do not train; work for the runner at this address (runners set it)")
}

// setChunk parses the value of -chunk.
func (c *config) setChunk(text string) (err error) {
	if c.chunk, err = strconv.Atoi(text); err != nil {
		c.span, err = time.ParseDuration(text)
	}
	return err
}

// check reports the first bad flag.
func (c *config) check() error {
	switch {
	case c.rounds < 1:
		return fmt.Errorf("-rounds %d: want at least 1", c.rounds)
	case c.chunk < 0 || c.chunk == 0 && c.span <= 0:
		return fmt.Errorf("-chunk: want at least 1 round, or a time such as 5m")
	case c.stall < 8*time.Millisecond:
		return fmt.Errorf("-stall %v: want a time such as 2m", c.stall)
	case c.Features < 0:
		return fmt.Errorf("-features %d: want at least 1, or 0 to find it", c.Features)
	}
	return cmp.Or(want("mix", c.Mix, mixes), want("keep", c.Keep, keeps))
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
	for _, held := range c.held {
		if i := slices.IndexFunc(c.Shards, held.is); i >= 0 {
			return fmt.Errorf("-holdout: %s is the shard %s, on which the training learns: its accuracy says nothing about new rows", held.Name, c.Shards[i].Name)
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
	end := "still makes mistakes"
	if s.Converged {
		end = "no mistakes on any shard"
	}
	fmt.Fprintf(w, "%s after %s, %s; weights in %s\n", end, count(s.Round, "round"), count(fmt.Sprintf("%.6g", s.weighted()), "weighted mistake"), c.checkpoint)
	return c.saveModel(ctx, s)
}

// saveModel writes the hyperplane, if -model names a file.
func (c *config) saveModel(ctx context.Context, s State) error {
	if c.model == "" {
		return nil
	}
	m, err := origin{Checkpoint: c.checkpoint}.predictor(ctx, c.learner, s)
	if err != nil {
		return err
	}
	content, _ := json.Marshal(m.Hyperplane())
	return write(ctx, c.model, append(content, '\n'))
}

// train surveys the shards, and then trains from the state that survey returns.
func (c *config) train(ctx context.Context, w io.Writer) (s State, err error) {
	defer func() {
		last, cancel := closing(ctx)
		defer cancel()
		if err == nil {
			last = ctx // a busy machine may need more time
		}
		err = cmp.Or(err, c.end(last))
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
	var saved checkpoint
	content, err := read(ctx, c.checkpoint)
	if missing(err) {
		return State{}, nil
	}
	if err == nil {
		saved, err = decode(content)
	}
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %s: %w", c.checkpoint, err)
	}
	if other := c.differs(&saved.Job); other != "" {
		return State{}, fmt.Errorf("checkpoint %s belongs to a different job: %s; restore what it was, or name another -checkpoint to train anew", c.checkpoint, other)
	}
	if want := c.vectors() * (saved.Features + 1); saved.Numbers != want {
		return State{}, fmt.Errorf("checkpoint %s: inconsistent: %d numbers of %d features, want %d", c.checkpoint, saved.Numbers, saved.Features, want)
	}
	return saved.State, nil
}

// count returns a number of things, such as "1 round" or "2 rounds".
func count[N int | int64 | string](n N, thing string) string {
	text := fmt.Sprint(n)
	if text != "1" {
		thing += "s"
	}
	return text + " " + thing
}

// describe adds the program's flags to all, and returns a function that prints all flags. Beam's
// flags, which all had before, are printed last.
func describe(all *flag.FlagSet, define func(*flag.FlagSet)) func(io.Writer) {
	var beams, own flag.FlagSet
	all.VisitAll(func(f *flag.Flag) { beams.Var(f.Value, f.Name, f.Usage) })
	define(&own)
	own.VisitAll(func(f *flag.Flag) { all.Var(f.Value, f.Name, f.Usage) })
	return func(w io.Writer) {
		own.SetOutput(w)
		beams.SetOutput(w)
		fmt.Fprintf(w, "Usage: %s -shards 'data/*.svm' [flags]\n", all.Name())
		own.PrintDefaults()
		fmt.Fprintln(w, "\nFlags of Beam, for the runner:")
		beams.PrintDefaults()
	}
}

// work runs a worker for the runner at the address provision, until the runner closes the
// connection. In Beam's own -worker mode, the worker would then sleep forever.
func work(ctx context.Context, id, provision string) error {
	ctx, stop := context.WithCancel(grpcx.WriteWorkerID(ctx, id))
	defer stop() // ends an epoch for which no runner waits
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(),
		harness.Options{StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities()})
}

// workers checks the flags of the runner. It starts workers in the launcher if the flags ask for that, or
// name no runner. Beam would do the same, but leave a temporary file for each pipeline.
func (c *config) workers(ctx context.Context) error {
	runner := flag.Lookup("runner").Value.String()
	if jobopts.IsLoopback() || *jobopts.EnvironmentType+*jobopts.Endpoint+runner == "" {
		pool, err := extworker.StartLoopback(ctx, 0)
		if err != nil {
			return fmt.Errorf("workers in this process: %w", err)
		}
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "EXTERNAL", pool.EnvironmentConfig(ctx)
		*jobopts.WorkerBinary = cmp.Or(*jobopts.WorkerBinary, os.DevNull)
	}
	switch t := *jobopts.EnvironmentType; {
	case (t == "EXTERNAL" || t == "PROCESS") && *jobopts.EnvironmentConfig == "":
		return fmt.Errorf("--environment_type=%s needs --environment_config: {\"command\":\"/folder/worker.sh\"} for PROCESS, and the address of a pool of workers for EXTERNAL", t)
	case runner == "flink" && c.flink == "":
		return errors.New("--runner=flink needs -flink, the address of Flink's REST server, such as http://jobmanager:8081")
	}
	return nil
}
