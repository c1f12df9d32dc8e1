package main

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"perceptron"
)

func init() {
	register.DoFn3x1[context.Context, Shard, func(int, Part), error](&surveyFn{})
	register.DoFn3x1[context.Context, int, func(*Part) bool, error](&reportFn{})
	register.DoFn4x1[context.Context, Shard, func(*Block) bool, func(int, Part), error](&trainFn{})
	register.DoFn4x1[context.Context, int, func(*Part) bool, func(Block), error](&mixFn{})
	register.DoFn3x1[context.Context, []byte, func(*Block) bool, error](&endFn{})
	register.Emitter2[int, Part]()
	register.Emitter1[Block]()
	register.Iter1[Part]()
	register.Iter1[Block]()
}

// spread returns the shards. Without the reshuffle, a runner may give all of them to one
// worker.
func (j *job) spread(scope beam.Scope) beam.PCollection {
	return beam.Reshuffle(scope, beam.CreateList(scope, j.Shards))
}

// build adds rounds to the pipeline, starting from the state s. The workers report each round
// to the launcher: the next round reports its start, and the last has a stage for that.
func build(scope beam.Scope, j job, o origin, s State, rounds int) {
	shards := j.spread(scope)
	mean := beam.CreateList(scope, s.split())
	for i := range rounds {
		parts := beam.ParDo(scope, &trainFn{j.reading(), o, len(s.Blocks), i > 0}, shards, beam.SideInput{Input: mean})
		mean = beam.ParDo(scope, &mixFn{len(j.Shards), j.Mix, o}, beam.GroupByKey(scope, parts))
	}
	beam.ParDo0(scope, &endFn{len(s.Blocks), o}, beam.Impulse(scope), beam.SideInput{Input: mean})
}

// survey adds a reading of all shards to the pipeline. It reports the complete job, and
// the state before the first round.
func survey(scope beam.Scope, j job, o origin) {
	parts := beam.ParDo(scope, &surveyFn{j.reading(), j.Features, o}, j.spread(scope))
	beam.ParDo0(scope, &reportFn{j, o}, beam.GroupByKey(scope, parts))
}

// A surveyFn reads a shard, to find its hash and the numbers of examples and features.
type surveyFn struct {
	Reading  reading
	Features int // 0: the highest index in the shard
	Origin   origin
}

func (f *surveyFn) ProcessElement(ctx context.Context, shard Shard, emit func(int, Part)) error {
	part, err := f.Origin.part(ctx, shard, func(part *Part) (err error) {
		part.Sum, err = f.Reading.each(ctx, shard, f.Features, f.Origin, func(rows examples) error {
			for x := range rows {
				part.Features = max(part.Features, width(x))
				part.Examples++
			}
			return nil
		})
		return err
	})
	if err == nil {
		emit(0, part)
	}
	return err
}

// width returns the number of features of a row, or for a sparse one the least that it has.
func width(x perceptron.Sparse) int {
	if n := len(x.Index); n > 0 {
		return int(x.Index[n-1]) + 1
	}
	return len(x.Value)
}

// A reportFn reports the result of the survey.
type reportFn struct {
	Job    job
	Origin origin
}

func (f *reportFn) ProcessElement(ctx context.Context, _ int, next func(*Part) bool) error {
	parts, err := collect(next, len(f.Job.Shards))
	if err != nil {
		return fmt.Errorf("survey of the shards: %w", err)
	}
	report := checkpoint{Run: f.Origin.ID, Job: f.Job, State: State{Failed: failure(parts)}}
	width := f.Job.Features
	for i, p := range parts {
		report.Job.Shards[i].Examples, report.Job.Shards[i].Sum = p.Examples, p.Sum
		width = max(width, p.Features)
	}
	report.Features, report.Blocks = width, make([]string, blocks(width))
	if width == 0 && report.Failed == "" {
		report.Failed = "no features in any shard"
	}
	return f.Origin.report(ctx, report)
}

// A trainFn trains on a shard for one epoch, starting from the mean. It emits a part for each
// block, so that each has the numbers of all shards. The parts of shard 0 take the mean to
// the mixFn. A second way there, such as a side input, would double the ways through the
// pipeline in each round, and Flink follows every way when it plans.
type trainFn struct {
	Reading reading
	Origin  origin
	Blocks  int
	Report  bool // the round before
}

func (f *trainFn) ProcessElement(ctx context.Context, shard Shard, next func(*Block) bool, emit func(int, Part)) error {
	mean, err := join(next, f.Blocks)
	if err == nil && f.Report && shard.Number == 0 {
		err = f.Origin.report(ctx, checkpoint{Run: f.Origin.ID, State: mean})
	}
	if err != nil {
		return err
	}
	f.Origin.Round = mean.Round + 1
	part, changes := Part{Shard: shard.Number}, make([]Change, f.Blocks)
	if !mean.over() {
		part, err = f.Origin.part(ctx, shard, func(part *Part) error { return f.train(ctx, shard, mean, part, changes) })
	}
	if err != nil {
		return err
	}
	for i, block := range mean.split() {
		part.Change = changes[i]
		if shard.Number == 0 {
			part.Mean = &block
		}
		emit(i, part)
	}
	return nil
}

// train fills in the part of a shard and the changes of all blocks.
func (f *trainFn) train(ctx context.Context, shard Shard, mean State, part *Part, changes []Change) error {
	w, err := f.Origin.weights(ctx, mean)
	if err != nil {
		return err
	}
	p := perceptron.Online{Start: perceptron.Hyperplane{Weights: w, Bias: mean.Bias}}
	_, err = f.Reading.each(ctx, shard, len(w), f.Origin, func(rows examples) error {
		e, err := f.Reading.epoch(&p, rows, len(w))
		part.Examples, part.Mistakes = e.Examples, e.Mistakes
		return err
	})
	h := p.Start
	if part.Mistakes > 0 { // without a mistake, the model may have no hyperplane
		h = p.Hyperplane()
	}
	part.Bias = h.Bias
	for i := range changes {
		changes[i] = change(blockOf(w, i), blockOf(h.Weights, i))
	}
	return err
}

// epoch trains on the rows of a shard.
func (r reading) epoch(p *perceptron.Online, rows examples, features int) (perceptron.Epoch, error) {
	if r.Format == libsvmFormat {
		return perceptron.SparseModel{Model: p, Width: features}.Learn(rows)
	}
	return p.Learn(func(yield func([]float64, int) bool) {
		for x, label := range rows {
			if !yield(x.Value, label) {
				return
			}
		}
	})
}

// A mixFn mixes the parts of a block.
type mixFn struct {
	Shards int
	Mix    string
	Origin origin
}

func (f *mixFn) ProcessElement(ctx context.Context, number int, next func(*Part) bool, emit func(Block)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return err
	}
	block := *parts[0].Mean
	if !block.over() {
		block, err = f.mix(ctx, number, block, parts)
	}
	if err == nil {
		emit(block)
	}
	return err
}

// mix mixes and writes a block.
func (f *mixFn) mix(ctx context.Context, number int, block Block, parts []Part) (_ Block, err error) {
	var mu []float64
	if block.State, mu = mix(block.State, parts, f.Mix); mu == nil {
		return block, nil
	}
	w := make([]float64, min(blockSize, block.Features-number*blockSize))
	if err = f.Origin.block(ctx, block.Name, w); err == nil {
		w, err = mixBlock(w, parts, mu)
	}
	if err == nil {
		block.Name, err = f.Origin.saveBlock(ctx, number, block.Name, w)
	}
	return block, err
}

// An endFn reports the last round.
type endFn struct {
	Blocks int
	Origin origin
}

func (f *endFn) ProcessElement(ctx context.Context, _ []byte, next func(*Block) bool) error {
	mean, err := join(next, f.Blocks)
	if err != nil {
		return err
	}
	return f.Origin.report(ctx, checkpoint{Run: f.Origin.ID, State: mean})
}
