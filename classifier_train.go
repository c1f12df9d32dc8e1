package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"perceptron/internal/train"
)

// How a Classifier is trained.

// Fit sets Labels and Scaling, and trains Model from scratch on scaled copies of the rows. Result.Rows is 0
// if Fit computes a Scaling: without one of the rows the Scaling would be another, so the theorem of
// Result.Rows does not apply. It is 0 with Waves, too: mapped rows take
// 8·(d + Count) bytes each. Fit returns the errors of [Standardize] and of
// Model's Fit. It returns ErrLabel for a label that is not UTF-8, for a third label of a binary Model, and
// for labels that are all equal, unless Model is binary.
func (c *Classifier[R]) Fit(X []R, labels []string) (Result, error) {
	d, set, err := c.begin(X, labels)
	if err == nil && len(d.Labels) == 1 && !d.binary() {
		err = fmt.Errorf("%w: every label is %s, want at least two classes", ErrLabel, short(labels[0]))
	}
	if err != nil {
		return Result{}, err
	}
	var r Result
	if Z, ok := any(set.X).([]Sparse); ok {
		r, err = SparseModel{d.Model, set.width}.Fit(Z, set.y)
	} else {
		r, err = fit(d.Model.(model), train.Rows{X: any(set.X).([][]float64)}, set.y)
	}
	if err == nil {
		c.become(&d)
	}
	if d.scales() || d.Waves.Count > 0 {
		r.Rows = 0
	}
	return r, err
}

// Epochs trains Model as Model's own Epochs does, on scaled copies of the rows, made when the range
// begins. If Model is untrained, it first sets Labels and Scaling, as Fit does. After a break or an error, c is
// as [Online.Epochs] says. The errors are those of Fit, but labels may be equal, and of Model's Epochs.
func (c *Classifier[R]) Epochs(X []R, labels []string) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		d, set, err := c.resume(X, labels)
		if err != nil {
			yield(Epoch{}, err)
			return
		}
		var epochs iter.Seq2[Epoch, error]
		if Z, ok := any(set.X).([]Sparse); ok {
			epochs = SparseModel{d.Model, set.width}.Epochs(Z, set.y)
		} else {
			epochs = runEpochs(d.Model.(model), train.Rows{X: any(set.X).([][]float64)}, set.y)
		}
		defer c.enter()()
		for e, err := range epochs {
			if err == nil {
				c.become(&d)
			}
			if !yield(e, err) {
				return
			}
			if c.training != c {
				yield(Epoch{}, errReplaced)
				return
			}
		}
	}
}

// errReplaced is the error if the body of Epochs or the iterator of Learn assigns to the Classifier.
var errReplaced = require(false, ErrConfig, "the Classifier was replaced while it was being trained")

// enter marks c as being trained until leave is called.
func (c *Classifier[R]) enter() (leave func()) {
	c.training = c
	return func() {
		if c.training == c {
			c.training = nil
		}
	}
}

// A labelledSet has rows as Model gets them, and Model's class for each. width is that of sparse rows.
type labelledSet[R Row] struct {
	X     []R
	y     []int
	width int
}

// setRows sets X to copies of the rows, scaled and mapped by Waves.
func (s *labelledSet[R]) setRows(c *Classifier[R], X []R) (err error) {
	if s.X, err = c.scaledAll(X); err == nil && c.Waves.Count > 0 && len(X) > 0 {
		var Z [][]float64
		Z, err = c.Waves.ApplyAll(any(s.X).([][]float64))
		s.X = any(Z).([]R)
	}
	return err
}

// begin returns a Classifier that is about to be trained from scratch, and what it is trained with.
func (c *Classifier[R]) begin(X []R, labels []string) (d Classifier[R], set labelledSet[R], err error) {
	if err = cmp.Or(c.checkFields(), c.checkIdle(), checkCounts(X, labels)); err != nil {
		return d, set, err
	}
	d = Classifier[R]{Model: c.Model, Waves: c.Waves, Raw: c.Raw, Width: c.Width}
	if c.copied() && c.Model != nil {
		d.Model = c.Model.(model).unlearned()
	}
	if set.y, err = d.classesOf(labels); err != nil {
		return d, set, err
	}
	if Z, ok := any(X).([][]float64); ok && !d.Raw {
		if d.Scaling, err = Standardize(Z); err != nil {
			return d, set, err
		}
	}
	d.choose(c.chosenFields())
	if err = set.setRows(&d, X); c.sparse() {
		set.width = cmp.Or(c.Width, highest(X)+1)
	}
	return d, set, err
}

// resume is begin for a Classifier that continues its training, or begins it if Model is untrained.
func (c *Classifier[R]) resume(X []R, labels []string) (d Classifier[R], set labelledSet[R], err error) {
	if !isModel(c.Model) || c.Model.learned().Trained() != nil {
		return c.begin(X, labels)
	}
	if err = cmp.Or(c.checkResume(), checkCounts(X, labels)); err != nil {
		return d, set, err
	}
	d, set.width = *c, c.Width
	d.Labels = slices.Clip(d.Labels) // an error must leave the memory of c.Labels as it was
	if set.y, err = d.classesOf(labels); err != nil {
		return d, set, err
	}
	if Z, ok := any(X).([][]float64); ok && len(Z) > 0 && d.checkWidth(len(Z[0])) != nil {
		return d, set, &ExampleError{0, d.checkWidth(len(Z[0]))}
	}
	err = set.setRows(&d, X)
	return d, set, err
}

// become makes c the trained Classifier d.
func (c *Classifier[R]) become(d *Classifier[R]) {
	training := c.training
	*c = *d
	c.training, c.mapped, c.bent = training, d.Model, d.Waves
	c.own()
}

// checkCounts returns an error unless there is a label for each row.
func checkCounts[R any](X []R, labels []string) error {
	return require(len(X) == len(labels), ErrDimension, "len(X) is %d, but len(labels) is %d", len(X), len(labels))
}

// classesOf returns Model's classes for the labels, and adds new labels to Labels. If there were none, they
// are sorted.
func (c *Classifier[R]) classesOf(labels []string) ([]int, error) {
	first, known, y := len(c.Labels) == 0, indexes(c.Labels), make([]int, len(labels))
	for i, label := range labels {
		if _, ok := known[label]; !ok {
			known[label] = len(c.Labels)
			if err := c.add(label); err != nil {
				return nil, &ExampleError{i, err}
			}
		}
	}
	if first {
		slices.Sort(c.Labels)
		known = indexes(c.Labels)
	}
	for i, label := range labels {
		y[i] = c.class(known[label])
	}
	return y, nil
}

// choose sets a nil Model to the default that the field Model documents, with the given fields instead of
// the default's unless they are nil. θ is about the mean of ‖(z, 1)‖² over the rows z that Model gets.
// Without scaling that mean is not known, so the rule is Online's.
func (c *Classifier[R]) choose(fields *Online) {
	if fields == nil && c.Model != nil {
		return
	}
	if fields == nil {
		fields = &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}
	}
	theta := float64(len(c.Scaling.Mean) + 1)
	if c.sparse() {
		theta = 2
	} else if theta > 1 && c.Waves.Count > 0 {
		theta = wavesSquare
	}
	m := &Multiclass{Binary: fields}
	if c.theta = 0; theta > 1 && !c.Raw {
		c.theta = theta
		m.Binary = &Margin{Rate: fields.Rate, Space: fields.Space, Start: fields.Start, MaxEpochs: fields.MaxEpochs, Order: fields.Order, Seed: fields.Seed, Keep: fields.Keep, Threshold: theta}
	}
	c.Model, c.chosen = m, m
}

// wavesSquare is about the mean of ‖(φ(z), 1)‖² over scaled rows z that Waves maps to φ(z): 1 for z/√d, 1
// for the bias, and ⅔ for the waves, because the mean of tri² is ⅓.
const wavesSquare = 8. / 3

// chosenFields returns a copy of the fields of the Model that choose made, or nil if Model is another one,
// or has another θ.
func (c *Classifier[R]) chosenFields() *Online {
	if m, ok := c.Model.(*Multiclass); ok && c.chosen == c.Model {
		switch b := m.Binary.(type) {
		case *Online:
			if b != nil && c.theta == 0 {
				return b.unlearned().(*Online)
			}
		case *Margin:
			if b != nil && b.Gamma == 0 && b.Threshold == c.theta && c.theta > 0 {
				return &Online{Rate: b.Rate, Space: b.Space, Start: b.Start.clone(), MaxEpochs: b.MaxEpochs, Order: b.Order, Seed: b.Seed, Keep: b.Keep}
			}
		}
	}
	return nil
}

// Update trains Model with the scaled row, as Model's Update does. The label may be new. Update
// does not change Scaling: before the first Fit, set it, or give features similar sizes. Mix the
// order of the labels: after many rows of one label, the model forgets the others. Under Average, a few
// updates after Fit hardly change the predictions: they are few terms of a mean of many. If corrections
// must take effect at once, set Model with Keep Last, or call Fit again with all rows. For a Batch, Update
// returns ErrConfig.
func (c *Classifier[R]) Update(x R, label string) (updated bool, err error) {
	if err := c.checkResume(); err != nil {
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
	d.distinct = d.Labels
	d.choose(nil)
	z, memory, err := d.scaled(x)
	if err != nil {
		return false, err
	}
	if row, ok := any(z).(Sparse); ok {
		updated, err = SparseModel{d.Model, d.Width}.Update(row, d.class(k))
	} else if m, ok := d.Model.(Learner); ok {
		updated, err = m.Update(any(z).([]float64), d.class(k))
	} else {
		err = errNoUpdate
	}
	if release(memory); err == nil {
		c.become(&d)
	}
	return updated, err
}

var errNoUpdate = require(false, ErrConfig, "a Batch learns by Fit and Epochs alone")

// Learn makes one pass over a stream, as Model's Learn does. It does not change Scaling: see Update. Labels
// may be new.
func (c *Classifier[R]) Learn(examples iter.Seq2[R, string]) (e Epoch, err error) {
	if err := c.checkResume(); err != nil {
		return Epoch{}, err
	}
	d := *c
	d.Labels = slices.Clip(d.Labels)
	d.choose(nil)
	s := labelStream[R]{c: &d, known: indexes(d.Labels)}
	defer c.enter()()
	if in := s.classes(examples); c.sparse() {
		e, err = SparseModel{d.Model, d.Width}.Learn(any(in).(iter.Seq2[Sparse, int]))
	} else if m, ok := d.Model.(Learner); ok {
		e, err = m.Learn(any(in).(iter.Seq2[[]float64, int]))
	} else {
		return Epoch{}, errNoUpdate
	}
	if c.training != c {
		return Epoch{}, errReplaced
	}
	if err = cmp.Or(s.bad, err); err != nil {
		d.Labels = d.Labels[:s.labels]
	}
	if err == nil || e.Examples > 0 {
		c.become(&d)
	}
	return e, err
}

// A labelStream turns the examples of a Learn into those of Model.
type labelStream[R Row] struct {
	c      *Classifier[R]
	known  map[string]int
	labels int   // the number of labels before the last example
	width  int   // of the rows as they come, or 0 before the first
	bad    error // the error of the last example, or nil
	memory []float64
}

// classes yields scaled rows with Model's classes, or returns nil for a nil iterator. After a bad example it
// yields a row that every model rejects, so that the pass is not counted as finished.
func (s *labelStream[R]) classes(examples iter.Seq2[R, string]) iter.Seq2[R, int] {
	if examples == nil {
		return nil
	}
	return func(yield func(R, int) bool) {
		n := 0
		for x, label := range examples {
			z, class, err := s.next(x, label)
			if err != nil {
				s.bad = &ExampleError{n, err}
				yield(rejected[R](), class)
				return
			}
			if n++; !yield(z, class) {
				return
			}
		}
	}
}

// next returns the scaled row and the class of an example. Its label may be new.
func (s *labelStream[R]) next(x R, label string) (z R, class int, err error) {
	s.labels = len(s.c.Labels)
	if err := s.check(x); err != nil {
		return z, class, err
	}
	k, known := s.known[label]
	if !known {
		k, s.known[label] = s.labels, s.labels
		if err := s.c.add(label); err != nil {
			return z, class, err
		}
	}
	z, s.memory, err = s.c.appendScaled(s.memory[:0], x)
	return z, s.c.class(k), err
}

// check returns an error if x is a row that ends Examples, whose label is none, or if Waves would map it to
// another number of features than the first row of the stream: Model's own error would count the waves.
func (s *labelStream[R]) check(x R) error {
	row, dense := any(x).([]float64)
	if !dense {
		sparse := any(x).(Sparse)
		return require(len(sparse.Index) == len(sparse.Value), ErrDimension, "Index has length %d, but Value has %d", len(sparse.Index), len(sparse.Value))
	}
	s.width = cmp.Or(s.width, len(row))
	return cmp.Or(require(len(row) > 0, ErrEmpty, "the row has no features"),
		require(len(row) == s.width || s.c.Waves.Count == 0, ErrDimension, "width %d, want %d", len(row), s.width))
}

// add appends a new label. It returns an error if the label is not valid, and then Labels has it
// too.
func (c *Classifier[R]) add(label string) error {
	c.Labels = append(c.Labels, strings.Clone(label)) // a copy: label may share the memory of a whole file
	return cmp.Or(
		require(utf8.ValidString(label), ErrLabel, "label %s, want UTF-8", short(label)),
		require(!c.binary() || len(c.Labels) <= 2, ErrLabel, "%s is the third label, but a %T learns two; use Multiclass", short(label), c.Model))
}
