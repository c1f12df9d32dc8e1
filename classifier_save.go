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
	Chosen  bool         `json:"chosen"` // Model was nil
	Given   bool         `json:"given"`  // Scaling was not zero
	Width   int          `json:"width"`
	Labels  []string     `json:"labels"`
	Mean    saved.Vector `json:"mean"`
	Scale   saved.Vector `json:"scale"`
	Least   saved.Vector `json:"least"`
	Most    saved.Vector `json:"most"`
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
	s.Mean, s.Scale, s.Least, s.Most = f(s.Mean), f(s.Scale), f(s.Least), f(s.Most)
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

// form returns the saved form, which shares memory with c. Before any training it has the fields, and an
// untrained model.
func (c *Classifier[R]) form() (*savedClassifier, error) {
	f, err := c.latest()
	if err != nil {
		return nil, err
	}
	form := &savedClassifier{version, isSparse[R](), f.raw, f.chosen, f.given, f.width, listed(f.labels),
		saved.Whole(f.scaling.Mean), saved.Whole(f.scaling.Scale),
		saved.Whole(f.scaling.Range[0]), saved.Whole(f.scaling.Range[1]), nil, nil}
	if f.waves.Count > 0 {
		form.Waves = &savedWaves{f.waves.Count, f.waves.Width, saved.Word(f.waves.Seed)}
	}
	form.Model, err = saveModel(f.model)
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
	scaling := Scaling{s.Mean.Value, s.Scale.Value, [2][]float64{s.Least.Value, s.Most.Value}}
	f := &fitted[R]{options: options{scaling, Waves{}, s.Raw, s.Width, s.Chosen, s.Given}, labels: s.Labels}
	if s.Waves != nil {
		f.waves = Waves{s.Waves.Count, s.Waves.Width, uint64(s.Waves.Seed)}
	}
	if s.Model != nil {
		f.model, err = s.Model.restore()
	}
	if err = cmp.Or(
		saved.Expect(s.Version == version, "classifier", "version %d, want %d", s.Version, version),
		saved.Expect(s.Sparse || !isSparse[R](), "sparse", "false: it has dense rows, use Classifier[[]float64]"),
		saved.Expect(!s.Sparse || isSparse[R](), "sparse", "true: it has sparse rows, use Classifier[Sparse]"),
		saved.Expect(s.Mean.Index == nil && s.Scale.Index == nil && s.Least.Index == nil && s.Most.Index == nil,
			"mean", "elements are left out of it, or of scale, least or most"),
		saved.At(".model", err),
		saved.Expect(s.Model != nil, "model", "it is missing"),
		saved.Expect(s.Waves == nil || f.waves.Count > 0, "waves", "found count %d, want a positive number", f.waves.Count),
	); err != nil {
		return err
	}
	d := Classifier[R]{Waves: f.waves, Raw: f.raw, Width: f.width}
	if !f.chosen {
		d.Model = f.model.unlearned()
	}
	if f.given {
		d.Scaling = f.scaling.clone()
	}
	if f.model.learned().Trained() == nil {
		d.now = f
	}
	if err = cmp.Or(d.check(), f.check()); err == nil {
		*c = d
	}
	return saved.At("", err)
}

// Parts returns copies of what c has learned: the model, which calls the labels 0, 1, …, or −1 and +1 if it is
// binary; the labels; and the scaling. Before any example, it returns zero values. [Classifier.SetParts] is the
// inverse.
func (c *Classifier[R]) Parts() (m Model, labels []string, s Scaling) {
	if c.now == nil {
		return nil, nil, Scaling{}
	}
	d := c.now.clone()
	return d.model, d.labels, d.scaling
}

// SetParts replaces what c has learned by copies of m, the labels of its classes, and the scaling of the rows
// that m has learned. c's Waves, Raw and Width must be those of m's rows. So a program that trains models by
// itself makes a Classifier. On error c stays as it was. SetParts returns ErrConfig if the labels do not fit the
// classes of m, which must be 0, 1, …, or −1 and +1, and ErrDimension for another width.
func (c *Classifier[R]) SetParts(m Model, labels []string, s Scaling) error {
	if err := cmp.Or(c.check(), c.checkIdle(), require(isModel(m), ErrConfig, "cannot use a %T, want a non-nil model of this package", m)); err != nil {
		return err
	}
	f := &fitted[R]{options: options{s, c.Waves, c.Raw, c.Width, false, false}, model: m.(model), labels: labels}
	err := cmp.Or(f.model.learned().Trained(), f.check())
	if err == nil {
		c.now = f.clone()
	}
	return err
}

// check returns an error if what was learned contradicts itself, or the options, in O(K log K + d).
func (f *fitted[R]) check() error {
	e, n := f.model.learned(), len(f.labels)
	_, width, _, _ := e.Summary()
	classes, fit := 0, n == 0
	if e.Trained() == nil {
		if classes, fit = 2, n == 1 || n == 2; e.Many() {
			k := e.Classes() // they ascend
			classes, fit = len(k), len(k) == n && k[0] == 0 && k[n-1] == n-1
		}
	}
	if own := width - f.waves.Count; width > 0 && f.waves.Count > 0 {
		if own <= 0 {
			return require(false, ErrDimension, "Waves has Count %d, but Model has width %d", f.waves.Count, width)
		}
		width = own
	}
	if err := cmp.Or(
		require(fit, ErrConfig, "Labels (%d) do not fit the classes that Model has learned (%d)", n, classes),
		require(len(indexes(f.labels)) == n, ErrConfig, "a label is repeated"),
		require(utf8.ValidString(strings.Join(f.labels, "\n")), ErrLabel, "a label is not UTF-8"),
		require(!isSparse[R]() || f.scaling.isZero(), ErrConfig, "a Scaling is for dense rows alone"),
		f.scaling.check(cmp.Or(width, len(f.scaling.Mean))),
		require(f.width == 0 || width == 0 || f.width == width, ErrDimension, "Width is %d, but Model has %d", f.width, width),
	); err != nil || f.waves.Count == 0 || width == 0 {
		return err
	}
	return f.bend(make([]float64, width))
}
