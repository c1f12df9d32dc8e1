package perceptron

import (
	"cmp"

	"perceptron/internal/saved"
)

// This file names each exported field of the models in the saved form, and converts
// both ways. It lists the fields by hand rather than by reflection: the format stays as
// it is when a model gets a new field, until the field is added here. A test compares
// the two lists.
//
// A field that is added later must be a pointer that may be missing, so that files
// without it can still be read.

// savedBinary has the fields of all binary models. Those that one kind lacks are zero.
type savedBinary struct {
	savedRule
	MaxEpochs int        `json:"maxEpochs"`
	Seed      saved.Word `json:"seed"`
	Workers   int        `json:"workers"`
}

// savedRule has those fields of a binary model that training remembers.
type savedRule struct {
	Kind      string     `json:"kind"`
	Rate      float64    `json:"rate"`
	Space     Space      `json:"space"`
	Start     savedPlane `json:"start"`
	Order     Order      `json:"order"`
	Keep      Keep       `json:"keep"`
	Gamma     float64    `json:"gamma"`
	Threshold float64    `json:"threshold"`
}

// ruleKinds are the binary models that are trained by the rules.
var ruleKinds = [...]string{
	onMistake: "Online", withinGamma: "Margin", withinTheta: "Margin", withinR: "Margin", onGradient: "Batch",
}

func saveBinary(m model) *savedBinary {
	c := m.config()
	return &savedBinary{saveRule(&c, m.start()), c.maxEpochs, saved.Word(c.seed), c.workers}
}

func saveRule(c *config, start *Hyperplane) savedRule {
	return savedRule{ruleKinds[c.rule], c.rate, c.space, savePlane(*start), c.order, c.keep, c.gamma, c.threshold}
}

// model returns the untrained model with the fields that s has.
func (s *savedBinary) model() (model, error) {
	online, margin, batch := s.Kind == "Online", s.Kind == "Margin", s.Kind == "Batch"
	const zero = "found in %s, want its zero value"
	if err := cmp.Or(
		saved.Expect(online || margin || batch, "kind", "%.40q, want Online, Margin or Batch", s.Kind),
		saved.Expect(!batch || s.Order == Cyclic, "order", zero, s.Kind),
		saved.Expect(!batch || s.Seed == 0, "seed", zero, s.Kind),
		saved.Expect(!batch || s.Keep == Last, "keep", zero, s.Kind),
		saved.Expect(margin || s.Gamma == 0, "gamma", zero, s.Kind),
		saved.Expect(margin || s.Threshold == 0, "threshold", zero, s.Kind),
		saved.Expect(batch || s.Workers == 0, "workers", zero, s.Kind),
	); err != nil {
		return nil, err
	}
	r, start, seed := s.savedRule, Hyperplane(s.Start), uint64(s.Seed)
	switch {
	case online:
		return &Online{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Order: r.Order, Seed: seed, Keep: r.Keep}, nil
	case margin:
		return &Margin{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Order: r.Order, Seed: seed, Keep: r.Keep,
			Gamma: r.Gamma, Threshold: r.Threshold}, nil
	}
	return &Batch{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Workers: s.Workers}, nil
}
