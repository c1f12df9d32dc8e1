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
	register.Emitter2[int, Part]()
	register.Emitter1[Block]()
	register.Iter1[Part]()
	register.Iter1[Block]()
}

// build adds rounds to the pipeline, starting from the state s. Workers report the result of each
// round to the launcher. The stage of the next round does that, when it has the mean. After the last
// round, a stage only reports.
func build(scope beam.Scope, j job, o origin, s State, rounds int) {
	shards := beam.Reshuffle(scope, beam.CreateList(scope, j.Shards)) // otherwise one worker may get all
	mean := beam.CreateList(scope, s.split())
	for i := range rounds {
		parts := beam.ParDo(scope, &trainFn{j.Positive, j.learner, o, len(s.Blocks), i > 0, false}, shards, beam.SideInput{Input: mean})
		mean = beam.ParDo(scope, &mixFn{len(j.Shards), j.Mix, j.learner, o}, beam.GroupByKey(scope, parts))
	}
	end := &trainFn{Origin: o, Blocks: len(s.Blocks), Report: true, End: true}
	beam.ParDo(scope, end, beam.CreateList(scope, j.Shards[:1]), beam.SideInput{Input: mean})
}

// survey adds to the pipeline a pass over all shards. A worker reports the complete job, and the
// state before the first round.
func survey(scope beam.Scope, j job, o origin) {
	shards := beam.Reshuffle(scope, beam.CreateList(scope, j.Shards))
	parts := beam.ParDo(scope, &surveyFn{reading{Positive: j.Positive, Features: j.Features}, o}, shards)
	beam.ParDo0(scope, &reportFn{j, o}, beam.GroupByKey(scope, parts))
}

// A surveyFn reads a shard to find its hash and its numbers of examples and features.
type surveyFn struct {
	Reading reading
	Origin  origin
}

func (f *surveyFn) ProcessElement(ctx context.Context, shard Shard, emit func(int, Part)) (err error) {
	defer f.Origin.keep(&err)
	part, err := f.Origin.part(ctx, shard, func(part *Part) error {
		s, last := shard, 0
		sum, failed, err := f.Reading.parse(ctx, shard, f.Origin, f.Origin.cacheOf(shard), func(rows examples) error {
			for x, label := range rows {
				if err := labelled(label); err != nil {
					return &perceptron.ExampleError{Index: s.Examples, Err: err}
				}
				if s.Examples++; label > 0 {
					s.Positive++
				}
				if last == -label {
					s.Changes++
				}
				last, s.Features = label, max(s.Features, width(x))
			}
			return nil
		})
		if s.Sum = sum; failed != nil {
			s.Note = uncached(failed)
		}
		part.Surveyed = s
		return err
	})
	if err == nil {
		emit(0, part)
	}
	return err
}

// A reportFn reports the result of the survey.
type reportFn struct {
	Job    job
	Origin origin
}

func (f *reportFn) ProcessElement(ctx context.Context, _ int, next func(*Part) bool) (err error) {
	defer f.Origin.keep(&err)
	parts, err := collect(next, len(f.Job.Shards))
	if err != nil {
		return fmt.Errorf("survey of the shards: %w", err)
	}
	report := checkpoint{Run: f.Origin.ID, Job: f.Job, State: State{Failed: failure(parts)}}
	width := f.Job.Features
	for i, p := range parts {
		report.Job.Shards[i] = p.Surveyed
		width = max(width, p.Surveyed.Features)
	}
	report.Features, report.Numbers = width, f.Job.vectors()*(width+1)
	report.Blocks = make([]string, blocks(report.Numbers))
	if width == 0 && report.Failed == "" {
		report.Failed = "no features in any shard"
	}
	return f.Origin.report(ctx, report)
}

// A trainFn trains on a shard for a round, starting from the mean. It emits a part for each
// block, so that each block gets the numbers of all shards. The parts of shard 0 also have the mean,
// which mixFn needs. With a second path for the mean, such as a side input, the number of paths
// through the pipeline would double in each round. Flink follows every path when it plans.
type trainFn struct {
	Positive *int // see reading
	Learner  learner
	Origin   origin
	Blocks   int
	Report   bool // report the result of the round before
	End      bool // only report
}

func (f *trainFn) ProcessElement(ctx context.Context, shard Shard, next func(*Block) bool, emit func(int, Part)) (err error) {
	defer f.Origin.keep(&err)
	mean, err := join(next, f.Blocks)
	if err == nil && f.Report && shard.Number == 0 {
		err = f.Origin.report(ctx, checkpoint{Run: f.Origin.ID, State: mean})
	}
	if err != nil || f.End {
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
	v, err := f.Origin.numbers(ctx, mean)
	if err != nil {
		return err
	}
	var model *perceptron.Online
	r := reading{Positive: f.Positive, Features: mean.Features}
	part.Note, err = r.train(ctx, shard, f.Origin, func(rows examples) (err error) {
		if model, err = f.Learner.model(mean.Model, v); err != nil {
			return err
		}
		e, err := perceptron.SparseModel{Model: model, Width: mean.Features}.Learn(rows)
		part.Examples, part.Mistakes = e.Examples, e.Mistakes
		return err
	})
	if err != nil || part.Examples == 0 {
		return err
	}
	var next []float64
	if part.Model, next, err = numbers(model); err != nil {
		return err
	}
	for i := range changes {
		changes[i] = change(blockOf(v, i), blockOf(next, i))
	}
	return nil
}

// A mixFn computes a block of the mean from the parts of all shards.
type mixFn struct {
	Shards  int
	Mix     string
	Learner learner
	Origin  origin
}

func (f *mixFn) ProcessElement(ctx context.Context, number int, next func(*Part) bool, emit func(Block)) (err error) {
	defer f.Origin.keep(&err)
	parts, err := collect(next, f.Shards)
	if err != nil {
		return err
	}
	block, weights := *parts[0].Mean, []float64(nil)
	if !block.over() {
		block.State, weights = mix(block.State, parts, f.Mix)
	}
	if weights != nil {
		v := make([]float64, min(blockSize, block.Numbers-number*blockSize))
		if err = f.Origin.block(ctx, block.Name, v); err == nil {
			block.Model, err = f.Learner.mixBlock(v, parts, weights)
		}
		if err == nil {
			block.Name, err = f.Origin.saveBlock(ctx, number, block.Name, v)
		}
	}
	if err == nil {
		emit(block)
	}
	return err
}
