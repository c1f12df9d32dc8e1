package perceptron

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"perceptron/internal/saved"
	"perceptron/internal/train"
	"perceptron/internal/vec"
	"perceptron/internal/weights"
)

// A model is a Model with the methods that training and saving need. Every model of this package
// has them.
type model interface {
	Model
	config() (train.Config, *Hyperplane, error) // the fields, and Start
	unlearned() model                           // a copy of the fields, with nothing learned
}

// onlyFields implements unlearned for the binary models: it copies the fields of *p, and Start's
// weights, but nothing that p has learned.
func onlyFields[M any](p *M) model {
	q := *p
	m := any(&q).(model)
	_, start, _ := m.config()
	start.Weights, *m.learned() = slices.Clone(start.Weights), train.Engine{}
	return m
}

// prepare returns the fields of m for a training call, after it has validated them. fresh is true for
// Fit. start is nil unless the call reads Start.
func prepare(m model, fresh bool) (c train.Config, start []float64, err error) {
	reads, err := m.learned().ReadsStart(fresh)
	if err != nil {
		return c, nil, err
	}
	c, h, err := m.config()
	if err = cmp.Or(err, checkConfig(&c)); err == nil && reads {
		start, err = h.vector(), checkStart(&c, h)
	}
	return c, start, err
}

// prepareOne is prepare for a call that learns one example at a time.
func prepareOne(m model) (train.Config, []float64, error) {
	c, start, err := prepare(m, false)
	if err == nil && c.Rule.Descend != nil {
		err = fmt.Errorf("%w: Binary is a *perceptron.Batch, which has only Fit and Epochs", ErrConfig)
	}
	return c, start, err
}

func checkFields(m model) error {
	c, start, err := m.config()
	return cmp.Or(err, checkConfig(&c), checkStart(&c, start))
}

// checkConfig returns an error about the first field that makes no sense. Update may call it for
// every row, so it allocates only for an error.
func checkConfig(c *train.Config) error {
	if err := cmp.Or(
		checkNumber("Rate", c.Rate, "1"),
		checkNumber("Gamma", c.Gamma, "another rule"),
		checkNumber("Threshold", c.Threshold, "another rule"),
		checkNumber("Share", c.Share, "another rule"),
	); err != nil {
		return err
	}
	switch {
	case min(c.Gamma+c.Threshold, c.Gamma+c.Share, c.Threshold+c.Share) > 0:
		return fmt.Errorf("%w: Gamma is %v, Threshold is %v and Share is %v, want at most one of them set", ErrConfig, c.Gamma, c.Threshold, c.Share)
	case c.Share >= 1:
		return fmt.Errorf("%w: Share is %v, want less than 1", ErrConfig, c.Share)
	case c.MaxEpochs < 0:
		return fmt.Errorf("%w: MaxEpochs is %d, want at least 1, or 0 for 1000", ErrConfig, c.MaxEpochs)
	case c.Window < 0:
		return fmt.Errorf("%w: Window is %d, want at least 1, or 0 to count all examples alike", ErrConfig, c.Window)
	case c.Workers < 0:
		return fmt.Errorf("%w: Workers is %d, want at least 1, or 0 for GOMAXPROCS", ErrConfig, c.Workers)
	}
	return cmp.Or(
		checkName("Space", int(c.Space), train.SpaceNames),
		checkName("Order", int(c.Order), train.OrderNames),
		checkName("Keep", int(c.Keep), train.KeepNames),
	)
}

// checkNumber returns an error unless v, the value of a field, is finite and at least 0. zero is
// what 0 means in the field.
func checkNumber(field string, v float64, zero string) error {
	if v >= 0 && vec.IsFinite(v) {
		return nil
	}
	return fmt.Errorf("%w: %s is %v, want a positive finite number, or 0 for %s", ErrConfig, field, v, zero)
}

// checkName returns an error unless the value of a field is one of the named constants.
func checkName(field string, value int, names []string) error {
	if value < len(names) {
		return nil
	}
	return fmt.Errorf("%w: %s is %d, want one of %s", ErrConfig, field, value, strings.Join(names, ", "))
}

// checkStart validates the numbers in Start. Training compares its width with that of the rows.
func checkStart(c *train.Config, start *Hyperplane) error {
	switch {
	case c.Space == train.Linear && start.Bias != 0:
		return fmt.Errorf("%w: Start.Bias is %v in Linear space, want 0", ErrConfig, start.Bias)
	case !vec.IsFinite(start.Bias):
		return fmt.Errorf("%w: Start.Bias is %v, want a finite number", ErrConfig, start.Bias)
	}
	if j := vec.FirstInfinite(start.Weights); j >= 0 {
		return fmt.Errorf("%w: Start.Weights[%d] is %v, want a finite number", ErrConfig, j, start.Weights[j])
	}
	return require(c.Rival == nil || start.isZero(), ErrConfig, "Binary has a Start, but Multiclass starts from zero")
}

// The functions below are the calls that all models share.

// fit is Fit of every model.
func fit(m model, X train.Rows, y []int) (r Result, err error) {
	c, start, err := prepare(m, true)
	if err == nil {
		r.Rows, r.Upper, err = m.learned().Fit(c, start, X, y, report(r.add))
	}
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

func runEpochs(m model, X train.Rows, y []int) iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		c, start, err := prepare(m, false)
		if err == nil {
			err = m.learned().Epochs(c, start, X, y, report(func(e Epoch) bool { return yield(e, nil) }))
		}
		if err != nil {
			yield(Epoch{}, err)
		}
	}
}

// learn is Learn of every model that has it.
func learn(m model, examples iter.Seq2[[]float64, int]) (e Epoch, err error) {
	c, start, err := prepareOne(m)
	if err == nil {
		err = m.learned().Learn(c, start, examples, report(e.set))
	}
	return e, err
}

// update is Update of every model that has it. It validates the fields only if they differ from
// those of the last call.
func update(m model, x *vec.Row, y int) (updated bool, err error) {
	e := m.learned()
	if last := e.Current(); last != nil && unchanged(m, last) {
		updated, err = e.ContinueRow(x, y)
	} else if c, start, invalid := prepareOne(m); invalid != nil {
		err = invalid
	} else {
		updated, err = e.Update(&c, start, x, y)
	}
	return updated, err
}

// unchanged reports whether the fields of m are still those of the last call, so that it learns the next example.
func unchanged(m model, last *train.Config) bool {
	c, _, err := m.config()
	return err == nil && *last == c && c.Rule.Descend == nil
}

// clone is Clone of every model.
func clone[M model](m M) M {
	c := m.unlearned().(M)
	m.learned().Clone(c.learned())
	return c
}

// report returns a train.Report that calls to.
func report(to func(Epoch) bool) train.Report {
	return func(n, examples, mistakes int, loss float64, stop uint8) bool {
		return to(Epoch{N: n, Examples: examples, Mistakes: mistakes, Loss: loss, Stop: Stop(stop)})
	}
}

// add adds an epoch of the run to r.
func (r *Result) add(e Epoch) bool {
	r.Epochs, r.Mistakes, r.Stop = r.Epochs+1, r.Mistakes+e.Mistakes, e.Stop
	return true
}

// set makes e the pass that is reported.
func (e *Epoch) set(pass Epoch) bool {
	*e = pass
	return true
}

// describe returns a model's String: its kind, its classes and width, Space, Keep, the examples
// seen, and the passes finished.
func describe(m *train.Engine, kind string) string {
	if m.Trained() != nil {
		return kind + ": untrained"
	}
	c, width, seen, passes := m.Summary()
	classes := "2 classes"
	if c.Many() {
		kind += " of " + c.Rule.String()
		classes = saved.Count(m.Planes(), "class", "classes")
	}
	return fmt.Sprintf("%s: %s, width %d, %v, %v, examples: %d, passes: %d", kind, classes, width, Space(c.Space), Keep(c.Keep), seen, passes)
}

// A twoClass is embedded in the models of two classes. It has what the model has learned, and the
// methods that are the same in all of them.
type twoClass struct{ engine train.Engine }

func (p *twoClass) learned() *train.Engine { return &p.engine }

// Score is [Hyperplane.Score] of the hyperplane that Predict uses.
func (p *twoClass) Score(x []float64) (float64, error) {
	w := p.engine.SingleVector()
	if w == nil {
		planes, err := p.engine.Reader(len(x))
		if err != nil {
			return 0, err
		}
		w = planes.Predicting(0)
	}
	s := weights.Score(w, x)
	if !vec.IsFinite(s) {
		return 0, train.ScoreError(len(w)-1, x)
	}
	return s, nil
}

// Predict returns +1 for a score ≥ 0, else −1.
func (p *twoClass) Predict(x []float64) (int, error) {
	// Nearly always the score is computed here: a call of the method Score would take as long as the
	// score of a short row.
	if w := p.engine.SingleVector(); w != nil {
		if s := weights.Score(w, x); vec.IsFinite(s) {
			return sign(s, nil)
		}
	}
	return sign(p.Score(x))
}

// Hyperplane returns a copy of what Predict uses, zero before any example.
func (p *twoClass) Hyperplane() Hyperplane {
	if p.engine.Trained() != nil {
		return Hyperplane{}
	}
	return hyperplaneOf(p.engine.Vector(0))
}

// Seen returns the number of examples that the model has seen. It is saved.
func (p *twoClass) Seen() int64 { return seen(&p.engine) }

func seen(m *train.Engine) int64 {
	_, _, n, _ := m.Summary()
	return n
}

// A manyClass is embedded in the models of many classes, as a twoClass is in the models of two.
type manyClass struct{ engine train.Engine }

func (m *manyClass) learned() *train.Engine { return &m.engine }

// Classes returns the classes seen, ascending.
func (m *manyClass) Classes() []int {
	if m.engine.Trained() != nil {
		return nil
	}
	return slices.Clone(m.engine.Classes())
}

// Seen is as [Online.Seen].
func (m *manyClass) Seen() int64 { return seen(&m.engine) }

// Hyperplanes returns a copy of what Predict uses, zero before any example.
func (m *manyClass) Hyperplanes() Hyperplanes {
	h := Hyperplanes{Classes: m.Classes()}
	for i := range h.Classes {
		h.Planes = append(h.Planes, hyperplaneOf(m.engine.Vector(i)))
	}
	return h
}

// Scores is as [Hyperplanes.Scores], of the classes seen.
func (m *manyClass) Scores(dst, x []float64) ([]float64, error) { return scores(&m.engine, dst, x) }

// scores appends the score of each hyperplane of a model to dst. On error it returns dst unchanged.
func scores(m *train.Engine, dst, x []float64) ([]float64, error) {
	planes, err := m.Reader(len(x))
	if err != nil {
		return dst, err
	}
	all := dst
	for i := range planes.Len() {
		w := planes.Predicting(i)
		s := weights.Score(w, x)
		if !vec.IsFinite(s) {
			return dst, train.ScoreError(len(w)-1, x)
		}
		all = append(all, s)
	}
	return all, nil
}

// Predict is as [Hyperplanes.Predict], in O(Kd) without allocating.
func (m *manyClass) Predict(x []float64) (int, error) {
	planes, err := m.engine.Reader(len(x))
	if err != nil {
		return 0, err
	}
	best, high, finite := 0, math.Inf(-1), true
	for i := range planes.Len() {
		s := weights.Score(planes.Predicting(i), x)
		if finite = finite && vec.IsFinite(s); s > high {
			best, high = i, s
		}
	}
	if !finite {
		_, err := m.Scores(nil, x) // finds out why a score is not finite
		return 0, err
	}
	return m.engine.Classes()[best], nil
}

// hyperplaneOf returns a copy of w as a Hyperplane. The last element of w is the bias.
func hyperplaneOf(w []float64) Hyperplane { return planeOf(w, len(w)-1).clone() }

// fold returns the indexes of the rows that are not in the k-th of the folds, and of those that are. A fold has a
// consecutive part of each label's rows.
func fold[L comparable](labels []L, folds, k int) (learn, test []int) {
	count, before := map[L]int{}, map[L]int{}
	for _, label := range labels {
		count[label]++
	}
	for i, label := range labels {
		if before[label]*folds/count[label] == k {
			test = append(test, i)
		} else {
			learn = append(learn, i)
		}
		before[label]++
	}
	return learn, test
}

func at[E any](s []E, indexes []int) []E {
	var all []E
	for _, i := range indexes {
		all = append(all, s[i])
	}
	return all
}

// inParts calls f for consecutive parts of n rows, at least as many as least in each, in up to GOMAXPROCS goroutines. f
// returns the number of good rows at the beginning of its part, and inParts that of all rows.
func inParts(n, least int, f func(first, end int) int) int {
	ends := make([]int, max(1, min(runtime.GOMAXPROCS(0), n/least)))
	var wg sync.WaitGroup
	for g := range ends {
		first, end := g*n/len(ends), (g+1)*n/len(ends)
		part := func() {
			if ends[g] = first + f(first, end); ends[g] == end {
				ends[g] = n
			}
		}
		if g == len(ends)-1 {
			part()
			break
		}
		wg.Add(1)
		go func() { defer wg.Done(); part() }()
	}
	wg.Wait()
	return slices.Min(ends)
}

// scratch has memory for rows that are mapped or scaled.
var scratch = sync.Pool{New: func() any { return new([]float64) }}
