package main

import (
	"flag"
	"strings"
	"testing"
)

// TestHelp: the program's own flags come before the heading, with their defaults. Beam's
// flags come after it.
func TestHelp(t *testing.T) {
	set := flag.NewFlagSet("beam", flag.ContinueOnError)
	set.String("runner", "prism", "the `name` of a runner")
	var c config
	help := describe(set, c.define)
	if err := set.Parse([]string{"-rounds", "7", "-runner", "flink"}); err != nil || c.rounds != 7 {
		t.Fatalf("%v, %d rounds, want 7", err, c.rounds)
	}
	var out strings.Builder
	help(&out)
	own, beams, found := strings.Cut(out.String(), "Flags of Beam")
	if !found || !strings.Contains(own, "-shards") || strings.Contains(beams, "-shards") || !strings.Contains(own, "(default 20)") {
		t.Errorf("own flags:\n%s", own)
	}
	if strings.Contains(own, "-runner") || !strings.Contains(beams, "-runner name") || !strings.Contains(beams, `(default "prism")`) {
		t.Errorf("flags of Beam:\n%s", beams)
	}
}

// TestCount: only the number 1 has a thing in the singular.
func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 rounds": count(0, "round"), "1 round": count(1, "round"), "2000000 rounds": count(2000000, "round"),
		"1 mistake": count("1", "mistake"), "1.5 mistakes": count("1.5", "mistake"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
