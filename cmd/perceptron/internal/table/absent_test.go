package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSentinels: a number that repeats far outside of a column's others is named, with the flag that drops it; --na
// finds it in every form.
func TestSentinels(t *testing.T) {
	for name, c := range map[string]struct {
		value func(i int, v float64) string // of column a, beside a standard normal number
		names string                        // "" for no warning
	}{
		"-999":           {func(i int, v float64) string { return fmt.Sprintf("%.2f", v) }, "-999"},
		"-999.0":         {func(i int, v float64) string { return fmt.Sprintf("%.1f", v) }, "-999.0"},
		"9999":           {func(i int, v float64) string { return fmt.Sprint(1000 + i*i%97) }, "9999"},
		"-9 of codes":    {func(i int, v float64) string { return fmt.Sprint(i % 2) }, "-9"},
		"-200":           {func(i int, v float64) string { return fmt.Sprintf("%.1f", 5+v/2) }, "-200"},
		"-1 of positive": {func(i int, v float64) string { return fmt.Sprintf("%.3f", float64(i*i%97)/97) }, "-1"},
		"two ends": {func(i int, v float64) string {
			return map[bool]string{true: "999", false: fmt.Sprintf("%.2f", v)}[i%7 == 3]
		}, "-999"},
		"1000": {func(i int, v float64) string { return fmt.Sprint(map[int]int{0: 1, 1: 10, 2: 100}[i%3]) }, ""}, // doses
		"16":   {func(i int, v float64) string { return fmt.Sprint(1 << (i % 4)) }, ""},
		"7.1":  {func(i int, v float64) string { return fmt.Sprintf("%.1f", v) }, ""},
		"word": {func(i int, v float64) string { return "u" }, ""},
	} {
		g, text, field := rand.New(rand.NewPCG(1, 2)), "a,b,y\n", strings.Fields(name)[0]
		if name == "two ends" {
			field = "-999"
		}
		for i := range 300 {
			a := c.value(i, g.NormFloat64())
			if i%17 == 3 {
				a = field
			}
			text += fmt.Sprintf("%s,%d,%s\n", a, i*i%83, []string{"no", "yes"}[i%2])
		}
		s := source(t, text, Options{})
		if _, err := Discover(s, Choice{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		said := warned(s)
		if c.names == "" && strings.Contains(said, "far from") || c.names != "" && !strings.Contains(said, fmt.Sprintf(`column "a" has %s in `, c.names)) || c.names != "" && !strings.Contains(said, "--na="+c.names+" ") {
			t.Errorf("%s: %q", name, said)
		}
		if c.names == "" {
			continue
		}
		for _, as := range []string{c.names, c.names + ".0", "+" + c.names} {
			if c.names == "-999.0" {
				as = "-999"
			} else if strings.HasPrefix(as, "+-") {
				continue
			}
			s := source(t, text, Options{})
			if _, err := Discover(s, Choice{NA: []string{as}, Missing: MissingMean}); err != nil || strings.Contains(warned(s), "--na="+c.names+" ") {
				t.Errorf("%s: --na=%s: %q, %v", name, as, s.Warnings, err)
			}
		}
	}
	s := source(t, "a,b,y\n1,2,u\n2,4,v\n3,2,u\n", Options{})
	if _, err := Discover(s, Choice{NA: []string{"-9", "3.0", "none"}, Missing: MissingMean}); err != nil || warned(s) != `no field is what --na names: "-9", "none"` {
		t.Errorf("%q, %v", s.Warnings, err)
	}
	// A program's values are read in the same way.
	schema := &Schema{NA: []string{"-999"}, Missing: MissingMean, Columns: []Column{{Name: "a"}}}
	var x Vector
	if lacks, err := schema.Encoder(false).EncodeText(&x, []string{"-999.0"}); lacks != 1 || err != nil {
		t.Error(lacks, err)
	}
}

// TestOrdered: whole numbers that ascend or descend with the file are refused as ids are, unless they are all there is.
func TestOrdered(t *testing.T) {
	for name, c := range map[string]struct {
		value   func(i int) any
		refused bool
	}{
		"gaps":       {func(i int) any { return i + i/3 + 4 }, true},
		"from 1001":  {func(i int) any { return 1001 + i }, true},
		"tens":       {func(i int) any { return 10 * i }, true},
		"descending": {func(i int) any { return 500 - i }, true},
		"unix":       {func(i int) any { return 1700000000 + 60*i }, true},
		"sdss":       {func(i int) any { return 1237648704604000000 + i*7%40 }, true},
		"twice":      {func(i int) any { return 10 * (i / 2) }, false},
		"shuffled":   {func(i int) any { return 1001 + i*7%40 }, false},
		"fractions":  {func(i int) any { return float64(i) + 0.5 }, false},
		"but one":    {func(i int) any { return i + 1001 - 39*(i/39) }, false},
	} {
		for _, head := range []string{"", "EmployeeNumber,x,y\n", "one"} {
			text := head
			if head == "one" {
				text = "n,y\n"
			}
			for i := range 40 {
				middle := map[bool]string{true: "", false: fmt.Sprintf("%.2f,", float64(i*i%17)/7)}[head == "one"]
				text += fmt.Sprintf("%v,%s%s\n", c.value(i), middle, []string{"u", "v"}[i/20])
			}
			_, err := Discover(source(t, text, Options{}), Choice{})
			if refused := c.refused && head != "one"; refused != (err != nil) || refused && name != "sdss" && !strings.Contains(err.Error(), "never repeat, in the order of the file, like an index, an id or a time: leave it out with --drop") {
				t.Errorf("%s, %q: %v", name, head, err)
			}
			if c.refused && head == "" {
				if _, err := Discover(source(t, text, Options{}), Choice{Columns: []string{"x1", "x2"}}); err != nil {
					t.Errorf("%s: --columns: %v", name, err)
				}
			}
		}
	}
}

// TestLaterNames: names in a later file are no row, though the training file had none.
func TestLaterNames(t *testing.T) {
	words, _, _ := trains(t, "Oslo,17.5,no\nRome,31,yes\nOslo,16,no\nRome,30,yes\n", Options{}, Choice{})
	pairs, _, _ := trains(t, "u,p,no\nv,q,yes\nu,q,no\nv,p,yes\n", Options{}, Choice{})
	for _, c := range []struct {
		schema *Schema
		later  string
		rows   int
	}{
		{words, "city,temperature,rain\nOslo,15,no\n", 1}, {words, "city,temperature\nOslo,15\n", 1}, {words, "Oslo,15,no\nRome,31,yes\n", 2},
		{words, "Bergen,15,no\nRome,31,yes\n", 2}, {words, "Oslo,,no\nRome,31,yes\n", 2},
		{pairs, "a,b,c\nu,p,no\n", 1}, {pairs, "u,r,no\nu,p,no\n", 2},
	} {
		c.schema.Missing = MissingMean
		if rows, err := all(source(t, c.later, Options{}), c.schema, RowOptions{}); err != nil || len(rows) != c.rows {
			t.Errorf("%q: %q, %v", c.later, rows, err)
		}
	}
}

// TestOneNumber: in a model of one number without names, "2,1" is a number and its class.
func TestOneNumber(t *testing.T) {
	for _, train := range []string{"1,0\n2,1\n1,0\n3,1\n", "1.5,0\n2.5,1\n\n1.2,0\n3.5,1\n", "1,0\n\n2,1\n\n"} {
		schema, got, _ := trains(t, train, Options{}, Choice{})
		if !strings.HasPrefix(got, "x1 -> x2: ") {
			t.Fatal(got)
		}
		for later, want := range map[string]string{"1,0\n2,1\n": "1 0 |2 1 ", "1.0,0\n2.0,1\n": "1 0 |2 1 ", "1\n2.5\n": "1  |2.5  ", "2,1\n\n3,0\n": "2 1 |3 0 "} {
			if rows, err := all(source(t, later, Options{}), schema, RowOptions{}); err != nil || strings.Join(rows, "|") != want {
				t.Errorf("%q: %q, %v", later, rows, err)
			}
		}
	}
}
