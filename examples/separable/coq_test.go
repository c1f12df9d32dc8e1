package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCertificate checks that the file for Coq has the numbers of the data, and that the
// report has its verdict. Coq itself checks such files in .ci/steps/proofs.sh.
func TestCertificate(t *testing.T) {
	for name, c := range map[string]struct {
		text        string
		o           options
		file, print string
	}{
		"xor":     {"0,0,n\n0,1,y\n1,0,y\n1,1,n\n", options{}, "~ is_separable Affine rows.", "no hyperplane separates them\n"},
		"decimal": {" 0.10,y\n-1e0,n\n", options{}, "  ([0.10], true) (* line 1 *);\n  ([-1e0], false) (* line 2 *)\n", "at most 7 mistakes\n"},
		// The two numbers are one float64.
		"near":    {"0.1,y\n0.1000000000000000000001,n\n", options{}, "is_separable Affine rows /\\", "they are separable, with γ in [4.9"},
		"linear":  {"1,n\n3,y\n1,y\n", options{linear: true}, "~ is_separable Linear rows.", "no hyperplane separates them\n"},
		"comment": {"1,a *) Axiom\n2,b\n", options{}, "(* line 1 *)", "separable"},
		"libsvm":  {"0 2:0.30\n1 1:1\n", options{features: 2}, "  ([0; 0.3], false) (* line 1 *);", "separable"},
	} {
		c.o.coq = filepath.Join(t.TempDir(), "proof.v")
		var out strings.Builder
		if err := run(&out, write(t, "data", c.text), c.o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := os.ReadFile(c.o.coq)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(got), c.file) || strings.Contains(string(got), "Axiom") {
			t.Errorf("%s: want %q in\n%s", name, c.file, got)
		}
		if !strings.Contains(out.String(), c.print) {
			t.Errorf("%s: want %q in\n%s", name, c.print, &out)
		}
	}
}
