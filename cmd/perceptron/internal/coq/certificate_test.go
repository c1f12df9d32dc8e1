package coq

import (
	"context"
	"errors"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tableOf reads rows like "0.1,1;-2,-1": the last number of each row is the label.
func tableOf(t *testing.T, text string) *Table {
	t.Helper()
	tab := &Table{}
	for i, line := range strings.Split(text, ";") {
		fields := strings.Split(line, ",")
		last := len(fields) - 1
		if err := tab.Add(fields[:last], fields[last] == "1", i+1); err != nil {
			t.Fatal(err)
		}
	}
	return tab
}

// check verifies a certificate from the definitions.
func check(t *testing.T, c *Certificate) {
	t.Helper()
	Z, _ := c.t.signed()
	if !valid(c.lambda) {
		t.Fatalf("multipliers %v", c.lambda)
	}
	if !c.Separable {
		if v := mix(c.lambda, Z); !v.isZero() {
			t.Fatalf("the rows mix to %v", v)
		}
		return
	}
	if m := least(c.w, Z); m.Sign() <= 0 {
		t.Fatalf("least score %v", m)
	}
	lower, _ := new(big.Rat).SetString(c.Lower)
	upper, _ := new(big.Rat).SetString(c.Upper)
	if lower.Sign() <= 0 || lower.Cmp(upper) > 0 {
		t.Fatalf("the margin is in [%v, %v]", c.Lower, c.Upper)
	}
}

func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var separable int
	for range 2000 {
		n, d := 1+r.IntN(8), 1+r.IntN(4)
		var rows []string
		for range n {
			row := ""
			for range d {
				row += big.NewInt(int64(r.IntN(7)-3)).String() + ","
			}
			rows = append(rows, row+[]string{"1", "-1"}[r.IntN(2)])
		}
		c, err := tableOf(t, strings.Join(rows, ";")).Certify(t.Context(), make([]float64, d), 0, append(make([]float64, n-1), 1))
		if err != nil {
			t.Fatal(err)
		}
		check(t, c)
		if c.Separable {
			separable++
		}
	}
	if separable < 500 || separable > 1500 {
		t.Errorf("%d of 2000 sets are separable", separable)
	}
}

// TestCertify checks verdicts that float64 gets wrong, and the bound on mistakes.
func TestCertify(t *testing.T) {
	for _, c := range []struct {
		rows      string
		w         float64
		b         float64
		lambda    []float64
		separable bool
		lower     string
		mistakes  int64
	}{
		{"1,1;-1,-1", 1, 0, []float64{1, 1}, true, "1", 2},
		{"1,1;-1,-1", 1, 0.5, []float64{1, 1}, true, "0.44721359549995793", 10},
		{"0.1,1;0.1000000000000000000001,-1", 1, 0, []float64{1, 1}, true, "4.9751859510499456e-23", 0},
		{"0.1,1;0.1,-1", 1, 0, []float64{1, 1}, false, "", 0},
		{"0.1,1;0.1,-1", 1, 0, []float64{1, 0}, false, "", 0},
		{"1,-1;2,1;4,-1", 0, 1, []float64{0.3333, 0.5, 0.1667}, false, "", 0},
	} {
		got, err := tableOf(t, c.rows).Certify(t.Context(), []float64{c.w}, c.b, c.lambda)
		if err != nil {
			t.Fatalf("%s: %v", c.rows, err)
		}
		check(t, got)
		if got.Separable != c.separable || got.Lower != c.lower {
			t.Errorf("%s: %v with %q", c.rows, got.Separable, got.Lower)
		}
		if c.mistakes > 0 && got.Mistakes.Int64() != c.mistakes {
			t.Errorf("%s: %v mistakes, want %d", c.rows, got.Mistakes, c.mistakes)
		}
	}
}

// TestCertifyErrors checks arguments that do not fit.
func TestCertifyErrors(t *testing.T) {
	tab, inf := tableOf(t, "1,1;2,-1"), math.Inf(1)
	for name, c := range map[string]struct {
		w, lambda []float64
		t         *Table
	}{
		"empty":     {nil, nil, &Table{}},
		"weights":   {[]float64{1, 2}, []float64{1, 1}, tab},
		"short":     {[]float64{1}, []float64{1}, tab},
		"infinite":  {[]float64{inf}, []float64{1, 1}, tab},
		"multiples": {[]float64{1}, []float64{1, inf}, tab},
		"negative":  {[]float64{1}, []float64{1, -1}, tab},
		"zero":      {[]float64{1}, []float64{0, 0}, tab},
	} {
		if _, err := c.t.Certify(t.Context(), c.w, 0, c.lambda); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestWrite checks the files for Coq with both verdicts: rows are separable, or not.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		rows string
		w    []float64
		file []string // what follows the head
	}{
		{"0.5,1,1;-2,-1,-1", []float64{3, 4}, []string{
			"Definition rows : table := [", "  ([0.5; 1], true) (* line 1 *);", "  ([-2; -1], false) (* line 2 *)", "].", "",
			"Definition w := [1; 3; 4]%Z.", "", "Definition λ := [1; 1]%Z.", "", "Theorem verdict : is_separable Affine rows /\\",
			"  margin_between Affine rows 1.2747548783981962 1.60078105935821218 /\\ mistakes_at_most Affine rows 3.",
			"Proof. apply (separable_sound Affine rows w λ). vm_cast_no_check (eq_refl true). Qed.", "", "Print Assumptions verdict.", "",
		}},
		{"1,1;1,-1", []float64{0}, []string{
			"Definition rows : table := [", "  ([1], true) (* line 1 *);", "  ([1], false) (* line 2 *)", "].", "",
			"Definition λ := [1; 1]%Z.", "", "Theorem verdict : ~ is_separable Affine rows.",
			"Proof. apply (inseparable_sound Affine rows λ). vm_cast_no_check (eq_refl true). Qed.", "", "Print Assumptions verdict.", "",
		}},
	} {
		got, err := tableOf(t, c.rows).Certify(t.Context(), c.w, 1, []float64{1, 1})
		if err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		if err := got.Write(&file); err != nil {
			t.Fatal(err)
		}
		if _, text, _ := strings.Cut(file.String(), "decimal_scope.\n\n"); text != strings.Join(c.file, "\n") {
			t.Errorf("%s: wrote\n%s", c.rows, text)
		}
	}
	c, _ := tableOf(t, "1,1;1,-1").Certify(t.Context(), []float64{0}, 1, []float64{1, 1})
	r, w := io.Pipe()
	r.Close()
	if err := c.Write(w); err != io.ErrClosedPipe {
		t.Errorf("%v, want that the pipe is closed", err)
	}
}

// TestCertificateFloats checks the hyperplane and the multipliers as float64.
func TestCertificateFloats(t *testing.T) {
	c, err := tableOf(t, "1,1;1,-1").Certify(t.Context(), []float64{1}, 0, []float64{3, 3})
	if err != nil || c.Separable || !slices.Equal(c.Multipliers(), []float64{0.5, 0.5}) {
		t.Errorf("%+v, %v, want the multipliers ½ and ½", c, err)
	}
	if w, b := c.Hyperplane(); w != nil || b != 0 {
		t.Errorf("the hyperplane is %v, %v", w, b)
	}
	c, err = tableOf(t, "3,1;-5,-1").Certify(t.Context(), []float64{4}, 3, []float64{1, 1})
	if err != nil || !c.Separable {
		t.Fatalf("%+v, %v", c, err)
	}
	if w, b := c.Hyperplane(); len(w) != 1 || math.Abs(w[0]-0.8) > 1e-15 || math.Abs(b-0.6) > 1e-15 {
		t.Errorf("the hyperplane is %v, %v", w, b)
	}
	tab := tableOf(t, "3,1;-5,-1")
	tab.Linear = true
	if c, err = tab.Certify(t.Context(), []float64{4}, 3, []float64{1, 1}); err != nil {
		t.Fatal(err)
	}
	if w, b := c.Hyperplane(); w[0] != 1 || b != 0 {
		t.Errorf("the hyperplane is %v, %v", w, b)
	}
}

// TestCertifyEnds: the simplex method ends with the error of its context.
func TestCertifyEnds(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tab := tableOf(t, "0,0,-1;0,1,1;1,0,1;1,1,-1")
	if c, err := tab.Certify(ended, []float64{1, 1}, 0, []float64{1, 0, 0, 0}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", c, err)
	}
}
