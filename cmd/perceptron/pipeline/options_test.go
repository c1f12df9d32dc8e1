package pipeline

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"perceptron/cmd/perceptron/internal/usage"
)

// TestOptions: bad options are OptionErrors before anything is read, and name the option.
func TestOptions(t *testing.T) {
	p, _ := train(t, cloud(20), Options{})
	for want, o := range map[string]Options{
		"--missing is \"gone\", want one of error, mean, drop":                                     {Missing: "gone"},
		"--header is \"maybe\", want one of auto, yes, no":                                         {Header: "maybe"},
		"--ngrams cannot be used with no --text":                                                   {Ngrams: []int{1}},
		"--epochs at least 1":                                                                      {Set: []string{"Epochs"}},
		"--holdout is 1, want at least 0 and less than 1":                                          {Holdout: 1},
		"--seed cannot be used with -m":                                                            {Model: p, Set: []string{"Seed"}},
		"--scale-words cannot be used with -m":                                                     {Model: p, ScaleWords: true},
		"--checkpoint requires Save":                                                               {Checkpoint: 1},
		"--refit requires --patience":                                                              {Refit: true},
		"--gamma cannot be used with the rule online":                                              {Gamma: 1},
		"--waves cannot be used with --text":                                                       {Waves: 9, Text: []string{"t"}},
		"--order is \"sorted\", want one of cyclic, shuffled, sampled":                             {Order: "sorted"},
		"--threshold is \"x\", want f1 or a number":                                                {Threshold: "x"},
		"--patience, --threshold f1 and --calibrate require --holdout: they use the rows held out": {Calibrate: true},
	} {
		_, _, err := Train(t.Context(), nil, o)
		if also := o.Check(); !errors.As(err, new(OptionError)) || also == nil || err.Error() != also.Error() || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSet: a zero value that is listed in Set is meant. Without rows held out nothing is chosen.
func TestSet(t *testing.T) {
	o := Options{Holdout: 0.3}
	_, chosen := train(t, cloud(100), o)
	o.Set = []string{"Waves", "Rule"}
	_, straight := train(t, cloud(100), o)
	if len(chosen.Choices) != 2 || len(straight.Choices) != 0 {
		t.Errorf("%+v, %+v", chosen.Choices, straight.Choices)
	}
}

// TestFields: the fields of Options that the command has no flag for are those of Evaluate, and those that a flag cannot hold.
func TestFields(t *testing.T) {
	help, err := os.ReadFile("../train.go")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := os.ReadFile("../internal/table/discover.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../internal/table/source.go")
	if err != nil {
		t.Fatal(err)
	}
	var none []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		declared := func(text []byte) bool {
			for line := range strings.Lines(string(text)) {
				if f := strings.Fields(line); len(f) > 2 && f[0] == field.Name && strings.Contains(line, `help:"`) {
					return true
				}
			}
			return false
		}
		if !declared(help) && !declared(tables) && !declared(source) {
			none = append(none, usage.Name(field.Name))
		}
	}
	if got := strings.Join(none, " "); got != "folder all positive save progress note set" {
		t.Errorf("without a flag: %s", got)
	}
}
