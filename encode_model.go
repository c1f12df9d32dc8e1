package perceptron

import "cmp"

// savedModel is the saved form of a model: a binary one, or a OneVsRest or Multiclass with
// its Binary. A nil Binary stays nil. Binary cannot have classes again, so the depth of
// the saved form has a limit.
type savedModel struct {
	Version    int          `json:"perceptron"`
	OneVsRest  *savedMany   `json:"oneVsRest,omitempty"`
	Multiclass *struct{}    `json:"multiclass,omitempty"`
	Binary     *savedBinary `json:"binary,omitempty"`
	Learned    *savedState  `json:"learned,omitempty"`
}

// savedMany has the fields of a OneVsRest, except Binary. A Multiclass has no other.
type savedMany struct {
	Workers int `json:"workers"`
}

// saveModel returns the saved form of m, in m's memory. It returns ErrConfig if m's
// fields make no sense.
func saveModel(m model) (*savedModel, error) {
	if err := checkFields(m); err != nil {
		return nil, err
	}
	s := &savedModel{Version: version, Learned: saveState(m)}
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

// model returns the model that s is the saved form of. It validates the fields as
// Fit does, so the model can be trained.
func (s *savedModel) model() (m model, err error) {
	if s.Binary != nil {
		m, err = s.Binary.model()
	}
	switch {
	case s.OneVsRest != nil:
		m = &OneVsRest{Binary: m, Workers: s.OneVsRest.Workers}
	case s.Multiclass != nil:
		m = &Multiclass{Binary: m}
	}
	if err = cmp.Or(
		expect(s.Version == version, "perceptron", "version %d, want %d", s.Version, version),
		atField(".binary", err),
		expect(m != nil, "binary", "want it, oneVsRest or multiclass"),
		expect(s.OneVsRest == nil || s.Multiclass == nil, "multiclass", "want it or oneVsRest, not both"),
	); err != nil {
		return nil, err
	}
	return m, cmp.Or(atField("", checkFields(m)), atField(".learned", restoreState(m, s.Learned)))
}
