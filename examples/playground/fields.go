package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"perceptron"
)

// models are the models that the page offers: first those for two classes, then their
// counterparts for many, in the same order.
var models = []string{"Online", "Margin", "Batch", "OneVsRest of Online", "OneVsRest of Margin", "OneVsRest of Batch"}

// fields holds the hyperparameters.
type fields struct {
	Model string           `json:"model"` // one of models
	Order perceptron.Order `json:"order"`
	Keep  perceptron.Keep  `json:"keep"`
	Eta   float64          `json:"eta"`
	Gamma float64          `json:"gamma"` // γ′ of Margin; 0 means its default rule
}

func (f fields) index() int { return slices.Index(models, f.Model) }

func (f fields) multiclass() bool { return f.index() >= 3 }

// rule returns the model for two classes.
func (f fields) rule() string { return models[f.index()%3] }

// counterpart returns the model with the same rule, for two classes instead of many,
// or for many instead of two.
func (f fields) counterpart() string { return models[(f.index()+3)%6] }

// set parses text and assigns it to the named field.
func (f *fields) set(name, text string) error {
	var err error
	switch name {
	case "model":
		if !slices.Contains(models, text) {
			return fmt.Errorf("unknown model %q", text)
		}
		f.Model = text
	case "order":
		err = f.Order.UnmarshalText([]byte(text))
	case "keep":
		err = f.Keep.UnmarshalText([]byte(text))
	case "eta":
		err = setNumber(&f.Eta, "η", text)
	case "gamma":
		err = setNumber(&f.Gamma, "γ′", text)
	default:
		err = fmt.Errorf("unknown field %q", name)
	}
	return err
}

// setNumber accepts any finite number. The models themselves reject numbers out of
// range.
func setNumber(v *float64, name, text string) error {
	n, err := strconv.ParseFloat(cmp.Or(text, "0"), 64)
	if err != nil || !finite(n) {
		return fmt.Errorf("%s is %q, want a finite number", name, text)
	}
	*v = n
	return nil
}

// build returns an untrained model.
func (f fields) build(keep perceptron.Keep) trainee {
	var binary trainee
	switch f.rule() {
	case "Online":
		binary = &perceptron.Online{Rate: f.Eta, Order: f.Order, Keep: keep}
	case "Margin":
		binary = &perceptron.Margin{Rate: f.Eta, Order: f.Order, Keep: keep, Gamma: f.Gamma}
	case "Batch":
		binary = &perceptron.Batch{Rate: f.Eta}
	}
	if f.multiclass() {
		return &perceptron.OneVsRest{Binary: binary}
	}
	return binary
}

// A trainee is a model that can train one epoch at a time.
type trainee interface {
	perceptron.Model
	Epochs(X [][]float64, y []int) epochs
}

// An updater is a model that can learn one example at a time.
type updater interface {
	Update(x []float64, y int) (bool, error)
}

// A follower is a model for two classes.
type follower interface {
	trainee
	Hyperplane() perceptron.Hyperplane
}
