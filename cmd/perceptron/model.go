package main

import (
	"fmt"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// learning has the flags that choose a model and its fields.
type learning struct {
	Algorithm string           `enum:"auto,online,margin,batch,multiclass,onevsrest" default:"auto" placeholder:"auto" help:"online, margin, batch, multiclass, onevsrest."`
	Rule      string           `enum:"online,margin,batch" default:"online" placeholder:"online" help:"Of multiclass, onevsrest: online, margin, batch."`
	Order     perceptron.Order `default:"shuffled" placeholder:"shuffled" help:"cyclic, shuffled or sampled."`
	Keep      perceptron.Keep  `default:"average" placeholder:"average" help:"Weights that predict: last, average or pocket."`
	Rate      float64          `placeholder:"1" help:"Learning rate η."`
	Gamma     float64          `placeholder:"X" help:"γ′ of the margin rule."`
	Theta     float64          `placeholder:"X" help:"θ of the margin rule."`
	Raw       bool             `help:"Do not standardise the features."`
}

// check reports a flag that has no effect on the chosen model.
func (l *learning) check(given map[string]bool) error {
	rule := l.Rule
	switch l.Algorithm {
	case "auto":
	case "multiclass", "onevsrest":
		if l.Algorithm == "multiclass" && rule == "batch" {
			return usagef("--rule batch does not apply to multiclass")
		}
	default:
		if given["rule"] {
			return usagef("--rule applies to multiclass and onevsrest only, not to %s", l.Algorithm)
		}
		rule = l.Algorithm
	}
	for _, name := range []string{"gamma", "theta", "order", "keep"} {
		margin := name == "gamma" || name == "theta"
		if given[name] && (rule == "batch" || margin && rule != "margin") {
			return usagef("--%s does not apply to the rule %s", name, rule)
		}
	}
	return nil
}

// build returns an untrained model for the number of classes.
func (l *learning) build(classes int, seed uint64) (perceptron.Model, error) {
	algorithm, rule := l.Algorithm, l.Rule
	switch {
	case algorithm == "auto" && (classes > 2 || rule != "online"):
		algorithm = "multiclass"
	case algorithm == "auto":
		algorithm = "online"
	}
	many := algorithm == "multiclass" || algorithm == "onevsrest"
	if !many {
		rule = algorithm
	}
	var m perceptron.Model
	switch rule {
	case "online":
		m = &perceptron.Online{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep}
	case "batch":
		m = &perceptron.Batch{Rate: l.Rate}
	case "margin":
		m = &perceptron.Margin{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep, Gamma: l.Gamma, Threshold: l.Theta}
	}
	switch {
	case algorithm == "multiclass":
		return &perceptron.Multiclass{Binary: m}, nil
	case many:
		return &perceptron.OneVsRest{Binary: m}, nil
	case classes != 2:
		return nil, usagef("--algorithm %s separates two classes, but there are %d; multiclass and onevsrest take any number", algorithm, classes)
	}
	return m, nil
}

// settings holds the facts about a model that this program needs.
type settings struct {
	name     string // of the model and its fields, for messages
	epochs   *int   // points to MaxEpochs
	memory   bool   // the model needs the rows in memory
	mistakes bool   // it updates if and only if a row is predicted wrong, or has a score of 0
	clone    func() perceptron.Model
}

// settingsOf returns the settings of m, or of the Binary of a model of many classes.
func settingsOf(m perceptron.Model) (s settings) {
	iterates := func(name string, order perceptron.Order, keep perceptron.Keep) string {
		return fmt.Sprintf("%s, order %v, keep %v", name, order, keep)
	}
	switch m := m.(type) {
	case *perceptron.Online:
		return settings{iterates("online", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, true, cloner(m.Clone)}
	case *perceptron.Margin:
		return settings{iterates("margin", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, false, cloner(m.Clone)}
	case *perceptron.Batch:
		return settings{"batch", &m.MaxEpochs, true, true, cloner(m.Clone)}
	case *perceptron.OneVsRest:
		s = settingsOf(binary(&m.Binary))
		s.mistakes, s.clone = false, cloner(m.Clone) // several classes may update on one row
	case *perceptron.Multiclass:
		s = settingsOf(binary(&m.Binary))
		s.clone = cloner(m.Clone)
	}
	s.name = modelfile.Type(m) + " of " + s.name
	return s
}

// binary returns the field Binary of a model of many classes, which it sets if it is nil.
func binary(field *perceptron.Model) perceptron.Model {
	if *field == nil {
		*field = new(perceptron.Online) // the meaning of nil
	}
	return *field
}

func cloner[M perceptron.Model](clone func() M) func() perceptron.Model {
	return func() perceptron.Model { return clone() }
}
