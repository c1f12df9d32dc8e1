package perceptron

import (
	"cmp"

	"perceptron/internal/saved"
	"perceptron/internal/train"
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

// ruleKinds has, for each rule, the kind of the binary model that is trained by it.
var ruleKinds = [...]string{
	train.OnMistake: "Online", train.WithinGamma: "Margin", train.WithinTheta: "Margin", train.WithinR: "Margin", train.OnGradient: "Batch",
}

func saveBinary(m model) *savedBinary {
	c, start, _ := m.config() // of a binary model there is no error
	return &savedBinary{saveRule(&c, start), c.MaxEpochs, saved.Word(c.Seed), c.Workers}
}

func saveRule(c *train.Config, start *train.Hyperplane) savedRule {
	return savedRule{ruleKinds[c.Rule], c.Rate, Space(c.Space), savePlane(Hyperplane(*start)), Order(c.Order), Keep(c.Keep), c.Gamma, c.Threshold}
}

// savedState is the saved form of what a model has learned. Its rule is that with which
// training began, except that Rate is that of the last call. MaxEpochs and Workers are not in
// it, because each call reads them again.
type savedState struct {
	savedRule // a class that arrives late begins at Start
	train.State
}

// saveState returns the saved form of what m has learned, or nil if it is untrained. It
// shares m's memory.
func saveState(m model) *savedState {
	c, start, s := m.learned().State()
	if s == nil {
		return nil
	}
	return &savedState{saveRule(&c, &start), *s}
}

// restoreState makes s what m has learned, if training m can reach it. A nil s is
// that of an untrained model.
func restoreState(m model, s *savedState) error {
	if s == nil {
		return nil
	}
	began, err := (&savedBinary{savedRule: s.savedRule}).model()
	if err != nil {
		return err
	}
	now, _, _ := m.config() // checkFields has found no error
	c, start, _ := began.config()
	complete(&c)
	c.Scheme = now.Scheme
	kind, many := ruleKinds[now.Rule], c.Scheme != train.TwoClasses
	if err := cmp.Or(
		saved.Expect(many || s.Kind == kind, "kind", "%s does not fit %s", s.Kind, kind),
		saved.Expect(c.Scheme != train.Kesler || c.Rule != train.OnGradient, "kind", "%s in Multiclass, want Online or Margin", s.Kind),
		saved.Expect(s.Rate > 0, "rate", "%v, want more than 0", s.Rate),
		saved.At("", cmp.Or(checkConfig(&c), checkStart(&c, start))),
	); err != nil {
		return err
	}
	return m.learned().Restore(c, start, &s.State)
}

// model returns the untrained model with the fields that s has.
func (s *savedBinary) model() (model, error) {
	online, margin, batch := s.Kind == "Online", s.Kind == "Margin", s.Kind == "Batch"
	const zero = "found in %s, want its zero value"
	if err := cmp.Or(
		saved.Expect(online || margin || batch, "kind", "%+.40q, want Online, Margin or Batch", s.Kind),
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
