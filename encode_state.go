package perceptron

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// A kind says what an encoding holds.
type kind uint8

const (
	kindOnline kind = iota + 1
	kindBatch
	kindMargin
	kindOneVsRest
	kindHyperplane
	kindSeparation
)

var kindNames = []string{"", "Online", "Batch", "Margin", "OneVsRest", "Hyperplane", "Separation"}

func (k kind) String() string { return nameOf(k, "kind", kindNames) }

// kindOf returns a model's kind, 0 for one that is not of this package.
func kindOf(m Model) kind {
	switch m.(type) {
	case *Online:
		return kindOnline
	case *Batch:
		return kindBatch
	case *Margin:
		return kindMargin
	case *OneVsRest:
		return kindOneVsRest
	}
	return 0
}

// newModel returns a zero model of a kind, nil for a kind that is not a model's.
func newModel(k kind) trainable {
	switch k {
	case kindOnline:
		return new(Online)
	case kindBatch:
		return new(Batch)
	case kindMargin:
		return new(Margin)
	case kindOneVsRest:
		return new(OneVsRest)
	}
	return nil
}

// ruleNames are a file's names of the rules.
var ruleNames = []string{"OnMistake", "WithinGamma", "WithinTheta", "WithinR", "OnGradient"}

// The types below are what both encodings hold of a trainer, in this order and
// under these names. θ is not among them: it follows from the rest.

// A state is a trainer's. Its settings are those that training began with, but
// for Rate, which is that of the last call.
type state struct {
	Rate          float64
	Space         Space
	Start         Hyperplane // from which a class that comes late begins
	Order         Order
	Keep          Keep
	Rule          rule
	Bound         float64 // γ′ or θ, where the rule has one
	Width         int
	Passes        int
	GeneratorHigh uint64 // the two halves of PCG's state
	GeneratorLow  uint64
	Classes       []int // −1 and +1 of a binary model; one for each hyperplane of OneVsRest
	Hyperplanes   []learnerState
}

// A learnerState begins with what predicts.
type learnerState struct {
	Weights []float64
	Bias    float64
	R2      float64
	Iterate *Hyperplane // nil if it is what predicts: Keep is Last
	Average *averageState
	Pocket  *pocketState
}

type averageState struct {
	Sum, Low     Hyperplane
	Count, Since float64
}

type pocketState struct {
	Length int64
	Right  int
	Run    int64
	Tried  bool
}

// plane returns the vector (w, b) as a Hyperplane, in the same memory.
func plane(w []float64) Hyperplane {
	d := len(w) - 1
	return Hyperplane{Weights: w[:d:d], Bias: w[d]}
}

// state returns what is to be saved of t, in t's memory.
func (t *trainer) state() *state {
	if t == nil {
		return nil
	}
	s := &state{
		Rate: t.rate, Space: t.space, Start: t.start, Order: t.order, Keep: t.keep, Rule: t.rule, Bound: t.bound,
		Width: t.width, Passes: t.passes, Classes: []int{-1, +1},
	}
	const prefix = len("pcg:") // of PCG's own encoding, which no error can befall
	gen, _ := t.gen.MarshalBinary()
	s.GeneratorHigh = binary.BigEndian.Uint64(gen[prefix:])
	s.GeneratorLow = binary.BigEndian.Uint64(gen[prefix+8:])
	if t.multiclass {
		s.Classes = t.classes()
	}
	for _, l := range t.learners {
		s.Hyperplanes = append(s.Hyperplanes, l.state(&t.settings))
	}
	return s
}

func (l *learner) state(s *settings) learnerState {
	predicts := plane(l.predictor(s))
	r := learnerState{Weights: predicts.Weights, Bias: predicts.Bias, R2: l.r2}
	if s.keep != Last {
		iterate := plane(l.w)
		r.Iterate = &iterate
	}
	switch s.keep {
	case Average:
		a := &l.average
		r.Average = &averageState{plane(a.sum), plane(a.low), a.count, a.since}
	case Pocket:
		p := &l.pocket
		r.Pocket = &pocketState{int64(p.length), p.right, int64(p.run), p.tried}
	}
	return r
}

// A flaw says what is wrong in an encoding, and in which field.
type flaw struct {
	field string
	what  string
}

func (f *flaw) Error() string {
	if f.field == "" {
		return fmt.Sprintf("%v: %s", ErrFormat, f.what)
	}
	return fmt.Sprintf("%v: %s: %s", ErrFormat, f.field, f.what)
}

func (f *flaw) Unwrap() error { return ErrFormat }

// flawed returns a flaw of a field.
func flawed(field, format string, args ...any) error {
	return &flaw{field, fmt.Sprintf(format, args...)}
}

// within says that err, if it is a flaw, is of a part of the field.
func within(field string, err error) error {
	f, ok := err.(*flaw)
	switch {
	case !ok || field == "":
		return err
	case f.field != "" && f.field[0] != '[':
		field += "."
	}
	return &flaw{field + f.field, f.what}
}

// trainer returns the trainer that s is of, if one of a model of kind k could
// have come to it.
func (s *state) trainer(k kind) (*trainer, error) {
	if err := s.check(k); err != nil {
		return nil, err
	}
	t := newTrainer(settings{
		rate: s.Rate, space: s.Space, start: s.Start, order: s.Order, keep: s.Keep,
		rule: s.Rule, bound: s.Bound, multiclass: k == kindOneVsRest,
	})
	t.width, t.passes = s.Width, s.Passes
	t.gen = *rand.NewPCG(s.GeneratorHigh, s.GeneratorLow)
	for i := range s.Hyperplanes {
		class := 0
		if t.multiclass {
			class = s.Classes[i]
		}
		l, err := s.Hyperplanes[i].learner(&t.settings, t.width, class)
		if err != nil {
			return nil, within(fmt.Sprintf("hyperplanes[%d]", i), err)
		}
		t.learners = append(t.learners, l)
	}
	return t, nil
}

// check finds what is wrong with s, its hyperplanes aside.
func (s *state) check(k kind) error {
	begun := settings{rate: s.Rate, space: s.Space, start: s.Start}
	if err := begun.startable(); err != nil {
		return flawed("start", "%s", reason(err))
	}
	d := len(s.Start.Weights)
	switch {
	case !(s.Rate > 0):
		return flawed("rate", "%v, want more than 0", s.Rate)
	case !s.ruled(k):
		return flawed("rule", "%v with the bound %v, Order %v and Keep %v is none that %v has", s.Rule, s.Bound, s.Order, s.Keep, k)
	case s.Width < 0:
		return flawed("width", "%d, want at least 0", s.Width)
	case s.Width != 0 && d != 0 && d != s.Width:
		return flawed("start", "width %d, want %d", d, s.Width)
	case s.Passes < 0:
		return flawed("passes", "%d, want at least 0", s.Passes)
	}
	return s.checkClasses(k)
}

// ruled tells whether a model of kind k can have been trained by the rule.
func (s *state) ruled(k kind) bool {
	bounded := s.Rule == withinGamma || s.Rule == withinTheta
	if bounded != (s.Bound > 0) || !bounded && s.Bound != 0 {
		return false
	}
	if s.Rule == onGradient && (s.Order != Cyclic || s.Keep != Last) {
		return false
	}
	switch k {
	case kindOnline:
		return s.Rule == onMistake
	case kindBatch:
		return s.Rule == onGradient
	case kindMargin:
		return s.Rule == withinR || bounded
	}
	return true
}

// checkClasses checks that there are as many hyperplanes as the classes take.
func (s *state) checkClasses(k kind) error {
	want := 0
	switch {
	case k != kindOneVsRest && !slices.Equal(s.Classes, []int{-1, +1}):
		return flawed("classes", "%d of them, want -1 and 1", len(s.Classes))
	case k != kindOneVsRest && s.Width > 0:
		want = 1
	case k == kindOneVsRest:
		want = len(s.Classes)
	}
	for i := 1; i < want; i++ {
		if s.Classes[i-1] >= s.Classes[i] {
			return flawed(fmt.Sprintf("classes[%d]", i), "%d after %d, want them ascending", s.Classes[i], s.Classes[i-1])
		}
	}
	switch {
	case len(s.Hyperplanes) != want:
		return flawed("hyperplanes", "%d of them, want %d", len(s.Hyperplanes), want)
	case (want == 0) != (s.Width == 0):
		return flawed("width", "%d with %d hyperplanes", s.Width, want)
	}
	return nil
}

// learner returns the learner that r is of. It takes no memory for a width that is
// not there.
func (r *learnerState) learner(s *settings, d, class int) (*learner, error) {
	if len(r.Weights) != d {
		return nil, flawed("weights", "%d of them, want %d", len(r.Weights), d)
	}
	l := newLearner(s, d, class)
	return l, r.restore(l, s)
}

// restore sets l, which is new, to what r holds.
func (r *learnerState) restore(l *learner, s *settings) error {
	iterate := r.Iterate
	switch {
	case (iterate != nil) != (s.keep != Last):
		return flawed("iterate", "it does not go with Keep %v", s.keep)
	case (r.Average != nil) != (s.keep == Average):
		return flawed("average", "it does not go with Keep %v", s.keep)
	case (r.Pocket != nil) != (s.keep == Pocket):
		return flawed("pocket", "it does not go with Keep %v", s.keep)
	case !(r.R2 >= 0) || r.R2 > 0 && s.rule != withinR:
		return flawed("r2", "%v does not go with the rule %v", r.R2, s.rule)
	case iterate == nil:
		iterate = &Hyperplane{r.Weights, r.Bias}
	}
	if err := fill(l.predictor(s), s, "", r.Weights, r.Bias); err != nil {
		return err
	}
	if err := fill(l.w, s, "iterate", iterate.Weights, iterate.Bias); err != nil {
		return err
	}
	l.r2 = r.R2
	if l.theta = s.threshold(l.w, l.r2); !isFinite(l.theta) {
		return flawed("weights", "they overflow θ")
	}
	switch s.keep {
	case Average:
		return within("average", r.Average.restore(&l.average, s))
	case Pocket:
		return within("pocket", r.Pocket.restore(&l.pocket))
	}
	return nil
}

// fill sets the vector w, over (w, b), to what the field holds.
func fill(w []float64, s *settings, field string, weights []float64, bias float64) error {
	d := len(w) - 1
	switch {
	case len(weights) != d:
		return within(field, flawed("weights", "%d of them, want %d", len(weights), d))
	case s.space == Linear && bias != 0:
		return within(field, flawed("bias", "%v in Linear space, want 0", bias))
	}
	copy(w, weights)
	w[d] = bias
	return nil
}

// countable is the largest count: beyond it float64 does not count by ones.
const countable = 1 << 53

func (r *averageState) restore(a *average, s *settings) error {
	if err := fill(a.sum, s, "sum", r.Sum.Weights, r.Sum.Bias); err != nil {
		return err
	}
	if err := fill(a.low, s, "low", r.Low.Weights, r.Low.Bias); err != nil {
		return err
	}
	switch {
	case !(r.Count >= 0 && r.Count <= countable):
		return flawed("count", "%v, want 0 to 2⁵³", r.Count)
	case !(r.Since >= 0 && r.Since <= countable) || r.Since != float64(int64(r.Since)):
		return flawed("since", "%v, want an integer from 0 to 2⁵³", r.Since)
	}
	a.count, a.since = r.Count, r.Since
	return nil
}

func (r *pocketState) restore(p *pocket) error {
	switch {
	case r.Length < 0 || r.Length > countable:
		return flawed("length", "%d, want 0 to 2⁵³", r.Length)
	case r.Right < 0:
		return flawed("right", "%d, want at least 0", r.Right)
	case r.Run < 0 || r.Run > countable:
		return flawed("run", "%d, want 0 to 2⁵³", r.Run)
	}
	p.length, p.right, p.run, p.tried = uint64(r.Length), r.Right, uint64(r.Run), r.Tried
	return nil
}
