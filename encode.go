package perceptron

import (
	"strings"
)

// envelope heads a model's JSON.
type envelope struct {
	Perceptron int // the version
	Kind       kind
}

// training is the part of a model's encodings that is no field of it.
type training struct{ Learned *savedState }

// encodable returns what m has to encode besides its fields, or what is wrong with
// these.
func encodable(m model) (*training, error) {
	if err := checkFields(m); err != nil {
		return nil, err
	}
	return &training{m.engine().now.saved()}, nil
}

// checkFields checks a model's fields, all of which training from Start reads.
func checkFields(m model) error {
	c := m.config().complete()
	return c.checkStart(m.start())
}

func appendModel(b []byte, m model) ([]byte, error) {
	t, err := encodable(m)
	if err != nil {
		return b, err
	}
	return appendBinary(b, kindOf(m), m, t), nil
}

func marshalModel(m model) ([]byte, error) {
	t, err := encodable(m)
	if err != nil {
		return nil, err
	}
	return appendObject(nil, &envelope{version, kindOf(m)}, m, t), nil
}

// A model is a pointer to one of the four models.
type modelOf[M any] interface {
	*M
	model
}

// unmarshalModel replaces a model by what read reads into another's fields and
// training. Nobody owns that yet: encoding/json copies the models that it has read
// into a slice when this grows, and each copy may be trained.
func unmarshalModel[M any, P modelOf[M]](m P, read func(m P, t *training) error) error {
	if m.engine().busy() {
		return errTraining
	}
	var t training
	next := P(new(M))
	if err := read(next, &t); err != nil {
		return err
	}
	if err := checkFields(next); err != nil {
		return flawed("", "%s", reason(err))
	}
	if t.Learned == nil {
		*m = *next
		return nil
	}
	now, err := t.Learned.restore(kindOf(next))
	if err != nil {
		return within("learned", err)
	}
	*m = *next
	m.engine().now = now
	return nil
}

func readModelBinary[M any, P modelOf[M]](m P, data []byte) error {
	return unmarshalModel(m, func(m P, t *training) error {
		return readBinary(data, kindOf(m), m, t)
	})
}

func readModelJSON[M any, P modelOf[M]](m P, data []byte) error {
	if isNull(data) {
		return nil
	}
	return unmarshalModel(m, func(m P, t *training) error {
		var e envelope
		if err := readJSON(data, &e, m, t); err != nil {
			return err
		}
		switch {
		case e.Perceptron != version:
			return flawed("perceptron", "version %d, want %d", e.Perceptron, version)
		case e.Kind != kindOf(m):
			return flawed("kind", "%v, want %v", e.Kind, kindOf(m))
		}
		return nil
	})
}

// isNull tells whether data is JSON's null, which by encoding/json's convention
// changes nothing.
func isNull(data []byte) bool { return string(data) == "null" }

// reason is an error's text behind its kind.
func reason(err error) string {
	_, text, _ := strings.Cut(strings.TrimPrefix(err.Error(), "perceptron: "), ": ")
	return text
}

// AppendBinary appends the binary form, which docs/format.md lays out, to
// b: the fields and all that has been learned, so that after UnmarshalBinary
// training goes on as if it had never stopped. There is one form for each state,
// of 8d bytes and a few for each vector that is kept, and it takes as long to
// write. Fields that make no sense are ErrConfig, and b is then returned as it was.
func (p Online) AppendBinary(b []byte) ([]byte, error) { return appendModel(b, &p) }

// MarshalBinary is AppendBinary to nothing.
func (p Online) MarshalBinary() ([]byte, error) { return appendModel(nil, &p) }

// UnmarshalBinary replaces the model, fields and all, by one that AppendBinary
// wrote. Data is checked to the last bit: ErrFormat says what is wrong with it and
// where. It is ErrConfig in the body of a range over Epochs and in Learn's
// iterator. On error the model is as it was. Until it is trained again the model may
// be copied by value, which encoding/json does with those of a slice: the first
// training call takes a copy of what was read.
func (p *Online) UnmarshalBinary(data []byte) error { return readModelBinary(p, data) }

// MarshalJSON is AppendBinary in JSON, for other programs: docs/format.md
// has the names. Numbers are written so that they are read back to the bit.
func (p Online) MarshalJSON() ([]byte, error) { return marshalModel(&p) }

// UnmarshalJSON is UnmarshalBinary for MarshalJSON's form. Fields may stand in any
// order, but none may be missing, unknown or there twice; null changes nothing.
func (p *Online) UnmarshalJSON(data []byte) error { return readModelJSON(p, data) }

// AppendBinary appends the model as [Online.AppendBinary] does.
func (p Batch) AppendBinary(b []byte) ([]byte, error) { return appendModel(b, &p) }

// MarshalBinary is AppendBinary to nothing.
func (p Batch) MarshalBinary() ([]byte, error) { return appendModel(nil, &p) }

// UnmarshalBinary replaces the model as [Online.UnmarshalBinary] does.
func (p *Batch) UnmarshalBinary(data []byte) error { return readModelBinary(p, data) }

// MarshalJSON writes the model as [Online.MarshalJSON] does.
func (p Batch) MarshalJSON() ([]byte, error) { return marshalModel(&p) }

// UnmarshalJSON replaces the model as [Online.UnmarshalJSON] does.
func (p *Batch) UnmarshalJSON(data []byte) error { return readModelJSON(p, data) }

// AppendBinary appends the model as [Online.AppendBinary] does.
func (p Margin) AppendBinary(b []byte) ([]byte, error) { return appendModel(b, &p) }

// MarshalBinary is AppendBinary to nothing.
func (p Margin) MarshalBinary() ([]byte, error) { return appendModel(nil, &p) }

// UnmarshalBinary replaces the model as [Online.UnmarshalBinary] does.
func (p *Margin) UnmarshalBinary(data []byte) error { return readModelBinary(p, data) }

// MarshalJSON writes the model as [Online.MarshalJSON] does.
func (p Margin) MarshalJSON() ([]byte, error) { return marshalModel(&p) }

// UnmarshalJSON replaces the model as [Online.UnmarshalJSON] does.
func (p *Margin) UnmarshalJSON(data []byte) error { return readModelJSON(p, data) }

// AppendBinary appends the model as [Online.AppendBinary] does.
func (m OneVsRest) AppendBinary(b []byte) ([]byte, error) { return appendModel(b, &m) }

// MarshalBinary is AppendBinary to nothing.
func (m OneVsRest) MarshalBinary() ([]byte, error) { return appendModel(nil, &m) }

// UnmarshalBinary replaces the model as [Online.UnmarshalBinary] does.
func (m *OneVsRest) UnmarshalBinary(data []byte) error { return readModelBinary(m, data) }

// MarshalJSON writes the model as [Online.MarshalJSON] does.
func (m OneVsRest) MarshalJSON() ([]byte, error) { return marshalModel(&m) }

// UnmarshalJSON replaces the model as [Online.UnmarshalJSON] does.
func (m *OneVsRest) UnmarshalJSON(data []byte) error { return readModelJSON(m, data) }
