package modelfile

import (
	"cmp"
	"fmt"

	"perceptron"
)

// Settings holds the facts about a model that the command needs. The library has no
// common interface for these facts, so only SettingsOf lists the types of models.
type Settings struct {
	// Name names the type, the order and the kept weights, for messages.
	Name string

	// Epochs points to the model's MaxEpochs. Every training sets it to --epochs, and a continued
	// training runs for at most this number of further epochs.
	Epochs *int

	// Memory says that the model needs the rows in memory. A stream has only the order of the file,
	// and the batch rule cannot learn from a stream.
	Memory bool

	// Mistakes says that the model updates on a row if and only if it predicts the row wrong or is
	// undecided: a score of 0, or of many classes a rival with the score of the row's class. The share
	// of updates is then the progressive error.
	Mistakes bool

	// Average says that the average of the weights predicts.
	Average bool
}

// SettingsOf returns the settings of m, or of the Binary of a model of many classes.
func SettingsOf(m perceptron.Model) (s Settings) {
	// The library reads a nil Binary as Online. Models that this program builds have no nil Binary.
	online := perceptron.Binary(new(perceptron.Online))
	switch m := m.(type) {
	case *perceptron.Online:
		return Settings{fmt.Sprintf("online, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, true, m.Keep == perceptron.Average}
	case *perceptron.Margin:
		return Settings{fmt.Sprintf("margin, order %v, keep %v", m.Order, m.Keep), &m.MaxEpochs, m.Order != perceptron.Cyclic, false, m.Keep == perceptron.Average}
	case *perceptron.Batch:
		return Settings{"batch", &m.MaxEpochs, true, true, false}
	case *perceptron.OneVsRest:
		m.Binary = cmp.Or(m.Binary, online)
		s = SettingsOf(m.Binary)
		s.Mistakes = false // several classes may update on one row
	case *perceptron.Multiclass:
		m.Binary = cmp.Or(m.Binary, online)
		s = SettingsOf(m.Binary)
	}
	s.Name = Type(m) + " of " + s.Name
	return s
}
