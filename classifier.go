package perceptron

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"perceptron/internal/saved"
)

// A Classifier predicts labels that are strings, from rows that are []float64 or [Sparse]. It learns labels,
// scaling and model together, and saves them in one file. The zero value scales rows; begin with it. The
// fields are options: training reads them when it begins, in Fit and in the first Epochs, Learn or Update,
// and never changes them. Loading sets them to those of the file.
//
// If mistakes on a rare label cost more, repeat its rows. To prefer a label, add a constant to its score in
// Scores, and take the label with the highest sum, or, of a binary Model's one score, its sign. A copy of the
// struct by value shares what was learned: use Clone.
type Classifier[R Row] struct {
	// Model has the fields of the model that is trained, which is a copy. nil stands for a Multiclass whose Binary is a
	// Margin with Threshold θ, Keep Average, Order Shuffled and MaxEpochs 20. θ is d + 1, or 2 for sparse rows. If
	// nothing scales the rows, Binary is an Online instead. docs/benchmarks.md has the reasons.
	Model Model
	// Scaling is for dense rows. The zero value stands for that of the rows of Fit or of the first Epochs, or of
	// the first 1000 rows of the first Learn. Before the first Update, set it.
	Scaling Scaling
	// Waves of scaled dense rows let borders bend where that helps: set a Count of 300, or 1000 for many rows. They see
	// each feature limited to the Range of the Scaling. Prediction then takes microseconds, and the default θ is 8/3.
	Waves Waves
	Raw   bool // rows are used as they are. If false, Scaling applies, and sparse rows are divided by ‖x‖
	// Width is that of sparse rows, as in SparseModel. In Fit, 0 means the highest index plus 1, rounded up to a power
	// of two. Before the first Learn or Update, set it.
	Width int

	now *fitted[R] // what was learned, or nil
}

// Predict returns the label of x. It allocates only as [SparseModel.Predict] does. If there is only one
// label, it returns that label.
func (c *Classifier[R]) Predict(x R) (label string, err error) {
	f := c.now
	z, memory, err := f.scaled(x)
	if err != nil {
		return "", err
	}
	k := 0
	if row, ok := any(z).(Sparse); ok {
		k, err = SparseModel{f.model, f.width}.Predict(row)
	} else {
		k, err = f.model.Predict(any(z).([]float64))
	}
	if release(memory); err != nil {
		return "", err
	}
	return f.label(k), nil
}

// Scores appends the score of each label to dst, in the order of Labels. A binary Model has one score, at
// least 0 for the second label.
func (c *Classifier[R]) Scores(dst []float64, x R) ([]float64, error) {
	f := c.now
	z, memory, err := f.scaled(x)
	if err != nil {
		return dst, err
	}
	if row, ok := any(z).(Sparse); ok {
		dst, err = SparseModel{f.model, f.width}.Scores(dst, row)
	} else {
		dst, err = scores(f.model.learned(), dst, any(z).([]float64))
	}
	release(memory)
	return dst, err
}

// Labels returns the labels of Fit, sorted, and then new ones as they came.
func (c *Classifier[R]) Labels() []string {
	if c.now == nil {
		return nil
	}
	return slices.Clone(c.now.labels)
}

// Hyperplane returns the hyperplane of a label for raw rows: its score is the label's in Scores, up to
// rounding. If Model is binary, the first label has the negative of the second. If sparse rows are scaled to
// length 1, the score of a row x is ⟨w, x⟩/‖x‖ + b. The largest weights belong to the features that speak
// most for the label. With Waves, it returns ErrConfig.
func (c *Classifier[R]) Hyperplane(label string) (Hyperplane, error) {
	f := c.now
	if f == nil {
		return Hyperplane{}, errNoLabels
	}
	k, e := slices.Index(f.labels, label), f.model.learned()
	if err := cmp.Or(
		require(f.waves.Count == 0, ErrConfig, "with Waves, borders bend, and no hyperplane of raw rows has them"),
		require(k >= 0, ErrLabel, "%s is not among the labels", short(label))); err != nil {
		return Hyperplane{}, err
	}
	h := hyperplaneOf(e.Vector(k % e.Planes()))
	if k == 0 && !e.Many() {
		for j, v := range h.Weights {
			h.Weights[j] = 0 - v
		}
		h.Bias = 0 - h.Bias
	}
	if f.scales() {
		return f.scaling.Unscale(h)
	}
	return h, nil
}

// Seen returns the number of examples seen in training: see [Online.Seen].
func (c *Classifier[R]) Seen() int64 {
	if c.now == nil {
		return 0
	}
	return seen(c.now.model.learned())
}

// Clone returns a deep copy.
func (c *Classifier[R]) Clone() *Classifier[R] {
	d := *c
	d.Scaling = c.Scaling.clone()
	if m, ok := c.Model.(model); ok && isModel(m) {
		d.Model = clone(m)
	}
	if c.now != nil {
		d.now = c.now.clone()
	}
	return &d
}

func (c Classifier[R]) String() string {
	if c.now == nil {
		return "Classifier: untrained"
	}
	return fmt.Sprintf("Classifier of %s: %v", saved.Count(len(c.now.labels), "label", "labels"), c.now.model)
}

// errNoLabels is the error for a read of a Classifier that has learned nothing.
var errNoLabels = fmt.Errorf("%w: the Classifier has no labels", ErrUntrained)

// check returns an error if a field makes no sense for rows of the type R.
func (c *Classifier[R]) check() error {
	switch sparse := isSparse[R](); {
	case c.Model != nil && !isModel(c.Model):
		return require(false, ErrConfig, "Model is a %T, want a non-nil model of this package", c.Model)
	case sparse && !c.Scaling.isZero():
		return require(false, ErrConfig, "a Scaling is for dense rows alone")
	case sparse && c.Waves != Waves{}:
		return require(false, ErrConfig, "Waves are for dense rows alone: they would make each word a part of every wave")
	case !sparse && c.Width != 0 || c.Width < 0 || c.Width > mostWidth:
		return require(false, ErrConfig, "Width is %d, want 0 to %d, and 0 for dense rows", c.Width, mostWidth)
	}
	return cmp.Or(c.Waves.check(), c.Scaling.check(len(c.Scaling.Mean)))
}

func isSparse[R Row]() bool {
	_, sparse := any(*new(R)).(Sparse)
	return sparse
}

// A fitted is what a Classifier has learned, and the fields with which its training began.
type fitted[R Row] struct {
	scaling Scaling // given, or computed from rows
	waves   Waves
	raw     bool
	width   int
	chosen  bool // Model was nil
	given   bool // Scaling was not zero
	model   model
	labels  []string // the model calls them 0, 1, …; a binary model calls them −1 and +1
	bent    *waveMap // maps scaled rows by waves; nil before the first row, or without waves
	since   int64    // examples seen when the last Fit or Epochs ended
}

// clone returns a deep copy.
func (f *fitted[R]) clone() *fitted[R] {
	d := *f
	d.scaling, d.model, d.labels = f.scaling.clone(), clone(f.model), slices.Clone(f.labels)
	return &d
}

// label returns the label that a class predicted by the model stands for. It is the inverse of class.
// There is one exception: a binary model that has learned only one label may predict +1. Then label
// returns that one label.
func (f *fitted[R]) label(class int) string {
	if !f.model.learned().Many() {
		class = min((class+1)/2, len(f.labels)-1)
	}
	return f.labels[class]
}

// class returns the model's class for the k-th label.
func (f *fitted[R]) class(k int) int {
	if f.binary() {
		return 2*k - 1
	}
	return k
}

func (f *fitted[R]) binary() bool {
	_, binary := f.model.(Binary)
	return binary
}

// know returns the index of a label, and appends a new one. It returns an error if the label is not valid, and
// then labels has it too.
func (f *fitted[R]) know(known map[string]int, label string) (k int, err error) {
	k, ok := known[label]
	if ok {
		return k, nil
	}
	k, known[label] = len(f.labels), len(f.labels)
	f.labels = append(f.labels, strings.Clone(label)) // a copy: label may share the memory of a whole file
	return k, cmp.Or(
		require(utf8.ValidString(label), ErrLabel, "label %s, want UTF-8", short(label)),
		require(!f.binary() || k < 2, ErrLabel, "%s is the third label, but a %T learns two; use Multiclass", short(label), f.model))
}

// classes returns the model's classes for the labels, and adds new labels. If there were none, they
// are sorted.
func (f *fitted[R]) classes(labels []string) ([]int, error) {
	first, known, y := len(f.labels) == 0, indexes(f.labels), make([]int, len(labels))
	for i, label := range labels {
		if _, err := f.know(known, label); err != nil {
			return nil, &ExampleError{i, err}
		}
	}
	if first {
		slices.Sort(f.labels)
		known = indexes(f.labels)
	}
	for i, label := range labels {
		y[i] = f.class(known[label])
	}
	return y, nil
}

func indexes(labels []string) map[string]int {
	at := make(map[string]int, len(labels))
	for k, label := range labels {
		at[label] = k
	}
	return at
}

// needsScaling reports whether dense rows need a Scaling that is not given.
func (f *fitted[R]) needsScaling() bool { return !isSparse[R]() && !f.raw && !f.given }

// scales reports whether there is a Scaling that applies.
func (f *fitted[R]) scales() bool { return !f.raw && !f.scaling.isZero() }

// changes reports whether a row is changed before the model gets it: scaled, mapped by Waves, or both.
func (f *fitted[R]) changes() bool {
	return !f.raw && isSparse[R]() || f.scales() || f.waves.Count > 0
}

// scaled returns the row as the model gets it: scaled, and mapped by Waves. If it differs from x, it is in
// memory from scratch, which scaled returns too and the caller releases.
func (f *fitted[R]) scaled(x R) (z R, memory *[]float64, err error) {
	if f == nil {
		return x, nil, errNoLabels
	}
	if !f.changes() {
		return x, nil, nil
	}
	memory = scratch.Get().(*[]float64)
	z, *memory, err = f.appendScaled((*memory)[:0], x)
	return z, memory, err
}

// release gives memory back to scratch, unless it is nil.
func release(memory *[]float64) {
	if memory != nil {
		scratch.Put(memory)
	}
}

// appendScaled returns the row z as the model gets it. If z differs from x, its elements are appended to
// dst, and z shares the memory of the extended slice, all.
func (f *fitted[R]) appendScaled(dst []float64, x R) (z R, all []float64, err error) {
	if !f.changes() {
		return x, dst, nil
	}
	if row, ok := any(x).(Sparse); ok {
		all = appendUnit(dst, row.Value)
		return any(Sparse{row.Index, all[len(dst):]}).(R), all, nil
	}
	row, all := any(x).([]float64), dst
	if f.scales() {
		all, err = f.scaling.Apply(dst, row)
		row = all[len(dst):]
	}
	if n := len(all); err == nil && f.waves.Count > 0 {
		if err = f.bend(row); err == nil {
			all, err = f.bent.apply(all, row)
		}
		row = all[n:]
	}
	return any(row).(R), all, err
}

// bend draws the waves before the first row z.
func (f *fitted[R]) bend(z []float64) (err error) {
	if f.bent != nil || len(z) == 0 {
		return require(len(z) > 0, ErrEmpty, "the row has no features")
	}
	f.bent = f.waves.draw(len(z))
	if r := f.scaling.Range; f.scales() && len(r[0]) > 0 {
		f.bent.limits, err = f.scaling.ApplyAll(r[:])
	}
	return err
}

// scaledAll returns copies of the rows as the model gets them: scaled, and mapped by Waves. Copies of dense rows
// are adjacent in memory.
func (f *fitted[R]) scaledAll(X []R) ([]R, error) {
	if Z, ok := any(X).([][]float64); ok && f.changes() {
		var err error
		if f.scales() {
			Z, err = f.scaling.ApplyAll(Z)
		}
		if err == nil && f.waves.Count > 0 && len(Z) > 0 {
			if err = f.bend(Z[0]); err != nil {
				return nil, &ExampleError{0, err}
			}
			Z, err = f.bent.applyAll(Z)
		}
		return any(Z).([]R), err
	}
	Z := slices.Clone(X)
	for i, x := range X {
		Z[i], _, _ = f.appendScaled(nil, x) // fails for dense rows alone
	}
	return Z, nil
}

// short returns a label in quotes, and of a long one the beginning.
func short(label string) string {
	const most = 40
	if len(label) <= most {
		return fmt.Sprintf("%q", label)
	}
	return fmt.Sprintf("%q… (%d bytes)", label[:most], len(label))
}
