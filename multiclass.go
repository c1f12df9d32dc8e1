package perceptron

import (
	"fmt"
	"iter"
	"math"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _, _ Model = (*OneVsRest)(nil), (*Multiclass)(nil)

// OneVsRest learns any number of classes with one perceptron for each, for which the examples of its class
// are +1 and all others −1. It learns what it would learn alone, bit for bit, and the sign of its score is a
// prediction for its class alone. A late class begins from Start with its first example; consider another
// pass for it. Predicting and learning take O(Kd) an example. Training uses O(Kd) more memory (a Batch, for
// each worker).
type OneVsRest struct {
	// Binary is a *Online, *Batch or *Margin whose fields configure each class's perceptron; nil means &Online{}. What
	// it has learned is ignored, and so are a *Batch's Workers. With a *Batch, there are only Fit and Epochs.
	Binary  Binary
	Workers int // goroutines that share the classes; 0 means GOMAXPROCS. It changes no bit of the results

	manyClass
}

func (m *OneVsRest) config() (train.Config, *Hyperplane, error) {
	return configOf(m.Binary, true, m.Workers)
}

// Fit trains from scratch. Each class's perceptron trains until it converges or cycles, and is then frozen,
// as in K separate fits. Stop is EpochLimit if any class has it, else Cycled if any has it, else Converged.
func (m *OneVsRest) Fit(X [][]float64, y []int) (Result, error) { return fit(m, train.Rows{X: X}, y) }

// Epochs is as [Online.Epochs], and adds new classes. Every class trains until all have converged or cycled,
// or MaxEpochs is reached.
func (m *OneVsRest) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(m, train.Rows{X: X}, y)
}

// Learn is as [Online.Learn]. A new class may arrive at any time.
func (m *OneVsRest) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, examples)
}

// Update is as [Online.Update], in O(Kd). The class may be new. It reports whether any class's perceptron
// made a mistake.
func (m *OneVsRest) Update(x []float64, y int) (updated bool, err error) {
	return update(m, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy, with a copy of Binary's fields.
func (m *OneVsRest) Clone() *OneVsRest { return clone(m) }

func (m OneVsRest) String() string { return describe(&m.engine, "OneVsRest") }

func (m *OneVsRest) unlearned() model {
	return &OneVsRest{Binary: copyBinary(m.Binary), Workers: m.Workers}
}

// Multiclass learns any number of classes with one hyperplane for each, and trains all of them together
// (Kesler's construction: Nilsson 1965; Duda & Hart 1973, 5.12; with one rival, Crammer & Singer 2003). Class
// c has the score s_c = ⟨w_c, x⟩ + b_c. The rival r of an example x of class y is the class other than y with
// the highest score, or the lowest such class. The example is a mistake if s_y − s_r ≤ θ, and then
//
//	w_y ← w_y + ηx,  b_y ← b_y + η,  w_r ← w_r − ηx,  b_r ← b_r − η.
//
// θ is 0, or that of a [*Margin] with √2·R for R, and ‖W‖ for ‖(w, b)‖, where W is all weights and biases as
// one vector. From zero, in any order, and in streams in which classes arrive late, updates and margin have
// the bounds of Online or Margin with √2·R for R: at most 2(R/γ)² updates, or 6(R/γ)² under Margin's default,
// which then reaches γ/3. γ and R are as in [MulticlassBound], and margins as in [MulticlassGamma]. While
// only one class is known, no example is a mistake. Costs are OneVsRest's; an update takes O(d + K).
type Multiclass struct {
	Binary Binary // *Online or *Margin with a zero Start, whose fields configure the training; nil means &Online{}

	manyClass
}

// kesler is the rule of Multiclass. scores has the score of each class, in ascending order of the
// classes, and own is the index of y. The caller adds step·x to w_y and step to b_y, and subtracts
// both from w_r and b_r. If there is only one class, rival is −1, and the example is no mistake. A
// difference of finite scores may overflow to ±Inf; it then counts by its sign.
func kesler(scores []float64, own int, theta, eta float64) (rival int, step float64) {
	rival, high := -1, math.Inf(-1)
	for c, s := range scores {
		if c != own && s > high {
			rival, high = c, s
		}
	}
	if scores[own]-high > theta {
		return rival, 0 // no mistake
	}
	return rival, eta // w_y ← w_y + ηx,  b_y ← b_y + η,  w_r ← w_r − ηx,  b_r ← b_r − η
}

var keslerRule train.Rival = kesler

func (m *Multiclass) config() (train.Config, *Hyperplane, error) {
	return configOf(m.Binary, false, 0)
}

// Fit is as [Online.Fit], for rows of at least two classes.
func (m *Multiclass) Fit(X [][]float64, y []int) (Result, error) { return fit(m, train.Rows{X: X}, y) }

// Epochs is as [Online.Epochs]. Classes that are new when it begins are added.
func (m *Multiclass) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(m, train.Rows{X: X}, y)
}

// Learn is as [Online.Learn]. A new class may arrive at any time.
func (m *Multiclass) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, examples)
}

// Update is as [Online.Update], in O(Kd). Any new int becomes a class.
func (m *Multiclass) Update(x []float64, y int) (updated bool, err error) {
	return update(m, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy, with a copy of Binary's fields.
func (m *Multiclass) Clone() *Multiclass { return clone(m) }

func (m Multiclass) String() string { return describe(&m.engine, "Multiclass") }

func (m *Multiclass) unlearned() model { return &Multiclass{Binary: copyBinary(m.Binary)} }

// defaultBinary is what a nil Binary means. It is only read.
var defaultBinary = new(Online)

// binaryOf returns the model in a field Binary, or defaultBinary if the field is nil. With an error
// it returns defaultBinary too.
func binaryOf(binary Binary) (model, error) {
	switch binary.(type) {
	case nil:
		return defaultBinary, nil
	case *Online, *Batch, *Margin:
		return binary.(model), nil
	}
	return defaultBinary, fmt.Errorf("%w: Binary is a %T, want a *perceptron.Online or *perceptron.Margin, or in OneVsRest a *perceptron.Batch", ErrConfig, binary)
}

// configOf returns the config of a OneVsRest if rest is true, else of a Multiclass, and Binary's Start.
// The field Workers of a Batch is ignored. A Multiclass has neither a Batch nor a rule whose step is not
// constant.
func configOf(binary Binary, rest bool, workers int) (train.Config, *Hyperplane, error) {
	b, err := binaryOf(binary)
	c, start, _ := b.config() // it returns no error for a binary model
	if c.Rest, c.Workers = rest, workers; rest {
		return c, start, err
	}
	c.Rival = &keslerRule
	if c.Rule.Descend != nil || !c.Rule.Constant {
		err = fmt.Errorf("%w: Binary is a %T, want a *perceptron.Online or *perceptron.Margin", ErrConfig, binary)
	}
	return c, start, err
}

// copyBinary returns a copy of Binary's fields. If Binary is nil or not valid, it returns Binary.
func copyBinary(binary Binary) Binary {
	if b, err := binaryOf(binary); err == nil && binary != nil {
		return b.unlearned().(Binary)
	}
	return binary
}
