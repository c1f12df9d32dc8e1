package main

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"perceptron"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Shard]())
	beam.RegisterType(reflect.TypeFor[Part]())
	beam.RegisterType(reflect.TypeFor[State]())
	register.DoFn3x1[context.Context, Shard, func(int, Part), error](&measureFn{})
	register.DoFn3x1[int, func(*Part) bool, func(State), error](&startFn{})
	register.DoFn4x1[context.Context, Shard, State, func(int, Part), error](&trainFn{})
	register.DoFn4x1[int, func(*Part) bool, State, func(State), error](&mixFn{})
	register.DoFn2x1[context.Context, State, error](&writeFn{})
	register.Emitter2[int, Part]()
	register.Emitter1[State]()
	register.Iter1[Part]()
}

// A State is the training's after some rounds.
type State struct {
	Round     int       // rounds done
	Weights   []float64 // the mean's
	Bias      float64
	Converged bool // the last round made no mistake
	History   []Round
}

// A Round tells how a round went.
type Round struct {
	Examples, Mistakes int
	Weighted           float64 // Σ μ_s k_s, each shard's mistakes in its share of the mean
}

// weighted sums the rounds' weighted mistakes, which (R/γ)² bounds.
func (s *State) weighted() (sum float64) {
	for _, r := range s.History {
		sum += r.Weighted
	}
	return sum
}

// A Part is what a shard adds to a round.
type Part struct {
	Shard              int // its number
	Weights            []float64
	Bias               float64
	Examples, Mistakes int
	Features           int // of its rows, from measureFn
}

// The weights of shards in the mean: μ_s in proportion to 1, to the shard's
// examples, or to its mistakes of the round.
const (
	uniform    = "uniform"
	bySize     = "size"
	byMistakes = "mistakes"
)

// build adds so many rounds to the pipeline, from the state s, and writes the
// last one's to the file name.
func build(scope beam.Scope, j job, s State, rounds int, name string) {
	// Without the reshuffle a runner may give all the shards to one worker.
	shards := beam.Reshuffle(scope, beam.CreateList(scope, j.Shards))
	state := j.start(scope, shards, s)
	for range rounds {
		parts := beam.ParDo(scope, &trainFn{j.reading()}, shards, beam.SideInput{Input: state})
		state = beam.ParDo(scope, &mixFn{Shards: len(j.Shards), Mix: j.Mix},
			beam.GroupByKey(scope, parts), beam.SideInput{Input: state})
	}
	beam.ParDo0(scope, &writeFn{Name: name, Job: j}, state)
}

// start returns the state to begin with, which before the first round is the
// zero vector of the width that the shards have.
func (j *job) start(scope beam.Scope, shards beam.PCollection, s State) beam.PCollection {
	if len(s.Weights) > 0 {
		return beam.Create(scope, s)
	}
	widths := beam.ParDo(scope, &measureFn{j.reading()}, shards)
	return beam.ParDo(scope, &startFn{Shards: len(j.Shards)}, beam.GroupByKey(scope, widths))
}

// A trainFn trains on a shard for an epoch, from the mean.
type trainFn struct{ Reading reading }

func (f *trainFn) ProcessElement(ctx context.Context, shard Shard, mean State, emit func(int, Part)) error {
	part := Part{Shard: shard.Number, Weights: mean.Weights, Bias: mean.Bias}
	if mean.Converged {
		emit(0, part)
		return nil
	}
	p := perceptron.Online{Start: perceptron.Hyperplane{Weights: mean.Weights, Bias: mean.Bias}}
	err := f.Reading.each(ctx, shard, len(mean.Weights), func(rows examples) error {
		e, err := p.Learn(rows)
		part.Examples, part.Mistakes = e.Examples, e.Mistakes
		return err
	})
	if err != nil {
		return err
	}
	if part.Mistakes > 0 { // an untrained model has no hyperplane
		h := p.Hyperplane()
		part.Weights, part.Bias = h.Weights, h.Bias
	}
	emit(0, part)
	return nil
}

// A mixFn mixes a round's parts.
type mixFn struct {
	Shards int
	Mix    string
}

func (f *mixFn) ProcessElement(_ int, next func(*Part) bool, mean State, emit func(State)) error {
	parts, err := collect(next, f.Shards)
	if err != nil {
		return fmt.Errorf("round %d: %w", mean.Round+1, err)
	}
	if !mean.Converged {
		mean, err = mix(mean, parts, f.Mix)
	}
	emit(mean)
	return err
}

// collect returns the parts by number, and sees that there is one of each shard:
// a mean of some of them would be no error that one could see.
func collect(next func(*Part) bool, shards int) ([]Part, error) {
	parts := make([]Part, shards)
	seen := make([]bool, shards)
	var part Part
	for next(&part) {
		s := part.Shard
		switch {
		case s < 0 || s >= shards:
			return nil, fmt.Errorf("a part of shard %d, want one of %d shards", s, shards)
		case seen[s]:
			return nil, fmt.Errorf("two parts of shard %d", s)
		}
		parts[s], seen[s] = part, true
	}
	if s := slices.Index(seen, false); s >= 0 {
		return nil, fmt.Errorf("no part of shard %d", s)
	}
	return parts, nil
}

// mix returns the state after a round. One without mistakes leaves the mean as
// it is, to the bit: no shard has moved from it.
func mix(s State, parts []Part, by string) (State, error) {
	var r Round
	for _, p := range parts {
		if len(p.Weights) != len(s.Weights) {
			return s, fmt.Errorf("shard %d: %d weights, want %d", p.Shard, len(p.Weights), len(s.Weights))
		}
		r.Examples += p.Examples
		r.Mistakes += p.Mistakes
	}
	s.Round++
	s.Converged = r.Mistakes == 0
	if !s.Converged {
		w, b := make([]float64, len(s.Weights)), 0.0
		for i, mu := range shares(parts, by) {
			p := &parts[i]
			for j, v := range p.Weights {
				w[j] += float64(mu * v)
			}
			b += float64(mu * p.Bias)
			r.Weighted += float64(mu * float64(p.Mistakes))
		}
		s.Weights, s.Bias = w, b
	}
	s.History = append(slices.Clip(s.History), r)
	return s, nil
}

// shares returns the parts' weights μ_s, which sum to 1; uniform ones where all
// would be 0.
func shares(parts []Part, by string) []float64 {
	mu := make([]float64, len(parts))
	sum := 0.0
	for i, p := range parts {
		switch by {
		case uniform:
			mu[i] = 1
		case bySize:
			mu[i] = float64(p.Examples)
		case byMistakes:
			mu[i] = float64(p.Mistakes)
		}
		sum += mu[i]
	}
	for i := range mu {
		mu[i] /= sum
	}
	return mu
}
