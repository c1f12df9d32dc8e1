package main

import (
	"fmt"
	"slices"
)

// A State is the training's after some rounds.
type State struct {
	Round     int       `json:"round"`     // rounds done
	Converged bool      `json:"converged"` // the last round made no mistake
	Weights   []float64 `json:"weights"`   // the mean's
	Bias      float64   `json:"bias"`
	History   []Round   `json:"history"`
	Failed    string    `json:"failed,omitempty"` // what is wrong with the data
}

// over tells whether there is nothing left to do.
func (s *State) over() bool { return s.Converged || s.Failed != "" }

// A Round tells how a round went.
type Round struct {
	Examples int     `json:"examples"`
	Mistakes int     `json:"mistakes"`
	Weighted float64 `json:"weighted"` // Σ μ_s k_s, each shard's mistakes in its share of the mean
}

// weighted sums the rounds' weighted mistakes, which (R/γ)² bounds.
func (s *State) weighted() (sum float64) {
	for _, r := range s.History {
		sum += r.Weighted
	}
	return sum
}

// A Part is what a shard adds to a round. What is wrong with a shard is told as
// data, since of several errors a runner reports any one: that of a later stage,
// which has nothing to go on from, as well as the first.
type Part struct {
	Shard              int // its number
	Weights            []float64
	Bias               float64
	Examples, Mistakes int
	Features           int    // of its rows, from measureFn
	Failed             string // what is wrong with it
}

// The weights of shards in the mean: μ_s in proportion to 1, to the shard's
// examples, or to its mistakes of the round.
const (
	uniform    = "uniform"
	bySize     = "size"
	byMistakes = "mistakes"
)

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

// failure returns what is wrong with the first shard that has failed.
func failure(parts []Part) string {
	for _, p := range parts {
		if p.Failed != "" {
			return p.Failed
		}
	}
	return ""
}

// mix returns the state after a round. One without mistakes, in which weights in
// proportion to them would have no sum, leaves the mean as it is, to the bit: no
// shard has moved from it.
func mix(s State, parts []Part, by string) (State, error) {
	if s.Failed = failure(parts); s.Failed != "" {
		return s, nil
	}
	var r Round
	for _, p := range parts {
		if len(p.Weights) != len(s.Weights) {
			return s, fmt.Errorf("shard %d: %d weights, want %d", p.Shard, len(p.Weights), len(s.Weights))
		}
		r.Examples += p.Examples
		r.Mistakes += p.Mistakes
	}
	if r.Examples == 0 {
		s.Failed = "no examples in any shard"
		return s, nil
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

// shares returns the parts' weights μ_s, which sum to 1. Some part has a mistake,
// so that none of the sums is 0.
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
