package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"perceptron"
)

// models are what the page offers: those of two classes, and their counterparts
// for many.
var models = []string{"Online", "Margin", "Batch", "OneVsRest of Online", "OneVsRest of Margin", "OneVsRest of Batch"}

// fields are the hyperparameters.
type fields struct {
	Model string           `json:"model"` // one of models
	Order perceptron.Order `json:"order"`
	Keep  perceptron.Keep  `json:"keep"`
	Eta   float64          `json:"eta"`
	Gamma float64          `json:"gamma"` // γ′ of Margin; 0 for its default rule
}

func (f fields) index() int { return slices.Index(models, f.Model) }

func (f fields) multiclass() bool { return f.index() >= 3 }

// rule is the model of two classes that learns.
func (f fields) rule() string { return models[f.index()%3] }

// counterpart is the same rule for two classes if this is for many, and the other
// way round.
func (f fields) counterpart() string { return models[(f.index()+3)%6] }

// set sets a field to what its text says.
func (f *fields) set(name, text string) error {
	var err error
	switch name {
	case "model":
		if !slices.Contains(models, text) {
			return errors.New("there is no such model: " + text)
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
		err = errors.New("there is no such field: " + name)
	}
	return err
}

// setNumber takes what the models can be given: whether it makes sense is theirs to
// say.
func setNumber(v *float64, name, text string) error {
	n, err := strconv.ParseFloat(cmp.Or(text, "0"), 64)
	if err != nil || !finite(n) {
		return fmt.Errorf("%s is %q, want a number", name, text)
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

// A trainee is a model whose training is a range.
type trainee interface {
	perceptron.Model
	Epochs(X [][]float64, y []int) epochs
}

// An updater is a model that learns an example at a time.
type updater interface {
	Update(x []float64, y int) (bool, error)
}

// A follower is a model of two classes.
type follower interface {
	trainee
	Hyperplane() perceptron.Hyperplane
}
