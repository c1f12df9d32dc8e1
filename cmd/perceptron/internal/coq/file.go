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

// Begins has the first bytes of every file that this package writes.
const Begins = "(* Check this file, in the folder of the package perceptron, with\n\n     proofs/check && proofs/verify FILE"

// written matches the files that this package writes: numbers and one theorem. The word DATA is
// optional, because older versions did not write it. A file to which somebody has added text does
// not match, so it is not replaced.
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

// WriteFile calls write, and if it returns nil, writes its proof to a file in one step. It replaces
// an existing file only if Replaceable returns nil.
func WriteFile(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return atomicfile.WriteIf(path, &text, ".coq-*.tmp", func() error { return Replaceable(path) })
}

// Replaceable returns an error if a file exists, is not empty, and is not a file that this package
// writes. It opens regular files only, because opening a pipe could block forever.
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
