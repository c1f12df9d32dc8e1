package perceptron

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// This file says what is saved of a model, and what a saved model may hold. The
// structs here, and the exported fields of the models, are the one description of
// both forms, which encode_binary.go and encode_json.go walk by reflection: a field
// that is added, moved or renamed changes the forms, and wants a new version.
//
// What is read is made a trainer only if one could have come to it by training.
// This is more than what keeps reading from a panic: a model that holds nonsense
// would break the promises of every later call.

// A kind says what an encoding holds. The numbers are those of the binary form.
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
func newModel(k kind) model {
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

// A state is what is saved of a trainer. Its settings are those that training began
// with, but for Rate, which is that of the last call. MaxEpochs and Workers are not
// among them, since every call reads them anew, nor is θ, which follows from the
// rest, nor what only looks for the end of a run.
type savedState struct {
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
	Hyperplanes   []savedUnit
}

// A learnerState is a learner's. It begins with what predicts, so that another
// program finds that in one place under every Keep. A published mean is saved, not
// computed anew, so that predictions are the same bits even if a later version adds
// up in another way.
type savedUnit struct {
	Weights []float64
	Bias    float64
	R2      float64
	Iterate *Hyperplane // nil if it is what predicts: Keep is Last
	Average *averageState
	Pocket  *pocketState
}

// An averageState is an average's, as it was flushed at the last mistake.
type averageState struct {
	Sum, Low     Hyperplane
	Count, Since float64
}

// A pocketState is a pocket's, whose iterate is what predicts. The runs are int64,
// which is a number in JSON: none is long enough to need a word.
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

// state returns what is to be saved of t, nil for none. It shares t's memory, which
// writing only reads: any number of goroutines may write a model at once.
func (t *state) saved() *savedState {
	if t == nil {
		return nil
	}
	s := &savedState{
		Rate: t.rate, Space: t.space, Start: t.start, Order: t.order, Keep: t.keep, Rule: t.rule, Bound: t.bound(),
		Width: t.width, Passes: t.passes, Classes: []int{-1, +1},
	}
	const prefix = len("pcg:") // of PCG's own encoding, which no error can befall
	gen, _ := t.gen.MarshalBinary()
	s.GeneratorHigh = binary.BigEndian.Uint64(gen[prefix:])
	s.GeneratorLow = binary.BigEndian.Uint64(gen[prefix+8:])
	if t.multiclass {
		s.Classes = t.classes()
	}
	for _, u := range t.units {
		s.Hyperplanes = append(s.Hyperplanes, u.saved(&t.config))
	}
	return s
}

// state returns what is to be saved of l, in l's memory.
func (u *unit) saved(c *config) savedUnit {
	predicts := plane(u.predictor(c))
	r := savedUnit{Weights: predicts.Weights, Bias: predicts.Bias, R2: u.r2}
	if c.keep != Last {
		iterate := plane(u.w)
		r.Iterate = &iterate
	}
	switch c.keep {
	case Average:
		a := &u.average
		r.Average = &averageState{plane(a.sum), plane(a.low), a.count, a.since}
	case Pocket:
		p := &u.pocket
		r.Pocket = &pocketState{int64(p.length), p.right, int64(p.run), p.tried}
	}
	return r
}

// A flaw says what is wrong in an encoding, and in which field, by its path in the
// JSON form. It is put together on the way up, so that reading what is sound pays
// nothing for it.
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
func (s *savedState) restore(k kind) (*state, error) {
	if err := s.check(k); err != nil {
		return nil, err
	}
	c := config{rate: s.Rate, space: s.Space, order: s.Order, keep: s.Keep, rule: s.Rule, multiclass: k == kindOneVsRest}
	switch s.Rule {
	case withinGamma:
		c.gamma = s.Bound
	case withinTheta:
		c.threshold = s.Bound
	}
	t, err := newState(&c, &s.Start)
	if err != nil {
		return nil, err
	}
	t.width, t.passes = s.Width, s.Passes
	t.gen = *rand.NewPCG(s.GeneratorHigh, s.GeneratorLow)
	for i := range s.Hyperplanes {
		class := 0
		if t.multiclass {
			class = s.Classes[i]
		}
		l, err := s.Hyperplanes[i].unit(&t.config, t.start, t.width, class)
		if err != nil {
			return nil, within(fmt.Sprintf("hyperplanes[%d]", i), err)
		}
		t.units = append(t.units, l)
	}
	return t, nil
}

// check finds what is wrong with s, its hyperplanes aside.
func (s *savedState) check(k kind) error {
	begun := config{rate: s.Rate, space: s.Space}
	if err := begun.checkStart(&s.Start); err != nil {
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

// ruled tells whether a model of kind k can have been trained by the rule. Not that
// its fields still say so: they may have changed since, which is for the next call
// to refuse.
func (s *savedState) ruled(k kind) bool {
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

// checkClasses checks that there are as many hyperplanes as the classes take. A
// trainer that has seen nothing but empty streams has width 0 and none. Classes must
// ascend, since learners are found by binary search.
func (s *savedState) checkClasses(k kind) error {
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
func (r *savedUnit) unit(s *config, start Hyperplane, d, class int) (*unit, error) {
	if len(r.Weights) != d {
		return nil, flawed("weights", "%d of them, want %d", len(r.Weights), d)
	}
	l := newUnit(s, start, d, class)
	return l, r.restore(l, s)
}

// restore sets l, which is new, to what r holds.
func (r *savedUnit) restore(l *unit, s *config) error {
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
	// Under Last the iterate is the predictor, and is filled twice.
	if err := fill(l.predictor(s), s, "", r.Weights, r.Bias); err != nil {
		return err
	}
	if err := fill(l.w, s, "iterate", iterate.Weights, iterate.Bias); err != nil {
		return err
	}
	// A rate that makes θ overflow makes training, not reading, an error.
	l.r2 = r.R2
	l.theta = s.thetaFor(l.w, l.r2)
	switch s.keep {
	case Average:
		return within("average", r.Average.restore(&l.average, s))
	case Pocket:
		return within("pocket", r.Pocket.restore(&l.pocket))
	}
	return nil
}

// fill sets the vector w, over (w, b), to what the field holds. In Linear space
// nothing ever moves a bias from 0.
func fill(w []float64, s *config, field string, weights []float64, bias float64) error {
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

// restore sets a to what r holds. Mixing may have made count a fraction, but since
// counts examples one by one.
func (r *averageState) restore(a *average, s *config) error {
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

// restore sets p to what r holds; its iterate is there already.
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
