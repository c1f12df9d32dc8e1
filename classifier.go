package perceptron

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// A Classifier predicts labels that are strings, from rows that are []float64 or [Sparse]. It holds
// labels, scaling and model in one value, and saves them in one file. The zero value scales rows;
// begin with it.
//
// Fit sets Labels and Scaling, and Update adds new labels. A program may also set them after
// training Model on scaled rows, for example with Epochs. ErrConfig is for a nil Classifier (whose
// Marshal… panic), for a Scaling with sparse rows, a Width with dense rows, and Labels that are not
// the classes of Model, except in Fit. Update and saving also reject a repeated label. Loading
// returns ErrFormat instead. Fit, Update, Load and unmarshalling require exclusive use. A copy of
// the struct shares Model; use Clone.
type Classifier[R Row] struct {
	// Model calls the labels 0, 1, …; a binary model calls them −1 and +1. Fit and Update set a nil
	// Model to a Multiclass whose Binary is a Margin with Threshold θ, Keep Average, Order Shuffled and
	// MaxEpochs 20. θ is d + 1, or 2 for sparse rows: the mean of ‖(z, 1)‖² over scaled rows z, if no
	// feature is constant and no row is 0. If nothing scales the rows, Binary is an Online instead. A
	// later Fit chooses Model again, unless its fields were changed. docs/benchmarks.md has the reasons.
	Model   Model
	Labels  []string // Fit sorts them, and Update appends new ones
	Scaling Scaling  // of dense rows; Fit computes it
	Raw     bool     // rows are used as they are. If false, Scaling applies, and sparse rows are divided by ‖x‖
	// Width is that of sparse rows, as in SparseModel: indexes are below it, and it decides the memory.
	// 0 means Model's, and in Fit the highest index plus 1. Set it if later rows may have higher ones.
	Width int

	chosen train.Config // the fields of the Model that the method choose made, for isChosen
}

// Fit sets Labels and Scaling, and trains Model from scratch on scaled copies of the rows. The errors
// are those of [Standardize] and of Model's Fit, and ErrLabel for a label that is not UTF-8 and for
// a third label of a binary Model.
func (c *Classifier[R]) Fit(X []R, labels []string) (Result, error) {
	if err := cmp.Or(c.checkFields(),
		require(len(X) == len(labels), ErrDimension, "len(X) is %d, but len(labels) is %d", len(X), len(labels))); err != nil {
		return Result{}, err
	}
	d := Classifier[R]{Model: c.Model, Raw: c.Raw, Width: c.Width}
	if c.isChosen() {
		d.Model = nil
	}
	known, y := map[string]bool{}, make([]int, len(labels))
	for i, label := range labels {
		if !known[label] {
			if err := d.add(label); err != nil {
				return Result{}, &ExampleError{i, err}
			}
			known[label] = true
		}
	}
	slices.Sort(d.Labels)
	for i, label := range labels {
		k, _ := slices.BinarySearch(d.Labels, label)
		y[i] = d.class(k)
	}
	if len(d.Labels) == 1 && !d.binary() {
		return Result{}, fmt.Errorf("%w: every label is %q, want at least two classes", ErrLabel, labels[0])
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
		c.choose()
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
	c.choose()
	return c.Model.Fit(Z, y)
}

// choose sets a nil Model to the default that the field Model documents. theta is the mean of
// ‖(z, 1)‖² over scaled rows z. Without scaling that mean is not known, so the rule is Online's.
func (c *Classifier[R]) choose() {
	if c.Model != nil {
		return
	}
	theta := float64(len(c.Scaling.Mean) + 1)
	if c.sparse() {
		theta = 2
	}
	m := &Multiclass{Binary: &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	if theta > 1 && !c.Raw {
		m.Binary = &Margin{Threshold: theta, Keep: Average, Order: Shuffled, MaxEpochs: 20}
	}
	c.Model = m
	c.chosen, _, _ = m.config()
}

// isChosen reports whether choose made Model, and no field of Model has changed since.
func (c *Classifier[R]) isChosen() bool {
	m, ok := c.Model.(model)
	if !ok {
		return false
	}
	config, _, _ := m.config()
	return config == c.chosen
}

// sparse reports whether rows are sparse.
func (c *Classifier[R]) sparse() bool {
	_, sparse := any(*new(R)).(Sparse)
	return sparse
}

// appendUnit appends v/‖v‖ to dst. It appends v itself if ‖v‖ is 0 or not finite: the model then
// reports the element that is not finite.
func appendUnit(dst, v []float64) []float64 {
	all := append(dst, v...)
	unit := all[len(dst):]
	norm, e := vec.ScaledNorm(v)
	if norm == 0 || !vec.IsFinite(norm) {
		return all
	}
	for k, x := range unit {
		if e != 0 {
			x = math.Ldexp(x, -e)
		}
		unit[k] = x / norm
	}
	return all
}

// Update trains Model with the scaled row, as Model's Update does. The label may be new. Update
// does not change Scaling: before the first Fit, set it, or give features similar sizes. Mix the
// order of the labels: after many rows of one label, the model forgets the others. A Batch is
// ErrConfig.
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
	} else if slices.Contains(c.Labels[k+1:], label) {
		return false, require(false, ErrConfig, "label %q is repeated", label)
	}
	d.choose()
	z, memory, err := d.scaled(x)
	if err != nil {
		return false, err
	}
	if row, ok := any(z).(Sparse); ok {
		updated, err = SparseModel{d.Model, d.Width}.Update(row, d.class(k))
	} else if m, ok := d.Model.(Learner); ok {
		updated, err = m.Update(any(z).([]float64), d.class(k))
	} else {
		err = require(false, ErrConfig, "a Batch has no Update")
	}
	if release(memory); err == nil {
		*c = d
	}
	return updated, err
}

// add appends a new label. It returns an error if the label is not valid, and then Labels has it
// too.
func (c *Classifier[R]) add(label string) error {
	c.Labels = append(c.Labels, strings.Clone(label)) // a copy: label may share the memory of a whole file
	return cmp.Or(
		require(utf8.ValidString(label), ErrLabel, "label %q, want UTF-8", label),
		require(!c.binary() || len(c.Labels) <= 2, ErrLabel, "%q is the third label, but a %T learns two", label, c.Model))
}

// binary reports whether Model has two classes.
func (c *Classifier[R]) binary() bool {
	_, binary := c.Model.(Binary)
	return binary
}

// class returns Model's class for the k-th label.
func (c *Classifier[R]) class(k int) int {
	if c.binary() {
		return 2*k - 1
	}
	return k
}

// Predict returns the label of x. It allocates only as [SparseModel.Predict] does. If there is only
// one label, it returns that label. The errors are those of Model's Predict and [Scaling.Apply].
func (c *Classifier[R]) Predict(x R) (label string, err error) {
	z, memory, err := c.read(x)
	if err != nil {
		return "", err
	}
	k := 0
	if row, ok := any(z).(Sparse); ok {
		k, err = SparseModel{c.Model, c.Width}.Predict(row)
	} else {
		k, err = c.Model.Predict(any(z).([]float64))
	}
	if release(memory); err != nil {
		return "", err
	}
	return c.label(k), nil
}

// label returns the label that a class predicted by Model stands for: it undoes the method class.
// There is one exception: a binary Model that has learned only one label may predict +1. Then label
// returns that one label.
func (c *Classifier[R]) label(class int) string {
	if !c.Model.learned().Many() {
		class = min((class+1)/2, len(c.Labels)-1)
	}
	return c.Labels[class]
}

// Scores appends the score of each label to dst, in the order of Labels. A binary Model has one
// score, at least 0 for the second label. The errors are Predict's, and leave dst unchanged.
func (c *Classifier[R]) Scores(dst []float64, x R) ([]float64, error) {
	z, memory, err := c.read(x)
	if err != nil {
		return dst, err
	}
	if row, ok := any(z).(Sparse); ok {
		dst, err = SparseModel{c.Model, c.Width}.Scores(dst, row)
	} else {
		dst, err = scores(c.Model.learned(), dst, any(z).([]float64))
	}
	release(memory)
	return dst, err
}

// read returns the scaled row, as the method scaled does, or an error if c cannot predict.
func (c *Classifier[R]) read(x R) (z R, memory *[]float64, err error) {
	if err := c.check(); err != nil {
		return x, nil, err
	}
	if len(c.Labels) == 0 {
		return x, nil, fmt.Errorf("%w: the Classifier has no labels", ErrUntrained)
	}
	return c.scaled(x)
}

// check returns an error if the fields contradict each other. It takes O(1) and allocates nothing:
// Predict calls it.
func (c *Classifier[R]) check() error {
	if err := c.checkFields(); err != nil {
		return err
	}
	n, fit := len(c.Labels), len(c.Labels) == 0
	if c.Model != nil {
		if e := c.Model.learned(); e.Trained() == nil && e.Many() {
			k := e.Classes() // they ascend
			fit = len(k) == n && k[0] == 0 && k[n-1] == n-1
		} else if e.Trained() == nil {
			fit = n == 1 || n == 2
		}
	}
	return require(fit, ErrConfig, "Labels do not fit the classes that Model has learned")
}

// checkFields returns an error if a field makes no sense for rows of the type R.
func (c *Classifier[R]) checkFields() error {
	switch sparse := c.sparse(); {
	case c == nil:
		return train.ErrNil
	case c.Model != nil && !isModel(c.Model):
		return require(false, ErrConfig, "Model is a nil pointer, or of another package")
	case sparse && c.scales():
		return require(false, ErrConfig, "a Scaling is for dense rows alone")
	case !sparse && c.Width != 0 || c.Width < 0 || c.Width > widest:
		return require(false, ErrConfig, "Width is %d, want 0 to %d, and 0 for dense rows", c.Width, widest)
	}
	return nil
}

// scales reports whether there is a Scaling.
func (c *Classifier[R]) scales() bool { return len(c.Scaling.Mean)+len(c.Scaling.Scale) > 0 }

// changes reports whether a scaled row differs from the row.
func (c *Classifier[R]) changes() bool { return !c.Raw && (c.sparse() || c.scales()) }

// scratch has memory for scaled rows.
var scratch = sync.Pool{New: func() any { return new([]float64) }}

// scaled returns the scaled row. If it differs from x, it is in memory from scratch, which scaled
// returns too and the caller releases.
func (c *Classifier[R]) scaled(x R) (z R, memory *[]float64, err error) {
	if !c.changes() {
		return x, nil, nil
	}
	memory = scratch.Get().(*[]float64)
	z, *memory, err = c.appendScaled((*memory)[:0], x)
	return z, memory, err
}

// release gives memory back to scratch, unless it is nil.
func release(memory *[]float64) {
	if memory != nil {
		scratch.Put(memory)
	}
}

// appendScaled returns the scaled row z. If z differs from x, its elements are appended to dst, and
// z shares the memory of the extended slice, all.
func (c *Classifier[R]) appendScaled(dst []float64, x R) (z R, all []float64, err error) {
	if !c.changes() {
		return x, dst, nil
	}
	if row, ok := any(x).(Sparse); ok {
		all = appendUnit(dst, row.Value)
		return any(Sparse{row.Index, all[len(dst):]}).(R), all, nil
	}
	all, err = c.Scaling.Apply(dst, any(x).([]float64))
	return any(all[len(dst):]).(R), all, err
}

// Clone returns a deep copy.
func (c *Classifier[R]) Clone() *Classifier[R] {
	if c == nil {
		return nil
	}
	d := *c
	d.Labels, d.Scaling = slices.Clone(c.Labels), Scaling{slices.Clone(c.Scaling.Mean), slices.Clone(c.Scaling.Scale)}
	if m, ok := c.Model.(model); ok && isModel(m) {
		d.Model = clone(m)
	}
	return &d
}
