// Stream learns online from lines in LIBSVM's format. It reads files or standard
// input. It predicts each line before it learns from it, and reports the share of
// right predictions. With a checkpoint, a run that was killed continues from its last report.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"perceptron"
)

func main() {
	log.SetFlags(0)
	features := flag.Int("features", 0, "features per row")
	every := flag.Int("every", 1000, "lines between two reports; each report also writes the checkpoint")
	checkpoint := flag.String("checkpoint", "", "file of the model and the lines learned; the next run, of the same lines, continues there")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: stream -features N [-every N] [-checkpoint FILE] [file …]\nWithout files it reads standard input.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *features < 1 || *every < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Stdin, flag.Args(), *features, *every, *checkpoint); err != nil {
		log.Fatal(err)
	}
}

// run learns from the files in turn, or from stdin if there are none.
func run(w io.Writer, stdin io.Reader, files []string, features, every int, checkpoint string) error {
	p := progress{w: w, every: every, file: checkpoint}
	p.Model.Binary = &perceptron.Online{Keep: perceptron.Average}
	if err := p.load(); err != nil {
		return err
	}
	p.skip, p.reported = p.Lines, p.Lines
	if len(files) == 0 {
		return errors.Join(p.learn(stdin, "standard input", features), p.report())
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err == nil {
			err = errors.Join(p.learn(f, name, features), f.Close())
		}
		if err != nil {
			return errors.Join(err, p.report())
		}
	}
	return p.report()
}

// A state is the content of a checkpoint: a model, and the number of lines that it has learned.
type state struct {
	Lines, Right int // lines learned, and lines predicted right
	Model        perceptron.Multiclass
}

// A progress has a state, and where and when to report it.
type progress struct {
	state
	w        io.Writer
	every    int
	file     string // name of the checkpoint, or ""
	skip     int    // lines still to skip, because the checkpoint has learned them
	reported int    // value of Lines at the last report
}

// learn predicts each example and then learns from it.
func (p *progress) learn(r io.Reader, name string, features int) error {
	model := perceptron.SparseModel{Model: &p.Model, Width: features}
	in := perceptron.LIBSVM{R: r, Width: features}
	for x, label := range in.All() {
		if p.skip > 0 {
			p.skip--
			continue
		}
		predicted, err := model.Predict(x)
		if err != nil && !errors.Is(err, perceptron.ErrUntrained) { // no line was learned yet
			return fmt.Errorf("%s: %w", name, err)
		}
		if err == nil && predicted == label {
			p.Right++
		}
		// Update adds the label as a new class if it is not known.
		if _, err := model.Update(x, label); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if p.Lines++; p.Lines%p.every == 0 {
			if err := p.report(); err != nil {
				return err
			}
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// report writes the checkpoint and prints the results, unless no line was learned since the last
// report.
func (p *progress) report() error {
	if p.Lines == p.reported {
		return nil
	}
	p.reported = p.Lines
	err := p.save()
	fmt.Fprintf(p.w, "%8d lines, %d classes: %.4f of them predicted right before they were learned\n",
		p.Lines, len(p.Model.Classes()), float64(p.Right)/float64(p.Lines))
	return err
}

// load reads the checkpoint, if there is one.
func (p *progress) load() error {
	data, err := os.ReadFile(p.file)
	if p.file == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p.state)
	}
	return err
}

// save replaces the checkpoint in one step. Whenever the program or the machine stops, the model in
// the file has learned exactly the number of lines in the file.
func (p *progress) save() error {
	if p.file == "" {
		return nil
	}
	data, err := json.Marshal(&p.state)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(p.file), ".stream-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after Rename
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil { // the data must be on disk before the rename
		return err
	}
	return os.Rename(f.Name(), p.file)
}
