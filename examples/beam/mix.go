package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"perceptron"
)

// A State is the state of the training after some rounds.
type State struct {
	Round     int             `json:"round"`     // rounds done
	Converged bool            `json:"converged"` // the last round made no mistake
	Features  int             `json:"features"`
	Numbers   int             `json:"numbers"`         // how many numbers the mean has; see learner.vectors
	Blocks    []string        `json:"blocks"`          // the names of the blocks of the mean
	Model     json.RawMessage `json:"model,omitempty"` // the form of the mean, by Split; nil before the first round
	History   []Round         `json:"history"`
	Failed    string          `json:"failed,omitempty"` // the error in the data, if any
}

// over reports whether the training has ended.
func (s *State) over() bool { return s.Converged || s.Failed != "" }

// A Round holds the results of a round.
type Round struct {
	Examples int     `json:"examples"`
	Mistakes int     `json:"mistakes"`
	Weighted float64 `json:"weighted"`       // Σ μ_s k_s: the mistakes of each shard times its weight in the mean
	Note     string  `json:"note,omitempty"` // on the first cache that was lost
}

// describe returns the results of a round, with its time and its examples in a second.
func (r Round) describe(took time.Duration) string {
	return fmt.Sprintf("%s on %s, %.2f s, %.0f rows/s", count(r.Mistakes, "mistake"), count(r.Examples, "example"), took.Seconds(), float64(r.Examples)/max(took, 1).Seconds())
}

// weighted returns the sum of the weighted mistakes of all rounds, which is at most (R/γ)².
func (s *State) weighted() (sum float64) {
	for _, r := range s.History {
		sum += r.Weighted
	}
	return sum
}

// A Block is a block of the mean after a round. It has the state without the names of the blocks.
// Only the first Block has the history.
type Block struct {
	Number int
	Name   string // see blockFile
	State
}

// split returns the blocks of the mean.
func (s State) split() []Block {
	all := make([]Block, len(s.Blocks))
	for i, name := range s.Blocks {
		if i == 1 {
			s.History = nil
		}
		all[i] = Block{i, name, s}
		all[i].Blocks = nil
	}
	return all
}

// join is the inverse of split. The blocks may come in any order.
func join(next func(*Block) bool, blocks int) (State, error) {
	all, err := each(next, blocks, "block", func(b *Block) int { return b.Number })
	if err != nil {
		return State{}, err
	}
	s := all[0].State
	for _, b := range all {
		s.Blocks = append(s.Blocks, b.Name)
	}
	return s, nil
}

// A Part is the contribution of a shard to a block in a round, or to the survey. An error in
// the data of a shard is passed on as a result. If it were returned as an error, the runner
// would try again in vain, and might report an error of a later stage instead.
type Part struct {
	Shard              int             // number of the shard
	Change             Change          `json:"-"`          // the numbers of the block that the shard changed
	Model              json.RawMessage `json:",omitempty"` // the form of the model, by Split
	Examples, Mistakes int
	Surveyed           Shard  // the shard with what the survey has found
	Note               string // on the cache of the shard
	Failed             string // the error in the shard, if any
	Mean               *Block // in the part of shard 0, the block that the round starts from
}

// The values of -mix. The weight μ_s of a shard in the mean is proportional to 1, to the number of
// examples of the shard, or to its number of mistakes in the round. If the shard has no example, μ_s
// is 0.
const (
	uniform    = "uniform"
	bySize     = "size"
	byMistakes = "mistakes"
)

var mixes = []string{uniform, bySize, byMistakes}

// collect returns the parts in the order of the shards. It requires exactly one part of
// each shard, because nothing else would reveal that a mean lacks a shard.
func collect(next func(*Part) bool, shards int) ([]Part, error) {
	return each(next, shards, "part of shard", func(p *Part) int { return p.Shard })
}

// each returns n elements in the order of their numbers.
func each[T any](next func(*T) bool, n int, name string, number func(*T) int) ([]T, error) {
	all := make([]T, n)
	seen := make([]bool, n)
	for v := new(T); next(v); v = new(T) {
		i := number(v)
		switch {
		case i < 0 || i >= n:
			return nil, fmt.Errorf("%s %d, but there are %d", name, i, n)
		case seen[i]:
			return nil, fmt.Errorf("two: %s %d", name, i)
		}
		all[i], seen[i] = *v, true
	}
	if i := slices.Index(seen, false); i >= 0 {
		return nil, fmt.Errorf("missing %s %d", name, i)
	}
	return all, nil
}

// failure returns the error of the first shard that failed, or "".
func failure(parts []Part) (text string) {
	for _, p := range parts {
		text = cmp.Or(text, p.Failed)
	}
	return text
}

// mix returns the state after a round, and the weights of the shards in the mean. If the round failed,
// or no shard made a mistake, weights is nil and the mean does not change. (Without a mistake, the
// weights of byMistakes would all be 0.)
func mix(s State, parts []Part, by string) (_ State, weights []float64) {
	if s.Failed = failure(parts); s.Failed != "" {
		return s, nil
	}
	var r Round
	for _, p := range parts {
		r.Examples += p.Examples
		r.Mistakes += p.Mistakes
		r.Note = cmp.Or(r.Note, p.Note)
	}
	if r.Examples == 0 {
		s.Failed = "no examples in any shard"
		return s, nil
	}
	s.Round++
	s.Converged = r.Mistakes == 0
	if !s.Converged {
		var sum float64
		weights, sum = weigh(parts, by)
		for i, p := range parts {
			r.Weighted += float64(weights[i] / sum * float64(p.Mistakes))
		}
	}
	s.History = append(slices.Clip(s.History), r)
	return s, weights
}

// mixBlock replaces the numbers of the block old by their weighted mean over the parts. It makes a
// small model of each part and mixes the models. A number that no shard has changed is mixed too,
// although rounding may change it.
func (l learner) mixBlock(old []float64, parts []Part, weights []float64) (json.RawMessage, error) {
	var models []*perceptron.Online
	var trained []float64                      // the weights of models
	v := make([]float64, len(old)+l.vectors()) // zeros at the end for the bias; see learner.model
	for i, p := range parts {
		if p.Examples == 0 {
			continue
		}
		copy(v, old)
		err := p.Change.apply(v[:len(old)])
		if err == nil {
			var m *perceptron.Online
			m, err = l.model(p.Model, v)
			models, trained = append(models, m), append(trained, weights[i])
		}
		if err != nil {
			return nil, fmt.Errorf("shard %d: %w", p.Shard, err)
		}
	}
	mean, err := perceptron.Mix(models, trained)
	if err != nil {
		return nil, err
	}
	form, v, err := numbers(mean)
	copy(old, v)
	return form, err
}

// weigh returns the weights of the parts and their sum. μ_s is a weight divided by the sum, which is
// not 0 if at least one part has a mistake.
func weigh(parts []Part, by string) (weights []float64, sum float64) {
	for _, p := range parts {
		w := float64(map[string]int{uniform: min(p.Examples, 1), bySize: p.Examples, byMistakes: p.Mistakes}[by])
		weights, sum = append(weights, w), sum+w
	}
	return weights, sum
}
