package perceptron

import (
	"fmt"
	"iter"
	"math"

	"perceptron/internal/train"
	"perceptron/internal/vec"
)

var _, _ Model = (*OneVsRest)(nil), (*Multiclass)(nil)

// OneVsRest learns any number of classes with one perceptron for each. For that perceptron the
// examples of its class are +1 and all others −1. It learns what it would learn alone, bit for bit.
// A late class begins from Start with its first example; consider another pass for it. With K
// classes, predicting and learning take O(Kd) an example. Training uses O(Kd) more memory (a Batch, for each
// worker), and Online's indexes. The zero value is the textbook rule, as Online's is.
type OneVsRest struct {
	// Binary is a *Online, *Batch or *Margin whose fields configure each class's perceptron; nil
	// means &Online{}. They are read as Binary's own training calls would read them, and never
	// written. What Binary has learned is ignored. With a *Batch, only Fit and Epochs are
	// available, and its own Workers is ignored.
	Binary  Binary
	Workers int // goroutines that share the classes; 0 means GOMAXPROCS. It changes no bit of the results

	manyClass
}

func (m *OneVsRest) config() (train.Config, *Hyperplane, error) {
	return configOf(m.Binary, true, m.Workers)
}

// Fit trains from scratch on rows of at least two classes; for one it returns ErrLabel. Each
// class's perceptron trains until it converges or cycles, and is then frozen, as in K separate
// fits. Stop is EpochLimit if any class has it, else Cycled if any has it, else Converged. The rest
// is as in Online.Fit.
func (m *OneVsRest) Fit(X [][]float64, y []int) (Result, error) { return fit(m, train.Rows{X: X}, y) }

// Epochs is as [Online.Epochs], and adds new classes. Every class trains in every epoch, until all
// have converged or cycled, or MaxEpochs is reached.
func (m *OneVsRest) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(m, train.Rows{X: X}, y)
}

// Learn is as [Online.Learn]. A new class may arrive at any time.
func (m *OneVsRest) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, examples)
}

// Update is as [Online.Update], but the class may be new. It takes O(Kd), and reports whether any
// class's perceptron made a mistake.
func (m *OneVsRest) Update(x []float64, y int) (updated bool, err error) {
	return update(m, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy, with a copy of Binary's fields.
func (m *OneVsRest) Clone() *OneVsRest { return clone(m) }

// String returns the model's kind and its state in a few words.
func (m OneVsRest) String() string { return describe(&m.engine, "OneVsRest") }

func (m *OneVsRest) unlearned() model {
	return &OneVsRest{Binary: copyBinary(m.Binary), Workers: m.Workers}
}

// Multiclass learns any number of classes with one hyperplane for each, and trains all of them
// together (Kesler's construction: Nilsson 1965; Duda & Hart 1973, 5.12; with one rival, Crammer &
// Singer 2003). Class c has the score s_c = ⟨w_c, x⟩ + b_c. The rival r of an example x of class y
// is the class other than y with the highest score, or the lowest such class. The example is a
// mistake if s_y − s_r ≤ θ, and then
//
//	w_y ← w_y + ηx,  b_y ← b_y + η,  w_r ← w_r − ηx,  b_r ← b_r − η.
//
// Let W be all weights and biases as one vector, and γ and R as in [MulticlassBound]. From zero, in
// any order, and in streams in which classes arrive late, the bounds for each Binary are:
//
//	Binary                    θ            updates at most       margin at least
//	nil or *Online            0            2(R/γ)²               0
//	*Margin                   2ηR_t²       6(R/γ)²               γ/3
//	*Margin with Threshold    θ            (2θ/η + 2R²)/γ²       γ/(2 + 2ηR²/θ)
//	*Margin with Gamma        (γ′/2)‖W‖    2(R/(γ − γ′/2))²      γ′/2, for γ′ < 2γ
//	*Margin with Share        s‖W‖²/(ηk)   [ShareBound]          sγ
//
// R_t is the largest norm of an example updated on so far, after k updates. The bounds are MulticlassBound,
// and with √2·R [ThresholdBound], [MarginBound] and ShareBound. The margins are those of [MulticlassGamma] at the end of
// a run that has converged.
//
// With the classes +1 and −1, the weights are w and −w. Here w is the weight vector of a binary model
// that begins with the first example of the second class, with θ/2 for θ, or γ′/√2 for γ′. The γ here
// is √2 times the binary γ. For equal scores Predict returns −1. Under Average the iterates of a class
// are 0 before its first example. While only one class is known, no example is a mistake. Costs are
// OneVsRest's; an update takes O(d + K). The zero value is the textbook rule, as Online's is. To
// begin, use [Classifier].
type Multiclass struct {
	// Binary is a *Online or *Margin whose fields configure the training; nil means
	// &Online{}. Its Start must be zero. For the rest see OneVsRest.Binary.
	Binary Binary

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

// Fit is as [Online.Fit], but returns ErrLabel for rows of one class alone.
func (m *Multiclass) Fit(X [][]float64, y []int) (Result, error) { return fit(m, train.Rows{X: X}, y) }

// Epochs is as [Online.Epochs], and adds new classes. It also returns ErrLabel if the body
// changes a label to a class that is new.
func (m *Multiclass) Epochs(X [][]float64, y []int) iter.Seq2[Epoch, error] {
	return runEpochs(m, train.Rows{X: X}, y)
}

// Learn is as [Online.Learn]. A new class may arrive at any time.
func (m *Multiclass) Learn(examples iter.Seq2[[]float64, int]) (Epoch, error) {
	return learn(m, examples)
}

// Update is as [Online.Update], in O(Kd). Any new int becomes a class, even a mistyped one.
func (m *Multiclass) Update(x []float64, y int) (updated bool, err error) {
	return update(m, &vec.Row{Value: x}, y)
}

// Clone returns an independent copy, with a copy of Binary's fields.
func (m *Multiclass) Clone() *Multiclass { return clone(m) }

// String returns the model's kind and its state in a few words.
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
