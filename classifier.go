package perceptron

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"perceptron/internal/saved"
	"perceptron/internal/vec"
)

// A Classifier predicts labels that are strings, from rows that are []float64 or [Sparse]. It holds
// the labels, the scaling and the model in one value, and saves them in one file. The zero value is
// ready, and is where to begin: Fit and Predict scale their rows.
//
// Fit sets Labels and Scaling, and Update adds new labels. Both replace a nil Model by the default
// one. A program may also set the fields itself, after training Model on scaled rows, for example
// with Epochs. Every call that uses the fields, except Clone, returns ErrConfig for a Model that is
// a nil pointer or of another package, for sparse rows with a Scaling, and for dense rows with a
// Width. All of these but Fit also return it if Labels do not fit the classes of Model. Fit,
// Update, Load and unmarshalling require exclusive use. A copy of the struct shares Model; use
// Clone.
type Classifier[R Row] struct {
	// Model calls the labels 0, 1, …; a binary model calls them −1 and +1. Fit and Update set a nil
	// Model to a Multiclass of &Margin{Threshold: θ, Keep: Average, Order: Shuffled, MaxEpochs: 20}.
	// θ is d + 1, or 2 for sparse rows: the mean of ‖(z, 1)‖² over scaled rows z, if no feature is
	// constant and no row is 0. Without scaling it is 0, Online's rule. docs/benchmarks.md says how
	// this was chosen. A later Fit keeps the Model: for rows of another width, set it to nil before.
	Model   Model
	Labels  []string // Fit sorts them, and Update appends new ones
	Scaling Scaling  // of dense rows; Fit computes it
	Raw     bool     // rows are used as they are. Else Fit sets Scaling, and sparse rows are divided by ‖x‖
	// Width is that of sparse rows, as in SparseModel. In Fit, 0 means the highest index plus 1:
	// set it if the rows come from others, because the memory is in proportion to it.
	Width int
}

// Fit sets Labels and Scaling, and trains Model from scratch on scaled copies of the rows. The errors
// are those of [Standardize] and of Model's Fit, and ErrLabel for a label that is not UTF-8 and for
// a third label of a binary Model. An error leaves the Classifier as it was.
func (c *Classifier[R]) Fit(X []R, labels []string) (Result, error) {
	if err := cmp.Or(c.checkFields(),
		require(len(X) == len(labels), ErrDimension, "len(X) is %d, but len(labels) is %d", len(X), len(labels))); err != nil {
		return Result{}, err
	}
	d := Classifier[R]{Model: c.Model, Raw: c.Raw, Width: c.Width}
	class, y := map[string]int{}, make([]int, len(labels))
	for _, label := range labels {
		class[label] = 0
	}
	for k, label := range slices.Sorted(maps.Keys(class)) {
		if err := d.add(label); err != nil {
			return Result{}, err
		}
		class[label] = d.class(k)
	}
	for i, label := range labels {
		y[i] = class[label]
	}
	r, err := d.fit(X, y)
	if err == nil {
		*c = d
	}
	return r, err
}

// fit scales the rows, and trains the model on them.
func (c *Classifier[R]) fit(rows []R, y []int) (r Result, err error) {
	if X, ok := any(rows).([]Sparse); ok {
		width, Z := c.Width, slices.Clone(X)
		for i, x := range X {
			if n := len(x.Index); c.Width == 0 && n > 0 {
				width = max(width, int(min(uint64(x.Index[n-1])+1, math.MaxInt)))
			}
			if !c.Raw {
				Z[i].Value = appendUnit(nil, x.Value)
			}
		}
		c.begin()
		return SparseModel{c.Model, width}.Fit(Z, y)
	}
	Z := any(rows).([][]float64)
	if !c.Raw {
		if c.Scaling, err = Standardize(Z); err != nil {
			return Result{}, err
		}
		if Z, err = c.Scaling.ApplyAll(Z); err != nil {
			return Result{}, err
		}
	}
	c.begin()
	return c.Model.Fit(Z, y)
}

// begin sets a nil Model to the default that the field Model documents. theta is the mean of
// ‖(z, 1)‖² over scaled rows z. Without scaling that mean is not known, so the rule is Online's.
func (c *Classifier[R]) begin() {
	theta := float64(len(c.Scaling.Mean) + 1)
	if c.sparse() {
		theta = 2
	}
	if c.Model == nil && theta > 1 && !c.Raw {
		c.Model = &Multiclass{Binary: &Margin{Threshold: theta, Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	} else if c.Model == nil {
		c.Model = &Multiclass{Binary: &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	}
}

// sparse reports whether rows are sparse.
func (c *Classifier[R]) sparse() bool {
	_, sparse := any(*new(R)).(Sparse)
	return sparse
}

// appendUnit appends v/‖v‖ to dst, or v if all its elements are 0.
func appendUnit(dst, v []float64) []float64 {
	norm := vec.Norm(v)
	norm = cmp.Or(norm+0*norm, 1) // NaN for an infinity, which would make zeros of the finite elements
	for _, x := range v {
		dst = append(dst, x/norm)
	}
	return dst
}

// Update learns one example, as Model's Update does, on the scaled row. The label may be new. Update
// does not change Scaling: without a Fit before, set it, or give rows whose features have similar
// scales. Give the examples in a mixed order: after many of one label, the model forgets the others.
// A Batch is ErrConfig. An error leaves the Classifier as it was.
func (c *Classifier[R]) Update(x R, label string) (updated bool, err error) {
	if err := c.check(); err != nil {
		return false, err
	}
	d, k := *c, slices.Index(c.Labels, label)
	if k < 0 {
		k = len(c.Labels)
		d.Labels = slices.Clip(d.Labels) // an error must leave the memory of c.Labels as it was
		if err := d.add(label); err != nil {
			return false, err
		}
	}
	d.begin()
	if err = d.scaled(x, func(z R) (err error) {
		if row, ok := any(z).(Sparse); ok {
			updated, err = SparseModel{d.Model, d.Width}.Update(row, d.class(k))
		} else if m, ok := d.Model.(Learner); ok {
			updated, err = m.Update(any(z).([]float64), d.class(k))
		} else {
			err = require(false, ErrConfig, "a Batch has no Update")
		}
		return err
	}); err == nil {
		*c = d
	}
	return updated, err
}

// add appends a new label.
func (c *Classifier[R]) add(label string) error {
	_, binary := c.Model.(Binary)
	c.Labels = append(c.Labels, strings.Clone(label)) // a copy: label may share the memory of a whole file
	return cmp.Or(
		require(utf8.ValidString(label), ErrLabel, "label %q, want UTF-8", label),
		require(!binary || len(c.Labels) <= 2, ErrLabel, "%q is the third label, but a %T learns two", label, c.Model))
}

// class returns what Model calls the k-th label.
func (c *Classifier[R]) class(k int) int {
	if _, binary := c.Model.(Binary); binary {
		return 2*k - 1
	}
	return k
}

// Predict returns the label of x, and allocates nothing. If a binary Model has seen only one label,
// it is that. The errors are those of Model's Predict and of [Scaling.Apply].
func (c *Classifier[R]) Predict(x R) (label string, err error) {
	k := 0
	if err = c.read(x, func(z R) (err error) {
		if row, ok := any(z).(Sparse); ok {
			k, err = SparseModel{c.Model, c.Width}.Predict(row)
		} else {
			k, err = c.Model.Predict(any(z).([]float64))
		}
		return err
	}); err != nil {
		return "", err
	}
	return c.label(k), nil
}

// label returns the label for which Model predicts class. It is the inverse of the method class,
// with one exception: a binary Model that has learned only one label may predict +1, and label then
// returns that label.
func (c *Classifier[R]) label(class int) string {
	if _, binary := c.Model.(Binary); binary {
		class = min((class+1)/2, len(c.Labels)-1)
	}
	return c.Labels[class]
}

// Scores appends the score of each label to dst, in the order of Labels. A binary Model has one
// score, at least 0 for the second label. The errors are Predict's, and leave dst unchanged.
func (c *Classifier[R]) Scores(dst []float64, x R) ([]float64, error) {
	scores := dst
	err := c.read(x, func(z R) (err error) {
		if row, ok := any(z).(Sparse); ok {
			scores, err = SparseModel{c.Model, c.Width}.Scores(dst, row)
		} else if m, ok := c.Model.(Binary); ok {
			scores, err = appendScores(dst, 1, func(int) (float64, error) { return m.Score(any(z).([]float64)) })
		} else if m, ok := c.Model.(interface {
			Scores(dst, x []float64) ([]float64, error)
		}); ok {
			scores, err = m.Scores(dst, any(z).([]float64))
		}
		return err
	})
	return scores, err
}

// read calls use with the scaled row, unless c cannot predict.
func (c *Classifier[R]) read(x R, use func(z R) error) error {
	if err := cmp.Or(c.check(), require(len(c.Labels) > 0, ErrUntrained, "the Classifier has no labels")); err != nil {
		return err
	}
	return c.scaled(x, use)
}

// check returns an error if the fields contradict each other. It takes O(1) and allocates nothing:
// Predict calls it.
func (c *Classifier[R]) check() error {
	if err := c.checkFields(); err != nil {
		return err
	}
	n, fit := len(c.Labels), false
	if c.Model == nil || c.Model.learned().Trained() != nil {
		fit = n == 0
	} else if e := c.Model.learned(); !e.Many() {
		fit = n == 1 || n == 2
	} else {
		k := e.Classes() // they ascend
		fit = len(k) == n && k[0] == 0 && k[n-1] == n-1
	}
	return require(fit, ErrConfig, "Labels do not fit the classes that Model has learned")
}

// checkFields returns an error if a field makes no sense for rows of the type R.
func (c *Classifier[R]) checkFields() error {
	sparse, scaling := c.sparse(), len(c.Scaling.Mean)+len(c.Scaling.Scale) > 0
	return cmp.Or(
		require(c.Model == nil || isModel(c.Model), ErrConfig, "Model is a nil pointer, or of another package"),
		require(!sparse || !scaling, ErrConfig, "a Scaling is for dense rows alone"),
		require(sparse || c.Width == 0, ErrConfig, "a Width is for sparse rows alone"))
}

// scratch has memory for scaled rows.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

// scaled calls use with the scaled row, in memory that use must not keep.
func (c *Classifier[R]) scaled(row R, use func(z R) error) (err error) {
	memory := scratch.Get().(*[]float64)
	defer scratch.Put(memory)
	switch x := any(row).(type) {
	case Sparse:
		if !c.Raw {
			*memory = appendUnit((*memory)[:0], x.Value)
			row = any(Sparse{x.Index, *memory}).(R)
		}
	case []float64:
		if len(c.Scaling.Mean)+len(c.Scaling.Scale) > 0 {
			if *memory, err = c.Scaling.Apply((*memory)[:0], x); err != nil {
				return err
			}
			row = any(*memory).(R)
		}
	}
	return use(row)
}

// Clone returns a deep copy.
func (c *Classifier[R]) Clone() *Classifier[R] {
	d := *c
	d.Labels, d.Scaling = slices.Clone(c.Labels), Scaling{slices.Clone(c.Scaling.Mean), slices.Clone(c.Scaling.Scale)}
	if m, ok := c.Model.(model); ok && isModel(m) {
		d.Model = clone(m)
	}
	return &d
}

// Save writes c to a file, as the function [Save] does.
func (c *Classifier[R]) Save(path string) error {
	form, err := c.form()
	return save(path, form, err)
}

// Load replaces c by what Save wrote. The function [Load] has the errors, and a warning.
func (c *Classifier[R]) Load(path string) error {
	var form savedClassifier
	return saved.Load(path, &form, func() error { return c.restore(&form) })
}

// savedClassifier is the saved form of a Classifier.
type savedClassifier struct {
	Version int         `json:"classifier"`
	Raw     bool        `json:"raw"`
	Width   int         `json:"width"`
	Labels  []string    `json:"labels"`
	Mean    []float64   `json:"mean"`
	Scale   []float64   `json:"scale"`
	Model   *savedModel `json:"model,omitempty"`
}

// Exchange implements saved.Form.
func (s *savedClassifier) Exchange(f func(v saved.Vector, last ...float64) saved.Vector) {
	for _, v := range []*[]float64{&s.Mean, &s.Scale} {
		*v = f(saved.Whole(*v)).Dense()
	}
	if s.Model != nil {
		s.Model.Exchange(f)
	}
}

// MarshalBinary returns the JSON form with its vectors apart, in a frame.
func (c Classifier[R]) MarshalBinary() ([]byte, error) { return saved.Binary(c.form()) }

// UnmarshalBinary replaces c by what MarshalBinary wrote.
func (c *Classifier[R]) UnmarshalBinary(data []byte) error { return c.decode(data, saved.ReadFrame) }

// MarshalJSON returns an object with the fields.
func (c Classifier[R]) MarshalJSON() ([]byte, error) { return saved.JSON(c.form()) }

// form returns the saved form.
func (c *Classifier[R]) form() (*savedClassifier, error) {
	form := &savedClassifier{version, c.Raw, c.Width, append([]string{}, c.Labels...), listed(c.Scaling.Mean), listed(c.Scaling.Scale), nil}
	err := c.validate()
	if err == nil && c.Model != nil {
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
	d := Classifier[R]{Raw: s.Raw, Width: s.Width, Labels: s.Labels, Scaling: Scaling{s.Mean, s.Scale}}
	if s.Model != nil {
		d.Model, err = s.Model.model()
	}
	if err = cmp.Or(
		saved.Expect(s.Version == version, "classifier", "version %d, want %d", s.Version, version),
		saved.At(".model", err),
	); err != nil {
		return err
	}
	if err = d.validate(); err == nil {
		*c = d
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
	different := slices.Compact(slices.Sorted(slices.Values(c.Labels)))
	return cmp.Or(
		require(len(different) == len(c.Labels), ErrConfig, "a label is repeated"),
		require(utf8.ValidString(strings.Join(different, "\n")), ErrLabel, "a label is not UTF-8"),
		c.Scaling.check(cmp.Or(width, len(c.Scaling.Mean))),
		require(c.Width >= 0 && (c.Width == 0 || width == 0 || c.Width == width), ErrDimension, "Width is %d, but Model has %d", c.Width, width),
	)
}
