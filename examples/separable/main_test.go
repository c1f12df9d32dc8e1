package main

import (
	"strings"
	"testing"
)

// TestRun: cats and dogs are separable, until a dog looks like a cat.
func TestRun(t *testing.T) {
	for table, want := range map[string][]string{
		pets:                     {"γ is in [1.848418", "at most (R/γ)² = 2947.11 mistakes", " × weight kg + ", "0.5774 × +1 [2.4 "},
		pets + "4.1,24,46,dog\n": {"no separating hyperplane was found\n", "× +1 [4.1 24 46]\n"},
	} {
		var out strings.Builder
		if err := run(&out, table); err != nil {
			t.Fatal(err)
		}
		for _, want := range want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, &out)
			}
		}
	}
	for _, bad := range []string{"a,b,c,y\n1,2,x,cat\n", "a,b,c,y\n1,2\n", "a,b,c,y\n", "a,b,c,y\n1,2,3,cow\n"} {
		if err := run(new(strings.Builder), bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
