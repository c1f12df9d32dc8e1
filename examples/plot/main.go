// Plot draws the perceptron at work: its updates, its epochs, its theorem, its
// regions and its margins, as PNG and SVG.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
)

// options are the flags.
type options struct {
	out   string
	n     int
	noise float64
	seed  uint64
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.out, "out", "pictures", "the folder for the pictures, made if it is not there")
	flag.IntVar(&o.n, "n", 100, "points in the two clouds, 2 to 10000")
	flag.Float64Var(&o.noise, "noise", 0.4, "standard deviation of a cloud, 0 to 100; their centres are √5 apart")
	flag.Uint64Var(&o.seed, "seed", 1, "of the clouds, and of the order of the irises")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: plot [-out FOLDER] [-n POINTS] [-noise SIGMA] [-seed N]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
}

func (o options) check() error {
	if o.n < 2 || o.n > 10_000 {
		return fmt.Errorf("-n %d, want 2 to 10000 points", o.n)
	}
	if !(o.noise >= 0 && o.noise <= 100) {
		return fmt.Errorf("-noise %v, want a standard deviation of 0 to 100", o.noise)
	}
	return nil
}

// A picture is a figure's name and how to come by it.
type picture struct {
	name string
	draw func() (figure, error)
}

// pictures returns those of the clouds and of iris.
func pictures(o options) ([]picture, error) {
	flowers, err := iris(o.seed)
	if err != nil {
		return nil, err
	}
	cloud := clouds(o.n, o.noise, o.seed)
	wide := flowers.against(0, "the others", 1, 2)
	overlapping := flowers.against(2, "versicolor", 1)
	of := func(s set, draw func(set) (figure, error)) func() (figure, error) {
		return func() (figure, error) { return draw(s) }
	}
	seeded := func(s set, draw func(set, uint64) (figure, error)) func() (figure, error) {
		return func() (figure, error) { return draw(s, o.seed) }
	}
	return []picture{
		{"updates-clouds", of(cloud, drawUpdates)},
		{"updates-iris", of(overlapping, drawUpdates)},
		{"epochs-clouds", seeded(cloud, drawEpochs)},
		{"epochs-iris", seeded(overlapping, drawEpochs)},
		{"bound-clouds", of(cloud, drawBound)},
		{"bound-iris", of(wide, drawBound)},
		{"regions-iris", seeded(flowers, drawRegions)},
		{"margins-clouds", of(cloud, drawMargins)},
		{"margins-iris", of(wide, drawMargins)},
	}, nil
}

// run draws them all, but those that need a line between clouds where there is
// none.
func run(w io.Writer, o options) error {
	if err := o.check(); err != nil {
		return err
	}
	all, err := pictures(o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	for _, p := range all {
		f, err := p.draw()
		if errors.Is(err, errInseparable) {
			fmt.Fprintf(w, "%s: not drawn, for %v; a smaller -noise or another -seed may have one\n", p.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		name := filepath.Join(o.out, p.name)
		if err := f.save(name); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s.png, .svg: %s\n", name, f.title)
	}
	return nil
}
