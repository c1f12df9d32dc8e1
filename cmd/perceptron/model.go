package main

import (
	"cmp"
	"encoding"
	"fmt"

	"perceptron"
	"perceptron/cmd/perceptron/internal/modelfile"
)

// learning has the flags that choose a model and its fields. The defaults are the advice of
// the library's README: shuffled rows and averaged weights predict new rows best.
type learning struct {
	Algorithm string           `enum:"auto,online,margin,batch,multiclass,onevsrest" default:"auto" placeholder:"auto" help:"online, margin, batch, multiclass, onevsrest."`
	Rule      string           `enum:"auto,online,margin,batch" default:"auto" placeholder:"auto" help:"Of multiclass, onevsrest: online, margin, batch."`
	Order     perceptron.Order `default:"shuffled" placeholder:"shuffled" help:"cyclic, shuffled or sampled."`
	Keep      perceptron.Keep  `default:"average" placeholder:"average" help:"Weights that predict: last, average or pocket."`
	Rate      float64          `placeholder:"1" help:"Learning rate η."`
	Gamma     float64          `placeholder:"X" help:"γ′ of the margin rule."`
	Theta     float64          `placeholder:"X" help:"θ of the margin rule."`
	Raw       bool             `help:"Do not standardize the features."`

	// Without ScaleWords, the features of words stay 0 and 1. In the mean of many tables this is
	// a little better: see bench/tables.py.
	ScaleWords bool `help:"Standardize the features of words, too."`

	// usual is the rule without --rule, if it is not online. It is margin if a column is text: rows
	// with a hundred thousand features are soon separated, or nearly so, by many hyperplanes. A
	// margin chooses one that predicts new rows better: it agrees with a linear support vector
	// machine to a few rows in a thousand.
	usual string
}

// rule returns the rule that --rule names, or the one that suits the rows.
func (l *learning) rule() string {
	if l.Rule == "auto" {
		return cmp.Or(l.usual, "online")
	}
	return l.Rule
}

// kind returns the algorithm for a number of classes, and its rule. online, margin and batch are both
// algorithms for two classes and rules. With --algorithm auto, --rule margin or batch chooses
// multiclass, which learns two classes too.
func (l *learning) kind(classes int) (algorithm, rule string) {
	switch {
	case l.Algorithm == "multiclass" || l.Algorithm == "onevsrest":
		return l.Algorithm, l.rule()
	case l.Algorithm != "auto":
		return l.Algorithm, l.Algorithm
	case classes > 2 || l.Rule == "margin" || l.Rule == "batch":
		return "multiclass", l.rule()
	}
	return l.rule(), l.rule()
}

// check reports a flag that has no effect on the chosen model. Without --algorithm, the
// number of classes is not known yet, but it makes no difference here.
func (l *learning) check(given map[string]bool) error {
	algorithm, rule := l.kind(2)
	useless := map[string][]string{"batch": {"order", "keep", "gamma", "theta"}, "online": {"gamma", "theta"}}[rule]
	with := "the rule " + rule
	if l.Algorithm == rule { // --rule is for multiclass and onevsrest
		with, useless = "--algorithm "+rule, append(useless, "rule")
	}
	// The library validates the fields of a model that it saves, which needs no rows.
	model, invalid := l.build(2, 0)
	if invalid == nil {
		_, invalid = model.(encoding.BinaryMarshaler).MarshalBinary()
	}
	return cmp.Or(usageIf(algorithm == "multiclass" && rule == "batch", "--rule batch does not apply to multiclass: use --algorithm batch for two classes, or --algorithm onevsrest --rule batch for more"),
		without(given, with, useless...), usageIf(invalid != nil, "%w", invalid))
}

// without reports a flag that has no effect beside another one. To ignore it would hide that
// the user's result does not depend on it.
func without(given map[string]bool, with string, flags ...string) error {
	for _, name := range flags {
		if given[name] {
			return usagef("--%s cannot be used with %s", name, with)
		}
	}
	return nil
}

// build returns an untrained model for the number of classes. The library checks the numbers:
// it knows which ones make sense together.
func (l *learning) build(classes int, seed uint64) (perceptron.Model, error) {
	algorithm, rule := l.kind(classes)
	binary := map[string]perceptron.Binary{
		"online": &perceptron.Online{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep},
		"batch":  &perceptron.Batch{Rate: l.Rate},
		"margin": &perceptron.Margin{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep, Gamma: l.Gamma, Threshold: l.Theta},
	}[rule]
	switch {
	case algorithm == "multiclass":
		return &perceptron.Multiclass{Binary: binary}, nil
	case algorithm == "onevsrest":
		return &perceptron.OneVsRest{Binary: binary}, nil
	case classes != 2:
		return nil, usagef("--algorithm %s separates two classes, but there are %d; multiclass and onevsrest take any number", algorithm, classes)
	}
	return binary, nil
}

// settings holds the facts about a model that this program needs. The library has no
// common interface for them, so settingsOf is the one place that lists the types.
type settings struct {
	// name is that of the model and its fields, for messages.
	name string

	// epochs points to MaxEpochs, which every training sets anew: a continued training runs
	// for as many further epochs.
	epochs *int

	// memory says that the model needs the rows in memory: a stream has one order only, and
	// the batch rule does not learn from streams.
	memory bool

	// mistakes says that the model updates on a row if and only if it predicts the row wrong or is
	// undecided: a score of 0, or of many classes a rival with the score of the row's class. Then
	// updates are progressive errors.
	mistakes bool
}

// settingsOf returns the settings of m, or of the Binary of a model of many classes.
func settingsOf(m perceptron.Model) (s settings) {
	// A nil Binary means this one. Models that this program builds have no nil Binary.
	online := perceptron.Binary(new(perceptron.Online))
	switch m := m.(type) {
	case *perceptron.Online:
		return settings{fmt.Sprintf("online, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, true}
	case *perceptron.Margin:
		return settings{fmt.Sprintf("margin, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, false}
	case *perceptron.Batch:
		return settings{"batch", &m.MaxEpochs, true, true}
	case *perceptron.OneVsRest:
		m.Binary = cmp.Or(m.Binary, online)
		s = settingsOf(m.Binary)
		s.mistakes = false // several classes may update on one row
	case *perceptron.Multiclass:
		m.Binary = cmp.Or(m.Binary, online)
		s = settingsOf(m.Binary)
	}
	s.name = modelfile.Type(m) + " of " + s.name
	return s
}
