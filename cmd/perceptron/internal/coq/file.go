package coq

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"perceptron/internal/atomicfile"
)

// Begins is how every file of this package begins.
const Begins = "(* Check this file, in the folder of the package perceptron, with\n\n     proofs/check && proofs/verify FILE"

// written matches the files of this package, also of older versions, whose head did not have DATA.
// They have numbers and one theorem. What somebody has added to a file has no place in it.
var written = regexp.MustCompile(`^` + regexp.QuoteMeta(Begins) + `( DATA)?

   Each row has its features(, and true for the label \+1| and its class)\.( Each list of the log has( the numbers of)?
   the (numbers of the )?rows that a pass updated on, counted from 0\.)? \*\)
From Perceptron Require Import [A-Za-z]+\.
Open Scope decimal_scope\.

Definition rows : [a-z_]+ := \[(
  \(\[[0-9e.; -]+\], (true|false|[0-9]+%nat)\) \(\* line [0-9]+ \*\);?)+
\]\.

(Definition [wλ] := \[[0-9; -]+\]%Z\.

)*(Definition log : list \(list Z\) := \[(
  \[[0-9; ]*\];?)+
\]%Z\.

)?Theorem verdict : [A-Za-z0-9_~/\\. -]+(
  margin_between [A-Za-z0-9_/\\. -]+)?
Proof\. [A-Za-z0-9_λ()|;,\[\] ]+\. (vm_cast_no_check \(eq_refl true\)\. )?Qed\.

Print Assumptions verdict\.
$`)

// WriteFile writes a proof to a file, in one step, once write has returned nil. It does
// not replace a file that is neither empty nor as this package writes it.
func WriteFile(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return atomicfile.WriteIf(path, &text, ".coq-*.tmp", func() error { return Replaceable(path) })
}

// Replaceable returns an error if a file exists, is not empty and is not as this package writes it.
// It opens regular files only: to open a pipe may wait for ever.
func Replaceable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, atomicfile.ErrNotRegular)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	if len(text) == 0 || written.Match(text) {
		return nil
	}
	return fmt.Errorf("%s is no proof as this program writes it: it is not replaced", path)
}
