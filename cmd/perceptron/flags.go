package main

import (
	"fmt"

	"perceptron/cmd/perceptron/internal/modelfile"
	"perceptron/cmd/perceptron/internal/table"
)

// reading has the flags that say how to read a file. They are not saved, because
// another file may have another form.
type reading struct {
	Format  string `enum:",csv,libsvm" default:"" placeholder:"NAME" help:"csv or libsvm; by default, .svm is LIBSVM."`
	Header  string `enum:"auto,yes,no" default:"auto" placeholder:"auto" help:"The first line has names: yes, no or auto."`
	Comma   comma  `placeholder:"CHAR" help:"Separates fields; tab and space are words."`
	Decimal string `enum:"auto,point,comma" default:"auto" placeholder:"auto" help:"Decimal mark: point, comma or auto."`
}

// A comma separates the fields of CSV; 0 means that the file shows it.
type comma rune

// UnmarshalText reads the value of the flag.
func (c *comma) UnmarshalText(text []byte) error {
	char := []rune(string(text))
	switch s := string(text); {
	case s == "tab" || s == `\t`:
		*c = '\t'
	case s == "space":
		*c = ' '
	case len(char) == 1 && char[0] != '"' && char[0] != '\n' && char[0] != '\r':
		*c = comma(char[0])
	default:
		return fmt.Errorf("%q, want one character, tab or space", s)
	}
	return nil
}

// open opens a file. What the reader detects and its progress are shown on standard
// error.
func (r reading) open(p *program, name string, again bool) (*table.Source, error) {
	mark := map[string]byte{"point": '.', "comma": ','}[r.Decimal]
	s, err := table.Open(name, table.Options{Format: r.Format, Header: r.Header, Comma: rune(r.Comma), Decimal: mark}, again)
	if err != nil {
		return nil, err
	}
	s.Tell, s.Watch = p.note, p.bars.watch
	return s, nil
}

// choosing has the flags that choose the columns of a new file.
type choosing struct {
	Label    string   `placeholder:"NAME" help:"Column of the class; by default the last."`
	Columns  []string `placeholder:"NAME" help:"Use these columns only."`
	Drop     []string `placeholder:"NAME" help:"Do not use these columns."`
	Category []string `placeholder:"NAME" help:"Read numbers in these columns as words."`
	Features int      `placeholder:"N" help:"Features of LIBSVM; by default the highest."`
}

// discover finds the columns of a file.
func (c *choosing) discover(s *table.Source, missing string) (*table.Schema, error) {
	if s.Features = c.Features; c.Features != 0 && s.Format != "libsvm" {
		return nil, usagef("--features applies to LIBSVM files only; the columns of a CSV file set the number")
	}
	return table.Discover(s, table.Choice{Label: c.Label, Columns: c.Columns, Drop: c.Drop, Category: c.Category, Missing: missing})
}

// using has the flags of the commands that use a model.
type using struct {
	Data    string `arg:"" placeholder:"FILE" help:"CSV or LIBSVM, may be gzip; - is standard input."`
	Model   string `short:"m" required:"" placeholder:"FILE" help:"The model."`
	reading `embed:""`
	Unknown string `enum:"error,none" default:"error" placeholder:"error" help:"New words: error, or none of the known ones."`
}

// open reads the model and opens the data.
func (u *using) open(p *program, again bool) (f *modelfile.File, src *table.Source, err error) {
	if f, err = modelfile.Read(u.Model); err == nil {
		src, err = u.reading.open(p, u.Data, again)
	}
	return f, src, err
}
