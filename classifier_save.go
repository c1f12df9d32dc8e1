package perceptron

import (
	"bytes"
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
	var form savedClassifier
	return cmp.Or(checkPath(path), saved.Load(path, &form, func() error { return c.restore(&form) }))
}

// savedClassifier is the saved form of a Classifier.
type savedClassifier struct {
	Version int          `json:"classifier"`
	Sparse  bool         `json:"sparse"`
	Raw     bool         `json:"raw"`
	Chosen  bool         `json:"chosen"`
	Width   int          `json:"width"`
	Labels  []string     `json:"labels"`
	Mean    saved.Vector `json:"mean"`
	Scale   saved.Vector `json:"scale"`
	Waves   *savedWaves  `json:"waves,omitempty"` // nil if Count is 0
	Model   *savedModel  `json:"model,omitempty"`
}

// savedWaves is the saved form of Waves.
type savedWaves struct {
	Count int        `json:"count"`
	Width float64    `json:"width"`
	Seed  saved.Word `json:"seed"`
}

// Explain implements the method that package saved looks for.
func (*savedClassifier) Explain(first string, data []byte) error {
	return foreign("classifier", first, data)
}

// Explain implements the method that package saved looks for.
func (*savedModel) Explain(first string, data []byte) error {
	return foreign("perceptron", first, data)
}

// foreign returns an error that says what a file is whose first field is not own, and which call reads it,
// or nil for an unknown file.
func foreign(own, first string, data []byte) error {
	reads := map[string]string{
		"perceptron": "a model: use the function Load, or the model's own methods",
		"classifier": "a Classifier of dense rows: use Classifier[[]float64].Load",
		"weights":    "a Hyperplane: use its own methods",
		"space":      "a Separation: use encoding/json",
		"format":     "a model of the command perceptron: the command's package pipeline loads it",
	}
	if bytes.Contains(data[:min(len(data), 100)], []byte(`"sparse":true`)) {
		reads["classifier"] = "a Classifier of sparse rows: use Classifier[Sparse].Load"
	}
	if first == own || reads[first] == "" {
		return nil
	}
	return saved.Errorf("it is %s", reads[first])
}

// Exchange implements saved.Form.
func (s *savedClassifier) Exchange(f func(v saved.Vector, last ...float64) saved.Vector) {
	s.Mean, s.Scale = f(s.Mean), f(s.Scale)
	if s.Model != nil {
		s.Model.Exchange(f)
	}
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
	form := &savedClassifier{version, c.sparse(), c.Raw, c.chosenFields() != nil, c.Width, listed(c.Labels),
		saved.Whole(c.Scaling.Mean), saved.Whole(c.Scaling.Scale), nil, nil}
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
	var form savedClassifier
	return read(data, &form, func() error { return c.restore(&form) })
}

// restore replaces c by the Classifier that s is the saved form of.
func (c *Classifier[R]) restore(s *savedClassifier) (err error) {
	if err := c.checkIdle(); err != nil {
		return err
	}
	d := Classifier[R]{Raw: s.Raw, Width: s.Width, Labels: s.Labels, Scaling: Scaling{s.Mean.Value, s.Scale.Value}}
	if s.Waves != nil {
		d.Waves = Waves{s.Waves.Count, s.Waves.Width, uint64(s.Waves.Seed)}
	}
	var m model
	if s.Model != nil {
		m, err = s.Model.restore()
		d.Model = m
	}
	if err = cmp.Or(
		saved.Expect(s.Version == version, "classifier", "version %d, want %d", s.Version, version),
		saved.Expect(s.Sparse || !c.sparse(), "sparse", "false: it has dense rows, use Classifier[[]float64]"),
		saved.Expect(!s.Sparse || c.sparse(), "sparse", "true: it has sparse rows, use Classifier[Sparse]"),
		saved.Expect(s.Mean.Index == nil && s.Scale.Index == nil, "mean", "elements are left out of it or of scale"),
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
