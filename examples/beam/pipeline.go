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
	register.DoFn4x1[context.Context, Shard, State, func(int, Part), error](&trainFn{})
	register.DoFn4x1[context.Context, int, func(*Part) bool, func(State), error](&mixFn{})
	register.Emitter2[int, Part]()
	register.Emitter1[State]()
	register.Iter1[Part]()
}

// spread returns the shards. Without the reshuffle, a runner may give all of them to one
// worker.
func (j *job) spread(scope beam.Scope) beam.PCollection {
	return beam.Reshuffle(scope, beam.CreateList(scope, j.Shards))
}

// build adds rounds to the pipeline, starting from the state s. Each round reports its
// state to the launcher.
func build(scope beam.Scope, j job, o origin, s State, rounds int) {
	shards := j.spread(scope)
	state := beam.Create(scope, s)
	for range rounds {
		parts := beam.ParDo(scope, &trainFn{j.reading(), o}, shards, beam.SideInput{Input: state})
		state = beam.ParDo(scope, &mixFn{len(j.Shards), j.Mix, o}, beam.GroupByKey(scope, parts))
	}
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
				part.Features = len(x)
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
	report := checkpoint{f.Origin.ID, f.Job, State{Failed: failure(parts)}}
	width := f.Job.Features
	for i, p := range parts {
		report.Job.Shards[i].Examples, report.Job.Shards[i].Sum = p.Examples, p.Sum
		width = max(width, p.Features)
	}
	if report.Weights = make([]float64, width); width == 0 && report.Failed == "" {
		report.Failed = "no features in any shard"
	}
	return f.Origin.report(ctx, report)
}

// A trainFn trains on a shard for one epoch, starting from the mean. The part of shard 0
// takes the mean to the mixFn. A second way there, such as a side input, would double the
// ways through the pipeline in each round, and Flink follows every way when it plans.
type trainFn struct {
	Reading reading
	Origin  origin
}

func (f *trainFn) ProcessElement(ctx context.Context, shard Shard, mean State, emit func(int, Part)) error {
	f.Origin.Round = mean.Round + 1
	part, err := Part{Shard: shard.Number}, error(nil)
	if !mean.over() {
		part, err = f.Origin.part(ctx, shard, func(part *Part) error { return f.train(ctx, shard, mean, part) })
	}
	if shard.Number == 0 && err == nil {
		part.Mean, err = encodeState(mean)
	}
	if err == nil {
		emit(0, part)
	}
	return err
}

// train fills in the part of a shard.
func (f *trainFn) train(ctx context.Context, shard Shard, mean State, part *Part) error {
	part.Weights, part.Bias = mean.Weights, mean.Bias
	p := perceptron.Online{Start: perceptron.Hyperplane{Weights: mean.Weights, Bias: mean.Bias}}
	_, err := f.Reading.each(ctx, shard, len(mean.Weights), f.Origin, func(rows examples) error {
		e, err := p.Learn(rows)
		part.Examples, part.Mistakes = e.Examples, e.Mistakes
		return err
	})
	if part.Mistakes > 0 { // without a mistake, the model may have no hyperplane
		h := p.Hyperplane()
		part.Weights, part.Bias = h.Weights, h.Bias
	}
	return err
}

// A mixFn mixes the parts of a round. It reports the state, also before the pipeline ends,
// so that a pipeline that fails keeps its last complete round.
type mixFn struct {
	Shards int
	Mix    string
	Origin origin
}

func (f *mixFn) ProcessElement(ctx context.Context, _ int, next func(*Part) bool, emit func(State)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return err
	}
	mean, err := decodeState(parts[0].Mean)
	if err != nil {
		return err
	}
	if !mean.over() {
		if mean, err = mix(mean, parts, f.Mix); err != nil {
			return err
		}
		if err := f.Origin.report(ctx, checkpoint{Run: f.Origin.ID, State: mean}); err != nil {
			return err
		}
	}
	emit(mean)
	return nil
}
