package perceptron

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// This file converts between training state and its saved form. It is the only file
// of saving that uses the engine's types.
//
// Reading accepts only a state that training can reach. This is more than what
// prevents a panic: a state that makes no sense would break promises of later calls.

// savedState is the saved form of the training state. Its settings are those with
// which training began, except that Rate is that of the last call. MaxEpochs and
// Workers are not in it, because each call reads them again. θ is not in it, because
// it follows from the rest. The detector of cycles is not in it, because it belongs
// to one range over Epochs.
type savedState struct {
	Rate          float64     `json:"rate"`
	Space         Space       `json:"space"`
	Start         savedPlane  `json:"start"` // where a class that arrives late begins
	Order         Order       `json:"order"`
	Keep          Keep        `json:"keep"`
	Rule          rule        `json:"rule"`
	Bound         float64     `json:"bound"` // γ′ or θ, if the rule has one
	Width         int         `json:"width"`
	Passes        int         `json:"passes"`
	GeneratorHigh word        `json:"generatorHigh"` // the two halves of PCG's state
	GeneratorLow  word        `json:"generatorLow"`
	Classes       []int       `json:"classes"` // one for each hyperplane; −1 and +1 for a binary model
	Hyperplanes   []savedUnit `json:"hyperplanes"`
}

// savedUnit is the saved form of one hyperplane in training. Weights and Bias are
// what predicts, so that another program finds it in one place under every Keep. The
// mean of an average is saved rather than computed again, so that predictions stay
// the same bits if a later version sums in another way.
type savedUnit struct {
	Weights []float64     `json:"weights"`
	Bias    float64       `json:"bias"`
	R2      float64       `json:"r2"`
	Iterate *savedPlane   `json:"iterate,omitempty"` // nil if it predicts: Keep is Last
	Average *savedAverage `json:"average,omitempty"`
	Pocket  *savedPocket  `json:"pocket,omitempty"`
}

// savedAverage is the saved form of an average, as flushed at the last mistake.
type savedAverage struct {
	Sum   savedPlane `json:"sum"`
	Low   savedPlane `json:"low"`
	Count float64    `json:"count"`
	Since float64    `json:"since"`
}

// savedPocket is the saved form of a pocket. Its iterate is what predicts.
type savedPocket struct {
	Length int64 `json:"length"`
	Right  int   `json:"right"`
	Run    int64 `json:"run"`
	Tried  bool  `json:"tried"`
}

// A word is an unsigned integer that JSON holds in quotes, because many programs read a number
// as a float64.
type word uint64

// MarshalText returns the digits. encoding/json adds the quotes.
func (w word) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(w), 10), nil }

// UnmarshalText reads the digits. The shapeReader rejects leading zeros.
func (w *word) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*w = word(n)
	return err
}

// ruleNames are the rules' names in the saved form.
var ruleNames = []string{"OnMistake", "WithinGamma", "WithinTheta", "WithinR", "OnGradient"}

// ruleKinds are the binary models that are trained by the rules.
var ruleKinds = []string{"Online", "Margin", "Margin", "Margin", "Batch"}

// MarshalText returns the name in the saved form; String returns that for errors.
func (r rule) MarshalText() ([]byte, error) { return textOf(r, "rule", ruleNames) }

// UnmarshalText reads the name. The shapeReader rejects another case.
func (r *rule) UnmarshalText(text []byte) error { return setName(r, "rule", ruleNames, text) }

// checkFields validates a model's fields, all of which training from Start reads.
func checkFields(m model) error {
	c := m.config().complete()
	return c.checkStart(m.start())
}

// saveState returns the saved form of what m has learned, or nil if it is untrained.
// It shares m's memory, which writing only reads: any number of goroutines may write
// a model at once.
func saveState(m model) *savedState {
	t := m.engine().now
	if t == nil {
		return nil
	}
	// The generator's words are numbers in the JSON, so that other programs can read
	// them too.
	const prefix = len("pcg:") // of PCG's own encoding, which returns no error
	gen, _ := t.gen.MarshalBinary()
	s := &savedState{
		Rate: t.rate, Space: t.space, Start: savePlane(t.start), Order: t.order, Keep: t.keep, Rule: t.rule, Bound: t.bound(),
		Width: t.width, Passes: t.passes, Classes: []int{-1, +1}, Hyperplanes: make([]savedUnit, len(t.units)),
		GeneratorHigh: word(binary.BigEndian.Uint64(gen[prefix:])),
		GeneratorLow:  word(binary.BigEndian.Uint64(gen[prefix+8:])),
	}
	if t.multiclass {
		s.Classes = listed(t.classes())
	}
	for i, u := range t.units {
		s.Hyperplanes[i] = saveUnit(u, &t.config)
	}
	return s
}

func saveUnit(u *unit, c *config) savedUnit {
	predicts := saveVector(u.predictor(c))
	s := savedUnit{Weights: predicts.Weights, Bias: predicts.Bias, R2: u.r2}
	if c.keep != Last {
		iterate := saveVector(u.w)
		s.Iterate = &iterate
	}
	switch a, p := &u.average, &u.pocket; c.keep {
	case Average:
		s.Average = &savedAverage{saveVector(a.sum), saveVector(a.low), a.count, a.since}
	case Pocket:
		s.Pocket = &savedPocket{int64(p.length), p.right, int64(p.run), p.tried}
	}
	return s
}

// saveVector returns the saved form of the vector (w, b), in the same memory.
func saveVector(w []float64) savedPlane {
	d := len(w) - 1
	return savedPlane{w[:d:d], w[d]}
}

// restoreState makes s what m has learned, if training m can reach it. A nil s is
// that of an untrained model.
//
// The state has no owner yet, so m may be copied by value: encoding/json copies the
// models of a slice when the slice grows, and each copy may be trained.
func restoreState(m model, s *savedState) error {
	if s == nil {
		return nil
	}
	c := config{rate: s.Rate, space: s.Space, order: s.Order, keep: s.Keep, rule: s.Rule}
	_, c.multiclass = m.(*OneVsRest)
	if s.Rule == withinGamma {
		c.gamma = s.Bound
	} else {
		c.threshold = s.Bound
	}
	if err := s.validate(m, c.multiclass); err != nil {
		return err
	}
	t, err := newState(&c, (*Hyperplane)(&s.Start))
	if err != nil {
		return atField(".start", err)
	}
	t.width, t.passes = s.Width, s.Passes
	t.gen = *rand.NewPCG(uint64(s.GeneratorHigh), uint64(s.GeneratorLow))
	for i := range s.Hyperplanes {
		class := 0
		if t.multiclass {
			class = s.Classes[i]
		}
		u, err := s.Hyperplanes[i].restore(t, class)
		if err != nil {
			return atField(fmt.Sprintf(".hyperplanes[%d]", i), err)
		}
		t.units = append(t.units, u)
	}
	m.engine().now = t
	return nil
}

// validate validates s, except for what Start and the hyperplanes hold.
//
// The rule must be one that m, or a model in m's Binary, can be trained by. The fields
// of m may have changed since then; that is for the next training call to reject. A
// binary model has one hyperplane, or none if all its streams were empty. Other classes
// must ascend, because binary search finds them.
func (s *savedState) validate(m model, multiclass bool) error {
	d, n, classes := len(s.Start.Weights), min(s.Width, 1), slices.Equal(s.Classes, []int{-1, +1})
	fits := ruleKinds[s.Rule] == kindOf(m)
	if multiclass {
		n, fits = len(s.Classes), true
		classes = slices.IsSortedFunc(s.Classes, func(a, b int) int { return cmp.Or(cmp.Compare(a, b), -1) }) // no two are equal
	}
	bounded := s.Rule == withinGamma || s.Rule == withinTheta
	return cmp.Or(
		check(s.Rate > 0, "rate", "%v, want more than 0", s.Rate),
		check(fits, "rule", "%s does not fit %s", ruleNames[s.Rule], kindOf(m)),
		check(s.Rule != onGradient || s.Order == Cyclic && s.Keep == Last, "rule", "OnGradient with Order %v and Keep %v", s.Order, s.Keep),
		check(s.Bound >= 0 && bounded == (s.Bound > 0), "bound", "%v does not fit the rule %s", s.Bound, ruleNames[s.Rule]),
		check(s.Width >= 0, "width", "%d, want at least 0", s.Width),
		check(s.Width == 0 || d == 0 || d == s.Width, "start", "width %d, want %d", d, s.Width),
		check(s.Passes >= 0, "passes", "%d, want at least 0", s.Passes),
		check(classes, "classes", "want -1 and 1, or for OneVsRest any that ascend"),
		check(len(s.Hyperplanes) == n, "hyperplanes", "%d hyperplanes, want %d", len(s.Hyperplanes), n),
		check((n == 0) == (s.Width == 0), "width", "%d with %d hyperplanes", s.Width, n),
	)
}

// restore returns the hyperplane in training. It checks the width first, so that it
// allocates nothing for a width that the file only claims.
func (s *savedUnit) restore(t *state, class int) (*unit, error) {
	if err := cmp.Or(
		check(len(s.Weights) == t.width, "weights", "%d weights, want %d", len(s.Weights), t.width),
		check((s.Iterate != nil) == (t.keep != Last), "iterate", "does not fit Keep %v", t.keep),
		check((s.Average != nil) == (t.keep == Average), "average", "does not fit Keep %v", t.keep),
		check((s.Pocket != nil) == (t.keep == Pocket), "pocket", "does not fit Keep %v", t.keep),
		check(s.R2 >= 0, "r2", "%v, want at least 0", s.R2),
	); err != nil {
		return nil, err
	}
	u := newUnit(&t.config, t.start, t.width, class)
	err := setVector(u.predictor(&t.config), savedPlane{s.Weights, s.Bias}, t.space)
	if s.Iterate != nil { // under Last the iterate predicts
		err = cmp.Or(err, atField(".iterate", setVector(u.w, *s.Iterate, t.space)))
	}
	// θ follows from the rest. With the saved rate it may overflow. Then the next training
	// call fails, as it would have failed before saving.
	u.r2 = s.R2
	u.theta = t.thetaFor(u.w, u.r2)
	switch t.keep {
	case Average:
		err = cmp.Or(err, atField(".average", s.Average.restore(&u.average, t.space)))
	case Pocket:
		err = cmp.Or(err, atField(".pocket", s.Pocket.restore(&u.pocket)))
	}
	return u, err
}

// setVector sets the vector w, over (w, b). Training in Linear space never moves a
// bias from 0.
func setVector(w []float64, p savedPlane, space Space) error {
	d := len(w) - 1
	copy(w[:d], p.Weights)
	w[d] = p.Bias
	return cmp.Or(
		check(len(p.Weights) == d, "weights", "%d weights, want %d", len(p.Weights), d),
		check(space == Affine || p.Bias == 0, "bias", "%v in Linear space, want 0", p.Bias),
	)
}

// restore sets a to what s holds. Mixing may have made Count a fraction, but Since
// counts examples one by one.
func (s *savedAverage) restore(a *average, space Space) error {
	a.count, a.since = s.Count, s.Since
	return cmp.Or(
		atField(".sum", setVector(a.sum, s.Sum, space)),
		atField(".low", setVector(a.low, s.Low, space)),
		check(s.Count >= 0 && s.Count <= countable, "count", "%v, want 0 to 2⁵³", s.Count),
		check(s.Since >= 0 && s.Since <= countable && s.Since == math.Trunc(s.Since), "since", "%v, want an integer from 0 to 2⁵³", s.Since),
	)
}

// restore sets p to what s holds, except for the iterate, which is there already. A
// count at its limit is legal: it stays there in training.
func (s *savedPocket) restore(p *pocket) error {
	p.length, p.right, p.run, p.tried = uint64(s.Length), s.Right, uint64(s.Run), s.Tried
	return cmp.Or(
		check(s.Length >= 0 && s.Length <= countable, "length", "%d, want 0 to 2⁵³", s.Length),
		check(s.Right >= 0, "right", "%d, want at least 0", s.Right),
		check(s.Run >= 0 && s.Run <= countable, "run", "%d, want 0 to 2⁵³", s.Run),
	)
}
