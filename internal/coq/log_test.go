package coq

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestOnlineLog checks the file, and when it has the claim about float64.
func TestOnlineLog(t *testing.T) {
	for _, c := range []struct {
		rows   string
		passes [][]int
		want   string // the claim, or the error
	}{
		{"1,1;-2,-1", [][]int{{0}, {}}, "online_log Affine rows log 1 /\\ float64_log Affine rows log."},
		{"1.0,1;-2,-1", [][]int{{0}, {}}, "online_log Affine rows log 1."},
		{"3,1", [][]int{{0}, {}}, "/\\ float64"},
		{"94906265,1", [][]int{{0}, {}}, "/\\ float64"}, // 94906265² + 1 ≤ 2⁵³
		{"94906266,1", [][]int{{0}, {}}, "log 1."},
		{"9007199254740993,1", [][]int{{0}, {}}, "log 1."},
		{"1,1", nil, "the last pass made updates"},
		{"1,1", [][]int{{0}}, "the last pass made updates"},
		{"1,1", [][]int{{1}, {}}, "pass 1 has no ascending indices"},
		{"1,1;2,1", [][]int{{1, 0}, {}}, "pass 1 has no ascending indices"},
		{"1,1;2,1", [][]int{{0, 0}, {}}, "pass 1 has no ascending indices"},
		{"1,1", [][]int{{0}, {0}, {}}, "line 1: rounding changed a decision: in pass 2 float64 made an update on it, and exact arithmetic makes none"},
		{"1,1", [][]int{{-1}, {}}, "pass 1 has no ascending indices"},
		{"1,1;2,1", [][]int{{}, {1, 0}, {}}, "line 1: rounding changed a decision: in pass 1 float64 made no update on it, and exact arithmetic makes one"},
	} {
		var b strings.Builder
		if err := tableOf(t, c.rows).WriteOnlineLog(&b, c.passes); err != nil {
			b.WriteString(err.Error())
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s, %v: want %q in\n%s", c.rows, c.passes, c.want, &b)
		}
	}
}

// TestMulticlassLog checks the rows and the theorem.
func TestMulticlassLog(t *testing.T) {
	tab := classTable(t, [][]string{{"1", "-1"}, {"1", "0.5"}, {"1", "1e0"}}, []int{0, 1, 2})
	passes := exactClasses(tab, 3)
	var b strings.Builder
	if err := tab.WriteMulticlassLog(&b, 3, passes); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  ([1; 1e0], 2%nat) (* line 3 *)\n].", "[\n  [0; 1; 2];\n", ";\n  []\n]%Z.", fmt.Sprintf("multiclass_log Linear 3 rows log %d.", len(slices.Concat(passes...)))} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, &b)
		}
	}
	if tab.WriteMulticlassLog(&b, 3, [][]int{{3}, {}}) == nil {
		t.Error("a row that does not exist was written")
	}
}

// classTable returns a table in Linear space.
func classTable(t *testing.T, rows [][]string, y []int) *Table {
	t.Helper()
	tab := &Table{Linear: true}
	for i, x := range rows {
		if err := tab.AddClass(x, y[i], i+1); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

// rationals returns the rows.
func rationals(t *Table) (X [][]*big.Rat) {
	for _, r := range t.rows {
		var x []*big.Rat
		for _, d := range r.x {
			x = append(x, rational(d))
		}
		X = append(X, x)
	}
	return X
}

// plus returns a + c·b, and inner ⟨a, b⟩.
func plus(a []*big.Rat, c int64, b []*big.Rat) (sum []*big.Rat) {
	for j := range a {
		product := new(big.Rat).Mul(big.NewRat(c, 1), b[j])
		sum = append(sum, product.Add(product, a[j]))
	}
	return sum
}

func inner(a, b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for j := range a {
		sum.Add(sum, new(big.Rat).Mul(a[j], b[j]))
	}
	return sum
}

// exactOnline and exactClasses train in rational arithmetic, from the definitions. They
// return the log, or nil after 200 passes.
func exactOnline(t *Table) (passes [][]int) {
	X := rationals(t)
	w := plus(X[0], -1, X[0])
	return exactPasses(len(X), func(i int) bool {
		y := 2*int64(t.rows[i].class) - 1
		if s := inner(w, X[i]); s.Sign()*int(y) > 0 {
			return false
		}
		w = plus(w, y, X[i])
		return true
	})
}

func exactClasses(t *Table, classes int) (passes [][]int) {
	X := rationals(t)
	W := make([][]*big.Rat, classes)
	for c := range W {
		W[c] = plus(X[0], -1, X[0])
	}
	return exactPasses(len(X), func(i int) bool {
		y, r := t.rows[i].class, -1
		for c := range W {
			if c != y && (r < 0 || inner(W[c], X[i]).Cmp(inner(W[r], X[i])) > 0) {
				r = c
			}
		}
		if inner(W[y], X[i]).Cmp(inner(W[r], X[i])) > 0 {
			return false
		}
		W[y], W[r] = plus(W[y], 1, X[i]), plus(W[r], -1, X[i])
		return true
	})
}

func exactPasses(n int, visit func(int) bool) (passes [][]int) {
	for range 200 {
		var pass []int
		for i := range n {
			if visit(i) {
				pass = append(pass, i)
			}
		}
		if passes = append(passes, pass); pass == nil {
			return passes
		}
	}
	return nil
}

// TestReplay compares the replay with exact training on random tables. It accepts the
// true log, and rejects each log with one decision changed, at that decision.
func TestReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	logs := 0
	for range 150 {
		classes := 2 + r.IntN(3)
		var rows [][]string
		var y []int
		for range 3 + r.IntN(5) {
			rows = append(rows, []string{"1", fmt.Sprintf("%.1f", 4*r.Float64()-2), fmt.Sprintf("%.2f", 4*r.Float64()-2)})
			y = append(y, r.IntN(classes))
		}
		tab := classTable(t, rows, y)
		write := func(passes [][]int) error { return tab.WriteMulticlassLog(io.Discard, classes, passes) }
		passes := exactClasses(tab, classes)
		if classes == 2 {
			passes = exactOnline(tab)
			write = func(passes [][]int) error { return tab.WriteOnlineLog(io.Discard, passes) }
		}
		if passes == nil {
			continue
		}
		logs++
		if err := write(passes); err != nil {
			t.Fatalf("%v %v: %v", rows, y, err)
		}
		for p := range passes[:len(passes)-1] {
			for i := range rows {
				k, updated := slices.BinarySearch(passes[p], i)
				changed := slices.Clone(passes)
				if changed[p] = slices.Insert(slices.Clone(passes[p]), k, i); updated {
					changed[p] = slices.Delete(slices.Clone(passes[p]), k, k+1)
				}
				var got *RoundingError
				if err := write(changed); !errors.As(err, &got) || *got != (RoundingError{p + 1, i + 1, !updated}) {
					t.Fatalf("%v %v: row %d of pass %d changed: %v", rows, y, i, p, err)
				}
			}
		}
	}
	if logs < 50 {
		t.Errorf("%d logs", logs)
	}
}
