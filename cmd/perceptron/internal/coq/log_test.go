package coq

import (
	"errors"
	"fmt"
	"io"
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
	passes := exactClasses([][]int{{2, -2}, {2, 1}, {2, 2}}, []int{0, 1, 2}, 3)
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

// exactClasses trains in exact arithmetic, from the definition. It returns the log, or nil after
// 200 passes. With two classes the log is Online's too, whose w is half their difference.
func exactClasses(X [][]int, y []int, classes int) (passes [][]int) {
	W := make([][3]int, classes)
	score := func(c, i int) (sum int) {
		for j, v := range X[i] {
			sum += W[c][j] * v
		}
		return sum
	}
	for range 200 {
		var pass []int
		for i, own := range y {
			rival := -1
			for c := range W {
				if c != own && (rival < 0 || score(c, i) > score(rival, i)) {
					rival = c
				}
			}
			if score(own, i) > score(rival, i) {
				continue
			}
			for j, v := range X[i] {
				W[own][j] += v
				W[rival][j] -= v
			}
			pass = append(pass, i)
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
		var X [][]int // 100 times the rows
		var y []int
		for range 3 + r.IntN(5) {
			v, w := r.IntN(41)-20, r.IntN(401)-200
			rows = append(rows, []string{"1", fmt.Sprintf("%.1f", float64(v)/10), fmt.Sprintf("%.2f", float64(w)/100)})
			X, y = append(X, []int{100, 10 * v, w}), append(y, r.IntN(classes))
		}
		tab := classTable(t, rows, y)
		write := func(passes [][]int) error { return tab.WriteMulticlassLog(io.Discard, classes, passes) }
		passes := exactClasses(X, y, classes)
		if classes == 2 {
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
