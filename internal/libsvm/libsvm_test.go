package libsvm

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestRead checks comments, empty lines, spaces and omitted features.
func TestRead(t *testing.T) {
	text := "+1 1:0.5 3:-2e3\n\n# all comment\n-7 # none\n  3\t2:1   3:4 # rest\r\n"
	r := NewReader(strings.NewReader(text), "f", 3)
	for _, want := range []struct {
		x     []float64
		label int
		line  int
	}{{[]float64{0.5, 0, -2000}, 1, 1}, {[]float64{0, 0, 0}, -7, 4}, {[]float64{0, 1, 4}, 3, 5}} {
		x, label, err := r.Read()
		if err != nil || label != want.label || !slices.Equal(x, want.x) || r.Line() != want.line {
			t.Fatalf("line %d: %v, %d, %v; want line %d: %v, %d", r.Line(), x, label, err, want.line, want.x, want.label)
		}
	}
	if _, _, err := r.Read(); err != io.EOF {
		t.Fatalf("%v, want EOF", err)
	}
}

// TestErrors checks the position and the text of each error.
func TestErrors(t *testing.T) {
	for line, want := range map[string]string{
		"one 1:2":      `f:2:1: label "one", want an integer`,
		"  1.5":        `f:2:3: label "1.5", want an integer`,
		"1 2:3 2":      `f:2:7: "2", want index:value`,
		"1 x:3":        `f:2:3: index "x", want a positive integer`,
		"1 0:3":        `f:2:3: index "0", want a positive integer`,
		"1 2:3  2:3":   `f:2:8: index 2 after 2, want ascending indices`,
		"1 2:3 1:3":    `f:2:7: index 1 after 2, want ascending indices`,
		"1 1:1 4:3":    `f:2:7: index 4, want at most 3, the number of features`,
		"1 1:1 2:1,5":  `f:2:9: value "1,5", want a finite number`,
		"1 1:NaN":      `f:2:5: value "NaN", want a finite number`,
		"1 1:1e999":    `f:2:5: value "1e999", want a finite number`,
		"1 1: 2":       `f:2:5: value "", want a finite number`,
		"\t1 1:1\t3:-": `f:2:10: value "-", want a finite number`,
	} {
		r := NewReader(strings.NewReader("1 1:1\n"+line+"\n"), "f", 3)
		if _, _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Read(); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}

// TestWholeLabels checks that whole numbers in every notation are labels, and others are not.
func TestWholeLabels(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "+1.0": 1, "-1.000": -1, "2e3": 2000, "0.0": 0, "-0.": 0, "2147483647.0": 1<<31 - 1, "48613e+03": 48613000} {
		_, label, err := NewReader(strings.NewReader(text+" 1:2\n"), "f", 1).Read()
		if err != nil || label != want {
			t.Errorf("%s: %d, %v, want %d", text, label, err, want)
		}
	}
	for text, want := range map[string]int64{"2147483648.0": 1 << 31, "48613e+05": 4861300000, "-9007199254740992.0": -1 << 53} {
		_, label, err := NewReader(strings.NewReader(text+" 1:2\n"), "f", 1).Read()
		if fits := int64(int(want)) == want; (err == nil) != fits || fits && int64(label) != want {
			t.Errorf("%s: %d, %v, want %d", text, label, err, want)
		}
	}
	for _, text := range []string{"1.5", "1e-3", "9007199254740994.0", "-1e300", "NaN", "Inf", "1.0.0"} {
		if _, _, err := NewReader(strings.NewReader(text+" 1:2\n"), "f", 1).Read(); err == nil || err.Error() != `f:1:1: label "`+text+`", want an integer` {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// broken is a reader that always fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestBrokenReader checks that an error of the underlying reader is wrapped, with the
// position of the line that it prevented. The part of that line is no example, though it may parse.
func TestBrokenReader(t *testing.T) {
	for _, part := range []string{"", "-1 1:-1 2:12", "-1 1:", "-1"} {
		r := NewReader(io.MultiReader(strings.NewReader("1 1:1\n"+part), broken{}), "f", 2)
		if _, _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		_, _, err := r.Read()
		if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "f:2:1: unexpected EOF" {
			t.Fatalf("%q: %v", part, err)
		}
	}
}

// TestGrow checks that, without a number of features, a row is as wide as the highest index so far.
func TestGrow(t *testing.T) {
	r := NewReader(strings.NewReader("1 2:5\n-1\n  1 1:3 4:6\n1 134217729:1"), "f", 0)
	for _, want := range [][]float64{{0, 5}, {0, 0}, {3, 0, 0, 6}} {
		if x, _, err := r.Read(); err != nil || !slices.Equal(x, want) {
			t.Fatalf("%v, %v, want %v", x, err, want)
		}
	}
	if err := r.Wrap(io.ErrShortWrite); err.Error() != "f:3:3: short write" || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("%v, want line 3, column 3", err)
	}
	if _, _, err := r.Read(); err == nil || err.Error() != "f:4:3: index 134217729, want at most 134217728" {
		t.Errorf("%v, want an error about the index", err)
	}
}

// TestBlank checks that each line without an example is ErrBlank if Blank is true, with its number.
func TestBlank(t *testing.T) {
	r := NewReader(strings.NewReader("\n1 1:1\n# text\n \t\n2 2:1\n\n"), "f", 2)
	r.Blank = true
	for line, want := range []int{0, 1, 0, 0, 2, 0} {
		_, _, label, err := r.ReadSparse()
		if label != want || (err == ErrBlank) != (want == 0) || r.Line() != line+1 {
			t.Errorf("line %d: label %d, %v, want %d", r.Line(), label, err, want)
		}
	}
	if _, _, _, err := r.ReadSparse(); err != io.EOF {
		t.Errorf("%v, want EOF", err)
	}
}

// TestIgnore checks that indexes above the number of features are left out and counted if Ignore is true, and that
// the number of a query is skipped, but only after the label.
func TestIgnore(t *testing.T) {
	r := NewReader(strings.NewReader("1 qid:7 1:1 3:1 4:1\n0 2:1\n1 9:x\n1 1:1 qid:7\n"), "f", 2)
	r.Ignore = true
	for _, want := range []int{2, 0} {
		if index, _, _, err := r.ReadSparse(); err != nil || r.Ignored() != want || len(index) != 1 {
			t.Errorf("%v, %d ignored, %v, want %d", index, r.Ignored(), err, want)
		}
	}
	for _, want := range []string{`f:3:5: value "x", want a finite number`, `f:4:7: index "qid", want a positive integer`} {
		if _, _, _, err := r.ReadSparse(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
