package train

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/weights"
)

// Restore rejects every state with which a later call could panic or break its documentation. It does
// not reject every state that training cannot reach. docs/format.md lists the checks.

// A State is the saved form of a state, without the model's fields. It leaves out θ, which follows
// from the rest. It also leaves out the cycle detectors, which belong to one run.
type State struct {
	Width         int         `json:"width"`
	Passes        int         `json:"passes"`
	Seen          int64       `json:"seen"`          // the examples seen
	GeneratorHigh saved.Word  `json:"generatorHigh"` // the two halves of PCG's state
	GeneratorLow  saved.Word  `json:"generatorLow"`
	Hyperplanes   []savedUnit `json:"hyperplanes"`
}

// A savedUnit is the saved form of one plane and of its unit: see [weights.Form].
//
// In Multiclass, where the unit has several planes, R2 and the counts are equal in all savedUnits.
type savedUnit struct {
	Class   int                `json:"class"` // 0 in a binary model
	Weights saved.Vector       `json:"weights"`
	Bias    float64            `json:"bias"`
	R2      float64            `json:"r2"`
	Average *weights.SavedMean `json:"average,omitempty"`
	Pocket  *savedPocket       `json:"pocket,omitempty"`
}

// A savedPocket is the saved form of a pocket's counts and the iterate in training. The iterate in
// the pocket is in Weights and Bias, because it predicts.
type savedPocket struct {
	Iterate saved.Vector `json:"iterate"` // ends with the bias
	Beat    int64        `json:"beat"`
	Streak  int64        `json:"run"`
}

// form returns the vectors of h. They share the memory of h.
func (h *savedUnit) form() weights.Form {
	f := weights.Form{Weights: h.Weights, Bias: h.Bias, Average: h.Average}
	if h.Pocket != nil {
		f.Iterate = &h.Pocket.Iterate
	}
	return f
}

// Exchange passes each vector to f, and replaces it by the result: see [saved.Form]. The weights are
// passed with the bias, which is the last element of their result.
func (s *State) Exchange(f func(v saved.Vector, last ...float64) saved.Vector) {
	for i := range s.Hyperplanes {
		h := &s.Hyperplanes[i]
		h.Weights, h.Bias = f(h.Weights, h.Bias).Cut()
		form := h.form()
		for _, v := range form.Vectors()[1:] {
			*v = f(*v)
		}
	}
}

// State returns the fields of the last training call, Start when training began, and the saved form
// of the state, or nil if there is none. The form shares memory with the model. Any number of
// goroutines may call State at once.
func (m *Engine) State() (Config, Hyperplane, *State) {
	t := m.now
	if t == nil {
		return Config{}, Hyperplane{}, nil
	}
	// MarshalBinary returns "pcg:" and the two words of PCG's state, and no error. The JSON has the
	// words in decimal, so that other programs can read them.
	const prefix = len("pcg:")
	gen, _ := t.gen.MarshalBinary()
	s := &State{
		Width: t.planes.Width(), Passes: t.passes, Seen: t.seen, Hyperplanes: []savedUnit{},
		GeneratorHigh: saved.Word(binary.BigEndian.Uint64(gen[prefix:])),
		GeneratorLow:  saved.Word(binary.BigEndian.Uint64(gen[prefix+8:])),
	}
	for i, f := range t.planes.Save() {
		s.Hyperplanes = append(s.Hyperplanes, t.savePlane(i, f))
	}
	return t.Config, t.start, s
}

// savePlane returns the saved form of the i-th plane, whose vectors are f, and of its unit.
func (t *state) savePlane(i int, f weights.Form) savedUnit {
	u := t.units[min(i, len(t.units)-1)] // in Multiclass, the only one
	s := savedUnit{Class: t.classes[i], Weights: f.Weights, Bias: f.Bias, R2: u.r2, Average: f.Average}
	if !t.Many() {
		s.Class = 0
	}
	if f.Iterate != nil {
		s.Pocket = &savedPocket{*f.Iterate, int64(u.pocket.beat), int64(u.pocket.streak)}
	}
	return s
}

// Restore makes s the state of m. c has the fields of the last training call, and start is Start when
// training began. Restore returns an error if s is not valid with these fields. The state may share
// memory with s.
//
// Restore leaves m.owner nil, so a copy of the Engine may be trained too: encoding/json copies models
// when it reads a slice of them and the slice grows.
func (m *Engine) Restore(c Config, start *Hyperplane, s *State) error {
	t := newState(&c, start)
	if err := s.validate(t); err != nil {
		return err
	}
	t.passes, t.seen = s.Passes, s.Seen
	t.gen = *rand.NewPCG(uint64(s.GeneratorHigh), uint64(s.GeneratorLow))
	form := func(i int) weights.Form { return s.Hyperplanes[i].form() }
	if err := t.planes.BeginLoad(s.Width, len(s.Hyperplanes), form); err != nil {
		return err
	}
	for i := range s.Hyperplanes {
		h, f := &s.Hyperplanes[i], form(i)
		err := h.check(t)
		if err == nil {
			err = cmp.Or(t.planes.Load(&f), h.Pocket.check(t))
		}
		if err != nil {
			return saved.At(fmt.Sprintf(".hyperplanes[%d]", i), err)
		}
		t.classes = append(t.classes, t.classOf(h.Class))
	}
	s.restoreUnits(t)
	m.now = t
	return nil
}

// restoreUnits adds the units to t, which already has the planes. θ may overflow with the saved rate.
// Then the next training call returns an error, as it would have done before saving.
func (s *State) restoreUnits(t *state) {
	for i, h := range s.Hyperplanes {
		k := 1
		if t.Rival != nil {
			k = len(t.classes)
		}
		u := newUnit(&t.core, i, t.classes[i], k)
		u.r2 = h.R2
		if p := h.Pocket; p != nil {
			u.pocket = pocket{beat: uint64(p.Beat), streak: uint64(p.Streak)}
		}
		u.normalise(&t.core)
		t.units = append(t.units, u)
		if t.Rival != nil {
			return
		}
	}
}

// validate validates s, except for what restore checks of each hyperplane. t has the model's fields
// and Start. A model that has seen only empty streams has no hyperplane. Classes must ascend for
// binary search.
func (s *State) validate(t *state) error {
	d, n := len(t.start.Weights), len(s.Hyperplanes)
	ascend := true
	for i := 1; i < n; i++ {
		ascend = ascend && s.Hyperplanes[i-1].Class < s.Hyperplanes[i].Class
	}
	return cmp.Or(
		saved.Expect(s.Width >= 0 && uint64(s.Width) < 1<<32, "width", "%d, want 0 to 2³² − 1", s.Width),
		saved.Expect(s.Width == 0 || d == 0 || d == s.Width, "start", "width %d, want %d", d, s.Width),
		saved.Expect(s.Passes >= 0, "passes", "%d, want at least 0", s.Passes),
		saved.Expect(s.Seen >= 0 && s.Seen <= weights.Countable, "seen", "%d, want 0 to 2⁵³", s.Seen),
		saved.Expect(t.Many() || n <= 1, "hyperplanes", "%d hyperplanes in a binary model", n),
		saved.Expect(ascend, "hyperplanes", "want classes that ascend"),
		saved.Expect((n == 0) == (s.Width == 0), "width", "%d with %s", s.Width, saved.Count(n, "hyperplane", "hyperplanes")),
		saved.Expect(t.Rival == nil || s.agree(), "hyperplanes", "want one r2, one pocket and one count of examples for all"),
	)
}

// agree reports whether all hyperplanes have the same R², pocket counts and count of examples. These
// belong to the unit, and each of its hyperplanes has a copy in the saved form.
func (s *State) agree() bool {
	return !slices.ContainsFunc(s.Hyperplanes, func(h savedUnit) bool {
		first := s.Hyperplanes[0]
		p, q, a, b := h.Pocket, first.Pocket, h.Average, first.Average
		return h.R2 != first.R2 || p != nil && q != nil && (p.Beat != q.Beat || p.Streak != q.Streak) || a != nil && b != nil && a.Count != b.Count
	})
}

// check validates h, except for its vectors.
func (h *savedUnit) check(t *state) error {
	return cmp.Or(
		saved.Expect(t.Many() || h.Class == 0, "class", "%d, want 0 in a binary model", h.Class),
		saved.Expect(h.Weights.N == t.planes.Width(), "weights", "%s, want %d", saved.Count(h.Weights.N, "weight", "weights"), t.planes.Width()),
		saved.Expect((h.Average != nil) == (t.Keep == Average), "average", "does not fit Keep %s", KeepNames[t.Keep]),
		saved.Expect((h.Pocket != nil) == (t.Keep == Pocket), "pocket", "does not fit Keep %s", KeepNames[t.Keep]),
		saved.Expect(h.R2 >= 0, "r2", "%v, want at least 0", h.R2),
		saved.Expect(t.Rule.R2 || h.R2 == 0, "r2", "%v, want 0: only Margin's default rule needs R", h.R2),
		saved.Expect(t.Space == Linear || h.R2 == 0 || h.R2 >= 1, "r2", "%v in Affine space, want 0 or at least 1", h.R2),
	)
}

// check validates the counts. Beat is at least Streak: the iterate in training has the examples of its
// streak right, so it would have replaced an iterate with fewer rows right. Under Sampled, Streak may
// exceed Beat, because an epoch may draw a row several times.
func (s *savedPocket) check(t *state) error {
	if s == nil {
		return nil
	}
	return saved.At(".pocket", cmp.Or(
		saved.Expect(s.Beat >= 0 && s.Beat <= weights.Countable, "beat", "%d, want 0 to 2⁵³", s.Beat),
		saved.Expect(s.Streak >= 0 && s.Streak <= weights.Countable, "run", "%d, want 0 to 2⁵³", s.Streak),
		saved.Expect(s.Streak <= s.Beat || t.Order == Sampled, "run", "%d, want at most beat, %d", s.Streak, s.Beat),
	))
}
