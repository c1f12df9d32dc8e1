package perceptron

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"perceptron/internal/saved"
)

// Save writes c to a file, as the function [Save] does.
func (c *Classifier[R]) Save(path string) error {
	form, err := c.form()
	return save(path, form, err)
}

// Load replaces c by what Save wrote for row type R. See the function [Load].
func (c *Classifier[R]) Load(path string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	form := c.newForm()
	return saved.Load(path, form, func() error { return c.restore(form) })
}

// savedClassifier is the saved form of a Classifier.
type savedClassifier struct {
	Kind   saved.Kind  `json:"kind"`
	Raw    bool        `json:"raw"`
	Chosen bool        `json:"chosen"`
	Width  int         `json:"width"`
	Labels []string    `json:"labels"`
	Mean   []float64   `json:"mean"`
	Scale  []float64   `json:"scale"`
	Waves  *savedWaves `json:"waves,omitempty"` // nil if Count is 0
	Model  *savedModel `json:"model,omitempty"`
}

// newForm returns an empty form for the row type of c, whose Kind says how rows are stored.
func (c *Classifier[R]) newForm() *savedClassifier {
	kind := saved.Kind("perceptron.Classifier[[]float64]/1")
	if c.sparse() {
		kind = "perceptron.Classifier[Sparse]/1"
	}
	return &savedClassifier{Kind: kind}
}

// savedWaves is the saved form of Waves.
type savedWaves struct {
	Count int        `json:"count"`
	Width float64    `json:"width"`
	Seed  saved.Word `json:"seed"`
}

// Vectors implements saved.Form.
func (s *savedClassifier) Vectors() *[][]float64 {
	if s.Model == nil {
		return nil
	}
	return s.Model.Vectors()
}

// MarshalBinary returns the binary form that docs/format.md describes.
func (c Classifier[R]) MarshalBinary() ([]byte, error) { return saved.Binary(c.form()) }

// UnmarshalBinary replaces c by what MarshalBinary wrote.
func (c *Classifier[R]) UnmarshalBinary(data []byte) error { return c.decode(data, saved.ReadFrame) }

// MarshalJSON returns an object with the fields.
func (c Classifier[R]) MarshalJSON() ([]byte, error) { return saved.JSON(c.form()) }

// form returns the saved form, which shares memory with c.
func (c *Classifier[R]) form() (*savedClassifier, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	form := c.newForm()
	form.Raw, form.Chosen, form.Width, form.Labels = c.Raw, c.chosenFields() != nil, c.Width, listed(c.Labels)
	form.Mean, form.Scale = listed(c.Scaling.Mean), listed(c.Scaling.Scale)
	if c.Waves.Count > 0 {
		form.Waves = &savedWaves{c.Waves.Count, c.Waves.Width, saved.Word(c.Waves.Seed)}
	}
	var err error
	if c.Model != nil {
		form.Model, err = saveModel(c.Model.(model))
	}
	return form, err
}

// UnmarshalJSON replaces c by what MarshalJSON wrote.
func (c *Classifier[R]) UnmarshalJSON(data []byte) error { return c.decode(data, saved.ReadJSON) }

// decode replaces c by what read finds in data.
func (c *Classifier[R]) decode(data []byte, read saved.Reader) error {
	form := c.newForm()
	return read(data, form, func() error { return c.restore(form) })
}

// restore replaces c by the Classifier that s is the saved form of.
func (c *Classifier[R]) restore(s *savedClassifier) (err error) {
	if err := c.checkIdle(); err != nil {
		return err
	}
	d := Classifier[R]{Raw: s.Raw, Width: s.Width, Labels: s.Labels, Scaling: Scaling{s.Mean, s.Scale}}
	if s.Waves != nil {
		d.Waves = Waves{s.Waves.Count, s.Waves.Width, uint64(s.Waves.Seed)}
	}
	var m model
	if s.Model != nil {
		m, err = s.Model.restore()
		d.Model = m
	}
	if err = cmp.Or(
		saved.At(".model", err),
		saved.Expect(s.Waves == nil || d.Waves.Count > 0, "waves", "found count %d, want a positive number", d.Waves.Count),
		saved.Expect(m != nil || !s.Chosen, "chosen", "true, but the field model is missing"),
	); err != nil {
		return err
	}
	if s.Chosen {
		d.chosen = m
		if many, ok := m.(*Multiclass); ok {
			if b, ok := many.Binary.(*Margin); ok {
				d.theta = b.Threshold
			}
		}
	}
	if err = d.validate(); err == nil {
		c.become(&d)
	}
	return saved.At("", err)
}

// validate returns an error if fields contradict each other, in O(K log K + d). Saving and loading
// call it.
func (c *Classifier[R]) validate() error {
	if err := c.check(); err != nil {
		return err
	}
	width := 0
	if c.Model != nil {
		_, width, _, _ = c.Model.learned().Summary()
	}
	if width > 0 && c.Waves.Count > 0 {
		if width -= c.Waves.Count; width <= 0 {
			return require(false, ErrDimension, "Waves has Count %d, but Model has width %d", c.Waves.Count, width+c.Waves.Count)
		}
	}
	return cmp.Or(
		c.checkDistinct(),
		require(utf8.ValidString(strings.Join(c.Labels, "\n")), ErrLabel, "a label is not UTF-8"),
		c.Scaling.check(cmp.Or(width, len(c.Scaling.Mean))),
		require(c.Width == 0 || width == 0 || c.Width == width, ErrDimension, "Width is %d, but Model has %d", c.Width, width),
	)
}
