package coq

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// WriteOnlineLog writes a log of Rosenblatt's rule with η = 1. It began at zero and made
// pass after pass over the rows in their order. Each pass has the ascending indices of
// the rows that it updated on; the last one has none. Coq replays the run exactly, and
// accepts the file only if the run is right. If all numbers are integers and stay
// small, the theorem also says that no float64 operation rounded.
func (t *Table) WriteOnlineLog(w io.Writer, passes [][]int) error {
	n, err := t.updates(passes)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, head, "Each row has its features, and true for the label +1. Each list of the log has\n   the numbers of the rows that a pass updated on, counted from 0.", "Log")
	t.write(b, "table", func(r row) string { return fmt.Sprint(r.class == 1) })
	writePasses(b, passes)
	if t.exactInFloat64(passes) {
		fmt.Fprintf(b, logFloat64, t.kind(), n)
	} else {
		fmt.Fprintf(b, logOnline, t.kind(), n)
	}
	return b.Flush()
}

// WriteMulticlassLog writes a log of Multiclass with θ = 0 and η = 1, for classes
// 0 … classes−1, which were all known from the beginning. See WriteOnlineLog.
func (t *Table) WriteMulticlassLog(w io.Writer, classes int, passes [][]int) error {
	n, err := t.updates(passes)
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

// updates returns the number of updates of a log that can be written.
func (t *Table) updates(passes [][]int) (int, error) {
	n := 0
	for p, pass := range passes {
		for k, i := range pass {
			if i < 0 || i >= len(t.rows) || k > 0 && i <= pass[k-1] {
				return 0, fmt.Errorf("pass %d has no ascending indices of rows", p)
			}
		}
		n += len(pass)
	}
	if len(passes) == 0 || len(passes[len(passes)-1]) > 0 {
		return 0, errors.New("the last pass made updates")
	}
	return n, nil
}

// writePasses writes a line for each pass.
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

// exactInFloat64 reports whether all numbers of the run are integers, and Σ|wⱼzⱼ| ≤ 2⁵³
// and |wⱼ| ≤ 2⁵³ throughout. Then no operation rounds, in any order of a sum.
func (t *Table) exactInFloat64(passes [][]int) bool {
	Z, s := t.signed()
	if s != 0 {
		return false
	}
	limit, w := big.NewInt(1<<53), zeros(len(Z[0]))
	for _, pass := range passes {
		for i, z := range Z {
			if size(w, z).Cmp(limit) > 0 {
				return false
			}
			if len(pass) == 0 || pass[0] != i {
				continue
			}
			pass = pass[1:]
			w.addTimes(big.NewInt(1), z)
			for _, a := range w {
				if a.CmpAbs(limit) > 0 {
					return false
				}
			}
		}
	}
	return true
}

// size returns Σ|aⱼbⱼ|.
func size(a, b vector) *big.Int {
	sum := new(big.Int)
	for j := range a {
		product := new(big.Int).Mul(a[j], b[j])
		sum.Add(sum, product.Abs(product))
	}
	return sum
}
