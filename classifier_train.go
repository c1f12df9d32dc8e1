package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

// How a Classifier is trained.

// Fit trains from scratch on scaled copies of the rows. With Waves, Keep Average, no Start and no Window, it
// trains MaxEpochs epochs straight, on z/√d alone, and then as many on the mapped rows φ(z), with one mean. A
// short trial may leave out the second part, or count it alone. It tests on rows left out: each quarter of each
// label's rows, in their order, or of more than 5000 rows only the last. With so many rows, a Width of 0 means
// √d/2, in Epochs too; Parts and a loaded c have it. Epochs, Learn and Update train on φ(z) alone. Mapped rows
// take 8·(d + Count) bytes each. Result.Rows is 0 if rows are scaled or mapped. Upper is +Inf if the training
// began straight.
func (c *Classifier[R]) Fit(X []R, labels []string) (Result, error) {
	f, Z, y, width, err := c.begin(X, labels, true)
	if err == nil && len(f.labels) == 1 && !f.binary() {
		err = fmt.Errorf("%w: every label is %s, want at least two classes", ErrLabel, short(labels[0]))
	}
	if err != nil {
		return Result{}, err
	}
	var r Result
	if S, ok := any(Z).([]Sparse); ok {
		r, err = SparseModel{f.model, width}.Fit(S, y)
	} else {
		r, err = f.bent.fit(f.model, any(Z).([][]float64), y)
	}
	if err == nil {
		f.forget(len(X))
		c.now = f
	}
	if f.scales() || f.waves.Count > 0 {
		r.Rows = 0
	}
	return r, err
}

// Epochs trains as Model's own Epochs does, on scaled copies of the rows, made when the range begins. To keep
// an epoch, use Clone. All labels may be equal.
func (c *Classifier[R]) Epochs(X []R, labels []string) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		f, Z, y, width, err := c.begin(X, labels, false)
		if err != nil {
			yield(Epoch{}, err)
			return
		}
		var epochs iter.Seq2[Epoch, error]
		if S, ok := any(Z).([]Sparse); ok {
			epochs = SparseModel{f.model, width}.Epochs(S, y)
		} else {
			epochs = runEpochs(f.model, train.Rows{X: any(Z).([][]float64)}, y)
		}
		was, w, old := c.now, f.window(), 0
		if w != nil {
			old, *w = *w, 0 // in these epochs, all examples count alike
		}
		for e, err := range epochs {
			if err == nil {
				f.forget(len(X))
				was = c.become(f)
			} else if w != nil && *w == 0 {
				*w = old
			}
			if !yield(e, err) {
				return
			}
			if c.now != was {
				yield(Epoch{}, errReplaced)
				return
			}
		}
	}
}

// errReplaced is the error if the body of Epochs or the iterator of Learn assigns to the Classifier.
var errReplaced = require(false, ErrConfig, "the Classifier was replaced while it was being trained")

// Update learns one example. The label may be new. Before the first one of dense rows, set Scaling or Raw.
// Mix the order of the labels: after many rows of one label, the model forgets the others. After a Fit with n
// rows, the default Model learns a changed world within about 2n Updates. After t Updates it needs up to 2t,
// but never more than 4000 or 2n, whichever is larger.
func (c *Classifier[R]) Update(x R, label string) (updated bool, err error) {
	f, err := c.latest()
	if err == nil && c.now == nil {
		err = require(!f.needsScaling(), ErrConfig, "one row gives no Scaling: set Scaling, or Raw if the features have similar sizes")
	}
	if err != nil {
		return false, err
	}
	n, k := len(f.labels), slices.Index(f.labels, label)
	if k < 0 {
		k, err = f.know(map[string]int{}, label)
	}
	var z R
	var memory *[]float64
	if err == nil {
		z, memory, err = f.scaled(x)
	}
	row, sparse := any(z).(Sparse)
	m, learns := f.model.(Learner)
	switch {
	case err != nil:
	case sparse:
		updated, err = SparseModel{f.model, f.width}.Update(row, f.class(k))
	case learns:
		updated, err = m.Update(any(z).([]float64), f.class(k))
	default:
		err = errNoUpdate
	}
	if release(memory); err != nil {
		f.labels = f.labels[:n]
		return false, err
	}
	c.now = f
	if w := f.window(); w != nil && *w > 0 && *w < mostWindow && seen(f.model.learned())-f.since >= 4*int64(*w) {
		*w = min(2**w, mostWindow)
	}
	return updated, nil
}

var errNoUpdate = require(false, ErrConfig, "a Batch learns by Fit and Epochs alone")

// Learn makes one pass over a stream, as Model's Learn does. Labels may be new. Before any Fit, all examples
// count alike: for a world that changes, give Model a Window. If dense rows need a Scaling, the first Learn
// computes it from its first 1000 rows, which it copies.
func (c *Classifier[R]) Learn(examples iter.Seq2[R, string]) (e Epoch, err error) {
	f, err := c.latest()
	if err == nil && c.now == nil && f.needsScaling() && examples != nil {
		var stop func()
		examples, stop, err = f.scaleFirst(examples)
		defer stop()
		if c.now != nil {
			err = errReplaced
		}
	}
	if err != nil {
		return Epoch{}, err
	}
	was, next, began := c.now, *f, func() {}
	if w := f.window(); w != nil && *w > 0 {
		old := *w
		began = func() { *w = old } // the model has read its fields, and the iterator may save or copy c
		defer began()
		*w = max(*w, mostWindow)
	}
	next.labels = slices.Clip(f.labels)
	s := labelStream[R]{f: &next, known: indexes(f.labels), labels: len(f.labels), began: began}
	if in := s.classes(examples); isSparse[R]() {
		e, err = SparseModel{f.model, f.width}.Learn(any(in).(iter.Seq2[Sparse, int]))
	} else if m, ok := f.model.(Learner); ok {
		e, err = m.Learn(any(in).(iter.Seq2[[]float64, int]))
	} else {
		return Epoch{}, errNoUpdate
	}
	if c.now != was {
		return Epoch{}, errReplaced
	}
	if err = cmp.Or(s.bad, err); err != nil {
		next.labels = next.labels[:s.labels]
	}
	if f.labels, f.bent = next.labels, next.bent; e.Examples > 0 {
		c.now = f
	}
	return e, err
}

// scaleFirst sets the scaling to that of the first rows of a stream: 1000, or those before a bad row. It returns
// the whole stream. The caller calls stop.
func (f *fitted[R]) scaleFirst(examples iter.Seq2[R, string]) (all iter.Seq2[R, string], stop func(), err error) {
	next, stop := iter.Pull2(examples)
	var X [][]float64
	var labels []string
	n := 0 // good rows
	for n == len(X) && n < 1000 {
		x, label, ok := next()
		if !ok {
			break
		}
		row := slices.Clone(any(x).([]float64))
		if X, labels = append(X, row), append(labels, label); len(row) > 0 && len(row) == len(X[0]) && vec.Finite(row) {
			n++
		}
	}
	if n > 0 {
		err = f.setScaling(X[:n])
	}
	return func(yield func(R, string) bool) {
		for i := 0; ; i++ {
			x, label, ok := *new(R), "", i < len(X)
			if ok {
				x, label = any(X[i]).(R), labels[i]
			} else {
				x, label, ok = next()
			}
			if !ok || !yield(x, label) {
				return
			}
		}
	}, stop, err
}

// forget sets the Window of the recipe after an epoch or a Fit with n rows. The mean of all epochs then counts as
// about n/2 to n examples, so that Update learns a world that has changed within 2n examples. A longer mean is
// better if the world does not change. So Update doubles the Window whenever it has seen four times as many
// examples, up to mostWindow. Longer means were measured to gain nothing more.
func (f *fitted[R]) forget(n int) {
	f.since = seen(f.model.learned())
	if w := f.window(); w != nil {
		*w = (n + 1) / 2
	}
}

const mostWindow = 1000

// window returns the Window of the recipe, or nil if the Classifier has a Model.
func (f *fitted[R]) window() *int {
	if m, ok := f.model.(*Multiclass); ok && f.chosen {
		switch b := m.Binary.(type) {
		case *Online:
			return &b.Window
		case *Margin:
			return &b.Window
		}
	}
	return nil
}

// become makes f what c has learned, and returns it. Copies of c share it.
func (c *Classifier[R]) become(f *fitted[R]) *fitted[R] {
	if c.now == nil {
		c.now = f
	}
	*c.now = *f
	return c.now
}

// latest returns what c has learned, or what it begins with.
func (c *Classifier[R]) latest() (*fitted[R], error) {
	if c.now != nil {
		return c.now, nil
	}
	return c.fresh()
}

// fresh returns what c begins with: its fields.
func (c *Classifier[R]) fresh() (*fitted[R], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	f := &fitted[R]{c.Scaling.clone(), c.Waves, c.Raw, c.Width, c.Model == nil, !c.Scaling.isZero(), nil, nil, nil, 0}
	if f.chosen {
		f.model = f.recipe()
	} else {
		f.model = c.Model.(model).unlearned()
	}
	return f, nil
}

// setScaling sets the scaling to that of the rows, and the recipe to that of rows that are scaled.
func (f *fitted[R]) setScaling(X [][]float64) (err error) {
	if f.scaling, err = Standardize(X); err == nil && f.chosen {
		f.model = f.recipe()
	}
	return err
}

// begin returns what is about to be trained, and what it is trained with. If anew is true or nothing was
// learned, it has c's fields; else it is a copy of what was learned.
func (c *Classifier[R]) begin(X []R, labels []string, anew bool) (f *fitted[R], Z []R, y []int, width int, err error) {
	if anew = anew || c.now == nil; anew {
		f, err = c.fresh()
	} else {
		d := *c.now
		d.labels = slices.Clip(d.labels) // an error must leave the memory of the labels as it was
		f = &d
	}
	if err = cmp.Or(err, c.checkIdle(), train.CheckLengths(len(X), len(labels))); err == nil {
		y, err = f.classes(labels)
	}
	if err != nil {
		return nil, nil, nil, 0, err
	}
	if width = f.width; anew {
		width = cmp.Or(width, leastWidth(X))
	}
	if rows, ok := any(X).([][]float64); ok && anew {
		if f.waves.Width == 0 && f.waves.Count > 0 && len(rows) > manyRows {
			f.waves.Width = math.Sqrt(float64(len(rows[0]))) / 2
		}
		if f.needsScaling() {
			err = f.setScaling(rows)
		}
	}
	if err == nil {
		Z, err = f.scaledAll(X)
	}
	return f, Z, y, width, err
}

// checkIdle returns an error if c is being trained by an enclosing call.
func (c *Classifier[R]) checkIdle() (err error) {
	if c.now != nil {
		_, err = c.now.model.learned().ReadsStart(true)
	}
	return err
}

// recipe returns the model for which a nil Model stands. θ is about the mean of ‖(z, 1)‖² over the rows z that
// the model gets. Without scaling that mean is not known, so the rule is Online's.
func (f *fitted[R]) recipe() model {
	theta := float64(len(f.scaling.Mean) + 1)
	if isSparse[R]() {
		theta = 2
	} else if theta > 1 && f.waves.Count > 0 {
		theta = wavesSquare
	}
	if theta == 1 || f.raw {
		return &Multiclass{Binary: &Online{Keep: Average, Order: Shuffled, MaxEpochs: 20}}
	}
	return &Multiclass{Binary: &Margin{Keep: Average, Order: Shuffled, MaxEpochs: 20, Threshold: theta}}
}

// wavesSquare is about the mean of ‖(φ(z), 1)‖² over scaled rows z that Waves maps to φ(z): 1 for z/√d, 1
// for the bias, and ⅔ for the waves, because the mean of tri² is ⅓.
const wavesSquare = 8. / 3

// A labelStream turns the examples of a Learn into those of the model.
type labelStream[R Row] struct {
	f      *fitted[R]
	known  map[string]int
	labels int    // the number of labels before the last example, or before the first
	bad    error  // the error of the last example, or nil
	began  func() // called before the first example
	memory []float64
}

// classes yields scaled rows with the model's classes, or returns nil for a nil iterator. After a bad example
// it yields a row that every model rejects, so that the pass is not counted as finished.
func (s *labelStream[R]) classes(examples iter.Seq2[R, string]) iter.Seq2[R, int] {
	if examples == nil {
		return nil
	}
	return func(yield func(R, int) bool) {
		s.began()
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

// next returns the scaled row and the class of an example. Its label may be new. A row that ends Examples has no
// label.
func (s *labelStream[R]) next(x R, label string) (z R, class int, err error) {
	s.labels = len(s.f.labels)
	row, dense := any(x).([]float64)
	sparse, _ := any(x).(Sparse)
	k, err := 0, cmp.Or(require(!dense || len(row) > 0, ErrEmpty, "the row has no features"),
		require(len(sparse.Index) == len(sparse.Value), ErrDimension, "Index has length %d, but Value has %d", len(sparse.Index), len(sparse.Value)))
	if err == nil {
		k, err = s.f.know(s.known, label)
	}
	if err == nil {
		z, s.memory, err = s.f.appendScaled(s.memory[:0], x)
	}
	return z, s.f.class(k), err
}
