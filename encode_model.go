package perceptron

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

type savedOnline struct {
	Rate      float64    `json:"rate"`
	Space     Space      `json:"space"`
	Start     savedPlane `json:"start"`
	MaxEpochs int        `json:"maxEpochs"`
	Order     Order      `json:"order"`
	Seed      word       `json:"seed"`
	Keep      Keep       `json:"keep"`
}

type savedMargin struct {
	savedOnline
	Gamma     float64 `json:"gamma"`
	Threshold float64 `json:"threshold"`
}

type savedBatch struct {
	Rate      float64    `json:"rate"`
	Space     Space      `json:"space"`
	Start     savedPlane `json:"start"`
	MaxEpochs int        `json:"maxEpochs"`
	Workers   int        `json:"workers"`
}

type savedOneVsRest struct {
	Binary  *savedBinary `json:"binary,omitempty"`
	Workers int          `json:"workers"`
}

// saveModel returns the saved form of m, in m's memory. It returns ErrConfig if m's
// fields make no sense.
func saveModel(m trainable) (*savedModel, error) {
	if err := checkFields(m); err != nil {
		return nil, err
	}
	s := &savedModel{Version: version, Learned: saveState(m)}
	if m, ok := m.(*OneVsRest); ok {
		s.OneVsRest = &savedOneVsRest{Workers: m.Workers}
		if m.Binary != nil {
			s.OneVsRest.Binary = new(savedBinary)
			s.OneVsRest.Binary.save(m.Binary)
		}
		return s, nil
	}
	s.save(m)
	return s, nil
}

// save sets the one field for m, which is a binary model.
func (s *savedBinary) save(m Model) {
	switch m := m.(type) {
	case *Online:
		s.Online = &savedOnline{m.Rate, m.Space, savePlane(m.Start), m.MaxEpochs, m.Order, word(m.Seed), m.Keep}
	case *Margin:
		s.Margin = &savedMargin{savedOnline{m.Rate, m.Space, savePlane(m.Start), m.MaxEpochs, m.Order, word(m.Seed), m.Keep}, m.Gamma, m.Threshold}
	case *Batch:
		s.Batch = &savedBatch{m.Rate, m.Space, savePlane(m.Start), m.MaxEpochs, m.Workers}
	}
}

// model returns the model that s is the saved form of.
func (s *savedModel) model() (trainable, error) {
	if s.Version != version {
		return nil, atField("perceptron", formatErrorf("version %d, want %d", s.Version, version))
	}
	m, err := s.untrained()
	if err != nil {
		return nil, err
	}
	if err := checkFields(m); err != nil {
		return nil, atField("", err)
	}
	if s.Learned == nil {
		return m, nil
	}
	return m, atField("learned", restoreState(m, s.Learned))
}

// untrained returns a model with the fields that s has.
func (s *savedModel) untrained() (trainable, error) {
	if s.OneVsRest == nil {
		return s.savedBinary.model()
	}
	if s.savedBinary != (savedBinary{}) {
		return nil, errKind
	}
	m := &OneVsRest{Workers: s.OneVsRest.Workers}
	if s.OneVsRest.Binary != nil {
		b, err := s.OneVsRest.Binary.model()
		if err != nil {
			return nil, atField("oneVsRest.binary", err)
		}
		m.Binary = b
	}
	return m, nil
}

var errKind = formatErrorf("want exactly one kind of model")

// model returns the binary model with the fields that s has.
func (s *savedBinary) model() (trainable, error) {
	switch o, m, b := s.Online, s.Margin, s.Batch; *s {
	case savedBinary{}:
		return nil, errKind
	case savedBinary{Online: o}:
		return &Online{
			Rate: o.Rate, Space: o.Space, Start: o.Start.hyperplane(), MaxEpochs: o.MaxEpochs, Order: o.Order, Seed: uint64(o.Seed), Keep: o.Keep,
		}, nil
	case savedBinary{Margin: m}:
		return &Margin{
			Rate: m.Rate, Space: m.Space, Start: m.Start.hyperplane(), MaxEpochs: m.MaxEpochs, Order: m.Order, Seed: uint64(m.Seed), Keep: m.Keep,
			Gamma: m.Gamma, Threshold: m.Threshold,
		}, nil
	case savedBinary{Batch: b}:
		return &Batch{Rate: b.Rate, Space: b.Space, Start: b.Start.hyperplane(), MaxEpochs: b.MaxEpochs, Workers: b.Workers}, nil
	}
	return nil, errKind
}
