package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"perceptron"
)

// byHand is the model that the user moves with three sliders. It does not train.
const byHand = "By hand"

// models are the models that the page offers.
var models = []string{"Online", "Margin", byHand}

// fields holds the hyperparameters.
type fields struct {
	Model  string           `json:"model"` // one of models
	Order  perceptron.Order `json:"order"`
	Keep   perceptron.Keep  `json:"keep"`
	Eta    float64          `json:"eta"`
	Gamma  float64          `json:"gamma"`  // γ′ of Margin; 0 means its default rule
	Origin bool             `json:"origin"` // lines through the origin only, without a bias
	W1     float64          `json:"w1"`     // the weights and the bias of byHand
	W2     float64          `json:"w2"`
	B      float64          `json:"b"`
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
	if f.Origin {
		return perceptron.Linear
	}
	return perceptron.Affine
}

// rate returns η. If Eta is 0, η is 1.
func (f fields) rate() float64 { return cmp.Or(f.Eta, 1) }

// keeps reports whether Keep selects another hyperplane for predictions than the last iterate.
func (f fields) keeps() bool {
	return f.Keep != perceptron.Last && f.Model != byHand
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

// build returns an untrained model with the hyperparameters of f, except for Keep.
func (f fields) build(keep perceptron.Keep) trainee {
	if f.Model == "Margin" {
		return &perceptron.Margin{Rate: f.Eta, Space: f.space(), Order: f.Order, Keep: keep, Gamma: f.Gamma}
	}
	return &perceptron.Online{Rate: f.Eta, Space: f.space(), Order: f.Order, Keep: keep}
}

// A trainee is a model that can train one example or one epoch at a time.
type trainee interface {
	perceptron.Binary
	perceptron.Learner
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
}
