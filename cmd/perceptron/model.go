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

	// Without ScaleWords, the features of words stay 0 and 1. On average over many tables, this
	// gives a slightly higher accuracy: see bench/tables.py.
	ScaleWords bool `help:"Standardize the features of words, too."`

	// Waves bends borders. With waves, the usual rule is margin.
	Waves int `placeholder:"N" help:"Bend borders, with N waves; 0: straight."`

	// usual is the rule if --rule is auto; "" means online. It is margin if a column is text, and
	// with waves. Many
	// hyperplanes soon separate, or nearly separate, rows with a hundred thousand features. The
	// margin rule chooses one that predicts new rows better. Its predictions differ from those of a
	// linear support vector machine in a few rows of a thousand. With --holdout, choose may set
	// usual too.
	usual string
}

// rule returns the rule that --rule names. If --rule is auto, it returns the usual rule.
func (l *learning) rule() string {
	if l.Rule == "auto" {
		return cmp.Or(l.usual, "online")
	}
	return l.Rule
}

// kind returns the algorithm for a number of classes, and its rule. Each of online, margin and batch
// is a rule, and also an algorithm for two classes. With --algorithm auto, --rule margin or batch
// chooses multiclass, which learns two classes too.
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

// check returns an error for a flag that has no effect on the chosen model, or has a bad value. The
// number of classes is not known yet. check assumes two, because the same flags are bad for more.
func (l *learning) check(given map[string]bool) error {
	algorithm, rule := l.kind(2)
	useless := map[string][]string{"batch": {"order", "keep", "gamma", "theta"}, "online": {"gamma", "theta"}}[rule]
	with := "the rule " + rule
	if l.Algorithm == rule { // --rule is for multiclass and onevsrest
		with, useless = "--algorithm "+rule, append(useless, "rule")
	}
	// Saving a model validates its fields, and needs no rows.
	model, invalid := l.build(2, 0)
	if invalid == nil {
		_, invalid = model.(encoding.BinaryMarshaler).MarshalBinary()
	}
	return cmp.Or(usageIf(algorithm == "multiclass" && rule == "batch", "--rule batch does not apply to multiclass: use --algorithm batch for two classes, or --algorithm onevsrest --rule batch for more"),
		without(given, with, useless...), usageIf(invalid != nil, "%w", invalid))
}

// without returns a usageError if the user set one of the flags, which have no effect together with
// the flag or setting that with names. If such a flag were ignored, the user would believe that the
// result depends on it.
func without(given map[string]bool, with string, flags ...string) error {
	for _, name := range flags {
		if given[name] {
			return usagef("--%s cannot be used with %s", name, with)
		}
	}
	return nil
}

// build returns an untrained model for the number of classes. It does not check the rate, γ′ and θ.
// The library validates them.
func (l *learning) build(classes int, seed uint64) (perceptron.Model, error) {
	algorithm, rule := l.kind(classes)
	binary := map[string]perceptron.Binary{
		"online": &perceptron.Online{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep},
		"batch":  &perceptron.Batch{Rate: l.Rate},
		"margin": &perceptron.Margin{Rate: l.Rate, Order: l.Order, Seed: seed, Keep: l.Keep, Gamma: l.Gamma, Threshold: l.theta(algorithm)},
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
// common interface for these facts, so only settingsOf lists the types of models.
type settings struct {
	// name names the type, the order and the kept weights, for messages.
	name string

	// epochs points to the model's MaxEpochs. Every training sets it to --epochs, and a continued
	// training runs for at most this number of further epochs.
	epochs *int

	// memory says that the model needs the rows in memory. A stream has only the order of the file,
	// and the batch rule cannot learn from a stream.
	memory bool

	// mistakes says that the model updates on a row if and only if it predicts the row wrong or is
	// undecided: a score of 0, or of many classes a rival with the score of the row's class. The share
	// of updates is then the progressive error.
	mistakes bool

	// average says that the average of the weights predicts.
	average bool
}

// settingsOf returns the settings of m, or of the Binary of a model of many classes.
func settingsOf(m perceptron.Model) (s settings) {
	// The library reads a nil Binary as Online. Models that this program builds have no nil Binary.
	online := perceptron.Binary(new(perceptron.Online))
	switch m := m.(type) {
	case *perceptron.Online:
		return settings{fmt.Sprintf("online, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, true, m.Keep == perceptron.Average}
	case *perceptron.Margin:
		return settings{fmt.Sprintf("margin, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, false, m.Keep == perceptron.Average}
	case *perceptron.Batch:
		return settings{"batch", &m.MaxEpochs, true, true, false}
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
