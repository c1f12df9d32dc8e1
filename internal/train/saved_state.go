package train

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/weights"
)

// Restore rejects every state with which a later call could panic or break its documentation. It does
// not reject every state that training cannot reach. docs/format.md lists the checks.

// A State is the saved form of a state, without the model's fields. It leaves out θ, which follows
// from the rest. It also leaves out the cycle detectors, which belong to one run.
//
// R2, Count, Beat and Run have one number for each unit: one for each class, or in Multiclass one in all.
type State struct {
	Width         int        `json:"width"`
	Passes        int        `json:"passes"`
	Seen          int64      `json:"seen"`          // the examples seen
	GeneratorHigh saved.Word `json:"generatorHigh"` // the two halves of PCG's state
	GeneratorLow  saved.Word `json:"generatorLow"`
	Classes       []int      `json:"classes"` // [1] in a binary model
	R2            []float64  `json:"r2"`
	Tally         []Tally    `json:"tally,omitempty"` // under Share
	Count         []float64  `json:"count,omitempty"` // under Average: the examples in the mean
	Beat          []int64    `json:"beat,omitempty"`  // under Pocket: see pocket
	Run           []int64    `json:"run,omitempty"`

	Vectors [][]float64 `json:"vectors,omitempty"` // of all planes: see [weights.Planes.Save]
}

// State returns the fields of the last training call, Start when training began, and the saved form
// of the state, or nil if there is none. The form shares memory with the model. Any number of
// goroutines may call State at once.
func (m *Engine) State() (Config, []float64, *State) {
	t := m.now
	if t == nil {
		return Config{}, nil, nil
	}
	// MarshalBinary returns "pcg:" and the two words of PCG's state, and no error. The JSON has the
	// words in decimal, so that other programs can read them.
	const prefix = len("pcg:")
	gen, _ := t.gen.MarshalBinary()
	s := &State{
		Width: t.planes.Width(), Passes: t.passes, Seen: t.seen,
		GeneratorHigh: saved.Word(binary.BigEndian.Uint64(gen[prefix:])),
		GeneratorLow:  saved.Word(binary.BigEndian.Uint64(gen[prefix+8:])),
		Classes:       append([]int{}, t.classes...), R2: []float64{}, // JSON has no null
		Vectors: t.planes.Save(),
	}
	for _, u := range t.units {
		if s.R2 = append(s.R2, u.r2); t.fields.Rule.Tally {
			s.Tally = append(s.Tally, u.tally)
		}
		switch t.fields.Keep {
		case Average:
			s.Count = append(s.Count, t.planes.Counted(u.first))
		case Pocket:
			s.Beat, s.Run = append(s.Beat, int64(u.pocket.beat)), append(s.Run, int64(u.pocket.streak))
		}
	}
	return t.fields, t.start, s
}

// Restore makes s the state of m. c has the fields of the last training call, and start is Start when
// training began. Restore returns an error if s is not valid with these fields. The state may share
// memory with s.
//
// Restore leaves m.owner nil, so a copy of the Engine may be trained too: encoding/json copies models
// when it reads a slice of them and the slice grows.
func (m *Engine) Restore(c Config, start []float64, s *State) error {
	t := newState(&c, start)
	if err := cmp.Or(s.checkShape(t), s.checkNumbers(t)); err != nil {
		return err
	}
	t.passes, t.seen = s.Passes, s.Seen
	t.gen = *rand.NewPCG(uint64(s.GeneratorHigh), uint64(s.GeneratorLow))
	count := s.Count
	if t.fields.Rival != nil && len(count) > 0 {
		count = slices.Repeat(count, len(s.Classes))
	}
	if err := t.planes.Load(s.Width, count, s.Vectors); err != nil {
		return err
	}
	t.classes = s.Classes
	s.restoreUnits(t)
	m.now = t
	return nil
}

// restoreUnits adds the units to t, which already has the planes. θ may overflow with the saved rate.
// Then the next training call returns an error, as it would have done before saving.
func (s *State) restoreUnits(t *state) {
	for i, r2 := range s.R2 {
		u := newUnit(&t.core, i, t.classes[i], len(s.Classes)/len(s.R2))
		if u.r2 = r2; t.fields.Keep == Pocket {
			u.pocket = pocket{beat: uint64(s.Beat[i]), streak: uint64(s.Run[i])}
		}
		if t.fields.Rule.Tally {
			u.tally = s.Tally[i]
		}
		u.normalise(&t.core)
		t.units = append(t.units, u)
	}
}

// checkShape validates the numbers of classes, units and vectors. A model that has seen only empty streams has
// none. Classes must ascend for binary search.
func (s *State) checkShape(t *state) error {
	d, n := len(t.start)-1, len(s.Classes)
	units, counts, pockets, tallies := n, 0, 0, 0
	if t.fields.Rival != nil {
		units = min(n, 1)
	}
	if t.fields.Rule.Tally {
		tallies = units
	}
	switch t.fields.Keep {
	case Average:
		counts = units
	case Pocket:
		pockets = units
	}
	ascend := slices.IsSorted(s.Classes) && len(slices.Compact(slices.Clone(s.Classes))) == n
	const want = "%d numbers, want %d"
	return cmp.Or(
		saved.Expect(s.Width >= 0 && uint64(s.Width) < 1<<32, "width", "%d, want 0 to 2³² − 1", s.Width),
		saved.Expect(s.Width == 0 || d == 0 || d == s.Width, "start", "width %d, want %d", d, s.Width),
		saved.Expect(t.fields.Many() || n == 0 || n == 1 && s.Classes[0] == 1, "classes", "%v, want [1] in a binary model", s.Classes[:min(n, 3)]),
		saved.Expect(ascend, "classes", "want classes that ascend"),
		saved.Expect((n == 0) == (s.Width == 0), "width", "%d with %s", s.Width, saved.Count(n, "class", "classes")),
		saved.Expect(len(s.R2) == units, "r2", want, len(s.R2), units),
		saved.Expect(len(s.Tally) == tallies, "tally", want, len(s.Tally), tallies),
		saved.Expect(len(s.Count) == counts, "count", want, len(s.Count), counts),
		saved.Expect(len(s.Beat) == pockets, "beat", want, len(s.Beat), pockets),
		saved.Expect(len(s.Run) == pockets, "run", want, len(s.Run), pockets),
		t.planes.CheckSaved(n, len(s.Vectors)),
	)
}

// checkNumbers validates the numbers of s, whose shape is valid. After Mix, Count may be a fraction, and by
// rounding a little below 1.
func (s *State) checkNumbers(t *state) error {
	err := cmp.Or(
		saved.Expect(s.Passes >= 0, "passes", "%d, want at least 0", s.Passes),
		saved.Expect(s.Seen >= 0 && s.Seen <= weights.Countable, "seen", "%d, want 0 to 2⁵³", s.Seen),
	)
	for i, r2 := range s.R2 {
		err = cmp.Or(err, saved.Index(".r2", i, cmp.Or(
			saved.Expect(r2 >= 0, "", "%v, want at least 0", r2),
			saved.Expect(t.fields.Rule.R2 || r2 == 0, "", "%v, want 0: only Margin's default rule needs R", r2),
		)))
	}
	for i, n := range s.Count {
		err = cmp.Or(err, saved.Index(".count", i, saved.Expect(n > 0.5 && n <= weights.Countable, "", "%v, want 1 to 2⁵³", n)))
	}
	for _, n := range slices.Concat(s.Beat, s.Run) {
		err = cmp.Or(err, saved.Expect(n >= 0 && n <= weights.Countable, "beat", "found %d in beat or run, want 0 to 2⁵³", n))
	}
	for i, t := range s.Tally {
		err = cmp.Or(err, saved.Index(".tally", i, saved.Expect(min(float64(t.Updates), t.Norm2) >= 0 && t.Updates <= weights.Countable, "", "%v, want counts of 0 to 2⁵³ and squares of at least 0", t)))
	}
	return err
}
