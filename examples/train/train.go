package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"perceptron"
)

// A spec selects the model to train and its fields.
type spec struct {
	model, binary    string
	order            perceptron.Order
	keep             perceptron.Keep
	rate             float64
	gamma, threshold float64
	seed             uint64
}

// build returns an untrained model. It rejects a flag in given, the flags that were
// set, if the flag has no effect on that model.
func (s *spec) build(given map[string]bool) (perceptron.Model, error) {
	kind := s.model
	switch {
	case kind == "multiclass" && s.binary == "batch":
		return nil, errors.New("-binary batch does not apply to multiclass")
	case many(kind):
		kind = s.binary
	case given["binary"]:
		return nil, fmt.Errorf("-binary applies to -model onevsrest and multiclass only, not to %s", s.model)
	}
	for _, field := range []string{"gamma", "theta", "order", "keep"} {
		margin := field == "gamma" || field == "theta"
		if given[field] && (kind == "batch" || margin && kind == "online") {
			return nil, fmt.Errorf("-%s does not apply to %s", field, kind)
		}
	}
	var m perceptron.Model
	switch kind {
	case "online":
		m = &perceptron.Online{Rate: s.rate, Order: s.order, Seed: s.seed, Keep: s.keep}
	case "batch":
		m = &perceptron.Batch{Rate: s.rate}
	case "margin":
		m = &perceptron.Margin{Rate: s.rate, Order: s.order, Seed: s.seed, Keep: s.keep, Gamma: s.gamma, Threshold: s.threshold}
	default:
		return nil, fmt.Errorf("unknown model %q: want online, margin, batch or, for -model only, onevsrest or multiclass", kind)
	}
	switch s.model {
	case "onevsrest":
		m = &perceptron.OneVsRest{Binary: m}
	case "multiclass":
		m = &perceptron.Multiclass{Binary: m}
	}
	return m, nil
}

// many reports whether -model takes any number of classes.
func many(model string) bool { return model == "onevsrest" || model == "multiclass" }

// settings holds the facts about a model that this program needs.
type settings struct {
	name   string // of the model and its fields, for messages
	epochs *int   // points to MaxEpochs
	memory bool   // the model needs the rows in memory
}

// settingsOf returns the settings of m, or of the Binary of a model of many classes.
func settingsOf(m perceptron.Model) settings {
	iterates := func(name string, order perceptron.Order, keep perceptron.Keep) string {
		return fmt.Sprintf("%s, order %v, keep %v", name, order, keep)
	}
	switch m := m.(type) {
	case *perceptron.Online:
		return settings{iterates("online", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic}
	case *perceptron.Margin:
		return settings{iterates("margin", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic}
	case *perceptron.Batch:
		return settings{"batch", &m.MaxEpochs, true}
	case *perceptron.OneVsRest:
		return settingsOfBinary("onevsrest", &m.Binary)
	case *perceptron.Multiclass:
		return settingsOfBinary("multiclass", &m.Binary)
	}
	panic(fmt.Sprintf("unknown model type %T", m))
}

// settingsOfBinary returns the settings of the field Binary of a model of many classes.
func settingsOfBinary(kind string, binary *perceptron.Model) settings {
	if *binary == nil {
		*binary = new(perceptron.Online) // the meaning of nil
	}
	s := settingsOf(*binary)
	s.name = kind + " of " + s.name
	return s
}

// epochs trains for at most limit further epochs and yields each result. It calls tick
// with the number of rows learned since the last call.
func (t *table) epochs(m perceptron.Model, limit int, tick func(rows int)) iter.Seq2[perceptron.Epoch, error] {
	*settingsOf(m).epochs = limit
	if t.X[training] == nil {
		return t.passes(m.(streaming), limit, tick)
	}
	return func(yield func(perceptron.Epoch, error) bool) {
		for e, err := range m.(inMemory).Epochs(t.X[training], t.y[training]) {
			if err != nil {
				err = fmt.Errorf("%s: %w", t.file, err)
			}
			tick(e.Examples)
			if !yield(e, err) {
				return
			}
		}
	}
}

// inMemory is a model that trains on rows in memory.
type inMemory interface {
	Epochs(X [][]float64, y []int) iter.Seq2[perceptron.Epoch, error]
}

// streaming is a model that learns from rows as they are read.
type streaming interface {
	Learn(examples iter.Seq2[[]float64, int]) (perceptron.Epoch, error)
}

// passes trains like epochs, but reads the file again for each epoch.
func (t *table) passes(m streaming, limit int, tick func(rows int)) iter.Seq2[perceptron.Epoch, error] {
	return func(yield func(perceptron.Epoch, error) bool) {
		for n := 1; ; n++ {
			var failed error
			e, err := m.Learn(func(yield func([]float64, int) bool) {
				failed = t.pass(func(p part, x []float64, label int) bool {
					if p != training {
						return true
					}
					tick(1)
					return yield(x, label)
				})
			})
			if err != nil {
				err = fmt.Errorf("%s: %w", t.file, err)
			}
			switch {
			case e.Mistakes == 0:
				e.Stop = perceptron.Converged
			case n == limit:
				e.Stop = perceptron.EpochLimit
			}
			if err := errors.Join(failed, err); err != nil {
				yield(perceptron.Epoch{}, err)
				return
			}
			if !yield(e, nil) || e.Stop != perceptron.Running {
				return
			}
		}
	}
}

// train trains until the epochs end. If ctx ends, train stops after the current epoch.
// If watched is true, it also counts the errors on the rows held out after each epoch.
func (s *summary) train(ctx context.Context, limit int, b *bars, watched bool) error {
	t := s.table
	bar := b.train(ctx, limit, t.rows[training])
	defer bar.end()
	watch := t.watch
	t.watch = unseen // show only the training bar
	defer func() { t.watch = watch }()
	for e, err := range t.epochs(s.model, limit, bar.tick) {
		if err != nil {
			return err
		}
		s.history = append(s.history, e)
		bar.show(e)
		if watched && t.rows[heldOut] > 0 {
			counts, err := t.evaluate(s.model)
			if err != nil {
				return err
			}
			share, _ := accuracy(counts[heldOut])
			s.errors = append(s.errors, 1-share)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil
}
