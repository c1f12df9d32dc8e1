package train

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
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

// A savedUnit is the saved form of one plane and of its unit. Weights and Bias predict, under every
// Keep, so that another program needs nothing else to predict. Under Average they are the mean.
// Loading does not compute the mean again. So predictions keep their bits even if a later version
// rounds the mean in another way.
//
// In Multiclass, where the unit has several planes, R2 and the counts are equal in all savedUnits.
type savedUnit struct {
	Class   int           `json:"class"` // 0 in a binary model
	Weights saved.Vector  `json:"weights"`
	Bias    float64       `json:"bias"`
	R2      float64       `json:"r2"`
	Average *savedAverage `json:"average,omitempty"`
	Pocket  *savedPocket  `json:"pocket,omitempty"`
}

// A savedAverage is the saved form of an average and the iterate in training. The last element of
// each vector belongs to the bias.
type savedAverage struct {
	Iterate saved.Vector `json:"iterate"`
	Sum     saved.Vector `json:"sum"`
	Low     saved.Vector `json:"low"`
	Count   float64      `json:"count"` // the examples seen
}

// A savedPocket is the saved form of a pocket's counts and the iterate in training. The iterate in
// the pocket is in Weights and Bias, because it predicts.
type savedPocket struct {
	Iterate saved.Vector `json:"iterate"` // ends with the bias
	Beat    int64        `json:"beat"`
	Streak  int64        `json:"run"`
}

// Exchange passes each vector to f, and replaces it by the result: see [saved.Form]. The weights are
// passed with the bias, which is the last element of their result.
func (s *State) Exchange(f func(v saved.Vector, last ...float64) saved.Vector) {
	for i := range s.Hyperplanes {
		h := &s.Hyperplanes[i]
		h.Weights, h.Bias = f(h.Weights, h.Bias).Cut()
		for _, v := range h.vectors()[1:] {
			*v = f(*v)
		}
	}
}

// vectors returns the vectors of h: the weights first, and then those that end with the bias.
func (h *savedUnit) vectors() []*saved.Vector {
	all := []*saved.Vector{&h.Weights}
	if a := h.Average; a != nil {
		all = append(all, &a.Iterate, &a.Sum, &a.Low)
	}
	if p := h.Pocket; p != nil {
		all = append(all, &p.Iterate)
	}
	return all
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
		Width: t.width, Passes: t.passes, Seen: t.seen, Hyperplanes: []savedUnit{},
		GeneratorHigh: saved.Word(binary.BigEndian.Uint64(gen[prefix:])),
		GeneratorLow:  saved.Word(binary.BigEndian.Uint64(gen[prefix+8:])),
	}
	vectors := [...]int{Last: 1, Average: 4, Pocket: 2}[t.Keep]
	large := uint64(len(t.planes)*vectors) > saved.MostZeros/uint64(t.length())
	if large {
		t = t.flat()
	}
	order := t.slots.ordered()
	for i := range t.planes {
		s.Hyperplanes = append(s.Hyperplanes, t.savePlane(i, order, large))
	}
	return t.Config, t.start, s
}

// savePlane returns the saved form of the i-th plane. The vectors may share memory with the plane.
// order is the result of t.slots.ordered. If large is true, no zeros are left out.
func (t *state) savePlane(i int, order []uint64, large bool) savedUnit {
	q, u, w, d := t.planes[i], t.unitOf(i), t.Vector(i), t.width
	first := func(n int, v []float64) saved.Vector {
		switch {
		case t.slots != nil:
			return few(v, order, n).Packed()
		case large:
			return saved.Whole(v[:n:n])
		}
		return saved.Pack(v[:n:n])
	}
	pack := func(v []float64) saved.Vector { return first(d+1, v) }
	s := savedUnit{Class: q.class, Weights: first(d, w), Bias: w[len(w)-1], R2: u.r2}
	if !t.Many() {
		s.Class = 0
	}
	switch t.Keep {
	case Average:
		a := &q.average
		s.Average = &savedAverage{pack(q.w), pack(a.sum), pack(a.low), u.seen}
	case Pocket:
		s.Pocket = &savedPocket{pack(q.w), int64(u.pocket.beat), int64(u.pocket.streak)}
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
	t.width, t.passes, t.seen = s.Width, s.Passes, s.Seen
	t.gen = *rand.NewPCG(uint64(s.GeneratorHigh), uint64(s.GeneratorLow))
	if err := s.restoreSlots(t); err != nil {
		return err
	}
	for i := range s.Hyperplanes {
		q, err := s.Hyperplanes[i].restore(t)
		if err != nil {
			return saved.At(fmt.Sprintf(".hyperplanes[%d]", i), err)
		}
		t.classes, t.planes = append(t.classes, q.class), append(t.planes, q)
	}
	s.restoreUnits(t)
	m.now = t
	return nil
}

// restoreUnits adds the units to t, which already has the planes. θ may overflow with the saved rate.
// Then the next training call returns an error, as it would have done before saving.
func (s *State) restoreUnits(t *state) {
	for i, h := range s.Hyperplanes {
		u := newUnit(&t.Config, t.planesOf(i))
		u.r2 = h.R2
		if a := h.Average; a != nil {
			u.seen = a.Count
		}
		if p := h.Pocket; p != nil {
			u.pocket = pocket{beat: uint64(p.Beat), streak: uint64(p.Streak)}
		}
		u.normalise(&t.Config)
		t.units = append(t.units, u)
		if t.Rival != nil {
			return
		}
	}
}

// restoreSlots gives t slots if each vector of s has an Index, and if the slots save memory. It
// returns an error if the vectors with an Index would take too much memory in t.
func (s *State) restoreSlots(t *state) error {
	var all, short []*saved.Vector
	for i := range s.Hyperplanes {
		all = append(all, s.Hyperplanes[i].vectors()...)
	}
	short = slices.DeleteFunc(slices.Clone(all), func(v *saved.Vector) bool { return v.Index == nil })
	t.setWidth(s.Width, len(short) == len(all))
	for _, v := range short {
		for k := 0; k < len(v.Index) && t.slots != nil; k++ {
			if t.slots.find(v.Index[k], true); !t.slots.pay() {
				t.slots = nil
			}
		}
	}
	return saved.Expect(uint64(len(short)) <= saved.MostZeros/uint64(t.length()), "width",
		"%d, so %d vectors, few of whose elements are not zero, would have %d elements each, want at most %d in all", t.width, len(short), t.length(), saved.MostZeros)
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
		saved.Expect(s.Width >= 0, "width", "%d, want at least 0", s.Width),
		saved.Expect(s.Width == 0 || d == 0 || d == s.Width, "start", "width %d, want %d", d, s.Width),
		saved.Expect(s.Passes >= 0, "passes", "%d, want at least 0", s.Passes),
		saved.Expect(s.Seen >= 0 && s.Seen <= countable, "seen", "%d, want 0 to 2⁵³", s.Seen),
		saved.Expect(t.Many() || n <= 1, "hyperplanes", "%d hyperplanes in a binary model", n),
		saved.Expect(ascend, "hyperplanes", "want classes that ascend"),
		saved.Expect((n == 0) == (s.Width == 0), "width", "%d with %d hyperplanes", s.Width, n),
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

// restore returns the plane whose saved form is s. The plane's vectors may share memory with s. The
// number of weights is checked before vectors are allocated. So restore allocates no more elements
// than the file has numbers, or than saved.MostZeros allows.
func (s *savedUnit) restore(t *state) (q *plane, err error) {
	if err = cmp.Or(
		saved.Expect(t.Many() || s.Class == 0, "class", "%d, want 0 in a binary model", s.Class),
		saved.Expect(s.Weights.N == t.width, "weights", "%d weights, want %d", s.Weights.N, t.width),
		saved.Expect((s.Average != nil) == t.averages(), "average", "does not fit Keep %s", KeepNames[t.Keep]),
		saved.Expect((s.Pocket != nil) == (t.Keep == Pocket), "pocket", "does not fit Keep %s", KeepNames[t.Keep]),
		saved.Expect(s.R2 >= 0, "r2", "%v, want at least 0", s.R2),
		saved.Expect(t.Rule.R2 || s.R2 == 0, "r2", "%v, want 0: only Margin's default rule needs R", s.R2),
		saved.Expect(t.Space == Linear || s.R2 == 0 || s.R2 >= 1, "r2", "%v in Affine space, want 0 or at least 1", s.R2),
	); err != nil {
		return nil, err
	}
	q = &plane{class: t.classOf(s.Class), stride: 1}
	predictor := t.vector(s.Weights, s.Bias)
	err = checkBias(predictor, t)
	switch t.Keep {
	case Last:
		q.w = predictor
	case Average:
		q.kept = predictor
		if err = cmp.Or(err, saved.At(".average", s.Average.restore(q, t))); err == nil {
			err = q.checkMean(s.Average.Count)
		}
	case Pocket:
		q.kept = predictor
		err = cmp.Or(err, saved.At(".pocket", s.Pocket.restore(q, t)))
	}
	if err != nil {
		return nil, err
	}
	for _, v := range q.tabled() {
		for j := range *v {
			(*v)[j] += 0 // no −0, as after training
		}
	}
	return q, nil
}

// vector returns a vector (w, b) of a plane. v has all its elements, or only w if bias is given.
func (t *state) vector(v saved.Vector, bias ...float64) (w []float64) {
	switch {
	case t.slots != nil:
		w = t.slots.vector(v)
		copy(w[len(w)-1:], bias)
	case len(bias) > 0:
		w = v.With(bias[0])
	default:
		w = v.Dense()
	}
	return w
}

// setVector sets *w to a saved vector (w, b) of q. It returns an error if the length or the bias is
// not valid.
func (q *plane) setVector(w *[]float64, from saved.Vector, t *state) error {
	if from.N != t.width+1 {
		return saved.Errorf("%d numbers, want %d", from.N, t.width+1)
	}
	*w = t.vector(from)
	return checkBias(*w, t)
}

// checkBias returns an error if b is not 0 in a vector (w, b) of Linear space.
func checkBias(w []float64, t *state) error {
	b := w[len(w)-1]
	return saved.Expect(t.Space == Affine || b == 0, "bias", "%v in Linear space, want 0", b)
}

// checkMean returns an error unless q's saved mean equals, up to rounding, the mean that the sums
// give after n examples. The plane keeps the saved mean, which another version of the library may
// have rounded in another way.
func (q *plane) checkMean(n float64) error {
	a := q.average
	for i, found := range q.kept {
		want := vec.Mean(q.w[i], a.sum[i], a.low[i], n)
		size := math.Abs(a.sum[i])/n + math.Abs(a.low[i])/n + math.Abs(q.w[i])
		if !(math.Abs(found-want) <= max(0x1p-40*size, 0x1p-1060)) {
			return saved.At(".weights", saved.Errorf("%v, but the sums of the average give %v", found, want))
		}
	}
	return nil
}

// restore sets q's average and iterate, and validates the count. After Mix, Count may be a fraction,
// and by rounding a little below 1.
func (s *savedAverage) restore(q *plane, t *state) error {
	return cmp.Or(
		saved.At(".iterate", q.setVector(&q.w, s.Iterate, t)),
		saved.At(".sum", q.setVector(&q.average.sum, s.Sum, t)),
		saved.At(".low", q.setVector(&q.average.low, s.Low, t)),
		saved.Expect(s.Count > 0.5 && s.Count <= countable, "count", "%v, want 1 to 2⁵³", s.Count),
	)
}

// restore sets q's iterate, and validates the counts. Beat is at least Streak: the iterate in
// training has the examples of its streak right, so it would have replaced an iterate with fewer
// rows right. Under Sampled, Streak may exceed Beat, because an epoch may draw a row several times.
func (s *savedPocket) restore(q *plane, t *state) error {
	return cmp.Or(
		saved.At(".iterate", q.setVector(&q.w, s.Iterate, t)),
		saved.Expect(s.Beat >= 0 && s.Beat <= countable, "beat", "%d, want 0 to 2⁵³", s.Beat),
		saved.Expect(s.Streak >= 0 && s.Streak <= countable, "run", "%d, want 0 to 2⁵³", s.Streak),
		saved.Expect(s.Streak <= s.Beat || t.Order == Sampled, "run", "%d, want at most beat, %d", s.Streak, s.Beat),
	)
}
