// Plot draws pictures of the perceptron as PNG and SVG: its updates, its epochs, its
// mistake bound, its regions and its margins. It also draws the data and the model of
// the user.
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

// options holds the values of the flags.
type options struct {
	out   string
	n     int
	noise float64
	seed  uint64

	data, label, x, y, model string // of the user
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("plot: ")
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	if err := run(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
}

// parse reads the flags. It prints help to w.
func parse(args []string, w io.Writer) (o options, err error) {
	f := flag.NewFlagSet("plot", flag.ContinueOnError)
	f.SetOutput(io.Discard) // main prints errors
	f.StringVar(&o.out, "out", "pictures", "folder for the pictures; created if it does not exist")
	f.IntVar(&o.n, "n", 100, "number of points in both clouds together, 2 to 10000")
	f.Float64Var(&o.noise, "noise", 0.4, "standard deviation of each cloud, 0 to 100; the distance of their centres is √5")
	f.Uint64Var(&o.seed, "seed", 1, "seed for the clouds and for the order of the irises")
	f.StringVar(&o.label, "label", "", "`name` of the label's column in the user's CSV file (default: the last column)")
	f.StringVar(&o.x, "x", "", "`name` of the column for the horizontal axis (default: the first principal direction)")
	f.StringVar(&o.y, "y", "", "`name` of the column for the vertical axis (default: the second principal direction)")
	f.StringVar(&o.model, "model", "", "`file` of a model, saved by perceptron.Save; draws what it predicts")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(w, "usage: plot [flags] [data.csv]\nWithout data, plot draws irises and Gaussian clouds.")
			f.SetOutput(w)
			f.PrintDefaults()
		}
		return o, err
	}
	o.data = f.Arg(0)
	switch {
	case f.NArg() > 1:
		err = fmt.Errorf("unexpected argument %q; flags come before the file", f.Arg(1))
	case o.data == "" && (o.model != "" || o.label != "" || o.x != "" || o.y != ""):
		err = errors.New("-model, -label, -x and -y need the name of a CSV file after the flags")
	case (o.x == "") != (o.y == ""):
		err = errors.New("-x and -y: want both or neither")
	case o.n < 2 || o.n > 10_000:
		err = fmt.Errorf("-n %d, want 2 to 10000 points", o.n)
	case !(o.noise >= 0 && o.noise <= 100):
		err = fmt.Errorf("-noise %v, want a standard deviation of 0 to 100", o.noise)
	case o.out == "":
		err = errors.New("-out is empty, want a folder")
	}
	return o, err
}

// A picture is the name of a figure and the function that draws it.
type picture struct {
	name string
	draw func() (figure, error)
}

// pictures returns the pictures of the clouds and of the irises.
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

// own returns the pictures of the user's data or model. It prints how the data is shown.
func own(w io.Writer, o options) ([]picture, error) {
	var named []string // the features that the pictures need
	if o.model != "" {
		b, _ := readBundle(o.model) // loadModel reports its errors
		named = b.Names
	} else if o.x != "" {
		named = []string{o.x, o.y}
	}
	s, err := readSheet(o.data, o.label, named...)
	if err != nil {
		return nil, err
	}
	p, err := newPlane(s, o.x, o.y)
	if err != nil {
		return nil, err
	}
	if p.note != "" {
		fmt.Fprintln(w, p.note)
	}
	if o.model != "" {
		u, err := loadModel(o.model, s)
		return []picture{{s.name() + "-model", func() (figure, error) { return u.draw(s, p) }}}, err
	}
	classes, err := s.classes()
	if err != nil {
		return nil, err
	}
	var labels []int
	for k := range classes {
		labels = append(labels, k)
	}
	t := p.set(s, classes, labels)
	all := []picture{{s.name() + "-regions", func() (figure, error) { return drawRegions(t, o.seed) }}}
	if len(classes) == 2 {
		two := p.set(s, classes, []int{+1, -1})
		all = append(all, picture{s.name() + "-margins", func() (figure, error) { return drawMargins(two) }})
	}
	return all, nil
}

// run draws all pictures. It skips a picture of separable data if no line separates its
// classes.
func run(w io.Writer, o options) error {
	var all []picture
	var err error
	advice := "try a smaller -noise or another -seed"
	if o.data != "" {
		all, err = own(w, o)
		advice = "the classes overlap in this plane"
	} else {
		all, err = pictures(o)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	for _, p := range all {
		f, err := p.draw()
		if errors.Is(err, errInseparable) {
			fmt.Fprintf(w, "%s: not drawn: %v; %s\n", p.name, err, advice)
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
