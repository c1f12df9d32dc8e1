package main

import (
	"flag"
	"fmt"
	"io"
)

// describe defines the program's flags and returns a function that prints them. Beam's
// flags, which exist before, come last.
func describe(all *flag.FlagSet, define func(*flag.FlagSet)) func(io.Writer) {
	var beams, own flag.FlagSet
	all.VisitAll(func(f *flag.Flag) { beams.Var(f.Value, f.Name, f.Usage) })
	define(&own)
	own.VisitAll(func(f *flag.Flag) { all.Var(f.Value, f.Name, f.Usage) })
	return func(w io.Writer) {
		own.SetOutput(w)
		beams.SetOutput(w)
		fmt.Fprintf(w, "Usage: %s -shards 'data/*.svm' [flags]\n", all.Name())
		own.PrintDefaults()
		fmt.Fprintln(w, "\nFlags of Beam, for the runner:")
		beams.PrintDefaults()
	}
}
