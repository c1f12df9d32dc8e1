package perceptron

import (
	"cmp"
	"slices"
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
	Chosen bool        `json:"chosen"` // Model was nil
	Given  bool        `json:"given"`  // Scaling was not zero
	Width  int         `json:"width"`
	Since  int64       `json:"since"`
	Labels []string    `json:"labels"`
	Mean   []float64   `json:"mean"`
	Scale  []float64   `json:"scale"`
	Least  []float64   `json:"least"`
	Most   []float64   `json:"most"`
	Waves  savedWaves  `json:"waves"`
	Model  *savedModel `json:"model,omitempty"`
}

// newForm returns an empty form for the row type of c, whose Kind says how rows are stored.
func (c *Classifier[R]) newForm() *savedClassifier {
	kind := saved.Kind("perceptron.Classifier[[]float64]/1")
	if isSparse[R]() {
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

func (c Classifier[R]) MarshalBinary() ([]byte, error) { return saved.Binary(c.form()) }

func (c *Classifier[R]) UnmarshalBinary(data []byte) error { return c.decode(data, saved.ReadFrame) }

func (c Classifier[R]) MarshalJSON() ([]byte, error) { return saved.JSON(c.form()) }

// form returns the saved form, which shares memory with c. Before any training it has the fields, and an
// untrained model.
func (c *Classifier[R]) form() (*savedClassifier, error) {
	f, err := c.latest()
	if err != nil {
		return nil, err
	}
	form := c.newForm()
	form.Raw, form.Chosen, form.Given, form.Width, form.Since, form.Labels = f.raw, f.chosen, f.given, f.width, f.since, listed(f.labels)
	form.Mean, form.Scale = listed(f.scaling.Mean), listed(f.scaling.Scale)
	form.Least, form.Most = listed(f.scaling.Range[0]), listed(f.scaling.Range[1])
	form.Waves = savedWaves{f.waves.Count, f.waves.Width, saved.Word(f.waves.Seed)}
	form.Model, err = saveModel(f.model)
	return form, err
}

func (c *Classifier[R]) UnmarshalJSON(data []byte) error { return c.decode(data, saved.ReadJSON) }

func (c *Classifier[R]) decode(data []byte, read saved.Reader) error {
	form := c.newForm()
	return read(data, form, func() error { return c.restore(form) })
}

// restore replaces c by the Classifier that s is the saved form of.
func (c *Classifier[R]) restore(s *savedClassifier) (err error) {
	if err := c.checkIdle(); err != nil {
		return err
	}
	scaling, waves := Scaling{s.Mean, s.Scale, [2][]float64{s.Least, s.Most}}, Waves{s.Waves.Count, s.Waves.Width, uint64(s.Waves.Seed)}
	f := &fitted[R]{scaling, waves, s.Raw, s.Width, s.Chosen, s.Given, nil, s.Labels, nil, s.Since}
	if s.Model != nil {
		f.model, err = s.Model.restore()
	}
	if err = cmp.Or(
		saved.At(".model", err),
		saved.Expect(s.Model != nil, "model", "it is missing"),
		saved.Expect(s.Since >= 0, "since", "found %d, want at least 0", s.Since),
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

// Parts returns copies of what c has learned, and the waves with the Width that training chose. The model
// calls the labels 0, 1, …, or −1 and +1 if it is binary.
func (c *Classifier[R]) Parts() (m Model, labels []string, s Scaling, w Waves) {
	if c.now == nil {
		return nil, nil, Scaling{}, Waves{}
	}
	d := c.now.clone()
	return d.model, d.labels, d.scaling, d.waves
}

// SetParts replaces what c has learned by copies of what Parts returns, so that a program can train m by
// itself: on rows of c's Width, on s.Apply(x), or with waves on w.Apply(s.Apply(x)) for x within s.Range. The
// fields of m stay as they are, a Window that a Fit has chosen too. A Load gives the field Model these fields.
func (c *Classifier[R]) SetParts(m Model, labels []string, s Scaling, w Waves) error {
	if err := cmp.Or(c.check(), c.checkIdle(), require(isModel(m), ErrConfig, "cannot use a %T, want a non-nil model of this package", m)); err != nil {
		return err
	}
	f := &fitted[R]{s, w, c.Raw, c.Width, false, false, m.(model), labels, nil, 0}
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
	if !fit { // before all labels are read: a file may have millions
		return require(false, ErrConfig, "Labels (%d) do not fit the classes that Model has learned (%d)", n, classes)
	}
	if own := width - f.waves.Count; width > 0 && f.waves.Count > 0 {
		if own <= 0 {
			return require(false, ErrDimension, "Waves has Count %d, but Model has width %d", f.waves.Count, width)
		}
		width = own
	}
	if err := cmp.Or(f.waves.check(),
		require(len(indexes(f.labels)) == n, ErrConfig, "a label is repeated"),
		require(!slices.ContainsFunc(f.labels, func(s string) bool { return !utf8.ValidString(s) }), ErrLabel, "a label is not UTF-8"),
		require(!isSparse[R]() || f.scaling.isZero() && f.waves == Waves{}, ErrConfig, "a Scaling and Waves are for dense rows alone"),
		f.scaling.check(cmp.Or(width, len(f.scaling.Mean))),
		require(f.width == 0 || width == 0 || f.width == width, ErrDimension, "Width is %d, but Model has %d", f.width, width),
	); err != nil || f.waves.Count == 0 || width == 0 {
		return err
	}
	return f.bend(make([]float64, width))
}
