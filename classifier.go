package perceptron

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"perceptron/internal/saved"
)

// A Classifier predicts labels that are strings, from rows that are []float64 or [Sparse]. It holds
// the labels, the scaling and the model in one value, and saves them in one file. The zero value is
// ready, and is where to begin: Fit and Predict scale their rows.
//
// Fit and Update set the fields. A program may also set them itself, after training Model on scaled
// rows, for example with Epochs. Every call returns ErrConfig for a Model that is a nil pointer or
// of another package, for sparse rows with a Scaling, and for dense rows with a Width. Every call
// but Fit also returns it if Labels do not fit the classes of Model. Fit, Update, Load and
// unmarshalling require exclusive use; other calls only read. A copy of the struct shares Model;
// use Clone.
type Classifier[R []float64 | Sparse] struct {
	// Model calls the labels 0, 1, …; a binary model calls them −1 and +1. Fit and Update set a nil
	// Model to &Multiclass{Binary: &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}}.
	Model   Model
	Labels  []string // Fit sorts them, and Update appends new ones
	Scaling Scaling  // of dense rows; Fit computes it
	Raw     bool     // dense rows are used as they are: Fit leaves Scaling zero
	// Width is that of sparse rows, as in SparseModel. In Fit, 0 means the highest index plus 1:
	// set it if the rows come from others, because the memory is in proportion to it.
	Width int
}

// Fit sets Labels and Scaling, and trains Model from scratch on scaled copies of the rows, in O(nd)
// memory; sparse rows and Raw need no copies. The errors are those of [Standardize] and of Model's
// Fit, and ErrLabel for a label that is not UTF-8 and for a third label of a binary Model. Errors
// change nothing.
func (c *Classifier[R]) Fit(X []R, labels []string) (Result, error) {
	if err := cmp.Or(c.checkFields(),
		require(len(X) == len(labels), ErrDimension, "len(X) is %d, but len(labels) is %d", len(X), len(labels))); err != nil {
		return Result{}, err
	}
	d := Classifier[R]{Model: c.Model, Raw: c.Raw, Width: c.Width}
	class := map[string]int{}
	for _, label := range labels {
		class[label] = 0
	}
	for k, label := range slices.Sorted(maps.Keys(class)) {
		if err := d.add(label); err != nil {
			return Result{}, err
		}
		class[label] = d.class(k)
	}
	y := make([]int, len(labels))
	for i, label := range labels {
		y[i] = class[label]
	}
	r, err := d.fit(X, y)
	if err == nil {
		*c = d
	}
	return r, err
}

// fit computes the scaling, and trains the model.
func (c *Classifier[R]) fit(rows []R, y []int) (r Result, err error) {
	if X, ok := any(rows).([]Sparse); ok {
		width := c.Width
		for _, x := range X {
			if n := len(x.Index); c.Width == 0 && n > 0 {
				width = max(width, int(min(uint64(x.Index[n-1])+1, math.MaxInt)))
			}
		}
		return SparseModel{c.Model, width}.Fit(X, y)
	}
	X := any(rows).([][]float64)
	if !c.Raw {
		if c.Scaling, err = Standardize(X); err != nil {
			return Result{}, err
		}
		if X, err = c.Scaling.ApplyAll(X); err != nil {
			return Result{}, err
		}
	}
	return c.Model.Fit(X, y)
}

// Update learns one example, as Model's Update does, on the scaled row. The label may be new.
// Update does not change Scaling: without a Fit before, set it, or give features of similar sizes.
// Give the examples in a mixed order: after many rows of one label, the model forgets the others. A
// Batch is ErrConfig. Errors change nothing.
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
	if row, ok := any(x).(Sparse); ok {
		updated, err = SparseModel{d.Model, d.Width}.Update(row, d.class(k))
	} else if m, ok := d.Model.(Learner); ok {
		err = d.scaled(x, func(z []float64) (err error) { updated, err = m.Update(z, d.class(k)); return err })
	} else {
		err = fmt.Errorf("%w: a %T has no Update", ErrConfig, d.Model)
	}
	if err == nil {
		*c = d
	}
	return updated, err
}

// add appends a new label. It sets Model if it is nil.
func (c *Classifier[R]) add(label string) error {
	if c.Model == nil {
		c.Model = &Multiclass{Binary: &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	}
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

// Predict returns the label of x, in the time that Model's Predict takes, and O(d) to scale x. It
// allocates nothing. If a binary Model has seen only one label, Predict always returns it. The
// errors are those of Model's Predict, and ErrConfig for a Scaling that [Scaling.Apply] rejects.
func (c *Classifier[R]) Predict(x R) (label string, err error) {
	if err := c.checkTrained(); err != nil {
		return "", err
	}
	k := 0
	if row, ok := any(x).(Sparse); ok {
		k, err = SparseModel{c.Model, c.Width}.Predict(row)
	} else {
		err = c.scaled(x, func(z []float64) (err error) { k, err = c.Model.Predict(z); return err })
	}
	if err != nil {
		return "", err
	}
	if _, binary := c.Model.(Binary); binary {
		k = min((k+1)/2, len(c.Labels)-1)
	}
	return c.Labels[k], nil
}

// checkTrained returns an error unless c can predict.
func (c *Classifier[R]) checkTrained() error {
	if err := c.check(); err != nil {
		return err
	}
	if len(c.Labels) == 0 {
		return fmt.Errorf("%w: the Classifier has no labels", ErrUntrained)
	}
	return nil
}

// check returns an error if the fields contradict each other. It takes O(1): Predict calls it.
func (c *Classifier[R]) check() error {
	if err := c.checkFields(); err != nil {
		return err
	}
	n := len(c.Labels)
	if c.Model == nil || c.Model.learned().Trained() != nil {
		if n > 0 {
			return fmt.Errorf("%w: %d labels, but Model is untrained", ErrConfig, n)
		}
		return nil
	}
	if e := c.Model.learned(); !e.Many() {
		if n < 1 || n > 2 {
			return fmt.Errorf("%w: %d labels, but Model has 2 classes", ErrConfig, n)
		}
	} else if k := e.Classes(); len(k) != n || k[0] != 0 || k[n-1] != n-1 { // they ascend
		return fmt.Errorf("%w: %d labels, but Model has %d classes, from %d to %d", ErrConfig, n, len(k), k[0], k[len(k)-1])
	}
	return nil
}

// checkFields returns an error if a field makes no sense for rows of the type R.
func (c *Classifier[R]) checkFields() error {
	_, sparse := any(*new(R)).(Sparse)
	switch {
	case c.Model != nil && !isModel(c.Model):
		return fmt.Errorf("%w: Model is a %T, want a non-nil model of this package", ErrConfig, c.Model)
	case sparse && len(c.Scaling.Mean)+len(c.Scaling.Scale) > 0:
		return fmt.Errorf("%w: a Scaling of %d features, want none for sparse rows", ErrConfig, len(c.Scaling.Mean))
	case !sparse && c.Width != 0:
		return fmt.Errorf("%w: Width is %d, want 0 for dense rows", ErrConfig, c.Width)
	}
	return nil
}

// Scores appends the score of each label to dst, in the order of Labels, and returns the extended
// slice. A binary Model has one score, at least 0 for the second label. The errors are those of
// Predict, and leave dst unchanged.
func (c *Classifier[R]) Scores(dst []float64, x R) ([]float64, error) {
	if err := c.checkTrained(); err != nil {
		return dst, err
	}
	if row, ok := any(x).(Sparse); ok {
		return SparseModel{c.Model, c.Width}.Scores(dst, row)
	}
	scores := dst
	err := c.scaled(x, func(z []float64) (err error) {
		switch m := c.Model.(type) {
		case interface {
			Scores(dst, x []float64) ([]float64, error)
		}:
			scores, err = m.Scores(dst, z)
		case Binary:
			scores, err = appendScores(dst, 1, func(int) (float64, error) { return m.Score(z) })
		}
		return err
	})
	return scores, err
}

// scratch has memory for scaled rows.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

// scaled calls use with the scaled row, in memory that use must not keep. An element that is not
// finite stays so, and use finds it.
func (c *Classifier[R]) scaled(row R, use func(z []float64) error) error {
	x, mean, scale := any(row).([]float64), c.Scaling.Mean, c.Scaling.Scale
	if len(mean) == 0 && len(scale) == 0 {
		return use(x)
	}
	if len(mean) != len(x) || len(scale) != len(x) {
		return c.Scaling.check(len(x))
	}
	memory := scratch.Get().(*[]float64)
	z := append((*memory)[:0], x...)
	positive := true
	for j, v := range scale {
		z[j], positive = (z[j]-mean[j])/v, positive && v > 0 && v <= math.MaxFloat64
	}
	if !positive {
		return c.Scaling.check(len(x))
	}
	err := use(z)
	*memory = z
	scratch.Put(memory)
	if err != nil { // perhaps because a mean is not finite
		return cmp.Or(c.Scaling.check(len(x)), err)
	}
	return nil
}

// Clone returns a deep copy. Training either does not change the other.
func (c *Classifier[R]) Clone() *Classifier[R] {
	d := *c
	d.Labels, d.Scaling = slices.Clone(c.Labels), Scaling{slices.Clone(c.Scaling.Mean), slices.Clone(c.Scaling.Scale)}
	if m, ok := c.Model.(model); ok && isModel(m) {
		d.Model = clone(m)
	}
	return &d
}

// Save writes the binary form to a file, as the function [Save] does.
func (c *Classifier[R]) Save(path string) error { return save(path, c) }

// Load replaces c by what Save wrote, or by the JSON form. The errors are those of [Load], and so
// is its warning about MaxEpochs. A file of sparse rows with Width 0 also loads as one of dense
// rows.
func (c *Classifier[R]) Load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var form savedClassifier
	if err := saved.ReadFile(f, &form, func() error { return c.restore(&form) }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// savedClassifier is the saved form of a Classifier.
type savedClassifier struct {
	Version int          `json:"classifier"`
	Raw     bool         `json:"raw"`
	Width   int          `json:"width"`
	Labels  []saved.Text `json:"labels"`
	Mean    []float64    `json:"mean"`
	Scale   []float64    `json:"scale"`
	Model   *savedModel  `json:"model,omitempty"`
}

// MarshalBinary returns the JSON form in a frame.
func (c Classifier[R]) MarshalBinary() ([]byte, error) { return saved.AppendFrame(nil, c) }

// UnmarshalBinary replaces c by what MarshalBinary wrote.
func (c *Classifier[R]) UnmarshalBinary(data []byte) error {
	var form savedClassifier
	return saved.ReadFrame(data, &form, func() error { return c.restore(&form) })
}

// MarshalJSON returns an object with the fields. Contradictions are ErrConfig.
func (c Classifier[R]) MarshalJSON() ([]byte, error) {
	form := savedClassifier{version, c.Raw, c.Width, []saved.Text{}, listed(c.Scaling.Mean), listed(c.Scaling.Scale), nil}
	for _, label := range c.Labels {
		form.Labels = append(form.Labels, saved.Text(label))
	}
	err := c.validate()
	if err == nil && c.Model != nil {
		form.Model, err = saveModel(c.Model.(model))
	}
	return saved.JSON(form, err)
}

// UnmarshalJSON replaces c by what MarshalJSON wrote. Labels must be spelled as package
// encoding/json spells them.
func (c *Classifier[R]) UnmarshalJSON(data []byte) error {
	var form savedClassifier
	return saved.ReadJSON(data, &form, func() error { return c.restore(&form) })
}

// restore replaces c by the Classifier that s is the saved form of.
func (c *Classifier[R]) restore(s *savedClassifier) (err error) {
	d := Classifier[R]{Raw: s.Raw, Width: s.Width, Scaling: Scaling{s.Mean, s.Scale}}
	if len(s.Labels) > 0 {
		d.Labels = make([]string, len(s.Labels))
	}
	for k, label := range s.Labels {
		d.Labels[k] = string(label)
	}
	if s.Model != nil {
		var m model
		m, err = s.Model.model()
		d.Model = m
	}
	if err = cmp.Or(
		saved.Expect(s.Version == version, "classifier", "version %d, want %d", s.Version, version),
		saved.At(".model", err),
	); err == nil {
		err = saved.At("", d.validate())
	}
	if err == nil {
		*c = d
	}
	return err
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
	sorted, mean := slices.Sorted(slices.Values(c.Labels)), len(c.Scaling.Mean)
	return cmp.Or(
		require(len(slices.Compact(sorted)) == len(c.Labels), ErrConfig, "a label is repeated"),
		require(!slices.ContainsFunc(c.Labels, func(s string) bool { return !utf8.ValidString(s) }), ErrLabel, "a label is not UTF-8"),
		require(mean == 0 || width == 0 || mean == width, ErrDimension, "%d means for rows of %d features", mean, width),
		c.Scaling.check(mean),
		require(c.Width >= 0 && (c.Width == 0 || width == 0 || c.Width == width), ErrDimension, "Width is %d, but Model has %d", c.Width, width),
	)
}
