package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"perceptron"
)

// options holds the values of the flags.
type options struct {
	spec
	data, format, label string
	comma, missing      string
	columns, drop       string
	features            int
	holdout             float64
	folds               int
	standardise         bool
	memory              int
	epochs              int
	load, save, curves  string
	cut                 string // of -threshold
	predict             bool
	scores, json        bool
	given               map[string]bool // names of the flags that were set
}

// A usageError is a wrong use of the flags.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// parse reads the flags and checks them.
func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{given: map[string]bool{}}
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(io.Discard) // main prints errors
	f.StringVar(&o.data, "data", "", "`file` of labelled rows, or - for standard input; it may be compressed (.gz)")
	f.StringVar(&o.format, "format", "", "csv or libsvm (default: from the file name)")
	f.StringVar(&o.label, "label", "last", "CSV column with the class: first, last, or its name in the first line")
	f.StringVar(&o.comma, "comma", "", "`character` that separates the fields of a CSV file, tab or space (default: detected)")
	f.StringVar(&o.columns, "columns", "", "comma-separated `names` of the CSV columns to use as features (default: all but the label)")
	f.StringVar(&o.drop, "drop", "", "comma-separated `names` of CSV columns to leave out")
	f.StringVar(&o.missing, "missing", missingError, "what a missing value in a CSV file means (empty, ?, NA, NaN, null): error, mean to fill in the feature's mean, or drop to leave out the row")
	f.IntVar(&o.features, "features", 0, "number of features in a LIBSVM file; 0 means the highest index in the file")
	f.Float64Var(&o.holdout, "holdout", 0, "share of the rows of each class to hold out; -seed selects them")
	f.IntVar(&o.folds, "cv", 0, "number of folds of a stratified cross-validation, which saves no model")
	f.BoolVar(&o.standardise, "standardise", false, "subtract the mean of each feature and divide by its standard deviation, both from the training rows")
	f.IntVar(&o.memory, "memory", 1024, "limit in `MiB` for rows in memory; if they need more, each epoch reads the file again")
	f.StringVar(&o.model, "model", "margin", "online, margin, batch, onevsrest or multiclass")
	f.StringVar(&o.binary, "binary", "margin", "the model that onevsrest trains for each class, online, margin or batch; the rule of multiclass, online or margin")
	f.TextVar(&o.order, "order", perceptron.Shuffled, "order of the rows: cyclic, shuffled or sampled; only cyclic if the rows are not in memory")
	f.TextVar(&o.keep, "keep", perceptron.Last, "the weights that predict: last, average or pocket")
	f.Float64Var(&o.rate, "rate", 0, "learning rate η; 0 means 1")
	f.Float64Var(&o.gamma, "gamma", 0, "γ′ of the margin model")
	f.Float64Var(&o.threshold, "theta", 0, "θ of the margin model")
	f.StringVar(&o.cut, "threshold", "", "of two classes, predict the second from this score on: a `number`, or f1 for the best F1 on the rows held out; saved with the model (default 0)")
	f.Uint64Var(&o.seed, "seed", 0, "seed for the order of the rows and for the choice of the rows held out, or of the folds")
	f.IntVar(&o.epochs, "epochs", 100, "maximum number of epochs; with -load, of further epochs")
	f.StringVar(&o.load, "load", "", "`file` of a saved model, to continue its training or to predict")
	f.StringVar(&o.save, "save", "", "`file` to save the model in; a description of its columns is saved beside it as FILE.json")
	f.StringVar(&o.curves, "curves", "", "SVG `file` for a plot of mistakes and loss by epoch")
	f.BoolVar(&o.predict, "predict", false, "print the class that the model of -load predicts for each row of -data")
	f.BoolVar(&o.scores, "scores", false, "with -predict, also print the scores")
	f.BoolVar(&o.json, "json", false, "print JSON: one object for a training, one line for each prediction")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: train -data FILE [flags]; train -load MODEL -predict -data FILE")
			f.SetOutput(stderr)
			f.PrintDefaults()
		}
		return nil, usageError{err}
	}
	f.Visit(func(f *flag.Flag) { o.given[f.Name] = true })
	if err := o.check(f.Args()); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// check reports the first flag that has a bad value or contradicts another flag.
func (o *options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.data == "":
		return errors.New("-data is required; -data - reads standard input")
	case o.format != "" && o.format != "csv" && o.format != "libsvm":
		return fmt.Errorf("-format is %q, want csv or libsvm", o.format)
	case o.missing != missingError && o.missing != missingMean && o.missing != missingDrop:
		return fmt.Errorf("-missing is %q, want error, mean or drop", o.missing)
	case o.features < 0 || o.memory < 0 || o.epochs < 1:
		return fmt.Errorf("-features %d, -memory %d, -epochs %d: the minimum values are 0, 0 and 1", o.features, o.memory, o.epochs)
	case !(o.holdout >= 0 && o.holdout < 1):
		return fmt.Errorf("-holdout is %v, want at least 0 and less than 1", o.holdout)
	case o.given["cv"] && o.folds < 2:
		return fmt.Errorf("-cv is %d, want at least 2", o.folds)
	case o.predict && o.load == "":
		return errors.New("-predict requires -load")
	case o.scores && !o.predict:
		return errors.New("-scores requires -predict")
	}
	if _, err := parseComma(o.comma); err != nil {
		return err
	}
	return cmp.Or(o.checkThreshold(), o.contradiction())
}

// checkThreshold checks -threshold.
func (o *options) checkThreshold() error {
	v, err := strconv.ParseFloat(o.cut, 64)
	switch {
	case o.cut == "":
		return nil
	case o.cut != "f1" && (err != nil || math.IsNaN(v) || math.IsInf(v, 0)):
		return fmt.Errorf("-threshold is %q, want f1 or a number; -theta sets θ of the margin model", o.cut)
	case o.cut == "f1" && o.predict:
		return errors.New("-threshold f1 cannot be used with -predict: it is chosen when the model is trained")
	case o.cut == "f1" && o.holdout == 0 && o.load == "":
		return errors.New("-threshold f1 requires -holdout: it is chosen on the rows held out")
	case many(o.model) && o.load == "":
		return fmt.Errorf("-threshold is for two classes; it does not apply to %s", o.model)
	}
	return nil
}

// contradiction reports the first flag that has no effect beside another one.
func (o *options) contradiction() error {
	without := func(with string, flags ...string) error {
		for _, name := range flags {
			if o.given[name] {
				return fmt.Errorf("-%s cannot be used with -%s", name, with)
			}
		}
		return nil
	}
	var err error
	if o.folds > 0 {
		err = without("cv", "holdout", "threshold", "load", "save", "curves")
	}
	if err == nil && o.load != "" {
		err = without("load", "model", "binary", "order", "keep", "rate", "gamma", "theta", "seed", "holdout", "standardise", "features", "columns", "drop")
	}
	if err == nil && o.predict {
		err = without("predict", "save", "curves", "epochs", "memory")
	}
	return err
}

// names splits a comma-separated list.
func names(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
