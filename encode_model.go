package perceptron

import "cmp"

// This file names each exported field of the models in the saved form, and converts
// both ways. It lists the fields by hand rather than by reflection: the format stays as
// it is when a model gets a new field, until the field is added here. A test compares
// the two lists.
//
// A field that is added later must be a pointer that may be missing, so that files
// without it can still be read.

// savedModel is the saved form of a model. Exactly one of the fields for a kind of
// model is there; its name is the kind.
type savedModel struct {
	Version int `json:"perceptron"`
	savedBinary
	OneVsRest *savedOneVsRest `json:"oneVsRest,omitempty"`
	Learned   *savedState     `json:"learned,omitempty"`
}

// savedBinary is the saved form of a binary model's exported fields. It has one of
// these fields, or none for a nil Binary of OneVsRest.
type savedBinary struct {
	Online *savedOnline `json:"online,omitempty"`
	Margin *savedMargin `json:"margin,omitempty"`
	Batch  *savedBatch  `json:"batch,omitempty"`
}

// savedStart has the fields that all binary models have.
type savedStart struct {
	Rate      float64    `json:"rate"`
	Space     Space      `json:"space"`
	Start     savedPlane `json:"start"`
	MaxEpochs int        `json:"maxEpochs"`
}

// savedOnline is the saved form of an Online.
type savedOnline struct {
	savedStart
	Order Order `json:"order"`
	Seed  word  `json:"seed"`
	Keep  Keep  `json:"keep"`
}

// savedMargin is the saved form of a Margin.
type savedMargin struct {
	savedOnline
	Gamma     float64 `json:"gamma"`
	Threshold float64 `json:"threshold"`
}

// savedBatch is the saved form of a Batch.
type savedBatch struct {
	savedStart
	Workers int `json:"workers"`
}

// savedOneVsRest is the saved form of a OneVsRest. A nil Binary stays nil. Binary
// cannot be a OneVsRest again, so the depth of the saved form has a limit.
type savedOneVsRest struct {
	Binary  *savedBinary `json:"binary,omitempty"`
	Workers int          `json:"workers"`
}

// saveModel returns the saved form of m, in m's memory. It returns ErrConfig if m's
// fields make no sense.
func saveModel(m model) (*savedModel, error) {
	if err := checkFields(m); err != nil {
		return nil, err
	}
	s := &savedModel{Version: version, Learned: saveState(m)}
	if many, ok := m.(*OneVsRest); !ok {
		s.savedBinary = *saveBinary(m)
	} else if s.OneVsRest = (&savedOneVsRest{Workers: many.Workers}); many.Binary != nil {
		s.OneVsRest.Binary = saveBinary(many.Binary)
	}
	return s, nil
}

// saveBinary returns the saved form of a binary model. The fields of m are legal, so
// m is one of these three.
func saveBinary(m Model) *savedBinary {
	switch m := m.(type) {
	case *Online:
		return &savedBinary{Online: &savedOnline{savedStart{m.Rate, m.Space, savePlane(m.Start), m.MaxEpochs}, m.Order, word(m.Seed), m.Keep}}
	case *Margin:
		online := savedOnline{savedStart{m.Rate, m.Space, savePlane(m.Start), m.MaxEpochs}, m.Order, word(m.Seed), m.Keep}
		return &savedBinary{Margin: &savedMargin{online, m.Gamma, m.Threshold}}
	}
	b := m.(*Batch)
	return &savedBinary{Batch: &savedBatch{savedStart{b.Rate, b.Space, savePlane(b.Start), b.MaxEpochs}, b.Workers}}
}

// model returns the model that s is the saved form of. It validates the fields as
// Fit does, so the model can be trained.
func (s *savedModel) model() (model, error) {
	m, err := s.untrained()
	if err = cmp.Or(check(s.Version == version, "perceptron", "version %d, want %d", s.Version, version), err); err != nil {
		return nil, err
	}
	return m, cmp.Or(atField("", checkFields(m)), atField(".learned", restoreState(m, s.Learned)))
}

// untrained returns a model with the fields that s has.
func (s *savedModel) untrained() (model, error) {
	if s.OneVsRest == nil {
		return s.savedBinary.model()
	}
	var err error
	m := &OneVsRest{Workers: s.OneVsRest.Workers}
	if b := s.OneVsRest.Binary; b != nil {
		m.Binary, err = b.model()
	}
	return m, cmp.Or(check(s.savedBinary == savedBinary{}, "oneVsRest", "want one kind of model"), atField(".oneVsRest.binary", err))
}

// model returns the binary model with the fields that s has.
func (s *savedBinary) model() (model, error) {
	switch o, m, b := s.Online, s.Margin, s.Batch; *s {
	case savedBinary{}: // none
	case savedBinary{Online: o}:
		return &Online{
			Rate: o.Rate, Space: o.Space, Start: Hyperplane(o.Start), MaxEpochs: o.MaxEpochs, Order: o.Order, Seed: uint64(o.Seed), Keep: o.Keep,
		}, nil
	case savedBinary{Margin: m}:
		return &Margin{
			Rate: m.Rate, Space: m.Space, Start: Hyperplane(m.Start), MaxEpochs: m.MaxEpochs, Order: m.Order, Seed: uint64(m.Seed), Keep: m.Keep,
			Gamma: m.Gamma, Threshold: m.Threshold,
		}, nil
	case savedBinary{Batch: b}:
		return &Batch{Rate: b.Rate, Space: b.Space, Start: Hyperplane(b.Start), MaxEpochs: b.MaxEpochs, Workers: b.Workers}, nil
	}
	return nil, formatErrorf("want one kind of model")
}
