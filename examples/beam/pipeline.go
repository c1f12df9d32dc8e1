package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"perceptron"
)

func init() {
	register.DoFn3x0[context.Context, Shard, func(int, Part)](&measureFn{})
	register.DoFn3x1[int, func(*Part) bool, func(State), error](&startFn{})
	register.DoFn4x0[context.Context, Shard, State, func(int, Part)](&trainFn{})
	register.DoFn3x1[int, func(*Part) bool, func(State), error](&mixFn{})
	register.DoFn2x1[context.Context, State, error](&writeFn{})
	register.Emitter2[int, Part]()
	register.Emitter1[State]()
	register.Iter1[Part]()
}

// build adds rounds to the pipeline, starting from the state s. The last stage writes the
// final state to the file name.
func build(scope beam.Scope, j job, s State, rounds int, name string) {
	// Without the reshuffle, a runner may give all shards to one worker.
	shards := beam.Reshuffle(scope, beam.CreateList(scope, j.Shards))
	state := j.start(scope, shards, s)
	for range rounds {
		parts := beam.ParDo(scope, &trainFn{j.reading()}, shards, beam.SideInput{Input: state})
		state = beam.ParDo(scope, &mixFn{Shards: len(j.Shards), Mix: j.Mix}, beam.GroupByKey(scope, parts))
	}
	beam.ParDo0(scope, &writeFn{Name: name, Job: j}, state)
}

// start returns the state to start from. Before the first round, this is the zero vector
// with as many features as the shards have.
func (j *job) start(scope beam.Scope, shards beam.PCollection, s State) beam.PCollection {
	if len(s.Weights) > 0 {
		return beam.Create(scope, s)
	}
	widths := beam.ParDo(scope, &measureFn{j.reading()}, shards)
	return beam.ParDo(scope, &startFn{Shards: len(j.Shards)}, beam.GroupByKey(scope, widths))
}

// A trainFn trains on a shard for one epoch, starting from the mean. The part of shard 0
// takes the mean to the mixFn. A second way there, such as a side input, would double the
// ways through the pipeline in each round, and Flink follows every way when it plans.
type trainFn struct{ Reading reading }

func (f *trainFn) ProcessElement(ctx context.Context, shard Shard, mean State, emit func(int, Part)) {
	part := Part{Shard: shard.Number}
	if !mean.over() {
		part = f.train(ctx, shard, mean)
	}
	if shard.Number == 0 {
		part.Mean = &mean
	}
	emit(0, part)
}

// train returns the part of a shard.
func (f *trainFn) train(ctx context.Context, shard Shard, mean State) Part {
	part := Part{Shard: shard.Number, Weights: mean.Weights, Bias: mean.Bias}
	p := perceptron.Online{Start: perceptron.Hyperplane{Weights: mean.Weights, Bias: mean.Bias}}
	err := f.Reading.each(ctx, shard, len(mean.Weights), func(rows examples) error {
		e, err := p.Learn(rows)
		part.Examples, part.Mistakes = e.Examples, e.Mistakes
		return err
	})
	if part.Mistakes > 0 { // without a mistake, the model may have no hyperplane
		h := p.Hyperplane()
		part.Weights, part.Bias = h.Weights, h.Bias
	}
	if err != nil {
		part.Failed = err.Error()
	}
	return part
}

// A mixFn mixes the parts of a round.
type mixFn struct {
	Shards int
	Mix    string
}

func (f *mixFn) ProcessElement(_ int, next func(*Part) bool, emit func(State)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return err
	}
	mean := *parts[0].Mean
	if !mean.over() {
		if mean, err = mix(mean, parts, f.Mix); err != nil {
			return err
		}
	}
	emit(mean)
	return nil
}

// A measureFn finds the number of features of the rows in a shard. It is 0 if the shard
// has no rows.
type measureFn struct{ Reading reading }

func (f *measureFn) ProcessElement(ctx context.Context, shard Shard, emit func(int, Part)) {
	part := Part{Shard: shard.Number}
	err := f.Reading.each(ctx, shard, 0, func(rows examples) error {
		for x := range rows {
			part.Features = len(x)
			if f.Reading.Format == rowsFormat {
				break // the header states the number
			}
		}
		return nil
	})
	if err != nil {
		part.Failed = err.Error()
	}
	emit(0, part)
}

// A startFn makes the zero vector for the widest shard.
type startFn struct{ Shards int }

func (f *startFn) ProcessElement(_ int, next func(*Part) bool, emit func(State)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return fmt.Errorf("measuring the shards: %w", err)
	}
	s := State{Failed: failure(parts)}
	width := 0
	for _, p := range parts {
		width = max(width, p.Features)
	}
	if s.Weights = make([]float64, width); width == 0 && s.Failed == "" {
		s.Failed = "no features in any shard"
	}
	emit(s)
	return nil
}

// A writeFn writes the last state of a chunk to a file, which the launcher reads.
type writeFn struct {
	Name string
	Job  job
}

func (f *writeFn) ProcessElement(ctx context.Context, s State) error {
	content, err := checkpoint{f.Job, s}.encode()
	if err != nil {
		return err
	}
	if err := write(ctx, f.Name, content); err != nil || s.Failed == "" {
		return err
	}
	return errors.New(s.Failed) // makes the job fail too
}
