package main

import (
	"fmt"
	"slices"
)

// A State is the state of the training after some rounds.
type State struct {
	Round     int       `json:"round"`     // rounds done
	Converged bool      `json:"converged"` // the last round made no mistake
	Weights   []float64 `json:"weights"`   // of the mean
	Bias      float64   `json:"bias"`
	History   []Round   `json:"history"`
	Failed    string    `json:"failed,omitempty"` // the error in the data, if any
}

// over reports whether the training has ended.
func (s *State) over() bool { return s.Converged || s.Failed != "" }

// A Round holds the results of a round.
type Round struct {
	Examples int     `json:"examples"`
	Mistakes int     `json:"mistakes"`
	Weighted float64 `json:"weighted"` // Σ μ_s k_s: the mistakes of each shard times its weight in the mean
}

// weighted returns the sum of the weighted mistakes of all rounds. (R/γ)² bounds it.
func (s *State) weighted() (sum float64) {
	for _, r := range s.History {
		sum += r.Weighted
	}
	return sum
}

// A Part is the contribution of a shard to a round, or to the survey. An error in the data
// of a shard is passed on as a result. If it were returned as an error, the runner would
// try again in vain, and might report an error of a later stage instead.
type Part struct {
	Shard              int // number of the shard
	Weights            []float64
	Bias               float64
	Examples, Mistakes int
	Features           int    // number of features of the rows, in the survey
	Sum                string // hash of the shard, in the survey
	Failed             string // the error in the shard, if any
	Mean               []byte // in the part of shard 0, the mean that the round starts from, encoded
}

// The weights of shards in the mean: μ_s is proportional to 1, to the number of examples
// of the shard, or to its number of mistakes in the round.
const (
	uniform    = "uniform"
	bySize     = "size"
	byMistakes = "mistakes"
)

// collect returns the parts in the order of the shards. It requires exactly one part of
// each shard, because nothing else would reveal that a mean lacks a shard.
func collect(next func(*Part) bool, shards int) ([]Part, error) {
	parts := make([]Part, shards)
	seen := make([]bool, shards)
	var part Part
	for next(&part) {
		s := part.Shard
		switch {
		case s < 0 || s >= shards:
			return nil, fmt.Errorf("part of shard %d, but there are %d shards", s, shards)
		case seen[s]:
			return nil, fmt.Errorf("two parts of shard %d", s)
		}
		parts[s], seen[s] = part, true
	}
	if s := slices.Index(seen, false); s >= 0 {
		return nil, fmt.Errorf("missing part of shard %d", s)
	}
	return parts, nil
}

// failure returns the error of the first shard that failed, or "".
func failure(parts []Part) string {
	for _, p := range parts {
		if p.Failed != "" {
			return p.Failed
		}
	}
	return ""
}

// mix returns the state after a round. A round without mistakes keeps every bit of the
// mean, because no shard has changed it. (The shares by mistakes would be 0/0 there.)
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

// shares returns the weights μ_s of the parts, which sum to 1. At least one part must
// have a mistake, so that the sum to divide by is not 0.
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
