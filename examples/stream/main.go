// Stream learns online from lines in LIBSVM's format. It reads files or standard
// input. It predicts each line before it learns from it, and reports the share of
// right predictions.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"perceptron"
	"perceptron/internal/libsvm"
)

func main() {
	log.SetFlags(0)
	features := flag.Int("features", 0, "features per row")
	every := flag.Int("every", 1000, "lines between two reports")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: stream -features N [-every N] [file …]\nWithout files it reads standard input.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *features < 1 || *every < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Stdin, flag.Args(), *features, *every); err != nil {
		log.Fatal(err)
	}
}

// run learns from the files in turn, or from stdin if there are none.
func run(w io.Writer, stdin io.Reader, files []string, features, every int) error {
	p := progress{w: w, every: every}
	p.model.Binary = &perceptron.Online{Keep: perceptron.Average}
	defer p.report() // of the lines since the last report, also after an error
	if len(files) == 0 {
		if err := p.learn(libsvm.NewReader(stdin, "standard input", features)); err != nil {
			return err
		}
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		err = p.learn(libsvm.NewReader(f, name, features))
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// progress holds a model in training and its results so far.
type progress struct {
	model        perceptron.Multiclass
	w            io.Writer
	every        int
	lines, right int // lines learned, and lines predicted right
	reported     int // value of lines at the last report
}

// learn predicts each example and then learns from it.
func (p *progress) learn(r *libsvm.Reader) error {
	for {
		x, label, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		predicted, err := p.model.Predict(x)
		switch {
		case errors.Is(err, perceptron.ErrUntrained): // no line was learned yet
		case err != nil:
			return err
		case predicted == label:
			p.right++
		}
		// Update adds the label as a new class if it is not known.
		if _, err := p.model.Update(x, label); err != nil {
			return err
		}
		if p.lines++; p.lines%p.every == 0 {
			p.report()
		}
	}
}

// report prints the results, unless it has already printed them.
func (p *progress) report() {
	if p.lines > p.reported {
		fmt.Fprintf(p.w, "%8d lines, %d classes: %.4f of them predicted right before they were learned\n",
			p.lines, len(p.model.Classes()), float64(p.right)/float64(p.lines))
		p.reported = p.lines
	}
}
