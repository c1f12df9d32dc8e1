package coq

import (
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
		{"1,1", [][]int{{1}, {}}, "pass 0 has no ascending indices"},
		{"1,1;2,1", [][]int{{}, {1, 0}, {}}, "pass 1 has no ascending indices"},
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
	tab := &Table{Linear: true}
	for c, x := range []string{"-1", "0.5", "1e2"} {
		if err := tab.AddClass([]string{x}, c, c+1); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := tab.WriteMulticlassLog(&b, 3, [][]int{{0, 2}, {}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  ([1e2], 2%nat) (* line 3 *)\n].", "[\n  [0; 2];\n  []\n]%Z.", "multiclass_log Linear 3 rows log 2."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %q in\n%s", want, &b)
		}
	}
	if tab.WriteMulticlassLog(&b, 3, [][]int{{3}, {}}) == nil {
		t.Error("a row that does not exist was written")
	}
}
