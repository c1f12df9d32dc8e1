package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"perceptron"
)

// byHand is the model that the user moves with three sliders. It does not train.
const byHand = "By hand"

// models are the models that the page offers.
var models = []string{"Online", "Margin", "Batch", "OneVsRest of Online", "OneVsRest of Margin", "OneVsRest of Batch", "Multiclass of Online", "Multiclass of Margin", byHand}

// fields holds the hyperparameters.
type fields struct {
	Model  string           `json:"model"` // one of models
	Order  perceptron.Order `json:"order"`
	Keep   perceptron.Keep  `json:"keep"`
	Eta    float64          `json:"eta"`
	Gamma  float64          `json:"gamma"`  // γ′ of Margin; 0 means its default rule
	Origin bool             `json:"origin"` // lines through the origin only, without a bias; for two classes
	W1     float64          `json:"w1"`     // the weights and the bias of byHand
	W2     float64          `json:"w2"`
	B      float64          `json:"b"`
}

func (f fields) index() int { return slices.Index(models, f.Model) }

// multiclass reports whether the model is for many classes.
func (f fields) multiclass() bool { return strings.Contains(f.Model, " of ") }

// joint reports whether the model trains all classes together.
func (f fields) joint() bool { return strings.HasPrefix(f.Model, "Multiclass") }

// rule returns the model for two classes.
func (f fields) rule() string {
	if _, rule, many := strings.Cut(f.Model, " of "); many {
		return rule
	}
	return f.Model
}

// match returns the model with the same rule, for two classes or for many.
func (f fields) match(many bool) string {
	switch {
	case many == f.multiclass():
		return f.Model
	case !many:
		return f.rule()
	case f.Model == "Batch":
		return "OneVsRest of Batch"
	case f.Model == byHand:
		return "Multiclass of Online"
	}
	return "Multiclass of " + f.Model
}

// other returns the model that a second board compares with this one: another rule, or
// the other way to train many classes.
func (f fields) other() string {
	switch {
	case f.joint():
		return "OneVsRest of " + f.rule()
	case f.Model == "OneVsRest of Margin":
		return "Multiclass of Margin"
	case f.multiclass():
		return "Multiclass of Online"
	case f.Model == "Margin" || f.Model == byHand:
		return "Online"
	}
	return "Margin"
}

// hand returns the hyperplane that the user has set.
func (f fields) hand() perceptron.Hyperplane {
	h := perceptron.Hyperplane{Weights: []float64{f.W1, f.W2}, Bias: f.B}
	if f.space() == perceptron.Linear {
		h.Bias = 0
	}
	return h
}

// space returns Linear if only lines through the origin are allowed.
func (f fields) space() perceptron.Space {
	if f.Origin && !f.multiclass() {
		return perceptron.Linear
	}
	return perceptron.Affine
}

// rate returns η. A field of 0 means 1.
func (f fields) rate() float64 { return cmp.Or(f.Eta, 1) }

// keeps reports whether another hyperplane than the iterate predicts.
func (f fields) keeps() bool {
	return f.Keep != perceptron.Last && f.rule() != "Batch" && f.rule() != byHand
}

// set parses text and assigns it to the named field.
func (f *fields) set(name, text string) error {
	numbers := map[string]*float64{"eta": &f.Eta, "gamma": &f.Gamma, "w1": &f.W1, "w2": &f.W2, "b": &f.B}
	switch name {
	case "model":
		if !slices.Contains(models, text) {
			return fmt.Errorf("unknown model %q", text)
		}
		f.Model = text
	case "order":
		return f.Order.UnmarshalText([]byte(text))
	case "origin":
		f.Origin = text == "true"
	case "keep":
		return f.Keep.UnmarshalText([]byte(text))
	default:
		v, ok := numbers[name]
		if !ok {
			return fmt.Errorf("unknown field %q", name)
		}
		n, err := parseNumber(cmp.Or(text, "0"))
		if err != nil {
			return err
		}
		*v = n // the models themselves reject numbers out of range
	}
	return nil
}

// build returns an untrained model.
func (f fields) build(keep perceptron.Keep) trainee {
	var binary perceptron.Binary
	switch f.rule() {
	case "Margin":
		binary = &perceptron.Margin{Rate: f.Eta, Space: f.space(), Order: f.Order, Keep: keep, Gamma: f.Gamma}
	case "Batch":
		binary = &perceptron.Batch{Rate: f.Eta, Space: f.space()}
	default:
		binary = &perceptron.Online{Rate: f.Eta, Space: f.space(), Order: f.Order, Keep: keep}
	}
	switch {
	case f.joint():
		return &perceptron.Multiclass{Binary: binary}
	case f.multiclass():
		return &perceptron.OneVsRest{Binary: binary}
	}
	return binary.(trainee)
}

// A trainee is a model that can train one epoch at a time. A Batch can, and is no Learner.
type trainee interface {
	perceptron.Model
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
}

// A ranker is a model for many classes. Its hyperplanes are in the order of classesOf.
type ranker interface{ Hyperplanes() perceptron.Hyperplanes }
