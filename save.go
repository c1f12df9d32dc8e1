package perceptron

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"perceptron/internal/atomicfile"
	"perceptron/internal/saved"
	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// Save writes the model's binary form to the file at path. After a crash of the program or the machine, the
// file holds the whole old model or the whole new one, if the operating system can synchronise a directory.
// Of concurrent Saves to one path, one wins. A new file has permissions 0600; an existing file keeps its own,
// but not its owner. If path is a symbolic link, its target, which must exist, is replaced. On error the file
// is unchanged, unless synchronising the directory failed. A Save removes the files .perceptron-*.tmp that
// crashes left in the directory a day ago.
func Save(path string, m Model) error {
	if !isModel(m) {
		return fmt.Errorf("%w: cannot save a %T, want a non-nil model of this package", ErrConfig, m)
	}
	form, err := formOf(m.(model))
	return save(path, form, err)
}

// save writes the binary form to the file at path. If err is not nil, it only returns err.
func save(path string, form saved.Form, err error) error {
	data, err := saved.Binary(form, cmp.Or(err, checkPath(path)))
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, data, ".perceptron-*.tmp")
	if errors.Is(err, atomicfile.ErrNotRegular) {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return err
}

// checkPath rejects an empty path. The file system's error for it says only that there is no such file.
func checkPath(path string) error {
	return require(path != "", ErrConfig, "the path is empty")
}

// Split returns the saved form of m without its vectors, and copies of the vectors, as docs/format.md
// describes, in O(d) for each hyperplane. Programs can send and mix large models in parts: if [Join] makes a
// model of one range of each vector, [Mix] of such models gives that range of the mean, bit for bit. A range
// ends with the bias, the last element, or with 0.
func Split(m Model) (form []byte, vectors [][]float64, err error) {
	if !isModel(m) {
		return nil, nil, fmt.Errorf("%w: cannot split a %T, want a non-nil model of this package", ErrConfig, m)
	}
	s, err := formOf(m.(model))
	form, all, err := saved.Split(s, err)
	for _, v := range all {
		vectors = append(vectors, slices.Clone(v))
	}
	return form, vectors, err
}

// Join is the inverse of [Split]. The vectors determine the width, which may differ from that in form unless
// Start has weights.
func Join(form []byte, vectors [][]float64) (m Model, err error) {
	s := newForm(nil)
	err = saved.ReadJSON(form, s, func() (err error) {
		var copies [][]float64
		for i, v := range vectors {
			if !vec.Finite(v) {
				return saved.Errorf("vector %d is not finite", i)
			}
			copies = append(copies, slices.Clone(v))
		}
		if err := saved.Join(s, copies); err != nil {
			return err
		}
		if len(vectors) > 0 {
			s.Learned.Width = max(0, len(vectors[0])-1)
		}
		m, err = s.restore()
		return err
	})
	if err == nil && m == nil {
		err = require(false, ErrFormat, "found null, want a model")
	}
	return m, err
}

// isModel reports whether m is a model of this package. A type of another package
// may embed a model, and so implement Model; isModel is false for it.
func isModel(m Model) bool {
	switch m.(type) {
	case *Online, *Margin, *Batch, *OneVsRest, *Multiclass:
		return true
	}
	return false
}

// Load returns the model in a file that Save wrote or that holds the JSON of a model. Its type is that of the
// file: use a type assertion, for example to [Learner]. So are its fields: before you train a model that you
// do not trust, set MaxEpochs. Load reads only the first bytes of files without a model.
func Load(path string) (m Model, err error) {
	form := newForm(nil)
	if err = checkPath(path); err == nil {
		err = saved.Load(path, form, func() (err error) { m, err = form.restore(); return err })
	}
	return m, err
}

// A modelForm is a savedModel that is written by itself, and not in a Classifier.
type modelForm struct {
	Kind saved.Kind `json:"kind"`
	*savedModel
}

// newForm returns the form of s, or of an empty model if s is nil.
func newForm(s *savedModel) *modelForm {
	if s == nil {
		s = new(savedModel)
	}
	return &modelForm{"perceptron.Model/1", s}
}

// savedModel is the saved form of a model. Binary has the fields of a binary model. For a OneVsRest
// or Multiclass, the field with its name is not nil, and Binary has the fields of the model's own
// Binary, or is nil if that is nil. So no savedModel contains another.
type savedModel struct {
	OneVsRest  *savedMany   `json:"oneVsRest,omitempty"`
	Multiclass *struct{}    `json:"multiclass,omitempty"`
	Binary     *savedBinary `json:"binary,omitempty"`
	Learned    *savedState  `json:"learned,omitempty"`
}

// savedMany has the fields of a OneVsRest other than Binary. A Multiclass has no other field.
type savedMany struct {
	Workers int `json:"workers"`
}

// Vectors implements saved.Form.
func (s *savedModel) Vectors() *[][]float64 {
	if s.Learned == nil {
		return nil
	}
	return &s.Learned.Vectors
}

// saveModel returns the saved form of m, which shares m's memory. It returns ErrConfig if m's
// fields make no sense.
func saveModel(m model) (*savedModel, error) {
	if err := checkFields(m); err != nil {
		return nil, err
	}
	s := &savedModel{Learned: saveState(m)}
	switch many := m.(type) {
	case *OneVsRest:
		s.OneVsRest = &savedMany{many.Workers}
		m, _ = many.Binary.(model)
	case *Multiclass:
		s.Multiclass = new(struct{})
		m, _ = many.Binary.(model)
	}
	if m != nil {
		s.Binary = saveBinary(m)
	}
	return s, nil
}

// formOf returns the form of m. The errors are saveModel's.
func formOf(m model) (*modelForm, error) {
	s, err := saveModel(m)
	return newForm(s), err
}

// restore returns the model that s is the saved form of. It validates the fields as
// Fit does, so the model can be trained.
func (s *savedModel) restore() (m model, err error) {
	if s.Binary != nil {
		m, err = s.Binary.restore()
	}
	binary, _ := m.(Binary)
	switch {
	case s.OneVsRest != nil:
		m = &OneVsRest{Binary: binary, Workers: s.OneVsRest.Workers}
	case s.Multiclass != nil:
		m = &Multiclass{Binary: binary}
	}
	if err = cmp.Or(
		saved.At(".binary", err),
		saved.Expect(m != nil, "binary", "want it, oneVsRest or multiclass"),
		saved.Expect(s.OneVsRest == nil || s.Multiclass == nil, "multiclass", "want it or oneVsRest, not both"),
	); err != nil {
		return nil, err
	}
	if err = cmp.Or(saved.At("", checkFields(m)), saved.At(".learned", restoreState(m, s.Learned))); err != nil {
		return nil, err
	}
	return m, nil
}

// readModel replaces m by the model in data, which must have m's type.
func readModel(m model, data []byte, read saved.Reader) error {
	form := newForm(nil)
	return read(data, form, func() error {
		if _, err := m.learned().ReadsStart(true); err != nil {
			return err
		}
		found, err := form.restore()
		if err != nil {
			return err
		}
		if reflect.TypeOf(found) != reflect.TypeOf(m) {
			return saved.Errorf("found a %T, want a %T", found, m)
		}
		reflect.ValueOf(m).Elem().Set(reflect.ValueOf(found).Elem()) // *m = *found
		return nil
	})
}

func (p Online) MarshalBinary() ([]byte, error) { return saved.Binary(formOf(&p)) }

func (p *Online) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

func (p Online) MarshalJSON() ([]byte, error) { return saved.JSON(formOf(&p)) }

func (p *Online) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

func (p Batch) MarshalBinary() ([]byte, error) { return saved.Binary(formOf(&p)) }

func (p *Batch) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

func (p Batch) MarshalJSON() ([]byte, error) { return saved.JSON(formOf(&p)) }

func (p *Batch) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

func (p Margin) MarshalBinary() ([]byte, error) { return saved.Binary(formOf(&p)) }

func (p *Margin) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

func (p Margin) MarshalJSON() ([]byte, error) { return saved.JSON(formOf(&p)) }

func (p *Margin) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

func (m OneVsRest) MarshalBinary() ([]byte, error) { return saved.Binary(formOf(&m)) }

func (m *OneVsRest) UnmarshalBinary(data []byte) error { return readModel(m, data, saved.ReadFrame) }

func (m OneVsRest) MarshalJSON() ([]byte, error) { return saved.JSON(formOf(&m)) }

func (m *OneVsRest) UnmarshalJSON(data []byte) error { return readModel(m, data, saved.ReadJSON) }

func (m Multiclass) MarshalBinary() ([]byte, error) { return saved.Binary(formOf(&m)) }

func (m *Multiclass) UnmarshalBinary(data []byte) error { return readModel(m, data, saved.ReadFrame) }

func (m Multiclass) MarshalJSON() ([]byte, error) { return saved.JSON(formOf(&m)) }

func (m *Multiclass) UnmarshalJSON(data []byte) error { return readModel(m, data, saved.ReadJSON) }

// The structs below name each exported field of the models in the saved form. They list
// the fields by hand rather than by reflection: the format stays as it is when a model
// gets a new field, until the field is added here. A test compares the two lists.
//
// A field that is added later must be a pointer with omitempty, so that files without it
// can still be read.

// savedBinary has the fields of all binary models. The fields that a kind lacks are zero.
type savedBinary struct {
	savedRule
	MaxEpochs int        `json:"maxEpochs"`
	Window    int        `json:"window"`
	Seed      saved.Word `json:"seed"`
	Workers   int        `json:"workers"`
}

// savedRule has those fields of a binary model that training remembers.
type savedRule struct {
	Kind      string     `json:"kind"`
	Rate      float64    `json:"rate"`
	Space     Space      `json:"space"`
	Start     Hyperplane `json:"start"`
	Order     Order      `json:"order"`
	Keep      Keep       `json:"keep"`
	Gamma     float64    `json:"gamma"`
	Threshold float64    `json:"threshold"`
	Share     float64    `json:"share"`
}

// listed returns a copy of s that is not nil: encoding/json writes nil as null.
func listed[E any](s []E) []E { return append([]E{}, s...) }

func saveBinary(m model) *savedBinary {
	c, start, _ := m.config() // it returns no error for a binary model
	return &savedBinary{saveRule(&c, *start), c.MaxEpochs, c.Window, saved.Word(c.Seed), c.Workers}
}

func saveRule(c *train.Config, start Hyperplane) savedRule {
	return savedRule{c.Rule.Name, c.Rate, Space(c.Space), Hyperplane{listed(start.Weights), start.Bias}, Order(c.Order), Keep(c.Keep), c.Gamma, c.Threshold, c.Share}
}

// savedState is the saved form of what a model has learned. Its rule is the one with which training
// began, except that Rate is that of the last call. It has no MaxEpochs, Window and Workers, because
// each call reads them again.
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
	return &savedState{saveRule(&c, planeOf(start, len(start)-1)), *s}
}

// restoreState makes m a model that has learned s. It returns an error if s fails the checks that
// docs/format.md lists. A nil s means that m is untrained.
func restoreState(m model, s *savedState) error {
	if s == nil {
		return nil
	}
	began, err := (&savedBinary{savedRule: s.savedRule}).restore()
	if err != nil {
		return err
	}
	now, _, _ := m.config() // checkFields has found no error
	c, start, _ := began.config()
	c = c.Completed()
	c.Rest, c.Rival = now.Rest, now.Rival
	kind, many := now.Rule.Name, c.Many()
	if err := cmp.Or(
		saved.Expect(many || s.Kind == kind, "kind", "%s does not fit %s", s.Kind, kind),
		saved.Expect(c.Rival == nil || c.Rule.Descend == nil, "kind", "%s in Multiclass, want Online or Margin", s.Kind),
		saved.Expect(s.Rate > 0, "rate", "%v, want more than 0", s.Rate),
		saved.At("", cmp.Or(checkConfig(&c), checkStart(&c, start))),
	); err != nil {
		return err
	}
	return m.learned().Restore(c, start.vector(), &s.State)
}

// restore returns the untrained model with the fields in s. A field that the kind lacks must be
// zero.
func (s *savedBinary) restore() (m model, err error) {
	r, start, seed := s.savedRule, s.Start, uint64(s.Seed)
	switch s.Kind {
	case onlineRule.Name:
		m = &Online{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Order: r.Order, Seed: seed, Keep: r.Keep, Window: s.Window}
	case marginRule.Name:
		m = &Margin{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Order: r.Order, Seed: seed, Keep: r.Keep, Window: s.Window,
			Gamma: r.Gamma, Threshold: r.Threshold, Share: r.Share}
	case batchRule.Name:
		m = &Batch{Rate: r.Rate, Space: r.Space, Start: start, MaxEpochs: s.MaxEpochs, Workers: s.Workers}
	default:
		return nil, saved.Expect(false, "kind", "%+.40q, want Online, Margin or Batch", s.Kind)
	}
	has := saveBinary(m)
	has.Start = s.Start
	return m, saved.Expect(reflect.DeepEqual(has, s), "", "found a field that %s does not have", s.Kind)
}
