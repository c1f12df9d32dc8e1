package main

import (
	"flag"
	"fmt"
	"io"
)

// describe adds the program's flags to all, and returns a function that prints all flags. Beam's
// flags, which all had before, are printed last.
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
