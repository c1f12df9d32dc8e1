package coq

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteOnlineLog writes a log of a run of Rosenblatt's rule with η = 1. The run began with zero
// weights, and made passes over the rows in their order. Each element of passes has the ascending
// indices of the rows that the pass updated on; the last is empty. WriteOnlineLog replays the run in
// exact arithmetic, as Coq does, and returns a *RoundingError if a decision differs. If all numbers
// are integers and stay small, the theorem also states that no float64 operation rounded.
func (t *Table) WriteOnlineLog(w io.Writer, passes [][]int) error {
	Z, s := t.signed()
	run := &onlineReplay{Z: Z, exact: s == 0}
	if len(Z) > 0 {
		run.w = zeros(len(Z[0]))
	}
	n, err := t.replay(passes, run)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, head, "Each row has its features, and true for the label +1. Each list of the log has\n   the numbers of the rows that a pass updated on, counted from 0.", "Log")
	t.write(b, "table", func(r row) string { return fmt.Sprint(r.class == 1) })
	writePasses(b, passes)
	if run.exact {
		fmt.Fprintf(b, logFloat64, t.kind(), n)
	} else {
		fmt.Fprintf(b, logOnline, t.kind(), n)
	}
	return b.Flush()
}

// WriteMulticlassLog writes a log of a run of Multiclass with θ = 0 and η = 1. The classes are
// 0 … classes−1, and were all known from the beginning. For passes and errors, see WriteOnlineLog.
func (t *Table) WriteMulticlassLog(w io.Writer, classes int, passes [][]int) error {
	X, _ := t.integers()
	run := &classReplay{X: X, rows: t.rows}
	for range classes {
		run.W = append(run.W, zeros(len(X[0])))
	}
	n, err := t.replay(passes, run)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, head, "Each row has its features and its class. Each list of the log has the numbers of\n   the rows that a pass updated on, counted from 0.", "ClassLog")
	t.write(b, "class_table", func(r row) string { return fmt.Sprintf("%d%%nat", r.class) })
	writePasses(b, passes)
	fmt.Fprintf(b, logMulticlass, t.kind(), classes, n)
	return b.Flush()
}

const logOnline = `Theorem verdict : online_log %[1]s rows log %[2]d.
Proof. apply online_log_sound. vm_cast_no_check (eq_refl true). Qed.

Print Assumptions verdict.
`

const logFloat64 = `Theorem verdict : online_log %[1]s rows log %[2]d /\ float64_log %[1]s rows log.
Proof. split; [apply online_log_sound | apply float64_log_sound]; vm_cast_no_check (eq_refl true). Qed.

Print Assumptions verdict.
`

const logMulticlass = `Theorem verdict : multiclass_log %[1]s %[2]d rows log %[3]d.
Proof. apply multiclass_log_sound. vm_cast_no_check (eq_refl true). Qed.

Print Assumptions verdict.
`

// writePasses writes the definition of the log, with a line for each pass.
func writePasses(w *bufio.Writer, passes [][]int) {
	w.WriteString("Definition log : list (list Z) := [")
	for p, pass := range passes {
		if p > 0 {
			w.WriteString(";")
		}
		text := make([]string, len(pass))
		for k, i := range pass {
			text[k] = fmt.Sprint(i)
		}
		fmt.Fprintf(w, "\n  [%s]", strings.Join(text, "; "))
	}
	w.WriteString("\n]%Z.\n\n")
}
