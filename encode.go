package perceptron

import (
	"cmp"
	"reflect"

	"perceptron/internal/saved"
)

// version is that of a model's JSON.
const version = 1

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

// savedMany has the fields of a OneVsRest but Binary. A Multiclass has no field but Binary.
type savedMany struct {
	Workers int `json:"workers"`
}

// saveModel returns the saved form of m, which shares m's memory. It returns ErrConfig if m's
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
	binary, _ := m.(Binary)
	switch {
	case s.OneVsRest != nil:
		m = &OneVsRest{Binary: binary, Workers: s.OneVsRest.Workers}
	case s.Multiclass != nil:
		m = &Multiclass{Binary: binary}
	}
	if err = cmp.Or(
		saved.Expect(s.Version == version, "perceptron", "version %d, want %d", s.Version, version),
		saved.At(".binary", err),
		saved.Expect(m != nil, "binary", "want it, oneVsRest or multiclass"),
		saved.Expect(s.OneVsRest == nil || s.Multiclass == nil, "multiclass", "want it or oneVsRest, not both"),
	); err != nil {
		return nil, err
	}
	return m, cmp.Or(saved.At("", checkFields(m)), saved.At(".learned", restoreState(m, s.Learned)))
}

// readModel replaces m by the model in data, which must be of its kind.
func readModel(m model, data []byte, read saved.Reader) error {
	var form savedModel
	return read(data, &form, func() error {
		if _, err := m.learned().Begin(true); err != nil {
			return err
		}
		found, err := form.model()
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

// MarshalBinary returns the saved form in its frame.
func (p Online) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, p) }

// UnmarshalBinary replaces the model by one that MarshalBinary wrote.
func (p *Online) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

// MarshalJSON returns the saved form.
func (p Online) MarshalJSON() ([]byte, error) { return saved.JSON(saveModel(&p)) }

// UnmarshalJSON replaces the model by one that MarshalJSON wrote.
func (p *Online) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

// MarshalBinary returns the saved form in its frame.
func (p Batch) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, p) }

// UnmarshalBinary replaces the model by one that MarshalBinary wrote.
func (p *Batch) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

// MarshalJSON returns the saved form.
func (p Batch) MarshalJSON() ([]byte, error) { return saved.JSON(saveModel(&p)) }

// UnmarshalJSON replaces the model by one that MarshalJSON wrote.
func (p *Batch) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

// MarshalBinary returns the saved form in its frame.
func (p Margin) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, p) }

// UnmarshalBinary replaces the model by one that MarshalBinary wrote.
func (p *Margin) UnmarshalBinary(data []byte) error { return readModel(p, data, saved.ReadFrame) }

// MarshalJSON returns the saved form.
func (p Margin) MarshalJSON() ([]byte, error) { return saved.JSON(saveModel(&p)) }

// UnmarshalJSON replaces the model by one that MarshalJSON wrote.
func (p *Margin) UnmarshalJSON(data []byte) error { return readModel(p, data, saved.ReadJSON) }

// MarshalBinary returns the saved form in its frame.
func (m OneVsRest) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, m) }

// UnmarshalBinary replaces the model by one that MarshalBinary wrote.
func (m *OneVsRest) UnmarshalBinary(data []byte) error { return readModel(m, data, saved.ReadFrame) }

// MarshalJSON returns the saved form.
func (m OneVsRest) MarshalJSON() ([]byte, error) { return saved.JSON(saveModel(&m)) }

// UnmarshalJSON replaces the model by one that MarshalJSON wrote.
func (m *OneVsRest) UnmarshalJSON(data []byte) error { return readModel(m, data, saved.ReadJSON) }

// MarshalBinary returns the saved form in its frame.
func (m Multiclass) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, m) }

// UnmarshalBinary replaces the model by one that MarshalBinary wrote.
func (m *Multiclass) UnmarshalBinary(data []byte) error { return readModel(m, data, saved.ReadFrame) }

// MarshalJSON returns the saved form.
func (m Multiclass) MarshalJSON() ([]byte, error) { return saved.JSON(saveModel(&m)) }

// UnmarshalJSON replaces the model by one that MarshalJSON wrote.
func (m *Multiclass) UnmarshalJSON(data []byte) error { return readModel(m, data, saved.ReadJSON) }
