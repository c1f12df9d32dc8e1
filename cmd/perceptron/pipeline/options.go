package pipeline

import (
	"cmp"
	"encoding"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"perceptron"
	"perceptron/cmd/perceptron/internal/dataset"
	"perceptron/cmd/perceptron/internal/table"
	"perceptron/cmd/perceptron/internal/usage"
)

// Options are the flags of perceptron train, by the same names, and errors name them as flags. Zero means the default,
// unless Set lists the field.
type Options struct {
	Format        string   // csv or libsvm; "": by the name of the file
	Header        string   // yes or no: the first line has names; "" here and below: detected
	Comma         string   // comma, semicolon, tab, bar, space, caret, tilde or none
	Decimal       string   // point or comma
	Label         string   // the column of the class; "": the last
	Columns, Drop []string // only the first are features, or all but the second
	Category      []string // numbers in these columns are words
	Text          []string // the words of these columns are hashed,
	Ngrams        []int    // this many at once; nil: 1 and 2
	Hash          int      // to two to this power features; 0: 18
	IDF           bool     // words of text count by rarity; false: with Holdout, folds choose
	Missing       string   // a row with a missing value: error (""), mean or drop
	NA, Word      []string // texts that mean a missing value, as "" and NA do; such that are words among words
	Features      int      // of LIBSVM rows; 0: the highest index

	Holdout   float64 // share of the rows of each class that measure the model
	Last      bool    // these are the last rows, not drawn
	Group     string  // rows with one value of this column stay together
	CV        int     // cross-validate with this number of folds
	Seed      uint64  // chooses the order and the rows held out
	Epochs    int     // at most this number of further epochs; 0: 20, with Text 10
	Patience  int     // stop this number of epochs after the best on the rows held out
	Refit     bool    // then train on all rows for the best number of epochs
	Threshold string  // least score of the second class: a number, or the best: f1
	Calibrate bool    // fit probabilities to the rows held out, or the folds

	Algorithm          string                 // online, margin, batch, multiclass or onevsrest; "": by the classes
	Rule               string                 // of the last two: online, margin or batch; "": with Holdout, folds choose
	Order              string                 // shuffled (""), cyclic or sampled
	Keep               string                 // the weights that predict: average (""), last or pocket
	Rate, Gamma, Theta float64                // η (0: 1), and γ′ and θ of the margin rule
	Raw                bool                   // do not standardize numbers
	ScaleWords         bool                   // standardize words too; false: with Holdout, folds choose
	Waves              int                    // waves that bend borders; 0: with Holdout or CV, folds choose
	Model              *Predictor             // continue its training; it does not change itself
	Strict             bool                   // with Model, a new word is an error
	Memory             int                    // most MiB for rows and weights, else rows stay in files; 0: 3/4 of the machine's
	Folder             string                 // of these files, which have no names; "": that of the system
	Checkpoint         int                    // call Save every so many epochs
	Curves             bool                   // measure the rows held out after each epoch
	All                bool                   // of Evaluate: measure all rows of the training file
	Positive           string                 // of Evaluate: measure the scores of this class
	Save               func(*Predictor) error // saves the model when it is trained, before it is measured
	Progress           func(Progress)         // is called often, and must be fast
	Note               func(string)           // gets remarks about the table as it is read
	Set                []string               // names of fields whose zero value is meant, such as "Waves"
}

// An OptionError is about an option of a bad value or without an effect.
type OptionError = usage.Error

// Check returns the OptionError that Train would return at once, or nil.
func (o Options) Check() error {
	_, err := newTrainer(nil, o)
	return err
}

// choices are the values of options of few values, beside "".
var choices = map[string]string{
	"format": "csv libsvm", "header": "auto yes no", "comma": "auto comma semicolon tab bar space caret tilde none", "decimal": "auto point comma",
	"missing": "error mean drop", "algorithm": "auto online margin batch multiclass onevsrest", "rule": "auto online margin batch", "order": "cyclic shuffled sampled", "keep": "last average pocket",
}

// A trainer trains with options. A copy of it has options of its own, for a fold.
type trainer struct {
	Options
	*watch
	given usage.Set
	order perceptron.Order
	keep  perceptron.Keep

	// usual is the rule if --rule is auto. It is margin if a column is text, and with waves. Many
	// hyperplanes soon separate, or nearly separate, rows with a hundred thousand features. The
	// margin rule chooses one that predicts new rows better. Its predictions differ from those of a
	// linear support vector machine in a few rows of a thousand. With --holdout, choose may set
	// usual too.
	usual string
	tries bool // a fold tries waves, which must take little time and memory
}

// newTrainer sets the defaults, and checks the options as far as they do not depend on the rows.
func newTrainer(w *watch, o Options) (*trainer, error) {
	t := &trainer{Options: o, watch: w, given: usage.Set{}, usual: "online"}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name := usage.Name(v.Type().Field(i).Name)
		t.given[name] = !v.Field(i).IsZero()
		if values := choices[name]; values != "" && t.given[name] && !slices.Contains(strings.Fields(values), v.Field(i).String()) {
			return nil, usage.Errorf("--%s is %q, want one of %s", name, v.Field(i), strings.ReplaceAll(values, " ", ", "))
		}
	}
	for _, name := range o.Set {
		t.given[usage.Name(name)] = true
	}
	if len(t.Text) > 0 || t.Waves > 0 {
		t.usual = "margin"
	}
	if !t.given.Has("memory") {
		t.Memory = machineMemory() / 4 * 3
	}
	if !t.given.Has("epochs") { // for text, with margin and average, more epochs take time and are no better
		t.Epochs = map[bool]int{true: 10, false: 20}[len(t.Text) > 0]
	}
	if !t.given.Has("hash") {
		t.Hash = 18
	}
	if t.Ngrams == nil {
		t.Ngrams = []int{1, 2}
	}
	t.Algorithm, t.Rule = cmp.Or(t.Algorithm, "auto"), cmp.Or(t.Rule, "auto")
	err := cmp.Or(t.order.UnmarshalText([]byte(cmp.Or(t.Order, "shuffled"))), t.keep.UnmarshalText([]byte(cmp.Or(t.Keep, "average"))))
	return t, cmp.Or(usage.If(err != nil, "%w", err), t.check())
}

// check returns an error for the first option that has a bad value or contradicts another one. It reads no data,
// so that the user need not wait for a pass over the file. prepare checks what depends on the number of classes or rows.
func (t *trainer) check() error {
	// Options have no effect if a cross-validation saves no model, or if Model has their settings.
	var unused error
	switch {
	case t.CV > 0:
		// A cross-validation saves a model only with --calibrate, so that only then -o has an effect.
		output := map[bool]string{true: "model", false: "output"}[t.Calibrate]
		unused = t.given.Without("--cv", "holdout", "last", "threshold", "model", output, "curves", "checkpoint", "patience", "refit")
	case t.Model != nil:
		unused = t.given.Without("-m", "algorithm", "rule", "order", "keep", "rate", "gamma", "theta", "raw", "scale-words", "seed", "holdout", "last", "group", "refit", "features", "columns", "drop", "category", "missing", "na", "word", "text", "ngrams", "hash", "idf")
	case len(t.Text) == 0:
		unused = t.given.Without("no --text", "ngrams", "hash", "idf")
	}
	cut, err := strconv.ParseFloat(t.Threshold, 64)
	number := err == nil && math.Abs(cut) < 1e300 // a model's file accepts no larger threshold
	odd := t.hashing().Check()
	return cmp.Or(t.checkModel(), unused, usage.If(odd != nil, "%w", odd),
		usage.If(min(t.Features, t.Memory, t.Patience, t.Checkpoint, t.Epochs-1) < 0, "--features, --memory, --patience and --checkpoint must be at least 0, and --epochs at least 1"),
		usage.If(!(t.Holdout >= 0 && t.Holdout < 1), "--holdout is %v, want at least 0 and less than 1", t.Holdout),
		usage.If(t.Last && (t.Holdout == 0 || t.Group != ""), "--last requires --holdout, and not --group"), usage.If(t.Group != "" && t.Holdout == 0 && t.CV == 0, "--group requires --holdout or --cv"),
		dataset.CheckWaves(t.Waves, t.Text), usage.If(t.given.Has("waves") && t.Model != nil, "--waves cannot be used with -m"),
		usage.If(t.given.Has("cv") && t.CV < 2, "--cv is %d, want at least 2", t.CV),
		usage.If(t.Threshold != "" && t.Threshold != "f1" && !number, "--threshold is %q, want f1 or a number; --theta sets θ of the margin rule", t.Threshold),
		usage.If((t.Patience > 0 || t.Threshold == "f1" || t.Calibrate && t.CV == 0) && t.Holdout == 0 && t.Model == nil, "--patience, --threshold f1 and --calibrate require --holdout: they use the rows held out"),
		usage.If(t.Refit && t.Patience == 0, "--refit requires --patience, which finds the number of epochs"),
		usage.If(t.Checkpoint > 0 && t.Save == nil, "--checkpoint requires Save"),
		usage.If(t.Strict && t.Model == nil, "--strict requires -m: all words of a new model are known"),
		usage.If(t.Raw && t.ScaleWords, "--scale-words cannot be used with --raw"))
}

// checkModel returns an error for an option that has no effect on the chosen model, or has a bad value. The
// number of classes is not known yet. checkModel assumes two, because the same options are bad for more.
func (t *trainer) checkModel() error {
	algorithm, rule := t.kind(2)
	useless := map[string][]string{"batch": {"order", "keep", "gamma", "theta"}, "online": {"gamma", "theta"}}[rule]
	with := "the rule " + rule
	if t.Algorithm == rule { // --rule is for multiclass and onevsrest
		with, useless = "--algorithm "+rule, append(useless, "rule")
	}
	// Saving a model validates its fields, and needs no rows.
	model, invalid := t.build(2)
	if invalid == nil {
		_, invalid = model.(encoding.BinaryMarshaler).MarshalBinary()
	}
	return cmp.Or(usage.If(algorithm == "multiclass" && rule == "batch", "--rule batch does not apply to multiclass: use --algorithm batch for two classes, or --algorithm onevsrest --rule batch for more"),
		t.given.Without(with, useless...), usage.If(invalid != nil, "%w", invalid))
}

// format, choice and hashing are the options of the reader.
func (t *trainer) format() table.Options {
	return table.Options{Format: t.Format, Header: t.Header, Comma: t.Comma, Decimal: t.Decimal}
}

func (t *trainer) choice() table.Choice {
	return table.Choice{Label: t.Label, Columns: t.Columns, Drop: t.Drop, Category: t.Category, Missing: t.Missing, NA: t.NA, Word: t.Word,
		Features: t.Features, Group: t.Group, Hashing: t.hashing()}
}

func (t *trainer) hashing() table.Hashing {
	return table.Hashing{Text: t.Text, Ngrams: t.Ngrams, Hash: t.Hash}
}

// rule returns the rule that --rule names. If --rule is auto, it returns the usual rule.
func (t *trainer) rule() string {
	if t.Rule == "auto" {
		return t.usual
	}
	return t.Rule
}

// kind returns the algorithm for a number of classes, and its rule. Each of online, margin and batch
// is a rule, and also an algorithm for two classes. With --algorithm auto, --rule margin or batch
// chooses multiclass, which learns two classes too.
func (t *trainer) kind(classes int) (algorithm, rule string) {
	switch {
	case t.Algorithm == "multiclass" || t.Algorithm == "onevsrest":
		return t.Algorithm, t.rule()
	case t.Algorithm != "auto":
		return t.Algorithm, t.Algorithm
	case classes > 2 || t.Rule == "margin" || t.Rule == "batch":
		return "multiclass", t.rule()
	}
	return t.rule(), t.rule()
}

// build returns an untrained model for the number of classes. It does not check the rate, γ′ and θ.
// The library validates them.
func (t *trainer) build(classes int) (perceptron.Model, error) {
	algorithm, rule := t.kind(classes)
	binary := map[string]perceptron.Binary{
		"online": &perceptron.Online{Rate: t.Rate, Order: t.order, Seed: t.Seed, Keep: t.keep},
		"batch":  &perceptron.Batch{Rate: t.Rate},
		"margin": &perceptron.Margin{Rate: t.Rate, Order: t.order, Seed: t.Seed, Keep: t.keep, Gamma: t.Gamma, Threshold: t.theta(algorithm)},
	}[rule]
	switch {
	case algorithm == "multiclass":
		return &perceptron.Multiclass{Binary: binary}, nil
	case algorithm == "onevsrest":
		return &perceptron.OneVsRest{Binary: binary}, nil
	case classes != 2:
		return nil, usage.Errorf("--algorithm %s separates two classes, but there are %d; multiclass and onevsrest take any number", algorithm, classes)
	}
	return binary, nil
}

// theta returns θ of the margin rule. For waves, the default is that of a Classifier: 8/3, about the mean of
// ‖(φ(z), 1)‖². A plane that separates one class from others is half the difference of two planes of many, so that
// with half of θ, both learn the same border.
func (t *trainer) theta(algorithm string) float64 {
	if t.Waves == 0 || t.Theta != 0 || t.Gamma != 0 {
		return t.Theta
	}
	return map[bool]float64{true: 8. / 3, false: 4. / 3}[algorithm == "multiclass"]
}

// The folds compare usualWaves waves with straight borders.
const (
	usualWaves = 300
	borders    = "the borders"
	bent       = "300 waves"
)

// bend sets what --waves would.
func (t *trainer) bend() { t.Waves, t.usual = usualWaves, "margin" }
