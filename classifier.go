package perceptron

import (
	"cmp"
	"fmt"
	"slices"
)

// A Classifier predicts labels that are strings, from rows that are []float64 or [Sparse]. It holds
// labels, scaling and model in one value, and saves them in one file. The zero value scales rows;
// begin with it.
//
// Fit, and the first Epochs, set Labels, Scaling and Model. Learn, Update and a later Epochs keep Scaling
// and add new labels. A program may also set the fields after training Model on scaled rows. If mistakes
// on a rare label cost more, repeat its rows. To prefer a label, add a constant to its score in Scores, and
// take the label with the highest sum, or, of a binary Model's one score, its sign.
//
// Calls return ErrConfig if the Classifier is nil (its Marshal methods panic), if Scaling or Waves are set
// and rows are sparse, if Width is set and rows are dense, and, except in Fit, if Labels do not match the
// classes of Model. Training and saving also reject a repeated label. Loading returns ErrFormat instead.
// Training, Load and unmarshalling require exclusive use: in the body of Epochs and in the iterator of
// Learn, they return ErrConfig. A copy of a trained struct by value cannot be trained further: use Clone.
type Classifier[R Row] struct {
	// Model calls the labels 0, 1, …; a binary model calls them −1 and +1. Fit and Update set a nil
	// Model to a Multiclass whose Binary is a Margin with Threshold θ, Keep Average, Order Shuffled and
	// MaxEpochs 20. θ is d + 1, or 2 for sparse rows: the mean of ‖(z, 1)‖² over scaled rows z, if no
	// feature is constant and no row is 0. If nothing scales the rows, Binary is an Online instead. A
	// later Fit chooses θ again, unless Threshold was changed. docs/benchmarks.md has the reasons. Training
	// changes Model: give each Classifier its own.
	Model   Model
	Labels  []string // Fit sorts them; later calls append new ones
	Scaling Scaling  // of dense rows; Fit computes it
	// Waves of scaled dense rows let borders bend: try a Count of 300. Prediction then takes microseconds,
	// and weights no longer belong to columns. The zero value keeps borders straight. Choose by accuracy on
	// other rows: some tables gain much, many little, and a few lose. The default θ is 8/3 with waves.
	// After training, another value is ErrConfig, except in Fit.
	Waves Waves
	Raw   bool // rows are used as they are. If false, Scaling applies, and sparse rows are divided by ‖x‖
	// Width is that of sparse rows, as in SparseModel: indexes are below it, and it decides the memory.
	// 0 means the width of the trained Model; in Fit, it means the highest index plus 1. Set it if later
	// rows may have higher indexes.
	Width int

	// chosen is the Model that the method choose made, with the Threshold theta.
	chosen Model
	theta  float64
	// owner points to this Classifier after training. In a copy of the struct, it points to the original.
	// training does so during Epochs and Learn.
	owner, training *Classifier[R]
	// mapped is the Model after training or loading, and bent the Waves that mapped its rows.
	mapped Model
	bent   Waves
	// distinct has the Labels in which an Update has found no repetition.
	distinct []string
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

// Hyperplane returns the hyperplane of a label for raw rows: the Scaling is folded in. Its score is the
// label's in Scores, up to rounding. If Model is binary, the second label has Model's hyperplane, and the
// first label has its negative. If sparse rows are scaled to length 1 (Raw is false), the score of a row x
// is ⟨w, x⟩/‖x‖ + b. The largest weights belong to the words or columns that speak most for the label. Hyperplane
// returns ErrLabel for an unknown label, ErrUntrained before any example, and ErrConfig with Waves: bent
// borders are no hyperplane of raw rows.
func (c *Classifier[R]) Hyperplane(label string) (Hyperplane, error) {
	if err := c.check(); err != nil {
		return Hyperplane{}, err
	}
	if c.Model == nil || c.Model.learned().Trained() != nil {
		return Hyperplane{}, errNoLabels
	}
	if c.Waves.Count > 0 {
		return Hyperplane{}, require(false, ErrConfig, "with Waves, borders bend, and no hyperplane of raw rows has them")
	}
	k, e := slices.Index(c.Labels, label), c.Model.learned()
	if k < 0 {
		return Hyperplane{}, fmt.Errorf("%w: %s is not among the labels", ErrLabel, short(label))
	}
	if e.Many() {
		return c.unscaled(hyperplaneOf(e.Vector(k)))
	}
	h := hyperplaneOf(e.Vector(0))
	if k == 0 {
		for j, v := range h.Weights {
			h.Weights[j] = 0 - v
		}
		h.Bias = 0 - h.Bias
	}
	return c.unscaled(h)
}

// unscaled returns the hyperplane for raw rows.
func (c *Classifier[R]) unscaled(h Hyperplane) (Hyperplane, error) {
	if !c.Raw && c.scales() {
		return c.Scaling.Unscale(h)
	}
	return h, nil
}

// Seen returns the number of examples that Model has seen in training: see [Online.Seen].
func (c *Classifier[R]) Seen() int64 {
	if !isModel(c.Model) {
		return 0
	}
	_, _, seen, _ := c.Model.learned().Summary()
	return seen
}

// errNoLabels is the error for a read of a Classifier that has no labels.
var errNoLabels = fmt.Errorf("%w: the Classifier has no labels", ErrUntrained)

// read returns the scaled row, as the method scaled does, or an error if c cannot predict.
func (c *Classifier[R]) read(x R) (z R, memory *[]float64, err error) {
	if err := c.check(); err != nil {
		return x, nil, err
	}
	if len(c.Labels) == 0 {
		return x, nil, errNoLabels
	}
	return c.scaled(x)
}

// check returns an error if the fields contradict each other. It takes O(1) and allocates nothing:
// Predict calls it.
func (c *Classifier[R]) check() error {
	if err := c.checkFields(); err != nil {
		return err
	}
	n, classes, fit := len(c.Labels), 0, len(c.Labels) == 0
	if c.Model != nil {
		e := c.Model.learned()
		trained := e.Trained() == nil
		if trained && e.Many() {
			k := e.Classes() // they ascend
			classes, fit = len(k), len(k) == n && k[0] == 0 && k[n-1] == n-1
		} else if trained {
			classes, fit = 2, n == 1 || n == 2
		}
		if trained && c.Waves != c.bent && max(c.Waves.Count, c.bent.Count) > 0 && c.Model == c.mapped {
			return require(false, ErrConfig, "Waves is %+v, but training began with %+v; Fit starts from scratch", c.Waves, c.bent)
		}
	}
	if !fit {
		return require(false, ErrConfig, "Labels (%d) do not fit the classes that Model has learned (%d)", n, classes)
	}
	return nil
}

// checkResume is check for a call that continues training: it also rejects a copy by value, and labels
// that repeat.
func (c *Classifier[R]) checkResume() error {
	if err := cmp.Or(c.check(), c.checkIdle()); err != nil {
		return err
	}
	if c.copied() {
		return require(false, ErrConfig, "the Classifier was copied by value after training; use Clone for a copy that can be trained")
	}
	if n := len(c.Labels); n == len(c.distinct) && (n == 0 || &c.distinct[0] == &c.Labels[0]) {
		return nil // they were checked before
	}
	return c.checkDistinct()
}

// checkIdle returns an error if c is being trained: a call in the body of Epochs would be lost.
func (c *Classifier[R]) checkIdle() error {
	return require(c.training != c, ErrConfig, "the Classifier is being trained by an enclosing Epochs or Learn")
}

// checkDistinct returns an error if a label is repeated.
func (c *Classifier[R]) checkDistinct() error {
	known := indexes(c.Labels)
	for k, label := range c.Labels {
		if known[label] != k {
			return require(false, ErrConfig, "label %s is repeated", short(label))
		}
	}
	return nil
}

// checkFields returns an error if a field makes no sense for rows of the type R.
func (c *Classifier[R]) checkFields() error {
	switch sparse := c.sparse(); {
	case c.Model != nil && !isModel(c.Model):
		return require(false, ErrConfig, "Model is a nil pointer, or of another package")
	case sparse && c.scales():
		return require(false, ErrConfig, "a Scaling is for dense rows alone")
	case sparse && c.Waves != Waves{}:
		return require(false, ErrConfig, "Waves are for dense rows alone: they would make each word a part of every wave")
	case !sparse && c.Width != 0 || c.Width < 0 || c.Width > mostWidth:
		return require(false, ErrConfig, "Width is %d, want 0 to %d, and 0 for dense rows", c.Width, mostWidth)
	}
	return c.Waves.check()
}

// sparse reports whether rows are sparse.
func (c *Classifier[R]) sparse() bool {
	_, sparse := any(*new(R)).(Sparse)
	return sparse
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

// scales reports whether there is a Scaling.
func (c *Classifier[R]) scales() bool { return len(c.Scaling.Mean)+len(c.Scaling.Scale) > 0 }

// changes reports whether a row is changed before Model gets it: scaled, mapped by Waves, or both.
func (c *Classifier[R]) changes() bool {
	return !c.Raw && (c.sparse() || c.scales()) || c.Waves.Count > 0
}

// scaled returns the row as Model gets it: scaled, and mapped by Waves. If it differs from x, it is in
// memory from scratch, which scaled returns too and the caller releases.
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

// scaledAll returns scaled copies of the rows. Copies of dense rows are adjacent in memory.
func (c *Classifier[R]) scaledAll(X []R) ([]R, error) {
	if Z, ok := any(X).([][]float64); ok && !c.Raw && c.scales() {
		all, err := c.Scaling.ApplyAll(Z)
		return any(all).([]R), err
	}
	Z := slices.Clone(X)
	for i, x := range X {
		if row, ok := any(x).(Sparse); ok && !c.Raw {
			Z[i] = any(Sparse{row.Index, appendUnit(nil, row.Value)}).(R)
		}
	}
	return Z, nil
}

// appendScaled returns the row z as Model gets it. If z differs from x, its elements are appended to dst,
// and z shares the memory of the extended slice, all.
func (c *Classifier[R]) appendScaled(dst []float64, x R) (z R, all []float64, err error) {
	if !c.changes() {
		return x, dst, nil
	}
	if row, ok := any(x).(Sparse); ok {
		all = appendUnit(dst, row.Value)
		return any(Sparse{row.Index, all[len(dst):]}).(R), all, nil
	}
	row, all := any(x).([]float64), dst
	if !c.Raw {
		all, err = c.Scaling.Apply(dst, row)
		row = all[len(dst):]
	}
	if n := len(all); err == nil && c.Waves.Count > 0 {
		if err := c.checkWidth(len(row)); err != nil {
			return x, dst, err
		}
		all, err = c.Waves.Apply(all, row)
		row = all[n:]
	}
	return any(row).(R), all, err
}

// checkWidth returns an error if Model has not learned rows of d features with Waves. Model's own error would
// count the waves.
func (c *Classifier[R]) checkWidth(d int) error {
	if c.Model != nil && c.Waves.Count > 0 {
		_, width, _, _ := c.Model.learned().Summary()
		if own := width - c.Waves.Count; own > 0 && d > 0 && d != own {
			return fmt.Errorf("%w: width %d, want %d", ErrDimension, d, own)
		}
	}
	return nil
}

// Clone returns a deep copy.
func (c *Classifier[R]) Clone() *Classifier[R] {
	d := *c
	d.Labels, d.Scaling = slices.Clone(c.Labels), Scaling{slices.Clone(c.Scaling.Mean), slices.Clone(c.Scaling.Scale)}
	if m, ok := c.Model.(model); ok && isModel(m) {
		if d.Model = clone(m); c.chosen == c.Model {
			d.chosen = d.Model
		}
		if c.mapped == c.Model {
			d.mapped = d.Model
		}
	}
	d.owner, d.training, d.distinct = nil, nil, nil
	d.own()
	return &d
}

// short returns a label in quotes, and of a long one the beginning.
func short(label string) string {
	const most = 40
	if len(label) <= most {
		return fmt.Sprintf("%q", label)
	}
	return fmt.Sprintf("%q… (%d bytes)", label[:most], len(label))
}

// own makes c the owner of a Model that may be trained: a copy of the struct by value must not train it.
func (c *Classifier[R]) own() {
	if c.Model != nil {
		c.owner = c
	}
}

// copied reports whether c is a copy by value of a Classifier that was trained.
func (c *Classifier[R]) copied() bool { return c.owner != nil && c.owner != c }

// indexes returns the index of each label.
func indexes(labels []string) map[string]int {
	at := make(map[string]int, len(labels))
	for k, label := range labels {
		at[label] = k
	}
	return at
}
