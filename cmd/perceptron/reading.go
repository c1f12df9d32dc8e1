package main

import (
	"perceptron/cmd/perceptron/internal/table"
)

// reading has the flags that say how to read a file. They are not saved, because
// another file may have another form.
type reading struct {
	Format  string `enum:",csv,libsvm" default:"" placeholder:"NAME" help:"csv or libsvm; by default, .svm is LIBSVM."`
	Header  string `enum:"auto,yes,no" default:"auto" placeholder:"auto" help:"The first line has names: yes, no or auto."`
	Comma   string `placeholder:"CHAR" help:"Separates fields; tab and space are words."`
	Decimal string `enum:"auto,point,comma" default:"auto" placeholder:"auto" help:"Decimal mark: point, comma or auto."`
}

// options returns the flags as the reader needs them.
func (r reading) options() (table.Options, error) {
	o := table.Options{Format: r.Format, Header: r.Header, Decimal: map[string]byte{"point": '.', "comma": ','}[r.Decimal]}
	char := []rune(r.Comma)
	switch {
	case r.Comma == "":
	case r.Comma == "tab" || r.Comma == `\t`:
		o.Comma = '\t'
	case r.Comma == "space":
		o.Comma = ' '
	case len(char) == 1 && char[0] != '"' && char[0] != '\n' && char[0] != '\r':
		o.Comma = char[0]
	default:
		return o, usagef("--comma is %q, want one character, tab or space", r.Comma)
	}
	return o, nil
}

// open opens a file. It prints what the reader detects on standard error.
func (r reading) open(p *program, name string, again bool) (*table.Source, error) {
	o, err := r.options()
	if err != nil {
		return nil, err
	}
	s, err := table.Open(name, o, again)
	if err != nil {
		return nil, err
	}
	s.Tell = p.note
	return s, nil
}
