// Train trains a perceptron on a CSV or LIBSVM file of any size, prints a summary
// and saves the model. It can also label new rows with a saved model.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"perceptron"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("train: ")
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Print(err)
	}
	os.Exit(status(err))
}

// errInterrupted ends the program after an interrupted training is saved.
var errInterrupted = errors.New("interrupted")

// status returns the exit status: 2 for a wrong flag, 130 for a training that was
// interrupted, as shells report it, and 1 for any other error.
func status(err error) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, new(usageError)):
		return 2
	case errors.Is(err, errInterrupted):
		return 130
	}
	return 1
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	t := o.table()
	m, err := o.start(t)
	if err != nil {
		return err
	}
	if o.predict { // on a terminal, a bar would mix with the rows
		return o.predictions(t, m, stdout, stderr)
	}
	if t.file == standardInput {
		var remove func()
		if t.spooled, remove, err = spool(os.Stdin); err != nil {
			return err
		}
		defer remove()
	}
	b := newBars(stderr)
	defer b.close()
	t.watch = b.watch
	if o.folds > 0 {
		return o.crossValidate(t, b, stdout)
	}
	if err := o.writable(); err != nil {
		return err
	}
	if m, err = o.prepare(t, m); err != nil {
		return err
	}
	if err := o.possible(t, m); err != nil {
		return err
	}
	s := &summary{table: t, model: m}
	if err := o.train(s, b); err != nil {
		return err
	}
	b.close()
	if err := s.report().write(stdout, o.json); err != nil {
		return err
	}
	switch {
	case s.unwritten != nil:
		return s.unwritten
	case s.stopped:
		return errInterrupted
	}
	return nil
}

// table returns the description of the file as far as the flags determine it.
func (o *options) table() *table {
	t := &table{file: o.data, watch: unseen}
	t.comma, _ = parseComma(o.comma) // check has parsed it
	t.reading.columns, t.drop, t.unlabelled = names(o.columns), names(o.drop), o.predict
	return t
}

// start loads the model of -load, if any, and completes the description of the file.
func (o *options) start(t *table) (m perceptron.Model, err error) {
	t.columns = columns{layout: layout{Features: o.features, Missing: o.missing}, Holdout: o.holdout, Seed: o.seed}
	if o.load == "" {
		if _, err = o.build(o.given); err != nil {
			err = usageError{err}
		}
	} else {
		m, t.columns, err = restore(o.load)
	}
	if err != nil {
		return nil, err
	}
	if o.load == "" || o.given["label"] {
		t.Label = o.label
	}
	if o.given["missing"] {
		if t.Missing = o.missing; o.missing == missingMean && t.Fill == nil && t.Mean == nil && o.load != "" {
			return nil, usageError{errors.New("-missing mean: the model has no means, because it was trained without -missing mean and -standardise")}
		}
		if t.Fill == nil {
			t.Fill = t.Mean
		}
	}
	saved := t.Format
	if t.Format = o.format; t.Format == "" {
		t.Format, err = formatOf(t.file)
		if err != nil && saved != "" {
			t.Format, err = saved, nil
		}
	}
	csvOnly := ""
	for _, name := range []string{"label", "comma", "columns", "drop", "missing"} {
		if o.given[name] && csvOnly == "" {
			csvOnly = name
		}
	}
	switch {
	case err != nil:
		return nil, usageError{err}
	case o.given["features"] && t.Format == "csv":
		return nil, usageError{errors.New("-features applies to LIBSVM files only; the columns of a CSV file set the number")}
	case csvOnly == "label" && t.Format == "libsvm":
		return nil, usageError{errors.New("-label applies to CSV files only; in a LIBSVM file the label comes first")}
	case csvOnly != "" && t.Format == "libsvm":
		return nil, usageError{fmt.Errorf("-%s applies to CSV files only", csvOnly)}
	}
	return m, nil
}

// writable reports early whether the files can be written. An error after the training
// would waste it.
func (o *options) writable() error {
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
	return nil
}

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
		if err := t.number(!many(o.model)); err != nil {
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

// train trains, saves and evaluates. If a file cannot be written, for example on a full
// disk, the results of the training are printed all the same. The first interrupt ends the training after the
// current epoch. The second one ends the program.
func (o *options) train(s *summary, b *bars) error {
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer release()
	context.AfterFunc(ctx, release)
	begin := time.Now()
	var err error
	if err = s.train(ctx, o.epochs, b, o.curves != ""); err != nil {
		return err
	}
	s.took, s.stopped = time.Since(begin), ctx.Err() != nil
	if err := o.decide(s); err != nil {
		return err
	}
	if o.save != "" {
		if s.unwritten = save(o.save, s.model, s.table.columns); s.unwritten == nil {
			s.saved = o.save
		}
	}
	if o.curves != "" {
		s.unwritten = cmp.Or(s.unwritten, curves(o.curves, s))
	}
	s.counts, err = s.table.evaluate(s.model)
	return err
}
