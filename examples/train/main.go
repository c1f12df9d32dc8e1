// Train trains a perceptron on a CSV or LIBSVM file of any size, prints a summary
// and saves the model. It can also label new rows with a saved model.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"perceptron"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// options holds the values of the flags.
type options struct {
	spec
	data, format, label string
	features            int
	holdout             float64
	standardise         bool
	memory              int
	epochs              int
	load, save, curves  string
	predict             bool
	given               map[string]bool // names of the flags that were set
}

// parse reads the flags and checks them.
func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{given: map[string]bool{}}
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.SetOutput(io.Discard) // main prints errors
	f.StringVar(&o.data, "data", "", "`file` of labelled rows; it may be compressed (.gz)")
	f.StringVar(&o.format, "format", "", "csv or libsvm (default: from the file name)")
	f.StringVar(&o.label, "label", "last", "CSV column with the class: first, last, or its name in the first line")
	f.IntVar(&o.features, "features", 0, "number of features in a LIBSVM file; 0 means the highest index in the file")
	f.Float64Var(&o.holdout, "holdout", 0, "share of the rows to hold out; -seed selects them")
	f.BoolVar(&o.standardise, "standardise", false, "subtract the mean of each feature and divide by its standard deviation, both from the training rows")
	f.IntVar(&o.memory, "memory", 1024, "limit in `MiB` for rows in memory; if they need more, each epoch reads the file again")
	f.StringVar(&o.model, "model", "margin", "online, margin, batch or onevsrest")
	f.StringVar(&o.binary, "binary", "margin", "the model that onevsrest trains for each class: online, margin or batch")
	f.TextVar(&o.order, "order", perceptron.Shuffled, "order of the rows: cyclic, shuffled or sampled; only cyclic if the rows are not in memory")
	f.TextVar(&o.keep, "keep", perceptron.Last, "the weights that predict: last, average or pocket")
	f.Float64Var(&o.rate, "rate", 0, "learning rate η; 0 means 1")
	f.Float64Var(&o.gamma, "gamma", 0, "γ′ of the margin model")
	f.Float64Var(&o.threshold, "threshold", 0, "θ of the margin model")
	f.Uint64Var(&o.seed, "seed", 0, "seed for the order of the rows and for the choice of the rows held out")
	f.IntVar(&o.epochs, "epochs", 100, "maximum number of epochs; with -load, of further epochs")
	f.StringVar(&o.load, "load", "", "`file` of a saved model, to continue its training or to predict")
	f.StringVar(&o.save, "save", "", "`file` to save the model in; a description of its columns is saved beside it as FILE.json")
	f.StringVar(&o.curves, "curves", "", "SVG `file` for a plot of mistakes and loss by epoch")
	f.BoolVar(&o.predict, "predict", false, "print the class that the model of -load predicts for each row of -data")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: train -data FILE [flags]; train -load MODEL -predict -data FILE")
			f.SetOutput(stderr)
			f.PrintDefaults()
		}
		return nil, err
	}
	f.Visit(func(f *flag.Flag) { o.given[f.Name] = true })
	return o, o.check(f.Args())
}

// check reports the first flag that has a bad value or contradicts another flag.
func (o *options) check(rest []string) error {
	without := func(with string, flags ...string) error {
		for _, name := range flags {
			if o.given[name] {
				return fmt.Errorf("-%s cannot be used with -%s", name, with)
			}
		}
		return nil
	}
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.data == "":
		return errors.New("-data is required")
	case o.format != "" && o.format != "csv" && o.format != "libsvm":
		return fmt.Errorf("-format is %q, want csv or libsvm", o.format)
	case o.features < 0 || o.memory < 0 || o.epochs < 1:
		return fmt.Errorf("-features %d, -memory %d, -epochs %d: the minimum values are 0, 0 and 1", o.features, o.memory, o.epochs)
	case !(o.holdout >= 0 && o.holdout < 1):
		return fmt.Errorf("-holdout is %v, want at least 0 and less than 1", o.holdout)
	case o.predict && o.load == "":
		return errors.New("-predict requires -load")
	}
	if o.load == "" {
		return nil
	}
	err := without("load", "model", "binary", "order", "keep", "rate", "gamma", "threshold", "seed", "holdout", "standardise", "features")
	if err == nil && o.predict {
		err = without("predict", "save", "curves", "epochs", "memory")
	}
	return err
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	t := &table{file: o.data, unlabelled: o.predict}
	m, err := o.start(t)
	if err != nil {
		return err
	}
	if o.predict { // on a terminal, a bar would mix with the rows
		t.reading = unseen
		return predict(t, m, stdout, stderr)
	}
	b := newBars(stderr)
	defer b.close()
	t.reading = b.reading
	var paths []string
	if o.save != "" {
		paths = append(paths, o.save, beside(o.save))
	}
	if o.curves != "" {
		paths = append(paths, o.curves)
	}
	for _, path := range paths {
		if err := writable(path); err != nil {
			return err
		}
	}
	if m, err = o.prepare(t, m); err != nil {
		return err
	}
	s := &summary{table: t, model: m, saved: o.save}
	if err := o.train(s, b); err != nil {
		return err
	}
	b.close()
	return s.print(stdout)
}

// start loads the model of -load, if any. It also sets the description of the file
// from the flags.
func (o *options) start(t *table) (m perceptron.Model, err error) {
	t.columns = columns{layout: layout{Features: o.features}, Holdout: o.holdout, Seed: o.seed}
	if o.load == "" {
		_, err = o.build(o.given)
	} else {
		m, t.columns, err = restore(o.load)
	}
	if err != nil {
		return nil, err
	}
	if o.load == "" || o.given["label"] {
		t.Label = o.label
	}
	saved := t.Format
	if t.Format = o.format; t.Format == "" {
		t.Format, err = formatOf(t.file)
		if err != nil && saved != "" {
			t.Format, err = saved, nil
		}
	}
	switch {
	case err != nil:
		return nil, err
	case o.given["features"] && t.Format == "csv":
		return nil, errors.New("-features applies to LIBSVM files only; the columns of a CSV file set the number")
	case o.given["label"] && t.Format == "libsvm":
		return nil, errors.New("-label applies to CSV files only; in a LIBSVM file the label comes first")
	}
	return m, nil
}

// writable reports early whether a file can be written. An error after the training
// would waste it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".train-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// prepare reads the file, and returns the model to train on it.
func (o *options) prepare(t *table, m perceptron.Model) (perceptron.Model, error) {
	if t.Format == "libsvm" && t.Features == 0 {
		if err := t.count(); err != nil {
			return nil, err
		}
	}
	if err := t.survey(o.standardise); err != nil {
		return nil, err
	}
	fits := t.bytes() <= float64(o.memory)*(1<<20)
	if m == nil {
		if !fits && !o.given["order"] {
			o.order = perceptron.Cyclic
		}
		if err := t.number(o.model != "onevsrest"); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
		var err error
		if m, err = o.build(o.given); err != nil {
			return nil, err
		}
	}
	switch s := settingsOf(m); {
	case fits:
		return m, t.load()
	case s.memory:
		return nil, fmt.Errorf("%s: %s: this needs the rows in memory, but they take %.1f MiB and -memory is %d",
			t.file, s.name, t.bytes()/(1<<20), o.memory)
	}
	return m, nil
}

// train trains, saves and evaluates. The first interrupt ends the training after the
// current epoch. The second one ends the program.
func (o *options) train(s *summary, b *bars) error {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	context.AfterFunc(ctx, release)
	begin := time.Now()
	var err error
	if s.history, err = s.table.train(ctx, s.model, o.epochs, b); err != nil {
		return err
	}
	s.took, s.stopped = time.Since(begin), ctx.Err() != nil
	if o.save != "" {
		if err := save(o.save, s.model, s.table.columns); err != nil {
			return err
		}
	}
	if o.curves != "" {
		if err := curves(o.curves, s.history); err != nil {
			return err
		}
	}
	s.counts, err = s.table.evaluate(s.model)
	return err
}

// predict prints the class of each row. If the file has labels, it also prints the
// accuracy to stderr.
func predict(t *table, m perceptron.Model, stdout, stderr io.Writer) error {
	t.Holdout = 0
	out := bufio.NewWriter(stdout)
	counts := t.counts()
	x := make([]float64, t.Features)
	for r, err := range t.scan() {
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		t.standardise(x, r.x)
		label, err := m.Predict(x)
		if err != nil {
			return errors.Join(r.at(err), out.Flush())
		}
		predicted := t.place(label)
		fmt.Fprintln(out, t.Classes[predicted])
		if known := slices.Index(t.Classes, r.class); known >= 0 {
			counts[known][predicted]++
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	share, n := accuracy(counts)
	if n == 0 {
		return nil
	}
	fmt.Fprintf(stderr, "accuracy %.4f on %d rows with a label\n", share, n)
	return confusion(stderr, t.file, t.Classes, counts)
}
